#include "bvh/build/reinsert.h"

#include "bvh/build/box.h"
#include "bvh/build/topdown.h"
#include "bvh/build/widen.h"
#include "lib/base/arena.h"
#include "lib/base/assert.h"
#include "lib/base/error.h"
#include "lib/base/sort.h"

#include <math.h>
#include <stdbool.h>

/* Part of what the tree looks like: none may depend on the machine.  A batch is every eighth node
 * of a window: siblings are in different ones, and what is near in memory is near in space. */
enum { STRIDE = 8, BATCH = 8192, WINDOW = STRIDE * BATCH };

/* A round that lowers the cost by a smaller share is the last one. */
static const double least_of_round = 0x1p-11;

/* A move gains at least this share of the surface of the node's parent: not just a rounding. */
static const double least_of_move = 0x1p-10;

static const uint32_t nowhere = 0xFFFFFFFFu;

typedef struct reinserter {
    sli_node2 *nodes;
    size_t node_count;
    uint32_t *parent; /* nowhere: of the root, of nodes inside blocks, and of those not in use */
    uint8_t *height;  /* inner nodes on the longest path down, itself included; 0: a block */
    double cost, cost_before; /* this round */
    bool go_on;
    size_t first; /* of the batch: node i of it is first + i * STRIDE */
    /* For each node of the batch: the best place, or nowhere, and what it gains, as a key to sort
     * by: the complement of its bits, the upper half first. */
    uint32_t *to, *keys, *order, *scratch;
    size_t batch_count;
} reinserter;

static sli_box box_of(const sli_node2 *node)
{
    sli_box box;
    memcpy(&box, node, sizeof box);
    return box;
}

/* Half the surface, in double. */
static double box_area(const sli_box *box)
{
    const double x = (double)box->max[0] - (double)box->min[0];
    const double y = (double)box->max[1] - (double)box->min[1];
    const double z = (double)box->max[2] - (double)box->min[2];
    return x * y + y * z + z * x;
}

static double area_of(const reinserter *job, uint32_t node)
{
    return sli_node2_half_area(&job->nodes[node]);
}

/* Of the node's box, once it contains the other one too. */
static double joined_area(const reinserter *job, uint32_t node, const sli_box *other)
{
    sli_box box = box_of(&job->nodes[node]);
    sli_box_join(&box, other);
    return box_area(&box);
}

static uint32_t sibling_of(const reinserter *job, uint32_t node)
{
    return 2 * job->nodes[job->parent[node]].first + 1 - node;
}

static int higher_child(const reinserter *job, uint32_t node)
{
    const uint32_t left = job->nodes[node].first;
    return job->height[left] > job->height[left + 1] ? job->height[left] : job->height[left + 1];
}

/* Whether at most 4 triangles are below: such a subtree is moved as a whole. */
static bool is_block(const sli_node2 *nodes, uint32_t node)
{
    uint32_t stack[SLI_PACK + 1], triangles = 0;
    int top = 0;
    stack[top++] = node;
    while (top > 0 && triangles + (uint32_t)top <= SLI_PACK) {
        const sli_node2 *at = &nodes[stack[--top]];
        triangles += at->count;
        if (at->count == 0) {
            stack[top++] = at->first;
            stack[top++] = at->first + 1;
        }
    }
    return triangles + (uint32_t)top <= SLI_PACK;
}

/* Parents and heights of everything below the root. */
static void connect(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    reinserter *job = context;
    struct {
        uint32_t node;
        bool seen;
    } stack[2 * SLI_BINARY_DEPTH + 1] = { { 0, false } };
    int top = 1;
    memset(job->parent, 0xFF, job->node_count * sizeof *job->parent);
    while (top > 0) {
        const uint32_t node = stack[top - 1].node, left = job->nodes[node].first;
        if (!stack[top - 1].seen && is_block(job->nodes, node)) {
            job->height[node] = 0;
            top--;
        } else if (stack[top - 1].seen) {
            job->height[node] = (uint8_t)(1 + higher_child(job, node));
            job->cost += area_of(job, node);
            top--;
        } else {
            SL_ASSERT(top < 2 * SLI_BINARY_DEPTH);
            stack[top - 1].seen = true;
            for (uint32_t k = 0; k < 2; k++) {
                job->parent[left + k] = node;
                stack[top].node = left + k;
                stack[top++].seen = false;
            }
        }
    }
}

/* For a better place. */
typedef struct search {
    const reinserter *job;
    sli_box box; /* of the node that moves */
    double area;
    double gain; /* of the best place so far */
    uint32_t to;
} search;

static void consider(search *s, uint32_t to, double gain)
{
    if (gain > s->gain) {
        s->gain = gain;
        s->to = to;
    }
}

/* Tries every place in the subtree of root that may be better than the best.  saved: what is gained
 * above it. */
