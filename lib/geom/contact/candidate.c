/* Candidates for the nearest points of two triangles: accepted by signs, measured in numbers.
 *
 * A candidate is a pair of faces, each a corner, an edge or all of a triangle, with the nearest
 * points p and q of the flats (points, lines, planes) that these span.  With w the difference of a
 * corner of each and e_1 .. e_n the edges that leave these corners, those of b turned around, p - q
 * is the least d = w + sum t_i e_i:
 *     n = 0    d = w
 *     n = 1    t = -(w . e) / (e . e), and |d|^2 = |w x e|^2 / (e . e)
 *     n = 2    with m = e_1 x e_2, t_1 = -((w x e_2) . m) / (m . m),
 *              t_2 = -((e_1 x w) . m) / (m . m),
 *              and d = m (w . m) / (m . m)
 *     n = 3    d = 0, by Cramer's rule: an edge that pierces a triangle
 * The points p and q lie in the triangles where the weights say so, and are nearest then exactly if
 * d . (x - p) >= 0 for each corner x of a, and d . (y - q) <= 0 for each corner y of b (the
 * condition of a convex minimum).  So a candidate is accepted by signs alone, of degree 4 at most;
 * no distance is compared with another one. */
#include "lib/geom/contact/candidate.h"

#include "lib/base/inline.h"

enum { FACES = 7 };

/* A face of a triangle: a corner, and the corners to which its edges lead. */
typedef struct sli_face {
    int corner, edges, to[2];
} face;

static const face faces[FACES] = {
    { 0, 0, { 0 } }, { 1, 0, { 0 } }, { 2, 0, { 0 } },    { 0, 1, { 1 } },
    { 1, 1, { 2 } }, { 2, 1, { 0 } }, { 0, 2, { 1, 2 } },
};

/* ---- Products of vectors that are differences ---- */

static void span_at(const sli_contact_candidate *c, sli_span x, int axis, sli_number *out)
{
    sli_number_diff(x.to[axis], x.from[axis], c->exact, out);
}

static SLI_NOINLINE void span_dot(const sli_contact_candidate *c, sli_span x, sli_span y,
                                  sli_number *out)
{
    sli_number sum, left, right;
    sli_number_set(0, c->exact, &sum);
    for (int axis = 0; axis < 3; axis++) {
        span_at(c, x, axis, &left);
        span_at(c, y, axis, &right);
        sli_number_mul(&left, &right, &left);
        sli_number_add(&sum, &left, &sum);
    }
    sli_number_copy(&sum, out);
}

/* One coordinate of x x y. */
static SLI_NOINLINE void span_cross(const sli_contact_candidate *c, sli_span x, sli_span y,
                                    int axis, sli_number *out)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    sli_number left, right;
    span_at(c, x, j, &left);
    span_at(c, y, k, &right);
    sli_number_mul(&left, &right, out);
    span_at(c, x, k, &left);
    span_at(c, y, j, &right);
    sli_number_mul(&left, &right, &left);
    sli_number_sub(out, &left, out);
}

/* v . x. */
static SLI_NOINLINE void vector_dot(const sli_contact_candidate *c, const sli_number v[3],
                                    sli_span x, sli_number *out)
{
    sli_number sum, term;
    sli_number_set(0, c->exact, &sum);
    for (int axis = 0; axis < 3; axis++) {
        span_at(c, x, axis, &term);
        sli_number_mul(&v[axis], &term, &term);
        sli_number_add(&sum, &term, &sum);
    }
    sli_number_copy(&sum, out);
}

/* (x x y) . v; of v = NULL that of x x y. */
static SLI_NOINLINE void span_triple(const sli_contact_candidate *c, sli_span x, sli_span y,
                                     const sli_number v[3], sli_number *out)
{
    sli_number sum, term;
    sli_number_set(0, c->exact, &sum);
    for (int axis = 0; axis < 3; axis++) {
        span_cross(c, x, y, axis, &term);
        sli_number_mul(&term, v != NULL ? &v[axis] : &term, &term);
        sli_number_add(&sum, &term, &sum);
    }
    sli_number_copy(&sum, out);
}

