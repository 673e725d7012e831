/* What two triangles share of which one has no area: the segment or point that it is, against a
 * triangle, a segment or a point; for flat.c.
 *
 * Each end of what they share is a corner of one that lies in the other, or where an edge of one
 * crosses an edge of the other, both within, or an edge of one the other's inside. */
#include "lib/geom/contact/flat.h"
#include "lib/geom/exact/orient_projected.h"
#include "lib/geom/exact/plane_side.h"

/* A triangle as what it is: 1 corner, 2 or 3, each at another position. */
typedef struct simplex {
    const sl_triangle_d *triangle;
    int count, corner[3];
    int axis, turn;           /* of 3: an axis to project along, and how the corners then turn */
    sli_triangle_plane plane; /* of 3 */
} simplex;

/* Of three points on a line that differ, the ends are those with the least and the greatest
 * coordinate on an axis where they differ. */
static void find_ends(simplex *out)
{
    const double(*v)[3] = out->triangle->v;
    out->count = 1;
    out->corner[0] = 0;
    for (int axis = 0; axis < 3 && out->count == 1; axis++) {
        int low = 0, high = 0;
        for (int i = 1; i < 3; i++) {
            low = v[i][axis] < v[low][axis] ? i : low;
            high = v[i][axis] > v[high][axis] ? i : high;
        }
        out->corner[0] = low;
        out->corner[1] = high;
        out->count = v[low][axis] < v[high][axis] ? 2 : 1;
    }
}

static void simplex_of(const sl_triangle_d *triangle, simplex *out)
{
    out->triangle = triangle;
    out->turn =
        sli_projected_orientation_d(triangle->v[0], triangle->v[1], triangle->v[2], &out->axis);
    if (out->turn == 0) {
        find_ends(out);
        return;
    }
    out->count = 3;
    for (int i = 0; i < 3; i++) {
        out->corner[i] = i;
    }
    sli_triangle_plane_make_d(triangle, &out->plane);
}

static const double *at(const simplex *s, int i)
{
    return s->triangle->v[s->corner[i % s->count]];
}

static uint8_t bit_of(const simplex *s, int i)
{
    return (uint8_t)(1 << s->corner[i % s->count]);
}

static bool are_on_a_line(const double a[3], const double b[3], const double c[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (sli_orient_projected_d(axis, a, b, c) != 0) {
            return false;
        }
    }
    return true;
}

/* Whether a point on the line of p and q is between them. */
static bool is_between(const double p[3], const double q[3], const double point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double low = p[axis] < q[axis] ? p[axis] : q[axis];
        const double high = p[axis] < q[axis] ? q[axis] : p[axis];
        if (point[axis] < low || point[axis] > high) {
            return false;
        }
    }
    return true;
}

/* The face of s that the point lies in; 0: none. */
static uint8_t face_of_point(const simplex *s, const double point[3])
{
    for (int i = 0; i < s->count; i++) {
        if (sli_is_same_point(at(s, i), point)) {
            return bit_of(s, i);
        }
    }
    if (s->count == 2) {
        const bool on =
            is_between(at(s, 0), at(s, 1), point) && are_on_a_line(at(s, 0), at(s, 1), point);
        return on ? bit_of(s, 0) | bit_of(s, 1) : 0;
    }
    if (s->count == 1 || sli_triangle_plane_side(&s->plane, point) != 0) {
        return 0;
    }
    uint8_t face = 7;
    for (int i = 0; i < 3; i++) {
        const int side = s->turn * sli_orient_projected_d(s->axis, at(s, i), at(s, i + 1), point);
        face = side < 0 ? 0 : side == 0 ? face & (bit_of(s, i) | bit_of(s, i + 1)) : face;
    }
    return face;
}

/* Whether the segments p q and s t cross in one point within both.  Then they span a plane, in
 * which each has the ends of the other on both sides. */
static bool segments_cross(const double p[3], const double q[3], const double s[3],
                           const double t[3])
{
    int axis = 0;
    const int side = sli_projected_orientation_d(p, q, s, &axis);
    return side != 0 && sli_orient_projected_d(axis, p, q, t) == -side &&
           sli_orient_projected_d(axis, s, t, p) * sli_orient_projected_d(axis, s, t, q) < 0 &&
           sli_orient3d(p, q, s, t) == 0;
}

/* Whether the segment p q crosses the inside of the triangle s. */
static bool crosses_inside(const double p[3], const double q[3], const simplex *s)
{
    if (sli_triangle_plane_side(&s->plane, p) * sli_triangle_plane_side(&s->plane, q) >= 0) {
        return false;
    }
    const int side = sli_orient3d(p, q, at(s, 0), at(s, 1));
    return side != 0 && side == sli_orient3d(p, q, at(s, 1), at(s, 2)) &&
           side == sli_orient3d(p, q, at(s, 2), at(s, 0));
}

static int edge_count(const simplex *s)
{
    return s->count == 3 ? 3 : s->count - 1;
}

static void slender_add(sli_common *out, bool turned, int own, int other)
{
    out->at[out->count++] = turned ? (sli_common_point){ (uint8_t)other, (uint8_t)own }
                                   : (sli_common_point){ (uint8_t)own, (uint8_t)other };
}

/* The corners of s in other, but for those that are corners of both if not all are wanted, and the
 * edges of s that cross the inside of a triangle. */
static void slender_add_corners(const simplex *s, const simplex *other, bool turned,
                                sli_common *out)
{
    for (int i = 0; i < s->count; i++) {
        const uint8_t face = face_of_point(other, at(s, i));
        if (face != 0 && !(turned && sli_is_one_corner(face))) {
            slender_add(out, turned, bit_of(s, i), face);
        }
    }
    for (int i = 0; other->count == 3 && i < edge_count(s); i++) {
        if (crosses_inside(at(s, i), at(s, i + 1), other)) {
            slender_add(out, turned, bit_of(s, i) | bit_of(s, i + 1), 7);
        }
    }
}

void sli_slender_common(const sl_triangle_d *a, const sl_triangle_d *b, sli_common *out)
{
    simplex s, t;
    simplex_of(a, &s);
    simplex_of(b, &t);
    out->count = 0;
    slender_add_corners(&s, &t, false, out);
    slender_add_corners(&t, &s, true, out);
    for (int i = 0; i < edge_count(&s); i++) {
        for (int j = 0; j < edge_count(&t); j++) {
            if (segments_cross(at(&s, i), at(&s, i + 1), at(&t, j), at(&t, j + 1))) {
                slender_add(out, false, bit_of(&s, i) | bit_of(&s, i + 1),
                            bit_of(&t, j) | bit_of(&t, j + 1));
            }
        }
    }
}
