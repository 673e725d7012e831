/* Batches of rays or segments, in floats or doubles, through a world: the kernel's
 * world_closest_many, world_any_many and world_all_many (batch_state.inl explains the whole).
 * Coherent rays of the first two are answered by packets first (packet.inl). */
#pragma once

#include "bvh/kernel/instance/batch_masks.inl"
#include "bvh/kernel/instance/packet.inl"

enum {
    WORLD_BYTES = WORLD_SLOTS_MAX * WORLD_SLOT_SIZE,
    WORLD_ANY_BYTES = WORLD_SLOTS_MAX * WORLD_ANY_SLOT_SIZE
};

/* Ends the rays whose stacks cannot take another node's children; the other slots move to the
 * queue's front.  Rare. */
static SLI_NOINLINE uint32_t world_relieve_queue(world_batch *r, stream_slot **queue,
                                                 uint32_t count)
{
    const bool any = r->any != NULL || r->totals != NULL;
    const uint32_t depth_max = any ? STREAM_ANY_DEPTH_MAX : STREAM_DEPTH_MAX;
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        stream_slot *slot = queue[i];
        if (slot->ray.w.top <= depth_max) {
            queue[left++] = slot;
        } else {
            world_give_up(r, slot);
        }
    }
    return left;
}

static SLI_NOINLINE void world_relieve(world_batch *r)
{
    const uint32_t count = r->count[WORLD_LEAVES];
    stream_slot **leaves = r->queue[WORLD_LEAVES] + WORLD_SLOTS_MAX - count;
    r->count[WORLD_NODES] = world_relieve_queue(r, r->queue[WORLD_NODES], r->count[WORLD_NODES]);
    const uint32_t left = world_relieve_queue(r, leaves, count);
    memmove(r->queue[WORLD_LEAVES] + WORLD_SLOTS_MAX - left, leaves, left * sizeof *leaves);
    r->count[WORLD_LEAVES] = left;
}

/* One step of every ray that is at a node, as stream_nodes_of has it, but each in its own
 * tree. */
static SLI_FORCE_INLINE void world_nodes_of(world_batch *r, bool any, bool masked)
{
    const uint32_t count = r->count[WORLD_NODES], leaves_before = r->count[WORLD_LEAVES];
    stream_slot **const queue = r->queue[WORLD_NODES];
    if (count == 0) {
        return;
    }
    r->stats.nodes += count;
    node_ends ends = { .nodes = queue + leaves_before,
                       .leaves = r->queue[WORLD_LEAVES] + WORLD_SLOTS_MAX - 1,
                       .others = -(ptrdiff_t)leaves_before };
    stream_slot *slot = queue[0];
    uint32_t met = masked ? world_node_masked(r, slot, any) : slot_node(slot, any);
    for (uint32_t i = 1; i < count; i++) {
        stream_slot *next = queue[i];
        const uint32_t next_met = masked ? world_node_masked(r, next, any) : slot_node(next, any);
        slot_move(slot_aside(slot, any)->lines, slot, met, any, &ends);
        slot = next;
        met = next_met;
    }
    slot_move(slot_aside(slot, any)->lines, slot, met, any, &ends);
    r->count[WORLD_LEAVES] = (uint32_t)-ends.others;
    r->count[WORLD_NODES] = count - (r->count[WORLD_LEAVES] - leaves_before);
    if (__builtin_expect(ends.deep >> 31 != 0, 0)) {
        world_relieve(r);
    }
}

static SLI_NOINLINE void world_nodes(world_batch *r, bool any)
{
    world_nodes_of(r, any, false);
}

/* Of a query with a mask. */
static SLI_NOINLINE void world_nodes_masked(world_batch *r, bool any)
{
    world_nodes_of(r, any, true);
}

/* Lists the slots that are at no node by their references, which are taken off their stacks: in
 * the order of their prefetches.  Each is written to all lists, and counted in one, so that nothing
 * branches on a reference; it is one of kind 0, a leaf, or one of those that are named. */
