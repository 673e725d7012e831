/* base64.h: bytes from text, by RFC 4648, section 4. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most bytes that text of this length can hold. */
static inline size_t sli_base64_room(size_t length)
{
    return length / 4 * 3 + 3;
}

/* Writes them to out and their number to *size.  False where the text is no base64; *size is then
 * where in it.  Padding at the end may be missing. */
bool sli_base64_decode(const char *text, size_t length, uint8_t *out, size_t *size);