static void search_below(search *s, uint32_t root, double saved)
{
    struct {
        uint32_t node;
        double saved;
    } stack[SLI_BINARY_DEPTH + 2];
    int top = 0;
    stack[top].node = root;
    stack[top++].saved = saved;
    while (top > 0) {
        const uint32_t at = stack[--top].node;
        saved = stack[top].saved;
        if (saved - s->area <= s->gain) {
            continue;
        }
        const double joined = joined_area(s->job, at, &s->box);
        consider(s, at, saved - joined);
        saved -= joined - area_of(s->job, at);
        if (s->job->height[at] > 0 && saved - s->area > s->gain) {
            const uint32_t left = s->job->nodes[at].first;
            stack[top].node = left + 1;
            stack[top++].saved = saved;
            stack[top].node = left;
            stack[top++].saved = saved;
        }
    }
}

/* Everything beside the path to the root, from below, and the path itself. */
static void search_all(search *s, uint32_t node)
{
    const reinserter *job = s->job;
    uint32_t above = job->parent[node], beside = sibling_of(job, node);
    sli_box rest = box_of(&job->nodes[beside]); /* of above, once the node is gone */
    double saved = area_of(job, above);
    search_below(s, beside, saved);
    while (above != 0) {
        beside = sibling_of(job, above);
        above = job->parent[above];
        search_below(s, beside, saved);
        const sli_box other = box_of(&job->nodes[beside]);
        const double area = area_of(job, above);
        sli_box_join(&rest, &other);
        saved += area - box_area(&rest);
        consider(s, above, saved - area);
    }
}

static void search_batch(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    reinserter *job = context;
    for (size_t i = begin; i < end; i++) {
        const uint32_t node = (uint32_t)(job->first + i * STRIDE);
        search s = { .job = job, .to = nowhere };
        if (job->parent[node] != nowhere) {
            s.box = box_of(&job->nodes[node]);
            s.area = area_of(job, node);
            s.gain = least_of_move * area_of(job, job->parent[node]);
            search_all(&s, node);
        }
        uint64_t bits;
        memcpy(&bits, &s.gain, sizeof bits);
        job->to[i] = s.to;
        job->keys[2 * i] = ~(uint32_t)(bits >> 32);
        job->keys[2 * i + 1] = ~(uint32_t)bits;
    }
}

/* A node and its ancestors, the root last. */
typedef struct path {
    int count;
    uint32_t node[SLI_BINARY_DEPTH + 2];
} path;

static void path_up(const reinserter *job, uint32_t node, path *out)
{
    out->count = 0;
    for (; node != nowhere; node = job->parent[node]) {
        SL_ASSERT(out->count < SLI_BINARY_DEPTH + 2);
        out->node[out->count++] = node;
    }
}

/* How many the two have in common. */
static int common(const path *a, const path *b)
{
    int count = 0;
    while (count < a->count && count < b->count &&
           a->node[a->count - 1 - count] == b->node[b->count - 1 - count]) {
        count++;
    }
    return count;
}

/* What the surfaces above the node lose when it is gone, up to the last of its path that counts. */
static double saved_above(const reinserter *job, const path *from, int last)
{
    double saved = area_of(job, from->node[1]);
    sli_box rest = box_of(&job->nodes[sibling_of(job, from->node[0])]);
    for (int i = 2; i <= last; i++) {
        const sli_box other = box_of(&job->nodes[sibling_of(job, from->node[i - 1])]);
        sli_box_join(&rest, &other);
        saved += area_of(job, from->node[i]) - box_area(&rest);
    }
    return saved;
}

/* What they and a new node gain where it comes. */
static double paid_above(const reinserter *job, const path *up, int last, const sli_box *box)
{
    double paid = joined_area(job, up->node[0], box);
    for (int i = 1; i <= last; i++) {
        paid += joined_area(job, up->node[i], box) - area_of(job, up->node[i]);
    }
    return paid;
}

/* What the move gains now; 0 where it makes no sense any more. */
static double gain_now(const reinserter *job, uint32_t node, uint32_t to)
{
    path from, up;
    path_up(job, node, &from);
    path_up(job, to, &up);
    const int shared = common(&from, &up);
    const int higher = job->height[node] > job->height[to] ? job->height[node] : job->height[to];
    if (shared == from.count || to == from.node[1] || to == sibling_of(job, node) ||
        up.count + higher > SLI_BINARY_LEVELS) {
        return 0;
    }
    if (shared ==
        up.count) { /* beside an ancestor: it shrinks, too, and the new node has its box */
        return saved_above(job, &from, from.count - shared) - area_of(job, to);
    }
    const sli_box box = box_of(&job->nodes[node]);
    return saved_above(job, &from, from.count - shared - 1) -
           paid_above(job, &up, up.count - shared - 1, &box);
}

/* Moves what stands at one place to another, children and all. */
static void relocate(reinserter *job, uint32_t from, uint32_t to)
{
    job->nodes[to] = job->nodes[from];
    job->height[to] = job->height[from];
    if (job->height[to] > 0) {
        job->parent[job->nodes[to].first] = to;
        job->parent[job->nodes[to].first + 1] = to;
    }
}

