/* file/read.h: what the files behind lib/base/file/file.h share: words for what fails, and, of
 * POSIX, reading what is open. */
#pragma once

#include "lib/base/file/file.h"

/* "cannot <doing>: <the system's words>", about path. */
sl_result sli_file_fail(sl_error *error, const char *path, const char *doing, int number);

/* SL_TOO_LARGE, with a message. */
sl_result sli_file_too_large(sl_error *error, const char *path, size_t max_bytes);

#if !defined(SL_NO_FILES) && !defined(_WIN32)

#include <sys/stat.h>

/* A call that signals interrupt is made again this often, then it fails with EINTR: a system on
 * which every call is interrupted must not keep the program for ever. */
enum { SLI_INTERRUPTIONS_MAX = 1000 };

/* Reads all of an open file; *file has its allocator. */
sl_result sli_file_read_open(int descriptor, const struct stat *about, const char *path,
                             size_t max_bytes, sli_file *file, sl_error *error);

#endif
