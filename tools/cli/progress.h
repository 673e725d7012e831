/* progress.h: a bar on stderr with the time left; nothing where stderr is no terminal or --quiet.
 */
#pragma once

#include <sightline/base.h>

typedef struct progress {
    bool on;
    double started; /* when the stage began */
    double drawn;   /* when the bar was last drawn; 0: not on screen */
    char stage[32];
} progress;

void progress_begin(progress *bar, bool quiet);

/* For the library's defs: report draws this bar. */
sl_progress progress_hook(progress *bar);

/* fraction in [0, 1]; below 0: not known, the bar only lives. */
void progress_show(progress *bar, const char *stage, double fraction);

/* Erases it until it is drawn again, so that something else can be written to the terminal. */
void progress_clear(progress *bar);

void progress_end(progress *bar); /* wipes it from the screen */
