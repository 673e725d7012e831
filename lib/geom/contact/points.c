/* The coordinates of the points that two triangles share, each rounded once, and the order of these
 * points, for callers that report them.
 *
 * One that is a corner of neither is p + (q - p) N / D (crossing.h).
 *
 * In double-doubles: beside the error of N / D (determinant_dd.h), the product with q - p loses
 * 8.01 u^2 of itself, and the sum with p 3.01 u^2 of both: 12 u^2 of |p| + |q - p| are allowed for
 * both.  What that does not round is rounded exactly, by expansions.
 * Source   Dekker (1971); Shewchuk (1997). */
#include "lib/geom/contact/crossing.h"
#include "lib/geom/contact/relation.h"
#include "lib/geom/exact/arithmetic/determinant_dd.h"
#include "lib/geom/exact/arithmetic/ratio.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/exact/predicates.h"

static const double zero[3];
static const double unit[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

static const double *first_corner(const sl_triangle_d *triangle, uint8_t face)
{
    return triangle->v[(face & 1) != 0 ? 0 : (face & 2) != 0 ? 1 : 2];
}

static const double *last_corner(const sl_triangle_d *triangle, uint8_t face)
{
    return triangle->v[(face & 4) != 0 ? 2 : (face & 2) != 0 ? 1 : 0];
}

/* An axis along which (q - p) x (t - s) is not 0, as it is along one at least: the first from the
 * one on along which it seems largest. */
static int steepest_axis(const double p[3], const double q[3], const double s[3], const double t[3])
{
    double along[3], across[3], n[3];
    sli_subtract(q, p, along);
    sli_subtract(t, s, across);
    sli_cross(along, across, n);
    int axis = fabs(n[1]) > fabs(n[0]) ? 1 : 0;
    axis = fabs(n[2]) > fabs(n[axis]) ? 2 : axis;
    for (int k = 0; k < 2; k++) {
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        sli_decision_stage stage;
        const double from[2] = { p[i], p[j] }, to[2] = { q[i], q[j] };
        const double other_from[2] = { s[i], s[j] }, other_to[2] = { t[i], t[j] };
        if (sli_cross2d(from, to, other_from, other_to, &stage) != 0) {
            break;
        }
        axis = i;
    }
    return axis;
}

sli_crossing sli_crossing_of(const sl_triangle_d *a, const sl_triangle_d *b, sli_common_point at)
{
    const bool edge_of_a = at.in_a != 7;
    const sl_triangle_d *own = edge_of_a ? a : b, *other = edge_of_a ? b : a;
    const uint8_t face = edge_of_a ? at.in_a : at.in_b, in_other = edge_of_a ? at.in_b : at.in_a;
    const double(*v)[3] = other->v;
    sli_crossing c = { .p = first_corner(own, face), .q = last_corner(own, face) };
    c.o = c.f0 = first_corner(other, in_other);
    c.g0 = in_other == 7 ? v[0] : zero;
    c.f1 = in_other == 7 ? v[1] : last_corner(other, in_other);
    c.g1 = in_other == 7 ? v[2] : unit[steepest_axis(c.p, c.q, c.f0, c.f1)];
    return c;
}

/* N / D; false if nothing is known. */
static bool known_share(const sli_crossing *c, sli_dd_known *share)
{
    sli_dd f[3], g[3], from_o[3], from_q[3], normal[3];
    double permanent[3];
    sli_dd_differences(c->f1, c->f0, f);
    sli_dd_differences(c->g1, c->g0, g);
    sli_dd_differences(c->p, c->o, from_o);
    sli_dd_differences(c->p, c->q, from_q);
    sli_dd_cross(f, g, normal, permanent);
    const sli_dd_known n = sli_dd_determinant(from_o, normal, permanent);
    const sli_dd_known d = sli_dd_determinant(from_q, normal, permanent);
    return sli_dd_quotient(&n, &d, share);
}

/* p + (q - p) share, rounded; false if the bounds do not decide that. */
static bool known_round(double p, double q, const sli_dd_known *share, double *out)
{
    const sli_dd side = sli_dd_difference(q, p);
    const sli_dd step = sli_dd_product(side, (sli_dd){ share->high, share->low });
    const sli_dd sum = sli_dd_sum((sli_dd){ p, 0 }, step);
    const double size = fabs(side.high), error = size * share->error;
    return sli_dd_round(
        &(sli_dd_known){ sum.high, sum.low,
                         (error + (fabs(p) + size) * 12 * 0x1p-106) * (1 + 0x1p-40) },
        out);
}

static void points_diffs(const double a[3], const double b[3], sli_diff out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sli_diff_make(a[axis], b[axis]);
    }
}

