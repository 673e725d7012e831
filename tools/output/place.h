/* output/place.h: what output/file.h asks of the system, POSIX or Windows; out_file_guard is there,
 * too. */
#pragma once

#include "tools/output/file.h"

/* A descriptor to write to, -1 with errno on failure.  Sets file->path to the name that path leads
 * to, and file->temporary where that is a file or nothing yet; both are to be freed either way. */
int out_place_open(out_file *file, const char *path);

/* Gives the temporary file, which is closed, its name: 0, or an errno. */
int out_place_replace(const out_file *file);

/* A name that no other of the same file is, where files have no numbers (Windows); elsewhere the
 * path.  To be freed; NULL: no memory. */
char *out_place_name(const char *path);

/* From one to the other, an interrupt waits. */
void out_place_hold(void);
void out_place_release(void);

/* An interrupt need not remove this file any more. */
void out_place_forget(const out_file *file);

/* A file that stays where it is while it is unfinished, to read and to write; it is made where
 * there is none, and no other process may open it so.  NULL with errno on failure; EBUSY: another
 * has it. */
FILE *out_place_keep(const char *path);

/* Of such a file: everything down to the disk; no more than size bytes.  0, or an errno. */
int out_place_settle(FILE *stream);
int out_place_cut(FILE *stream, uint64_t size);

/* A file without a name, to write and to read again, in the folder for temporary files.  NULL with
 * errno on failure. */
FILE *out_place_scratch(void);

/* Whether the stream is a file whose bytes can be read again. */
bool out_place_can_seek(FILE *stream);

/* Whether the stream is a pipe whose reader has gone, as after `| head`; error: the errno of the
 * write that failed. */
bool out_place_lost_reader(FILE *stream, int error);
