/* The driver of top-down building, for build.c: hands ranges of references to split/range.h, all
 * workers together on each level near the root, one worker a subtree below. */
#include "bvh/builder/topdown.h"

#include "bvh/builder/defragment.h"
#include "bvh/builder/split/range.h"
#include "bvh/tree/tree.h"
#include "lib/base/arena.h"
#include "lib/base/assert.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

#include <string.h>

/* References of a chunk.  Part of what the tree looks like: it may not depend on the machine. */
enum { CHUNK = 4096 };

/* Of the root's surface: sides that overlap by less are not worth a spatial split.  With 1e-5, as
 * in Stich et al., queries look at 1 % less, building takes half as long again, and twice as many
 * references are cut. */
static const double overlap_min = 1e-3;

/* References that become a subtree, and where its nodes go. */
typedef struct subtree {
    sli_range range;
    uint32_t root;
    uint32_t pair; /* the first of the range's capacity - 1 pairs that it owns */
    uint32_t used; /* pairs of these, once it is built */
    int levels;    /* left below its root */
} subtree;

typedef struct builder {
    sli_refs *refs;
    sli_node2 *nodes;
    const sli_phase *phase;
    sli_range_splitter splitter;
    size_t leaf_max, subtree_max;
    subtree *active; /* to be split by all workers, on this level and on the next one */
    subtree *next;
    subtree *single;       /* to be built by one worker each */
    sli_range_plan *plans; /* of active ranges */
    sli_chunk *chunks;
    size_t active_count, next_count, single_count, chunk_count;
    size_t single_capacity;
} builder;

size_t sli_spatial_capacity(size_t count)
{
    const size_t max = SLI_REF_LINE; /* references that any tree may have */
    return count + count / 2 < max ? count + count / 2 : max;
}

/* The references that a side may have, of a node with levels left below it. */
static size_t side_max(size_t leaf_max, int levels)
{
    return levels > 28 ? SIZE_MAX : (leaf_max << levels) / 2;
}

/* The references that one worker splits alone, of count in all: a 64th, which keeps many workers
 * busy, but no more than fit into a cache of the worker's own. */
static size_t subtree_max(size_t count)
{
    const size_t low = 4096, high = 65536, share = count / 64;
    return share < low ? low : share < high ? share : high;
}

static void set_bounds(sli_node2 *node, const sli_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        node->min[axis] = box->min[axis];
        node->max[axis] = box->max[axis];
    }
}

/* Keeps of the references what sli_topdown promises. */
static void set_leaf(const builder *build, const subtree *leaf)
{
    const sli_refs *refs = build->refs;
    const size_t begin = leaf->range.begin, count = leaf->range.set.count;
    const sli_ref *from = refs->side[leaf->range.side] + begin;
    sli_node2 *node = &build->nodes[leaf->root];
    node->first = (uint32_t)begin;
    node->count = (uint32_t)count;
    if (refs->prims != NULL) {
        for (size_t i = 0; i < count; i++) {
            refs->prims[begin + i] = from[i].prim;
        }
    } else if (leaf->range.side != 0) {
        memcpy(refs->side[0] + begin, from, count * sizeof *from);
    }
}

/* Writes the pair of nodes below a range that was split, and sets all of the two subtrees but the
 * pairs that they own. */
static void set_children(const builder *build, const subtree *parent, uint32_t pair,
                         const sli_range_plan *plan, subtree children[2])
{
    const sli_range *range = &parent->range;
    sli_node2 *node = &build->nodes[parent->root];
    const uint32_t left = 1 + 2 * pair;
    node->first = left;
    node->count = 0;
    children[0].range.begin = range->begin;
    children[0].range.capacity = plan->left_capacity;
    children[1].range.begin = range->begin + plan->left_capacity;
    children[1].range.capacity = range->capacity - plan->left_capacity;
    for (uint32_t k = 0; k < 2; k++) {
        sli_range *child = &children[k].range;
        children[k].root = left + k;
        children[k].levels = parent->levels - 1;
        child->side = 1 - range->side;
        child->set.count = plan->split.count[k];
        child->set.bounds = plan->split.bounds[k];
        child->set.centres = plan->split.centres[k];
        child->set.side_max = side_max(build->leaf_max, children[k].levels);
        set_bounds(&build->nodes[left + k], &plan->split.bounds[k]);
    }
}

/* The left child is always taken next, so that at most one right child a level waits.  Pairs are
 * taken from the first one on, so that nodes stand close together.  Returns how many are taken. */
