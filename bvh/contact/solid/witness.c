/* Winding numbers at witnesses: what the ray from there along an axis crosses.
 *
 * A function of a point that is linear, f(p) = f_0 + g . p, is f(at) + e g . dir[0] +
 * e^2 g . dir[1] + e^3 g . dir[2] at the witness, so it has the sign of the first of these that is
 * not 0.  Of a triangle with corners a, b, c, whose normal is n, two kinds of functions count: the
 * area that the point makes with a side, seen along the ray, and n . (p - a).  The line of the ray
 * goes through the triangle where the three areas have one sign s, which then is that of n along
 * the ray; and it does so beyond the point where n . (p - a) has the sign -s.  The three directions
 * span space, so none of the signs is 0, but for triangles that are seen edge on, which the ray
 * misses.
 * Source: Edelsbrunner and Muecke, Simulation of Simplicity (1990). */
#include "bvh/contact/solid/solid.h"
#include "lib/geom/exact/plane_side.h"

#include <float.h>
#include <math.h>

void sli_witness_finish(sli_witness *witness)
{
    if (witness->weight.sign < 0) {
        witness->weight = sli_big_turn(witness->weight, -1);
        for (int axis = 0; axis < 3; axis++) {
            witness->at[axis] = sli_big_turn(witness->at[axis], -1);
        }
    }
    for (int axis = 0; axis < 3 && !witness->bigs->failed; axis++) {
        witness->near[axis] = sli_big_ratio(witness->at[axis], witness->weight);
        witness->off[axis] = fabs(witness->near[axis]) * 0x1p-49 + 0x1p-900;
    }
}

void sli_witness_direct(sli_witness *witness, int direction, const double from[3],
                        const double to[3])
{
    sli_big_differences(witness->bigs, to, from, witness->dir[direction]);
}

void sli_witness_direct_axis(sli_witness *witness, int direction, int axis)
{
    static const double zero[3] = { 0, 0, 0 };
    const double to[3] = { axis == 0, axis == 1, axis == 2 };
    sli_witness_direct(witness, direction, zero, to);
}

/* ---- In doubles ---- */

/* What doubles say of a triangle: the sign of each area, 0 where they are unsure, and of
 * n . (p - a). */
typedef struct signs {
    int area[3], beyond;
} signs;

static int sure_sign(double value, double error)
{
    return (value > error) - (value < -error);
}

/* Differences of corners and of the point have a relative error of 2^-53 and that of the point;
 * products and their sum one of 2^-51 of the sizes. */
static int area_sign(const sli_witness *w, const double a[3], const double b[3])
{
    const int u = (w->axis + 1) % 3, v = (w->axis + 2) % 3;
    const double p = b[u] - a[u], q = b[v] - a[v];
    const double to_u = w->near[u] - a[u], to_v = w->near[v] - a[v];
    const double left = p * to_v, right = q * to_u;
    const double error = (fabs(left) + fabs(right)) * 0x1p-49 +
                         (fabs(p) * w->off[v] + fabs(q) * w->off[u]) * (1 + 0x1p-20) + 0x1p-1000;
    return sure_sign(left - right, error);
}

static int beyond_sign(const sli_witness *w, const sl_triangle_d *t)
{
    double value = 0, error = 0x1p-1000;
    double p[3], q[3], to[3];
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = t->v[1][axis] - t->v[0][axis];
        q[axis] = t->v[2][axis] - t->v[0][axis];
        to[axis] = w->near[axis] - t->v[0][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        const double left = p[i] * q[j], right = p[j] * q[i], size = fabs(left) + fabs(right);
        value += (left - right) * to[axis];
        error += size * (fabs(to[axis]) * 0x1p-47 + w->off[axis] * (1 + 0x1p-20));
    }
    return sure_sign(value, error);
}

/* ---- Exactly ---- */

/* The signs of f(at) and of g . dir[0 .. 2]. */
typedef struct chain {
    int sign[4];
} chain;

/* The sign at point `way`. */
static int chain_sign(const chain *c, const sli_witness *w, int way)
{
    for (int i = 0; i < 4; i++) {
        if (c->sign[i] != 0) {
            const bool turned = i > 0 && i <= w->turned && (way >> (i - 1) & 1) != 0;
            return turned ? -c->sign[i] : c->sign[i];
        }
    }
    return 0;
}

