/* lasso_sure.h: what a polygon says about estimated positions. */
#pragma once

#include "bvh/select/region/lasso_types.h"

enum { SLI_LASSO_NEAR = 32 };

/* What is known of all positions between two bounds. */
typedef struct sli_lasso_vicinity {
    int all;   /* 1: they are all in the polygon, -1: none is, 0: not known */
    int count; /* of sides that may have a point there or between there and the middle; -1 where
                * they are too many, or too far apart, to be listed */
    const sli_side *near[SLI_LASSO_NEAR];
    const sli_side *parting; /* the first side that parts */
    double middle[2];        /* a position nearby */
    int side;                /* where middle is, as all */
} sli_lasso_vicinity;

void sli_lasso_look(const sli_lasso *lasso, const double low[2], const double high[2],
                    sli_lasso_vicinity *out);

/* Eight positions of a vicinity, which are given exactly: 1 where one surely is in the polygon, -1
 * where it surely is not, 0 where neither is known. */
void sli_lasso_points(const sli_lasso_vicinity *vicinity, const double *x, const double *y,
                      double side[8]);

/* Four triangles by the twelve positions of their corners, [corner][triangle], of which none is off
 * by more than `off` along x or y.  free: more than 0 where surely no side has a point in common
 * with the triangle's side from that corner to the next one; with the triangle, where it is of all
 * three. */
void sli_lasso_triangles(const sli_lasso_vicinity *vicinity, const double *x, const double *y,
                         double off, double side[12], double free[12]);
