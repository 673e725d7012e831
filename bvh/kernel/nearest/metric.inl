/* Distances in the world, measured in the space of an instance's tree: what boxes there bound.
 *
 * A transform M x + T does not keep distances, but |M y| is the length of R y, where M = Q R with
 * an upper triangular R (by Givens' rotations); R y is M y in a turned frame.  For transforms that
 * turn and scale along the axes of the object R is diagonal, and the distance of a box is that of
 * one whose sides are scaled; for others the box is taken to the turned frame by intervals.
 *
 * Below, for a box that holds a part of a triangle: with p the point and x a point of the triangle
 * as it lies in the object, the world's is M (x + d) + T for some |d| <= h_inst along each axis,
 * and p is M q + T, where the computed q is off by h_point (both: to_local.inl, for a ray that
 * stands still).  So the distance is |M y| for some y in the box less q, grown by
 * h = h_inst + h_point.
 *     R y      roundings of the sums are below 8 eps sum |R_ij| |y_j|; they grow the box by as much
 *              over R_ii, since R_ii y_i is a term of row i; the rows above only become wider
 *     |M y|    >= |R y| / (1 + kappa), kappa = 70 eps F norm, F^2 the sum of M's squares: a
 *              rotation whose cosine and sine are off by 4 eps moves the two numbers that it turns
 *              by less than 12 eps of their length, so R is the factor of an M whose columns m_i
 *              are off by less than 40 eps |m_i| after three (Higham, Accuracy and Stability of
 *              Numerical Algorithms, 2002, 19.6): |R y| - |M y| <= 40 eps F |y|, and |y| <= sqrt(3)
 *              norm |M y|.  Not the factor of M^T M, whose kappa goes by the square of the
 *              condition: from far away no box would be told from another
 * A difference between a side and q is rounded to within eps of itself, and so are squares and
 * their sum: 8 eps.  Everything is in doubles: points close to a surface that is far from the
 * object's origin need it, and a node's eight boxes are one register of the widest machines. */
#pragma once

#include "bvh/kernel/instance/to_local.inl"
#include "bvh/kernel/simd/simd.h"

/* Off the diagonal, what is smaller than this of F is left out and grows boxes instead. */
#define METRIC_TINY 0x1p-44

typedef struct nearest_metric {
    double above[3], below[3]; /* the point plus, minus how much boxes grow */
    double r[3][3];            /* upper triangular; the diagonal is > 0 */
    double share;              /* of |R y|^2 that |M y|^2 has at least */
    bool diagonal;
} nearest_metric;

/* Turns rows i and j so that r[j][i] becomes 0.  What is so small that its square loses bits is
 * nothing to columns, which are longer than 2^-330. */
static void metric_rotate(double r[3][3], int i, int j)
{
    const double a = r[i][i], b = r[j][i], square = a * a + b * b;
    r[j][i] = 0;
    if (square < 0x1p-900) {
        return;
    }
    const double length = sqrt(square), c = a / length, s = b / length;
    r[i][i] = length;
    for (int k = i + 1; k < 3; k++) {
        const double x = r[i][k], y = r[j][k];
        r[i][k] = c * x + s * y;
        r[j][k] = c * y - s * x;
    }
}

/* R, whose diagonal is above 0, since the condition of a transform is limited.  Returns F^2. */
static double metric_factor(const sl_transform *transform, double r[3][3])
{
    double size = 0;
    for (int i = 0; i < 9; i++) {
        const double x = transform->m[i / 3][i % 3];
        r[i / 3][i % 3] = x;
        size += x * x;
    }
    metric_rotate(r, 0, 1);
    metric_rotate(r, 0, 2);
    metric_rotate(r, 1, 2);
    r[2][2] = fabs(r[2][2]);
    return size;
}

/* Grows boxes by h[i] along axis i. */
static void metric_grow(nearest_metric *metric, const double at[3], const double h[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double grown = h[axis] + 4 * TO_LOCAL_EPS * (fabs(at[axis]) + h[axis]);
        metric->above[axis] = at[axis] + grown;
        metric->below[axis] = at[axis] - grown;
    }
}

/* The squared distance from the centre that no point of the instance is nearer than; needs no
 * inverse. */
static double metric_ball(const sli_transformed *transformed, const double w[3])
{
    const double away = sqrt((w[0] * w[0] + w[1] * w[1]) + w[2] * w[2]);
    const double gap = away * (1 - 0x1p-40) - transformed->ball * (1 + 0x1p-40);
    return gap > 0 ? gap * gap * (1 - 0x1p-50) : 0;
}

