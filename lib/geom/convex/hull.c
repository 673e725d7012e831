/* Convex hulls of a few points, for shapes that are hulls: incremental, by the exact sign of each
 * determinant, so that points on faces and edges, and points given twice, do no harm.  Each point
 * that is outside knows a face that it sees (quickhull).
 *
 * A face is replaced where a point lies strictly in front of it.  The strictly visible faces of a
 * convex body are one patch, and all triangles of one plane are seen alike.  A new face has area:
 * a point on the line of an edge lies in the planes of both its faces, so that it sees neither, and
 * the edge is none of the patch's outline. */
#include "lib/geom/convex/hull.h"

#include "lib/geom/exact/orient_projected.h"
#include "lib/geom/exact/predicates.h"

#include <string.h>

enum { HULL_POINTS = SL_HULL_POINTS_MAX, FACES = SLI_HULL_FACES_MAX };

typedef const double (*hull_points)[3];

static int compare_points(const double a[3], const double b[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (a[axis] != b[axis]) {
            return a[axis] < b[axis] ? -1 : 1;
        }
    }
    return 0;
}

/* The ends of what is a segment or a point. */
static void hull_segment(hull_points points, int count, sli_hull *out)
{
    int first = 0, last = 0;
    for (int i = 1; i < count; i++) {
        first = compare_points(points[i], points[first]) < 0 ? i : first;
        last = compare_points(points[i], points[last]) > 0 ? i : last;
    }
    memcpy(out->corner[0], points[first], sizeof out->corner[0]);
    memcpy(out->corner[1], points[last], sizeof out->corner[1]);
    out->rank = compare_points(points[first], points[last]) != 0;
    out->corners = out->rank + 1;
    out->edges = out->rank;
    memcpy(out->edge[0], (const uint8_t[4]){ 0, 1, 0, 0 }, 4);
}

int sli_hull_outline(hull_points points, int count, int drop, uint8_t *outline)
{
    const int u = (drop + 1) % 3, v = (drop + 2) % 3;
    uint8_t order[HULL_POINTS];
    uint8_t chain[HULL_POINTS + 1];
    int found = 0;
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0; at--) {
            const double *before = points[order[at - 1]];
            if (before[u] < points[i][u] ||
                (before[u] == points[i][u] && before[v] <= points[i][v])) {
                break;
            }
            order[at] = order[at - 1];
        }
        order[at] = (uint8_t)i;
    }
    for (int half = 0; half < 2; half++) {
        int n = 0;
        for (int i = 0; i < count; i++) {
            const uint8_t next = order[half == 0 ? i : count - 1 - i];
            while (n >= 2 && sli_orient_projected_d(drop, points[chain[n - 2]],
                                                    points[chain[n - 1]], points[next]) <= 0) {
                n--;
            }
            chain[n++] = next;
        }
        memcpy(outline + found, chain, (size_t)(n - 1));
        found += n - 1;
    }
    return found;
}

static void hull_polygon(hull_points points, int count, int drop, sli_hull *out)
{
    uint8_t outline[HULL_POINTS];
    const int n = sli_hull_outline(points, count, drop, outline);
    out->rank = 2;
    out->corners = out->edges = n;
    for (int i = 0; i < n; i++) {
        memcpy(out->corner[i], points[outline[i]], sizeof out->corner[i]);
        const uint8_t next = (uint8_t)((i + 1) % n), third = (uint8_t)((i + 2) % n);
        memcpy(out->edge[i], (const uint8_t[4]){ (uint8_t)i, next, third, third }, 4);
    }
    for (int i = 1; i + 1 < n; i++) {
        const uint8_t a = (uint8_t)i, b = (uint8_t)(i + 1);
        memcpy(out->face[out->faces++], (const uint8_t[3]){ 0, a, b }, 3);
        memcpy(out->face[out->faces++], (const uint8_t[3]){ 0, b, a }, 3);
    }
    out->planes = 2;
}

/* A hull that grows.  Faces that are gone are kept in a list, and their places used again. */
enum { NONE = UINT16_MAX };
typedef struct hull_work {
    hull_points points;
    sli_hull *hull; /* corners of faces are points */
    int gone_count;
    uint16_t gone[FACES];
    uint16_t next[FACES][3];    /* the face across the edge from each corner to the next one */
    uint16_t seen[HULL_POINTS]; /* a face that a point sees; NONE: it is inside */
    bool is_gone[FACES];
} hull_work;