static uint32_t build_subtree(const builder *build, subtree at)
{
    const uint32_t first = at.pair;
    subtree stack[SLI_BINARY_LEVELS];
    int top = 0;
    uint32_t pair = first;
    for (;;) {
        if (at.range.set.count > build->leaf_max) {
            SL_ASSERT(at.levels > 0);
            sli_range_plan plan;
            subtree children[2];
            sli_range_split(&build->splitter, &at.range, &plan);
            set_children(build, &at, pair++, &plan, children);
            SL_ASSERT(top < SLI_BINARY_LEVELS);
            stack[top++] = children[1];
            at = children[0];
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
        build->single[i].used = build_subtree(build, build->single[i]);
    }
}

static void add_subtree(builder *build, const subtree *added)
{
    if (added->range.set.count <= build->subtree_max) {
        build->single[build->single_count++] = *added;
    } else {
        build->next[build->next_count++] = *added;
    }
}

static void activate_next(builder *build)
{
    subtree *spare = build->active;
    build->active = build->next;
    build->next = spare;
    build->active_count = build->next_count;
    build->next_count = 0;
}

static void cut_chunks(builder *build)
{
    build->chunk_count = 0;
    for (size_t i = 0; i < build->active_count; i++) {
        const sli_range *range = &build->active[i].range;
        build->plans[i].first_chunk = build->chunk_count;
        for (size_t done = 0; done < range->set.count; done += CHUNK) {
            const size_t left = range->set.count - done;
            sli_chunk *chunk = &build->chunks[build->chunk_count++];
            chunk->range = i;
            chunk->begin = range->begin + done;
            chunk->count = left < CHUNK ? left : CHUNK;
        }
        build->plans[i].chunk_count = build->chunk_count - build->plans[i].first_chunk;
    }
}

/* One step of split/range.h, for all chunks or for all active ranges. */

typedef struct step {
    const builder *build;
    sli_chunk_step *chunk;
    sli_range_step *range;
} step;

static void run_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const step *job = context;
    const builder *build = job->build;
    for (size_t i = begin; i < end; i++) {
        sli_chunk *chunk = &build->chunks[i];
        job->chunk(&build->splitter, &build->active[chunk->range].range,
                   &build->plans[chunk->range], chunk);
    }
}

static void run_ranges(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const step *job = context;
    const builder *build = job->build;
    for (size_t i = begin; i < end; i++) {
        sli_range_plan *plan = &build->plans[i];
        job->range(&build->splitter, &build->active[i].range, plan,
                   &build->chunks[plan->first_chunk]);
    }
}

static void for_chunks(const builder *build, sli_chunk_step *chunk)
{
    step job = { .build = build, .chunk = chunk };
    sli_phase_blocks(build->phase, build->chunk_count, 1, run_chunks, &job);
}

static void for_ranges(const builder *build, sli_range_step *range)
{
    step job = { .build = build, .range = range };
    sli_phase_blocks(build->phase, build->active_count, 1, run_ranges, &job);
}

static void split_active(const builder *build)
{
    for_ranges(build, sli_range_begin);
    for_chunks(build, sli_chunk_fill_bins);
    for_ranges(build, sli_range_choose);
    if (build->splitter.mesh != NULL) {
        for_chunks(build, sli_chunk_fill_spatial_bins);
        for_ranges(build, sli_range_choose_spatial);
    }
    for_chunks(build, sli_chunk_count);
    for_ranges(build, sli_range_place);
    for_chunks(build, sli_chunk_move);
    for_ranges(build, sli_range_join);
}

/* Splits every active range; its halves become active, or subtrees for one worker each. */
static void split_level(builder *build)
{
    cut_chunks(build);
    split_active(build);
    for (size_t i = 0; i < build->active_count; i++) {
        subtree children[2];
        const subtree *parent = &build->active[i];
        set_children(build, parent, parent->pair, &build->plans[i], children);
        children[0].pair = parent->pair + 1;
        children[1].pair = parent->pair + (uint32_t)children[0].range.capacity;
        add_subtree(build, &children[0]);
        add_subtree(build, &children[1]);
    }
    activate_next(build);
}

/* Subtrees come in any size, so their number is not known beforehand. */
static bool reserve_single(builder *build, size_t more)
{
    void *single = build->single;
    const bool done = sli_grow_array(&build->refs->allocator, &single, &build->single_capacity,
                                     build->single_count + more, sizeof *build->single);
    build->single = single;
    return done;
}

