/* output/file_conflicts.h: which files this run reads and which it writes, so that none of them
 * takes the place of another: a mesh is not lost to a slip in --out. */
#pragma once

#include <stdbool.h>

/* Said before a file is opened; "-", NULL, devices and pipes conflict with nothing.  EXIT_DONE, or
 * EXIT_USAGE after a report where the file has another role already; reading one twice is fine. */
int file_conflicts_read(const char *path);
int file_conflicts_write(const char *path);

/* Before there is any work: whether a file to read is there; whether one to write can be, and is
 * none of those to read, which are said before.  EXIT_DONE, or the status of a report. */
int file_conflicts_foresee(const char *path, bool written);

/* For another run in the same process: nothing is read or written so far. */
void file_conflicts_forget(void);
