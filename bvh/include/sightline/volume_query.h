/* volume_query.h: which triangles of a tree a box, sphere, capsule, frustum or triangle touches.
 *
 * Exact    touching counts, and the answer is that of the shape tests in overlap.h; the tree only
 *          decides which triangles are tested.  Triangles of zero area count as the
 *          segments and points that they are.
 *          Volumes are solid: a triangle wholly inside is touched.
 * Fails    never; an invalid shape touches nothing.
 * Threads  any number may query one tree at once.  Nothing is allocated.
 * Options  SL_USE_MASK, SL_USE_SKIP, per_ray (one for each shape of an array), stats and proxy of
 *          sl_query; NULL means everything. */
#ifndef SIGHTLINE_VOLUME_QUERY_H
#define SIGHTLINE_VOLUME_QUERY_H

#include <sightline/bvh.h>
#include <sightline/intersect.h>
#include <sightline/overlap.h>

typedef enum sl_volume_kind {
    SL_VOLUME_AABB = 0,
    SL_VOLUME_SPHERE,
    SL_VOLUME_OBB,
    SL_VOLUME_CAPSULE,
    SL_VOLUME_FRUSTUM,
    SL_VOLUME_TRIANGLE
} sl_volume_kind;

typedef struct sl_volume {
    sl_volume_kind kind;
    union {
        sl_aabb aabb;
        sl_sphere sphere;
        sl_obb obb;
        sl_capsule capsule;
        sl_frustum frustum;
        sl_triangle triangle;
    } shape;
} sl_volume;

/* Whether the volume touches any triangle. */
SL_API bool sl_bvh_overlap_any(const sl_bvh *bvh, const sl_volume *volume, const sl_query *query);

/* The triangles that are touched, in rising order of prim: the first capacity of them; returns how
 * many there are in all.  capacity 0 counts (refs may be NULL then). */
SL_API size_t sl_bvh_overlap_all(const sl_bvh *bvh, const sl_volume *volume, const sl_query *query,
                                 sl_triangle_ref *refs, size_t capacity);

/* Arrays: row i of refs starts at refs + i * capacity and holds min(totals[i], capacity). */
SL_API void sl_bvh_overlap_any_many(const sl_bvh *bvh, const sl_volume *volumes, size_t count,
                                    const sl_query *query, uint8_t *touches, const sl_tasks *tasks);
SL_API void sl_bvh_overlap_all_many(const sl_bvh *bvh, const sl_volume *volumes, size_t count,
                                    const sl_query *query, sl_triangle_ref *refs, size_t capacity,
                                    uint64_t *totals, const sl_tasks *tasks);

/* Every triangle in turn, without a tree: the oracle that trees are tested against. */
SL_API size_t sl_soup_overlap_all(const sl_soup *soup, const sl_volume *volume,
                                  const sl_query *query, sl_triangle_ref *refs, size_t capacity);

#endif
