/* Batches of rays or segments, in floats or doubles, through a world: the kernel's
 * scene_closest_many and scene_any_many (batch_state.inl explains the whole).  Coherent rays
 * are answered by packets first (packet.inl). */
#pragma once

#include "bvh/kernel/instance/batch_masks.inl"
#include "bvh/kernel/instance/packet.inl"

enum {
    SCENE_BYTES = SCENE_SLOTS_MAX * SCENE_SLOT_SIZE,
    SCENE_ANY_BYTES = SCENE_SLOTS_MAX * SCENE_ANY_SLOT_SIZE
};

/* Ends the rays whose stacks cannot take another node's children; the other slots move to the
 * queue's front.  Rare. */
static SLI_NOINLINE uint32_t scene_relieve_queue(scene_batch *r, stream_slot **queue,
                                                 uint32_t count)
{
    const uint32_t depth_max = r->any != NULL ? STREAM_ANY_DEPTH_MAX : STREAM_DEPTH_MAX;
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        stream_slot *slot = queue[i];
        if (slot->ray.w.top <= depth_max) {
            queue[left++] = slot;
        } else {
            scene_give_up(r, slot);
        }
    }
    return left;
}

static SLI_NOINLINE void scene_relieve(scene_batch *r)
{
    const uint32_t count = r->count[SCENE_LEAVES];
    stream_slot **leaves = r->queue[SCENE_LEAVES] + SCENE_SLOTS_MAX - count;
    r->count[SCENE_NODES] = scene_relieve_queue(r, r->queue[SCENE_NODES], r->count[SCENE_NODES]);
    const uint32_t left = scene_relieve_queue(r, leaves, count);
    memmove(r->queue[SCENE_LEAVES] + SCENE_SLOTS_MAX - left, leaves, left * sizeof *leaves);
    r->count[SCENE_LEAVES] = left;
}

/* One step of every ray that is at a node, as stream_nodes has it, but each in its own
 * tree. */
static SLI_FORCE_INLINE void scene_nodes_of(scene_batch *r, bool any, bool masked)
{
    const uint32_t count = r->count[SCENE_NODES], leaves_before = r->count[SCENE_LEAVES];
    stream_slot **const queue = r->queue[SCENE_NODES];
    if (count == 0) {
        return;
    }
    r->stats.nodes += count;
    node_ends ends = { .nodes = queue + leaves_before,
                       .leaves = r->queue[SCENE_LEAVES] + SCENE_SLOTS_MAX - 1,
                       .others = -(ptrdiff_t)leaves_before };
    stream_slot *slot = queue[0];
    uint32_t met = masked ? scene_node_masked(r, slot, any) : slot_node(slot, any);
    for (uint32_t i = 1; i < count; i++) {
        stream_slot *next = queue[i];
        const uint32_t next_met = masked ? scene_node_masked(r, next, any) : slot_node(next, any);
        slot_move(slot_aside(slot, any)->lines, slot, met, any, &ends);
        slot = next;
        met = next_met;
    }
    slot_move(slot_aside(slot, any)->lines, slot, met, any, &ends);
    r->count[SCENE_LEAVES] = (uint32_t)-ends.others;
    r->count[SCENE_NODES] = count - (r->count[SCENE_LEAVES] - leaves_before);
    if (__builtin_expect(ends.deep >> 31 != 0, 0)) {
        scene_relieve(r);
    }
}

static SLI_NOINLINE void scene_nodes(scene_batch *r, bool any)
{
    scene_nodes_of(r, any, false);
}

/* Of a query with a mask. */
static SLI_NOINLINE void scene_nodes_masked(scene_batch *r, bool any)
{
    scene_nodes_of(r, any, true);
}

/* Lists the slots that are at no node by their references, which are taken off their stacks: in
 * the order of their prefetches.  Each is written to all lists, and counted in one, so that nothing
 * branches on a reference; it is one of kind 0, a leaf, or one of those that are named. */
