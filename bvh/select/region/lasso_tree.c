/* The tree over a polygon's sides: cells are parted at a column or a row, where that leaves the
 * fewest sides for the area, until few sides meet each.
 *
 * Budget   a side is listed in all cells that it may meet, so crossing sides may be listed any
 *          number of times.  A cell gets a share of all entries, and of all nodes, and shares it
 *          with its parts by their sides; what would take more than that stays whole.
 * Inside   is what has an odd number of parting sides to its right.  What is known of one position
 *          tells of another one in the same cell by the sides that the way between them crosses:
 *          up or down, then along a row.  Ties are broken by infinitesimal steps, so that no such
 *          way goes through an end of a side or along a side, and all is exact.  Of the steps of a
 *          leaf's middle, up and right, the first is larger than all others, the second smaller. */
#include "bvh/select/region/lasso_tree.h"

#include "bvh/scene/top.h"
#include "bvh/select/region/lasso_sides.h"
#include "bvh/select/region/planar.h"
#include "lib/base/memory.h"
#include "lib/geom/exact/predicates.h"

#include <math.h>
#include <string.h>

enum {
    FEW = 12,     /* sides that a cell is not parted for */
    SAMPLES = 32, /* sides that choose where a cell is parted */
    IDLE_MAX = 4  /* cells in a row that have all sides of the one around them */
};

/* What another such cell costs, beside the share of its sides. */
#define IDLE 0.1

/* ---- Ways between positions ---- */

static int lasso_tree_order(double a, double b)
{
    return (a > b) - (a < b);
}

/* Whether a number is more than a coordinate of a nudged position. */
static bool is_more(double x, const sli_nudged *than, int axis)
{
    int sign = lasso_tree_order(x, than->at[axis]);
    for (int i = 0; i < 2 && sign == 0; i++) {
        sign = lasso_tree_order(than->step[i][0][axis], than->step[i][1][axis]);
    }
    return sign > 0;
}

/* On which side of a line a nudged position lies: 1 is the left. */
static int turn_of(const sli_side *side, const sli_nudged *at)
{
    sli_decision_stage stage = SLI_STAGE_DOUBLE;
    int sign = sli_orient2d(side->at[0], side->at[1], at->at);
    for (int i = 0; i < 2 && sign == 0; i++) {
        sign = sli_cross2d(side->at[0], side->at[1], at->step[i][0], at->step[i][1], &stage);
    }
    return sign;
}

/* The same where the way turns: in the column of a nudged position, in the row of a middle. */
static int turn_of_corner(const sli_side *side, const sli_nudged *column, double y)
{
    const double at[2] = { column->at[0], y };
    const int sign = sli_orient2d(side->at[0], side->at[1], at);
    if (sign != 0 || side->at[0][0] < side->at[1][0]) {
        return sign != 0 ? sign : 1;
    }
    return is_more(side->at[0][0], column, 0) ? 1 : -1;
}

static int turn_of_middle(const sli_side *side, const double middle[2])
{
    const int sign = sli_orient2d(side->at[0], side->at[1], middle);
    return sign != 0 ? sign : side->at[0][0] < side->at[1][0] ? 1 : -1;
}

/* Whether the way from a nudged position to a middle crosses a side an odd number of times. */
static bool side_crosses(const sli_side *side, const sli_nudged *from, const double middle[2])
{
    const double *p = side->at[0], *q = side->at[1];
    const double y = middle[1], a = from->at[1] < y ? from->at[1] : y;
    const double b = from->at[1] < y ? y : from->at[1];
    const bool column = is_more(p[0], from, 0) != is_more(q[0], from, 0) &&
                        !(p[1] < a && q[1] < a) && !(p[1] > b && q[1] > b);
    const bool row = (p[1] > y) != (q[1] > y);
    if (!column && !row) {
        return false;
    }
    const int corner = turn_of_corner(side, from, y);
    return (column && turn_of(side, from) != corner) !=
           (row && turn_of_middle(side, middle) != corner);
}