static sl_result split_top(builder *build)
{
    while (build->active_count > 0) {
        if (!reserve_single(build, 2 * build->active_count)) {
            return sli_fail_memory(build->phase->error);
        }
        size_t left = 0;
        for (size_t i = 0; i < build->active_count; i++) {
            left += build->active[i].range.capacity;
        }
        const size_t all = build->refs->capacity;
        const sl_result result = sli_phase_report(build->phase, "top", all - left, all);
        if (result != SL_OK) {
            return result;
        }
        split_level(build);
    }
    return SL_OK;
}

/* All but the single subtrees.  Active ranges have more than subtree_max references each, and all
 * together never more than refs->capacity. */
static bool allocate(builder *build, sli_arena *arena)
{
    const size_t active = build->refs->capacity / build->subtree_max + 1;
    const size_t chunks = active + build->refs->capacity / CHUNK;
    build->active = sli_arena_array(arena, active, sizeof *build->active);
    build->next = sli_arena_array(arena, active, sizeof *build->next);
    build->plans = sli_arena_array(arena, active, sizeof *build->plans);
    build->chunks = sli_arena_array(arena, chunks, sizeof *build->chunks);
    return build->active != NULL && build->next != NULL && build->plans != NULL &&
           build->chunks != NULL;
}

static void begin_at_root(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    builder *build = context;
    const sli_refs *refs = build->refs;
    const sli_ref_set set = { .count = refs->count,
                              .bounds = refs->bounds,
                              .centres = refs->centres,
                              .side_max = side_max(build->leaf_max, SLI_BINARY_LEVELS) };
    const subtree all = { .range = { .set = set, .capacity = refs->capacity },
                          .levels = SLI_BINARY_LEVELS };
    build->splitter.overlap_min = overlap_min * sli_box_area(&refs->bounds);
    set_bounds(&build->nodes[0], &refs->bounds);
    add_subtree(build, &all);
    activate_next(build);
}

/* Only now is it known which pairs are in use. */
static sl_result close_gaps(builder *build, sli_arena *arena, size_t *node_count)
{
    size_t count = 0;
    sli_cluster *clusters = sli_arena_array(arena, build->single_count, sizeof *clusters);
    if (clusters == NULL) {
        return sli_fail_memory(build->phase->error);
    }
    for (size_t i = 0; i < build->single_count; i++) {
        const subtree *at = &build->single[i];
        const uint32_t owned = (uint32_t)at->range.capacity - 1;
        if (owned > 0) {
            clusters[count++] = (sli_cluster){ at->pair, owned, at->used };
        }
    }
    return sli_defragment(clusters, count, &build->refs->allocator, build->phase, &build->nodes,
                          node_count);
}

static sl_result build_all(builder *build, sli_arena *arena, size_t *node_count)
{
    sli_phase_blocks(build->phase, 1, 1, begin_at_root, build);
    sl_result result = split_top(build);
    if (result == SL_OK) {
        result =
            sli_phase_run(build->phase, "subtrees", build->single_count, 1, build_subtrees, build);
    }
    if (build->refs->prims != NULL) {
        sli_refs_keep_prims(build->refs);
    } else {
        sli_refs_keep_first(build->refs);
    }
    return result == SL_OK ? close_gaps(build, arena, node_count) : result;
}

sl_result sli_topdown(sli_refs *refs, const sli_triangles *mesh, size_t leaf_max,
                      const sli_phase *phase, sli_node2 **nodes, size_t *node_count)
{
    const sl_allocator *allocator = &refs->allocator;
    sli_arena arena = sli_arena_make(allocator);
    builder build = { .refs = refs,
                      .phase = phase,
                      .splitter = { .side = { refs->side[0], refs->side[1] }, .mesh = mesh },
                      .leaf_max = leaf_max,
                      .subtree_max = subtree_max(refs->count) };
    *node_count = 2 * refs->capacity - 1;
    build.nodes = sli_alloc_array(allocator, *node_count, sizeof *build.nodes);
    bool allocated = build.nodes != NULL && allocate(&build, &arena) && reserve_single(&build, 1);
    if (allocated && mesh != NULL) {
        refs->prims = sli_alloc_array(allocator, refs->capacity, sizeof *refs->prims);
        allocated = refs->prims != NULL;
    }
    const sl_result result =
        allocated ? build_all(&build, &arena, node_count) : sli_fail_memory(phase->error);
    if (result != SL_OK) {
        sli_free_array(allocator, build.nodes, *node_count, sizeof *build.nodes);
        build.nodes = NULL;
    }
    *nodes = build.nodes;
    sli_free_array(allocator, build.single, build.single_capacity, sizeof *build.single);
    sli_arena_free(&arena);
    return result;
}
