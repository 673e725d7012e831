/* Where triangles cut through another one: segments within it, exactly, in the two coordinates
 * (u, v) that are left when it is seen along an axis.
 *
 * The plane of the triangle is n . x = d.  A plane s . x = e has the line p u + q v = r in common
 * with it, with p = s_u n_w - s_w n_u, q = s_v n_w - s_w n_v and r = e n_w - s_w d: degrees 4 and 5
 * in the coordinates.  A side of a triangle in the same plane has such a line of degree 1 and 2. */
#include "bvh/contact/solid/fraction.h"
#include "lib/base/memory.h"
#include "lib/geom/contact/relation.h"
#include "lib/geom/exact/plane_side.h"

#include <math.h>
#include <string.h>

/* ---- The triangle ---- */

int sli_solid_axis(const sl_triangle_d *t)
{
    double normal[3];
    int along = 0;
    sli_triangle_normal(t->v[0], t->v[1], t->v[2], normal);
    for (int axis = 1; axis < 3; axis++) {
        along = fabs(normal[axis]) > fabs(normal[along]) ? axis : along;
    }
    return along;
}

void sli_big_normal(sli_bigs *bigs, const sl_triangle_d *t, sli_big n[3])
{
    sli_big p[3], q[3];
    sli_big_differences(bigs, t->v[1], t->v[0], p);
    sli_big_differences(bigs, t->v[2], t->v[0], q);
    sli_big_vector_cross(bigs, p, q, n);
}

sli_big sli_big_dot_point(sli_bigs *bigs, const sli_big n[3], const double x[3])
{
    const sli_big at[3] = { sli_big_of(bigs, x[0]), sli_big_of(bigs, x[1]),
                            sli_big_of(bigs, x[2]) };
    return sli_big_dot(bigs, n, at);
}

void sli_pieces_begin(sli_pieces *pieces, const sl_triangle_d *corners)
{
    sli_arena_free(&pieces->bigs.arena);
    pieces->bigs = (sli_bigs){ .arena = sli_arena_make(&pieces->allocator) };
    pieces->corners = *corners;
    pieces->count = 0;
    pieces->planned = false;
    const int along = sli_solid_axis(corners);
    for (int i = 0; i < 3; i++) {
        pieces->axis[i] = (along + 1 + i) % 3;
    }
}

/* The plane is needed only where something cuts. */
static void pieces_plan(sli_pieces *pieces)
{
    if (!pieces->planned) {
        sli_big_normal(&pieces->bigs, &pieces->corners, pieces->normal);
        pieces->offset = sli_big_dot_point(&pieces->bigs, pieces->normal, pieces->corners.v[0]);
        pieces->planned = true;
    }
}

void sli_pieces_free(sli_pieces *pieces)
{
    sli_arena_free(&pieces->bigs.arena);
    sli_arena_free(&pieces->scratch.arena);
    sli_free_array(&pieces->allocator, pieces->cuts, pieces->capacity, sizeof *pieces->cuts);
    sli_free_array(&pieces->allocator, pieces->blocks, pieces->block_capacity,
                   sizeof *pieces->blocks);
    sli_free_array(&pieces->allocator, pieces->splits, pieces->split_capacity,
                   sizeof *pieces->splits);
}

/* ---- The part of a line that is within the triangle ---- */

static sli_big_fraction fraction_of(sli_bigs *bigs, double x)
{
    return (sli_big_fraction){ sli_big_of(bigs, x), sli_big_of(bigs, 1), x, 0 };
}

/* Where a line that has the values at_a and at_b, of different signs, at a and b is 0. */
static sli_big_fraction fraction_between(sli_bigs *bigs, double a, double b, sli_big at_a,
                                         sli_big at_b)
{
    return sli_fraction_make(
        bigs, sli_big_cross(bigs, sli_big_of(bigs, a), at_b, sli_big_of(bigs, b), at_a),
        sli_big_sub(bigs, at_b, at_a));
}

/* Puts two fractions in order. */
static void fractions_sort(sli_bigs *bigs, sli_big_fraction *low, sli_big_fraction *high)
{
    if (sli_fraction_compare(bigs, low, high) > 0) {
        const sli_big_fraction first = *low;
        *low = *high;
        *high = first;
    }
}

/* The ends, along an axis, of what a triangle has of a line or plane, in order: it has corners with
 * values on both sides of it, as `side` says. */