/* ---- Candidates ---- */

static sli_span reversed(sli_span x)
{
    return (sli_span){ x.to, x.from };
}

bool sli_candidate_start(const sl_triangle_d *a, const sl_triangle_d *b, int number, bool exact,
                         sli_contact_candidate *out)
{
    const face *of_a = &faces[number / FACES], *of_b = &faces[number % FACES];
    out->a = a;
    out->b = b;
    out->of_a = of_a;
    out->of_b = of_b;
    out->exact = exact;
    out->count = of_a->edges + of_b->edges;
    if (out->count > 3) {
        return false;
    }
    out->w = (sli_span){ b->v[of_b->corner], a->v[of_a->corner] };
    for (int i = 0; i < of_a->edges; i++) {
        out->e[i] = (sli_span){ a->v[of_a->corner], a->v[of_a->to[i]] };
    }
    for (int i = 0; i < of_b->edges; i++) {
        out->e[of_a->edges + i] = (sli_span){ b->v[of_b->to[i]], b->v[of_b->corner] };
    }
    return true;
}

/* The normal and the denominator.  A negative one is turned by the order of the last two edges. */
static void candidate_denominator(sli_contact_candidate *c)
{
    const int n = c->count;
    if (n >= 2) {
        for (int axis = 0; axis < 3; axis++) {
            span_cross(c, c->e[n - 2], c->e[n - 1], axis, &c->normal[axis]);
        }
    }
    if (n == 0) {
        sli_number_set(1, c->exact, &c->den);
    } else if (n == 1) {
        span_dot(c, c->e[0], c->e[0], &c->den);
    } else if (n == 2) {
        sli_number_dot(c->normal, c->normal, &c->den);
    } else {
        vector_dot(c, c->normal, c->e[0], &c->den);
    }
}

/* Of three edges: -det(w, e_2, e_3), -det(e_1, w, e_3) and -det(e_1, e_2, w), with the sign that
 * the denominator gets. */
static SLI_NOINLINE void weights_of_three(sli_contact_candidate *c)
{
    const int sign = c->den.value < 0 ? 1 : -1;
    sli_number z[3];
    vector_dot(c, c->normal, c->w, &c->t[0]);
    for (int axis = 0; axis < 3; axis++) {
        span_at(c, c->e[0], axis, &z[axis]);
    }
    span_triple(c, c->w, c->e[2], z, &c->t[1]);
    span_triple(c, c->e[1], c->w, z, &c->t[2]);
    for (int i = 0; i < 3; i++) {
        sli_number_turn(&c->t[i], sign);
    }
    sli_number_turn(&c->den, -sign);
}

static SLI_NOINLINE void candidate_weights(sli_contact_candidate *c)
{
    if (c->count == 1) {
        span_dot(c, c->w, reversed(c->e[0]), &c->t[0]);
    } else if (c->count == 2) {
        span_triple(c, c->e[1], c->w, c->normal, &c->t[0]);
        span_triple(c, c->w, c->e[0], c->normal, &c->t[1]);
    } else if (c->count == 3) {
        weights_of_three(c);
    }
}

void sli_candidate_solve(sli_contact_candidate *c)
{
    candidate_denominator(c);
    candidate_weights(c);
}

/* Whether the weights of count edges put the point in the face: none is negative, and their sum is
 * no more than 1. */
static sli_tribool is_in_face(const sli_contact_candidate *c, const sli_number *t, int count)
{
    sli_tribool in = SLI_YES;
    sli_number rest;
    sli_number_copy(&c->den, &rest);
    for (int i = 0; i < count; i++) {
        in = sli_and(in, sli_not(sli_is_negative(&t[i])));
        sli_number_sub(&rest, &t[i], &rest);
    }
    return count > 0 ? sli_and(in, sli_not(sli_is_negative(&rest))) : SLI_YES;
}

