/* Two triangles that may share vertices, for the self-overlap of meshes.
 *
 * If they share nothing, the question is whether they overlap at all; if they share all, they are
 * the same.  Otherwise the signs of a few determinants of vertices decide.
 *
 * One shared vertex s.  Both triangles are convex and contain s, so they have another common point
 * exactly if they have a direction from s in common, that is, if two cones meet: that from s
 * through a1, a2 and that from s through b1, b2.  Let n_a and n_b be the normals (a1 - s) x (a2 -
 * s) and (b1 - s) x (b2 - s).  In different planes the only direction that both cones can have in
 * common is along l = n_a x n_b, and
 *     l = (n_b . a1) a2 - (n_b . a2) a1 = (n_a . b2) b1 - (n_a . b1) b2     (from s),
 * so a cone whose two vertices lie on different sides of the other's plane, or one of them on it,
 * contains l or -l, as the signs say; a cone on one side contains neither.  Two shared vertices,
 * both triangles with area: they have another common point exactly if they are in one plane and on
 * the same side of the common edge.
 *
 * A triangle of zero area is a segment or a point.  A segment is a cone with one vertex, or two
 * cones if s lies between its ends; with two shared vertices only the part that extends beyond them
 * remains.  Cones with few vertices end in those vertices, so it is enough to test whether these
 * ends meet the other cone, and vice versa. */
#include "lib/geom/overlap/triangle_pair.h"

#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/exact/orient_projected.h"
#include "lib/geom/exact/plane_side.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/overlap/overlap.h"

#include <string.h>

typedef double point[3];

