#include "bvh/build/collapse.h"

#include "lib/base/assert.h"
#include "lib/base/error.h"

/* What sl_bvh_info counts. */
static const double cost_node = 1.0, cost_block = 0.7;

/* Added to every chance: far less than the chance of anything that has an area worth speaking of.
 */
static const double least_chance = 0x1p-30;

/* Nodes this far below the root are walked by one worker each, and those above them together. */
enum { APART = 10, APART_MOST = 1 << APART };

/* The shares of a plan stand 3 bits each from bit 0, that of 2 children first; above them the wide
 * levels that are needed, as far as they fit into 5 bits. */
enum { SHARE_BITS = 3, LEVELS_SHIFT = 3 * (SLI_WIDTH - 1), LEVELS_MOST = 31 };

/* How many of up to k children (2 .. 8) the left subtree gets; 0: the node is the only child. */
static int plan_share(uint32_t plan, int k)
{
    return (int)(plan >> (SHARE_BITS * (k - 2)) & 7);
}

static int plan_levels(uint32_t plan)
{
    return (int)(plan >> LEVELS_SHIFT);
}

/* A subtree as up to k children, k = 1 .. 7 at [k - 1]. */
typedef struct forest {
    double cost[SLI_WIDTH - 1];
    uint8_t levels[SLI_WIDTH - 1]; /* of wide nodes, at most LEVELS_MOST */
} forest;

typedef struct collapse {
    sli_below *below;
    double root_area;
    uint32_t *apart; /* nodes APART levels below the root, from left to right */
    forest *forests; /* theirs */
    size_t apart_count;
} collapse;

static double chance(const collapse *job, uint32_t node)
{
    const double area = sli_node2_half_area(&job->below->binary->nodes[node]);
    return least_chance + (job->root_area > 0 ? area / job->root_area : 1.0);
}

static void plan_leaf(const collapse *job, uint32_t node, forest *out)
{
    const double cost = chance(job, node) * cost_block;
    for (int k = 1; k < SLI_WIDTH; k++) {
        out->cost[k - 1] = cost;
        out->levels[k - 1] = 0;
    }
}

/* The cheapest way to share k children out. */
static int share_out(const forest *left, const forest *right, int k, double *cost)
{
    int best = 1;
    *cost = left->cost[0] + right->cost[k - 2];
    for (int share = 2; share < k; share++) {
        const double other = left->cost[share - 1] + right->cost[k - share - 1];
        best = other < *cost ? share : best;
        *cost = other < *cost ? other : *cost;
    }
    return best;
}

static uint8_t levels_of(const forest *left, const forest *right, int k, int share)
{
    const uint8_t a = left->levels[share - 1], b = right->levels[k - share - 1];
    return a > b ? a : b;
}

static void plan_inner(const collapse *job, uint32_t node, const forest *left, const forest *right,
                       forest *out)
{
    double alone;
    const int all = share_out(left, right, SLI_WIDTH, &alone);
    uint32_t plan = (uint32_t)all << (SHARE_BITS * (SLI_WIDTH - 2));
    uint8_t levels = 0;
    if (sli_is_leaf(job->below, node)) {
        alone = chance(job, node) * cost_block;
    } else {
        alone += chance(job, node) * cost_node;
        levels = levels_of(left, right, SLI_WIDTH, all);
        levels = (uint8_t)(levels + (levels < LEVELS_MOST));
    }
    out->cost[0] = alone;
    out->levels[0] = levels;
    for (int k = 2; k < SLI_WIDTH; k++) {
        const int share = share_out(left, right, k, &out->cost[k - 1]);
        if (out->cost[k - 1] < alone) {
            out->levels[k - 1] = levels_of(left, right, k, share);
            plan |= (uint32_t)share << (SHARE_BITS * (k - 2));
        } else {
            out->cost[k - 1] = alone;
            out->levels[k - 1] = levels;
        }
    }
    job->below->plan[node] = plan | (uint32_t)levels << LEVELS_SHIFT;
}