static void find_ends(sli_bigs *bigs, const sl_triangle_d *t, int axis, const int side[3],
                      const sli_big value[3], sli_big_fraction *low, sli_big_fraction *high)
{
    sli_big_fraction *end = low;
    for (int i = 0; i < 3 && end != NULL; i++) {
        const int k = (i + 1) % 3;
        const double a = t->v[i][axis], b = t->v[k][axis];
        if (side[i] == 0 || side[i] * side[k] < 0) {
            *end = side[i] == 0 ? fraction_of(bigs, a)
                                : fraction_between(bigs, a, b, value[i], value[k]);
            end = end == low ? high : NULL;
        }
    }
    fractions_sort(bigs, low, high);
}

/* p u + q v - r at a point. */
static sli_big cut_value(sli_bigs *bigs, const sli_pieces *pieces, const sli_solid_cut *cut,
                         const double x[3])
{
    const sli_big u = sli_big_of(bigs, x[pieces->axis[0]]);
    const sli_big v = sli_big_of(bigs, x[pieces->axis[1]]);
    const sli_big sum =
        sli_big_add(bigs, sli_big_mul(bigs, cut->p, u), sli_big_mul(bigs, cut->q, v));
    return sli_big_sub(bigs, sum, cut->r);
}

/* Narrows a cut's low and high down to what is within the triangle.  Where a line separates corners
 * strictly, it has two points in common with the outline. */
static void cut_clip(sli_pieces *pieces, sli_solid_cut *cut, const int side[3])
{
    sli_bigs *bigs = &pieces->bigs;
    sli_big_fraction low, high;
    sli_big value[3];
    for (int i = 0; i < 3; i++) {
        value[i] = cut_value(bigs, pieces, cut, pieces->corners.v[i]);
    }
    find_ends(bigs, &pieces->corners, pieces->axis[cut->along], side, value, &low, &high);
    if (sli_fraction_compare(bigs, &low, &cut->low) > 0) {
        cut->low = low;
    }
    if (sli_fraction_compare(bigs, &high, &cut->high) < 0) {
        cut->high = high;
    }
}

/* The bounds of a cut: along it those of its ends, and those of s = (r - p t) / q. */
static void cut_bound(sli_bigs *bigs, sli_solid_cut *cut)
{
    const sli_big p = cut->along == 0 ? cut->p : cut->q, q = cut->along == 0 ? cut->q : cut->p;
    const int along = cut->along, other = 1 - cut->along;
    cut->bounds.min[along] = cut->low.near - 2 * cut->low.off;
    cut->bounds.max[along] = cut->high.near + 2 * cut->high.off;
    cut->bounds.min[other] = INFINITY;
    cut->bounds.max[other] = -INFINITY;
    for (int i = 0; i < 2; i++) {
        const sli_big_fraction *t = i == 0 ? &cut->low : &cut->high;
        const sli_big_fraction s = sli_fraction_make(
            bigs, sli_big_cross(bigs, cut->r, t->den, p, t->num), sli_big_mul(bigs, q, t->den));
        cut->bounds.min[other] = fmin(cut->bounds.min[other], s.near - 2 * s.off);
        cut->bounds.max[other] = fmax(cut->bounds.max[other], s.near + 2 * s.off);
    }
}

/* A cut with low and high within the line, which has some corners on one side and some on the
 * other, as `side` says.  False: out of memory. */
static bool pieces_add(sli_pieces *pieces, sli_solid_cut *cut, const int side[3])
{
    pieces_plan(pieces);
    cut_clip(pieces, cut, side);
    if (pieces->bigs.failed) {
        return false;
    }
    if (sli_fraction_compare(&pieces->bigs, &cut->low, &cut->high) >= 0) {
        return !pieces->bigs.failed;
    }
    cut_bound(&pieces->bigs, cut);
    for (int i = 0; i < 3; i++) {
        cut->across = side[i] != side[(i + 1) % 3] ? i : cut->across;
    }
    if (pieces->bigs.failed || !sli_grow_array(&pieces->allocator, &pieces->cuts, &pieces->capacity,
                                               pieces->count + 1, sizeof *cut)) {
        return false;
    }
    pieces->cuts[pieces->count++] = *cut;
    return true;
}

/* ---- Sides in the plane ---- */

bool sli_cuts_are_alike(const sli_solid_cut *a, const sli_solid_cut *b)
{
    const double(*p)[3] = a->side, (*q)[3] = b->side;
    return a->is_side && b->is_side &&
           ((sli_is_same_point(p[0], q[0]) && sli_is_same_point(p[1], q[1])) ||
            (sli_is_same_point(p[0], q[1]) && sli_is_same_point(p[1], q[0])));
}

/* Whether one of the last cuts is by the same side, of a neighbour.  Others that are there twice
 * are dropped later. */
static bool has_side(const sli_pieces *pieces, const sli_solid_cut *cut)
{
    enum { LAST = 32 };
    for (size_t i = pieces->count > LAST ? pieces->count - LAST : 0; i < pieces->count; i++) {
        if (sli_cuts_are_alike(&pieces->cuts[i], cut)) {
            return true;
        }
    }
    return false;
}

