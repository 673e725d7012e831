/* Makes instances ready, eight at a time: does what sli_transformed_make does
 * (bvh/tree/transformed.c, which says what the numbers bound, and lib/geom/transform/check.c), with
 * the same operations in the same order, so with the same bits.  Only what is common: transforms
 * that are well-conditioned and of usual size, without a grid; the rest is left to it. */
#pragma once

#include "bvh/kernel/instance/transform.h"
#include "bvh/kernel/simd/simd.h"
#include "lib/geom/transform/transform.h"

#include <math.h>

#define TRANSFORM8_EPS 0x1p-53

/* Eight instances, of which lane i is one each. */
typedef struct transform8 {
    d8 m[3][4], m_size[3][4]; /* of the transforms, and |m| */
    d8 low[3], high[3];       /* the trees' bounds */
    d8 min[3], max[3];        /* the corners' */
    d8 a[3][3], sigma, norm, a_norm, det;
    d8 middle[3], centre[3], half, square, radius;
    d8 span, norm_out, share, fixed;
    uint32_t done;
} transform8;

static d8 transform8_upward(d8 x)
{
    return d8_mul(x, d8_splat(1 + 0x1p-40));
}

static void transform8_read(const sli_transform8 *in, transform8 *p)
{
    double low[3][8], high[3][8];
    for (int axis = 0; axis < 3; axis++) {
        const double *from[8];
        for (int i = 0; i < 8; i++) {
            from[i] = in->transform[i]->m[axis];
            low[axis][i] = (double)in->tree[i]->bounds.min[axis];
            high[axis][i] = (double)in->tree[i]->bounds.max[axis];
        }
        d8_fours(from, p->m[axis]);
        for (int k = 0; k < 4; k++) {
            p->m_size[axis][k] = d8_abs(p->m[axis][k]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        p->low[axis] = d8_doubles(low[axis]);
        p->high[axis] = d8_doubles(high[axis]);
    }
}

static d8 transform8_coordinate(const d8 row[4], const d8 x[3])
{
    return d8_add(d8_add(d8_add(d8_mul(row[0], x[0]), d8_mul(row[1], x[1])), d8_mul(row[2], x[2])),
                  row[3]);
}

/* To the step of floats. */
static d8 transform8_round(d8 x)
{
    const d8 large = d8_splat(0x1p-97), less = d8_splat(-0x1p-97);
    const d8 moved = d8_where(d8_bits_gt(d8_splat(0), x), less, large);
    const d8 rounded = d8_sub(d8_add(x, moved), moved);
    return d8_where(d8_bits_gt(large, d8_abs(x)), rounded, x);
}

static void transform8_bounds(transform8 *p)
{
    for (int axis = 0; axis < 3; axis++) {
        d8 low[3], high[3];
        for (int k = 0; k < 3; k++) {
            const uint32_t swapped = d8_bits_gt(d8_splat(0), p->m[axis][k]);
            low[k] = d8_where(swapped, p->high[k], p->low[k]);
            high[k] = d8_where(swapped, p->low[k], p->high[k]);
        }
        p->min[axis] = transform8_round(transform8_coordinate(p->m[axis], low));
        p->max[axis] = transform8_round(transform8_coordinate(p->m[axis], high));
        p->done &= d8_bits_gt(d8_splat(0x1p127), d8_abs(p->min[axis])) &
                   d8_bits_gt(d8_splat(0x1p127), d8_abs(p->max[axis]));
    }
}

static d8 transform8_norm3(const d8 size[3][3])
{
    d8 norm = d8_splat(0);
    for (int i = 0; i < 3; i++) {
        norm = d8_max(d8_add(d8_add(size[i][0], size[i][1]), size[i][2]), norm);
    }
    return norm;
}

static void transform8_cofactors(transform8 *p)
{
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            p->a[j][i] =
                d8_sub(d8_mul(p->m[i1][j1], p->m[i2][j2]), d8_mul(p->m[i1][j2], p->m[i2][j1]));
        }
    }
    p->det = d8_add(d8_add(d8_mul(p->m[0][0], p->a[0][0]), d8_mul(p->m[0][1], p->a[1][0])),
                    d8_mul(p->m[0][2], p->a[2][0]));
    const d8 share = d8_div(d8_splat(1), p->det);
    for (int i = 0; i < 9; i++) {
        p->a[i / 3][i % 3] = d8_mul(p->a[i / 3][i % 3], share);
    }
}

