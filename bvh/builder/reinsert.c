/* Parallel reinsertion, for build.c, after Meister and Bittner, Parallel Reinsertion for Bounding
 * Volume Hierarchy Optimization (2018): rounds of batches, each a parallel search and serial
 * moves. */
#include "bvh/builder/reinsert.h"

#include "bvh/builder/reinsert_tree.h"
#include "bvh/builder/wide/widen.h"
#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/sort.h"

#include <math.h>

/* Part of what the tree looks like: they may not depend on the machine.  A round takes every eighth
 * candidate, so that siblings are in different rounds. */
enum { STRIDE = 8, BATCH = 8192 };

/* Places that the search for one node looks at, nearest ones first.  In scenes of all kinds it ends
 * by itself after 20 to 60; where everything overlaps everything it would look at thousands, for
 * SAH costs that are 1 % lower. */
enum { TARGETS_MAX = 128 };

/* A round that lowers the cost by a smaller share is the last one. */
static const double round_gain_min = 0x1p-11;

/* A move gains at least this share of the surface of the node's parent: more than a rounding. */
static const double move_gain_min = 0x1p-10;

typedef struct reinserter {
    const sli_reinsert_effort *effort;
    sli_reinsert_tree tree;
    double cost_before; /* before this round */
    bool go_on;
    uint32_t *candidates; /* nodes to be moved, depth-first */
    size_t candidate_count;
    /* For each node of the batch: the best place, or SLI_NO_NODE, and what it gains, as a key to
     * sort by: the complement of its bits, the upper half first. */
    uint32_t *to, *keys, *order, *scratch;
    size_t first, batch_count; /* node i of it is candidate first + i * STRIDE */
} reinserter;

static double area_of(const sli_reinsert_tree *tree, uint32_t node)
{
    return sli_node2_half_area(&tree->nodes[node]);
}

static void reinsert_connect(void *context)
{
    reinserter *job = context;
    sli_reinsert_tree_connect(&job->tree);
}

static uint32_t reinsert_candidate(const reinserter *job, size_t i)
{
    return job->candidates[job->first + i * STRIDE];
}

/* The children of all nodes that are large enough; below one that is not, all are smaller still. */
static void list_candidates(void *context)
{
    reinserter *job = context;
    const sli_reinsert_tree *tree = &job->tree;
    const double area_min = job->effort->area_min * tree->cost / (double)tree->inner_count;
    uint32_t stack[SLI_BINARY_DEPTH + 2] = { 0 };
    job->candidate_count = 0;
    size_t visits = 0;
    for (int top = 1; top > 0;) {
        const uint32_t node = stack[--top];
        sli_slices_pause_at(tree->slices, visits++, 512);
        if (tree->height[node] > 0 && area_of(tree, node) >= area_min) {
            const uint32_t left = tree->nodes[node].first;
            job->candidates[job->candidate_count++] = left;
            job->candidates[job->candidate_count++] = left + 1;
            stack[top++] = left + 1;
            stack[top++] = left;
        }
    }
}

/* The search for a better place for one node. */
typedef struct search {
    const sli_reinsert_tree *tree;
    sli_box box; /* of the node that moves */
    double area;
    double gain; /* of the best place so far */
    uint32_t to;
    int targets_left;
} search;

static void reinsert_consider(search *s, uint32_t to, double gain)
{
    if (gain > s->gain) {
        s->gain = gain;
        s->to = to;
    }
}

/* Tries every place in the subtree of root that may beat the best.  saved: the cost saved above
 * it. */
static void search_below(search *s, uint32_t root, double saved)
{
    struct {
        uint32_t node;
        double saved;
    } stack[SLI_BINARY_DEPTH + 2];
    int top = 0;
    stack[top].node = root;
    stack[top++].saved = saved;
    while (top > 0 && s->targets_left > 0) {
        const uint32_t at = stack[--top].node;
        saved = stack[top].saved;
        s->targets_left--;
        if (saved - s->area <= s->gain) {
            continue;
        }
        const double joined = sli_joined_area(&s->tree->nodes[at], &s->box);
        reinsert_consider(s, at, saved - joined);
        saved -= joined - area_of(s->tree, at);
        if (s->tree->height[at] > 0 && saved - s->area > s->gain) {
            const uint32_t left = s->tree->nodes[at].first;
            stack[top].node = left + 1;
            stack[top++].saved = saved;
            stack[top].node = left;
            stack[top++].saved = saved;
        }
    }
}

/* Searches all subtrees beside the path to the root, from the node up, and the path itself. */
static void search_all(search *s, uint32_t node)
{
    const sli_reinsert_tree *tree = s->tree;
    uint32_t above = tree->parent[node], beside = sli_sibling(tree, node);
    sli_box rest = sli_node2_box(&tree->nodes[beside]); /* the box of above without the node */
    double saved = area_of(tree, above);
    search_below(s, beside, saved);
    while (above != 0 && s->targets_left > 0) {
        beside = sli_sibling(tree, above);
        above = tree->parent[above];
        search_below(s, beside, saved);
        const sli_box other = sli_node2_box(&tree->nodes[beside]);
        const double area = area_of(tree, above);
        sli_box_join(&rest, &other);
        saved += area - sli_box_area(&rest);
        reinsert_consider(s, above, saved - area);
    }
}

