/* lasso.h: a polygon made ready: its sides, a tree over them and a grid over them.
 *
 * Sides    no two of them are equal.  Touching ones are those of the polygon, for what touches its
 *          border.  Parting ones are what is left where an even number of sides that run along each
 *          other cancel, so that each parts what is in the polygon from what is not; where such
 *          sides overlap only in part, these are pieces of them.  Most are both.
 * Tree     cells, each parted at a column or row until few sides meet it (lasso_tree.c):
 *          answers exact questions by the sides of a cell or two, whatever the polygon is.
 * Grid     columns and rows that numbers are taken to by functions that never decrease, so that no
 *          rounding needs a margin: a side is listed in all rows from that of its lowest number to
 *          that of its highest.  A cell that no side meets lies in the polygon or beside it.
 *          Numbers beyond the grid belong to its outermost columns and rows.
 * Exact    what lasso_meet.c says about positions.  What lasso_sure.c says of estimates is right
 *          for every position within their errors, or that it is unknown. */
#ifndef SLI_SELECT_LASSO_H
#define SLI_SELECT_LASSO_H

#include <sightline/base.h>

enum {
    SLI_LASSO_CELLS = 64, /* columns, and rows */
    SLI_LASSO_CROWD = 16  /* more sides are not listed in a cell */
};

typedef struct sli_side {
    double at[2][2]; /* both ends, in order (sli_before) */
} sli_side;

/* Sides with their rows. */
typedef struct sli_sides {
    sli_side *sides;
    size_t count, capacity;
    size_t touching;  /* the first ones; */
    size_t parting;   /* and where those begin that part, which go on to the end */
    uint32_t *listed; /* by rows */
    size_t listed_capacity;
    size_t first[SLI_LASSO_CELLS + 1]; /* of each row in listed */
} sli_sides;

/* Sides on their way. */
typedef struct sli_side_buffer {
    sli_side *sides;
    size_t capacity;
} sli_side_buffer;

/* ---- The tree ---- */

enum { SLI_LASSO_DEPTH = 48, SLI_LASSO_LEAF = 2 };

typedef struct sli_lasso_node {
    double at;      /* what is less belongs to the first child, all else to the second */
    uint32_t first; /* the first of the two children; of a leaf: in listed */
    uint32_t count; /* of a leaf's sides */
    uint8_t kind;   /* the axis that it is parted along; SLI_LASSO_LEAF */
    bool odd;       /* of a leaf: its middle, moved by e up and by e^2 to the right, is in the
                     * polygon */
} sli_lasso_node;

typedef struct sli_lasso_tree {
    double low[2], high[2]; /* bounds of all sides */
    sli_lasso_node *nodes;
    uint32_t *listed; /* by leaves: numbers of sides that may meet the closed cell */
    size_t node_count, node_capacity, listed_capacity;
} sli_lasso_tree;

/* A cell of the tree. */
typedef struct sli_lasso_leaf {
    const sli_lasso_node *node;
    double low[2], high[2];
} sli_lasso_leaf;

/* Cells that are left to visit. */
typedef struct sli_lasso_walk {
    const sli_lasso_tree *tree;
    double low[2], high[2];
    uint32_t stack[SLI_LASSO_DEPTH + 2];
    int size;
} sli_lasso_walk;

/* A position, moved by infinitesimal steps: by e times the first direction, and by e^2 times the
 * second one; each leads from one point to another.  They are not parallel. */
typedef struct sli_nudged {
    double at[2];
    double step[2][2][2];
} sli_nudged;

/* ---- The grid ---- */

/* What is known of a cell. */
enum {
    SLI_CELL_CROWDED = 1, /* its sides are not listed */
    SLI_CELL_KNOWN = 2,   /* whether its centre is in the polygon, if it is on no side: */
    SLI_CELL_ODD = 4      /* it is */
};

typedef struct sli_lasso_grid {
    /* Cells of a class left of and above each corner of the grid: sums of areas. */
    uint16_t out[SLI_LASSO_CELLS + 1][SLI_LASSO_CELLS + 1];
    uint16_t in[SLI_LASSO_CELLS + 1][SLI_LASSO_CELLS + 1];
    uint8_t cell[SLI_LASSO_CELLS][SLI_LASSO_CELLS]; /* by row and column: SLI_CELL_... */
    /* Where the sides begin that a cell lists, in sli_lasso.listed: those that may meet it. */
    uint32_t first[SLI_LASSO_CELLS * SLI_LASSO_CELLS + 1];
} sli_lasso_grid;

typedef struct sli_lasso {
    sli_sides all;
    sli_side_buffer scratch;
    sli_lasso_tree tree;
    double origin[2], scale[2]; /* of the grid: columns and rows a pixel */
    sli_lasso_grid *grid;
    uint32_t *listed; /* by cells: numbers of sides of all */
    size_t listed_capacity;
} sli_lasso;

/* corners: x and y of each, at least one.  grid: x0, y0, x1, y1 of what the grid covers.  False
 * when out of memory. */
bool sli_lasso_prepare(const sl_allocator *allocator, const double *corners, size_t count,
                       const double grid[4], sli_lasso *out);
void sli_lasso_free(const sl_allocator *allocator, sli_lasso *lasso);

/* Of the memory that it holds. */
size_t sli_lasso_bytes(const sli_lasso *lasso);

