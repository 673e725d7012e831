/* The dynamic programme of collapse.h, for widen.c, from the leaves up: Ylitie, Karras and Laine,
 * Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs (2017), 3.1. */
#include "bvh/builder/wide/collapse.h"

#include "lib/base/assert.h"
#include "lib/base/error.h"

/* The weights of sl_bvh_info.sah_cost. */
static const double cost_node = 1.0, cost_block = 0.7;

/* Added to every chance, divided by the number of references: the price of memory. */
static const double chance_of_memory = 12;

/* Subtrees this far below the root are planned by one worker each; then the nodes above them. */
enum { PARALLEL_DEPTH = 10, PARALLEL_MAX = 1 << PARALLEL_DEPTH };

/* A subtree as up to k children, k = 1 .. 7 at [k - 1]. */
typedef struct forest {
    double cost[SLI_WIDTH - 1];
    uint32_t size[SLI_WIDTH - 1];  /* packed as in the plan */
    uint8_t levels[SLI_WIDTH - 1]; /* of wide nodes, at most SLI_PLAN_LEVELS_MAX */
} forest;

typedef struct collapse {
    sli_collapse_plan *plan;
    double root_area, chance_min;
    sli_slices *slices;
    uint32_t *roots; /* of the subtrees PARALLEL_DEPTH levels below the root, from left to right */
    forest *forests; /* of these */
    size_t root_count;
} collapse;

static double collapse_chance(const collapse *job, uint32_t node)
{
    const double area = sli_node2_half_area(&job->plan->binary->nodes[node]);
    return job->chance_min + (job->root_area > 0 ? area / job->root_area : 1.0);
}

static void plan_leaf(const collapse *job, uint32_t node, forest *out)
{
    const double cost = collapse_chance(job, node) * cost_block;
    for (int k = 1; k < SLI_WIDTH; k++) {
        out->cost[k - 1] = cost;
        out->size[k - 1] = SLI_PLAN_ONE_BLOCK;
        out->levels[k - 1] = 0;
    }
}

/* The cheapest share of k children for the left subtree, of equal ones the lowest: 1 for a leaf,
 * which more children make no cheaper. */
