/* scene_flatten.h: one mesh of floats from the triangles of a world.
 *
 * Meaning  the mesh has each triangle of each instance, by instance and then by number, with its
 *          corners (sl_place_corner) rounded to the nearest floats.  Where nothing moved by that,
 *          the mesh is the world: the same questions have the same hits, on the triangles that
 *          def.refs names.
 * Front    stays the front: of instances that are mirrored vertices 1 and 2 change places, and with
 *          them u and v of hits.
 * Shared   vertices are not: each triangle has three of its own (sl_mesh_weld joins equal ones).
 * Kept     with def.meshes: texture coordinates and colours as they are, normals turned by the
 *          place of their instance (sl_place_normal), to unit length; where it neither turns nor
 *          scales they stay as they are, and so do those that are not finite; zero where it has
 *          no inverse.  Corners without stay without.  Parts are not kept: def.refs leads to them.
 * Space    that of the world; sl_flattened.rounding is in its units.
 * Fails    with an sl_error; *out is then NULL, and everything else is as it was.
 * Threads  as queries: a scene never changes.
 * Limits   those of meshes: 2^31 - 1 triangles, 2^32 - 2 vertices, SL_TOO_LARGE beyond them.
 * Cost     linear in the triangles; up to 84 bytes for each, of which the mesh keeps 48; with
 *          attributes twice 24, 36 or 48 more of each kind (texture coordinates, normals,
 *          colours), of which it keeps half, and 36 for each that some corners are without. */
#ifndef SIGHTLINE_SCENE_FLATTEN_H
#define SIGHTLINE_SCENE_FLATTEN_H

#include <sightline/mesh.h>
#include <sightline/scene.h>

typedef struct sl_flatten_def {
    size_t size;           /* set by sl_default_flatten_def */
    sl_hooks hooks;        /* zeroed (default): malloc, no reports */
    sl_triangle_ref *refs; /* to fill in with where each triangle of the mesh is from: as many as
                            * sl_scene_info.triangle_count.  NULL (default): not wanted */
    const sl_mesh *const *meshes; /* for attributes: the mesh of each instance, by its number, as
                                   * many as sl_scene_info.instance_count; one that is NULL has
                                   * none.  NULL (default): attributes are not wanted */
    size_t mesh_count;            /* how many that are */
} sl_flatten_def;

SL_API sl_flatten_def sl_default_flatten_def(void);

/* What rounding to floats did. */
typedef struct sl_flattened {
    uint64_t moved;        /* triangles with a corner that is not made of floats; 0: the mesh is the
                            * world */
    double rounding;       /* the most that any coordinate moved */
    sl_triangle_ref worst; /* the first triangle where one moved as far; SL_NONE twice: none did */
} sl_flattened;

/* def and report may be NULL; report_size: sizeof *report (docs/abi.md).
 * Fails    SL_INVALID_ARGUMENT, SL_TOO_LARGE, SL_OUT_OF_MEMORY. */
SL_API sl_result sl_scene_flatten(const sl_scene *scene, const sl_flatten_def *def, sl_mesh **out,
                                  sl_flattened *report, size_t report_size, sl_error *error);

#endif