bool sli_side_may_intersect(const sli_side *side, const double low[2], const double high[2])
{
    if (sli_side_is_apart(side, low, high)) {
        return false;
    }
    const double *p = side->at[0], *q = side->at[1];
    const double dx = q[0] - p[0], dy = q[1] - p[1]; /* dx is not negative */
    const double top = dx * (high[1] - p[1]), bottom = dx * (low[1] - p[1]);
    const double left = dy * ((dy > 0 ? low[0] : high[0]) - p[0]);
    const double right = dy * ((dy > 0 ? high[0] : low[0]) - p[0]);
    return top - left >= (fabs(top) + fabs(left)) * -0x1p-49 &&
           bottom - right <= (fabs(bottom) + fabs(right)) * 0x1p-49;
}

/* ---- Building ---- */

typedef struct cell {
    double low[2], high[2], middle[2];
    bool odd;
    size_t count;          /* of its sides, which are the topmost ones of what is pending */
    size_t entries, nodes; /* that it and its parts may take; nodes without itself */
    int depth, idle;
} cell;

/* Sides of leaves fill listed from its beginning, those of pending cells from its end. */
typedef struct build {
    const sli_lasso *lasso;
    sli_lasso_tree *tree;
    const double *grid;
    size_t filled, top;
} build;

static void middle_of(const double low[2], const double high[2], double out[2])
{
    for (int axis = 0; axis < 2; axis++) {
        out[axis] = sli_planar_number(low[axis] + 0.5 * (high[axis] - low[axis]));
    }
}

/* Between which numbers of an axis a side goes, within the cell. */
static void extent_of(const cell *c, const sli_side *side, int axis, double out[2])
{
    const double a = side->at[0][axis], b = side->at[1][axis];
    out[0] = fmax(a < b ? a : b, c->low[axis]);
    out[1] = fmin(a < b ? b : a, c->high[axis]);
}

typedef struct choice {
    int axis;
    double at, cost;
} choice;

/* What is left to look at on average, as a share of the cell's sides. */
static void choice_consider(const cell *c, int axis, double at, double (*extents)[2], int count,
                            choice *best)
{
    const double low = c->low[axis], high = c->high[axis];
    double left = 0, right = 0;
    if (!(low < at && at < high)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        left += extents[i][0] < at;
        right += extents[i][1] >= at;
    }
    const bool idle = left == count || right == count;
    if (idle && c->idle >= IDLE_MAX) {
        return;
    }
    const double cost =
        (idle ? IDLE : 0) + (left * (at - low) + right * (high - at)) / (count * (high - low));
    if (cost < best->cost) {
        *best = (choice){ axis, at, cost };
    }
}

/* Where to part a cell; false where it cannot be. */
static bool cell_choose(const build *b, const cell *c, choice *out)
{
    const uint32_t *listed = b->tree->listed + b->top;
    const int count = c->count < SAMPLES ? (int)c->count : SAMPLES;
    const int first = c->high[0] - c->low[0] < c->high[1] - c->low[1];
    *out = (choice){ .cost = INFINITY };
    for (int k = 0; k < 2; k++) {
        const int axis = k == 0 ? first : !first;
        double extents[SAMPLES][2], middles[SAMPLES];
        for (int i = 0; i < 2; i++) { /* first of all at the border of the grid */
            const double at = sli_planar_number(b->grid[axis + 2 * i]);
            if (c->low[axis] < at && at < c->high[axis]) {
                *out = (choice){ axis, at, 0 };
                return true;
            }
        }
        for (int i = 0; i < count; i++) {
            const size_t at = c->count * (size_t)i / (size_t)count;
            extent_of(c, &b->lasso->all.sides[listed[at]], axis, extents[i]);
            middles[i] = extents[i][0] + 0.5 * (extents[i][1] - extents[i][0]);
        }
        choice_consider(c, axis, c->middle[axis], extents, count, out);
        choice_consider(c, axis, sli_planar_number(sli_median(middles, (size_t)count)), extents,
                        count, out);
    }
    return out->cost < INFINITY;
}

/* The two parts, by what is known of the middle of the whole. */
static void cell_part(const build *b, const cell *c, const choice *at, cell parts[2])
{
    sli_nudged middles[2];
    for (int i = 0; i < 2; i++) {
        parts[i] = *c;
        (i == 0 ? parts[i].high : parts[i].low)[at->axis] = at->at;
        parts[i].depth++;
        parts[i].count = 0;
        middle_of(parts[i].low, parts[i].high, parts[i].middle);
        sli_lasso_nudge(parts[i].middle, &middles[i]);
    }
    for (size_t k = 0; k < c->count; k++) {
        const uint32_t number = b->tree->listed[b->top + k];
        for (int i = 0; i < 2 && sli_side_parts(b->lasso, number); i++) {
            parts[i].odd ^= side_crosses(&b->lasso->all.sides[number], &middles[i], c->middle);
        }
    }
}

