#include "bvh/builder/topdown.h"

#include "bvh/builder/defragment.h"
#include "bvh/builder/split/split.h"
#include "bvh/tree/tri_pack.h"
#include "lib/base/arena.h"
#include "lib/base/assert.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

#include <string.h>

/* Part of what the tree looks like: none may depend on the machine. */
enum { CHUNK = 4096 };

/* References that become a subtree. */
typedef struct range {
    sli_whole whole;
    size_t begin;
    uint32_t node; /* its root */
    uint32_t pair; /* the first of the count - 1 pairs that it owns */
    uint32_t used; /* pairs of these, once it is built */
    int levels;    /* left below its root */
    int side;      /* which array the references are in */
} range;

typedef struct chunk {
    size_t range; /* index of the active range it is part of */
    size_t begin, count;
    size_t left, right; /* where its references go */
    sli_bins bins;
    sli_box centres[2];
} chunk;

/* How an active range is split: moved already, or in chunks by a cut. */
typedef struct plan {
    size_t first_chunk, chunk_count;
    bool moved;
    sli_planes planes;
    sli_cut cut;
    sli_split split;
} plan;

typedef struct builder {
    sli_refs *refs;
    sli_node2 *nodes;
    const sli_stage *stage;
    size_t leaf_most, subtree_most;
    range *active;
    range *next;
    range *subtrees;
    plan *plans;
    chunk *chunks;
    size_t active_count, next_count, subtree_count, chunk_count;
    size_t subtree_capacity;
} builder;

static void set_bounds(sli_node2 *node, const sli_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        node->min[axis] = box->min[axis];
        node->max[axis] = box->max[axis];
    }
}

static void set_leaf(const builder *build, const range *at)
{
    sli_node2 *node = &build->nodes[at->node];
    node->first = (uint32_t)at->begin;
    node->count = (uint32_t)at->whole.count;
    if (at->side != 0) {
        memcpy(build->refs->side[0] + at->begin, build->refs->side[1] + at->begin,
               at->whole.count * sizeof(sli_ref));
    }
}

/* Writes the pair below a range that was split, and says what its halves are, but for their pairs.
 */
static void set_children(const builder *build, const range *at, uint32_t pair,
                         const sli_split *split, range halves[2])
{
    sli_node2 *node = &build->nodes[at->node];
    const uint32_t left = 1 + 2 * pair;
    node->first = left;
    node->count = 0;
    halves[0].begin = at->begin;
    halves[0].whole.count = split->left_count;
    halves[1].begin = at->begin + split->left_count;
    halves[1].whole.count = at->whole.count - split->left_count;
    for (uint32_t k = 0; k < 2; k++) {
        halves[k].node = left + k;
        halves[k].levels = at->levels - 1;
        halves[k].side = 1 - at->side;
        halves[k].whole.bounds = split->bounds[k];
        halves[k].whole.centres = split->centres[k];
        halves[k].whole.most = sli_most_on_a_side(build->leaf_most, halves[k].levels);
        set_bounds(&build->nodes[left + k], &split->bounds[k]);
    }
}

static void split_range(const builder *build, const range *at, sli_split *split)
{
    const sli_ref *from = build->refs->side[at->side] + at->begin;
    sli_ref *to = build->refs->side[1 - at->side] + at->begin;
    SL_ASSERT(at->levels > 0);
    if (at->whole.count <= SLI_FEW_MOST) {
        sli_split_few(from, to, &at->whole, split);
    } else if (at->whole.count <= SLI_SWEEP_MOST) {
        sli_split_sweep(from, to, &at->whole, split);
    } else if (!sli_split_binned(from, to, &at->whole, split)) {
        sli_split_median(from, to, &at->whole, split);
    }
}

/* The left half is always taken next, so that a right half waits for each level at most.  Pairs are
 * taken from the first one on, so that nodes stand close together.  Returns how many are taken. */
static uint32_t build_subtree(const builder *build, range at)
{
    const uint32_t first = at.pair;
    range stack[SLI_BINARY_LEVELS];
    int top = 0;
    uint32_t pair = first;
    for (;;) {
        if (at.whole.count > build->leaf_most) {
            sli_split split;
            range halves[2];
            split_range(build, &at, &split);
            set_children(build, &at, pair++, &split, halves);
            SL_ASSERT(top < SLI_BINARY_LEVELS);
            stack[top++] = halves[1];
            at = halves[0];
            continue;
        }
        set_leaf(build, &at);
        if (top == 0) {
            return pair - first;
        }
        at = stack[--top];
    }
}

