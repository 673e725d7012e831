/* file/common.c: what file.h does in the same way on every system. */
#include "lib/base/error.h"
#include "lib/base/file/read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

sl_result sli_file_fail(sl_error *error, const char *path, const char *doing, int number)
{
    char words[128];
#if defined(_WIN32)
    const int unknown = strerror_s(words, sizeof words, number);
#else
    const int unknown = strerror_r(number, words, sizeof words);
#endif
    if (number == EISDIR || number == ENOSPC) {
        snprintf(words, sizeof words, "%s",
                 number == EISDIR ? "it is a directory; name a file in it"
                                  : "the disk is full; free space or choose another place");
    } else if (unknown != 0) {
        snprintf(words, sizeof words, "system error %d", number);
    }
    const bool missing = number == ENOENT || number == ENOTDIR;
    return sli_fail_file(error, missing ? SL_NOT_FOUND : SL_IO, path, "cannot %s: %s", doing,
                         words);
}

sl_result sli_file_too_large(sl_error *error, const char *path, size_t max_bytes)
{
    return sli_fail_file(error, SL_TOO_LARGE, path,
                         "the file is larger than the limit of %zu bytes", max_bytes);
}

typedef struct pieces {
    const sli_piece *of;
    size_t count;
} pieces;

static void put_pieces(const void *context, sli_file_out *out)
{
    const pieces *all = context;
    for (size_t i = 0; i < all->count; i++) {
        sli_file_put(out, all->of[i].bytes, all->of[i].size);
    }
}

sl_result sli_file_write_pieces(const char *path, const sli_piece *of, size_t count,
                                sl_error *error)
{
    return sli_file_write_by(path, put_pieces, &(pieces){ of, count }, error);
}
