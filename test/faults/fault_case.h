/* fault_case.h: everything of the library that takes memory, touches files or starts threads, each
 * as a case that can be run again and again.  Queries are not among them: they do none of that
 * (test/bvh/query/test_no_allocation.c). */
#pragma once

#include <sightline/base.h>

/* What a run is given, and what comes of it. */
typedef struct fault_run {
    sl_allocator memory; /* zeroed: malloc */
    sl_error error;
    uint64_t answer; /* after SL_OK: a number that tells results apart */
} fault_run;

typedef struct fault_case {
    char name[80];
    /* Does it, and gives everything back. */
    sl_result (*run)(const struct fault_case *self, fault_run *run);
    int which, how, workers; /* what these mean is run's business */
    bool has_hook;           /* takes an allocator */
    bool in_files;           /* touches files */
    const char *writes;      /* the file in the folder that it makes; NULL: none */
} fault_case;

/* Makes the inputs, in the folder too; all live as long as the program, but for the pool. */
const fault_case *fault_cases(size_t *count);
void fault_cases_end(void);