static void measure_leaf(const collapse *job, uint32_t node, forest *out)
{
    const sli_below *below = job->below;
    SL_ASSERT(below->binary->nodes[node].count <= SLI_PACK);
    below->triangles[node] = below->binary->nodes[node].count;
    below->height[node] = 0;
    if (below->plan != NULL) {
        plan_leaf(job, node, out);
    }
}

/* forests: those of the left and the right child; the first becomes that of the node. */
static void measure_inner(const collapse *job, uint32_t node, forest forests[2])
{
    const sli_below *below = job->below;
    const uint32_t left = below->binary->nodes[node].first, right = left + 1;
    const uint8_t higher =
        below->height[left] > below->height[right] ? below->height[left] : below->height[right];
    below->triangles[node] = below->triangles[left] + below->triangles[right];
    below->height[node] = below->triangles[node] <= SLI_PACK ? 0 : (uint8_t)(higher + 1);
    if (below->plan != NULL) {
        const forest of_left = forests[0];
        plan_inner(job, node, &of_left, &forests[1], &forests[0]);
    }
}

typedef struct visit {
    uint32_t node;
    int depth;
    bool seen; /* and waits for its children */
} visit;

/* Children before parents.  Nodes at depth APART are taken from job->forests, in their order. */
static void measure_subtree(const collapse *job, visit root, forest *out)
{
    visit stack[2 * SLI_BINARY_DEPTH + 1];
    forest forests[SLI_BINARY_DEPTH + 2]; /* of nodes whose parents wait */
    int top = 0, done = 0;
    size_t taken = 0;
    stack[top++] = root;
    while (top > 0) {
        visit *at = &stack[top - 1];
        const sli_node2 *node = &job->below->binary->nodes[at->node];
        SL_ASSERT(done < SLI_BINARY_DEPTH + 2);
        if (at->depth == APART && root.depth < APART) {
            forests[done++] = job->forests[taken++];
            top--;
        } else if (node->count > 0) {
            measure_leaf(job, at->node, &forests[done++]);
            top--;
        } else if (at->seen) {
            done--;
            measure_inner(job, at->node, &forests[done - 1]);
            top--;
        } else {
            SL_ASSERT(top < 2 * SLI_BINARY_DEPTH);
            at->seen = true;
            const int depth = at->depth + 1;
            stack[top++] = (visit){ node->first + 1, depth, false };
            stack[top++] = (visit){ node->first, depth, false };
        }
    }
    *out = forests[0];
}

static void measure_apart(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const collapse *job = context;
    for (size_t i = begin; i < end; i++) {
        measure_subtree(job, (visit){ job->apart[i], APART, false }, &job->forests[i]);
    }
}

static void measure_top(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    const collapse *job = context;
    forest whole;
    measure_subtree(job, (visit){ 0, 0, false }, &whole);
}

/* Lists the nodes that are walked apart. */
static void find_apart(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    collapse *job = context;
    const sli_node2 *nodes = job->below->binary->nodes;
    visit stack[APART + 1];
    int top = 0;
    job->root_area = sli_node2_half_area(&nodes[0]);
    stack[top++] = (visit){ 0, 0, false };
    while (top > 0) {
        const visit at = stack[--top];
        if (at.depth == APART) {
            job->apart[job->apart_count++] = at.node;
        } else if (nodes[at.node].count == 0) {
            stack[top++] = (visit){ nodes[at.node].first + 1, at.depth + 1, false };
            stack[top++] = (visit){ nodes[at.node].first, at.depth + 1, false };
        }
    }
}

static bool allocate(collapse *job, sli_arena *arena)
{
    const size_t count = job->below->binary->node_count;
    const size_t apart = count < APART_MOST ? count : APART_MOST;
    sli_below *below = job->below;
    below->triangles = sli_arena_array(arena, count, sizeof *below->triangles);
    below->height = sli_arena_array(arena, count, sizeof *below->height);
    job->apart = sli_arena_array(arena, apart, sizeof *job->apart);
    job->forests = sli_arena_array(arena, apart, sizeof *job->forests);
    if (!below->binary->greedy) {
        below->plan = sli_arena_array(arena, count, sizeof *below->plan);
    }
    return below->triangles != NULL && below->height != NULL && job->apart != NULL &&
           job->forests != NULL && (below->binary->greedy || below->plan != NULL);
}

