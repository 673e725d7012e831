/* Two triangles in one plane, and what they share, in signs of areas of the projections along an
 * axis; for relation.c.
 *
 * Two convex polygons in a plane are apart exactly if an edge of one has the other strictly beyond
 * it, and share no area exactly if an edge has the other beyond or on it.  A corner of what they
 * share is a corner of one that is not beyond any edge of the other, or where two edges cross
 * within both: the signs of the corners against the edges say all of this.
 *
 * Their order: an edge of what they share lies on an edge of one of them, which then has two
 * corners of it.  Of these the one comes first where the edge begins, or where it enters the other
 * triangle; the one comes last where the edge ends, or where it leaves the other one.  If both are
 * corners of the other triangle, coordinates say which comes first. */
#include "lib/geom/contact/flat.h"

#include "lib/geom/exact/orient_projected.h"

/* Sides are 1 inside, 0 on the edge's line, -1 beyond it. */
typedef struct polygon {
    const sl_triangle_d *triangle;
    int turn;         /* of the corners' order in the projection */
    int beside[3][3]; /* [i][j]: the side of edge i, from corner i on, where the other's j lies */
} polygon;

static uint8_t edge_bits(int i)
{
    return (uint8_t)(1 << i | 1 << (i + 1) % 3);
}

/* The sides of all edges of p; *gap is raised to 2 where the other is strictly beyond one, to 1
 * where it is beyond or on one.  False for 2. */
static bool find_beside(polygon *p, const sl_triangle_d *other, int axis, int *gap)
{
    for (int i = 0; i < 3; i++) {
        int *side = p->beside[i], beyond = 0, inside = 0;
        for (int j = 0; j < 3; j++) {
            side[j] = p->turn * sli_orient_projected_d(axis, p->triangle->v[i],
                                                       p->triangle->v[(i + 1) % 3], other->v[j]);
            beyond += side[j] < 0;
            inside += side[j] > 0;
        }
        const int here = beyond == 3 ? 2 : inside == 0 ? 1 : 0;
        *gap = here > *gap ? here : *gap;
        if (here == 2) {
            return false;
        }
    }
    return true;
}

/* The face of p that corner j of the other lies in; 0: none. */
static uint8_t face_of_corner(const polygon *p, int j)
{
    uint8_t face = 7;
    for (int i = 0; i < 3; i++) {
        face = p->beside[i][j] < 0 ? 0 : p->beside[i][j] == 0 ? face & edge_bits(i) : face;
    }
    return face;
}

static bool edges_cross(const polygon *a, int i, const polygon *b, int j)
{
    return a->beside[i][j] * a->beside[i][(j + 1) % 3] < 0 &&
           b->beside[j][i] * b->beside[j][(i + 1) % 3] < 0;
}

static void add_common(sli_common *out, uint8_t in_a, uint8_t in_b)
{
    out->at[out->count++] = (sli_common_point){ in_a, in_b };
}

static void find_common_corners(const polygon *a, const polygon *b, sli_common *out)
{
    out->count = 0;
    for (int i = 0; i < 3; i++) {
        const uint8_t in_b = face_of_corner(b, i), in_a = face_of_corner(a, i);
        if (in_b != 0) {
            add_common(out, (uint8_t)(1 << i), in_b);
        }
        if (in_a != 0 && !sli_is_one_corner(in_a)) {
            add_common(out, in_a, (uint8_t)(1 << i));
        }
        for (int j = 0; j < 3; j++) {
            if (edges_cross(a, i, b, j)) {
                add_common(out, edge_bits(i), edge_bits(j));
            }
        }
    }
}

/* A common corner on edge i of one triangle: its face in that one, and in the other. */
typedef struct on_edge {
    uint8_t own, other;
} on_edge;

/* -2 where the edge begins, -1 where it enters the other, 1 where it leaves it, 2 where it ends; 0
 * at a corner of the other, which may do either. */
static int rank_on_edge(const polygon *other, int i, on_edge at)
{
    if (sli_is_one_corner(at.own)) {
        return at.own == 1 << i ? -2 : 2;
    }
    if (sli_is_one_corner(at.other)) {
        return 0;
    }
    const int j = at.other == edge_bits(0) ? 0 : at.other == edge_bits(1) ? 1 : 2;
    return other->beside[j][i] < 0 ? -1 : 1;
}