static bool hull_sees(const hull_work *w, int face, int point)
{
    const uint8_t *f = w->hull->face[face];
    return sli_orient3d(w->points[f[0]], w->points[f[1]], w->points[f[2]], w->points[point]) > 0;
}

/* An edge between what the point sees and what it does not. */
typedef struct horizon {
    int count;
    uint8_t from[HULL_POINTS], to[HULL_POINTS];
    uint16_t beyond[HULL_POINTS];
} horizon;

/* Removes the faces that the point sees, and lists the edges around them. */
static void hull_open(hull_work *w, int point, horizon *out)
{
    enum { UNKNOWN, SEEN, HIDDEN };
    uint8_t state[FACES] = { UNKNOWN };
    const int first = w->gone_count;
    w->gone[w->gone_count++] = w->seen[point];
    state[w->seen[point]] = SEEN;
    for (int i = first; i < w->gone_count; i++) {
        w->is_gone[w->gone[i]] = true;
        for (int k = 0; k < 3; k++) {
            const int other = w->next[w->gone[i]][k];
            if (state[other] == UNKNOWN) {
                state[other] = hull_sees(w, other, point) ? SEEN : HIDDEN;
                if (state[other] == SEEN) {
                    w->gone[w->gone_count++] = (uint16_t)other;
                }
            }
        }
    }
    out->count = 0;
    for (int i = first; i < w->gone_count; i++) {
        const uint8_t *face = w->hull->face[w->gone[i]];
        for (int k = 0; k < 3; k++) {
            const uint16_t other = w->next[w->gone[i]][k];
            if (state[other] == HIDDEN) {
                out->from[out->count] = face[k];
                out->to[out->count] = face[(k + 1) % 3];
                out->beyond[out->count++] = other;
            }
        }
    }
}

static void hull_close(hull_work *w, int point, const horizon *around, uint16_t made[HULL_POINTS])
{
    uint16_t from[HULL_POINTS], to[HULL_POINTS]; /* the new face at each corner of the horizon */
    for (int i = 0; i < around->count; i++) {
        const uint8_t a = around->from[i], b = around->to[i];
        const uint16_t beyond = around->beyond[i];
        const uint16_t at =
            w->gone_count > 0 ? w->gone[--w->gone_count] : (uint16_t)w->hull->faces++;
        memcpy(w->hull->face[at], (const uint8_t[3]){ a, b, (uint8_t)point }, 3);
        w->is_gone[at] = false;
        w->next[at][0] = beyond;
        made[i] = from[a] = to[b] = at;
        for (int k = 0; k < 3; k++) {
            if (w->hull->face[beyond][k] == b && w->hull->face[beyond][(k + 1) % 3] == a) {
                w->next[beyond][k] = at;
            }
        }
    }
    for (int i = 0; i < around->count; i++) {
        w->next[made[i]][1] = from[around->to[i]];
        w->next[made[i]][2] = to[around->from[i]];
    }
}

/* Lets the hull reach a point.  Another point that sees a face that is gone sees a new one, or is
 * inside: it sees both sides of an edge of the horizon, and what is between them, or all of what it
 * sees is gone. */
static void hull_extend(hull_work *w, int point, int count)
{
    horizon around;
    uint16_t made[HULL_POINTS];
    bool lost[HULL_POINTS];
    if (w->seen[point] == NONE) {
        return;
    }
    hull_open(w, point, &around);
    for (int i = point + 1; i < count; i++) {
        lost[i] = w->seen[i] != NONE && w->is_gone[w->seen[i]];
    }
    hull_close(w, point, &around, made);
    for (int i = point + 1; i < count; i++) {
        if (lost[i]) {
            w->seen[i] = NONE;
            for (int k = 0; k < around.count && w->seen[i] == NONE; k++) {
                w->seen[i] = hull_sees(w, made[k], i) ? made[k] : (uint16_t)NONE;
            }
        }
    }
}

static int plane_of(uint16_t *plane, int face)
{
    while (plane[face] != face) {
        face = plane[face] = plane[plane[face]];
    }
    return face;
}