static void search_batch(void *context, size_t i)
{
    reinserter *job = context;
    const sli_reinsert_tree *tree = &job->tree;
    const uint32_t node = reinsert_candidate(job, i);
    sli_slices_pause_at(tree->slices, i, 16);
    search s = { .tree = tree,
                 .to = SLI_NO_NODE,
                 .targets_left = TARGETS_MAX,
                 .box = sli_node2_box(&tree->nodes[node]),
                 .area = area_of(tree, node),
                 .gain = move_gain_min * area_of(tree, tree->parent[node]) };
    search_all(&s, node);
    uint64_t bits;
    memcpy(&bits, &s.gain, sizeof bits);
    job->to[i] = s.to;
    job->keys[2 * i] = ~(uint32_t)(bits >> 32);
    job->keys[2 * i + 1] = ~(uint32_t)bits;
}

static void make_moves(void *context)
{
    reinserter *job = context;
    sli_reinsert_tree *tree = &job->tree;
    size_t count = 0;
    for (uint32_t i = 0; i < job->batch_count; i++) {
        if (job->to[i] != SLI_NO_NODE) {
            job->order[count++] = i;
        }
    }
    sli_sort_words(job->keys, 2, job->order, job->scratch, count, NULL);
    for (size_t i = 0; i < count; i++) {
        const uint32_t node = reinsert_candidate(job, job->order[i]);
        const uint32_t to = job->to[job->order[i]];
        sli_slices_pause_at(tree->slices, i, 32);
        const double gain = sli_reinsert_tree_gain(tree, node, to);
        if (gain > move_gain_min * area_of(tree, tree->parent[node])) {
            sli_reinsert_tree_move(tree, node, to);
            tree->cost -= gain;
        }
    }
}

static void reinsert_judge(void *context)
{
    reinserter *job = context;
    job->go_on = job->tree.cost < job->cost_before * (1 - round_gain_min);
    job->cost_before = job->tree.cost;
}

/* Every candidate gets its turn once in STRIDE rounds. */
static sl_result run_round(reinserter *job, int round, const sli_phase *phase)
{
    const size_t offset = (size_t)(round % STRIDE);
    for (job->first = offset; job->first < job->candidate_count; job->first += STRIDE * BATCH) {
        SLI_TRY(sli_phase_report(phase, "reinsert",
                                 (size_t)round * job->candidate_count + job->first,
                                 (size_t)job->effort->rounds * job->candidate_count));
        const size_t left = (job->candidate_count - job->first + STRIDE - 1) / STRIDE;
        job->batch_count = left < BATCH ? left : BATCH;
        sli_phase_each(phase, job->batch_count, 128, search_batch, job);
        sli_phase_once(phase, make_moves, job);
    }
    return SL_OK;
}

static bool allocate_tree(sli_reinsert_tree *tree, sli_arena *arena)
{
    tree->parent = sli_arena_array(arena, tree->node_count, sizeof *tree->parent);
    tree->height = sli_arena_array(arena, tree->node_count, sizeof *tree->height);
    return tree->parent != NULL && tree->height != NULL;
}

/* Once the number of inner nodes is known. */
static bool allocate_batch(reinserter *job, sli_arena *arena)
{
    const size_t candidates_max = 2 * job->tree.inner_count;
    const size_t round_max = (candidates_max + STRIDE - 1) / STRIDE;
    const size_t batch = round_max < BATCH ? round_max : BATCH;
    job->candidates = sli_arena_array(arena, candidates_max, sizeof *job->candidates);
    job->to = sli_arena_array(arena, batch, sizeof *job->to);
    job->keys = sli_arena_array(arena, 2 * batch, sizeof *job->keys);
    job->order = sli_arena_array(arena, batch, sizeof *job->order);
    job->scratch = sli_arena_array(arena, batch, sizeof *job->scratch);
    return job->candidates != NULL && job->to != NULL && job->keys != NULL && job->order != NULL &&
           job->scratch != NULL;
}

static sl_result run_rounds(reinserter *job, const sli_phase *phase)
{
    for (int round = 0; round < job->effort->rounds; round++) {
        sli_phase_once(phase, reinsert_judge, job);
        if (!job->go_on) {
            break;
        }
        if (round % STRIDE == 0) {
            sli_phase_once(phase, list_candidates, job);
        }
        SLI_TRY(run_round(job, round, phase));
    }
    return SL_OK;
}

sl_result sli_reinsert(sli_node2 *nodes, size_t node_count, const sli_reinsert_effort *effort,
                       const sl_allocator *allocator, const sli_phase *phase)
{
    sli_arena arena = sli_arena_make(allocator);
    reinserter job = {
        .effort = effort,
        .tree = { .nodes = nodes, .node_count = node_count, .slices = phase->slices },
        .cost_before = INFINITY
    };
    sl_result result = SL_OK;
    if (!allocate_tree(&job.tree, &arena)) {
        result = sli_fail_memory(phase->error);
        goto done;
    }
    sli_phase_once(phase, reinsert_connect, &job);
    if (job.tree.inner_count > 0) {
        result =
            allocate_batch(&job, &arena) ? run_rounds(&job, phase) : sli_fail_memory(phase->error);
    }
done:
    sli_arena_free(&arena);
    return result;
}
