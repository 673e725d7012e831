/* Whether common points of two pairs of triangles are the same, for curves of many pairs.
 *
 * Neighbours name such a point alike: it lies in a face of a surface, which is an edge or a corner
 * of some triangles, and in one of another surface, which meets the first in one point.  Points of
 * other names are compared as ratios of degree 4 over 3. */
#include "lib/geom/contact/crossing.h"
#include "lib/geom/contact/relation.h"
#include "lib/geom/exact/arithmetic/number.h"
#include "lib/geom/exact/plane_side.h"

/* Whether each corner of one face is at one of the other face. */
static bool is_in_face(const sl_triangle_d *a, uint8_t face, const sl_triangle_d *b, uint8_t other)
{
    for (int i = 0; i < 3; i++) {
        bool found = (face >> i & 1) == 0;
        for (int j = 0; j < 3; j++) {
            found = found || ((other >> j & 1) != 0 && sli_is_same_point(a->v[i], b->v[j]));
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool is_same_face(const sl_triangle_d *a, uint8_t face, const sl_triangle_d *b,
                         uint8_t other)
{
    return is_in_face(a, face, b, other) && is_in_face(b, other, a, face);
}

/* A point: x / d. */
typedef struct ratio_point {
    sli_number x[3], d;
} ratio_point;

static void set_differences(const double a[3], const double b[3], sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_diff(a[axis], b[axis], true, &out[axis]);
    }
}

static void set_crossing(const sli_crossing *c, ratio_point *out)
{
    sli_number f[3], g[3], normal[3], n;
    set_differences(c->f1, c->f0, f);
    set_differences(c->g1, c->g0, g);
    sli_number_cross(f, g, normal);
    set_differences(c->p, c->o, f);
    set_differences(c->p, c->q, g);
    sli_number_dot(f, normal, &n);
    sli_number_dot(g, normal, &out->d);
    for (int axis = 0; axis < 3; axis++) { /* p d - (p - q) n */
        sli_number step;
        sli_number_mul(&g[axis], &n, &step);
        sli_number_set(c->p[axis], true, &out->x[axis]);
        sli_number_mul(&out->x[axis], &out->d, &out->x[axis]);
        sli_number_sub(&out->x[axis], &step, &out->x[axis]);
    }
}

static void set_point(const sl_triangle_d *a, const sl_triangle_d *b, sli_common_point at,
                      ratio_point *out)
{
    const double *corner;
    if (!sli_common_corner(a, b, at, &corner)) {
        const sli_crossing c = sli_crossing_of(a, b, at);
        set_crossing(&c, out);
        return;
    }
    sli_number_set(1, true, &out->d);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(corner[axis], true, &out->x[axis]);
    }
}

static bool is_same_ratio(const ratio_point *p, const ratio_point *q)
{
    bool unsure = false;
    for (int axis = 0; axis < 3; axis++) {
        sli_number left, right;
        sli_number_mul(&p->x[axis], &q->d, &left);
        sli_number_mul(&q->x[axis], &p->d, &right);
        sli_number_sub(&left, &right, &left);
        if (sli_number_sign(&left, &unsure) != 0) {
            return false;
        }
    }
    return true;
}

bool sli_is_same_common(const sli_common_of *one, const sli_common_of *other)
{
    const double *p, *q;
    if (sli_common_corner(&one->a, &one->b, one->at, &p) &&
        sli_common_corner(&other->a, &other->b, other->at, &q)) {
        return sli_is_same_point(p, q);
    }
    if (is_same_face(&one->a, one->at.in_a, &other->a, other->at.in_a) &&
        is_same_face(&one->b, one->at.in_b, &other->b, other->at.in_b)) {
        return true;
    }
    ratio_point x, y;
    set_point(&one->a, &one->b, one->at, &x);
    set_point(&other->a, &other->b, other->at, &y);
    return is_same_ratio(&x, &y);
}