/* Number i of what a linear function is asked about: at - weight a, or a direction. */
static void chain_vector(const sli_witness *w, const double a[3], int i, sli_big out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] =
            i > 0 ? w->dir[i - 1][axis]
                  : sli_big_sub(w->bigs, w->at[axis],
                                sli_big_mul(w->bigs, w->weight, sli_big_of(w->bigs, a[axis])));
    }
}

/* Of the area that the point makes with a side, seen along an axis. */
static chain area_chain(const sli_witness *w, const double a[3], const double b[3], int axis,
                        int length)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    sli_big side[3];
    chain out = { { 0 } };
    sli_big_differences(w->bigs, b, a, side);
    for (int i = 0; i < length && (i == 0 || out.sign[i - 1] == 0); i++) {
        sli_big to[3];
        chain_vector(w, a, i, to);
        out.sign[i] = sli_big_cross(w->bigs, side[u], to[v], side[v], to[u]).sign;
    }
    return out;
}

static chain beyond_chain(const sli_witness *w, const sl_triangle_d *t, int length)
{
    sli_big n[3];
    chain out = { { 0 } };
    sli_big_normal(w->bigs, t, n);
    for (int i = 0; i < length && (i == 0 || out.sign[i - 1] == 0); i++) {
        sli_big to[3];
        chain_vector(w, t->v[0], i, to);
        out.sign[i] = sli_big_dot(w->bigs, n, to).sign;
    }
    return out;
}

bool sli_witness_touches(const sli_witness *witness, const sl_triangle_d *triangle)
{
    int side[3];
    if (beyond_sign(witness, triangle) != 0 || beyond_chain(witness, triangle, 1).sign[0] != 0) {
        return false;
    }
    const int along = sli_solid_axis(triangle);
    for (int i = 0; i < 3; i++) {
        side[i] = area_chain(witness, triangle->v[i], triangle->v[(i + 1) % 3], along, 1).sign[0];
    }
    return !sli_are_on_both_sides(side);
}

/* ---- A triangle ---- */

typedef struct count {
    const sli_witness *witness;
    int64_t *winding;
} count;

/* The triangle is crossed on the way out where its front is ahead: s is positive. */
static void count_exactly(const count *c, const sl_triangle_d *t, const signs *known)
{
    const sli_witness *w = c->witness;
    chain area[3], beyond = { { known->beyond } };
    for (int side = 0; side < 3; side++) {
        area[side] = known->area[side] != 0
                         ? (chain){ { known->area[side] } }
                         : area_chain(w, t->v[side], t->v[(side + 1) % 3], w->axis, 4);
    }
    if (known->beyond == 0) {
        beyond = beyond_chain(w, t, 4);
    }
    for (int way = 0; way < 1 << w->turned; way++) {
        const int s = chain_sign(&area[0], w, way);
        if (s == chain_sign(&area[1], w, way) && s == chain_sign(&area[2], w, way) &&
            chain_sign(&beyond, w, way) == -s) {
            c->winding[way] += s;
        }
    }
}

static bool take_triangle(void *context, sl_triangle_ref ref, const sl_triangle_d *t)
{
    (void)ref;
    const count *c = context;
    const sli_witness *w = c->witness;
    signs known;
    for (int side = 0; side < 3; side++) {
        known.area[side] = area_sign(w, t->v[side], t->v[(side + 1) % 3]);
    }
    if (sli_are_on_both_sides(known.area)) {
        return true;
    }
    known.beyond = beyond_sign(w, t);
    if (known.beyond != 0 && known.area[0] != 0 && known.area[1] != 0 && known.area[2] != 0) {
        for (int way = 0; way < 1 << w->turned && known.beyond == -known.area[0]; way++) {
            c->winding[way] += known.area[0];
        }
        return true;
    }
    count_exactly(c, t, &known);
    return true;
}

void sli_witness_winding(const sli_witness *witness, const sli_solid *solid,
                         int64_t winding[SLI_WITNESS_WAYS])
{
    count c = { witness, winding };
    sl_aabb_d box;
    for (int way = 0; way < SLI_WITNESS_WAYS; way++) {
        winding[way] = 0;
    }
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = witness->near[axis] - 2 * witness->off[axis];
        box.max[axis] =
            axis == witness->axis ? (double)FLT_MAX : witness->near[axis] + 2 * witness->off[axis];
    }
    if (!witness->bigs->failed) {
        sli_solid_near(solid, &box, take_triangle, &c);
    }
}
