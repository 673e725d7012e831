/* How rays of a batch enter slots: eight are read and prepared at a time (filter/ray8.inl), or come
 * from a hybrid packet that they have left (stream/resume.inl).  For stream/loop.inl and
 * stream/from_point_refill.inl. */
#pragma once

#include "bvh/kernel/packet/hybrid.inl"
#include "bvh/kernel/stream/resume.inl"

/* Which of the next count rays, at most eight, a packet or a hint has answered already. */
static uint32_t refill_answered(const stream_state *r, uint32_t count)
{
    if (r->packed) {
        const size_t at = r->next - r->first;
        return (uint32_t)(r->answered[at / PACKET] >> at % PACKET) & 0xFF;
    }
    uint32_t answered = 0;
    for (uint32_t i = 0; r->batch->hinted && i < count; i++) {
        answered |= (uint32_t)r->answers.any[r->next + i] << i;
    }
    return answered;
}

/* Writes a miss for each of the next rays that is not answered yet. */
static void refill_write_misses(stream_state *r, uint32_t count, uint32_t answered)
{
    for (size_t i = 0; i < count; i++) {
        if ((answered >> i & 1) != 0) {
            continue;
        }
        if (r->answers.any != NULL) {
            r->answers.any[r->next + i] = 0;
        } else if (r->answers.totals != NULL) {
            r->answers.totals[r->next + i] = 0;
        } else {
            const float t = r->batch->rays != NULL ? r->batch->rays[r->next + i].tmax : 1;
            r->answers.hits[r->next + i] = (sl_hit){ .t = t, .prim = SL_NONE };
        }
    }
}

/* Prefetches the rays of the group after the next. */
static void refill_prefetch(const stream_state *r)
{
    const sli_kernel_batch *batch = r->batch;
    for (int line = 0; line < 4 && r->end - r->next > 24; line++) {
        const char *at = batch->rays != NULL ? (const char *)&batch->rays[r->next + 16]
                                             : (const char *)&batch->segments[r->next + 16];
        __builtin_prefetch(at + line * SLI_LINE);
    }
}

enum {
    ALONE_LEAVES_PER_NODE = 2, /* leaves prevail beyond this for each node, plus LEAVES_MIN */
    ALONE_LEAVES_PER_RAY = 48, /* and beyond this for each ray */
    ALONE_LEAVES_MIN = 1024,   /* leaves */
    ALONE_FORGET = 256         /* a share of the leaves that each group alone forgets */
};

/* Whether slots do hardly anything but leaves.  Among needles that meet in a point a ray comes to
 * hundreds of leaves one after the other, each a turn of its slot through the queues, which takes
 * twice as long as a single ray takes for a leaf.  Then the next rays are answered one by one,
 * until enough of the leaves are forgotten that slots are tried again.  Single rays take longer
 * where all hits are wanted (plain/all.inl). */
static bool refill_leaves_prevail(const stream_state *r)
{
    const stream_steps *steps = &r->steps;
    return r->answers.totals == NULL &&
           steps->leaves > ALONE_LEAVES_PER_NODE * steps->nodes + ALONE_LEAVES_MIN &&
           steps->leaves > ALONE_LEAVES_PER_RAY * steps->rays;
}

/* Answers the next count rays one by one, those that are not answered yet. */
static SLI_NOINLINE void refill_alone(stream_state *r, uint32_t count, uint32_t answered)
{
    r->steps.leaves -= r->steps.leaves / ALONE_FORGET;
    stream_alone(r, ~answered & ((1u << count) - 1), r->next);
}

/* Prepares the next rays, at most eight, and answers at once those that slots do not take. */
static void refill_group(stream_state *r)
{
    const sli_kernel_batch *batch = r->batch;
    const size_t left = r->end - r->next;
    const uint32_t count = left < 8 ? (uint32_t)left : 8, answered = refill_answered(r, count);
    if (refill_leaves_prevail(r)) {
        refill_alone(r, count, answered);
        r->next += count;
        return;
    }
    r->stats.rays += count - (uint32_t)__builtin_popcount(answered);
    r->steps.rays += count;
    r->group.first = r->next;
    if (answered != 0xFF) {
        ray8_input in;
        refill_prefetch(r);
        const uint32_t valid = ray8_read(batch, r->next, left, &in) & ~answered;
        refill_write_misses(r, count, answered);
        if (valid != 0 && batch->tree->root != SLI_REF_EMPTY) {
            r->group.ready = ray8_prepare_group(batch->tree, &in, valid, &r->group);
            const uint32_t alone = valid & ~r->group.ready;
            if (alone != 0) {
                r->stats.rays -= (uint64_t)__builtin_popcount(alone);
                stream_alone(r, alone, r->next);
            }
        }
    }
    r->next += count;
}

/* Prepares a group, from the batch or a hybrid packet; it may be without a ray that is ready. */
static void refill_prepare(stream_state *r)
{
    r->group.ready = 0;
    if (r->hybrid != NULL && !r->from_hybrid && (r->next - r->first) % HYBRID_RAYS == 0) {
        r->from_hybrid =
            !refill_leaves_prevail(r) && hybrid_may_take(r->hybrid, r->next, r->end - r->next);
        if (r->from_hybrid) {
            hybrid_take(r->hybrid);
            r->next += HYBRID_RAYS;
        }
    }
    if (r->from_hybrid && r->hybrid->waiting != 0) {
        hybrid_group(r->hybrid, r);
    } else if (r->from_hybrid) {
        r->from_hybrid = false;
    } else {
        refill_group(r);
    }
}

/* Starts at the root, which is always a node and always cached, so nothing is prefetched. */
static SLI_FORCE_INLINE void slot_start_at_root(stream_state *r, stream_counts *c,
                                                stream_slot *slot)
{
    const sl_bvh *tree = r->batch->tree;
    slot->ref[0] = SLI_REF_EMPTY;
    slot->ray.w.top = 1; /* where the root's children go */
    slot->ray.w.at = line_at((const char *)tree->lines, tree->root);
    r->queue[QUEUE_NODES][c->nodes++] = slot;
}

/* Starts the next ray in this slot, and queues the slot.  False: no ray is left. */
static SLI_FORCE_INLINE bool slot_start(stream_state *r, stream_counts *c, stream_slot *slot,
                                        bool any)
{
    while (r->group.ready == 0) {
        if (r->next == r->end && !r->from_hybrid) {
            return false;
        }
        refill_prepare(r);
    }
    ray8_take(&r->group, &slot->ray);
    if (any && r->from_hybrid) {
        hybrid_enter(r->hybrid, slot);
        slot_queue(r, c, (const char *)r->batch->tree->lines, slot, slot->ref[slot->ray.w.top]);
        return true;
    }
    slot_start_at_root(r, c, slot);
    if (!any) {
        slot_nears(slot)[0] = -INFINITY;
    }
    return true;
}
