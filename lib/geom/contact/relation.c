/* How two triangles lie to one another, and what they share, for everything that meets triangles
 * with triangles.
 *
 * The corners of each lie on certain sides of the plane of the other.  If all of one are strictly
 * on one side, the triangles are apart.  If all are on the plane, they are in one plane, or one of
 * them has no area (flat.c).  Otherwise each meets the plane of the other in a segment of the line
 * where the planes cross, and the two segments are compared.  Order the corners of a so that the
 * first, p, lies above the plane of b and the others, q and r, on it or below (or p on it and both
 * below); "above" follows from the winding of b, which may be reversed for that.  Do the same with
 * b: s, t, u.  Along the line, the segment of a then runs from where p r crosses the plane to where
 * p q does, and that of b from s t to s u: along n_a x n_b, if that of a is seen with q left, and r
 * right, below p.
 *
 * The sign of the volume of p, x, s, y says which comes first: it is that of the place of s y minus
 * that of p x.  It is 0 only where they are one place: two lines in one plane, which has no more
 * than one of the planes of a and b, and in it two places on their line would need both.  So the
 * same four signs say which ends the common segment has.  A triangle's relative interior meets the
 * line where the triangle has corners strictly on both sides; two open segments then share one
 * exactly if neither ends where or before the other begins.
 * Source   Guigue and Devillers, Fast and Robust Triangle-Triangle Overlap Test Using Orientation
 *          Predicates (2003). */
#include "lib/geom/contact/relation.h"

#include "lib/geom/contact/flat.h"
#include "lib/geom/exact/plane_side.h"

/* A triangle, and whether its corners lie above (1), on (0) or below (-1) the plane of the other.
 */
typedef struct sided {
    sli_triangle_plane plane;
    int side[3];
} sided;

static bool all_sides_are(const int side[3], int sign)
{
    return side[0] == sign && side[1] == sign && side[2] == sign;
}

/* False if all are strictly on one side. */
static bool find_sides(const sl_triangle_d *triangle, const sli_triangle_plane *plane, int side[3])
{
    for (int i = 0; i < 3; i++) {
        side[i] = sli_triangle_plane_side(plane, triangle->v[i]);
    }
    return side[0] == 0 || !all_sides_are(side, side[0]);
}

/* The corner that is alone: the only one above or the only one below, the others being on the plane
 * or on its other side; otherwise the only one on it.  Not all are on it, nor all on one side. */
static int lone_corner(const int side[3])
{
    for (int i = 0; i < 3; i++) {
        if (side[i] != 0 && side[(i + 1) % 3] != side[i] && side[(i + 2) % 3] != side[i]) {
            return i;
        }
    }
    return side[0] == 0 ? 0 : side[1] == 0 ? 1 : 2;
}

/* Whether the winding of the other triangle must be reversed for the lone corner to be above it. */
static bool is_upside_down(const int side[3], int lone)
{
    return side[lone] != 0 ? side[lone] < 0 : side[(lone + 1) % 3] > 0;
}

/* The lone corner of a triangle, and the other two, so that what lies between lone and from comes
 * before what lies between lone and to. */
typedef struct fan {
    const sided *of;
    int lone, from, to;
} fan;

static fan fan_of(const sided *of, int lone, bool from_next)
{
    const int next = (lone + 1) % 3, last = (lone + 2) % 3;
    return (fan){ of, lone, from_next ? next : last, from_next ? last : next };
}

/* The corner in which the edge to corner i meets the other's plane; -1: between its corners. */
static int corner_at(const fan *f, int i)
{
    return f->of->side[f->lone] == 0 ? f->lone : f->of->side[i] == 0 ? i : -1;
}

/* The face in which it meets that plane. */
static uint8_t face_at(const fan *f, int i)
{
    const int corner = corner_at(f, i);
    return (uint8_t)(corner >= 0 ? 1 << corner : 1 << f->lone | 1 << i);
}