sl_result sli_collapse(const sli_binary *binary, sli_arena *arena, const sli_stage *stage,
                       sli_below *out)
{
    *out = (sli_below){ .binary = binary };
    collapse job = { .below = out };
    if (!allocate(&job, arena)) {
        return sli_fail_memory(stage->error);
    }
    sli_stage_blocks(stage, 1, 1, find_apart, &job);
    const sl_result result =
        sli_stage_run(stage, "collapse", job.apart_count, 1, measure_apart, &job);
    if (result == SL_OK) {
        sli_stage_blocks(stage, 1, 1, measure_top, &job);
        SL_ASSERT(out->height[0] <= 3 * SLI_MAX_DEPTH);
    }
    return result;
}

static void add_child(const sli_below *below, sli_children *children, uint32_t node)
{
    SL_ASSERT(children->count < SLI_WIDTH);
    children->node[children->count] = node;
    children->area[children->count++] = sli_node2_half_area(&below->binary->nodes[node]);
}

/* From left to right. */
static void follow_plan(const sli_below *below, uint32_t node, sli_children *children)
{
    struct {
        uint32_t node;
        int k;
    } stack[SLI_WIDTH] = { { node, SLI_WIDTH } };
    for (int top = 1; top > 0;) {
        const uint32_t at = stack[--top].node;
        const int k = stack[top].k;
        const sli_node2 *from = &below->binary->nodes[at];
        const int share = k == 1 || from->count > 0 ? 0 : plan_share(below->plan[at], k);
        if (share == 0) {
            add_child(below, children, at);
            continue;
        }
        stack[top].node = from->first + 1;
        stack[top++].k = k - share;
        stack[top].node = from->first;
        stack[top++].k = share;
    }
}

/* The left child takes the slot, the right one comes last. */
static void open_slot(const sli_below *below, sli_children *children, int slot)
{
    const sli_node2 *nodes = below->binary->nodes;
    const uint32_t left = nodes[children->node[slot]].first;
    children->node[slot] = left;
    children->area[slot] = sli_node2_half_area(&nodes[left]);
    add_child(below, children, left + 1);
}

static void open_high(const sli_below *below, sli_children *children, int levels)
{
    for (int slot = 0; slot < children->count;) {
        if (below->height[children->node[slot]] > 3 * (levels - 1)) {
            open_slot(below, children, slot);
        } else {
            slot++;
        }
    }
}

/* The slot of largest area that cannot be a leaf, or -1. */
static int largest_inner(const sli_below *below, const sli_children *children)
{
    int largest = -1;
    for (int slot = 0; slot < children->count; slot++) {
        if (!sli_is_leaf(below, children->node[slot]) &&
            (largest < 0 || children->area[slot] > children->area[largest])) {
            largest = slot;
        }
    }
    return largest;
}

static void open_greedily(const sli_below *below, uint32_t node, int levels, sli_children *children)
{
    add_child(below, children, node);
    open_high(below, children, levels);
    while (children->count < SLI_WIDTH) {
        const int slot = largest_inner(below, children);
        if (slot < 0) {
            break;
        }
        open_slot(below, children, slot);
    }
}

void sli_children_choose(const sli_below *below, uint32_t node, int levels, sli_children *out)
{
    *out = (sli_children){ .count = 0 };
    const bool planned = below->plan != NULL && below->binary->nodes[node].count == 0 &&
                         plan_levels(below->plan[node]) <= levels;
    if (planned && !sli_is_leaf(below, node)) {
        follow_plan(below, node, out);
    } else {
        open_greedily(below, node, levels, out);
    }
    for (int slot = 0; slot < out->count; slot++) {
        out->leaf_count += sli_is_leaf(below, out->node[slot]);
    }
}
