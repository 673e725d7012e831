/* lines.h: lines of a text file or stdin, one at a time, without their comments. */
#ifndef TOOLS_CLI_LINES_H
#define TOOLS_CLI_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { LINE_MAX_SIZE = 1024 };

typedef struct lines_in {
    FILE *stream;
    const char *name; /* for errors: the path, or "stdin" */
    const char *what; /* one of what a line holds: "ray" */
    uint64_t line;    /* the one last read, from 1 */
} lines_in;

/* path "-": stdin.  Reports a file that is not there.  EXIT_DONE, or the status of the error. */
int lines_open(lines_in *in, const char *path, const char *what);

/* The next line up to '#', without the mark of UTF-8 in front of the first.  *end: there was none.
 */
int lines_next(lines_in *in, char to[LINE_MAX_SIZE], bool *end);

void lines_close(lines_in *in); /* a zeroed one is fine */

#endif
