/* file.h: whole files in, whole files out.
 *
 * Reading gives bytes that stay valid until sli_file_close; a regular file is mapped read-only
 * where the system can (a file that shrinks meanwhile would then fault: so files are only mapped
 * when asked to), anything else is read to its end.  Writing goes to a temporary name in the same
 * folder, and the file appears under its own name only when it is complete.
 * EINTR and short reads and writes are handled here and nowhere else. */
#ifndef SLI_BASE_FILE_H
#define SLI_BASE_FILE_H

#include <sightline/base.h>

typedef struct sli_file {
    const uint8_t *bytes;
    size_t size;
    bool   mapped;
    sl_allocator allocator;
    size_t capacity; /* of the block that bytes stands in, unless mapped */
} sli_file;

/* max_bytes 0: no limit (else SL_TOO_LARGE).  "-" is a file name like any other here. */
sl_result sli_file_read(const char *path, size_t max_bytes, const sl_allocator *allocator,
                        sli_file *out, sl_error *error);
sl_result sli_file_map(const char *path, const sl_allocator *allocator, sli_file *out,
                       sl_error *error);
void      sli_file_close(sli_file *file); /* a zeroed one is fine */

/* Writes size bytes to path, by way of a temporary name.  SL_IO names path and the system's words. */
sl_result sli_file_write(const char *path, const void *bytes, size_t size, sl_error *error);

#endif
