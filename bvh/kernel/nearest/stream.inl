/* The one nearest triangle to each of many points: sl_bvh_nearest_many(), and sl_bvh_nearest(),
 * whose array has one (nearest_many of the kernel table).
 *
 * Many points are in flight, so that while one waits for memory the others compute (asynchronous
 * memory access chaining: Kocberber, Falsafi and Grot, 2015).  What stalls all of them is a
 * mispredicted branch, so the steps have hardly any: of two stores both are made, and a count tells
 * which one stays.
 *
 * Needed first: nearest/state.inl, which draws where points in flight are kept.
 *
 * Outline
 *   traverse_nearest_many  a point for each slot, then node and leaf phases until all are done
 *   node_phase             slots at a node, one node at a time (step_node), until
 *                          NEAREST_LEAVES_MAX slots are at leaves
 *   leaf_phase             slots at a leaf block: bounds from below and above on the squared
 *                          distances of its triangles (nearest/filter.inl); the upper ones narrow
 *                          the search at once, and triangles that may still be the nearest become
 *                          candidates (take_block)
 *   restart_slots          slots with nothing left to visit: their candidates, most often one or
 *                          two, join the list, and the slot takes the next point
 *   decide_list            the list, four pairs at a time in doubles (nearest/decide.inl), exactly
 *                          where those cannot tell (nearest/candidates.inl)
 * Points outside the range of the float filters, and those whose stack fills up, go to
 * nearest_single. */
#pragma once

#include "bvh/kernel/nearest/candidates.inl"
#include "bvh/kernel/nearest/walk.inl"

/* Decides the candidates of a slot that has too many of them, which narrows its search. */
static void decide_slot(nearest_batch *batch, nearest_slot *s)
{
    list_candidates(batch, s);
    decide_list(batch);
    s->bound2 = fminf(s->bound2, nearest_square(batch->out[s->index].distance));
    narrow_stack(s);
}

/* The lanes that hold a triangle that mask and skip leave in. */
static uint32_t lanes_wanted(const nearest_batch *batch, const nearest_slot *s,
                             const sli_tri_pack *pack)
{
    uint32_t lanes = f4_bits_ne(pack->prim, SL_NONE);
    if ((batch->given->uses & (SLI_USES_MASK | SLI_USES_SKIP)) != 0) {
        const sl_item_options item = sli_item_options(batch->given->options, s->index);
        for (int lane = 0; lane < SLI_PACK; lane++) {
            const bool wants = sli_item_has(&item, (sl_triangle_ref){ .prim = pack->prim[lane] },
                                            pack->mask[lane]);
            lanes &= ~((uint32_t)!wants << lane);
        }
    }
    return lanes;
}

/* Finishes the leaf block that a slot is at: its upper bounds narrow the search, its triangles
 * within the bound become candidates, and the top of the stack is next. */
static void take_block(nearest_batch *batch, nearest_slot *s, const float *least2,
                       const float *most2)
{
    const uint32_t line = s->next & SLI_REF_LINE;
    const float most = most2[0] * NEAREST_ALIKE; /* of the nearest triangle of the block */
    uint32_t slot[SLI_WIDTH];
    if (most < s->bound2) {
        s->bound2 = most;
        narrow_stack(s);
    }
    s->next = s->stack[--s->top];
    const f8 least = f8_load(least2);
    const uint32_t near = f8_bits_le(least, f8_splat(s->bound2)) & ((1u << SLI_PACK) - 1);
    for (uint32_t lane = 0; lane < SLI_WIDTH; lane++) {
        slot[lane] = line * SLI_PACK + lane;
    }
    u8_store_some(s->slot + s->candidate_count, slot, near);
    f8_store_some(s->least2 + s->candidate_count, least, near);
    s->candidate_count += (uint32_t)__builtin_popcount(near);
    if (s->candidate_count > NEAREST_CANDIDATES_MAX) {
        narrow_candidates(s);
        if (s->candidate_count > NEAREST_CANDIDATES_MAX) {
            decide_slot(batch, s);
        }
    }
}

