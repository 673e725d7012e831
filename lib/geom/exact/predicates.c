/* Signs of small determinants, and ratios compared by products: a filter in doubles first, then
 * expansions.  For everything that is decided exactly.
 *
 * The filters' bounds: with eps = 2^-53, a 3D determinant of differences that is evaluated in
 * doubles is off by at most 8.1 eps times its permanent (each product goes through 8 roundings at
 * most), a 2D one by 4.1 eps times its own.  The factors 16 and 8 also cover the rounding of the
 * permanent.  Where the permanent is 0, every product is exactly 0 and so is the determinant.
 * Source   Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 *          Predicates (1997). */
#include "lib/geom/exact/predicates.h"
#include "lib/base/assert.h"
#include "lib/geom/exact/arithmetic/double_double.h"
#include "lib/geom/exact/arithmetic/vector.h"

#define EPS 0x1p-53

static int predicates_minor2(const sli_diff *a, const sli_diff *b, const sli_diff *c,
                             const sli_diff *d, double h[16])
{
    double ab[8], cd[8];
    const int abn = sli_expansion_times_diff(a->n, a->c, b, ab);
    const int cdn = sli_expansion_times_diff(c->n, c->c, d, cd);
    return sli_expansion_diff(abn, ab, cdn, cd, h);
}

/* The sign of a b - c d, where all four are doubles: products are double-doubles, of which the one
 * with the larger high is the larger one, and of equal ones that with the larger low.  False where
 * a factor is not a double. */
static bool predicates_minor_sign(const sli_diff *a, const sli_diff *b, const sli_diff *c,
                                  const sli_diff *d, int *sign)
{
    if (a->n > 1 || b->n > 1 || c->n > 1 || d->n > 1) {
        return false;
    }
    const sli_dd left = sli_dd_of_product(a->c[0], b->c[0]);
    const sli_dd right = sli_dd_of_product(c->c[0], d->c[0]);
    *sign = sli_sign(left.high != right.high ? left.high - right.high : left.low - right.low);
    return true;
}

/* The sign of a b - c d. */
static int predicates_minor_decide(const sli_diff *a, const sli_diff *b, const sli_diff *c,
                                   const sli_diff *d)
{
    int sign;
    double h[16];
    return predicates_minor_sign(a, b, c, d, &sign)
               ? sign
               : sli_expansion_sign(predicates_minor2(a, b, c, d, h), h);
}

/* Whether a - b is exact in double and fits into a float, so that the product of two such is exact.
 */
static bool is_short(double a, double b)
{
    const double d = a - b;
    return d + b == a && a - d == b && (double)(float)d == d;
}

int sli_orient2d(const double a[2], const double b[2], const double c[2])
{
    const double left = (a[0] - c[0]) * (b[1] - c[1]);
    const double right = (a[1] - c[1]) * (b[0] - c[0]);
    const double det = left - right;
    if (fabs(det) >= 8 * EPS * (fabs(left) + fabs(right))) {
        return sli_sign(det);
    }
    if (a[0] == b[0] && a[1] == b[1]) {
        return 0;
    }
    if (is_short(a[0], c[0]) && is_short(a[1], c[1]) && is_short(b[0], c[0]) &&
        is_short(b[1], c[1])) {
        return sli_sign(det); /* neither product was rounded */
    }
    const sli_diff ax = sli_diff_make(a[0], c[0]), ay = sli_diff_make(a[1], c[1]);
    const sli_diff bx = sli_diff_make(b[0], c[0]), by = sli_diff_make(b[1], c[1]);
    return predicates_minor_decide(&ax, &by, &ay, &bx);
}

int sli_cross2d(const double a[2], const double b[2], const double c[2], const double d[2],
                sli_decision_stage *stage)
{
    const double left = (b[0] - a[0]) * (d[1] - c[1]);
    const double right = (b[1] - a[1]) * (d[0] - c[0]);
    const double cross = left - right;
    if (fabs(cross) >= 8 * EPS * (fabs(left) + fabs(right))) {
        return sli_sign(cross);
    }
    *stage = SLI_STAGE_EXACT;
    const sli_diff abx = sli_diff_make(b[0], a[0]), aby = sli_diff_make(b[1], a[1]);
    const sli_diff cdx = sli_diff_make(d[0], c[0]), cdy = sli_diff_make(d[1], c[1]);
    return predicates_minor_decide(&abx, &cdy, &aby, &cdx);
}

