/* Polygons made ready, and what one says about points, segments and triangles, exactly.
 *
 * Inside   A point on no side is not moved out of there by an infinitesimal step, so ties are
 *          broken by such steps: of a triangle's inside, e (v1 - v0) + e^2 (v2 - v0) from its first
 *          corner. */
#include "bvh/select/region/lasso.h"

#include "bvh/select/region/lasso_grid.h"
#include "bvh/select/region/lasso_segment.h"
#include "bvh/select/region/lasso_sides.h"
#include "bvh/select/region/lasso_tree.h"
#include "bvh/select/region/planar.h"
#include "lib/base/memory.h"
#include "lib/geom/exact/predicates.h"

#include <string.h>

bool sli_lasso_prepare(const sl_allocator *allocator, const double *corners, size_t count,
                       const double grid[4], sli_lasso *out)
{
    return sli_lasso_sides_make(allocator, corners, count, out) &&
           sli_lasso_tree_make(allocator, count, grid, out) &&
           sli_lasso_grid_make(allocator, count, grid, out);
}

void sli_lasso_free(const sl_allocator *allocator, sli_lasso *lasso)
{
    sli_sides *all = &lasso->all;
    sli_lasso_tree *tree = &lasso->tree;
    sli_free_array(allocator, all->sides, all->capacity, sizeof *all->sides);
    sli_free_array(allocator, all->listed, all->listed_capacity, sizeof *all->listed);
    sli_free_array(allocator, lasso->scratch.sides, lasso->scratch.capacity,
                   sizeof *lasso->scratch.sides);
    sli_free_array(allocator, tree->nodes, tree->node_capacity, sizeof *tree->nodes);
    sli_free_array(allocator, tree->listed, tree->listed_capacity, sizeof *tree->listed);
    sli_free_array(allocator, lasso->listed, lasso->listed_capacity, sizeof *lasso->listed);
    sli_free_array(allocator, lasso->grid, lasso->grid != NULL, sizeof *lasso->grid);
}

size_t sli_lasso_bytes(const sli_lasso *lasso)
{
    const sli_lasso_tree *tree = &lasso->tree;
    const size_t numbers =
        lasso->all.listed_capacity + tree->listed_capacity + lasso->listed_capacity;
    return (lasso->all.capacity + lasso->scratch.capacity) * sizeof(sli_side) +
           numbers * sizeof(uint32_t) + tree->node_capacity * sizeof *tree->nodes +
           (lasso->grid != NULL ? sizeof *lasso->grid : 0);
}

/* ---- Inside ---- */

/* A point, by any steps. */
static bool is_odd_at(const sli_lasso *lasso, const double point[2])
{
    sli_nudged from;
    sli_lasso_nudge(point, &from);
    return sli_lasso_is_odd(lasso, &from);
}

/* What lies inside a triangle, next to its first corner. */
static bool is_odd_in(const sli_lasso *lasso, const double (*triangle)[2])
{
    sli_nudged from;
    memcpy(from.at, triangle[0], sizeof from.at);
    for (int i = 0; i < 2; i++) {
        memcpy(from.step[i][0], triangle[0], sizeof from.step[i][0]);
        memcpy(from.step[i][1], triangle[1 + i], sizeof from.step[i][1]);
    }
    return sli_lasso_is_odd(lasso, &from);
}

static bool is_on_side(const sli_lasso *lasso, const double point[2])
{
    const sli_lasso_tree *tree = &lasso->tree;
    const double at[1][2] = { { point[0], point[1] } };
    sli_lasso_leaf leaf;
    sli_lasso_leaf_at(tree, point, &leaf);
    for (uint32_t i = 0; i < leaf.node->count; i++) {
        const uint32_t number = tree->listed[leaf.node->first + i];
        if (sli_side_touches(lasso, number) &&
            sli_planar_intersect(at, 1, (const double(*)[2])lasso->all.sides[number].at, 2)) {
            return true;
        }
    }
    return false;
}

bool sli_lasso_has(const sli_lasso *lasso, const double point[2])
{
    return is_odd_at(lasso, point) || is_on_side(lasso, point);
}

/* ---- Sides near an outline ---- */

typedef struct span {
    double low[2], high[2];
} span;

static span span_of(const double (*outline)[2], int count)
{
    span s;
    for (int axis = 0; axis < 2; axis++) {
        s.low[axis] = s.high[axis] = outline[0][axis];
        for (int i = 1; i < count; i++) {
            s.low[axis] = outline[i][axis] < s.low[axis] ? outline[i][axis] : s.low[axis];
            s.high[axis] = outline[i][axis] > s.high[axis] ? outline[i][axis] : s.high[axis];
        }
    }
    return s;
}

/* Whether a side meets the outline; with pierced, one that parts its inside. */
static bool any_side_intersects(const sli_lasso *lasso, const span *s, const double (*outline)[2],
                                int count, bool pierced)
{
    sli_lasso_walk walk;
    uint32_t number;
    sli_lasso_walk_begin(&lasso->tree, s->low, s->high, &walk);
    while (sli_lasso_walk_side(&walk, &number)) {
        const sli_side *side = &lasso->all.sides[number];
        if (!(pierced ? sli_side_parts(lasso, number) : sli_side_touches(lasso, number)) ||
            sli_side_is_apart(side, s->low, s->high)) {
            continue;
        }
        if (pierced ? sli_planar_pierces((const double(*)[2])side->at, outline)
                    : sli_planar_intersect((const double(*)[2])side->at, 2, outline, count)) {
            return true;
        }
    }
    return false;
}

bool sli_lasso_touches(const sli_lasso *lasso, const double (*outline)[2], int count)
{
    const span s = span_of(outline, count);
    return is_odd_at(lasso, outline[0]) || any_side_intersects(lasso, &s, outline, count, false);
}

bool sli_lasso_holds(const sli_lasso *lasso, const double (*outline)[2], int count)
{
    if (count == 3 && sli_orient2d(outline[0], outline[1], outline[2]) != 0) {
        const span s = span_of(outline, 3);
        return is_odd_in(lasso, outline) && !any_side_intersects(lasso, &s, outline, 3, true);
    }
    const double *first = outline[0], *last = outline[0];
    for (int i = 1; i < count; i++) {
        first = sli_before(outline[i], first) ? outline[i] : first;
        last = sli_before(last, outline[i]) ? outline[i] : last;
    }
    return sli_before(first, last) ? sli_lasso_holds_segment(lasso, first, last)
                                   : sli_lasso_has(lasso, first);
}
