/* volumes.h: which triangles a box, sphere, capsule, frustum, triangle or hull touches, and where a
 * mesh meets itself.
 *
 * Exact    touching counts, and the answer is what exact arithmetic says about the volume's numbers
 *          and the corners of the triangles; trees only decide which triangles are tested.
 *          Triangles of zero area count as the segments and points that they are.  Volumes are
 *          solid: a triangle wholly inside is touched.
 * Order    triangles come in rising order of (instance, prim).
 * Fails    never; an invalid volume touches nothing.
 * Threads  any number may query one tree at once.  Nothing is allocated.  A call about one volume
 *          takes at most 48 KiB of stack, about an array 60 KiB.
 * Options  may be NULL: everything (options.h).  The filter, cull and flags are not read.  Single
 *          calls read the first row of sl_options.items.  A proxy stands before volumes in floats;
 *          those in doubles do not read it.
 * Arrays   as in rays.h; rows of `capacity` references follow one another.
 * Cost     a volume pays for the boxes and triangles that it may touch; what lies in a box that is
 *          wholly within it needs no test. */
#ifndef SIGHTLINE_VOLUMES_H
#define SIGHTLINE_VOLUMES_H

#include <sightline/overlap.h>
#include <sightline/rays.h>
#include <sightline/shapes.h>

/* Volumes in the caller's memory: an array of sl_volume or, where number is SL_DOUBLE, of
 * sl_volume_d, each the start of a struct of stride bytes, which is a multiple of its alignment; 0:
 * packed; SL_SAME: one for all. */
typedef struct sl_volumes {
    const void *first;
    size_t stride, count;
    sl_number number;
} sl_volumes;

static inline sl_volumes sl_volumes_of(const void *volumes, size_t count, sl_number number)
{
    sl_volumes all = { volumes, 0, count, number };
    return all;
}

/* Whether the volume touches any triangle. */
SL_API bool sl_bvh_overlap_any(const sl_bvh *bvh, const sl_volume *volume,
                               const sl_options *options);

/* The first `capacity` triangles that are touched; returns how many there are in all.  A capacity
 * of 0 counts them (refs may be NULL then). */
SL_API size_t sl_bvh_overlap_all(const sl_bvh *bvh, const sl_volume *volume,
                                 const sl_options *options, sl_triangle_ref *refs, size_t capacity);

/* Arrays.  Row i of refs starts at refs + i * capacity and holds min(totals[i], capacity). */
SL_API void sl_bvh_overlap_any_many(const sl_bvh *bvh, sl_volumes volumes,
                                    const sl_options *options, uint8_t *touches,
                                    const sl_tasks *tasks, sl_stats *stats);
SL_API void sl_bvh_overlap_all_many(const sl_bvh *bvh, sl_volumes volumes,
                                    const sl_options *options, sl_triangle_ref *refs,
                                    size_t capacity, uint64_t *totals, const sl_tasks *tasks,
                                    sl_stats *stats);

/* Every triangle in turn, without a tree: the oracle that trees are tested against. */
SL_API size_t sl_soup_overlap_all(const sl_soup *soup, const sl_volume *volume,
                                  const sl_options *options, sl_triangle_ref *refs,
                                  size_t capacity);

/* ---- Where a mesh meets itself ----
 *
 * Two triangles share the corners that are at the same position, whether or not they are the same
 * vertex; what lies between shared corners, an edge or the whole triangle, belongs to both.  They
 * meet elsewhere where they have any other point in common.  So neighbours do not meet elsewhere
 * unless one is folded onto the other or goes through it; a vertex in the middle of another
 * triangle's edge does; and two with the same three corners are duplicates, and do not.
 * Fails    SL_UNSUPPORTED for a tree over instances; nothing is written then.  A prim that is not
 *          in the tree, or that the options leave out, meets nothing.
 * Cost     for each triangle about log n nodes, and 0.1 us for each other triangle whose box meets
 *          its own; whether any does ends with the first that does. */

/* Whether triangles first .. first + count - 1 meet any other one elsewhere, as 1 or 0. */
SL_API sl_result sl_bvh_self_overlap_any(const sl_bvh *bvh, uint32_t first, size_t count,
                                         const sl_options *options, uint8_t *touches,
                                         const sl_tasks *tasks, sl_stats *stats);

/* Of the pairs of triangles that meet elsewhere, those in which triangle first + i is the lower
 * number: the higher ones, in rising order, the first capacity of them, go to row i of others, and
 * totals[i] says how many there are in all (others may be NULL for a capacity of 0). */
SL_API sl_result sl_bvh_self_pairs(const sl_bvh *bvh, uint32_t first, size_t count,
                                   const sl_options *options, sl_triangle_ref *others,
                                   size_t capacity, uint64_t *totals, const sl_tasks *tasks,
                                   sl_stats *stats);

#endif