/* Makes room for count elements of size bytes in an array: *array points to them, and they are kept
 * (lib/base/memory.h).  False when out of memory. */
bool sli_sides_reserve(const sl_allocator *allocator, void *array, size_t *capacity, size_t count,
                       size_t size);

/* The sides of all (lasso_sides.c).  False when out of memory. */
bool sli_lasso_sides_make(const sl_allocator *allocator, const double *corners, size_t count,
                          sli_lasso *lasso);

/* The tree and the grid over sides that are there (lasso_tree.c, lasso_grid.c).  corners: how many
 * the polygon has, which says how much memory they may ever need.  False when out of memory. */
bool sli_lasso_tree_make(const sl_allocator *allocator, size_t corners, const double grid[4],
                         sli_lasso *lasso);
bool sli_lasso_grid_make(const sl_allocator *allocator, size_t corners, const double grid[4],
                         sli_lasso *lasso);

static inline int sli_lasso_cell(const sli_lasso *lasso, int axis, double x)
{
    const double at = (x - lasso->origin[axis]) * lasso->scale[axis];
    return at >= (double)SLI_LASSO_CELLS ? SLI_LASSO_CELLS - 1 : at > 0 ? (int)at : 0;
}

/* The middle of a column or row, but for rounding. */
static inline double sli_lasso_middle(const sli_lasso *lasso, int axis, int cell)
{
    return lasso->origin[axis] + (cell + 0.5) / lasso->scale[axis];
}

/* Whether a side of all touches, and parts. */
static inline bool sli_side_touches(const sli_lasso *lasso, size_t side)
{
    return side < lasso->all.touching;
}

static inline bool sli_side_parts(const sli_lasso *lasso, size_t side)
{
    return side >= lasso->all.parting;
}

/* ---- Exact ---- */

/* Whether a point is in it, or on a side. */
bool sli_lasso_has(const sli_lasso *lasso, const double point[2]);

/* As sli_region_touches and sli_region_holds. */
bool sli_lasso_touches(const sli_lasso *lasso, const double (*figure)[2], int count);
bool sli_lasso_holds(const sli_lasso *lasso, const double (*figure)[2], int count);

/* holds, of a segment from a to b, which differ (lasso_segment.c). */
bool sli_lasso_holds_segment(const sli_lasso *lasso, const double a[2], const double b[2]);

/* Whether a nudged position is in it. */
bool sli_lasso_is_odd(const sli_lasso *lasso, const sli_nudged *from);

/* The leaf in which a position lies, which is within the tree's bounds. */
void sli_lasso_leaf_at(const sli_lasso_tree *tree, const double at[2], sli_lasso_leaf *out);
void sli_lasso_leaf_middle(const sli_lasso_leaf *leaf, double out[2]);

/* The leaves that meet a rectangle: the next one, or NULL. */
void sli_lasso_walk_begin(const sli_lasso_tree *tree, const double low[2], const double high[2],
                          sli_lasso_walk *out);
const sli_lasso_node *sli_lasso_walk_next(sli_lasso_walk *walk);

/* Whether a side lies beyond a bound. */
static inline bool sli_side_is_apart(const sli_side *side, const double low[2],
                                     const double high[2])
{
    const double *p = side->at[0], *q = side->at[1];
    return (p[0] < low[0] && q[0] < low[0]) || (p[1] < low[1] && q[1] < low[1]) ||
           (p[0] > high[0] && q[0] > high[0]) || (p[1] > high[1] && q[1] > high[1]);
}

/* Whether a side may meet a closed rectangle: false, where it surely does not. */
bool sli_side_may_meet(const sli_side *side, const double low[2], const double high[2]);

/* ---- Cells ---- */

/* How many cells there are from one to another one, both included, and how many of them lie beside
 * the polygon and in it. */
void sli_lasso_cells(const sli_lasso *lasso, const int from[2], const int to[2], uint32_t *count,
                     uint32_t *out, uint32_t *in);

/* ---- Estimates (lasso_sure.c) ---- */

enum { SLI_LASSO_NEAR = 32 };

/* What is known of all positions between two bounds. */
typedef struct sli_lasso_place {
    int all;   /* 1: they are all in the polygon, -1: none is, 0: not known */
    int count; /* of sides that may have a point there or between there and the middle; -1 where
                * they are too many, or too far apart, to be listed */
    const sli_side *near[SLI_LASSO_NEAR];
    const sli_side *parting; /* the first side that parts */
    double middle[2];        /* a position nearby, */
    int side;                /* and where it is, as all */
} sli_lasso_place;

void sli_lasso_look(const sli_lasso *lasso, const double low[2], const double high[2],
                    sli_lasso_place *out);

/* Eight positions of a place, which are given exactly: 1 where one surely is in the polygon, -1
 * where it surely is not, 0 where neither is known. */
void sli_lasso_points(const sli_lasso_place *place, const double *x, const double *y,
                      double side[8]);

/* Four triangles by the twelve positions of their corners, [corner][triangle], of which none is off
 * by more than `off` along x or y.  free: more than 0 where surely no side has a point in common
 * with the triangle's side from that corner to the next one; with the triangle, where it is of all
 * three. */
void sli_lasso_triangles(const sli_lasso_place *place, const double *x, const double *y, double off,
                         double side[12], double free[12]);

/* Order along a direction: whether a comes before b, by x and then by y. */
static inline bool sli_before(const double a[2], const double b[2])
{
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

#endif
