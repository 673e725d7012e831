/* Boxes of one tree carried to where another one is, for walks down both.  What the slack holds:
 * carry.h. */
#include "bvh/contact/walk/carry.h"

#include "bvh/kernel/instance/intersect.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define EPS 0x1p-53
/* Allowed for rounding, of the sum of all sizes: as in query/volume/filter.h. */
#define SLACK 0x1p-48
/* Room for the roundings of the bounds themselves. */
#define UPWARD (1 + 0x1p-40)

/* What M |x| + |T| comes to along an axis, for the vertices of an instance's tree. */
static double carry_sizes(const sli_transformed *transformed, int axis)
{
    const double *row = transformed->transform.m[axis];
    const sl_aabb *bounds = &transformed->tree->bounds;
    double sizes = fabs(row[3]);
    for (int k = 0; k < 3; k++) {
        sizes += fabs(row[k]) * fmax(fabs((double)bounds->min[k]), fabs((double)bounds->max[k]));
    }
    return sizes;
}

/* |e|: what a corner and the centre are off by, in the norm of the largest coordinate. */
static double carry_error(const sli_transformed *transformed)
{
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        most = fmax(most, carry_sizes(transformed, axis));
    }
    return (2 * 4.01 * EPS * most + transformed->grid) * UPWARD;
}

static bool stands_still(const sli_transformed *transformed)
{
    static const sl_transform identity = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
    return transformed->grid == SLI_TRANSFORM_STEP &&
           memcmp(&transformed->transform, &identity, sizeof identity) == 0;
}

void sli_carry_to_instance(const sli_transformed *a, const sli_transformed *b, sli_carry *out)
{
    double between[3], far = 0;
    out->still = stands_still(a) && stands_still(b);
    for (int axis = 0; axis < 3; axis++) {
        between[axis] = b->centre[axis] - a->centre[axis];
        far = fmax(far, fabs(between[axis]));
    }
    const double z = (far + a->half + b->span) * UPWARD;
    const double slack =
        (a->share * z + a->norm * (carry_error(a) + carry_error(b))) * (1 + 0x1p-20);
    for (int k = 0; k < 3; k++) {
        const double inverse[3] = { a->inverse[0][k], a->inverse[1][k], a->inverse[2][k] };
        out->t[k] = a->middle[k];
        for (int axis = 0; axis < 3; axis++) {
            out->t[k] += inverse[axis] * between[axis];
            out->r[k][axis] = 0;
            for (int i = 0; i < 3; i++) {
                out->r[k][axis] += inverse[i] * b->transform.m[i][axis];
            }
        }
        out->middle[k] = b->middle[k];
        out->room[k] = SLACK * (a->norm * z + fabs(a->middle[k]));
        out->slack[k] = slack + out->room[k];
    }
}

/* Corners of the world b are those of its instances under their products with `under`, which
 * are not those that it makes of their corners where they are: either way three products and sums
 * are rounded, and so are the elements of the product; half a step of the grid is rounded here, and
 * another one there.  Boxes of top trees are differences from the world's middle, rounded outwards
 * once more. */
void sli_carry_to_top(const sli_world *a, const sli_world *b, const sl_transform *under,
                      const sli_world_sizes *sizes, sli_carry *out)
{
    out->still = false;
    for (int axis = 0; axis < 3; axis++) {
        double at = under != NULL ? under->m[axis][3] : b->middle[axis];
        double size = fabs(at) + fabs(a->middle[axis]) + b->half, error = 0;
        for (int k = 0; k < 3; k++) {
            const double m = under != NULL ? under->m[axis][k] : axis == k;
            const double off = 4 * EPS * (fabs(b->middle[k]) + b->half) + SLI_TRANSFORM_STEP;
            out->r[axis][k] = m;
            error += fabs(m) * off;
            if (under != NULL) {
                at += m * b->middle[k];
                size += fabs(m) * (fabs(b->middle[k]) + b->half);
                error += fabs(m) * (16 * EPS * sizes->most[k] + sizes->grid);
            }
        }
        if (under != NULL) {
            error += 16 * EPS * fabs(under->m[axis][3]) + sizes->grid;
        }
        error += 4 * EPS * (fabs(a->middle[axis]) + a->half) + SLI_TRANSFORM_STEP;
        out->t[axis] = at - a->middle[axis];
        out->middle[axis] = 0;
        out->room[axis] = SLACK * size;
        out->slack[axis] = error * UPWARD + out->room[axis];
    }
}

void sli_world_sizes_find(const sli_world *world, sli_world_sizes *out)
{
    *out = (sli_world_sizes){ .grid = 0 };
    for (uint32_t i = 0; i < world->count; i++) {
        const sli_transformed *transformed = &world->transformed[i];
        for (int axis = 0; axis < 3 && transformed->tree != NULL; axis++) {
            out->most[axis] = fmax(out->most[axis], carry_sizes(transformed, axis));
            out->grid = fmax(out->grid, transformed->grid);
        }
    }
}

/* ||M^-1|| <= ||A|| / (1 - ||I - A M||) in the Euclidean norm, which is at most sqrt(3) times that
 * of the largest coordinate, by which sigma is known (it is less than share / norm); and ||A||^2 is
 * at most the largest sum of a row of A^T A. */
double sli_carry_stretch(const sli_transformed *a)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int j = 0; j < 3; j++) {
            double product = 0;
            for (int k = 0; k < 3; k++) {
                product += a->inverse[i][k] * a->inverse[j][k];
            }
            sum += fabs(product);
        }
        square = fmax(square, sum);
    }
    return sqrt(square) * (1 + 4 * a->share / a->norm) * UPWARD;
}