/* Lists the edges between faces in two planes, by points; and of each face one of its plane. */
static void hull_find_edges(const hull_work *w, uint16_t plane[FACES])
{
    sli_hull *hull = w->hull;
    for (int i = 0; i < hull->faces; i++) {
        plane[i] = (uint16_t)i;
    }
    for (int i = 0; i < 3 * hull->faces; i++) {
        const uint8_t *f = hull->face[i / 3];
        const uint8_t a = f[i % 3], b = f[(i + 1) % 3], c = f[(i + 2) % 3];
        if (w->is_gone[i / 3] || a > b) {
            continue;
        }
        const int other = w->next[i / 3][i % 3];
        const uint8_t *g = hull->face[other];
        const uint8_t d = g[0] != a && g[0] != b ? g[0] : g[1] != a && g[1] != b ? g[1] : g[2];
        if (sli_orient3d(w->points[a], w->points[b], w->points[c], w->points[d]) != 0) {
            memcpy(hull->edge[hull->edges++], (const uint8_t[4]){ a, b, c, d }, 4);
        } else {
            const int p = plane_of(plane, i / 3), q = plane_of(plane, other);
            plane[p > q ? p : q] = (uint16_t)(p > q ? q : p);
        }
    }
}

/* Puts a face of each plane first and leaves out those that are gone; then names corners anew. */
static void hull_finish(hull_work *w)
{
    sli_hull *hull = w->hull;
    uint16_t plane[FACES];
    uint8_t name[HULL_POINTS], kept[FACES][3];
    bool named[HULL_POINTS] = { false };
    int faces = 0;
    hull_find_edges(w, plane);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < hull->faces; i++) {
            if (!w->is_gone[i] && (plane[i] == i) == (pass == 0)) {
                memcpy(kept[faces++], hull->face[i], 3);
            }
        }
        hull->planes = pass == 0 ? faces : hull->planes;
    }
    hull->faces = faces;
    for (int i = 0; i < 3 * faces; i++) {
        const uint8_t point = kept[i / 3][i % 3];
        if (!named[point]) {
            named[point] = true;
            name[point] = (uint8_t)hull->corners;
            memcpy(hull->corner[hull->corners++], w->points[point], sizeof hull->corner[0]);
        }
        hull->face[i / 3][i % 3] = name[point];
    }
    for (int i = 0; i < 4 * hull->edges; i++) {
        hull->edge[i / 4][i % 4] = name[hull->edge[i / 4][i % 4]];
    }
}

/* From a tetrahedron of four of the points. */
static void hull_solid(hull_points points, int count, const int first[4], sli_hull *out)
{
    static const uint8_t faces[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } };
    static const uint16_t next[4][3] = { { 1, 2, 3 }, { 3, 2, 0 }, { 1, 3, 0 }, { 2, 1, 0 } };
    hull_work w = { .points = points, .hull = out };
    const bool in_front =
        sli_orient3d(points[first[0]], points[first[1]], points[first[2]], points[first[3]]) > 0;
    const int order[4] = { first[0], first[in_front ? 2 : 1], first[in_front ? 1 : 2], first[3] };
    out->rank = 3;
    out->faces = 4;
    memcpy(w.next, next, sizeof next);
    for (int i = 0; i < 12; i++) {
        out->face[i / 3][i % 3] = (uint8_t)order[faces[i / 3][i % 3]];
    }
    for (int i = 0; i < count; i++) {
        w.seen[i] = NONE;
        for (int face = 0; face < 4 && w.seen[i] == NONE; face++) {
            w.seen[i] = hull_sees(&w, face, i) ? (uint16_t)face : (uint16_t)NONE;
        }
    }
    for (int i = 0; i < count; i++) {
        hull_extend(&w, i, count);
    }
    hull_finish(&w);
}

void sli_hull_make(hull_points points, int count, sli_hull *out)
{
    int first[4] = { 0 }, found = 1, drop = 0;
    out->corners = out->faces = out->planes = out->edges = 0;
    for (int i = 1; i < count && found < 4; i++) {
        const double *p = points[first[0]], *q = points[first[1]], *r = points[first[2]];
        bool more = found == 1 ? compare_points(points[i], p) != 0 : false;
        if (found == 2) {
            more = sli_projected_orientation_d(p, q, points[i], &drop) != 0;
        } else if (found == 3) {
            more = sli_orient3d(p, q, r, points[i]) != 0;
        }
        if (more) {
            first[found++] = i;
        }
    }
    if (found < 3) {
        hull_segment(points, count, out);
    } else if (found == 3) {
        hull_polygon(points, count, drop, out);
    } else {
        hull_solid(points, count, first, out);
    }
}