/* Visits a node: of the children within the bound the nearest is next, and the others go on the
 * stack.  If there are none, the top of the stack is next. */
static SLI_FORCE_INLINE void step_node(const nearest_batch *batch, nearest_slot *s)
{
    const sl_bvh *tree = batch->tree;
    const sli_node_wide *node = sli_tree_node(tree, s->next);
    f8 near2 = nearest_boxes(s->at, node);
    if (__builtin_expect(batch->child_masks != NULL, 0)) {
        const uint32_t mask = child_mask_of_item(batch->given->options, s->index);
        near2 = f8_only(near2, child_masks_bits(batch->child_masks, tree, node, mask));
    }
    const uint32_t met = f8_bits_le(near2, f8_splat(s->bound2));
    const uint32_t nearest = f8_least(near2), rest = met & ~(1u << nearest);
    const bool none = met == 0; /* otherwise the nearest of all eight is within the bound */
    u8_store_some(s->stack + s->top, node->child, rest);
    f8_store_some(s->near2 + s->top, near2, rest);
    s->top += (uint32_t)__builtin_popcount(rest) - none;
    /* With none, top went down by one, and what stood there is popped. */
    s->next = *(none ? &s->stack[s->top] : &node->child[nearest]);
}

/* Starts in a slot the next point that is within the range of the float filters, and answers those
 * before it that are not.  False: there is no next point. */
static bool start_slot(nearest_batch *batch, nearest_slot *s)
{
    const sli_kernel_points *given = batch->given;
    while (batch->started < given->end) {
        const size_t index = batch->started++;
        const float *p = given->points + 3 * index;
        batch->out[index] = (sl_nearest){ .distance = given->limit, .prim = SL_NONE };
        batch->stats.rays++;
        if (!nearest_is_valid(batch->tree, given, p)) {
            continue;
        }
        if (nearest_is_wide(batch->tree, p)) {
            nearest_single(batch->tree, given, index, &batch->out[index], &batch->stats);
            continue;
        }
        memcpy(s->at, p, sizeof s->at);
        s->bound2 = fminf(nearest_square(given->limit), NEAREST_SQUARE_MAX);
        s->index = index;
        s->candidate_count = 0;
        s->stack[0] = SLI_REF_EMPTY;
        s->near2[0] = 0;
        s->next = batch->tree->root;
        s->top = 1;
        return true;
    }
    return false;
}

/* Of the slots at leaves, those whose search is over hand in their candidates and start another
 * point; the others are written to waiting, and counted. */
static uint32_t restart_slots(nearest_batch *batch, uint32_t waiting[NEAREST_SLOTS_MAX])
{
    uint32_t at_leaf[NEAREST_SLOTS_MAX], count = 0;
    const uint32_t leaves = batch->leaves;
    memcpy(at_leaf, batch->at_leaf, sizeof at_leaf);
    batch->leaves = 0;
    for (uint32_t i = 0; i < leaves; i++) {
        nearest_slot *s = nearest_slot_at(batch, at_leaf[i]);
        if (s->next != SLI_REF_EMPTY) {
            waiting[count++] = at_leaf[i];
            continue;
        }
        narrow_candidates(s);
        list_candidates(batch, s);
        if (start_slot(batch, s)) {
            queue_slot(batch, at_leaf[i]);
        }
    }
    return count;
}

/* Bounds for the leaf blocks of two slots, or of one if two is NULL: eight below, eight above. */
static void bound_blocks(nearest_batch *batch, const nearest_slot *one, const nearest_slot *two,
                         float *least2, float *most2)
{
    const bool both = two != NULL;
    two = both ? two : one;
    sli_tri_pack unpacked[2];
    const sli_tri_pack *const pack[2] = { sli_tree_pack(batch->tree, one->next, &unpacked[0]),
                                          sli_tree_pack(batch->tree, two->next, &unpacked[1]) };
    const uint32_t wanted = lanes_wanted(batch, one, pack[0]) |
                            (both ? lanes_wanted(batch, two, pack[1]) << SLI_PACK : 0);
    bound_triangles(pack, (const float *const[]){ one->at, two->at }, wanted, least2, most2);
    batch->stats.triangles += (uint64_t)__builtin_popcount(wanted);
}

