#include "bvh/builder/topdown_spatial.h"

#include "bvh/builder/defragment.h"
#include "bvh/builder/split/range.h"
#include "bvh/builder/topdown.h"
#include "bvh/tree/tree.h"
#include "lib/base/arena.h"
#include "lib/base/assert.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

/* Part of what the tree looks like: none may depend on the machine. */
enum { CHUNK = 4096 };

/* Of the root's surface.  With 1e-5, as in the paper, queries look at 1 % less, building takes half
 * as long again, and there are twice as many parts. */
static const double overlap_least = 1e-3;

typedef struct builder {
    sli_refs *refs;
    sli_node2 *nodes;
    const sli_stage *stage;
    sli_halver halver;
    size_t leaf_most, subtree_most;
    sli_range *active;
    sli_range *next;
    sli_range *subtrees;
    sli_way *ways; /* of active ranges */
    sli_chunk *chunks;
    size_t active_count, next_count, subtree_count, chunk_count;
    size_t subtree_capacity;
} builder;

size_t sli_spatial_room(size_t count)
{
    const size_t most = SLI_REF_LINE; /* as many as any tree may have */
    return count + count / 2 < most ? count + count / 2 : most;
}

static void set_bounds(sli_node2 *node, const sli_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        node->min[axis] = box->min[axis];
        node->max[axis] = box->max[axis];
    }
}

static void set_leaf(const builder *build, const sli_range *at)
{
    sli_node2 *node = &build->nodes[at->node];
    node->first = (uint32_t)at->begin;
    node->count = (uint32_t)at->whole.count;
    for (size_t i = at->begin; i < at->begin + at->whole.count; i++) {
        build->refs->prims[i] = build->refs->side[at->side][i].prim;
    }
}

/* Writes the pair below a range that was split, and says what its halves are, but for their pairs.
 */
static void set_children(const builder *build, const sli_range *at, uint32_t pair,
                         const sli_way *way, sli_range halves[2])
{
    sli_node2 *node = &build->nodes[at->node];
    const sli_sides *sides = &way->sides;
    const uint32_t left = 1 + 2 * pair;
    node->first = left;
    node->count = 0;
    halves[0].begin = at->begin;
    halves[0].room = way->left_room;
    halves[1].begin = at->begin + way->left_room;
    halves[1].room = at->room - way->left_room;
    for (uint32_t k = 0; k < 2; k++) {
        halves[k].node = left + k;
        halves[k].levels = at->levels - 1;
        halves[k].side = 1 - at->side;
        halves[k].whole.count = sides->count[k];
        halves[k].whole.bounds = sides->bounds[k];
        halves[k].whole.centres = sides->centres[k];
        halves[k].whole.most = sli_most_on_a_side(build->leaf_most, halves[k].levels);
        set_bounds(&build->nodes[left + k], &sides->bounds[k]);
    }
}

/* The left half is always taken next, so that a right half waits for each level at most.  Pairs are
 * taken from the first one on, so that nodes stand close together.  Returns how many are taken. */
