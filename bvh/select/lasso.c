/* Polygons made ready: sides, and those of them that part inside from outside. */
#include "bvh/select/lasso.h"

#include "bvh/select/planar.h"
#include "lib/base/memory.h"
#include "lib/geom/exact/predicates.h"

#include <string.h>

static bool reserve(const sl_allocator *allocator, sli_sides *sides, size_t count)
{
    void *items = sides->sides;
    const bool done =
        sli_grow_array(allocator, &items, &sides->capacity, count, sizeof *sides->sides);
    sides->sides = items;
    return done;
}

static bool is_point(const sli_side *side)
{
    return side->at[0][0] == side->at[1][0] && side->at[0][1] == side->at[1][1];
}

static void list_sides(const double *corners, size_t count, sli_sides *out)
{
    for (size_t i = 0; i < count; i++) {
        const double *p = corners + 2 * i, *q = corners + 2 * (i + 1 < count ? i + 1 : 0);
        for (int axis = 0; axis < 2; axis++) {
            out->sides[i].at[0][axis] = sli_planar_number(p[axis]);
            out->sides[i].at[1][axis] = sli_planar_number(q[axis]);
        }
    }
    out->count = count;
}

/* ---- Reduced sides ---- */

/* Orders sides, whose first end comes first, by direction, then by line, then by first end. */
static int compare_lines(const sli_side *a, const sli_side *b)
{
    sli_decision_stage stage = SLI_STAGE_DOUBLE;
    const int turn = sli_cross2d(a->at[0], a->at[1], b->at[0], b->at[1], &stage);
    return turn != 0 ? turn : sli_orient2d(a->at[0], a->at[1], b->at[0]);
}

static bool side_before(const sli_side *a, const sli_side *b)
{
    const int sign = compare_lines(a, b);
    return sign != 0 ? sign > 0 : sli_before(a->at[0], b->at[0]);
}

static void sink(sli_side *sides, size_t at, size_t count)
{
    const sli_side moved = sides[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && side_before(&sides[child], &sides[child + 1]);
        if (!side_before(&moved, &sides[child])) {
            break;
        }
        sides[at] = sides[child];
        at = child;
    }
    sides[at] = moved;
}

/* Heap sort: needs no memory, and no input makes it slow. */
static void sort_sides(sli_side *sides, size_t count)
{
    for (size_t i = count / 2; i > 0; i--) {
        sink(sides, i - 1, count);
    }
    for (size_t end = count; end > 1; end--) {
        const sli_side last = sides[end - 1];
        sides[end - 1] = sides[0];
        sides[0] = last;
        sink(sides, 0, end - 1);
    }
}

static void sink_point(double (*points)[2], size_t at, size_t count)
{
    const double moved[2] = { points[at][0], points[at][1] };
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && sli_before(points[child], points[child + 1]);
        if (!sli_before(moved, points[child])) {
            break;
        }
        memcpy(points[at], points[child], sizeof points[at]);
        at = child;
    }
    memcpy(points[at], moved, sizeof moved);
}

static void sort_points(double (*points)[2], size_t count)
{
    for (size_t i = count / 2; i > 0; i--) {
        sink_point(points, i - 1, count);
    }
    for (size_t end = count; end > 1; end--) {
        double last[2];
        memcpy(last, points[end - 1], sizeof last);
        memcpy(points[end - 1], points[0], sizeof last);
        memcpy(points[0], last, sizeof last);
        sink_point(points, 0, end - 1);
    }
}

/* Sides of one line: what an odd number of them run along lies between their ends in pairs.
 * Returns how many sides are left, in place. */
static size_t reduce_line(sli_side *sides, size_t count)
{
    size_t kept = 0;
    sort_points(&sides->at[0], 2 * count);
    for (size_t i = 0; i < count; i++) {
        if (!is_point(&sides[i])) {
            sides[kept++] = sides[i];
        }
    }
    return kept;
}

static void reduce(const sli_sides *all, sli_sides *out)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        const sli_side *side = &all->sides[i];
        if (!is_point(side)) {
            const bool turned = sli_before(side->at[1], side->at[0]);
            memcpy(out->sides[count].at[0], side->at[turned], sizeof side->at[0]);
            memcpy(out->sides[count++].at[1], side->at[!turned], sizeof side->at[0]);
        }
    }
    sort_sides(out->sides, count);
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && compare_lines(&out->sides[begin], &out->sides[end]) == 0) {
            end++;
        }
        const size_t left = reduce_line(out->sides + begin, end - begin);
        memmove(out->sides + kept, out->sides + begin, left * sizeof *out->sides);
        kept += left;
    }
    out->count = kept;
}

bool sli_lasso_prepare(const sl_allocator *allocator, const double *corners, size_t count,
                       const double grid[4], sli_lasso *out)
{
    if (!reserve(allocator, &out->all, count) || !reserve(allocator, &out->reduced, count)) {
        return false;
    }
    list_sides(corners, count, &out->all);
    reduce(&out->all, &out->reduced);
    return sli_lasso_grid_make(allocator, count, grid, out);
}

static void free_sides(const sl_allocator *allocator, sli_sides *sides)
{
    sli_free_array(allocator, sides->sides, sides->capacity, sizeof *sides->sides);
    sli_free_array(allocator, sides->listed, sides->listed_capacity, sizeof *sides->listed);
}

void sli_lasso_free(const sl_allocator *allocator, sli_lasso *lasso)
{
    free_sides(allocator, &lasso->all);
    free_sides(allocator, &lasso->reduced);
    sli_free_array(allocator, lasso->listed, lasso->listed_capacity, sizeof *lasso->listed);
    sli_free_array(allocator, lasso->grid, lasso->grid != NULL, sizeof *lasso->grid);
}
