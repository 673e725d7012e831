/* t, u and v of one triangle that floats have shown to be hit, in scalar doubles, for single rays
 * (single/single.inl).
 *
 * Determinants and error bounds are those of filter/tri8_determinants.inl (Möller and Trumbore
 * 1997); all that is left to decide is to which float each of the three numbers rounds. */
#ifndef SLI_KERNEL_FILTER_TRI1_INL
#define SLI_KERNEL_FILTER_TRI1_INL

#include "bvh/kernel/filter/tri8_determinants.inl"
#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

#include <math.h>

/* |x| + |y| + |z| */
static double tri1_norm1(const double a[3])
{
    return fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
}

static void tri1_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double tri1_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The determinant that t, u and v are divided by. */
typedef struct tri1_divisor {
    double inverse; /* 1 / determinant */
    double margin;  /* no less than |1 / exact determinant| */
    double error;   /* bound on the error of the determinant */
} tri1_divisor;

/* Divides x by the determinant and rounds to float, as tri8_quotient and tri8_round do.  False: two
 * floats are possible. */
static SLI_FORCE_INLINE bool tri1_divide(const tri1_divisor *det, double x, double x_error,
                                         float *out)
{
    const double q = x * det->inverse, size = fabs(q);
    const double margin = (size * det->error + x_error) * det->margin + size * (8 * TRI_EPS);
    const float from = (float)(q - margin), to = (float)(q + margin);
    *out = from + 0.0f; /* a zero becomes +0 */
    return from == to;
}

/* Sets t, u, v and flags of hit.  False: doubles cannot tell. */
static SLI_FORCE_INLINE bool tri1_measure(const double origin[3], const double dir[3],
                                          const sli_tri_pack *pack, uint32_t lane, sl_hit *hit)
{
    double s[3], e1[3], e2[3], p[3], q[3];
    for (int axis = 0; axis < 3; axis++) {
        const double corner = pack->axis[axis].vertex[0][lane];
        s[axis] = origin[axis] - corner;
        e1[axis] = pack->axis[axis].vertex[1][lane] - corner;
        e2[axis] = pack->axis[axis].vertex[2][lane] - corner;
    }
    tri1_cross(dir, e2, p);
    tri1_cross(s, e1, q);
    const double of_d = tri1_norm1(dir), of_s = tri1_norm1(s);
    const double of_e1 = tri1_norm1(e1), of_e2 = tri1_norm1(e2);
    const double of_p = of_d * (of_e2 * TRI_DET_ERROR), of_q = of_s * (of_e1 * TRI_DET_ERROR);
    const double det = tri1_dot(e1, p), inverse = 1 / det;
    const tri1_divisor divisor = { .inverse = inverse,
                                   .margin = fabs(inverse) * (1 + 0x1p-8),
                                   .error = of_e1 * of_p };
    hit->flags = det < 0 ? SL_HIT_BACK : 0;
    return (int)(fabs(det) > divisor.error * 1024) &
           (int)tri1_divide(&divisor, tri1_dot(e2, q), of_e2 * of_q, &hit->t) &
           (int)tri1_divide(&divisor, tri1_dot(s, p), of_s * of_p, &hit->u) &
           (int)tri1_divide(&divisor, tri1_dot(dir, q), of_d * of_q, &hit->v);
}

#endif
