/* hooks.h: what the public functions that take an sl_hooks do with it before and while they
 * work. */
#pragma once

#include <sightline/base.h>

/* The caller's hooks with the allocator filled in; defaults where hooks is NULL. */
sl_hooks sli_hooks(const sl_hooks *hooks);

/* Reports progress, if the caller wants to know.  False: the caller asked to stop. */
bool sli_report(const sl_hooks *hooks, const char *phase, float fraction);

/* A stage of long work, which reports now and then, so that the caller can stop it between two of
 * its steps: what runs on after that comes to its end, and its results are dropped. */
typedef struct sli_stage {
    const sl_hooks *hooks;
    const char *name;
    float done;   /* what is reported */
    bool stopped; /* the caller asked to stop */
} sli_stage;

/* Items from one report to the next: some milliseconds. */
enum { SLI_STAGE_ITEMS = 1 << 17 };

/* Reports; true if the caller asked to stop, now or before.  NULL: nothing is reported, and it is
 * false. */
bool sli_stage_stops(sli_stage *stage);

/* The same in a loop over items, of item i. */
static inline bool sli_stage_stops_at(sli_stage *stage, size_t i)
{
    return i % SLI_STAGE_ITEMS == 0 && sli_stage_stops(stage);
}

/* The stage has come so far.  False: the caller asked to stop. */
bool sli_stage_reach(sli_stage *stage, float done);
