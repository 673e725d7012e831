/* Polygons made ready: sides, those that part inside from outside, and the grid over them. */
#include "bvh/select/lasso.h"

#include "bvh/select/planar.h"
#include "lib/base/memory.h"
#include "lib/geom/exact/predicates.h"

#include <math.h>
#include <string.h>

/* Entries of rows. */
enum { LISTED_AT_ONCE = 1 << 16 };

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

/* ---- Rows ---- */

static void rows_of(const sli_lasso *lasso, const sli_side *side, int rows[2])
{
    const double a = side->at[0][1], b = side->at[1][1];
    rows[0] = sli_lasso_cell(lasso, 1, a < b ? a : b);
    rows[1] = sli_lasso_cell(lasso, 1, a < b ? b : a);
}

static bool list_rows(const sl_allocator *allocator, const sli_lasso *lasso, sli_sides *sides,
                      size_t corners)
{
    size_t next[SLI_LASSO_CELLS + 1] = { 0 }, total = 0;
    int rows[2];
    for (size_t i = 0; i < sides->count; i++) {
        rows_of(lasso, &sides->sides[i], rows);
        for (int row = rows[0]; row <= rows[1]; row++) {
            next[row]++;
        }
    }
    for (int row = 0; row <= SLI_LASSO_CELLS; row++) {
        const size_t here = next[row];
        sides->first[row] = next[row] = total;
        total += here;
    }
    /* As many as there may be at worst, if that is few: then moves of the same corners never take
     * more. */
    const size_t most = corners * SLI_LASSO_CELLS;
    const size_t needed = most < LISTED_AT_ONCE    ? most
                          : total < LISTED_AT_ONCE ? LISTED_AT_ONCE
                                                   : total;
    void *listed = sides->listed;
    const bool done =
        sli_grow_array(allocator, &listed, &sides->listed_capacity, needed, sizeof *sides->listed);
    sides->listed = listed;
    for (size_t i = 0; i < sides->count && done; i++) {
        rows_of(lasso, &sides->sides[i], rows);
        for (int row = rows[0]; row <= rows[1]; row++) {
            sides->listed[next[row]++] = (uint32_t)i;
        }
    }
    return done;
}

/* ---- Cells ---- */

/* The y at which numbers begin to belong to a row, but for rounding. */
static double row_begin(const sli_lasso *lasso, int row)
{
    return lasso->origin[1] + row / lasso->scale[1];
}

/* Marks the cells of a row that a side may meet: where it is between the y of the row's ends, with
 * room for all roundings. */
static void mark(const sli_lasso *lasso, const sli_side *side, int row, bool *met)
{
    const double *p = side->at[side->at[1][1] < side->at[0][1]];
    const double *q = side->at[side->at[1][1] >= side->at[0][1]];
    double x[2] = { p[0], q[0] };
    const double tall = q[1] - p[1], wide = q[0] - p[0];
    for (int end = 0; end < 2 && lasso->scale[1] > 0 && tall > 0; end++) {
        const double at = row_begin(lasso, row + end);
        const double slack =
            (fabs(lasso->origin[1]) + (double)SLI_LASSO_CELLS / lasso->scale[1]) * 0x1p-40;
        const double share = (at + (end == 0 ? -slack : slack) - p[1]) / tall;
        const bool is_outermost = end == 0 ? row == 0 : row == SLI_LASSO_CELLS - 1;
        if (share > 0 && share < 1 && !is_outermost) {
            x[end] = p[0] + share * wide;
        }
    }
    const double slack = (fabs(p[0]) + fabs(q[0])) * 0x1p-40;
    const int from = sli_lasso_cell(lasso, 0, (x[0] < x[1] ? x[0] : x[1]) - slack);
    const int to = sli_lasso_cell(lasso, 0, (x[0] < x[1] ? x[1] : x[0]) + slack);
    for (int column = from; column <= to; column++) {
        met[column] = true;
    }
}

/* Adds a row of cells to the sums. */
static void add_row(sli_lasso *lasso, int row, const bool *met)
{
    uint16_t out = 0, in = 0;
    bool known = false, inside = false;
    for (int column = 0; column < SLI_LASSO_CELLS; column++) {
        if (met[column]) {
            known = false;
        } else {
            const double centre[2] = {
                lasso->origin[0] + (column + 0.5) / lasso->scale[0],
                lasso->origin[1] + (row + 0.5) / lasso->scale[1],
            };
            const bool is_there = sli_lasso_cell(lasso, 0, centre[0]) == column &&
                                  sli_lasso_cell(lasso, 1, centre[1]) == row;
            inside = known ? inside : sli_lasso_has(lasso, centre);
            known = known || is_there;
            out = (uint16_t)(out + (known && !inside));
            in = (uint16_t)(in + (known && inside));
        }
        lasso->out[row + 1][column + 1] = (uint16_t)(lasso->out[row][column + 1] + out);
        lasso->in[row + 1][column + 1] = (uint16_t)(lasso->in[row][column + 1] + in);
    }
}

static void make_cells(sli_lasso *lasso)
{
    memset(lasso->out, 0, sizeof lasso->out);
    memset(lasso->in, 0, sizeof lasso->in);
    if (!(lasso->scale[0] > 0 && lasso->scale[1] > 0)) {
        return;
    }
    const sli_sides *all = &lasso->all;
    for (int row = 0; row < SLI_LASSO_CELLS; row++) {
        bool met[SLI_LASSO_CELLS] = { false };
        for (size_t i = all->first[row]; i < all->first[row + 1]; i++) {
            mark(lasso, &all->sides[all->listed[i]], row, met);
        }
        add_row(lasso, row, met);
    }
}

bool sli_lasso_prepare(const sl_allocator *allocator, const double *corners, size_t count,
                       const double grid[4], sli_lasso *out)
{
    if (!reserve(allocator, &out->all, count) || !reserve(allocator, &out->reduced, count)) {
        return false;
    }
    list_sides(corners, count, &out->all);
    reduce(&out->all, &out->reduced);
    for (int axis = 0; axis < 2; axis++) {
        const double extent = grid[2 + axis] - grid[axis];
        out->origin[axis] = grid[axis];
        out->scale[axis] = extent > 0 ? (double)SLI_LASSO_CELLS / extent : 0;
    }
    if (!list_rows(allocator, out, &out->all, count) ||
        !list_rows(allocator, out, &out->reduced, count)) {
        return false;
    }
    make_cells(out);
    return true;
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
}

void sli_lasso_cells(const sli_lasso *lasso, const int from[2], const int to[2], uint32_t *count,
                     uint32_t *out, uint32_t *in)
{
    const int x0 = from[0], x1 = to[0] + 1, y0 = from[1], y1 = to[1] + 1;
    *count = (uint32_t)((x1 - x0) * (y1 - y0));
    *out = (uint32_t)(lasso->out[y1][x1] - lasso->out[y0][x1] - lasso->out[y1][x0] +
                      lasso->out[y0][x0]);
    *in = (uint32_t)(lasso->in[y1][x1] - lasso->in[y0][x1] - lasso->in[y1][x0] + lasso->in[y0][x0]);
}