/* Box and height from the children. */
static bool refit_node(reinserter *job, uint32_t at)
{
    sli_node2 *node = &job->nodes[at];
    const sli_node2 before = *node, *children = &job->nodes[node->first];
    const uint8_t height = (uint8_t)(1 + higher_child(job, at));
    bool changed = height != job->height[at];
    for (int axis = 0; axis < 3; axis++) {
        const float *a = children[0].min, *b = children[1].min;
        node->min[axis] = b[axis] < a[axis] ? b[axis] : a[axis];
        a = children[0].max;
        b = children[1].max;
        node->max[axis] = b[axis] > a[axis] ? b[axis] : a[axis];
        changed =
            changed || node->min[axis] != before.min[axis] || node->max[axis] != before.max[axis];
    }
    job->height[at] = height;
    return changed;
}

static void refit_above(reinserter *job, uint32_t node)
{
    for (node = job->parent[node]; node != nowhere && refit_node(job, node);) {
        node = job->parent[node];
    }
}

/* The sibling takes its parent's place, whose pair is used again at the new place. */
static void make_move(reinserter *job, uint32_t node, uint32_t to)
{
    const uint32_t parent = job->parent[node], sibling = sibling_of(job, node);
    const uint32_t pair = job->nodes[parent].first;
    relocate(job, sibling, parent);
    refit_above(job, parent);
    relocate(job, to, sibling);
    job->nodes[to].first = pair;
    job->nodes[to].count = 0;
    job->parent[pair] = job->parent[pair + 1] = to;
    refit_node(job, to);
    refit_above(job, to);
}

static void make_moves(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    reinserter *job = context;
    size_t count = 0;
    for (uint32_t i = 0; i < job->batch_count; i++) {
        if (job->to[i] != nowhere) {
            job->order[count++] = i;
        }
    }
    sli_sort_words(job->keys, 2, job->order, job->scratch, count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t node = (uint32_t)(job->first + (size_t)job->order[i] * STRIDE);
        const uint32_t to = job->to[job->order[i]];
        const double gain = gain_now(job, node, to);
        if (gain > least_of_move * area_of(job, job->parent[node])) {
            make_move(job, node, to);
            job->cost -= gain;
        }
    }
}

static void judge(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    reinserter *job = context;
    job->go_on = job->cost < job->cost_before * (1 - least_of_round);
    job->cost_before = job->cost;
}

/* Every node gets its turn once in STRIDE rounds. */
static sl_result run_round(reinserter *job, int round, int rounds, const sli_stage *stage)
{
    for (size_t window = 0; window < job->node_count; window += WINDOW) {
        const float part = (float)window / (float)job->node_count;
        const sl_result result =
            sli_stage_report(stage, "reinsert", ((float)round + part) / (float)rounds);
        if (result != SL_OK) {
            return result;
        }
        job->first = window + (size_t)(round % STRIDE);
        if (job->first >= job->node_count) {
            break;
        }
        const size_t left = (job->node_count - job->first + STRIDE - 1) / STRIDE;
        job->batch_count = left < BATCH ? left : BATCH;
        sli_stage_blocks(stage, job->batch_count, 128, search_batch, job);
        sli_stage_blocks(stage, 1, 1, make_moves, job);
    }
    return SL_OK;
}

static bool allocate(reinserter *job, sli_arena *arena)
{
    const size_t all = (job->node_count + STRIDE - 1) / STRIDE, batch = all < BATCH ? all : BATCH;
    job->parent = sli_arena_array(arena, job->node_count, sizeof *job->parent);
    job->height = sli_arena_array(arena, job->node_count, sizeof *job->height);
    job->to = sli_arena_array(arena, batch, sizeof *job->to);
    job->keys = sli_arena_array(arena, 2 * batch, sizeof *job->keys);
    job->order = sli_arena_array(arena, batch, sizeof *job->order);
    job->scratch = sli_arena_array(arena, batch, sizeof *job->scratch);
    return job->parent != NULL && job->height != NULL && job->to != NULL && job->keys != NULL &&
           job->order != NULL && job->scratch != NULL;
}

sl_result sli_reinsert(sli_node2 *nodes, size_t node_count, int rounds,
                       const sl_allocator *allocator, const sli_stage *stage)
{
    sli_arena arena = sli_arena_make(allocator);
    reinserter job = { .nodes = nodes, .node_count = node_count, .cost_before = INFINITY };
    sl_result result = SL_OK;
    if (!allocate(&job, &arena)) {
        result = sli_fail_memory(stage->error);
        goto done;
    }
    sli_stage_blocks(stage, 1, 1, connect, &job);
    for (int round = 0; round < rounds && result == SL_OK; round++) {
        sli_stage_blocks(stage, 1, 1, judge, &job);
        if (!job.go_on) {
            break;
        }
        result = run_round(&job, round, rounds, stage);
    }
done:
    sli_arena_free(&arena);
    return result;
}
