/* Builds a binary tree from the root down, for build.c: topdown.h says what the tree looks like and
 * names the sources, split/range.h splits ranges of references in two, and this file decides which
 * workers split which range, and where nodes and leaves go.
 *   split_top       near the root: level by level, every active range by all workers together
 *   split_level     one level: active ranges in chunks, through the steps of split/range.h; the
 *                   halves become active on the next level, or serial if they are small
 *   build_subtrees  each serial subtree by one worker, depth first
 *   close_gaps      removes nodes that were reserved but not used
 * With a mesh (spatial splits) a range has places to spare for references that are cut; without
 * one, capacity is the count. */
#include "bvh/builder/topdown.h"

#include "bvh/builder/defragment.h"
#include "bvh/tree/tree.h"
#include "lib/base/arena.h"
#include "lib/base/assert.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

/* References of a chunk, the unit of work that workers share within a range.  Chunks are joined by
 * sums, minima and maxima, and keep the order of references, so any size gives the same tree. */
enum { CHUNK = 4096 };

/* A share of the root's surface: no spatial split is tried where the overlap of the two children's
 * boxes has less.  With 1e-3 SAH costs are 0.4 % lower, and building takes 1.1 times as long; with
 * 1e-5, as in Stich et al. (2009), it takes 1.5 times as long again, and twice as many references
 * are cut, for 1 % less work in queries. */
static const double overlap_min = 2e-3;

/* A subtree that one worker builds. */
typedef struct serial_subtree {
    sli_subtree subtree;
    uint32_t used; /* pairs taken, once built */
} serial_subtree;

typedef struct builder {
    sli_refs *refs;
    const sli_phase *phase;
    sli_serial common;      /* what all workers use */
    size_t subtree_max;     /* references of a serial subtree */
    sli_subtree *active;    /* larger ones: to be split by all workers, on this level */
    sli_subtree *next;      /* and on the next one */
    serial_subtree *serial; /* to be built by one worker each */
    sli_range_plan *plans;  /* one for each active range */
    sli_chunk *chunks;      /* of all active ranges, those of a range side by side */
    size_t active_count, next_count, serial_count, chunk_count;
    size_t serial_capacity;
} builder;

size_t sli_spatial_capacity(size_t count)
{
    const size_t max = SLI_REF_LINE; /* the most references that any tree may have: 2^28 - 1 */
    return count + count / 2 < max ? count + count / 2 : max;
}

/* The most references that one worker splits alone, of count in all: a 64th, which keeps many
 * workers busy, but no more than fit into a worker's own cache (65536 are 2 MiB).  Spatial splits
 * divide spare places differently for one worker than for all, so with a mesh this shapes the tree:
 * it depends on count alone, never on the machine. */
static size_t subtree_max(size_t count)
{
    const size_t low = 4096, high = 65536, share = count / 64;
    return share < low ? low : share < high ? share : high;
}

static void build_subtrees(void *context, size_t i)
{
    const builder *build = context;
    serial_subtree *at = &build->serial[i];
    at->used = sli_subtree_build(&build->common, &at->subtree);
}

/* Small subtrees become serial, others active on the next level. */
static void add_subtree(builder *build, const sli_subtree *added)
{
    if (added->range.set.count <= build->subtree_max) {
        build->serial[build->serial_count++].subtree = *added;
    } else {
        build->next[build->next_count++] = *added;
    }
}

/* Goes to the next level; the array of this one is reused. */
static void activate_next(builder *build)
{
    sli_subtree *spare = build->active;
    build->active = build->next;
    build->next = spare;
    build->active_count = build->next_count;
    build->next_count = 0;
}

/* Divides active ranges into chunks of CHUNK references; the last of a range may have fewer. */
static void cut_chunks(builder *build)
{
    build->chunk_count = 0;
    for (size_t i = 0; i < build->active_count; i++) {
        const sli_range *range = &build->active[i].range;
        build->plans[i].first_chunk = build->chunk_count;
        for (size_t done = 0; done < range->set.count; done += CHUNK) {
            const size_t rest = range->set.count - done;
            sli_chunk *chunk = &build->chunks[build->chunk_count++];
            chunk->range = i;
            chunk->begin = range->begin + done;
            chunk->count = rest < CHUNK ? rest : CHUNK;
        }
        build->plans[i].chunk_count = build->chunk_count - build->plans[i].first_chunk;
    }
}

