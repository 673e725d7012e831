/* snap/points.h: the points that kinds of snaps have in the world: fixed sequences of operations,
 * which docs/notes/snapping.md defines.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/pick/candidate.h"
#include "bvh/pick/screen.h"

#include <sightline/snap.h>

/* A triangle of the world, and the run of triangles about it that are of the same face. */
typedef struct sli_snap_face {
    const sl_bvh *bvh;
    double v[3][3], normal[3]; /* (v1 - v0) x (v2 - v0) */
    uint32_t instance, prim, first, last;
} sli_snap_face;

/* Triangles that a run may have; a face of more counts as the triangle alone. */
enum { SLI_SNAP_RUN_MAX = 256 };

/* False where there is no such triangle. */
bool sli_snap_face_of(const sl_bvh *bvh, const sl_topology *topology, uint32_t instance,
                      uint32_t prim, sli_snap_face *out);

/* False where there is none. */
bool sli_snap_centre(const sli_snap_face *face, double out[3]);
bool sli_snap_face_foot(const sli_snap_face *face, const double from[3], double out[3]);
bool sli_snap_edge_foot(const double lower[3], const double higher[3], const double from[3],
                        double *s, double out[3]);
void sli_snap_midpoint(const double lower[3], const double higher[3], double out[3]);

/* A side, ready to be crossed. */
typedef struct sli_snap_side {
    sli_candidate edge;
    sli_along_part part;
} sli_snap_side;

/* Where two sides cross in the picture: on each of them how far along, and the point.  False where
 * they do not, or have an end in common. */
bool sli_snap_cross(const sli_snap_side *a, const sli_snap_side *b, double s[2],
                    double point[2][3]);

/* Where the ray meets the grid's plane, in steps of x and y.  False: nowhere. */
bool sli_snap_on_grid(const sl_snap_grid *grid, const sl_ray_d *ray, double steps[2]);
void sli_snap_grid_point(const sl_snap_grid *grid, double i, double j, double out[3]);

void sli_snap_locked(const sl_snap_def *def, const double point[3], double out[3]);