static int corner_of(uint8_t face)
{
    return face >> 1; /* of 1, 2, 4 */
}

/* Whether corner k of the other comes before corner l of it along edge i. */
static bool comes_before(const polygon *p, int i, const polygon *other, int k, int l)
{
    const double *from = p->triangle->v[i], *to = p->triangle->v[(i + 1) % 3];
    const double *first = other->triangle->v[k], *second = other->triangle->v[l];
    for (int axis = 0; axis < 3; axis++) {
        if (from[axis] != to[axis]) {
            return (from[axis] < to[axis]) == (first[axis] < second[axis]);
        }
    }
    return false;
}

static bool is_in_order(const polygon *p, int i, const polygon *other, on_edge x, on_edge y)
{
    const int x_rank = rank_on_edge(other, i, x), y_rank = rank_on_edge(other, i, y);
    return x_rank != y_rank ? x_rank < y_rank
                            : comes_before(p, i, other, corner_of(x.other), corner_of(y.other));
}

/* Which common corner follows which, as far as edges of p say so, against its winding if reversed.
 */
static void link_along_edges(const polygon *p, const polygon *other, bool is_a, bool reversed,
                             const sli_common *common, int next[SLI_COMMON_MAX])
{
    for (int i = 0; i < 3; i++) {
        int found = 0, index[SLI_COMMON_MAX];
        on_edge at[SLI_COMMON_MAX];
        for (int k = 0; k < common->count; k++) {
            const sli_common_point c = common->at[k];
            at[found] = is_a ? (on_edge){ c.in_a, c.in_b } : (on_edge){ c.in_b, c.in_a };
            index[found] = k;
            found += (at[found].own & ~edge_bits(i)) == 0;
        }
        if (found == 2) {
            const bool straight = is_in_order(p, i, other, at[0], at[1]) != reversed;
            next[index[straight ? 0 : 1]] = index[straight ? 1 : 0];
        }
    }
}

/* Puts the corners of a polygon into the order of its edges. */
static void sort_around(const polygon *a, const polygon *b, sli_common *common)
{
    int next[SLI_COMMON_MAX];
    link_along_edges(a, b, true, false, common, next);
    link_along_edges(b, a, false, a->turn != b->turn, common, next);
    const sli_common found = *common;
    for (int k = 0, at = 0; k < found.count; k++, at = next[at]) {
        common->at[k] = found.at[at];
    }
}

static sl_relation relate_in_plane(const sl_triangle_d *a, const sl_triangle_d *b, int axis,
                                   int turn, sli_common *out)
{
    polygon of_a = { .triangle = a, .turn = turn };
    polygon of_b = { .triangle = b,
                     .turn = sli_orient_projected_d(axis, b->v[0], b->v[1], b->v[2]) };
    int gap = 0;
    if (!find_beside(&of_a, b, axis, &gap) || !find_beside(&of_b, a, axis, &gap)) {
        return SL_APART;
    }
    if (out != NULL) {
        find_common_corners(&of_a, &of_b, out);
        if (out->count > 2) {
            sort_around(&of_a, &of_b, out);
        }
    }
    return gap > 0 ? SL_TOUCHING : turn == of_b.turn ? SL_COPLANAR_SAME : SL_COPLANAR_OPPOSITE;
}

sl_relation sli_relate_flat(const sl_triangle_d *a, const sl_triangle_d *b, sli_common *out)
{
    int axis = 0, unused = 0;
    const int turn = sli_projected_orientation_d(a->v[0], a->v[1], a->v[2], &axis);
    if (turn != 0 && sli_projected_orientation_d(b->v[0], b->v[1], b->v[2], &unused) != 0) {
        return relate_in_plane(a, b, axis, turn, out);
    }
    sli_common shared;
    sli_slender_common(a, b, &shared);
    if (out != NULL) {
        out->count = shared.count;
        for (int k = 0; k < shared.count; k++) {
            out->at[k] = shared.at[k];
        }
    }
    return shared.count > 0 ? SL_TOUCHING : SL_APART;
}