/* For an instance from whose centre the point is w away. */
static void metric_to_local(const sli_transformed *transformed, const double w[3],
                            nearest_metric *metric)
{
    double q[3], y[3], h[3];
    const double far = to_local_largest(w);
    const double error = (transformed->fixed + transformed->norm * (4 * TO_LOCAL_EPS * far) +
                          transformed->share * (far + 2 * transformed->half)) *
                         (1 + 0x1p-40);
    for (int axis = 0; axis < 3; axis++) {
        const double(*a)[3] = transformed->inverse;
        const double from_middle = (a[0][axis] * w[0] + a[1][axis] * w[1]) + a[2][axis] * w[2];
        q[axis] = from_middle + transformed->middle[axis];
        y[axis] = (fabs(from_middle) + transformed->radius) + 2 * error;
    }
    const double size = metric_factor(&transformed->transform, metric->r),
                 tiny = METRIC_TINY * sqrt(size);
    const double(*r)[3] = (const double(*)[3])metric->r;
    metric->diagonal = fabs(r[0][1]) <= tiny && fabs(r[0][2]) <= tiny && fabs(r[1][2]) <= tiny &&
                       r[1][1] > 0 && r[2][2] > 0;
    for (int i = 0; i < 3; i++) {
        double off = 0;
        for (int j = i; j < 3; j++) {
            const double left_out = metric->diagonal && j > i ? 1 : 8 * TO_LOCAL_EPS;
            off += left_out * fabs(r[i][j]) * y[j];
        }
        h[i] = error + (r[i][i] > 0 ? off / r[i][i] * (1 + 0x1p-10) : 0);
        if (!(h[i] <= 0x1p1000)) {
            h[i] = 0x1p1000; /* wider than all boxes */
        }
    }
    metric_grow(metric, q, h);
    const double kappa = 70 * TO_LOCAL_EPS * sqrt(size) * transformed->norm * (1 + 0x1p-40);
    metric->share = (1 - 0x1p-49) / ((1 + kappa) * (1 + kappa));
}

/* For a tree whose boxes are not grown. */
static nearest_metric metric_as_it_is(const double at[3], double share)
{
    return (nearest_metric){ .above = { at[0], at[1], at[2] },
                             .below = { at[0], at[1], at[2] },
                             .r = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
                             .share = share,
                             .diagonal = true };
}

/* For the top tree, whose space is the world's about its middle. */
static void metric_to_top(const sli_world *world, const double at[3], nearest_metric *metric)
{
    double w[3], h[3], sizes = 0;
    *metric = metric_as_it_is(at, 1 - 0x1p-49);
    for (int axis = 0; axis < 3; axis++) {
        w[axis] = at[axis] - world->middle[axis];
        sizes = fmax(sizes, fabs(at[axis]) + fabs(world->middle[axis]));
    }
    for (int axis = 0; axis < 3; axis++) {
        h[axis] =
            TO_LOCAL_EPS * (4 * sizes + 8 * (to_local_largest(w) + 2 * world->half)) + 0x1p-149;
    }
    metric_grow(metric, w, h);
}

/* The squared distance along one direction of the turned frame, from the ends of the interval. */
static d8 metric_square(d8 low, d8 high)
{
    const d8 zero = d8_splat(0);
    const d8 out = d8_max(d8_max(low, d8_sub(zero, high)), zero);
    return d8_mul(out, out);
}

/* Lower bounds on the squared distances of eight boxes, given by their lower and upper sides. */
static d8 metric_boxes(const nearest_metric *metric, const d8 low[3], const d8 high[3])
{
    d8 side[2][3], sum = d8_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        side[0][axis] = d8_sub(low[axis], d8_splat(metric->above[axis]));
        side[1][axis] = d8_sub(high[axis], d8_splat(metric->below[axis]));
    }
    for (int i = 0; i < 3; i++) {
        const d8 scale = d8_splat(metric->r[i][i]);
        d8 from = d8_mul(scale, side[0][i]), to = d8_mul(scale, side[1][i]);
        for (int j = i + 1; j < 3 && !metric->diagonal; j++) {
            const bool flip = metric->r[i][j] < 0;
            const d8 slope = d8_splat(metric->r[i][j]);
            from = d8_add(from, d8_mul(slope, side[flip][j]));
            to = d8_add(to, d8_mul(slope, side[!flip][j]));
        }
        sum = d8_add(sum, metric_square(from, to));
    }
    return d8_mul(sum, d8_splat(metric->share));
}

/* The children of a node that are within the bound, and lower bounds on their squared distances. */
static uint32_t metric_node(const nearest_metric *metric, const sli_node_wide *node, double bound2,
                            double near2[SLI_WIDTH])
{
    d8 low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = d8_from_f8(f8_load(node->bounds[axis][0]));
        high[axis] = d8_from_f8(f8_load(node->bounds[axis][1]));
    }
    const d8 least = metric_boxes(metric, low, high);
    d8_store(near2, least);
    const uint32_t used =
        f4_bits_ne(node->child, SLI_REF_EMPTY) | f4_bits_ne(node->child + 4, SLI_REF_EMPTY) << 4;
    return used & ~d8_bits_gt(least, d8_splat(bound2));
}

/* The same for the instances of a leaf of the top tree, whose boxes are corners 0 and 1
 * (bvh/tree/world.h). */
static uint32_t metric_leaf(const nearest_metric *metric, const sli_tri_pack *pack, double bound2,
                            double near2[SLI_WIDTH])
{
    d8 low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const f4 first = f4_load(pack->axis[axis].vertex[0]);
        const f4 last = f4_load(pack->axis[axis].vertex[1]);
        low[axis] = d8_from_f8(f8_pair(first, first));
        high[axis] = d8_from_f8(f8_pair(last, last));
    }
    const d8 least = metric_boxes(metric, low, high);
    d8_store(near2, least);
    return f4_bits_ne(pack->prim, SL_NONE) & ~d8_bits_gt(least, d8_splat(bound2));
}