static SLI_FORCE_INLINE void world_turn(world_batch *r, bool any)
{
    uint32_t packs = 0, tops = 0, entries = 0, returns = 0, ended = r->count[WORLD_ENDED];
    const uint32_t count = r->count[WORLD_LEAVES];
    r->count[WORLD_LEAVES] = 0;
    for (uint32_t i = 0; i < count; i++) {
        stream_slot *slot = r->queue[WORLD_LEAVES][WORLD_SLOTS_MAX - 1 - i];
        const uint32_t ref = slot->ref[slot->ray.w.top--], kind = ref >> 28;
        world_aside *aside = slot_aside(slot, any);
        const uint32_t top = aside->instance == SL_NONE, leaf = kind == SLI_REF_LEAF >> 28;
        aside->entering = ref & SLI_REF_LINE; /* without a meaning for other references */
        r->queue[WORLD_PACKS][packs] = slot;
        packs += leaf & ~top;
        r->queue[WORLD_TOPS][tops] = slot;
        tops += leaf & top;
        r->queue[WORLD_ENTRIES][entries] = slot;
        entries += kind == WORLD_REF_INSTANCE >> 28;
        r->queue[WORLD_RETURNS][returns] = slot;
        returns += kind == WORLD_REF_RETURN >> 28;
        r->queue[WORLD_ENDED][ended] = slot;
        ended += kind == SLI_REF_EMPTY >> 28;
    }
    r->count[WORLD_PACKS] = packs;
    r->count[WORLD_TOPS] = tops;
    r->count[WORLD_ENTRIES] = entries;
    r->count[WORLD_RETURNS] = returns;
    r->count[WORLD_ENDED] = ended;
}

/* The same in a world of one instance, where slots are at its leaves or have ended. */
static SLI_FORCE_INLINE void world_turn_inside(world_batch *r)
{
    uint32_t packs = 0, ended = r->count[WORLD_ENDED];
    const uint32_t count = r->count[WORLD_LEAVES];
    for (uint32_t i = 0; i < count; i++) {
        stream_slot *slot = r->queue[WORLD_LEAVES][WORLD_SLOTS_MAX - 1 - i];
        const uint32_t end = ref_is_empty(slot->ref[slot->ray.w.top--]);
        r->queue[WORLD_PACKS][packs] = slot;
        packs += 1 - end;
        r->queue[WORLD_ENDED][ended] = slot;
        ended += end;
    }
    r->count[WORLD_LEAVES] = 0;
    r->count[WORLD_PACKS] = packs;
    r->count[WORLD_ENDED] = ended;
}

/* Lists a slot at the top by the next reference on its stack, which an instance is taken off.
 * Nothing branches on the reference. */
static SLI_FORCE_INLINE void world_go_on(world_batch *r, stream_slot *slot, bool any)
{
    const sli_world *world = r->batch->world;
    const uint32_t ref = slot->ref[slot->ray.w.top], leaf = ref_is_leaf(ref);
    const uint32_t instance = ref >> 28 == WORLD_REF_INSTANCE >> 28;
    const char *node = line_at((const char *)world->top->lines, ref);
    const char *transformed = (const char *)world->transformed +
                              (size_t)(ref & SLI_REF_LINE) * sizeof *world->transformed;
    const char *at = instance != 0 ? transformed : node;
    prefetch_lines(at, 0, TRANSFORMED_LINES);
    prefetch_line(at + (TRANSFORMED_LINES - leaf) * SLI_LINE);
    slot->ray.w.at = at;
    slot->ray.w.top -= instance;
    slot_aside(slot, any)->entering = ref & SLI_REF_LINE; /* without a meaning for others */
    r->queue[WORLD_NODES][r->count[WORLD_NODES]] = slot;
    r->count[WORLD_NODES] += 1 - leaf;
    r->queue[WORLD_ENTRIES][r->count[WORLD_ENTRIES]] = slot;
    r->count[WORLD_ENTRIES] += instance;
    r->queue[WORLD_LEAVES][WORLD_SLOTS_MAX - 1 - r->count[WORLD_LEAVES]] = slot;
    r->count[WORLD_LEAVES] += leaf - instance;
}

