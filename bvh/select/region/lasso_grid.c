/* The grid over a polygon: the sides of each row and of each cell, which cells no side meets, and
 * whether the middle of a cell is in the polygon, by going along its row as a scan line does. */
#include "bvh/select/region/lasso_grid.h"

#include "bvh/select/region/lasso_sides.h"
#include "lib/base/memory.h"

#include <math.h>
#include <string.h>

enum {
    CELLS = SLI_LASSO_CELLS,
    LISTED_AT_ONCE = 1 << 17, /* entries of rows */
    MANY = 1 << 13,           /* sides; more crowd most cells anyway, and the tree alone is used */
    /* Cells that a side may be listed in: it crosses all columns once, and roundings may list it in
     * up to three more cells of a row. */
    CELLS_OF_SIDE = 4 * CELLS
};

/* ---- Rows ---- */

static void rows_of(const sli_lasso *lasso, const sli_side *side, int rows[2])
{
    const double a = side->at[0][1], b = side->at[1][1];
    rows[0] = sli_lasso_cell(lasso, 1, a < b ? a : b);
    rows[1] = sli_lasso_cell(lasso, 1, a < b ? b : a);
}

/* Goes over the rows of all sides: adds to next of each, and with list writes the sides there. */
static void visit_rows(const sli_lasso *lasso, size_t next[CELLS], uint32_t *list)
{
    int rows[2];
    for (size_t i = 0; i < lasso->all.count; i++) {
        rows_of(lasso, &lasso->all.sides[i], rows);
        for (int row = rows[0]; row <= rows[1]; row++) {
            const size_t at = next[row]++;
            if (list != NULL) {
                list[at] = (uint32_t)i;
            }
        }
    }
}

static bool list_rows(const sl_allocator *allocator, sli_lasso *lasso, size_t corners)
{
    sli_sides *sides = &lasso->all;
    size_t next[CELLS + 1] = { 0 }, total = 0;
    visit_rows(lasso, next, NULL);
    for (int row = 0; row <= CELLS; row++) {
        const size_t here = next[row];
        sides->first[row] = next[row] = total;
        total += here;
    }
    /* As many as there may be at worst, if that is few: then moves of the same corners never take
     * more. */
    const size_t most = 2 * corners * CELLS;
    const size_t needed = most < LISTED_AT_ONCE    ? most
                          : total < LISTED_AT_ONCE ? LISTED_AT_ONCE
                                                   : total;
    if (!sli_grow_array(allocator, (void **)&sides->listed, &sides->listed_capacity, needed,
                        sizeof *sides->listed)) {
        return false;
    }
    visit_rows(lasso, next, sides->listed);
    return true;
}

/* ---- Cells of sides ---- */

/* The y at which numbers begin to belong to a row, but for rounding. */
static double row_begin(const sli_lasso *lasso, int row)
{
    return lasso->origin[1] + row / lasso->scale[1];
}

/* The columns of a row in which a side may meet a cell: where it is between the y of the row's
 * ends, with room for all roundings. */
static void columns_of(const sli_lasso *lasso, const sli_side *side, int row, int columns[2])
{
    const double *p = side->at[side->at[1][1] < side->at[0][1]];
    const double *q = side->at[side->at[1][1] >= side->at[0][1]];
    double x[2] = { p[0], q[0] };
    const double tall = q[1] - p[1], wide = q[0] - p[0];
    for (int end = 0; end < 2 && lasso->scale[1] > 0 && tall > 0; end++) {
        const double at = row_begin(lasso, row + end);
        const double slack = (fabs(lasso->origin[1]) + (double)CELLS / lasso->scale[1]) * 0x1p-40;
        const double share = (at + (end == 0 ? -slack : slack) - p[1]) / tall;
        const bool is_outermost = end == 0 ? row == 0 : row == CELLS - 1;
        if (share > 0 && share < 1 && !is_outermost) {
            x[end] = p[0] + share * wide;
        }
    }
    const double slack = (fabs(p[0]) + fabs(q[0])) * 0x1p-40;
    columns[0] = sli_lasso_cell(lasso, 0, (x[0] < x[1] ? x[0] : x[1]) - slack);
    columns[1] = sli_lasso_cell(lasso, 0, (x[0] < x[1] ? x[1] : x[0]) + slack);
}

/* Goes over the cells of a row that sides may meet: adds to next of each, and with list writes the
 * sides of those that are not crowded there. */
static void visit_cells(const sli_lasso *lasso, int row, uint32_t next[CELLS], uint32_t *list)
{
    const sli_sides *all = &lasso->all;
    int columns[2];
    for (size_t i = all->first[row]; i < all->first[row + 1]; i++) {
        columns_of(lasso, &all->sides[all->listed[i]], row, columns);
        for (int column = columns[0]; column <= columns[1]; column++) {
            const uint32_t at = next[column]++;
            if (list != NULL && (lasso->grid->cell[row][column] & SLI_CELL_CROWDED) == 0) {
                list[at] = all->listed[i];
            }
        }
    }
}

