/* lasso_types.h: a polygon made ready: its sides, a tree over them and a grid over them.
 *
 * Sides    no two of them are equal.  Touching ones are those of the polygon, for what touches its
 *          border.  Parting ones are what is left where an even number of sides that run along each
 *          other cancel, so that each parts what is in the polygon from what is not; where such
 *          sides overlap only in part, these are pieces of them.  Most are both.
 * Tree     cells, each parted at a column or row until few sides meet it (lasso_tree.c):
 *          answers exact questions by the sides of a cell or two, whatever the polygon is.
 * Grid     columns and rows that numbers are taken to by functions that never decrease, so that no
 *          rounding needs a margin: a side is listed in all rows from that of its lowest number to
 *          that of its highest.
 *          Numbers beyond the grid belong to its outermost columns and rows.
 * Exact    what lasso.c says about positions.  What lasso_sure.c says of estimates is right
 *          for every position within their errors, or that it is unknown. */
#pragma once

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
    size_t touching;  /* how many touch: they come first */
    size_t parting;   /* where those that part begin; they come last */
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
    const uint32_t *next, *end; /* numbers of sides of the leaf it has come to */
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
    SLI_CELL_KNOWN = 2,   /* its centre is on no side */
    SLI_CELL_ODD = 4      /* known, and the centre is in the polygon */
};

typedef struct sli_lasso_grid {
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

/* Whether a side lies beyond a bound. */
static inline bool sli_side_is_apart(const sli_side *side, const double low[2],
                                     const double high[2])
{
    const double *p = side->at[0], *q = side->at[1];
    return (p[0] < low[0] && q[0] < low[0]) || (p[1] < low[1] && q[1] < low[1]) ||
           (p[0] > high[0] && q[0] > high[0]) || (p[1] > high[1] && q[1] > high[1]);
}

/* Order along a direction: whether a comes before b, by x and then by y. */
static inline bool sli_before(const double a[2], const double b[2])
{
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}