/* A denominator of three edges whose sign is unsure leaves those of the weights unsure, too. */
static sli_tribool is_in_faces(const sli_contact_candidate *c)
{
    const int n = c->of_a->edges;
    const sli_tribool spans = sli_is_positive(&c->den);
    if (c->count == 3 && spans == SLI_UNSURE) {
        return SLI_UNSURE;
    }
    return sli_and(spans, sli_and(is_in_face(c, c->t, n), is_in_face(c, c->t + n, c->count - n)));
}

/* Whether d . x >= 0. */
static SLI_NOINLINE sli_tribool is_beyond(const sli_contact_candidate *c, sli_span x)
{
    sli_number along, other;
    if (c->count == 0) {
        span_dot(c, c->w, x, &along);
    } else if (c->count == 1) {
        span_dot(c, c->w, x, &along);
        sli_number_mul(&along, &c->den, &along);
        span_dot(c, c->e[0], x, &other);
        sli_number_mul(&other, &c->t[0], &other);
        sli_number_add(&along, &other, &along);
    } else {
        bool unsure = false;
        vector_dot(c, c->normal, c->w, &other);
        const int side = sli_number_sign(&other, &unsure);
        vector_dot(c, c->normal, x, &along);
        sli_number_turn(&along, unsure ? 1 : side);
        if (unsure) {
            return along.n < 0 && along.value == 0 && along.error == 0 ? SLI_YES : SLI_UNSURE;
        }
    }
    return sli_not(sli_is_negative(&along));
}

/* Whether all corners of one triangle are beyond the nearest point, seen from the other one; those
 * of the face are. */
static sli_tribool are_beyond(const sli_contact_candidate *c, const sl_triangle_d *of,
                              const face *near, bool b)
{
    sli_tribool all = SLI_YES;
    for (int i = 0; i < 3 && all != SLI_NO; i++) {
        const bool is_of_face =
            i == near->corner || (near->edges > 0 && i == near->to[0]) || near->edges == 2;
        if (!is_of_face) {
            const sli_span x = { of->v[near->corner], of->v[i] };
            all = sli_and(all, is_beyond(c, b ? reversed(x) : x));
        }
    }
    return all;
}

/* An edge that pierces a triangle needs no more than its weights. */
sli_tribool sli_candidate_is_accepted(sli_contact_candidate *c)
{
    sli_candidate_solve(c);
    sli_tribool accepted = is_in_faces(c);
    if (c->count < 3 && accepted != SLI_NO) {
        accepted = sli_and(accepted, are_beyond(c, c->a, c->of_a, false));
    }
    if (c->count < 3 && accepted != SLI_NO) {
        accepted = sli_and(accepted, are_beyond(c, c->b, c->of_b, true));
    }
    return accepted;
}

/* ---- What is measured ---- */

void sli_candidate_square(const sli_contact_candidate *c, sli_number *out)
{
    if (c->count == 0) {
        span_dot(c, c->w, c->w, out);
    } else if (c->count == 1) {
        span_triple(c, c->w, c->e[0], NULL, out);
    } else if (c->count == 2) {
        vector_dot(c, c->normal, c->w, out);
        sli_number_mul(out, out, out);
    } else {
        sli_number_set(0, c->exact, out);
    }
}

void sli_candidate_point(const sli_contact_candidate *c, bool on_b, sli_number top[3])
{
    const face *of = on_b ? c->of_b : c->of_a;
    const double *corner = (on_b ? c->b : c->a)->v[of->corner];
    const int first = on_b ? c->of_a->edges : 0;
    for (int axis = 0; axis < 3; axis++) {
        sli_number term;
        sli_number_set(corner[axis], true, &top[axis]);
        sli_number_mul(&top[axis], &c->den, &top[axis]);
        for (int i = first; i < first + of->edges; i++) {
            span_at(c, on_b ? reversed(c->e[i]) : c->e[i], axis, &term);
            sli_number_mul(&c->t[i], &term, &term);
            sli_number_add(&top[axis], &term, &top[axis]);
        }
    }
}