/* The sign of the place of b's edge to y minus that of a's edge to x.  Neighbours share corners. */
static int place_order(const fan *a, int x, const fan *b, int y)
{
    const double(*v)[3] = a->of->plane.v, (*w)[3] = b->of->plane.v;
    const int i = corner_at(a, x), j = corner_at(b, y);
    if (i >= 0 && j >= 0 && sli_is_same_point(v[i], w[j])) {
        return 0;
    }
    return sli_orient3d(v[a->lone], v[x], w[b->lone], w[y]);
}

/* The face in which the points between the two places lie. */
static uint8_t face_between(const fan *f)
{
    const bool edge = f->of->side[f->from] == 0 && f->of->side[f->to] == 0;
    return (uint8_t)(edge ? 1 << f->from | 1 << f->to : 7);
}

/* The end where a's edge to x and b's edge to y are, of which the one counts that is further
 * inside: order is that of b's minus that of a's, seen inwards. */
static sli_common_point end_of(const fan *a, int x, const fan *b, int y, int order)
{
    return (sli_common_point){ order > 0 ? face_between(a) : face_at(a, x),
                               order < 0 ? face_between(b) : face_at(b, y) };
}

/* The common segment, whose ends are two points or one.  first is the order of a's beginning and
 * b's end, last that of a's end and b's beginning: where they are equal, it is a point. */
static void find_segment(const fan *a, const fan *b, int first, int last, sli_common *out)
{
    out->count = 1;
    if (last == 0) {
        out->at[0] = end_of(a, a->to, b, b->from, 0);
    } else if (first == 0) {
        out->at[0] = end_of(a, a->from, b, b->to, 0);
    } else {
        out->at[0] = end_of(a, a->from, b, b->from, place_order(a, a->from, b, b->from));
        out->at[1] = end_of(a, a->to, b, b->to, -place_order(a, a->to, b, b->to));
        const bool one = out->at[0].in_a == out->at[1].in_a && out->at[0].in_b == out->at[1].in_b;
        out->count = one ? 1 : 2;
    }
}

/* In two planes, neither strictly on one side of the other's. */
static sl_relation relate_across(const sided *of_a, const sided *of_b, sli_common *out)
{
    const int p = lone_corner(of_a->side), s = lone_corner(of_b->side);
    const bool flip_a = is_upside_down(of_b->side, s), flip_b = is_upside_down(of_a->side, p);
    const fan a = fan_of(of_a, p, flip_a), b = fan_of(of_b, s, !flip_b);
    const int last = place_order(&a, a.to, &b, b.from);
    const int first = last > 0 ? 1 : -place_order(&a, a.from, &b, b.to);
    if (last > 0 || first > 0) {
        return SL_APART;
    }
    if (out != NULL) {
        find_segment(&a, &b, first, last, out);
        if (out->count == 2 && flip_a != flip_b) {
            const sli_common_point end = out->at[0];
            out->at[0] = out->at[1];
            out->at[1] = end;
        }
    }
    const bool within = sli_are_on_both_sides(of_a->side) && sli_are_on_both_sides(of_b->side);
    return last < 0 && first < 0 && within ? SL_CROSSING : SL_TOUCHING;
}

static sl_relation relate(const sl_triangle_d *a, const sl_triangle_d *b, sli_common *out)
{
    sided of_a, of_b;
    sli_triangle_plane_make_d(a, &of_a.plane);
    if (!find_sides(b, &of_a.plane, of_b.side)) {
        return SL_APART;
    }
    if (all_sides_are(of_b.side, 0)) {
        return sli_relate_flat(a, b, out);
    }
    sli_triangle_plane_make_d(b, &of_b.plane);
    if (!find_sides(a, &of_b.plane, of_a.side)) {
        return SL_APART;
    }
    return all_sides_are(of_a.side, 0) ? sli_relate_flat(a, b, out)
                                       : relate_across(&of_a, &of_b, out);
}

sl_relation sli_triangles_relation(const sl_triangle_d *a, const sl_triangle_d *b)
{
    return relate(a, b, NULL);
}

sl_relation sli_triangles_common(const sl_triangle_d *a, const sl_triangle_d *b, sli_common *out)
{
    out->count = 0;
    out->relation = relate(a, b, out);
    return out->relation;
}
