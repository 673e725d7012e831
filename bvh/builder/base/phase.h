/* base/phase.h: how a build runs its blocks, one phase after another.
 *
 * Each block of work gets the library's floating-point environment; hooks are called in the
 * caller's.  So everything in a build that touches floats is in a block, serial steps too (a count
 * of 1 runs on the calling thread).  With a progress hook the range is cut into slices, with a
 * report before each; no result may depend on the slices. */
#pragma once

#include "lib/base/thread/slices.h"

#include <sightline/base.h>

typedef struct sli_phase {
    const sl_tasks *tasks; /* may be NULL */
    sl_progress progress;  /* may be zeroed */
    sl_error *error;       /* may be NULL */
    sli_slices *slices;    /* of a build in slices; else NULL */
} sli_phase;

/* A checkpoint of a build in slices, and nothing in others: for the loops of blocks that take
 * longer than some 50 us, every 10 to 50 us. */
static inline void sli_phase_pause(const sli_phase *phase)
{
    sli_slices_pause(phase->slices);
}

/* Reports done / total under name.  SL_OK, or SL_CANCELLED with the error filled in when the hook
 * asks to stop. */
sl_result sli_phase_report(const sli_phase *phase, const char *name, size_t done, size_t total);

/* Runs fn over [0, count) in blocks of about grain, with reports under name. */
sl_result sli_phase_run(const sli_phase *phase, const char *name, size_t count, size_t grain,
                        sl_range_fn *fn, void *context);

/* The same without reports; cannot fail. */
void sli_phase_blocks(const sli_phase *phase, size_t count, size_t grain, sl_range_fn *fn,
                      void *context);

/* The same, fn being called for each index of a block. */
typedef void sli_index_fn(void *context, size_t i);
void sli_phase_each(const sli_phase *phase, size_t count, size_t grain, sli_index_fn *fn,
                    void *context);
sl_result sli_phase_run_each(const sli_phase *phase, const char *name, size_t count, size_t grain,
                             sli_index_fn *fn, void *context);

/* Calls fn once, as a block of its own. */
void sli_phase_once(const sli_phase *phase, void (*fn)(void *context), void *context);
