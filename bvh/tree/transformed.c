/* Makes instances ready for kernels.  What the numbers bound, and why:
 * bvh/kernel/instance/to_local.inl. */
#include "bvh/tree/transformed.h"

#include <math.h>
#include <string.h>

#define EPS 0x1p-53
/* Room for the roundings of the bounds themselves. */
#define UPWARD (1 + 0x1p-40)

/* As fmax, for numbers. */
static inline double transformed_larger(double a, double b)
{
    return b > a ? b : a;
}

static double transformed_largest3(const double x[3])
{
    return transformed_larger(fabs(x[0]), transformed_larger(fabs(x[1]), fabs(x[2])));
}

/* What a corner of a vertex no larger than x is off by along an axis, before it is rounded to a
 * grid: three products and three sums. */
static double corner_error(const double row[4], const double x[3])
{
    return 4.01 * EPS *
           (((fabs(row[0]) * x[0] + fabs(row[1]) * x[1]) + fabs(row[2]) * x[2]) + fabs(row[3]));
}

/* The middle of the tree, where it is carried, and how far corners are from there. */
static void find_middle(sli_transformed *transformed, const sli_world_box *box)
{
    const sl_aabb *bounds = &transformed->tree->bounds;
    double *x = transformed->middle;
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = 0.5 * ((double)bounds->min[axis] + (double)bounds->max[axis]);
    }
    double square = 0;
    transformed->half = transformed->radius = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double c = sli_transform_coordinate(transformed->transform.m[axis], x[0], x[1], x[2]);
        transformed->centre[axis] = c;
        const double far = transformed_larger(box->max[axis] - c, c - box->min[axis]);
        transformed->half = transformed_larger(transformed->half, far);
        square += far * far;
        transformed->radius = transformed_larger(
            transformed->radius, transformed_larger((double)bounds->max[axis] - x[axis],
                                                    x[axis] - (double)bounds->min[axis]));
    }
    transformed->half *= UPWARD;
    transformed->ball = sqrt(square) * UPWARD;
    transformed->radius *= UPWARD;
}

/* What does not depend on the ray: h_inst, the error of the centre, and the sum with the middle. */
static double fixed_error(const sli_transformed *transformed, const sli_transform_inverse *inverse)
{
    const sl_aabb *bounds = &transformed->tree->bounds;
    double reach[3], middle[3], rho[3], centre[3], h_inst = 0;
    for (int axis = 0; axis < 3; axis++) {
        reach[axis] =
            transformed_larger(fabs((double)bounds->min[axis]), fabs((double)bounds->max[axis]));
        middle[axis] = fabs(transformed->middle[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double *row = transformed->transform.m[axis];
        rho[axis] = corner_error(row, reach) + 0.5 * transformed->grid;
        centre[axis] = corner_error(row, middle);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double *a = inverse->a[axis];
        const double off = fabs(a[0]) * rho[0] + fabs(a[1]) * rho[1] + fabs(a[2]) * rho[2];
        h_inst = transformed_larger(h_inst, off);
    }
    return (h_inst / (1 - inverse->sigma) + transformed->norm * transformed_largest3(centre) +
            4 * EPS * transformed_largest3(middle)) *
           UPWARD;
}

sli_transform_fault sli_transformed_make(const sl_bvh *tree, const sl_transform *transform,
                                         double grid, uint32_t mask, sli_transformed *out,
                                         sli_world_box *box)
{
    sli_transform_inverse inverse;
    const sli_transform_fault fault =
        sli_transform_prepare(transform, grid, &tree->bounds, &inverse, box->min, box->max);
    if (fault != SLI_TRANSFORM_OK) {
        return fault;
    }
    *out = (sli_transformed){
        .tree = tree, .mask = mask, .mirrored = inverse.mirrors, .transform = *transform
    };
    (void)sli_transform_grid(grid, &out->grid);
    for (int i = 0; i < 9; i++) {
        out->inverse[i % 3][i / 3] = inverse.a[i / 3][i % 3];
    }
    find_middle(out, box);
    out->span = transformed_larger(out->half, 3 * inverse.norm * out->radius * UPWARD);
    out->norm = inverse.a_norm / (1 - inverse.sigma) * UPWARD;
    out->share = (inverse.sigma + 10 * EPS) * out->norm * UPWARD;
    out->fixed = fixed_error(out, &inverse);
    return SLI_TRANSFORM_OK;
}
