/* watch.h: a progress callback that stops the work at one of its reports. */
#pragma once

#include <sightline/base.h>

typedef struct test_watch {
    int calls, stop_at; /* stop_at: how many reports let it go on; -1: all */
    const char *phase;  /* asserted; NULL: any */
    bool rises;         /* asserted */
    float last;         /* fraction that was reported */
} test_watch;

/* Asserts that fractions are within 0 and 1. */
sl_progress test_watch_progress(test_watch *watch);
