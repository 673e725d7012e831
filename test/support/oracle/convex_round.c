/* The part of convex_oracle.h that is about spheres and capsules. */
#include "test/support/oracle/convex_work.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

static void dot(mpq_t out, mpq_t a[3], mpq_t b[3])
{
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < 3; i++) {
        convex_add_product(out, a[i], b[i], 1);
    }
}

/* Squared distance of the point at t from the segment, minus that of the radius. */
static void excess(const mpq_t t, mpq_t out)
{
    static mpq_t w[3], s, length2;
    static bool ready = false;
    if (!ready) {
        ready = true;
        mpq_inits(w[0], w[1], w[2], s, length2, NULL);
    }
    for (int i = 0; i < 3; i++) {
        mpq_sub(w[i], convex.origin[i], convex.p[i]);
        convex_add_product(w[i], t, convex.dir[i], 1);
    }
    dot(length2, convex.axis, convex.axis);
    dot(s, w, convex.axis);
    if (mpq_sgn(s) > 0) { /* the nearest point of the segment is not p */
        if (mpq_cmp(s, length2) >= 0) {
            mpq_set_ui(s, 1, 1);
        } else {
            mpq_div(s, s, length2);
        }
        for (int i = 0; i < 3; i++) {
            convex_add_product(w[i], s, convex.axis[i], -1);
        }
    }
    dot(out, w, w);
    mpq_sub(out, out, convex.radius2);
}

/* middle = t if the distance there is less than at the middle; t = numerator / denominator. */
static void try_middle(const mpq_t numerator, const mpq_t denominator)
{
    static mpq_t t, here, best;
    static bool ready = false;
    if (!ready) {
        ready = true;
        mpq_inits(t, here, best, NULL);
    }
    if (mpq_sgn(denominator) == 0) {
        return;
    }
    mpq_div(t, numerator, denominator);
    excess(t, here);
    excess(convex.middle, best);
    if (mpq_cmp(here, best) < 0) {
        mpq_set(convex.middle, t);
    }
}

/* The t of least distance: nearest to p, to q, or to the axis; or one of those where the line
 * crosses the planes across p and q, which does no harm. */
static void find_middle(void)
{
    static mpq_t from[3], fd, fu, dd, du, uu, n, d;
    static bool ready = false;
    if (!ready) {
        ready = true;
        mpq_inits(from[0], from[1], from[2], fd, fu, dd, du, uu, n, d, NULL);
    }
    mpq_set_ui(convex.middle, 0, 1);
    dot(dd, convex.dir, convex.dir);
    dot(du, convex.dir, convex.axis);
    dot(uu, convex.axis, convex.axis);
    for (int end = 1; end >= 0; end--) {
        for (int i = 0; i < 3; i++) {
            mpq_sub(from[i], convex.p[i], convex.origin[i]);
            if (end == 1) {
                mpq_add(from[i], from[i], convex.axis[i]);
            }
        }
        dot(fd, from, convex.dir);
        dot(fu, from, convex.axis);
        try_middle(fd, dd);
        try_middle(fu, du);
    }
    /* The t where (from - t d), without its part along u, is shortest: (fd uu - fu du) / (dd uu -
     * du du). */
    mpq_mul(n, fd, uu);
    convex_add_product(n, fu, du, -1);
    mpq_mul(d, dd, uu);
    convex_add_product(d, du, du, -1);
    try_middle(n, d);
    /* Parallel to the axis, at the distance of the radius: it slides from plane to plane. */
    excess(convex.middle, convex.x);
    convex.slides = mpq_sgn(d) == 0 && mpq_sgn(uu) != 0 && convex.moves && mpq_sgn(convex.x) == 0;
    if (convex.slides) {
        mpq_div(convex.end[0], fu, du);
        mpq_div(n, uu, du);
        mpq_add(convex.end[1], convex.end[0], n);
        if (mpq_cmp(convex.end[0], convex.end[1]) > 0) {
            mpq_swap(convex.end[0], convex.end[1]);
        }
    }
}

/* The distance is convex: it falls up to the middle and rises from there; the middle is within. */
static int order_round(int end, const mpq_t m)
{
    if (convex.slides) {
        return convex_order_known(end, m);
    }
    excess(m, convex.x);
    const int outside = mpq_sgn(convex.x), later = mpq_cmp(m, convex.middle);
    if (outside > 0) {
        return later < 0 ? 1 : -1;
    }
    if (outside == 0 && (end == 0 ? later <= 0 : later >= 0)) {
        return 0;
    }
    excess(convex.middle, convex.x);
    return outside == 0 && mpq_sgn(convex.x) == 0 ? 0 : end == 0 ? -1 : 1;
}

const char *convex_oracle_capsule(const sl_line *line, const sl_capsule *capsule,
                                  const contact *got)
{
    if (!convex_set_line(line)) {
        return convex_miss(got);
    }
    for (int i = 0; i < 3; i++) {
        rational_set(convex.p[i], (double)capsule->p[i]);
        rational_set(convex.axis[i], (double)capsule->q[i]);
        mpq_sub(convex.axis[i], convex.axis[i], convex.p[i]);
    }
    rational_set(convex.radius2, (double)capsule->radius);
    mpq_mul(convex.radius2, convex.radius2, convex.radius2);
    find_middle();
    excess(convex.middle, convex.x);
    const int outside = mpq_sgn(convex.x);
    if (outside > 0) {
        return convex_miss(got);
    }
    return convex_differs(order_round, outside < 0, true, got);
}

static bool ask_library(const sl_line *line, const sl_capsule *capsule, const sl_sphere *sphere,
                        sl_start_inside inside, sl_round_hit *hit)
{
    return sphere != NULL ? sl_line_sphere(*line, sphere, inside, hit)
                          : sl_line_capsule(*line, capsule, inside, hit);
}

bool convex_oracle_hold(const sl_line *line, const sl_capsule *capsule, const sl_sphere *sphere)
{
    sl_round_hit hit, other;
    memset(&hit, 0, sizeof hit);
    const bool met = ask_library(line, capsule, sphere, SL_INSIDE_SOLID, &hit);
    const contact got = contact_of_round(met, &hit);
    const char *wrong = convex_oracle_capsule(line, capsule, &got);
    if (wrong != NULL) {
        print_message("%s: origin %a %a %a, from %a %a %a towards %a %a %a, limits %a %a, "
                      "%s %a %a %a, %a %a %a, radius %a\n",
                      wrong, line->origin[0], line->origin[1], line->origin[2], line->tail[0],
                      line->tail[1], line->tail[2], line->head[0], line->head[1], line->head[2],
                      line->tmin, line->tmax, sphere != NULL ? "sphere" : "capsule", capsule->p[0],
                      capsule->p[1], capsule->p[2], capsule->q[0], capsule->q[1], capsule->q[2],
                      capsule->radius);
    }
    assert_null(wrong);
    assert_int_equal(ask_library(line, capsule, sphere, SL_INSIDE_IGNORE, NULL),
                     met && !hit.inside);
    assert_int_equal(ask_library(line, capsule, sphere, SL_INSIDE_HOLLOW, &other),
                     met && (!hit.inside || hit.exit));
    if (met && hit.inside && hit.exit) {
        assert_true(other.t == hit.t1 && other.t0 == hit.t0);
    }
    return met;
}