/* One step of split/range.h, over all chunks or over all active ranges: one of the two is set. */

typedef struct step {
    const builder *build;
    sli_chunk_step *chunk;
    sli_range_step *range;
} step;

static void run_chunks(void *context, size_t i)
{
    const step *job = context;
    const builder *build = job->build;
    sli_chunk *chunk = &build->chunks[i];
    job->chunk(&build->common.splitter, &build->active[chunk->range].range,
               &build->plans[chunk->range], chunk);
}

static void run_ranges(void *context, size_t i)
{
    const step *job = context;
    const builder *build = job->build;
    sli_range_plan *plan = &build->plans[i];
    job->range(&build->common.splitter, &build->active[i].range, plan,
               &build->chunks[plan->first_chunk]);
}

static void for_chunks(const builder *build, sli_chunk_step *chunk)
{
    step job = { .build = build, .chunk = chunk };
    sli_phase_each(build->phase, build->chunk_count, 1, run_chunks, &job);
}

static void for_ranges(const builder *build, sli_range_step *range)
{
    step job = { .build = build, .range = range };
    sli_phase_each(build->phase, build->active_count, 1, run_ranges, &job);
}

/* The steps of split/range.h, in its order; each waits until the one before is done everywhere. */
static void split_active(const builder *build)
{
    for_ranges(build, sli_range_begin);
    for_chunks(build, sli_chunk_fill_bins);
    for_ranges(build, sli_range_choose);
    if (build->common.splitter.mesh != NULL) {
        for_chunks(build, sli_chunk_fill_spatial_bins);
        for_ranges(build, sli_range_choose_spatial);
    }
    for_chunks(build, sli_chunk_count);
    for_ranges(build, sli_range_assign);
    for_chunks(build, sli_chunk_move);
    for_ranges(build, sli_range_join);
}

/* Splits every active range.  Its children share its pairs: the first is theirs, then come those of
 * the left subtree, then those of the right one. */
static void split_level(builder *build)
{
    cut_chunks(build);
    split_active(build);
    for (size_t i = 0; i < build->active_count; i++) {
        sli_subtree children[2];
        const sli_subtree *parent = &build->active[i];
        sli_subtree_divide(&build->common, parent, parent->pair, &build->plans[i], children);
        children[0].pair = parent->pair + 1;
        children[1].pair = parent->pair + (uint32_t)children[0].range.capacity;
        add_subtree(build, &children[0]);
        add_subtree(build, &children[1]);
    }
    activate_next(build);
}

/* Reserves `more` places in serial, since how many it will need depends on how ranges are split.
 * False: out of memory. */
static bool reserve_serial(builder *build, size_t more)
{
    return sli_grow_array(&build->refs->allocator, (void **)&build->serial, &build->serial_capacity,
                          build->serial_count + more, sizeof *build->serial);
}

/* Splits level by level until no range is active.  Progress: the share of places in serial ones. */
static sl_result split_top(builder *build)
{
    while (build->active_count > 0) {
        SLI_TRY(
            sli_had_memory(build->phase->error, reserve_serial(build, 2 * build->active_count)));
        size_t active = 0;
        for (size_t i = 0; i < build->active_count; i++) {
            active += build->active[i].range.capacity;
        }
        const size_t all = build->refs->capacity;
        SLI_TRY(sli_phase_report(build->phase, "top", all - active, all));
        split_level(build);
    }
    return SL_OK;
}

/* Allocates all arrays of a level; serial has reserve_serial.  Active ranges have more than
 * subtree_max references each, and together no more than refs->capacity, which bounds their number;
 * and each has at most one chunk that is not full. */
static bool topdown_allocate(builder *build, sli_arena *arena)
{
    const size_t ranges = build->refs->capacity / build->subtree_max + 1;
    const size_t chunks = ranges + build->refs->capacity / CHUNK;
    build->active = sli_arena_array(arena, ranges, sizeof *build->active);
    build->next = sli_arena_array(arena, ranges, sizeof *build->next);
    build->plans = sli_arena_array(arena, ranges, sizeof *build->plans);
    build->chunks = sli_arena_array(arena, chunks, sizeof *build->chunks);
    return build->active != NULL && build->next != NULL && build->plans != NULL &&
           build->chunks != NULL;
}

