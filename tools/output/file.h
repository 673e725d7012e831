/* output/file.h: where results go: stdout, or a file that appears only when it is complete.
 *
 * A file is written under a temporary name beside its own and renamed at the end, so that a full
 * disk, an error or an interrupt leaves what was there before.  Devices and pipes are written
 * as they are. */
#pragma once

#include <sightline/base.h>

#include <stdio.h>

enum { OUT_FILES_MAX = 2 }; /* that may be open at a time, stdout not counted */

typedef struct out_file {
    FILE *stream;    /* to write to */
    char *path;      /* the name it will have; NULL for stdout */
    char *temporary; /* the name it has meanwhile; NULL: none */
    bool lent;       /* the stream is another file's, which is finished there (parts/part.h) */
} out_file;

/* path NULL or "-": stdout.  EXIT_DONE, or EXIT_FAILED after a report. */
int out_file_open(out_file *file, const char *path);

/* Finishes: everything written, checked, and under its own name.  EXIT_DONE, EXIT_FAILED after a
 * report, or EXIT_NO_READER without one where stdout is a pipe that is read no more.  The file is
 * closed either way. */
int out_file_close(out_file *file);

/* Gives up: nothing stays.  A zeroed or closed one is fine. */
void out_file_discard(out_file *file);

/* Before and after the library writes a file by its name: an interrupt waits until it is whole.
 * EXIT_DONE, or a status after a report; take_back reports the library's error, if any. */
int out_file_lend(const char *path);
int out_file_take_back(sl_result result, const sl_error *error);

/* For main: a stdout that is closed or full gives errors when written to, never a signal, and
 * never the descriptor of another file; an interrupt removes files under temporary names. */
void out_file_guard(void);