/* Pushes the instances of top leaves.  Each slot moves on after the next one is tested, as in steps
 * at nodes. */
static SLI_FORCE_INLINE void world_tops(world_batch *r, bool any)
{
    stream_slot **queue = r->queue[WORLD_TOPS];
    const uint32_t count = r->count[WORLD_TOPS];
    if (count == 0) {
        return;
    }
    uint32_t met = world_push_instances(queue[0], any);
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t next_met = world_push_instances(queue[i], any);
        queue[i - 1]->ray.w.top += met;
        world_go_on(r, queue[i - 1], any);
        met = next_met;
    }
    queue[count - 1]->ray.w.top += met;
    world_go_on(r, queue[count - 1], any);
}

/* Slots at the top, or on their way there or back. */
static SLI_FORCE_INLINE void world_at_top(world_batch *r, bool any)
{
    world_prefetch_entries(r, any);
    for (uint32_t i = 0; i < r->count[WORLD_RETURNS]; i++) {
        world_return(r, r->queue[WORLD_RETURNS][i], any);
        world_go_on(r, r->queue[WORLD_RETURNS][i], any);
    }
    world_tops(r, any);
    r->count[WORLD_RETURNS] = r->count[WORLD_TOPS] = 0;
}

/* The phase of all that is no node. */
static SLI_FORCE_INLINE void world_leaves(world_batch *r, stream_kind kind)
{
    const bool any = kind != STREAM_CLOSEST;
    if (r->only != NULL) {
        world_turn_inside(r);
    } else {
        world_turn(r, any);
        world_at_top(r, any);
    }
    if (r->count[WORLD_PACKS] > 0) {
        if (__builtin_expect(r->compact, 0)) {
            world_unpack(r, any);
        }
        world_filter(r, kind);
        world_decide_pairs(r, kind);
        world_queue_list(r, WORLD_PACKS, any);
    }
    if (r->count[WORLD_ENTRIES] > 0) {
        world_enter_all(r, any);
    }
}

/* Starts rays in the slots that have none. */
static SLI_NOINLINE void world_refill(world_batch *r, bool any)
{
    const uint32_t count = r->count[WORLD_ENDED];
    r->count[WORLD_ENDED] = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!world_start(r, r->queue[WORLD_ENDED][i], any)) {
            break;
        }
    }
}

static SLI_FORCE_INLINE void world_loop(world_batch *r, stream_kind kind)
{
    const bool any = kind != STREAM_CLOSEST;
    do {
        world_refill(r, any);
        do {
            if (__builtin_expect(r->masked, 0)) {
                world_nodes_masked(r, any);
            } else {
                world_nodes(r, any);
            }
        } while (r->count[WORLD_NODES] * 4 > r->count[WORLD_LEAVES] + r->count[WORLD_ENDED]);
        world_leaves(r, kind);
    } while (r->count[WORLD_NODES] + r->count[WORLD_LEAVES] + r->count[WORLD_ENDED] > 0);
}

/* The only instance of a world, if nothing is to be tested before it is entered; else NULL. */
static const sli_transformed *world_only(const sli_world_batch *batch)
{
    const sli_world *world = batch->world;
    const sli_transformed *only = &world->transformed[0];
    const bool chosen = (batch->uses & (SLI_USES_MASK | SLI_USES_IGNORE)) != 0;
    const bool enters =
        world->count == 1 && only->tree != NULL && only->tree->root != SLI_REF_EMPTY;
    return enters && !chosen ? only : NULL;
}