/* Of a compact tree: prefetches the vertices of all blocks that come next. */
static void prefetch_vertices(const nearest_batch *batch, const uint32_t *waiting, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        sli_tri_fetch(sli_tree_block(batch->tree, nearest_slot_at(batch, waiting[i])->next),
                      batch->tree->vertices);
    }
}

/* One step of every slot that is at a leaf.  Bounds come first, for all slots, two at a time; then
 * each slot takes its own. */
static void leaf_phase(nearest_batch *batch)
{
    uint32_t waiting[NEAREST_SLOTS_MAX + 1];
    float least2[NEAREST_SLOTS_MAX + 2][SLI_PACK], most2[NEAREST_SLOTS_MAX + 2][SLI_PACK];
    const uint32_t count = restart_slots(batch, waiting);
    uint32_t i = 0;
    if (batch->tree->vertices != NULL) {
        prefetch_vertices(batch, waiting, count);
    }
    for (; i + 1 < count; i += 2) {
        bound_blocks(batch, nearest_slot_at(batch, waiting[i]),
                     nearest_slot_at(batch, waiting[i + 1]), least2[i], most2[i]);
    }
    if (i < count) {
        bound_blocks(batch, nearest_slot_at(batch, waiting[i]), NULL, least2[i], most2[i]);
    }
    for (i = 0; i < count; i++) {
        take_block(batch, nearest_slot_at(batch, waiting[i]), least2[i], most2[i]);
        queue_slot(batch, waiting[i]);
    }
}

/* Finishes alone a point whose stack cannot take another node's children.  Candidates of it that
 * are on the list already do no harm.  Rare: kept out of the loop. */
static SLI_NOINLINE void finish_alone(nearest_batch *batch, nearest_slot *s)
{
    nearest_single(batch->tree, batch->given, s->index, &batch->out[s->index], &batch->stats);
    s->candidate_count = 0;
    s->next = SLI_REF_EMPTY;
}

/* One step of each slot that is at a node, and of those that come to another one meanwhile. */
static void node_phase(nearest_batch *batch)
{
    while (batch->head != batch->tail && batch->leaves < NEAREST_LEAVES_MAX) {
        const uint32_t number = batch->at_node[batch->head++ % NEAREST_SLOTS_MAX];
        nearest_slot *s = nearest_slot_at(batch, number);
        step_node(batch, s);
        batch->stats.nodes++;
        if (__builtin_expect(s->top > NEAREST_STACK_MAX, 0)) {
            finish_alone(batch, s);
        }
        queue_slot(batch, number);
    }
}

/* nearest_many of the kernel table. */
static void traverse_nearest_many(const sl_bvh *tree, const sli_kernel_points *given,
                                  sl_nearest *out, sl_stats *stats)
{
    nearest_batch batch;
    batch.tree = tree;
    batch.given = given;
    batch.child_masks = child_masks_of_each(tree, given->options, given->uses);
    batch.out = out;
    batch.started = given->begin;
    batch.stats = (sl_stats){ .rays = 0 };
    batch.head = batch.tail = batch.leaves = batch.list.count = 0;
    nearest_lay_out(&batch);
    for (uint32_t i = 0; i < batch.slot_count && start_slot(&batch, nearest_slot_at(&batch, i));
         i++) {
        queue_slot(&batch, i);
    }
    while (batch.head != batch.tail || batch.leaves != 0) {
        node_phase(&batch);
        leaf_phase(&batch);
    }
    decide_list(&batch);
    batch.stats.boxes += SLI_WIDTH * batch.stats.nodes;
    batch.stats.float_stage =
        batch.stats.triangles - batch.stats.double_stage - batch.stats.exact_stage;
    add_stats_to(&batch.stats, stats);
}