static bool cut_by_side(sli_pieces *pieces, const double a[3], const double b[3])
{
    sli_bigs *bigs = &pieces->bigs;
    const int u = pieces->axis[0], v = pieces->axis[1];
    const double p[2] = { a[u], a[v] }, q[2] = { b[u], b[v] };
    int side[3];
    for (int i = 0; i < 3; i++) {
        const double *x = pieces->corners.v[i], at[2] = { x[u], x[v] };
        side[i] = sli_orient2d(p, q, at);
    }
    sli_solid_cut cut = { .is_side = true };
    memcpy(cut.side[0], a, sizeof cut.side[0]);
    memcpy(cut.side[1], b, sizeof cut.side[1]);
    if (!sli_are_on_both_sides(side) || has_side(pieces, &cut)) {
        return true;
    }
    cut.p = sli_big_sub(bigs, sli_big_of(bigs, q[1]), sli_big_of(bigs, p[1]));
    cut.q = sli_big_sub(bigs, sli_big_of(bigs, p[0]), sli_big_of(bigs, q[0]));
    cut.r = sli_big_add(bigs, sli_big_mul(bigs, cut.p, sli_big_of(bigs, p[0])),
                        sli_big_mul(bigs, cut.q, sli_big_of(bigs, p[1])));
    cut.along = fabs(q[0] - p[0]) >= fabs(q[1] - p[1]) ? 0 : 1;
    cut.low = fraction_of(bigs, p[cut.along]);
    cut.high = fraction_of(bigs, q[cut.along]);
    fractions_sort(bigs, &cut.low, &cut.high);
    return pieces_add(pieces, &cut, side);
}

/* ---- Planes that cross ---- */

/* by: has corners on both sides of the plane, as `of_by` says, and the triangle corners on both
 * sides of that of by. */
static bool cut_by_plane(sli_pieces *pieces, const sl_triangle_d *by, const int of_by[3],
                         const int side[3])
{
    sli_bigs *bigs = &pieces->bigs;
    const int u = pieces->axis[0], v = pieces->axis[1], w = pieces->axis[2];
    sli_big s[3], value[3];
    sli_solid_cut cut = { .is_side = false };
    pieces_plan(pieces);
    const sli_big *n = pieces->normal;
    sli_big_normal(bigs, by, s);
    const sli_big offset = sli_big_dot_point(bigs, s, by->v[0]);
    cut.p = sli_big_cross(bigs, s[u], n[w], s[w], n[u]);
    cut.q = sli_big_cross(bigs, s[v], n[w], s[w], n[v]);
    cut.r = sli_big_cross(bigs, offset, n[w], s[w], pieces->offset);
    cut.along = cut.q.sign != 0 ? 0 : 1;
    for (int i = 0; i < 3; i++) {
        value[i] = sli_big_sub(bigs, sli_big_dot_point(bigs, n, by->v[i]), pieces->offset);
    }
    find_ends(bigs, by, pieces->axis[cut.along], of_by, value, &cut.low, &cut.high);
    return pieces_add(pieces, &cut, side);
}

/* Most neighbours of a triangle have no more than a corner or a side in common with it. */
static bool cuts_within(const sl_triangle_d *t, const sl_triangle_d *by)
{
    sli_common common;
    uint8_t faces = 0;
    sli_triangles_common(t, by, &common);
    for (int i = 0; i < common.count; i++) {
        faces |= common.at[i].in_a;
    }
    return common.count >= 2 && faces == 7;
}

bool sli_pieces_cut(sli_pieces *pieces, const sl_triangle_d *by)
{
    if (!cuts_within(&pieces->corners, by)) {
        return true;
    }
    const double(*t)[3] = (const double(*)[3])pieces->corners.v;
    int of_by[3], side[3], zeros = 0;
    for (int i = 0; i < 3; i++) {
        of_by[i] = sli_orient3d(t[0], t[1], t[2], by->v[i]);
        zeros += of_by[i] == 0;
    }
    if (zeros >= 2) {
        for (int i = 0; i < 3; i++) {
            const int k = (i + 1) % 3;
            if (of_by[i] == 0 && of_by[k] == 0 && !cut_by_side(pieces, by->v[i], by->v[k])) {
                return false;
            }
        }
        return true;
    }
    if (!sli_are_on_both_sides(of_by)) {
        return true;
    }
    for (int i = 0; i < 3; i++) {
        side[i] = sli_orient3d(by->v[0], by->v[1], by->v[2], t[i]);
    }
    return !sli_are_on_both_sides(side) || cut_by_plane(pieces, by, of_by, side);
}
