/* convex/hull.h: the convex hull of at most SL_HULL_POINTS_MAX points, exactly: its corners,
 * and its faces and edges as indices of them.
 *
 * Flat points have two faces for each triangle that the polygon is cut into, one each way;
 * points on a line have an edge and no faces; a single point has neither.
 * Callers  hold the floating-point environment.
 * Source   the incremental algorithm: de Berg and others, Computational Geometry (2008), 11.2;
 *          Barber, Dobkin and Huhdanpaa, The Quickhull Algorithm for Convex Hulls (1996). */
#pragma once

#include <sightline/shapes.h>

#include <string.h>

enum {
    SLI_HULL_FACES_MAX = 2 * SL_HULL_POINTS_MAX - 4,
    SLI_HULL_EDGES_MAX = 3 * SL_HULL_POINTS_MAX - 6
};

/* 11 KB. */
typedef struct sli_hull {
    int rank; /* 0 a point, 1 a segment, 2 a polygon, 3 solid */
    int corners, faces, edges;
    int planes; /* faces 0 .. planes - 1 lie in different planes, and all others in these planes */
    double corner[SL_HULL_POINTS_MAX][3];
    uint8_t face[SLI_HULL_FACES_MAX][3]; /* counter-clockwise from outside */
    /* Both ends, and the third corner of the faces on its two sides, which are not in one plane but
     * where the hull is flat.  Where there are no faces, the latter are the first end. */
    uint8_t edge[SLI_HULL_EDGES_MAX][4];
} sli_hull;

/* Of count >= 1 points that are in the range of exact decisions (overlap_d.h). */
void sli_hull_make(const double (*points)[3], int count, sli_hull *out);

/* Of a valid hull in floats. */
void sli_hull_of(const sl_hull *hull, sli_hull *out);

/* A face as a triangle; of a hull without faces, one without area. */
static inline void sli_hull_face_triangle(const sli_hull *hull, int face, sl_triangle_d *out)
{
    const int last = hull->corners - 1;
    for (int k = 0; k < 3; k++) {
        const int corner = hull->faces > 0 ? hull->face[face][k] : k > 0 ? last : 0;
        memcpy(out->v[k], hull->corner[corner], sizeof out->v[k]);
    }
}

/* Whether they touch; both are in that range. */
bool sli_hull_meets_triangle(const sli_hull *hull, const sl_triangle_d *triangle);
bool sli_hull_meets_sphere(const sli_hull *hull, const sl_sphere_d *sphere);

/* The corners of the convex polygon around points in a plane, counter-clockwise seen along the axis
 * that is left out, along which the plane does not lie; returns how many: 2 for points on a line, 0
 * for one point.  outline has room for count. */
int sli_hull_outline(const double (*points)[3], int count, int drop, uint8_t *outline);
