/* failing_allocator.h: an allocator that counts, fails on request, and detects misuse.
 *
 *     sli_failing_allocator memory;
 *     def.hooks.allocator = sli_failing_allocator_start(&memory, n);
 *     ... the call under test, whose allocations fail from number n on ...
 *     assert_true(sli_failing_allocator_clean(&memory));  (once everything is destroyed)
 *
 * test_next_failure of test.h goes through all n.
 *
 * Each block is surrounded by marks; free checks them, and that it is given the size of the
 * allocation.  Misuse and leaks are counted, so that a test can assert that there are none.
 * Several threads may share one. */
#pragma once

#include <sightline/base.h>

#define SLI_NEVER_FAIL SIZE_MAX

typedef struct sli_failing_allocator {
    size_t fail_at;     /* this allocation, counted from 0, and all later ones fail */
    size_t allocations; /* so far, failed ones included */
    size_t live_blocks;
    size_t live_bytes;
    size_t peak_bytes; /* the most that was live at once */
    size_t misuses;    /* wrong sizes, overwritten marks, bad alignments */
    size_t limit; /* allocations that would exceed this many live_bytes fail; SIZE_MAX: no limit */
    bool once;    /* only allocation fail_at fails, not those after it */
    bool failed;  /* an allocation has failed */
} sli_failing_allocator;

sl_allocator sli_failing_allocator_start(sli_failing_allocator *memory, size_t fail_at);

/* Whether all is freed, and nothing was misused. */
bool sli_failing_allocator_clean(const sli_failing_allocator *memory);