/* Writes the sides of the parts, the first one's topmost, over those of the whole, unless they are
 * too many. */
static bool cell_share(build *b, const cell *c, cell parts[2])
{
    uint32_t *listed = b->tree->listed;
    size_t at = b->top;
    for (int i = 1; i >= 0; i--) {
        for (size_t k = c->count; k > 0; k--) {
            const uint32_t number = listed[b->top + k - 1];
            if (sli_side_may_intersect(&b->lasso->all.sides[number], parts[i].low, parts[i].high)) {
                listed[--at] = number;
                parts[i].count++;
            }
        }
    }
    const size_t both = parts[0].count + parts[1].count;
    if (both > c->entries) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const double part = both > 0 ? (double)parts[i].count / (double)both : 0;
        const size_t entries = (size_t)((double)c->entries * part);
        parts[i].entries = entries > parts[i].count ? entries : parts[i].count;
        parts[i].nodes = (size_t)((double)(c->nodes - 2) * part);
        parts[i].idle = parts[i].count == c->count ? c->idle + 1 : 0;
    }
    if (parts[0].entries + parts[1].entries > c->entries) { /* which was rounded */
        parts[parts[1].entries > parts[1].count].entries--;
    }
    memmove(listed + b->top + c->count - both, listed + at, both * sizeof *listed);
    b->top = b->top + c->count - both;
    return true;
}

static void cell_make_leaf(build *b, const cell *c, sli_lasso_node *out)
{
    sli_lasso_tree *tree = b->tree;
    memmove(tree->listed + b->filled, tree->listed + b->top, c->count * sizeof *tree->listed);
    *out = (sli_lasso_node){
        .first = (uint32_t)b->filled,
        .count = (uint32_t)c->count,
        .kind = SLI_LASSO_LEAF,
        .odd = c->odd,
    };
    b->filled += c->count;
    b->top += c->count;
}

static void cell_make_node(build *b, const cell *c, size_t number)
{
    sli_lasso_tree *tree = b->tree;
    choice at;
    cell parts[2];
    bool parted =
        c->count > FEW && c->depth < SLI_LASSO_DEPTH && c->nodes >= 2 && cell_choose(b, c, &at);
    if (parted) {
        cell_part(b, c, &at, parts);
        parted = cell_share(b, c, parts);
    }
    if (!parted) {
        cell_make_leaf(b, c, &tree->nodes[number]);
        return;
    }
    const size_t first = tree->node_count;
    tree->node_count += 2;
    tree->nodes[number] =
        (sli_lasso_node){ .at = at.at, .first = (uint32_t)first, .kind = (uint8_t)at.axis };
    for (size_t i = 0; i < 2; i++) {
        cell_make_node(b, &parts[i], first + i);
    }
}

/* All sides, and what is known of the middle by those to the right of it. */
static void root_begin(build *b, cell *root)
{
    const sli_sides *all = &b->lasso->all;
    sli_lasso_tree *tree = b->tree;
    for (int axis = 0; axis < 2; axis++) {
        tree->low[axis] = INFINITY;
        tree->high[axis] = -INFINITY;
        for (size_t i = 0; i < 2 * all->count; i++) {
            const double at = all->sides[i / 2].at[i % 2][axis];
            tree->low[axis] = at < tree->low[axis] ? at : tree->low[axis];
            tree->high[axis] = at > tree->high[axis] ? at : tree->high[axis];
        }
    }
    memcpy(root->low, tree->low, sizeof root->low);
    memcpy(root->high, tree->high, sizeof root->high);
    middle_of(root->low, root->high, root->middle);
    b->top = tree->listed_capacity - all->count;
    for (size_t i = 0; i < all->count; i++) {
        const sli_side *side = &all->sides[i];
        const bool up = side->at[1][1] > root->middle[1];
        tree->listed[b->top + i] = (uint32_t)i;
        if (sli_side_parts(b->lasso, i) && up != (side->at[0][1] > root->middle[1])) {
            root->odd ^= turn_of_middle(side, root->middle) == (up ? 1 : -1);
        }
    }
}