/* ---- Middles of cells ---- */

/* The number of columns whose middle is less than x, to within a few roundings: low surely are, and
 * others than high surely are not. */
static void columns_left_of(const sli_lasso *lasso, double x, double slack, int *low, int *high)
{
    const double scale = lasso->scale[0], origin = lasso->origin[0];
    const double from = (x - slack - origin) * scale - 0.5 - 0x1p-20;
    const double to = (x + slack - origin) * scale + 0.5 + 0x1p-20;
    *low = from >= (double)CELLS ? CELLS : from > 0 ? (int)ceil(from) : 0;
    *high = to >= (double)CELLS ? CELLS : to > 0 ? (int)to : 0;
    *high = *high < *low ? *low : *high;
}

/* Of each cell of a row: whether its middle is in the polygon, by the sides to the right of it, and
 * whether that is known: the middle is a number of that cell, and no side is too near to tell. */
static void row_look_along(sli_lasso *lasso, int row)
{
    const sli_sides *all = &lasso->all;
    const double y = sli_lasso_middle(lasso, 1, row);
    bool turns[CELLS + 1] = { false }, near[CELLS] = { false };
    for (size_t i = all->first[row]; i < all->first[row + 1]; i++) {
        const double *p = all->sides[all->listed[i]].at[0], *q = all->sides[all->listed[i]].at[1];
        if (sli_side_parts(lasso, all->listed[i]) && (p[1] > y) != (q[1] > y)) {
            const double x = p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
            int low, high;
            columns_left_of(lasso, x, (fabs(p[0]) + fabs(q[0])) * 0x1p-40, &low, &high);
            turns[low] = !turns[low];
            for (int column = low; column < high; column++) {
                near[column] = true;
            }
        }
    }
    const bool is_row = sli_lasso_cell(lasso, 1, y) == row;
    bool odd = false;
    for (int column = CELLS - 1; column >= 0; column--) {
        uint8_t *cell = &lasso->grid->cell[row][column];
        odd ^= turns[column + 1];
        if (is_row && !near[column] &&
            sli_lasso_cell(lasso, 0, sli_lasso_middle(lasso, 0, column)) == column) {
            *cell |= (uint8_t)(SLI_CELL_KNOWN | (odd ? SLI_CELL_ODD : 0));
        }
    }
}

static void grid_make_row(sli_lasso *lasso, int row, uint32_t *total)
{
    sli_lasso_grid *grid = lasso->grid;
    uint32_t count[CELLS] = { 0 }, first[CELLS];
    visit_cells(lasso, row, count, NULL);
    for (int column = 0; column < CELLS; column++) {
        const bool crowded = count[column] > SLI_LASSO_CROWD;
        grid->first[row * CELLS + column] = first[column] = *total;
        grid->cell[row][column] = crowded ? SLI_CELL_CROWDED : 0;
        *total += crowded ? 0 : count[column];
    }
    visit_cells(lasso, row, first, lasso->listed);
    row_look_along(lasso, row);
}

static void grid_make_cells(sli_lasso *lasso)
{
    sli_lasso_grid *grid = lasso->grid;
    uint32_t total = 0;
    if (!(lasso->scale[0] > 0 && lasso->scale[1] > 0) || lasso->all.count > MANY) {
        memset(grid->cell, SLI_CELL_CROWDED, sizeof grid->cell);
        return;
    }
    for (int row = 0; row < CELLS; row++) {
        grid_make_row(lasso, row, &total);
    }
    grid->first[CELLS * CELLS] = total;
}

static bool grid_reserve(const sl_allocator *allocator, size_t corners, sli_lasso *lasso)
{
    const size_t most = (size_t)SLI_LASSO_CROWD * CELLS * CELLS;
    const size_t needed = corners < most / (2 * CELLS_OF_SIDE) ? 2 * corners * CELLS_OF_SIDE : most;
    const bool done = sli_grow_array(allocator, (void **)&lasso->listed, &lasso->listed_capacity,
                                     needed, sizeof *lasso->listed);
    if (lasso->grid == NULL) {
        lasso->grid = sli_alloc_array(allocator, 1, sizeof *lasso->grid);
    }
    return done && lasso->grid != NULL;
}

bool sli_lasso_grid_make(const sl_allocator *allocator, size_t corners, const double grid[4],
                         sli_lasso *lasso)
{
    for (int axis = 0; axis < 2; axis++) {
        const double extent = grid[2 + axis] - grid[axis];
        lasso->origin[axis] = grid[axis];
        lasso->scale[axis] = extent > 0 ? (double)CELLS / extent : 0;
    }
    if (!grid_reserve(allocator, corners, lasso) || !list_rows(allocator, lasso, corners)) {
        return false;
    }
    grid_make_cells(lasso);
    return true;
}