static void build_subtrees(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        build->subtrees[i].used = build_subtree(build, build->subtrees[i]);
    }
}

static void add_range(builder *build, const range *at)
{
    if (at->whole.count <= build->subtree_most) {
        build->subtrees[build->subtree_count++] = *at;
    } else {
        build->next[build->next_count++] = *at;
    }
}

static void activate_next(builder *build)
{
    range *spare = build->active;
    build->active = build->next;
    build->next = spare;
    build->active_count = build->next_count;
    build->next_count = 0;
}

static void cut_chunks(builder *build)
{
    build->chunk_count = 0;
    for (size_t i = 0; i < build->active_count; i++) {
        const range *at = &build->active[i];
        build->plans[i].first_chunk = build->chunk_count;
        for (size_t done = 0; done < at->whole.count; done += CHUNK) {
            const size_t left = at->whole.count - done;
            chunk *part = &build->chunks[build->chunk_count++];
            part->range = i;
            part->begin = at->begin + done;
            part->count = left < CHUNK ? left : CHUNK;
        }
        build->plans[i].chunk_count = build->chunk_count - build->plans[i].first_chunk;
    }
}

static void bin_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        chunk *part = &build->chunks[i];
        const range *at = &build->active[part->range];
        const sli_planes planes = sli_planes_place(&at->whole);
        sli_bins_fill(&part->bins, &planes, build->refs->side[at->side] + part->begin, part->count);
    }
}

/* Where the references of each chunk of a range go: behind those of the chunks before it. */
static void place_chunks(const builder *build, const range *at, const plan *how)
{
    size_t left = at->begin;
    size_t right = at->begin + how->cut.left_count;
    for (size_t i = 0; i < how->chunk_count; i++) {
        chunk *part = &build->chunks[how->first_chunk + i];
        const size_t goes_left = sli_bins_left_count(&part->bins, &how->cut);
        part->left = left;
        part->right = right;
        left += goes_left;
        right += part->count - goes_left;
    }
}

static void choose_cuts(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        const range *at = &build->active[i];
        plan *how = &build->plans[i];
        sli_bins bins = build->chunks[how->first_chunk].bins;
        how->planes = sli_planes_place(&at->whole);
        for (size_t k = 1; k < how->chunk_count; k++) {
            sli_bins_join(&bins, &build->chunks[how->first_chunk + k].bins, &how->planes);
        }
        how->moved = !sli_bins_choose(&bins, &how->planes, &at->whole, &how->cut);
        if (how->moved) {
            sli_split_median(build->refs->side[at->side] + at->begin,
                             build->refs->side[1 - at->side] + at->begin, &at->whole, &how->split);
        } else {
            place_chunks(build, at, how);
        }
    }
}

static void move_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        chunk *part = &build->chunks[i];
        const range *at = &build->active[part->range];
        const plan *how = &build->plans[part->range];
        sli_ref *to = build->refs->side[1 - at->side];
        if (!how->moved) {
            sli_cut_move(&how->cut, &how->planes, build->refs->side[at->side] + part->begin,
                         part->count, to + part->left, to + part->right, part->centres);
        }
    }
}

static void join_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        plan *how = &build->plans[i];
        if (how->moved) {
            continue;
        }
        how->split.left_count = how->cut.left_count;
        for (int k = 0; k < 2; k++) {
            how->split.bounds[k] = how->cut.bounds[k];
            how->split.centres[k] = sli_box_empty();
            for (size_t c = 0; c < how->chunk_count; c++) {
                sli_box_join(&how->split.centres[k],
                             &build->chunks[how->first_chunk + c].centres[k]);
            }
        }
    }
}

/* Splits every active range; its halves become active, or subtrees for one worker each. */
static void split_level(builder *build)
{
    cut_chunks(build);
    sli_stage_blocks(build->stage, build->chunk_count, 1, bin_chunks, build);
    sli_stage_blocks(build->stage, build->active_count, 1, choose_cuts, build);
    sli_stage_blocks(build->stage, build->chunk_count, 1, move_chunks, build);
    sli_stage_blocks(build->stage, build->active_count, 1, join_chunks, build);
    for (size_t i = 0; i < build->active_count; i++) {
        range halves[2];
        const range *at = &build->active[i];
        set_children(build, at, at->pair, &build->plans[i].split, halves);
        halves[0].pair = at->pair + 1;
        halves[1].pair = at->pair + (uint32_t)halves[0].whole.count;
        add_range(build, &halves[0]);
        add_range(build, &halves[1]);
    }
    activate_next(build);
}

