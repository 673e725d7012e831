/* Two triangles.
 *
 * If both have area: the vertices of each lie on certain sides of the plane of the other.  If all
 * are strictly on one side, the triangles are apart.  If all are on the plane, they are apart
 * exactly if an edge of one has the other strictly beyond it.  Otherwise each meets the plane of
 * the other in a segment of the line where the planes cross, and the two segments are compared.
 * Order the vertices of a so that the first, p, lies above the plane of b and the others, q and r,
 * on it or below (or p on it and both below); "above" follows from the winding of b, which may be
 * reversed for that.  Do the same with b.  Along the line, the segment of a then runs from where p
 * r crosses the plane to where p q does, and that of b in the opposite direction; the signs of the
 * volumes between pairs of edges tell which comes first.  If one has no area: by separating axes.
 * Source   Guigue and Devillers, Fast and Robust Triangle-Triangle Overlap Test Using Orientation
 *          Predicates (2003). */
#include "lib/geom/exact/orient_projected.h"
#include "lib/geom/exact/plane_side.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/overlap/overlap_d.h"
#include "lib/geom/overlap/sat.h"

/* A triangle, and whether its vertices lie above (1), on (0) or below (-1) the plane of the other.
 */
typedef struct corners {
    sli_triangle_plane plane;
    int side[3];
} corners;

/* False if all are strictly on one side. */
static bool find_sides(corners *c, const sli_triangle_plane *plane)
{
    for (int i = 0; i < 3; i++) {
        c->side[i] = sli_triangle_plane_side(plane, c->plane.v[i]);
    }
    return c->side[0] == 0 || c->side[0] != c->side[1] || c->side[1] != c->side[2];
}

/* Whether all vertices of b lie strictly beyond one of the edges of a. */
static bool has_edge_between(const sl_triangle_d *a, const sl_triangle_d *b, int axis, int turn)
{
    for (int i = 0; i < 3; i++) {
        int beyond = 0;
        for (int j = 0; j < 3; j++) {
            beyond += turn * sli_orient_projected_d(axis, a->v[i], a->v[(i + 1) % 3], b->v[j]) < 0;
        }
        if (beyond == 3) {
            return true;
        }
    }
    return false;
}

static bool meet_in_plane(const sl_triangle_d *a, const sl_triangle_d *b, int axis, int turn)
{
    const int turn_b = sli_orient_projected_d(axis, b->v[0], b->v[1], b->v[2]);
    return !has_edge_between(a, b, axis, turn) && !has_edge_between(b, a, axis, turn_b);
}

/* The vertex that is alone: the only one above or the only one below, the others being on the plane
 * or on its other side; otherwise the only one on it.  Not all are on it, nor all on one side. */
static int triangle_triangle_alone(const int side[3])
{
    for (int i = 0; i < 3; i++) {
        if (side[i] != 0 && side[(i + 1) % 3] != side[i] && side[(i + 2) % 3] != side[i]) {
            return i;
        }
    }
    return side[0] == 0 ? 0 : side[1] == 0 ? 1 : 2;
}

/* Whether the winding of the other triangle must be reversed for the lone vertex to be above it. */
static bool is_upside_down(const int side[3], int first)
{
    return side[first] != 0 ? side[first] < 0 : side[(first + 1) % 3] > 0;
}

static bool meet_across(const corners *a, const corners *b)
{
    const int p = triangle_triangle_alone(a->side), s = triangle_triangle_alone(b->side);
    const bool flip_b = is_upside_down(a->side, p), flip_a = is_upside_down(b->side, s);
    const int q = (p + (flip_a ? 2 : 1)) % 3, r = (p + (flip_a ? 1 : 2)) % 3;
    const int t = (s + (flip_b ? 2 : 1)) % 3, u = (s + (flip_b ? 1 : 2)) % 3;
    const double(*of_a)[3] = a->plane.v, (*of_b)[3] = b->plane.v;
    return sli_orient3d(of_a[p], of_a[q], of_b[s], of_b[t]) <= 0 &&
           sli_orient3d(of_a[p], of_a[r], of_b[u], of_b[s]) <= 0;
}

static bool meet_as_bodies(const sl_triangle_d *a, const sl_triangle_d *b)
{
    sli_body first, second;
    sli_body_of_triangle_d(a, &first);
    sli_body_of_triangle_d(b, &second);
    return sli_bodies_meet(&first, &second);
}

bool sli_triangle_triangle_d(const sl_triangle_d *a, const sl_triangle_d *b)
{
    int axis = 0, unused = 0;
    corners of_a, of_b;
    sli_triangle_plane_make_d(a, &of_a.plane);
    sli_triangle_plane_make_d(b, &of_b.plane);
    if (!find_sides(&of_b, &of_a.plane) || !find_sides(&of_a, &of_b.plane)) {
        return false;
    }
    const int turn = sli_projected_orientation_d(a, &axis);
    if (turn == 0 || sli_projected_orientation_d(b, &unused) == 0) {
        return meet_as_bodies(a, b);
    }
    if (of_a.side[0] == 0 && of_a.side[1] == 0 && of_a.side[2] == 0) {
        return meet_in_plane(a, b, axis, turn);
    }
    return meet_across(&of_a, &of_b);
}