static SLI_FORCE_INLINE void scene_turn(scene_batch *r, bool any)
{
    uint32_t packs = 0, tops = 0, entries = 0, returns = 0, ended = r->count[SCENE_ENDED];
    const uint32_t count = r->count[SCENE_LEAVES];
    r->count[SCENE_LEAVES] = 0;
    for (uint32_t i = 0; i < count; i++) {
        stream_slot *slot = r->queue[SCENE_LEAVES][SCENE_SLOTS_MAX - 1 - i];
        const uint32_t ref = slot->ref[slot->ray.w.top--], kind = ref >> 28;
        scene_aside *aside = slot_aside(slot, any);
        const uint32_t top = aside->instance == SL_NONE, leaf = kind == SLI_REF_LEAF >> 28;
        aside->entering = ref & SLI_REF_LINE; /* without a meaning for other references */
        r->queue[SCENE_PACKS][packs] = slot;
        packs += leaf & ~top;
        r->queue[SCENE_TOPS][tops] = slot;
        tops += leaf & top;
        r->queue[SCENE_ENTRIES][entries] = slot;
        entries += kind == SCENE_REF_INSTANCE >> 28;
        r->queue[SCENE_RETURNS][returns] = slot;
        returns += kind == SCENE_REF_RETURN >> 28;
        r->queue[SCENE_ENDED][ended] = slot;
        ended += kind == SLI_REF_EMPTY >> 28;
    }
    r->count[SCENE_PACKS] = packs;
    r->count[SCENE_TOPS] = tops;
    r->count[SCENE_ENTRIES] = entries;
    r->count[SCENE_RETURNS] = returns;
    r->count[SCENE_ENDED] = ended;
}

/* Lists a slot at the top by the next reference on its stack, which an instance is taken off.
 * Nothing branches on the reference. */
static SLI_FORCE_INLINE void scene_go_on(scene_batch *r, stream_slot *slot, bool any)
{
    const sli_world *world = r->asked->world;
    const uint32_t ref = slot->ref[slot->ray.w.top], leaf = ref_is_leaf(ref);
    const uint32_t instance = ref >> 28 == SCENE_REF_INSTANCE >> 28;
    const char *node = line_at((const char *)world->top->lines, ref);
    const char *placed =
        (const char *)world->placed + (size_t)(ref & SLI_REF_LINE) * sizeof *world->placed;
    const char *at = instance != 0 ? placed : node;
    prefetch_lines(at, 0, PLACED_LINES);
    prefetch_line(at + (PLACED_LINES - leaf) * SLI_LINE);
    slot->ray.w.at = at;
    slot->ray.w.top -= instance;
    slot_aside(slot, any)->entering = ref & SLI_REF_LINE; /* without a meaning for others */
    r->queue[SCENE_NODES][r->count[SCENE_NODES]] = slot;
    r->count[SCENE_NODES] += 1 - leaf;
    r->queue[SCENE_ENTRIES][r->count[SCENE_ENTRIES]] = slot;
    r->count[SCENE_ENTRIES] += instance;
    r->queue[SCENE_LEAVES][SCENE_SLOTS_MAX - 1 - r->count[SCENE_LEAVES]] = slot;
    r->count[SCENE_LEAVES] += leaf - instance;
}

/* Pushes the instances of top leaves.  Each slot moves on after the next one is tested, as in steps
 * at nodes. */
static SLI_FORCE_INLINE void scene_tops(scene_batch *r, bool any)
{
    stream_slot **queue = r->queue[SCENE_TOPS];
    const uint32_t count = r->count[SCENE_TOPS];
    if (count == 0) {
        return;
    }
    uint32_t met = scene_push_instances(queue[0], any);
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t next_met = scene_push_instances(queue[i], any);
        queue[i - 1]->ray.w.top += met;
        scene_go_on(r, queue[i - 1], any);
        met = next_met;
    }
    queue[count - 1]->ray.w.top += met;
    scene_go_on(r, queue[count - 1], any);
}

/* The phase of all that is no node. */
static SLI_FORCE_INLINE void scene_leaves(scene_batch *r, bool any)
{
    scene_turn(r, any);
    scene_prefetch_entries(r, any);
    for (uint32_t i = 0; i < r->count[SCENE_RETURNS]; i++) {
        scene_return(r, r->queue[SCENE_RETURNS][i], any);
        scene_go_on(r, r->queue[SCENE_RETURNS][i], any);
    }
    scene_tops(r, any);
    r->count[SCENE_RETURNS] = r->count[SCENE_TOPS] = 0;
    if (r->count[SCENE_PACKS] > 0) {
        if (__builtin_expect(r->compact, 0)) {
            scene_unpack(r, any);
        }
        scene_filter(r, any);
        scene_decide_pairs(r, any);
        for (uint32_t i = 0; i < r->count[SCENE_PACKS]; i++) {
            stream_slot *slot = r->queue[SCENE_PACKS][i];
            scene_queue(r, slot, slot_aside(slot, any)->lines);
        }
        r->count[SCENE_PACKS] = 0;
    }
    if (r->count[SCENE_ENTRIES] > 0) {
        scene_enter_all(r, any);
    }
}

/* Starts rays in the slots that have none. */
static SLI_NOINLINE void scene_refill(scene_batch *r, bool any)
{
    const uint32_t count = r->count[SCENE_ENDED];
    r->count[SCENE_ENDED] = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!scene_start(r, r->queue[SCENE_ENDED][i], any)) {
            break;
        }
    }
}