static size_t size_between(size_t least, size_t x, size_t most)
{
    return x < least ? least : x > most ? most : x;
}

bool sli_lasso_tree_make(const sl_allocator *allocator, size_t corners, const double grid[4],
                         sli_lasso *lasso)
{
    /* A polygon has twice as many sides as corners at most, counting pieces of sides.  Parting a
     * cell takes twice as many entries as it has for a while. */
    const size_t entries = size_between(4 * corners, (size_t)1 << 20, 64 * corners);
    const size_t nodes = size_between(2 * corners, (size_t)1 << 17, 8 * corners);
    sli_lasso_tree *tree = &lasso->tree;
    if (!sli_grow_array(allocator, (void **)&tree->listed, &tree->listed_capacity,
                        entries + 4 * corners, sizeof *tree->listed) ||
        !sli_grow_array(allocator, (void **)&tree->nodes, &tree->node_capacity, nodes + 1,
                        sizeof *tree->nodes)) {
        return false;
    }
    build b = { .lasso = lasso, .tree = tree, .grid = grid };
    cell root = { .count = lasso->all.count, .entries = entries, .nodes = nodes };
    root_begin(&b, &root);
    tree->node_count = 1;
    cell_make_node(&b, &root, 0);
    return true;
}

/* ---- Asking ---- */

void sli_lasso_leaf_at(const sli_lasso_tree *tree, const double at[2], sli_lasso_leaf *out)
{
    const sli_lasso_node *node = tree->nodes;
    memcpy(out->low, tree->low, sizeof out->low);
    memcpy(out->high, tree->high, sizeof out->high);
    while (node->kind != SLI_LASSO_LEAF) {
        const bool second = at[node->kind] >= node->at;
        (second ? out->low : out->high)[node->kind] = node->at;
        node = &tree->nodes[node->first + second];
    }
    out->node = node;
}

void sli_lasso_leaf_middle(const sli_lasso_leaf *leaf, double out[2])
{
    middle_of(leaf->low, leaf->high, out);
}

void sli_lasso_walk_begin(const sli_lasso_tree *tree, const double low[2], const double high[2],
                          sli_lasso_walk *out)
{
    out->tree = tree;
    memcpy(out->low, low, sizeof out->low);
    memcpy(out->high, high, sizeof out->high);
    out->stack[0] = 0;
    out->size = 1;
    out->next = out->end = NULL;
}

const sli_lasso_node *sli_lasso_walk_next(sli_lasso_walk *walk)
{
    while (walk->size > 0) {
        const sli_lasso_node *node = &walk->tree->nodes[walk->stack[--walk->size]];
        if (node->kind == SLI_LASSO_LEAF) {
            return node;
        }
        if (walk->high[node->kind] >= node->at) {
            walk->stack[walk->size++] = node->first + 1;
        }
        if (walk->low[node->kind] < node->at) {
            walk->stack[walk->size++] = node->first;
        }
    }
    return NULL;
}

bool sli_lasso_walk_side(sli_lasso_walk *walk, uint32_t *number)
{
    while (walk->next == walk->end) {
        const sli_lasso_node *leaf = sli_lasso_walk_next(walk);
        if (leaf == NULL) {
            return false;
        }
        walk->next = walk->tree->listed + leaf->first;
        walk->end = walk->next + leaf->count;
    }
    *number = *walk->next++;
    return true;
}

bool sli_lasso_is_odd(const sli_lasso *lasso, const sli_nudged *from)
{
    const sli_lasso_tree *tree = &lasso->tree;
    sli_lasso_leaf leaf;
    double middle[2];
    for (int axis = 0; axis < 2; axis++) {
        if (from->at[axis] < tree->low[axis] || from->at[axis] > tree->high[axis]) {
            return false;
        }
    }
    sli_lasso_leaf_at(tree, from->at, &leaf);
    sli_lasso_leaf_middle(&leaf, middle);
    bool odd = leaf.node->odd;
    for (uint32_t i = 0; i < leaf.node->count; i++) {
        const uint32_t number = tree->listed[leaf.node->first + i];
        if (sli_side_parts(lasso, number)) {
            odd ^= side_crosses(&lasso->all.sides[number], from, middle);
        }
    }
    return odd;
}