static uint32_t build_subtree(const builder *build, sli_range at)
{
    const uint32_t first = at.pair;
    sli_range stack[SLI_BINARY_LEVELS];
    int top = 0;
    uint32_t pair = first;
    for (;;) {
        if (at.whole.count > build->leaf_most) {
            SL_ASSERT(at.levels > 0);
            sli_way way;
            sli_range halves[2];
            sli_halve(&build->halver, &at, &way);
            set_children(build, &at, pair++, &way, halves);
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

static void add_range(builder *build, const sli_range *at)
{
    if (at->whole.count <= build->subtree_most) {
        build->subtrees[build->subtree_count++] = *at;
    } else {
        build->next[build->next_count++] = *at;
    }
}

static void activate_next(builder *build)
{
    sli_range *spare = build->active;
    build->active = build->next;
    build->next = spare;
    build->active_count = build->next_count;
    build->next_count = 0;
}

static void cut_chunks(builder *build)
{
    build->chunk_count = 0;
    for (size_t i = 0; i < build->active_count; i++) {
        const sli_range *at = &build->active[i];
        build->ways[i].first_chunk = build->chunk_count;
        for (size_t done = 0; done < at->whole.count; done += CHUNK) {
            const size_t left = at->whole.count - done;
            sli_chunk *part = &build->chunks[build->chunk_count++];
            part->range = i;
            part->begin = at->begin + done;
            part->count = left < CHUNK ? left : CHUNK;
        }
        build->ways[i].chunk_count = build->chunk_count - build->ways[i].first_chunk;
    }
}

/* One step of split/range.h for all chunks, or for all active ranges. */

typedef void chunk_step(const sli_halver *halver, const sli_range *range, const sli_way *way,
                        sli_chunk *chunk);
typedef void range_step(builder *build, const sli_range *range, sli_way *way, sli_chunk *chunks);

typedef struct step {
    builder *build;
    chunk_step *chunk;
    range_step *range;
} step;

static void run_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const step *job = context;
    const builder *build = job->build;
    for (size_t i = begin; i < end; i++) {
        sli_chunk *chunk = &build->chunks[i];
        job->chunk(&build->halver, &build->active[chunk->range], &build->ways[chunk->range], chunk);
    }
}

static void run_ranges(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const step *job = context;
    builder *build = job->build;
    for (size_t i = begin; i < end; i++) {
        sli_way *way = &build->ways[i];
        job->range(build, &build->active[i], way, &build->chunks[way->first_chunk]);
    }
}

static void for_chunks(builder *build, chunk_step *chunk)
{
    step job = { .build = build, .chunk = chunk };
    sli_stage_blocks(build->stage, build->chunk_count, 1, run_chunks, &job);
}

static void for_ranges(builder *build, range_step *range)
{
    step job = { .build = build, .range = range };
    sli_stage_blocks(build->stage, build->active_count, 1, run_ranges, &job);
}

static void begin_range(builder *build, const sli_range *range, sli_way *way, sli_chunk *chunks)
{
    (void)build;
    (void)chunks;
    sli_way_begin(range, way);
}

static void choose(builder *build, const sli_range *range, sli_way *way, sli_chunk *chunks)
{
    sli_bins bins = chunks[0].bins;
    for (size_t k = 1; k < way->chunk_count; k++) {
        sli_bins_join(&bins, &chunks[k].bins, &way->planes);
    }
    sli_way_choose(&build->halver, range, &bins, way);
}

static void choose_space(builder *build, const sli_range *range, sli_way *way, sli_chunk *chunks)
{
    (void)build;
    if (way->tries_space) {
        sli_slabs slabs = chunks[0].slabs;
        for (size_t k = 1; k < way->chunk_count; k++) {
            sli_slabs_join(&slabs, &chunks[k].slabs);
        }
        sli_way_choose_space(range, &slabs, way);
    }
}

static void place(builder *build, const sli_range *range, sli_way *way, sli_chunk *chunks)
{
    sli_way_place(&build->halver, range, way, chunks, way->chunk_count);
}

static void join(builder *build, const sli_range *range, sli_way *way, sli_chunk *chunks)
{
    sli_way_join(&build->halver, range, way, chunks, way->chunk_count);
}

/* Splits every active range; its halves become active, or subtrees for one worker each. */
static void split_level(builder *build)
{
    cut_chunks(build);
    for_ranges(build, begin_range);
    for_chunks(build, sli_chunk_fill_bins);
    for_ranges(build, choose);
    for_chunks(build, sli_chunk_fill_slabs);
    for_ranges(build, choose_space);
    for_chunks(build, sli_chunk_count);
    for_ranges(build, place);
    for_chunks(build, sli_chunk_move);
    for_ranges(build, join);
    for (size_t i = 0; i < build->active_count; i++) {
        sli_range halves[2];
        const sli_range *at = &build->active[i];
        set_children(build, at, at->pair, &build->ways[i], halves);
        halves[0].pair = at->pair + 1;
        halves[1].pair = at->pair + (uint32_t)halves[0].room;
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
            left += build->active[i].room;
        }
        const size_t room = build->refs->capacity;
        const sl_result result = sli_stage_report(build->stage, "top", room - left, room);
        if (result != SL_OK) {
            return result;
        }
        split_level(build);
    }
    return SL_OK;
}

/* All but the subtrees.  Active ranges have more than subtree_most references each, and all
 * together never more than there is room for. */
static bool allocate(builder *build, sli_arena *arena)
{
    const size_t active = build->refs->capacity / build->subtree_most + 1;
    const size_t chunks = active + build->refs->capacity / CHUNK;
    build->active = sli_arena_array(arena, active, sizeof *build->active);
    build->next = sli_arena_array(arena, active, sizeof *build->next);
    build->ways = sli_arena_array(arena, active, sizeof *build->ways);
    build->chunks = sli_arena_array(arena, chunks, sizeof *build->chunks);
    return build->active != NULL && build->next != NULL && build->ways != NULL &&
           build->chunks != NULL;
}

static void begin_at_root(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    builder *build = context;
    const sli_refs *refs = build->refs;
    const sli_range all = { .whole = { .count = refs->count,
                                       .bounds = refs->bounds,
                                       .centres = refs->centres,
                                       .most = sli_most_on_a_side(build->leaf_most,
                                                                  SLI_BINARY_LEVELS) },
                            .room = refs->capacity,
                            .levels = SLI_BINARY_LEVELS };
    build->halver.overlap_least = overlap_least * sli_box_area(&refs->bounds);
    set_bounds(&build->nodes[0], &refs->bounds);
    add_range(build, &all);
    activate_next(build);
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
        const sli_range *at = &build->subtrees[i];
        if (at->room > 1) {
            clusters[count++] = (sli_cluster){ at->pair, (uint32_t)at->room - 1, at->used };
        }
    }
    return sli_compact(clusters, count, &build->refs->allocator, build->stage, &build->nodes,
                       node_count);
}

static sl_result build_all(builder *build)
{
    sli_stage_blocks(build->stage, 1, 1, begin_at_root, build);
    const sl_result result = split_top(build);
    return result != SL_OK ? result
                           : sli_stage_run(build->stage, "subtrees", build->subtree_count, 1,
                                           build_subtrees, build);
}

sl_result sli_spatial(sli_refs *refs, const sli_triangles *mesh, size_t leaf_most,
                      const sli_stage *stage, sli_node2 **nodes, size_t *node_count)
{
    const sl_allocator *allocator = &refs->allocator;
    sli_arena arena = sli_arena_make(allocator);
    builder build = { .refs = refs,
                      .stage = stage,
                      .halver = { .side = { refs->side[0], refs->side[1] }, .mesh = mesh },
                      .leaf_most = leaf_most,
                      .subtree_most = sli_subtree_most(refs->count) };
    sl_result result = SL_OK;
    *node_count = 2 * refs->capacity - 1;
    refs->prims = sli_alloc_array(allocator, refs->capacity, sizeof *refs->prims);
    build.nodes = sli_alloc_array(allocator, *node_count, sizeof *build.nodes);
    if (refs->prims == NULL || build.nodes == NULL || !allocate(&build, &arena) ||
        !reserve_subtrees(&build, 1)) {
        result = sli_fail_memory(stage->error);
        goto done;
    }
    result = build_all(&build);
    sli_refs_keep_prims(refs);
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
