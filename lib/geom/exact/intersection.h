/* exact/intersection.h: what is known of one ray and one triangle while
 * ray_triangle_exact.c decides about them, and the stages that make what doubles leave open: in
 * double-doubles what only has to be rounded (intersection_dd.c), and exactly (intersection.c).
 * For these three files only. */
#pragma once

#include "lib/geom/exact/arithmetic/determinant_dd.h"
#include "lib/geom/exact/predicates.h"

#define SLI_EPS 0x1p-53

/* A value in doubles, and a bound of its error. */
typedef struct approx {
    double value, error;
} approx;

typedef struct intersection {
    const sli_exact_ray *ray;
    double v[3][3];
    double corner[3][3]; /* v - origin, rounded */
    double side[3][3];   /* of doubles: opposite to vertex i, v[i + 2] - v[i + 1], rounded */
    approx edge[3], denominator, numerator;
    int sign[3], sign_d;
    /* The vertex that is the origin or the end, bit by bit, or -1; t there; both are vertices. */
    int at;
    double at_t;
    bool between;
    sli_decision_stage stage;
    /* In double-doubles, made when first needed: two sides from vertex 0, the normal with its
     * permanents, and the numerator and denominator of t. */
    bool has_normal, has_wide;
    sli_dd wide_side[2][3], wide_normal[3];
    double wide_permanent[3];
    sli_dd_known wide_n, wide_d;
    /* Exact stage, likewise. */
    bool has_ratio;
    int n_n, d_n;
    double n_exact[SLI_DET3_MAX], d_exact[SLI_DET3_MAX];
} intersection;

/* In double-doubles: t rounded to a double or to a float, and the weight of vertex i over the sum
 * of all; false if that is not certain. */
bool sli_intersection_wide_t(intersection *m, double *t);
bool sli_intersection_wide_float_t(intersection *m, float *t);
bool sli_intersection_wide_weight(intersection *m, int i, float *weight_of);

/* Sets the sign, value and error of weight i; the sign of t - limit, for a limit whose products are
 * in range.  False, and nothing is set, if double-doubles do not tell. */
bool sli_intersection_wide_settle(intersection *m, int i);
bool sli_intersection_wide_compare(intersection *m, double limit, int *sign);

/* Whether a point is known to be in the triangle's plane. */
bool sli_intersection_wide_in_plane(intersection *m, const double point[3]);

/* The weight of vertex i; the number of components. */
int sli_intersection_weight(const intersection *m, int i, double h[SLI_DET3_MAX]);

/* Makes the numerator and the denominator of t. */
void sli_intersection_make_ratio(intersection *m);

/* Sets the sign, value and error of weight i. */
void sli_intersection_settle_weight(intersection *m, int i);

/* The point at t = 1: where a segment ends, and of a ray, if origin + dir is a double, that. */
static inline bool sli_intersection_end(const sli_exact_ray *ray, double end[3])
{
    double rest[3];
    for (int axis = 0; axis < 3; axis++) {
        sli_two_sum(ray->origin[axis], ray->dir[axis], &end[axis], &rest[axis]);
        end[axis] = ray->segment ? ray->end[axis] : end[axis];
    }
    return ray->segment || (rest[0] == 0 && rest[1] == 0 && rest[2] == 0);
}

/* Finds the vertex at which the ray begins or ends: at, at_t and between. */
void sli_intersection_find_corner(intersection *m);

/* The axis that the ray is parallel to; -1 for none. */
static inline int sli_intersection_parallel_axis(const sli_exact_ray *ray)
{
    const double *d = ray->dir;
    const bool zero[3] = { d[0] == 0, d[1] == 0, d[2] == 0 };
    return zero[1] && zero[2] ? 0 : zero[2] && zero[0] ? 1 : zero[0] && zero[1] ? 2 : -1;
}

/* Settles the weight of vertex i for a ray parallel to an axis; true if it is 0. */
bool sli_intersection_settle_zero_along(intersection *m, int i, int axis);

/* For SL_CROSSINGS: whether the moved line crosses a triangle that the line touches; the
 * sign of t - limit for the moved ray where t is exactly at the limit. */
bool sli_intersection_crosses(const intersection *m);
int sli_intersection_moved_limit_sign(const intersection *m);
