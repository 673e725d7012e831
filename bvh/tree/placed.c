/* Makes instances ready for kernels.  What the numbers bound, and why:
 * bvh/kernel/instance/to_local.inl. */
#include "bvh/tree/placed.h"

#include <math.h>
#include <string.h>

#define EPS 0x1p-53
/* Room for the roundings of the bounds themselves. */
#define UPWARD (1 + 0x1p-40)

/* As fmax, for numbers. */
static inline double placed_larger(double a, double b)
{
    return b > a ? b : a;
}

static double placed_largest3(const double x[3])
{
    return placed_larger(fabs(x[0]), placed_larger(fabs(x[1]), fabs(x[2])));
}

/* What a corner of a vertex no larger than x is off by along an axis, before it is rounded to a
 * grid: three products and three sums. */
static double corner_error(const double row[4], const double x[3])
{
    return 4.01 * EPS *
           (((fabs(row[0]) * x[0] + fabs(row[1]) * x[1]) + fabs(row[2]) * x[2]) + fabs(row[3]));
}

/* The middle of the tree, where it is carried, and how far corners are from there. */
static void find_middle(sli_placed *placed, const sli_world_box *box)
{
    const sl_aabb *bounds = &placed->tree->bounds;
    double *x = placed->middle;
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = 0.5 * ((double)bounds->min[axis] + (double)bounds->max[axis]);
    }
    double square = 0;
    placed->half = placed->radius = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double c = sli_transform_coordinate(placed->place.m[axis], x[0], x[1], x[2]);
        placed->centre[axis] = c;
        const double far = placed_larger(box->max[axis] - c, c - box->min[axis]);
        placed->half = placed_larger(placed->half, far);
        square += far * far;
        placed->radius =
            placed_larger(placed->radius, placed_larger((double)bounds->max[axis] - x[axis],
                                                        x[axis] - (double)bounds->min[axis]));
    }
    placed->half *= UPWARD;
    placed->ball = sqrt(square) * UPWARD;
    placed->radius *= UPWARD;
}

/* What does not depend on the ray: h_inst, the error of the centre, and the sum with the middle. */
static double fixed_error(const sli_placed *placed, const sli_transform_inverse *inverse)
{
    const sl_aabb *bounds = &placed->tree->bounds;
    double reach[3], middle[3], rho[3], centre[3], h_inst = 0;
    for (int axis = 0; axis < 3; axis++) {
        reach[axis] =
            placed_larger(fabs((double)bounds->min[axis]), fabs((double)bounds->max[axis]));
        middle[axis] = fabs(placed->middle[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double *row = placed->place.m[axis];
        rho[axis] = corner_error(row, reach) + 0.5 * placed->grid;
        centre[axis] = corner_error(row, middle);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double *a = inverse->a[axis];
        const double off = fabs(a[0]) * rho[0] + fabs(a[1]) * rho[1] + fabs(a[2]) * rho[2];
        h_inst = placed_larger(h_inst, off);
    }
    return (h_inst / (1 - inverse->sigma) + placed->norm * placed_largest3(centre) +
            4 * EPS * placed_largest3(middle)) *
           UPWARD;
}

sli_transform_fault sli_placed_make(const sl_bvh *tree, const sl_transform *place, double grid,
                                    uint32_t mask, sli_placed *out, sli_world_box *box)
{
    sli_transform_inverse inverse;
    const sli_transform_fault fault =
        sli_transform_prepare(place, grid, &tree->bounds, &inverse, box->min, box->max);
    if (fault != SLI_TRANSFORM_OK) {
        return fault;
    }
    *out = (sli_placed){ .tree = tree, .mask = mask, .mirrored = inverse.mirrors, .place = *place };
    (void)sli_transform_grid(grid, &out->grid);
    memcpy(out->inverse, inverse.a, sizeof out->inverse);
    find_middle(out, box);
    out->span = placed_larger(out->half, 3 * inverse.norm * out->radius * UPWARD);
    out->norm = inverse.a_norm / (1 - inverse.sigma) * UPWARD;
    out->share = (inverse.sigma + 10 * EPS) * out->norm * UPWARD;
    out->fixed = fixed_error(out, &inverse);
    return SLI_TRANSFORM_OK;
}