static bool triangle_pair_same(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* An order of points; along any line it is monotonic. */
static bool triangle_pair_before(const float a[3], const float b[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (a[axis] != b[axis]) {
            return a[axis] < b[axis];
        }
    }
    return false;
}

/* The shared vertices: corner[i] of a is at the position of partner[i] of b; each position once. */
typedef struct common {
    int count;
    int corner[3], partner[3];
} common;

static common find_common(const sl_triangle *a, const sl_triangle *b)
{
    common found = { .count = 0 };
    for (int i = 0; i < 3; i++) {
        bool known = false;
        for (int k = 0; k < found.count; k++) {
            known = known || triangle_pair_same(a->v[i], a->v[found.corner[k]]);
        }
        for (int j = 0; j < 3 && !known; j++) {
            if (triangle_pair_same(a->v[i], b->v[j])) {
                found.corner[found.count] = i;
                found.partner[found.count++] = j;
                known = true;
            }
        }
    }
    return found;
}

/* Whether d, in the plane of s, a and b, lies in the direction of the closed angle a s b. */
static bool in_angle(int axis, const float s[3], const float a[3], const float b[3],
                     const float d[3])
{
    const int turn = sli_orient_projected(axis, s, a, b);
    return turn * sli_orient_projected(axis, s, a, d) >= 0 &&
           turn * sli_orient_projected(axis, s, d, b) >= 0;
}

/* Angles of less than half a turn at a common vertex have a direction in common exactly if a side
 * of one lies in the other. */
static bool angles_meet(const sl_triangle *a, int i, const sl_triangle *b, int j)
{
    const float *s = a->v[i], *a1 = a->v[(i + 1) % 3], *a2 = a->v[(i + 2) % 3];
    const float *b1 = b->v[(j + 1) % 3], *b2 = b->v[(j + 2) % 3];
    int axis = 0;
    (void)sli_projected_orientation(a, &axis);
    return in_angle(axis, s, a1, a2, b1) || in_angle(axis, s, a1, a2, b2) ||
           in_angle(axis, s, b1, b2, a1) || in_angle(axis, s, b1, b2, a2);
}

/* On which sides of the plane of one triangle the other two vertices of the other triangle lie. */
static void triangle_pair_sides(const sl_triangle *plane, const sl_triangle *of, int corner,
                                int out[2])
{
    sli_triangle_plane plane_of;
    point d;
    sli_triangle_plane_make(plane, &plane_of);
    for (int i = 0; i < 2; i++) {
        sli_widen(of->v[(corner + 1 + i) % 3], d);
        out[i] = sli_triangle_plane_side(&plane_of, d);
    }
}

/* Both have area and share one vertex: i of a, j of b. */
static bool meet_at_corner(const sl_triangle *a, int i, const sl_triangle *b, int j)
{
    int of_a[2], of_b[2];
    triangle_pair_sides(b, a, i, of_a);
    if (of_a[0] * of_a[1] > 0) {
        return false;
    }
    if (of_a[0] == 0 && of_a[1] == 0) {
        return angles_meet(a, i, b, j);
    }
    triangle_pair_sides(a, b, j, of_b);
    if (of_b[0] * of_b[1] > 0) {
        return false;
    }
    const bool forward_a = of_a[0] > of_a[1], forward_b = of_b[0] < of_b[1];
    return forward_a == forward_b;
}

/* Both have area and share an edge; a1 and b1 are the vertices opposite it. */
static bool meet_at_edge(const sl_triangle *a, const sl_triangle *b, const common *shared)
{
    const float *s0 = a->v[shared->corner[0]], *s1 = a->v[shared->corner[1]];
    const float *a1 = a->v[3 - shared->corner[0] - shared->corner[1]];
    const float *b1 = b->v[3 - shared->partner[0] - shared->partner[1]];
    point p, q, r, t;
    sli_widen(s0, p);
    sli_widen(s1, q);
    sli_widen(a1, r);
    sli_widen(b1, t);
    if (sli_orient3d(p, q, r, t) != 0) {
        return false;
    }
    int axis = 0;
    (void)sli_projected_orientation(a, &axis);
    return sli_orient_projected(axis, s0, s1, a1) == sli_orient_projected(axis, s0, s1, b1);
}

/* The ends of a triangle that is a segment. */
typedef struct span {
    const float *low, *high;
} span;

static span span_of(const sl_triangle *t)
{
    span s = { t->v[0], t->v[0] };
    for (int i = 1; i < 3; i++) {
        s.low = triangle_pair_before(t->v[i], s.low) ? t->v[i] : s.low;
        s.high = triangle_pair_before(s.high, t->v[i]) ? t->v[i] : s.high;
    }
    return s;
}

static sl_triangle triangle_pair_make(const float a[3], const float b[3], const float c[3])
{
    sl_triangle t;
    memcpy(t.v[0], a, sizeof t.v[0]);
    memcpy(t.v[1], b, sizeof t.v[1]);
    memcpy(t.v[2], c, sizeof t.v[2]);
    return t;
}

/* The vertex s, with a segment or point that does not contain it: all of it, and the part opposite
 * s. */
typedef struct cone {
    sl_triangle all, opposite;
} cone;

static cone make_cone(const float s[3], const float a[3], const float b[3])
{
    return (cone){ triangle_pair_make(s, a, b), triangle_pair_make(a, b, b) };
}

/* The cones that a triangle makes at one of its vertices; returns their number, at most 2. */
static int cones_of(const sl_triangle *t, bool flat, const float s[3], cone out[2])
{
    int count = 0;
    if (!flat) {
        const int i = triangle_pair_same(t->v[0], s) ? 0 : triangle_pair_same(t->v[1], s) ? 1 : 2;
        out[count++] = make_cone(s, t->v[(i + 1) % 3], t->v[(i + 2) % 3]);
        return count;
    }
    const span ends = span_of(t);
    if (triangle_pair_before(ends.low, s)) {
        out[count++] = make_cone(s, ends.low, ends.low);
    }
    if (triangle_pair_before(s, ends.high)) {
        out[count++] = make_cone(s, ends.high, ends.high);
    }
    return count;
}

static bool cones_meet(const cone *a, int a_count, const cone *b, int b_count)
{
    for (int i = 0; i < a_count; i++) {
        for (int j = 0; j < b_count; j++) {
            if (sli_triangle_triangle(&a[i].opposite, &b[j].all) ||
                sli_triangle_triangle(&a[i].all, &b[j].opposite)) {
                return true;
            }
        }
    }
    return false;
}

/* The part of a segment beyond two shared positions: 0 or 1 cone. */
static int triangle_pair_beyond(const sl_triangle *flat, const float s0[3], const float s1[3],
                                cone *out)
{
    const span ends = span_of(flat);
    const float *low = triangle_pair_before(s0, s1) ? s0 : s1, *high = low == s0 ? s1 : s0;
    if (triangle_pair_before(ends.low, low)) {
        *out = make_cone(low, ends.low, ends.low);
        return 1;
    }
    if (triangle_pair_before(high, ends.high)) {
        *out = make_cone(high, ends.high, ends.high);
        return 1;
    }
    return 0;
}

/* At least one has zero area; they share one position or two. */
static bool flat_meet(const sl_triangle *a, bool a_flat, const sl_triangle *b, bool b_flat,
                      const common *shared)
{
    const float *s0 = a->v[shared->corner[0]];
    cone from_a[2], from_b[2];
    if (shared->count == 1) {
        const int a_count = cones_of(a, a_flat, s0, from_a);
        return cones_meet(from_a, a_count, from_b, cones_of(b, b_flat, s0, from_b));
    }
    const sl_triangle *flat = a_flat ? a : b, *other = a_flat ? b : a;
    if (triangle_pair_beyond(flat, s0, a->v[shared->corner[1]], from_a) == 0) {
        return false;
    }
    const bool other_flat = a_flat && b_flat;
    return cones_meet(from_a, 1, from_b, cones_of(other, other_flat, from_a->all.v[0], from_b));
}

bool sli_triangle_pair_meets(const sl_triangle *a, const sl_triangle *b)
{
    const common shared = find_common(a, b);
    if (shared.count == 3) {
        return false;
    }
    if (shared.count == 0) {
        return sli_triangle_triangle(a, b);
    }
    int axis;
    const bool a_flat = sli_projected_orientation(a, &axis) == 0,
               b_flat = sli_projected_orientation(b, &axis) == 0;
    if (a_flat || b_flat) {
        return flat_meet(a, a_flat, b, b_flat, &shared);
    }
    if (shared.count == 2) {
        return meet_at_edge(a, b, &shared);
    }
    return meet_at_corner(a, shared.corner[0], b, shared.partner[0]);
}