/* Makes all references the first active range, or a serial subtree.  It computes in floats, so it
 * is run as a block (phase.h). */
static void begin_at_root(void *context)
{
    builder *build = context;
    const sli_refs *refs = build->refs;
    const sli_ref_set set = { .count = refs->count,
                              .bounds = refs->bounds,
                              .centres = refs->centres,
                              .side_max = sli_side_max(build->common.leaf_max, SLI_BINARY_LEVELS) };
    const sli_subtree all = { .range = { .set = set, .capacity = refs->capacity },
                              .levels = SLI_BINARY_LEVELS };
    build->common.splitter.overlap_min = overlap_min * sli_box_area(&refs->bounds);
    sli_node2_set_box(&build->common.nodes[0], &refs->bounds);
    add_subtree(build, &all);
    activate_next(build);
}

/* Moves the nodes together.  Only serial subtrees leave pairs unused: leaves hold up to leaf_max
 * references, and places may have stayed spare. */
static sl_result close_gaps(builder *build, sli_arena *arena, size_t *node_count)
{
    size_t count = 0;
    sli_cluster *clusters = sli_arena_array(arena, build->serial_count, sizeof *clusters);
    SLI_TRY(sli_had_memory(build->phase->error, clusters != NULL));
    for (size_t i = 0; i < build->serial_count; i++) {
        const sli_subtree *at = &build->serial[i].subtree;
        const uint32_t owned = (uint32_t)at->range.capacity - 1;
        if (owned > 0) {
            clusters[count++] = (sli_cluster){ at->pair, owned, build->serial[i].used };
        }
    }
    return sli_defragment(clusters, count, &build->refs->allocator, build->phase,
                          &build->common.nodes, node_count);
}

/* Fills nodes, and frees what leaves do not need of the references before nodes are moved, so that
 * both are not in memory at once. */
static sl_result build_all(builder *build, sli_arena *arena, size_t *node_count)
{
    sli_phase_once(build->phase, begin_at_root, build);
    sl_result result = split_top(build);
    result = SLI_THEN(result, sli_phase_run_each(build->phase, "subtrees", build->serial_count, 1,
                                                 build_subtrees, build));
    sli_refs_keep_prims(build->refs);
    return result == SL_OK ? close_gaps(build, arena, node_count) : result;
}

sl_result sli_topdown(sli_refs *refs, const sli_triangles *mesh, size_t leaf_max,
                      const sli_phase *phase, sli_node2 **nodes, size_t *node_count)
{
    const sl_allocator *allocator = &refs->allocator;
    sli_arena arena = sli_arena_make(allocator);
    *node_count = 0;
    builder build = { .refs = refs, .phase = phase, .subtree_max = subtree_max(refs->count) };
    bool allocated = sli_refs_add_side(refs) && sli_refs_add_prims(refs);
    if (allocated) {
        /* Enough for a leaf in every place; close_gaps lowers it to the nodes in use. */
        *node_count = 2 * refs->capacity - 1;
        build.common =
            (sli_serial){ .splitter = { .side = { refs->side[0], refs->side[1] },
                                        .mesh = mesh,
                                        .slices = phase->slices },
                          .nodes = sli_alloc_array(allocator, *node_count, sizeof(sli_node2)),
                          .prims = refs->prims,
                          .leaf_max = leaf_max };
        allocated = build.common.nodes != NULL && topdown_allocate(&build, &arena) &&
                    reserve_serial(&build, 1);
    }
    const sl_result result =
        allocated ? build_all(&build, &arena, node_count) : sli_fail_memory(phase->error);
    if (result != SL_OK) {
        sli_free_array(allocator, build.common.nodes, *node_count, sizeof *build.common.nodes);
        build.common.nodes = NULL;
    }
    *nodes = build.common.nodes;
    sli_free_array(allocator, build.serial, build.serial_capacity, sizeof *build.serial);
    sli_arena_free(&arena);
    return result;
}