/* Subtrees come in any size, so their number is not known beforehand. */
static bool reserve_subtrees(builder *build, size_t more)
{
    void *subtrees = build->subtrees;
    const bool done = sli_grow_array(&build->refs->allocator, &subtrees, &build->subtree_capacity,
                                     build->subtree_count + more, sizeof *build->subtrees);
    build->subtrees = subtrees;
    return done;
}

static sl_result split_top(builder *build)
{
    while (build->active_count > 0) {
        if (!reserve_subtrees(build, 2 * build->active_count)) {
            return sli_fail_memory(build->stage->error);
        }
        size_t left = 0;
        for (size_t i = 0; i < build->active_count; i++) {
            left += build->active[i].whole.count;
        }
        const size_t count = build->refs->count;
        const sl_result result = sli_stage_report(build->stage, "top", count - left, count);
        if (result != SL_OK) {
            return result;
        }
        split_level(build);
    }
    return SL_OK;
}

/* All but the subtrees.  Active ranges are disjoint and have more than subtree_most references
 * each. */
static bool allocate(builder *build, sli_arena *arena)
{
    const size_t active = build->refs->count / build->subtree_most + 1;
    const size_t chunks = active + build->refs->count / CHUNK;
    build->active = sli_arena_array(arena, active, sizeof *build->active);
    build->next = sli_arena_array(arena, active, sizeof *build->next);
    build->plans = sli_arena_array(arena, active, sizeof *build->plans);
    build->chunks = sli_arena_array(arena, chunks, sizeof *build->chunks);
    return build->active != NULL && build->next != NULL && build->plans != NULL &&
           build->chunks != NULL;
}

static sl_result build_all(builder *build)
{
    const sli_refs *refs = build->refs;
    const range all = { .whole = { .count = refs->count,
                                   .bounds = refs->bounds,
                                   .centres = refs->centres,
                                   .most =
                                       sli_most_on_a_side(build->leaf_most, SLI_BINARY_LEVELS) },
                        .levels = SLI_BINARY_LEVELS };
    set_bounds(&build->nodes[0], &refs->bounds);
    add_range(build, &all);
    activate_next(build);
    const sl_result result = split_top(build);
    return result != SL_OK ? result
                           : sli_stage_run(build->stage, "subtrees", build->subtree_count, 1,
                                           build_subtrees, build);
}

/* Only now is it known which pairs are in use. */
static sl_result compact(builder *build, sli_arena *arena, size_t *node_count)
{
    size_t count = 0;
    sli_cluster *clusters = sli_arena_array(arena, build->subtree_count, sizeof *clusters);
    if (clusters == NULL) {
        return sli_fail_memory(build->stage->error);
    }
    for (size_t i = 0; i < build->subtree_count; i++) {
        const range *at = &build->subtrees[i];
        if (at->whole.count > 1) {
            clusters[count++] = (sli_cluster){ at->pair, (uint32_t)at->whole.count - 1, at->used };
        }
    }
    return sli_compact(clusters, count, &build->refs->allocator, build->stage, &build->nodes,
                       node_count);
}

sl_result sli_topdown(sli_refs *refs, size_t leaf_most, const sli_stage *stage, sli_node2 **nodes,
                      size_t *node_count)
{
    const sl_allocator *allocator = &refs->allocator;
    sli_arena arena = sli_arena_make(allocator);
    builder build = { .refs = refs,
                      .stage = stage,
                      .leaf_most = leaf_most,
                      .subtree_most = sli_subtree_most(refs->count) };
    sl_result result = SL_OK;
    *node_count = 2 * refs->count - 1;
    build.nodes = sli_alloc_array(allocator, *node_count, sizeof *build.nodes);
    if (build.nodes == NULL || !allocate(&build, &arena) || !reserve_subtrees(&build, 1)) {
        result = sli_fail_memory(stage->error);
        goto done;
    }
    result = build_all(&build);
    sli_refs_keep_first(refs);
    if (result == SL_OK) {
        result = compact(&build, &arena, node_count);
    }
done:
    if (result != SL_OK) {
        sli_free_array(allocator, build.nodes, *node_count, sizeof *build.nodes);
        build.nodes = NULL;
    }
    *nodes = build.nodes;
    sli_free_array(allocator, build.subtrees, build.subtree_capacity, sizeof *build.subtrees);
    sli_arena_free(&arena);
    return result;
}
