/* screen.h: a picture, taken to the space of trees: what a box of a tree may show, and where.
 *
 * Everything that a camera tells of a point v of the world is a row: a linear function
 * n . (v - origin) + at.  W is what clip coordinates are divided by, positive in front of the eye;
 * X and Y are the pixel's coordinates times W; NEAR and FAR are not negative on the inner side of
 * these planes.  Any line a x + b y + c of the picture is the row a X + b Y + c W, so boxes are
 * judged by planes and not by their outlines, and what lies behind the eye needs no special case.
 *
 * A corner of the world that comes from the vertex x is v = c + M (x - x_c) + e with c the computed
 * image of the middle x_c and |e| <= margin along each axis of the world, as in
 * bvh/query/volume/space.h; points of sides between corners, rounded to double, are as near.  So a
 * row is M^T n . x + at in the tree's space, but for a slack that is the same for the whole tree:
 * margin, and the roundings of here and of lib/geom/camera/view.c, which are less than 32 eps of
 * the sums of sizes.  All bounds are sure, of what sli_view_clip and sli_view_picture compute as of
 * exact numbers: a point of the box has no less than low and no more than high.
 *
 * NaN      bounds may be NaN where numbers overflow: ask so that NaN leaves a box in.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/tree/tree.h"
#include "lib/geom/camera/view.h"

/* A linear function of points of the world.  size: of the sums that n and at came of, so at least
 * their absolute values; what they may be off by is a share of it. */
typedef struct sli_row {
    double n[3], at;
    double size[3], size_at;
} sli_row;

enum { SLI_ROW_X, SLI_ROW_Y, SLI_ROW_W, SLI_ROW_NEAR, SLI_ROW_FAR, SLI_ROW_COUNT };

/* Where lines of sight come from (pick.h, Culled): the numbers that exact decisions take. */
typedef struct sli_eye {
    double at[3];
    int kind; /* 1 of a point where lines of sight start, -1 of one that they lead to, 0 of a
               * direction */
} sli_eye;

typedef struct sli_screen {
    sli_view view;
    sli_eye eye;
    sli_row row[SLI_ROW_COUNT];
} sli_screen;

/* False for a view that is not usable. */
bool sli_screen_open(const sl_view *view, sli_screen *out);

/* The row a * one + b * other. */
sli_row sli_row_sum(double a, const sli_row *one, double b, const sli_row *other);

/* What is not negative where a x + b y + c is not, x and y in pixels. */
sli_row sli_screen_line(const sli_screen *screen, double a, double b, double c);

/* Where a tree is: placed as an instance, or, of the top tree, about a middle. */
typedef struct sli_screen_space {
    double m[3][3], margin[3];
    double c[3];      /* less the view's origin */
    double middle[3]; /* that c is the image of */
    double reach[3];  /* no corner is farther from c along an axis of the world */
    double far[3];    /* no vertex is farther from 0 along an axis of the tree */
} sli_screen_space;

void sli_screen_to_object(const sli_screen *screen, const sli_transformed *transformed,
                          sli_screen_space *out);
void sli_screen_to_top(const sli_screen *screen, const sli_world *world, sli_screen_space *out);

/* A row of points of a tree's space: sure to be no less than n . x + low, and no more than n . x +
 * high. */
typedef struct sli_row_local {
    double n[3], low, high;
} sli_row_local;

sli_row_local sli_row_to_local(const sli_row *row, const sli_screen_space *space);

static inline double sli_row_low(const sli_row_local *row, const sl_aabb *box)
{
    double sum = row->low;
    for (int axis = 0; axis < 3; axis++) {
        sum += row->n[axis] * (double)(row->n[axis] < 0 ? box->max[axis] : box->min[axis]);
    }
    return sum;
}

static inline double sli_row_high(const sli_row_local *row, const sl_aabb *box)
{
    double sum = row->high;
    for (int axis = 0; axis < 3; axis++) {
        sum += row->n[axis] * (double)(row->n[axis] < 0 ? box->min[axis] : box->max[axis]);
    }
    return sum;
}

/* ---- Distances in the picture, from a position ---- */

/* x and y: L = X - p_x W and so on: how far to the right, times W. */
typedef struct sli_screen_at {
    sli_row x, y;
} sli_screen_at;

typedef struct sli_screen_at_local {
    sli_row_local x, y, w, near, far;
} sli_screen_at_local;

sli_screen_at sli_screen_at_of(const sli_screen *screen, const double position[2]);
void sli_screen_at_to_local(const sli_screen *screen, const sli_screen_at *at,
                            const sli_screen_space *space, sli_screen_at_local *out);

/* No point of the box that is between the near and the far plane appears nearer to the position
 * than the root of this, in pixels; INFINITY: there is no such point. */
double sli_screen_distance2(const sli_screen_at_local *at, const sl_aabb *box);

/* ---- Where a box appears ---- */

typedef struct sli_screen_rows_local {
    sli_row_local row[SLI_ROW_COUNT];
} sli_screen_rows_local;

void sli_screen_rows_to_local(const sli_screen *screen, const sli_screen_space *space,
                              sli_screen_rows_local *out);
