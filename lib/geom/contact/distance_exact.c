/* The nearest points of two triangles exactly: their distance as a ratio, and their coordinates; by
 * candidates that are accepted (candidate.c), of which no distance is compared with another one.
 *
 * The nearest pairs of points differ by the same d, as two convex bodies have one least difference:
 * their points on a are a convex polygon, what a has in common with b moved by d.  Its corners are
 * corners of either, crossings of their edges or, where d is 0, of an edge and a triangle, each a
 * candidate that is accepted; the lowest point is one of them. */
#include "lib/base/assert.h"
#include "lib/base/inline.h"
#include "lib/geom/contact/candidate.h"
#include "lib/geom/contact/distance.h"
#include "lib/geom/exact/arithmetic/round_root.h"

/* ---- The distance ---- */

/* The number of a candidate that is accepted: the first that doubles accept, else one of those that
 * they leave open.  Of parallel triangles most are open, and those of two edges are most likely. */
static int first_accepted(const sl_triangle_d *a, const sl_triangle_d *b, sli_contact_candidate *c)
{
    uint64_t open = 0;
    for (int i = 0; i < SLI_CANDIDATES; i++) {
        const sli_tribool answer =
            sli_candidate_start(a, b, i, false, c) ? sli_candidate_is_accepted(c) : SLI_NO;
        if (answer == SLI_YES) {
            return i;
        }
        open |= (uint64_t)(answer == SLI_UNSURE) << i;
    }
    for (int i = 0; i < 2 * SLI_CANDIDATES; i++) {
        const int number = i % SLI_CANDIDATES;
        if ((open >> number & 1) != 0 && sli_candidate_start(a, b, number, true, c) &&
            (c->count == 2) == (i < SLI_CANDIDATES) && sli_candidate_is_accepted(c) == SLI_YES) {
            return number;
        }
    }
    SL_ASSERT(false);
    return 0;
}

void sli_triangle_gap_exact(const sl_triangle_d *a, const sl_triangle_d *b, sli_exact_gap *out)
{
    sli_contact_candidate c;
    (void)sli_candidate_start(a, b, first_accepted(a, b, &c), true, &c);
    sli_candidate_solve(&c);
    sli_candidate_square(&c, &out->square);
    sli_number_copy(&c.den, &out->over);
}

/* The quotients, each known to within some units in its last place, decide most. */
int sli_exact_gap_compare(const sli_exact_gap *a, const sli_exact_gap *b)
{
    bool unsure = false;
    sli_number left, right;
    sli_number_div(&a->square, &a->over, &left);
    sli_number_div(&b->square, &b->over, &right);
    sli_number_sub(&left, &right, &left);
    const int sign = sli_number_sign(&left, &unsure);
    if (!unsure) {
        return sign;
    }
    sli_number_mul(&a->square, &b->over, &left);
    sli_number_mul(&b->square, &a->over, &right);
    sli_number_sub(&left, &right, &left);
    return sli_number_sign(&left, &unsure);
}

int sli_exact_gap_order(const sli_exact_gap *gap, double limit)
{
    bool unsure = false;
    sli_number square;
    if (isinf(limit)) {
        return -1;
    }
    sli_number_set(limit, true, &square);
    sli_number_mul(&square, &square, &square);
    sli_number_mul(&square, &gap->over, &square);
    sli_number_sub(&gap->square, &square, &square);
    return sli_number_sign(&square, &unsure);
}

/* ---- The points ---- */

static SLI_NOINLINE void round_point(const sli_contact_candidate *c, bool on_b, double point[3])
{
    sli_number top[3];
    sli_candidate_point(c, on_b, top);
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = sli_number_round_ratio_double(&top[axis], &c->den).nearest;
    }
}

/* A point on a, and the candidate that it is of. */
typedef struct lowest {
    int number; /* -1: none yet */
    sli_number top[3], den;
} lowest;

static void keep_lower(const sli_contact_candidate *c, int number, lowest *best)
{
    sli_number top[3], left, right;
    int order = best->number < 0 ? -1 : 0;
    sli_candidate_point(c, false, top);
    for (int axis = 0; axis < 3 && order == 0; axis++) {
        sli_number_mul(&top[axis], &best->den, &left);
        sli_number_mul(&best->top[axis], &c->den, &right);
        sli_number_sub(&left, &right, &left);
        bool unsure = false; /* all is exact here */
        order = sli_number_sign(&left, &unsure);
    }
    if (order < 0) {
        best->number = number;
        sli_number_copy3(top, best->top);
        sli_number_copy(&c->den, &best->den);
    }
}

void sli_nearest_points(const sl_triangle_d *a, const sl_triangle_d *b, double on_a[3],
                        double on_b[3])
{
    sli_contact_candidate c;
    lowest best = { .number = -1 };
    for (int i = 0; i < SLI_CANDIDATES; i++) {
        const bool is_one = sli_candidate_start(a, b, i, false, &c);
        if (is_one && sli_candidate_is_accepted(&c) != SLI_NO &&
            sli_candidate_start(a, b, i, true, &c) && sli_candidate_is_accepted(&c) == SLI_YES) {
            keep_lower(&c, i, &best);
        }
    }
    (void)sli_candidate_start(a, b, best.number, true, &c);
    sli_candidate_solve(&c);
    round_point(&c, false, on_a);
    round_point(&c, true, on_b);
}
