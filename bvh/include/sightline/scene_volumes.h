/* scene_volumes.h: which triangles of a world of instances a box, sphere, capsule, frustum or
 * triangle touches: the questions of volume_query.h to a scene, in floats and in doubles.
 *
 * Space    that of the scene.
 * Exact    touching counts, and the answer is what exact arithmetic says about the volume's numbers
 *          and the corners of the world (scene.h).  Volumes are solid; triangles of zero area,
 *          those that a grid has made flat among them, count as the segments and points that they
 *          are.
 * Order    triangles come in rising order of (instance, prim).
 * Fails    never; an invalid volume touches nothing.
 * Threads  any number may query one scene at once.  Nothing is allocated; a call takes at most 48
 *          KiB of stack, one about an array 60 KiB.
 * Options  SL_USE_MASK, SL_USE_SKIP, SL_USE_IGNORE, per_ray (one for each volume of an array) and
 *          stats of sl_query; NULL means everything.
 * Cost     a volume pays for each instance whose box it touches, and there for the boxes and
 *          triangles that it may touch; what lies in a box that is wholly within it needs no
 *          test. */
#ifndef SIGHTLINE_SCENE_VOLUMES_H
#define SIGHTLINE_SCENE_VOLUMES_H

#include <sightline/scene.h>
#include <sightline/shapes_d.h>
#include <sightline/volume_query.h>

/* As sl_volume, in doubles. */
typedef struct sl_volume_d {
    sl_volume_kind kind;
    union {
        sl_aabb_d aabb;
        sl_sphere_d sphere;
        sl_obb_d obb;
        sl_capsule_d capsule;
        sl_frustum_d frustum;
        sl_triangle_d triangle;
    } shape;
} sl_volume_d;

/* The same volume: nothing is rounded. */
SL_API sl_volume_d sl_volume_d_from_volume(const sl_volume *volume);

/* Whether the volume touches any triangle. */
SL_API bool sl_scene_overlap_any(const sl_scene *scene, const sl_volume *volume,
                                 const sl_query *query);
SL_API bool sl_scene_overlap_any_d(const sl_scene *scene, const sl_volume_d *volume,
                                   const sl_query *query);

/* The triangles that are touched: the first capacity of them; returns how many there are in all.
 * capacity 0 counts (refs may be NULL then). */
SL_API size_t sl_scene_overlap_all(const sl_scene *scene, const sl_volume *volume,
                                   const sl_query *query, sl_triangle_ref *refs, size_t capacity);
SL_API size_t sl_scene_overlap_all_d(const sl_scene *scene, const sl_volume_d *volume,
                                     const sl_query *query, sl_triangle_ref *refs, size_t capacity);

/* Arrays of count volumes, in parallel through tasks (NULL: the calling thread alone); row i of
 * refs starts at refs + i * capacity and holds min(totals[i], capacity). */
SL_API void sl_scene_overlap_any_many(const sl_scene *scene, const sl_volume *volumes, size_t count,
                                      const sl_query *query, uint8_t *touches,
                                      const sl_tasks *tasks);
SL_API void sl_scene_overlap_any_d_many(const sl_scene *scene, const sl_volume_d *volumes,
                                        size_t count, const sl_query *query, uint8_t *touches,
                                        const sl_tasks *tasks);
SL_API void sl_scene_overlap_all_many(const sl_scene *scene, const sl_volume *volumes, size_t count,
                                      const sl_query *query, sl_triangle_ref *refs, size_t capacity,
                                      uint64_t *totals, const sl_tasks *tasks);
SL_API void sl_scene_overlap_all_d_many(const sl_scene *scene, const sl_volume_d *volumes,
                                        size_t count, const sl_query *query, sl_triangle_ref *refs,
                                        size_t capacity, uint64_t *totals, const sl_tasks *tasks);

#endif
