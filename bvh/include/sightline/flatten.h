/* flatten.h: one mesh of floats from the triangles of a tree, and corners of neighbouring instances
 * that are close and not equal.
 *
 * Meaning  the mesh has each triangle of each instance, by instance and then by number, with its
 *          corners (sl_transform_corner) rounded to the nearest floats.  Where nothing moved by
 *          that, the mesh is the world: the same queries have the same hits, on the triangles
 *          that def.refs names.
 * Front    stays the front: of instances that are mirrored vertices 1 and 2 change places, and with
 *          them u and v of hits.
 * Shared   vertices are not: each triangle has three of its own (sl_mesh_weld joins equal ones).
 * Kept     with def.meshes: texture coordinates and colours as they are, normals turned by the
 *          transform of their instance (sl_transform_normal), to unit length; where it neither
 *          turns nor scales they stay as they are, and so do those that are not finite; zero where
 *          it has no inverse.  Corners without stay without.  Parts are not kept: def.refs leads to
 *          them.
 * Space    that of the world; sl_flattened.rounding is in its units.
 * Fails    with an sl_error; *out is then NULL, and everything else is as it was.
 * Threads  as queries: a tree never changes.
 * Limits   those of meshes: 2^31 - 1 triangles, 2^32 - 2 vertices, SL_TOO_LARGE beyond them.
 * Cost     linear in the triangles; up to 84 bytes for each, of which the mesh keeps 48; with
 *          attributes twice 24, 36 or 48 more of each kind (texture coordinates, normals,
 *          colours), of which it keeps half, and 36 for each that some corners are without. */
#ifndef SIGHTLINE_FLATTEN_H
#define SIGHTLINE_FLATTEN_H

#include <sightline/instances.h>
#include <sightline/mesh.h>
#include <sightline/rays.h>

typedef struct sl_flatten_def {
    sl_hooks hooks;        /* zeroed (default): malloc, no reports */
    sl_triangle_ref *refs; /* to fill in with where each triangle of the mesh is from: as many as
                            * sl_bvh_info.triangle_count.  NULL (default): not wanted */
    const sl_mesh *const *meshes; /* for attributes: the mesh of each instance, by its number, as
                                   * many as sl_bvh_info.instance_count; one that is NULL has
                                   * none.  NULL (default): attributes are not wanted */
    size_t mesh_count;            /* how many that are */
} sl_flatten_def;

/* What rounding to floats did. */
typedef struct sl_flattened {
    uint64_t moved;        /* triangles with a corner that is not made of floats; 0: the mesh is the
                            * world */
    double rounding;       /* the most that any coordinate moved */
    sl_triangle_ref worst; /* the first triangle where one moved as far; SL_NONE twice: none did */
} sl_flattened;

/* bvh is a tree of either kind; def and report may be NULL.
 * Fails    SL_INVALID_ARGUMENT, SL_TOO_LARGE, SL_OUT_OF_MEMORY, SL_CANCELLED. */
SL_API sl_result sl_bvh_flatten(const sl_bvh *bvh, const sl_flatten_def *def, sl_mesh **out,
                                sl_flattened *report, sl_error *error);

/* ---- Seams ----
 *
 * Where pieces that fit together have the same corners in the world, no ray passes between them;
 * where they nearly have, one may.  Pieces that are turned and moved seldom have, unless a grid
 * makes them (sl_instance.grid).  This finds those that do not.
 *
 * Seam     a pair of corners of two instances that differ by the tolerance at most, of which one at
 *          least has no equal among the other instance's corners.  By how much they differ is the
 *          largest difference of a coordinate, rounded to a double.  Corners of triangles without
 *          area count as well.
 * Not      found are edges of one piece that end in the middle of an edge of another one (such
 *          pieces may leak whatever their corners are), nor corners farther apart than the
 *          tolerance.
 * Cost     about linear in the corners, in pairs of positions within the tolerance, and in seams;
 *          up to 80 bytes for each different corner of each instance. */

typedef struct sl_seams_def {
    sl_hooks hooks;   /* zeroed (default): malloc, no reports */
    double tolerance; /* in units of the world.  0 (default): 2^-20 of the largest coordinate of
                       * any instance, some ten times the noise of matrices of floats; but at most
                       * 2^-10 of the size of the smallest instance */
} sl_seams_def;

/* A corner of an instance, by the lowest triangle that has it. */
typedef struct sl_seam_corner {
    sl_triangle_ref triangle;
    uint32_t vertex; /* 0 to 2 */
} sl_seam_corner;

/* a.triangle.instance < b.triangle.instance. */
typedef struct sl_seam {
    sl_seam_corner a, b;
    double distance;
} sl_seam;

typedef struct sl_seams_report {
    uint64_t corners; /* different ones of each instance, all instances together */
    uint64_t shared;  /* of those, that another instance has as well */
    uint64_t count;   /* seams, those beyond the capacity included */
    double worst;     /* the largest distance of a seam; 0: there is none */
    double tolerance; /* that was used */
} sl_seams_report;

/* Writes the first `capacity` seams, sorted by the corners a, then b: by instance, triangle,
 * vertex.  seams may be NULL where capacity is 0; def and report may be NULL.
 * Fails    SL_INVALID_ARGUMENT, SL_TOO_LARGE (2^32 - 1 different corners), SL_OUT_OF_MEMORY;
 *          seams and report are as they were then. */
SL_API sl_result sl_bvh_find_seams(const sl_bvh *bvh, const sl_seams_def *def, sl_seam *seams,
                                   size_t capacity, sl_seams_report *report, sl_error *error);

#endif