static void world_begin_batch(world_batch *r, const sli_world_batch *batch, size_t begin,
                              size_t end)
{
    r->batch = batch;
    r->top_masks = child_masks_of_each(batch->world->top, batch->options, batch->uses);
    r->masked =
        (batch->uses & SLI_USES_MASK) != 0 && (r->top_masks != NULL || batch->world->trees_masked);
    r->in_floats = batch->in_floats;
    r->hits = NULL;
    r->hits_d = NULL;
    r->any = NULL;
    r->refs = NULL;
    r->totals = NULL;
    r->capacity = 0;
    r->next = r->first = begin;
    r->packed = false;
    r->end = end;
    r->group.ready = 0;
    r->answered = false;
    r->only = world_only(batch);
    r->compact = r->only != NULL && r->only->tree->vertices != NULL;
    r->sure_lanes =
        batch->options->cull != SL_CULL_NONE || sli_world_chooses(batch) ? 0 : UINT32_MAX;
    r->ends = leaves_ends_of(batch->unmoved && batch->rays == NULL && batch->rays_d == NULL,
                             batch->options->flags);
    r->stats = (sl_stats){ .rays = 0 };
    memset(r->count, 0, sizeof r->count);
    world_top_of(batch->world, &r->top);
}

static SLI_NOINLINE void world_run_batch(world_batch *r, char *slots, uint32_t slot_size,
                                         sl_stats *stats)
{
    sli_tri_pack unpacked[WORLD_UNPACKED_MAX];
    r->unpacked = unpacked;
    const size_t left = r->end - r->next;
    const uint32_t count = left < WORLD_SLOTS_MAX ? (uint32_t)left : WORLD_SLOTS_MAX;
    for (uint32_t i = 0; i < count; i++) {
        world_list(r, WORLD_ENDED, (stream_slot *)(void *)(slots + i * slot_size));
    }
    if (r->any != NULL) {
        world_loop(r, STREAM_ANY);
    } else if (r->totals != NULL) {
        world_loop(r, STREAM_ALL);
    } else {
        world_loop(r, STREAM_CLOSEST);
    }
    r->stats.boxes += r->stats.nodes * SLI_WIDTH;
    add_stats_to(&r->stats, stats);
}

static SLI_NOINLINE void world_run_closest(world_batch *r, sl_stats *stats)
{
    _Alignas(SLI_LINE) char slots[WORLD_BYTES];
    world_run_batch(r, slots, WORLD_SLOT_SIZE, stats);
}

static SLI_NOINLINE void world_closest_many(const sli_world_batch *batch, size_t begin, size_t end,
                                            sl_hit *hits, sl_hit_d *hits_d, sl_stats *stats)
{
    world_batch r;
    world_begin_batch(&r, batch, begin, end);
    r.hits = hits;
    r.hits_d = hits_d;
    if (end - begin >= PACKET) {
        world_packets_first(&r);
    }
    world_run_closest(&r, stats);
}

static SLI_NOINLINE void world_run_any(world_batch *r, sl_stats *stats)
{
    _Alignas(SLI_LINE) char slots[WORLD_ANY_BYTES];
    world_run_batch(r, slots, WORLD_ANY_SLOT_SIZE, stats);
}

static SLI_NOINLINE void world_any_many(const sli_world_batch *batch, size_t begin, size_t end,
                                        uint8_t *any, sl_triangle_ref *refs, sl_stats *stats)
{
    world_batch r;
    world_begin_batch(&r, batch, begin, end);
    r.any = any;
    r.refs = refs;
    r.answered = batch->hinted && !batch->tried;
    if (r.answered) {
        world_try_hints(batch, begin, end, any, refs, &r.stats);
    }
    if (end - begin >= PACKET) {
        world_packets_first(&r);
    }
    world_run_any(&r, stats);
}

static SLI_NOINLINE void world_all_many(const sli_world_batch *batch, size_t begin, size_t end,
                                        sl_hit *hits, sl_hit_d *hits_d, size_t capacity,
                                        uint64_t *totals, sl_stats *stats)
{
    world_batch r;
    world_begin_batch(&r, batch, begin, end);
    r.hits = hits;
    r.hits_d = hits_d;
    r.totals = totals;
    r.capacity = capacity;
    r.sure_lanes = capacity > 0 ? 0 : r.sure_lanes;
    world_run_any(&r, stats);
    for (size_t i = begin; i < end; i++) {
        sli_world_row row = sli_world_row_of(hits, hits_d, capacity, i);
        row.total = totals[i];
        sli_world_row_sort(&row);
    }
}
