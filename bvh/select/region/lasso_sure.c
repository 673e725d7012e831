/* What a polygon says about estimated positions: sure for all positions within their errors, or
 * unknown.  Most boxes and triangles at a polygon's border are decided here, several at a time, by
 * the few sides that come near them.
 *
 * Lines    a determinant in doubles is off by less than 2^-49 of its two products' sizes; what a
 *          position is off by is times the extent of the line's side.
 * Middle   of a cell, of which it is known whether it is in the polygon.  A position is there, too,
 *          if the straight way from one to the other crosses an even number of sides, none of which
 *          touches it: all sides that may be there are listed.  Where an end of the way may be on a
 *          side's line, or an end of a side on that of the way, nothing is known.
 * Free     of a side's line all corners of a triangle are surely strictly on one side: then the
 *          side has no point in common with it. */
#include "bvh/select/region/lasso_sure.h"

#include "bvh/select/region/lasso_tree.h"

#include <math.h>

/* Cells that are worth looking at one by one. */
enum { SPAN_MAX = 256 };

enum { POINTS_MAX = 12 };

#define ROUNDING 0x1p-49
#define ROOM     (1 + 0x1p-40)

/* ---- Sides nearby ---- */

/* Sides found so far.  seen: a bit for each number that was, modulo 64. */
typedef struct found {
    const sli_side **near;
    int count; /* -1: there was no room */
    uint64_t seen;
} found;

static bool is_found(const found *f, const sli_side *side)
{
    for (int i = 0; i < f->count; i++) {
        if (f->near[i] == side) {
            return true;
        }
    }
    return false;
}

/* Adds those of a list of sides that come near the bounds. */
static void found_add_sides(const sli_lasso *lasso, const uint32_t *numbers, uint32_t count,
                            const double low[2], const double high[2], found *f)
{
    for (uint32_t i = 0; i < count; i++) {
        const sli_side *side = &lasso->all.sides[numbers[i]];
        const uint64_t bit = 1ull << (numbers[i] % 64);
        if (sli_side_is_apart(side, low, high) || ((f->seen & bit) != 0 && is_found(f, side))) {
            continue;
        }
        if (f->count == SLI_LASSO_NEAR) {
            f->count = -1;
            return;
        }
        f->seen |= bit;
        f->near[f->count++] = side;
    }
}

static void found_add_cell(const sli_lasso *lasso, int row, int column, const double low[2],
                           const double high[2], found *f)
{
    const sli_lasso_grid *grid = lasso->grid;
    const uint32_t *first = &grid->first[row * SLI_LASSO_CELLS + column];
    if ((grid->cell[row][column] & SLI_CELL_CROWDED) != 0) {
        f->count = -1;
        return;
    }
    found_add_sides(lasso, lasso->listed + first[0], first[1] - first[0], low, high, f);
}

/* A cell in the middle of those from one to another one. */
static void choose_middle(const sli_lasso *lasso, const int from[2], const int to[2],
                          sli_lasso_vicinity *out)
{
    const int column = (from[0] + to[0]) / 2, row = (from[1] + to[1]) / 2;
    const uint8_t cell = lasso->grid->cell[row][column];
    out->middle[0] = sli_lasso_middle(lasso, 0, column);
    out->middle[1] = sli_lasso_middle(lasso, 1, row);
    out->side = (cell & SLI_CELL_KNOWN) == 0 ? 0 : (cell & SLI_CELL_ODD) != 0 ? 1 : -1;
}