/* |row i of I - A M| and its roundings. */
static d8 transform8_residual(const transform8 *p, int i)
{
    d8 row = d8_splat(0);
    for (int j = 0; j < 3; j++) {
        const d8 x = d8_mul(p->a[i][0], p->m[0][j]), y = d8_mul(p->a[i][1], p->m[1][j]);
        const d8 z = d8_mul(p->a[i][2], p->m[2][j]);
        const d8 size = d8_add(d8_add(d8_add(d8_splat(1), d8_abs(x)), d8_abs(y)), d8_abs(z));
        const d8 off = d8_abs(d8_sub(d8_splat(i == j), d8_add(d8_add(x, y), z)));
        row = d8_add(row, d8_add(off, d8_mul(d8_splat(5 * 0x1p-53), size)));
    }
    return row;
}

static void transform8_invert(transform8 *p)
{
    d8 size[3][3];
    for (int i = 0; i < 9; i++) {
        size[i / 3][i % 3] = p->m_size[i / 3][i % 3];
    }
    p->norm = transform8_norm3((const d8(*)[3])size);
    p->done &= d8_bits_gt(p->norm, d8_splat(0x1p-100)) & d8_bits_gt(d8_splat(0x1p100), p->norm);
    transform8_cofactors(p);
    d8 sigma = d8_splat(0);
    for (int i = 0; i < 3; i++) {
        const d8 row = transform8_residual(p, i);
        p->done &= d8_bits_gt(d8_splat(0x1p-44), row);
        sigma = d8_max(row, sigma);
    }
    for (int i = 0; i < 9; i++) {
        size[i / 3][i % 3] = d8_abs(p->a[i / 3][i % 3]);
    }
    p->a_norm = transform8_norm3((const d8(*)[3])size);
    p->done &= d8_bits_gt(d8_splat(0x1p20), d8_mul(p->norm, p->a_norm));
    p->sigma = transform8_upward(sigma);
}

static void transform8_middle(transform8 *p)
{
    p->half = p->square = p->radius = d8_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        p->middle[axis] = d8_mul(d8_splat(0.5), d8_add(p->low[axis], p->high[axis]));
    }
    for (int axis = 0; axis < 3; axis++) {
        const d8 x = p->middle[axis], c = transform8_coordinate(p->m[axis], p->middle);
        const d8 far = d8_max(d8_sub(c, p->min[axis]), d8_sub(p->max[axis], c));
        const d8 wide = d8_max(d8_sub(x, p->low[axis]), d8_sub(p->high[axis], x));
        p->centre[axis] = c;
        p->half = d8_max(far, p->half);
        p->square = d8_add(p->square, d8_mul(far, far));
        p->radius = d8_max(wide, p->radius);
    }
    p->half = transform8_upward(p->half);
    p->radius = transform8_upward(p->radius);
}

static d8 transform8_corner_error(const d8 row_size[4], const d8 x[3])
{
    return d8_mul(d8_splat(4.01 * TRANSFORM8_EPS), transform8_coordinate(row_size, x));
}

static d8 transform8_largest(const d8 size[3])
{
    return d8_max(d8_max(size[2], size[1]), size[0]);
}

