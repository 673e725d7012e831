/* file.h: whole files in, whole files out.
 *
 * Reading gives bytes that stay valid until sli_file_close.  A regular file may be mapped
 * read-only, but is only when asked to, since one that shrinks meanwhile would then fault;
 * anything else is read to its end: pipes, terminals, "/dev/stdin".
 * Writing goes to a temporary name in the same folder, and the file appears under its own name
 * only when it is complete; on failure what was there before is untouched.  A new file gets the
 * mode that the umask leaves, an old one keeps its mode, a symbolic link stays and its target is
 * replaced.  What is no regular file ("/dev/stdout", "/dev/full", a pipe) is written directly.
 * Fails    SL_NOT_FOUND, SL_IO (with the system's words), SL_TOO_LARGE, SL_OUT_OF_MEMORY;
 *          SL_UNSUPPORTED where there are no files (SL_NO_FILES).
 * EINTR and short reads and writes are handled here and nowhere else. */
#pragma once

#include <sightline/base.h>

typedef struct sli_file {
    const uint8_t *bytes; /* never NULL, even where size is 0 */
    size_t size;
    bool mapped;
    sl_allocator allocator;
    size_t capacity; /* of the block that bytes stands in, unless mapped */
} sli_file;

/* max_bytes 0: no limit (else SL_TOO_LARGE).  "-" is a file name like any other here. */
sl_result sli_file_read(const char *path, size_t max_bytes, const sl_allocator *allocator,
                        sli_file *out, sl_error *error);
/* Read where it cannot be mapped. */
sl_result sli_file_map(const char *path, const sl_allocator *allocator, sli_file *out,
                       sl_error *error);

/* Called before a file of that many bytes is read; false: SL_TOO_LARGE, without a message. */
typedef bool sli_file_allow_fn(void *context, size_t size);

/* Reads the regular file that another one names: name, with '/' between folders, is looked for in
 * the folder of the file beside, and below; SL_UNSUPPORTED for "..", symbolic links and what is no
 * regular file.  Errors are those of the file beside. */
sl_result sli_file_read_below(const char *beside, const char *name, size_t max_bytes,
                              sli_file_allow_fn *allow, void *context,
                              const sl_allocator *allocator, sli_file *out, sl_error *error);
void sli_file_close(sli_file *file); /* a zeroed one is fine */

/* A file that is being written. */
typedef struct sli_file_out {
    int descriptor, failure; /* 0, or the system's error number: what follows is dropped */
} sli_file_out;

void sli_file_put(sli_file_out *out, const void *bytes, size_t size);

/* Writes to path what fill puts into it, in any number of pieces. */
typedef void sli_file_fill_fn(const void *context, sli_file_out *out);
sl_result sli_file_write_by(const char *path, sli_file_fill_fn *fill, const void *context,
                            sl_error *error);

typedef struct sli_piece {
    const void *bytes;
    size_t size;
} sli_piece;

/* Writes pieces to path, one behind the other; or size bytes. */
sl_result sli_file_write_pieces(const char *path, const sli_piece *pieces, size_t count,
                                sl_error *error);
static inline sl_result sli_file_write(const char *path, const void *bytes, size_t size,
                                       sl_error *error)
{
    return sli_file_write_pieces(path, &(sli_piece){ bytes, size }, 1, error);
}