/* N and D - N are q's and p's share of D. */
typedef struct exact_shares {
    int n, m, d;
    double of_q[SLI_DET3_MAX], of_p[2 * SLI_DET3_MAX], whole[SLI_DET3_MAX];
} exact_shares;

static void share_exactly(const sli_crossing *c, exact_shares *out)
{
    sli_diff f[3], g[3], from_o[3], from_q[3];
    points_diffs(c->f1, c->f0, f);
    points_diffs(c->g1, c->g0, g);
    points_diffs(c->p, c->o, from_o);
    points_diffs(c->p, c->q, from_q);
    out->n = sli_exact_det3(from_o, f, g, out->of_q);
    out->d = sli_exact_det3(from_q, f, g, out->whole);
    const int m = sli_expansion_diff(out->d, out->whole, out->n, out->of_q, out->of_p);
    out->m = sli_expansion_compress(m, out->of_p);
}

static double round_exactly(double p, double q, const exact_shares *share)
{
    double by_p[2 * SLI_DET3_MAX], by_q[2 * SLI_DET3_MAX], sum[4 * SLI_DET3_MAX];
    const int p_n = sli_expansion_scale(share->m, share->of_p, p, by_p);
    const int q_n = sli_expansion_scale(share->n, share->of_q, q, by_q);
    const int n = sli_expansion_sum(p_n, by_p, q_n, by_q, sum);
    return sli_ratio_round(sli_expansion_compress(n, sum), sum, share->d, share->whole);
}

static void round_crossing(const sli_crossing *c, double point[3])
{
    sli_dd_known known;
    exact_shares exact = { .n = -1 };
    const bool is_known = known_share(c, &known);
    for (int axis = 0; axis < 3; axis++) {
        const double p = c->p[axis], q = c->q[axis];
        if (p == q) {
            point[axis] = p + 0.0;
        } else if (!is_known || !known_round(p, q, &known, &point[axis])) {
            if (exact.n < 0) {
                share_exactly(c, &exact);
            }
            point[axis] = round_exactly(p, q, &exact);
        }
    }
}

void sli_common_round(const sl_triangle_d *a, const sl_triangle_d *b, sli_common_point at,
                      double point[3])
{
    const double *corner;
    if (sli_common_corner(a, b, at, &corner)) {
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = corner[axis] + 0.0;
        }
        return;
    }
    const sli_crossing c = sli_crossing_of(a, b, at);
    round_crossing(&c, point);
}

/* Whether the points from i on, around, come before those from j on. */
static bool rotation_comes_before(double (*point)[3], int count, int i, int j)
{
    for (int k = 0; k < 3 * count; k++) {
        const double x = point[(i + k / 3) % count][k % 3], y = point[(j + k / 3) % count][k % 3];
        if (x != y) {
            return x < y;
        }
    }
    return false;
}

sl_relation sli_triangles_contact(const sl_triangle_d *a, const sl_triangle_d *b,
                                  sl_triangle_contact *out, sli_common *at)
{
    sli_common found;
    double point[SLI_COMMON_MAX][3];
    int first = 0;
    out->relation = sli_triangles_common(a, b, &found);
    out->count = (uint32_t)found.count;
    for (int i = 0; i < found.count; i++) {
        sli_common_round(a, b, found.at[i], point[i]);
    }
    for (int i = 1; i < found.count; i++) {
        first = rotation_comes_before(point, found.count, i, first) ? i : first;
    }
    at->relation = found.relation;
    at->count = found.count;
    for (int i = 0; i < found.count; i++) {
        const int from = (first + i) % found.count;
        at->at[i] = found.at[from];
        for (int axis = 0; axis < 3; axis++) {
            out->point[i][axis] = point[from][axis];
        }
    }
    return out->relation;
}
