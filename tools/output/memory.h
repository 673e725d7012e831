/* output/memory.h: a stream whose bytes are kept in memory until they are taken, for text and
 * arrays that become records of part files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct out_memory {
    FILE *stream; /* to write to; NULL: not open */
    char *bytes;  /* what was written, once it is taken */
    size_t size;
} out_memory;

/* False with errno on failure.  A zeroed one, or one that was taken, whose bytes are freed. */
bool out_memory_open(out_memory *memory);

/* Closes the stream: bytes and size are what was written to it.  False with errno on failure. */
bool out_memory_take(out_memory *memory);

void out_memory_free(out_memory *memory); /* a zeroed one is fine */
