/* search.h: the worst cases of a measure, by random restarts and hill-climbing. */
#pragma once

#include "test/cliffs/measure.h"

typedef struct search_effort {
    double seconds;
    long tries; /* 0: as many as the seconds allow; else they do not count */
    uint64_t seed;
    const char *hold; /* fields that all cases have, as text */
} search_effort;

typedef struct search_found {
    double ratio;
    cliff_case c;
} search_found;

/* The worst first, at most one of a kind of mesh, rays, call and world. */
enum { SEARCH_WORST = 5 };
typedef struct search_list {
    size_t count;
    search_found of[SEARCH_WORST];
} search_list;

/* Climbs from random cases and, every fourth time, from one of the worst so far.  Adds what is more
 * than half of the limit.  How many cases there were goes to stderr. */
void search_worst(cliff_bench *bench, cliff_measure measure, case_kind kind,
                  const search_effort *effort, search_list *list);