static SLI_FORCE_INLINE void scene_loop(scene_batch *r, bool any)
{
    do {
        scene_refill(r, any);
        do {
            if (__builtin_expect(r->masked, 0)) {
                scene_nodes_masked(r, any);
            } else {
                scene_nodes(r, any);
            }
        } while (r->count[SCENE_NODES] * 4 > r->count[SCENE_LEAVES] + r->count[SCENE_ENDED]);
        scene_leaves(r, any);
    } while (r->count[SCENE_NODES] + r->count[SCENE_LEAVES] + r->count[SCENE_ENDED] > 0);
}

/* The only instance of a world, if nothing is to be tested before it is entered; else NULL. */
static const sli_placed *scene_only(const sli_scene_batch *asked)
{
    const sli_world *world = asked->world;
    const sli_placed *only = &world->placed[0];
    const bool chosen = (asked->uses & (SLI_USES_MASK | SLI_USES_IGNORE)) != 0;
    const bool enters =
        world->count == 1 && only->tree != NULL && only->tree->root != SLI_REF_EMPTY;
    return enters && !chosen ? only : NULL;
}

static void scene_begin_batch(scene_batch *r, const sli_scene_batch *asked, size_t begin,
                              size_t end)
{
    r->asked = asked;
    r->top_masks = child_masks_of_each(asked->world->top, asked->query, asked->uses);
    r->masked =
        (asked->uses & SLI_USES_MASK) != 0 && (r->top_masks != NULL || asked->world->trees_masked);
    r->in_floats = asked->in_floats;
    r->hits = NULL;
    r->hits_d = NULL;
    r->any = NULL;
    r->refs = NULL;
    r->next = r->first = begin;
    r->packed = false;
    r->end = end;
    r->group.ready = 0;
    r->answered = false;
    r->only = scene_only(asked);
    r->compact = r->only != NULL && r->only->tree->vertices != NULL;
    r->sure_lanes =
        asked->query->cull != SL_CULL_NONE || (asked->uses & (SLI_USES_MASK | SLI_USES_SKIP)) != 0
            ? 0
            : UINT32_MAX;
    r->stats = (sl_stats){ .rays = 0 };
    memset(r->count, 0, sizeof r->count);
    scene_top_of(asked->world, &r->top);
}

static SLI_NOINLINE void scene_run_batch(scene_batch *r, char *slots, uint32_t slot_size,
                                         sl_stats *stats)
{
    sli_tri_pack unpacked[SCENE_UNPACKED_MAX];
    r->unpacked = unpacked;
    const size_t left = r->end - r->next;
    const uint32_t count = left < SCENE_SLOTS_MAX ? (uint32_t)left : SCENE_SLOTS_MAX;
    for (uint32_t i = 0; i < count; i++) {
        scene_list(r, SCENE_ENDED, (stream_slot *)(void *)(slots + i * slot_size));
    }
    if (r->any != NULL) {
        scene_loop(r, true);
    } else {
        scene_loop(r, false);
    }
    r->stats.boxes += r->stats.nodes * SLI_WIDTH;
    add_stats_to(&r->stats, stats);
}

static SLI_NOINLINE void scene_run_closest(scene_batch *r, sl_stats *stats)
{
    _Alignas(SLI_LINE) char slots[SCENE_BYTES];
    scene_run_batch(r, slots, SCENE_SLOT_SIZE, stats);
}

static SLI_NOINLINE void scene_closest_many(const sli_scene_batch *batch, size_t begin, size_t end,
                                            sl_hit *hits, sl_hit_d *hits_d, sl_stats *stats)
{
    scene_batch r;
    scene_begin_batch(&r, batch, begin, end);
    r.hits = hits;
    r.hits_d = hits_d;
    if (end - begin >= PACKET) {
        scene_packets_first(&r);
    }
    scene_run_closest(&r, stats);
}

static SLI_NOINLINE void scene_run_any(scene_batch *r, sl_stats *stats)
{
    _Alignas(SLI_LINE) char slots[SCENE_ANY_BYTES];
    scene_run_batch(r, slots, SCENE_ANY_SLOT_SIZE, stats);
}

static SLI_NOINLINE void scene_any_many(const sli_scene_batch *batch, size_t begin, size_t end,
                                        uint8_t *any, sl_triangle_ref *refs, sl_stats *stats)
{
    scene_batch r;
    scene_begin_batch(&r, batch, begin, end);
    r.any = any;
    r.refs = refs;
    r.answered = batch->hinted && !batch->tried;
    if (r.answered) {
        scene_try_hints(batch, begin, end, any, refs, &r.stats);
    }
    if (end - begin >= PACKET) {
        scene_packets_first(&r);
    }
    scene_run_any(&r, stats);
}
