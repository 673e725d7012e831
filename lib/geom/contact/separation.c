/* Two sheets along an axis, or on any small lattice, are everywhere exactly as near.  Then one pair
 * of triangles has a direction n in which it is as far apart as it is at all: |n|^2 times the
 * square of its distance is that of the gap along n.  Along n the others are no nearer, which
 * products of doubles tell that happen to be exact: a low half that is not 0 tells that they are
 * not, and then nothing is known. */
#include "lib/geom/contact/separation.h"

#include "lib/geom/exact/arithmetic/vector.h"

/* x += y * z; false if that is rounded. */
static bool add_exactly(double y, double z, double *x)
{
    const sli_dd product = sli_dd_of_product(y, z);
    double rest;
    sli_two_sum(*x, product.high, x, &rest);
    return product.low == 0 && rest == 0;
}

/* How far they are apart along n, times the length of n; -INFINITY if that is not known exactly. */
static double gap_along(const double n[3], const sl_triangle_d *a, const sl_triangle_d *b)
{
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY }, gap, rest;
    bool exact = true;
    for (int i = 0; i < 3 && exact; i++) {
        double of_a = 0, of_b = 0;
        for (int axis = 0; axis < 3; axis++) {
            if (n[axis] != 0) {
                exact = add_exactly(n[axis], a->v[i][axis], &of_a) && exact;
                exact = add_exactly(n[axis], b->v[i][axis], &of_b) && exact;
            }
        }
        low[0] = of_a < low[0] ? of_a : low[0];
        low[1] = of_b < low[1] ? of_b : low[1];
        high[0] = of_a > high[0] ? of_a : high[0];
        high[1] = of_b > high[1] ? of_b : high[1];
    }
    const int above = low[1] > high[0];
    sli_two_sum(low[above], -high[1 - above], &gap, &rest);
    return exact && rest == 0 ? gap : -INFINITY;
}

/* Whether gap^2 / |n|^2 is the square of the distance. */
static bool is_distance(const double n[3], double gap, const sli_exact_gap *exact)
{
    sli_number square, length, term;
    bool unsure = false; /* all is exact here */
    sli_number_set(0, true, &length);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(n[axis], true, &term);
        sli_number_mul(&term, &term, &term);
        sli_number_add(&length, &term, &length);
    }
    sli_number_set(gap, true, &square);
    sli_number_mul(&square, &square, &square);
    sli_number_mul(&square, &exact->over, &square);
    sli_number_mul(&length, &exact->square, &length);
    sli_number_sub(&length, &square, &length);
    return sli_number_sign(&length, &unsure) == 0;
}

static void direction(const sl_triangle_d *a, const sl_triangle_d *b, int which, double n[3])
{
    const double(*v)[3] = which == 1 ? a->v : b->v;
    double p[3], q[3];
    if (which == 0) {
        sli_nearest_points(a, b, p, q);
        sli_subtract(p, q, n);
    } else {
        sli_subtract(v[1], v[0], p);
        sli_subtract(v[2], v[0], q);
        sli_cross(p, q, n);
    }
}

/* Tries the difference of the nearest points, and the normals. */
void sli_separation_make(const sl_triangle_d *a, const sl_triangle_d *b, const sli_exact_gap *exact,
                         sli_separation *out)
{
    for (int i = 0; i < 3; i++) {
        direction(a, b, i, out->n);
        out->gap = gap_along(out->n, a, b);
        if (out->gap > 0 && out->gap < 0x1p500 && is_distance(out->n, out->gap, exact)) {
            return;
        }
    }
    out->gap = INFINITY;
}

bool sli_separation_holds(const sli_separation *separation, const sl_triangle_d *a,
                          const sl_triangle_d *b)
{
    return separation->gap < INFINITY && gap_along(separation->n, a, b) >= separation->gap;
}
