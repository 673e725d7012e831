/* Distances that doubles do not tell apart, in double-doubles, before they are compared exactly.
 * Two sheets that were turned together are everywhere as near but for roundings: millions of pairs
 * of triangles, of which nearly none is the nearest.
 *
 * Along a direction n the triangles are (min n . a_i - max n . b_j) / |n| apart, or farther; n is
 * the normal of either, whatever doubles it is.  With u = 2^-53 and M the largest |coordinate|,
 * seen from a corner: differences are exact, a product of two double-doubles is off by 8.01 u^2 of
 * itself and a sum by 3.01 u^2 of both (double_double.h), so a dot product is off by 15 u^2 sqrt(3)
 * |n| M and the gap, g, by less than 64 u^2 |n| M, for which 2^-99 |n| M is taken off.  g^2, |n|^2
 * and the square that it is compared with are off by less than 2^-98 of themselves, altogether.
 * Triangles that are so small or so large that a product could leave the range are left to the
 * exact stage. */
#include "lib/geom/contact/distance.h"
#include "lib/geom/exact/arithmetic/determinant_dd.h"

/* What the quotient of the doubles leaves gives its correction. */
sli_dd sli_exact_gap_square(const sli_exact_gap *gap)
{
    sli_number q, rest;
    sli_number_div(&gap->square, &gap->over, &q);
    const double high = q.value;
    sli_number_set(high, true, &rest);
    sli_number_mul(&rest, &gap->over, &rest);
    sli_number_sub(&gap->square, &rest, &rest);
    sli_number_div(&rest, &gap->over, &q);
    return sli_dd_of_parts(high, rest.n == 0 ? 0 : q.value);
}

static bool dd_is_less(sli_dd a, sli_dd b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/* The normal of a triangle. */
static void dd_normal(const double v[3][3], sli_dd n[3])
{
    sli_dd p[3], q[3];
    double permanent[3];
    sli_dd_differences(v[1], v[0], p);
    sli_dd_differences(v[2], v[0], q);
    sli_dd_cross(p, q, n, permanent);
}

/* Both triangles, seen from a corner of the first. */
typedef struct seen {
    sli_dd v[2][3][3];
    double reach;
} seen;

static bool is_farther_along(const seen *s, const sli_dd n[3], sli_dd square)
{
    sli_dd least[2], most[2];
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 3; i++) {
            const sli_dd along = sli_dd_dot(n, s->v[side][i]);
            least[side] = i == 0 || dd_is_less(along, least[side]) ? along : least[side];
            most[side] = i == 0 || dd_is_less(most[side], along) ? along : most[side];
        }
    }
    const sli_dd up = sli_dd_less(least[0], most[1]), down = sli_dd_less(least[1], most[0]);
    const sli_dd size = sli_dd_dot(n, n), error = { sqrt(size.high) * s->reach * 0x1p-99, 0 };
    const sli_dd gap = sli_dd_less(dd_is_less(up, down) ? down : up, error);
    if (!(gap.high > 0)) {
        return false;
    }
    const sli_dd limit = sli_dd_product(square, size);
    return sli_dd_less(sli_dd_product(gap, gap), limit).high > 0x1p-97 * limit.high;
}

bool sli_triangles_are_farther(const sl_triangle_d *a, const sl_triangle_d *b, sli_dd square)
{
    seen s = { .reach = 0 };
    sli_dd n[3];
    for (int i = 0; i < 18; i++) {
        const double x = (i < 9 ? a : b)->v[i % 9 / 3][i % 3];
        const sli_dd at = sli_dd_difference(x, a->v[0][i % 3]);
        s.v[i / 9][i % 9 / 3][i % 3] = at;
        s.reach = fabs(at.high) > s.reach ? fabs(at.high) : s.reach;
    }
    if (!(s.reach > 0x1p-60 && s.reach < 0x1p60)) {
        return false;
    }
    dd_normal(a->v, n);
    if (is_farther_along(&s, n, square)) {
        return true;
    }
    dd_normal(b->v, n);
    return is_farther_along(&s, n, square);
}
