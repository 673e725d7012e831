/* lasso.h: a polygon made ready: its sides, and a grid over them.
 *
 * Sides    all of them, for what touches the polygon's border; and reduced ones, in which what an
 *          even number of sides run along is left out, so that each parts what is in the polygon
 *          from what is not.
 * Grid     columns and rows that numbers are taken to by functions that never decrease, so that no
 *          rounding needs a margin: a side is listed in all rows from that of its lowest number to
 *          that of its highest.  A cell that no side meets lies in the polygon or beside it.
 *          Numbers beyond the grid belong to its outermost columns and rows. */
#ifndef SLI_SELECT_LASSO_H
#define SLI_SELECT_LASSO_H

#include <sightline/base.h>

enum { SLI_LASSO_CELLS = 64 }; /* columns, and rows */

typedef struct sli_side {
    double at[2][2]; /* both ends */
} sli_side;

/* Sides with their rows. */
typedef struct sli_sides {
    sli_side *sides;
    size_t count, capacity;
    uint32_t *listed; /* by rows */
    size_t listed_capacity;
    size_t first[SLI_LASSO_CELLS + 1]; /* of each row in listed */
} sli_sides;

typedef struct sli_lasso {
    sli_sides all, reduced;
    double origin[2], scale[2]; /* of the grid: columns and rows a pixel */
    /* Cells of a class left of and above each corner of the grid: sums of areas. */
    uint16_t out[SLI_LASSO_CELLS + 1][SLI_LASSO_CELLS + 1];
    uint16_t in[SLI_LASSO_CELLS + 1][SLI_LASSO_CELLS + 1];
} sli_lasso;

/* corners: x and y of each, at least one.  grid: x0, y0, x1, y1 of what the grid covers.  False
 * when out of memory. */
bool sli_lasso_prepare(const sl_allocator *allocator, const double *corners, size_t count,
                       const double grid[4], sli_lasso *out);
void sli_lasso_free(const sl_allocator *allocator, sli_lasso *lasso);

static inline int sli_lasso_cell(const sli_lasso *lasso, int axis, double x)
{
    const double at = (x - lasso->origin[axis]) * lasso->scale[axis];
    return at >= (double)SLI_LASSO_CELLS ? SLI_LASSO_CELLS - 1 : at > 0 ? (int)at : 0;
}

/* Whether a point is in it, or on a side. */
bool sli_lasso_has(const sli_lasso *lasso, const double point[2]);

/* As sli_region_touches and sli_region_holds. */
bool sli_lasso_touches(const sli_lasso *lasso, const double (*figure)[2], int count);
bool sli_lasso_holds(const sli_lasso *lasso, const double (*figure)[2], int count);

/* A rectangle, as the corners around it: 1 if it lies in the polygon, -1 if beside it, 0 if that is
 * not known, or not so. */
int sli_lasso_side_of(const sli_lasso *lasso, const double corners[4][2]);

/* How many cells there are from one to another one, both included, and how many of them lie beside
 * the polygon and in it. */
void sli_lasso_cells(const sli_lasso *lasso, const int from[2], const int to[2], uint32_t *count,
                     uint32_t *out, uint32_t *in);

/* Order along a direction: whether a comes before b, by x and then by y. */
static inline bool sli_before(const double a[2], const double b[2])
{
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

#endif