/* The least bounds around bounds and a position. */
static void hull_of(const double low[2], const double high[2], const double at[2], double least[2],
                    double most[2])
{
    for (int axis = 0; axis < 2; axis++) {
        least[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
        most[axis] = at[axis] > high[axis] ? at[axis] : high[axis];
    }
}

static void look_in_grid(const sli_lasso *lasso, const int from[2], const int to[2],
                         const double low[2], const double high[2], sli_lasso_vicinity *out)
{
    double least[2], most[2];
    found f = { .near = out->near };
    choose_middle(lasso, from, to, out);
    hull_of(low, high, out->middle, least, most);
    for (int row = from[1]; row <= to[1] && f.count >= 0; row++) {
        for (int column = from[0]; column <= to[0] && f.count >= 0; column++) {
            found_add_cell(lasso, row, column, least, most, &f);
        }
    }
    out->count = out->side != 0 ? f.count : -1;
    out->all = out->count == 0 ? out->side : 0;
}

/* By the leaf of the tree that the middle of the bounds lies in: its own middle, where that is on
 * no side, is where infinitesimal steps take it. */
static void look_in_tree(const sli_lasso *lasso, const double low[2], const double high[2],
                         sli_lasso_vicinity *out)
{
    const sli_lasso_tree *tree = &lasso->tree;
    const sli_lasso_node *node;
    sli_lasso_leaf leaf;
    sli_lasso_walk walk;
    found f = { .near = out->near };
    double at[2], least[2], most[2];
    for (int axis = 0; axis < 2; axis++) {
        at[axis] = 0.5 * (low[axis] + high[axis]);
        if (!(at[axis] >= tree->low[axis] && at[axis] <= tree->high[axis])) {
            return;
        }
    }
    sli_lasso_leaf_at(tree, at, &leaf);
    sli_lasso_leaf_middle(&leaf, out->middle);
    out->side = leaf.node->odd ? 1 : -1;
    hull_of(low, high, out->middle, least, most);
    sli_lasso_walk_begin(tree, least, most, &walk);
    while (f.count >= 0 && (node = sli_lasso_walk_next(&walk)) != NULL) {
        found_add_sides(lasso, tree->listed + node->first, node->count, least, most, &f);
    }
    out->count = f.count;
    out->all = f.count == 0 ? out->side : 0;
}

void sli_lasso_look(const sli_lasso *lasso, const double low[2], const double high[2],
                    sli_lasso_vicinity *out)
{
    int from[2], to[2];
    for (int axis = 0; axis < 2; axis++) {
        from[axis] = sli_lasso_cell(lasso, axis, low[axis]);
        to[axis] = sli_lasso_cell(lasso, axis, high[axis]);
    }
    out->all = 0;
    out->count = -1;
    out->parting = lasso->all.sides + lasso->all.parting;
    if ((to[0] - from[0] + 1) * (to[1] - from[1] + 1) <= SPAN_MAX) {
        look_in_grid(lasso, from, to, low, high, out);
    }
    if (out->count < 0) {
        look_in_tree(lasso, low, high, out);
    }
}

/* ---- Lines ---- */

typedef struct line {
    double p[2], along[2], size; /* size: |along x| + |along y| */
} line;

static line line_of(const sli_side *side)
{
    const double *p = side->at[0], *q = side->at[1];
    const double x = q[0] - p[0], y = q[1] - p[1];
    return (line){ { p[0], p[1] }, { x, y }, fabs(x) + fabs(y) };
}

/* Of positions beside a line: by how much they surely are on its left, and on its right, where that
 * is more than 0. */
static inline void line_judge(const line *l, const double *restrict x, const double *restrict y,
                              double off, int count, double *restrict left, double *restrict right)
{
    const double fixed = l->size * off * ROOM;
    for (int i = 0; i < count; i++) {
        const double up = l->along[0] * (y[i] - l->p[1]), down = l->along[1] * (x[i] - l->p[0]);
        const double det = up - down;
        const double bound = (fabs(up) + fabs(down)) * ROUNDING + fixed;
        left[i] = det - bound;
        right[i] = -det - bound;
    }
}

/* Turns the side of each position where the way to it from the middle crosses the side; 0 where
 * that is not known.  with, against: by how much they are on the side of its line that the middle
 * is on, and on the other one. */
static inline void way_cross(const sli_lasso_vicinity *vicinity, const sli_side *near,
                             const double *restrict with, const double *restrict against,
                             const double *restrict x, const double *restrict y, double off,
                             int count, double *restrict side)
{
    const double ax = near->at[0][0] - vicinity->middle[0],
                 ay = near->at[0][1] - vicinity->middle[1];
    const double bx = near->at[1][0] - vicinity->middle[0],
                 by = near->at[1][1] - vicinity->middle[1];
    const double a_off = (fabs(ax) + fabs(ay)) * off * ROOM;
    const double b_off = (fabs(bx) + fabs(by)) * off * ROOM;
    const double flip = near >= vicinity->parting ? -1 : 1;
    for (int i = 0; i < count; i++) {
        /* The way turns about the middle as its end moves: at an end of the side by as much, if
         * that is as far away. */
        const double dx = x[i] - vicinity->middle[0], dy = y[i] - vicinity->middle[1];
        const double a = dx * ay - dy * ax, b = dx * by - dy * bx;
        const double a_bound = (fabs(dx * ay) + fabs(dy * ax)) * ROUNDING + a_off;
        const double b_bound = (fabs(dx * by) + fabs(dy * bx)) * ROUNDING + b_off;
        const double sure_a = fabs(a) > a_bound ? a : 0, sure_b = fabs(b) > b_bound ? b : 0;
        const double turned = sure_a < 0 ? -sure_b : sure_b; /* less than 0: it parts the ends */
        const double parts = sure_a == 0 ? 0 : turned;
        const double across = against[i] > 0 ? parts : 0;
        const double turn = with[i] > 0 ? 1 : across; /* less than 0: it is crossed; 0: not known */
        const double crossed = turn < 0 ? flip * side[i] : side[i];
        side[i] = turn == 0 ? 0 : crossed;
    }
}

/* ---- Points and triangles ---- */

static inline void sides_start(const sli_lasso_vicinity *vicinity, int count, double *side)
{
    for (int i = 0; i < count; i++) {
        side[i] = vicinity->side;
    }
}

static inline double least_of(const double *x, int count)
{
    double least = x[0];
    for (int i = 1; i < count; i++) {
        least = x[i] < least ? x[i] : least;
    }
    return least;
}

/* One side nearby.  left, right: of its line. */
static inline void side_judge(const sli_lasso_vicinity *vicinity, const sli_side *near,
                              const double *x, const double *y, double off, int count, double *left,
                              double *right, double *side)
{
    const line l = line_of(near);
    double middle_left, middle_right;
    line_judge(&l, &vicinity->middle[0], &vicinity->middle[1], 0, 1, &middle_left, &middle_right);
    line_judge(&l, x, y, off, count, left, right);
    if (middle_left > 0) {
        if (!(least_of(left, count) > 0)) {
            way_cross(vicinity, near, left, right, x, y, off, count, side);
        }
    } else if (middle_right > 0) {
        if (!(least_of(right, count) > 0)) {
            way_cross(vicinity, near, right, left, x, y, off, count, side);
        }
    } else {
        for (int i = 0; i < count; i++) {
            side[i] = 0;
        }
    }
}

void sli_lasso_points(const sli_lasso_vicinity *vicinity, const double *x, const double *y,
                      double side[8])
{
    double left[8], right[8];
    sides_start(vicinity, 8, side);
    for (int i = 0; i < vicinity->count; i++) {
        side_judge(vicinity, vicinity->near[i], x, y, 0, 8, left, right, side);
    }
}

void sli_lasso_triangles(const sli_lasso_vicinity *vicinity, const double *x, const double *y,
                         double off, double side[12], double free[12])
{
    double left[POINTS_MAX], right[POINTS_MAX];
    sides_start(vicinity, POINTS_MAX, side);
    for (int i = 0; i < POINTS_MAX; i++) {
        free[i] = INFINITY;
    }
    for (int i = 0; i < vicinity->count; i++) {
        side_judge(vicinity, vicinity->near[i], x, y, off, POINTS_MAX, left, right, side);
        for (int end = 0; end < POINTS_MAX; end++) {
            const int other = end < 8 ? end + 4 : end - 8;
            const double on_left = left[end] < left[other] ? left[end] : left[other];
            const double on_right = right[end] < right[other] ? right[end] : right[other];
            const double apart = on_left > on_right ? on_left : on_right;
            free[end] = apart < free[end] ? apart : free[end];
        }
    }
}
