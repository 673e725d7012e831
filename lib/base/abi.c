/* abi.c: copies as much of a struct as both sides know; for the functions that take a def or fill
 * in an info or a report. */
#include "lib/base/abi.h"

#include "lib/base/error.h"

#include <string.h>

sl_result sli_def_read(const char *type, const void *def, size_t least, size_t size, void *out,
                       sl_error *error)
{
    if (def == NULL) {
        return SL_OK;
    }
    size_t given; /* every def begins with its size */
    memcpy(&given, def, sizeof given);
    if (given < least || given > size) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "%s.size is %zu instead of %zu; begin with sl_default_%s()", type,
                              given, size, type + sizeof "sl_" - 1);
    }
    memcpy(out, def, given);
    memcpy(out, &size, sizeof size);
    return SL_OK;
}

void sli_struct_write(void *out, size_t out_size, const void *from, size_t size)
{
    memcpy(out, from, out_size < size ? out_size : size);
    if (out_size > size) {
        memset((unsigned char *)out + size, 0, out_size - size);
    }
}