int sli_exact_det3(const sli_diff a[3], const sli_diff b[3], const sli_diff c[3],
                   double h[SLI_DET3_MAX])
{
    int n = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        double minor[16], next[SLI_DET3_MAX + 64], *term = next + SLI_DET3_MAX;
        const int minor_n = predicates_minor2(&b[j], &c[k], &b[k], &c[j], minor);
        const int term_n = sli_expansion_times_diff(minor_n, minor, &a[axis], term);
        n = sli_expansion_sum(n, h, term_n, term, next);
        n = sli_expansion_compress(n, next);
        SL_ASSERT(n <= SLI_DET3_MAX);
        for (int i = 0; i < n; i++) {
            h[i] = next[i];
        }
    }
    return n;
}

int sli_triple3d(const double a0[3], const double a1[3], const double b0[3], const double b1[3],
                 const double c0[3], const double c1[3], sli_decision_stage *stage)
{
    double p[3], q[3], r[3], det = 0, permanent = 0;
    sli_subtract(a1, a0, p);
    sli_subtract(b1, b0, q);
    sli_subtract(c1, c0, r);
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double left = q[j] * r[k], right = q[k] * r[j];
        det += p[axis] * (left - right);
        permanent += fabs(p[axis]) * (fabs(left) + fabs(right));
    }
    if (fabs(det) >= 16 * EPS * permanent) {
        return sli_sign(det);
    }
    *stage = SLI_STAGE_EXACT;
    sli_diff pe[3], qe[3], re[3];
    for (int axis = 0; axis < 3; axis++) {
        pe[axis] = sli_diff_make(a1[axis], a0[axis]);
        qe[axis] = sli_diff_make(b1[axis], b0[axis]);
        re[axis] = sli_diff_make(c1[axis], c0[axis]);
    }
    double h[SLI_DET3_MAX];
    return sli_expansion_sign(sli_exact_det3(pe, qe, re, h), h);
}

int sli_orient3d(const double a[3], const double b[3], const double c[3], const double d[3])
{
    /* det(b - a, c - a, d - a) = -det(a - d, b - d, c - d) */
    sli_decision_stage stage;
    return -sli_triple3d(d, a, d, b, d, c, &stage);
}

int sli_compare_products(double a, double b, double c, double d, double e, double f)
{
    const double left = (a - b) * c, right = (d - e) * f;
    const double difference = left - right;
    if (fabs(difference) > 8 * EPS * (fabs(left) + fabs(right))) {
        return sli_sign(difference);
    }
    const sli_diff ab = sli_diff_make(a, b), de = sli_diff_make(d, e);
    double abc[4], def[4], h[8];
    const int abc_n = sli_expansion_scale(ab.n, ab.c, c, abc);
    const int def_n = sli_expansion_scale(de.n, de.c, f, def);
    return sli_expansion_sign(sli_expansion_diff(abc_n, abc, def_n, def, h), h);
}

void sli_triangle_normal(const double v0[3], const double v1[3], const double v2[3],
                         double normal[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const sli_diff ax = sli_diff_make(v1[j], v0[j]), ay = sli_diff_make(v1[k], v0[k]);
        const sli_diff bx = sli_diff_make(v2[j], v0[j]), by = sli_diff_make(v2[k], v0[k]);
        double h[16];
        normal[axis] = sli_expansion_estimate(predicates_minor2(&ax, &by, &ay, &bx, h), h);
    }
}

bool sli_zero_area(const float v0[3], const float v1[3], const float v2[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double a[2] = { v0[j], v0[k] }, b[2] = { v1[j], v1[k] }, c[2] = { v2[j], v2[k] };
        if (sli_orient2d(a, b, c) != 0) {
            return false;
        }
    }
    return true;
}
