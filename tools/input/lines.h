/* input/lines.h: lines of a text file or stdin, one at a time, without their comments; and whether
 * the next one is there already, so that another process can ask, wait for its answers, and ask
 * again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { LINE_MAX_SIZE = 16384 }; /* the points of a hull fit */

typedef struct lines_in {
    FILE *stream;     /* unbuffered, so that its descriptor can be read, too */
    const char *name; /* for errors: the path, or "stdin" */
    const char *what; /* one of what a line holds: "ray" */
    uint64_t line;    /* number of the line last read, from 1 */
    /* State, private to lines.c. */
    char *buffer; /* bytes begin .. end are read and not yet used */
    size_t begin, end;
    bool at_end; /* there is nothing after the buffer */
    int error;   /* errno of reading; 0: none */
} lines_in;

/* path "-": stdin.  Reports a file that is not there.  EXIT_DONE, or the status of the error. */
int lines_open(lines_in *in, const char *path, const char *what);

/* The next line up to '#', without the mark of UTF-8 in front of the first.  *end: there was none.
 * Where it has to wait for input it first passes on what has been written so far. */
int lines_next(lines_in *in, char to[LINE_MAX_SIZE], bool *end);

/* Whether lines_next would return at once. */
bool lines_ready(lines_in *in);

void lines_close(lines_in *in); /* a zeroed one is fine */

/* ---- ready.c: whether reading from a stream would wait for another process ---- */

/* Whether a read returns at once, with bytes or at the end. */
bool input_ready(FILE *stream);
