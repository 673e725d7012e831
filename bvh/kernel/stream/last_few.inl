/* The last few rays of a batch, finished one by one.  For stream/loop.inl.
 *
 * A phase of nodes or leaves takes some forty nanoseconds even for one slot; it pays because many
 * slots share it.  Where the last rays of a batch meet hundreds of leaves, as among needles or in a
 * pile of triangles, nothing shares it, and a leaf takes four times as long as a single ray takes
 * for one.  So once few slots have been left for a few phases, each of them goes on as a single ray
 * (single/single.inl) with what it still has to visit.  All do where slots do hardly anything but
 * leaves (refill_leaves_prevail of refill.inl). */
#pragma once

#include "bvh/kernel/stream/from_point_sort.inl"
#include "bvh/kernel/stream/refill.inl"

enum {
    LAST_FEW_SLOTS = 4, /* the most rays in flight, when no ray is left to start */
    LAST_FEW_PHASES = 4 /* phases that this lasts; of ordinary rays hardly any lasts longer */
};

/* Whether no ray is left that could start in a free slot. */
static bool last_few_started(const stream_state *r)
{
    return r->p2m != NULL ? r->p2m->left == 0
                          : r->next == r->end && r->group.ready == 0 &&
                                !(r->from_hybrid && r->hybrid->waiting != 0);
}

static SLI_NOINLINE void last_few_finish(stream_state *r, const stream_slot *slot)
{
    stream_one one;
    const size_t index = slot->ray.w.index;
    single_resume from = { .refs = slot->ref + 1, .count = slot->ray.w.top };
    sl_hit hit;
    if (from.count == 0) {
        return; /* it has ended, and its answer is written */
    }
    const bool any = r->answers.any != NULL;
    from.best = any ? (sl_hit){ .prim = SL_NONE } : r->answers.hits[index];
    stream_one_of(r->batch, index, &one);
    r->stats.rays--; /* the walk counts it once more */
    const bool found =
        r->unpacked != NULL
            ? single_go_on_compact(&one.batch, one.index, &from, &hit, any, &r->stats)
            : single_go_on(&one.batch, one.index, &from, &hit, any, &r->stats);
    if (!any) {
        r->answers.hits[index] = hit;
        return;
    }
    r->answers.any[index] = found;
    if (r->answers.any[index] != 0 && r->answers.refs != NULL) {
        r->answers.refs[index] = (sl_triangle_ref){ .prim = hit.prim };
    }
}

/* Finishes the rays in flight, each of which has moved on at least once since it started. */
static SLI_NOINLINE void last_few_go_on(stream_state *r)
{
    for (size_t i = 0; i < r->waiting.nodes; i++) {
        last_few_finish(r, r->queue[QUEUE_NODES][i]);
    }
    for (size_t i = 0; i < r->waiting.leaves; i++) {
        last_few_finish(r, r->queue[QUEUE_LEAVES][STREAM_SLOTS_MAX - 1 - i]);
    }
    r->waiting.nodes = r->waiting.leaves = 0;
}

/* few: phases, one after the other, for which few slots have been in flight. */
static SLI_FORCE_INLINE void last_few_alone(stream_state *r, uint32_t *few)
{
    const bool are_few = r->waiting.nodes + r->waiting.leaves <= LAST_FEW_SLOTS;
    *few = are_few ? *few + 1 : 0;
    if (__builtin_expect(*few >= LAST_FEW_PHASES || refill_leaves_prevail(r), 0) &&
        last_few_started(r)) {
        last_few_go_on(r);
    }
}