static int share_out(const forest *left, bool left_is_leaf, const forest *right, int k,
                     double *cost)
{
    int best = 1;
    *cost = left->cost[0] + right->cost[k - 2];
    for (int share = 2; share < k && !left_is_leaf; share++) {
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

static uint32_t size_of(const forest *left, const forest *right, int k, int share)
{
    return left->size[share - 1] + right->size[k - share - 1];
}

static void plan_inner(const collapse *job, uint32_t node, const forest *left, const forest *right,
                       forest *out)
{
    double alone;
    uint32_t size = SLI_PLAN_ONE_BLOCK;
    uint8_t levels = 0;
    const sli_node2 *nodes = job->plan->binary->nodes;
    const bool leaf = nodes[nodes[node].first].count > 0;
    const int all = share_out(left, leaf, right, SLI_WIDTH, &alone);
    uint32_t plan = (uint32_t)all << (3 * (SLI_WIDTH - 2));
    if (sli_is_leaf(job->plan, node)) {
        alone = collapse_chance(job, node) * cost_block;
    } else {
        alone += collapse_chance(job, node) * cost_node;
        levels = levels_of(left, right, SLI_WIDTH, all);
        levels = (uint8_t)(levels + (levels < SLI_PLAN_LEVELS_MAX));
        size = size_of(left, right, SLI_WIDTH, all) + SLI_PLAN_ONE_NODE;
    }
    out->cost[0] = alone;
    out->size[0] = size;
    out->levels[0] = levels;
    for (int k = 2; k < SLI_WIDTH; k++) {
        const int share = share_out(left, leaf, right, k, &out->cost[k - 1]);
        if (out->cost[k - 1] < alone) {
            out->levels[k - 1] = levels_of(left, right, k, share);
            out->size[k - 1] = size_of(left, right, k, share);
            plan |= (uint32_t)share << (3 * (k - 2));
        } else {
            out->cost[k - 1] = alone;
            out->levels[k - 1] = levels;
            out->size[k - 1] = size;
        }
    }
    job->plan->shares[node] = plan | (uint32_t)levels << SLI_PLAN_LEVELS_SHIFT;
    job->plan->sizes[node] = size;
}

static void measure_leaf(const collapse *job, uint32_t node, forest *out)
{
    const sli_collapse_plan *plan = job->plan;
    SL_ASSERT(plan->binary->nodes[node].count <= SLI_PACK);
    plan->triangles[node] = plan->binary->nodes[node].count;
    plan->height[node] = 0;
    plan_leaf(job, node, out);
}

/* forests: in, those of the left and the right child; out, the first is that of the node. */
static void measure_inner(const collapse *job, uint32_t node, forest forests[2])
{
    const sli_collapse_plan *plan = job->plan;
    const uint32_t left = plan->binary->nodes[node].first, right = left + 1;
    const uint8_t higher =
        plan->height[left] > plan->height[right] ? plan->height[left] : plan->height[right];
    plan->triangles[node] = plan->triangles[left] + plan->triangles[right];
    plan->height[node] = plan->triangles[node] <= SLI_PACK ? 0 : (uint8_t)(higher + 1);
    const forest of_left = forests[0];
    plan_inner(job, node, &of_left, &forests[1], &forests[0]);
}

typedef struct visit {
    uint32_t node;
    int depth;
    bool opened; /* its children are on the stack above it, or done */
} visit;

/* Children before parents.  Above PARALLEL_DEPTH the forests of the subtrees there are taken from
 * job->forests, in order. */
static void measure_subtree(const collapse *job, visit root, forest *out)
{
    visit stack[2 * SLI_BINARY_DEPTH + 1];
    forest forests[SLI_BINARY_DEPTH + 2]; /* of done nodes whose parents are not done */
    int top = 0, done = 0;
    size_t taken = 0;
    stack[top++] = root;
    for (size_t visits = 0; top > 0; visits++) {
        sli_slices_pause_at(job->slices, visits, 256);
        visit *at = &stack[top - 1];
        const sli_node2 *node = &job->plan->binary->nodes[at->node];
        SL_ASSERT(done < SLI_BINARY_DEPTH + 2);
        if (at->depth == PARALLEL_DEPTH && root.depth < PARALLEL_DEPTH) {
            forests[done++] = job->forests[taken++];
            top--;
        } else if (node->count > 0) {
            measure_leaf(job, at->node, &forests[done++]);
            top--;
        } else if (at->opened) {
            done--;
            measure_inner(job, at->node, &forests[done - 1]);
            top--;
        } else {
            SL_ASSERT(top < 2 * SLI_BINARY_DEPTH);
            at->opened = true;
            const int depth = at->depth + 1;
            stack[top++] = (visit){ node->first + 1, depth, false };
            stack[top++] = (visit){ node->first, depth, false };
        }
    }
    *out = forests[0];
}

static void measure_subtrees(void *context, size_t i)
{
    const collapse *job = context;
    measure_subtree(job, (visit){ job->roots[i], PARALLEL_DEPTH, false }, &job->forests[i]);
}

static void measure_top(void *context)
{
    const collapse *job = context;
    forest all;
    measure_subtree(job, (visit){ 0, 0, false }, &all);
}

/* Lists the roots of the subtrees that are planned in parallel. */
static void find_roots(void *context)
{
    collapse *job = context;
    const sli_node2 *nodes = job->plan->binary->nodes;
    visit stack[PARALLEL_DEPTH + 1];
    int top = 0;
    job->root_area = sli_node2_half_area(&nodes[0]);
    job->chance_min = chance_of_memory / (double)job->plan->binary->ref_count;
    stack[top++] = (visit){ 0, 0, false };
    while (top > 0) {
        const visit at = stack[--top];
        if (at.depth == PARALLEL_DEPTH) {
            job->roots[job->root_count++] = at.node;
        } else if (nodes[at.node].count == 0) {
            stack[top++] = (visit){ nodes[at.node].first + 1, at.depth + 1, false };
            stack[top++] = (visit){ nodes[at.node].first, at.depth + 1, false };
        }
    }
}

static bool collapse_allocate(collapse *job, sli_arena *arena)
{
    const size_t count = job->plan->binary->node_count;
    const size_t roots = count < PARALLEL_MAX ? count : PARALLEL_MAX;
    sli_collapse_plan *plan = job->plan;
    plan->triangles = sli_arena_array(arena, count, sizeof *plan->triangles);
    plan->height = sli_arena_array(arena, count, sizeof *plan->height);
    plan->shares = sli_arena_array(arena, count, sizeof *plan->shares);
    plan->sizes = sli_arena_array(arena, count, sizeof *plan->sizes);
    job->roots = sli_arena_array(arena, roots, sizeof *job->roots);
    job->forests = sli_arena_array(arena, roots, sizeof *job->forests);
    return plan->triangles != NULL && plan->height != NULL && plan->shares != NULL &&
           plan->sizes != NULL && job->roots != NULL && job->forests != NULL;
}

sl_result sli_collapse(const sli_binary *binary, sli_arena *arena, const sli_phase *phase,
                       sli_collapse_plan *out)
{
    *out = (sli_collapse_plan){ .binary = binary };
    collapse job = { .plan = out, .slices = phase->slices };
    if (!collapse_allocate(&job, arena)) {
        return sli_fail_memory(phase->error);
    }
    sli_phase_once(phase, find_roots, &job);
    const sl_result result =
        sli_phase_run_each(phase, "collapse", job.root_count, 1, measure_subtrees, &job);
    if (result == SL_OK) {
        sli_phase_once(phase, measure_top, &job);
        SL_ASSERT(out->height[0] <= 3 * SLI_MAX_DEPTH);
    }
    return result;
}