static void transform8_errors(transform8 *p)
{
    const d8 rest = d8_sub(d8_splat(1), p->sigma);
    d8 reach[3], middle[3], rho[3], centre[3], h_inst = d8_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        reach[axis] = d8_max(d8_abs(p->high[axis]), d8_abs(p->low[axis]));
        middle[axis] = d8_abs(p->middle[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        rho[axis] = d8_add(transform8_corner_error(p->m_size[axis], reach),
                           d8_splat(0.5 * SLI_TRANSFORM_STEP));
        centre[axis] = transform8_corner_error(p->m_size[axis], middle);
    }
    for (int axis = 0; axis < 3; axis++) {
        const d8 *a = p->a[axis];
        const d8 off = d8_add(d8_add(d8_mul(d8_abs(a[0]), rho[0]), d8_mul(d8_abs(a[1]), rho[1])),
                              d8_mul(d8_abs(a[2]), rho[2]));
        h_inst = d8_max(off, h_inst);
    }
    const d8 across = d8_mul(d8_mul(d8_splat(3), p->norm), p->radius);
    p->span = d8_max(transform8_upward(across), p->half);
    p->norm_out = transform8_upward(d8_div(p->a_norm, rest));
    p->share =
        transform8_upward(d8_mul(d8_add(p->sigma, d8_splat(10 * TRANSFORM8_EPS)), p->norm_out));
    p->fixed = transform8_upward(
        d8_add(d8_add(d8_div(h_inst, rest), d8_mul(p->norm_out, transform8_largest(centre))),
               d8_mul(d8_splat(4 * TRANSFORM8_EPS), transform8_largest(middle))));
}

/* Numbers of an instance from inverse on: all but the last one in fours. */
enum { TRANSFORM8_FOURS = 5, TRANSFORM8_NUMBERS = 4 * TRANSFORM8_FOURS + 1, TRANSFORM8_BALL = 19 };
_Static_assert(offsetof(sli_transformed, radius) == offsetof(sli_transformed, inverse) +
                                                        (TRANSFORM8_NUMBERS - 1) * sizeof(double) &&
                   offsetof(sli_transformed, ball) ==
                       offsetof(sli_transformed, inverse) + TRANSFORM8_BALL * sizeof(double),
               "numbers are stored in the order of sli_transformed");

static d8 transform8_ball(const transform8 *p)
{
    double ball[8];
    d8_store(ball, p->square);
    for (int i = 0; i < 8; i++) {
        ball[i] = sqrt(ball[i]) * (1 + 0x1p-40);
    }
    return d8_doubles(ball);
}

/* Of lanes that are not done, the numbers go nowhere. */
static void transform8_store(const transform8 *p, const sli_transform8 *in)
{
    double nowhere[TRANSFORM8_NUMBERS], *to[8], half[8], radius[8], det[8];
    const d8 numbers[4 * TRANSFORM8_FOURS] = {
        p->a[0][0],   p->a[1][0],   p->a[2][0],   p->a[0][1],   p->a[1][1],
        p->a[2][1],   p->a[0][2],   p->a[1][2],   p->a[2][2],   p->middle[0],
        p->middle[1], p->middle[2], p->centre[0], p->centre[1], p->centre[2],
        p->span,      p->norm_out,  p->share,     p->fixed,     transform8_ball(p)
    };
    for (int i = 0; i < 8; i++) {
        char *inverse = (char *)in->transformed[i] + offsetof(sli_transformed, inverse);
        to[i] = (p->done >> i & 1) != 0 ? (double *)(void *)inverse : nowhere;
    }
    for (int first = 0; first < 4 * TRANSFORM8_FOURS; first += 4) {
        double *four[8];
        for (int i = 0; i < 8; i++) {
            four[i] = to[i] + first;
        }
        d8_store_fours(numbers + first, four);
    }
    d8_store(half, p->half);
    d8_store(radius, p->radius);
    d8_store(det, p->det);
    for (int i = 0; i < 8; i++) {
        if ((p->done >> i & 1) != 0) {
            sli_transformed *transformed = in->transformed[i];
            transformed->tree = in->tree[i];
            transformed->mask = in->mask[i];
            transformed->mirrored = det[i] < 0;
            transformed->transform = *in->transform[i];
            transformed->grid = SLI_TRANSFORM_STEP;
            transformed->half = half[i];
            transformed->radius = radius[i];
        }
    }
}

/* All of transformed and the boxes, of lanes whose bits it returns. */
static uint32_t world_transform8(sli_transform8 *in)
{
    transform8 p;
    p.done = 0xFF;
    transform8_read(in, &p);
    transform8_bounds(&p);
    transform8_invert(&p);
    transform8_middle(&p);
    transform8_errors(&p);
    transform8_store(&p, in);
    for (int axis = 0; axis < 3; axis++) {
        d8_store(in->min[axis], p.min[axis]);
        d8_store(in->max[axis], p.max[axis]);
    }
    return p.done;
}
