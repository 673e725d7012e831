/* file_read.h: what lib/base/file.c and lib/base/file_below.c share: reading what is open. */
#ifndef SLI_BASE_FILE_READ_H
#define SLI_BASE_FILE_READ_H

#include "lib/base/file.h"

#if !defined(SL_NO_FILES)

#include <sys/stat.h>

/* "cannot <doing>: <the system's words>", about path. */
sl_result sli_file_fail(sl_error *error, const char *path, const char *doing, int number);

/* Reads all of an open file; *file has its allocator. */
sl_result sli_file_read_open(int descriptor, const struct stat *about, const char *path,
                             size_t max_bytes, sli_file *file, sl_error *error);

#endif

#endif
