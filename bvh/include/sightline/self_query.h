/* self_query.h: where a mesh meets itself.
 *
 * Two triangles share the corners that are at the same position, whether or not they are the same
 * vertex; what lies between shared corners, an edge or the whole triangle, belongs to both.  They
 * meet elsewhere where they have any other point in common.  So neighbours do not meet elsewhere
 * unless one is folded onto the other or goes through it; a vertex in the middle of another
 * triangle's edge does; and two with the same three corners are duplicates, and do not.
 * Exact    touching counts; the tree only decides which pairs are tested.  Triangles of zero area
 *          count as the segments and points they are.
 * Fails    never; a prim that is not in the tree meets nothing.
 * Threads  any number may query one tree at once.  Nothing is allocated.
 * Options  SL_USE_MASK, SL_USE_SKIP, per_ray (one for each triangle of an array) and stats of
 *          sl_query; NULL means everything.  Triangles that they leave out meet nothing.
 * Cost     for each triangle about log n nodes, and 0.1 us for each other triangle whose box meets
 *          its own.  sl_bvh_self_overlap_any ends with the first that meets. */
#ifndef SIGHTLINE_SELF_QUERY_H
#define SIGHTLINE_SELF_QUERY_H

#include <sightline/bvh.h>
#include <sightline/intersect.h>

/* Whether triangle prim meets any other one elsewhere. */
SL_API bool sl_bvh_self_overlap_any(const sl_bvh *bvh, uint32_t prim, const sl_query *query);

/* Of the pairs of triangles that meet elsewhere, those in which prim is the lower number: the
 * higher ones, in rising order, the first capacity of them; returns how many there are in all.
 * capacity 0 counts (others may be NULL then). */
SL_API size_t sl_bvh_self_pairs(const sl_bvh *bvh, uint32_t prim, const sl_query *query,
                                sl_triangle_ref *others, size_t capacity);

/* Triangles first .. first + count - 1; row i of others starts at others + i * capacity. */
SL_API void sl_bvh_self_overlap_any_many(const sl_bvh *bvh, uint32_t first, size_t count,
                                         const sl_query *query, uint8_t *touches,
                                         const sl_tasks *tasks);
SL_API void sl_bvh_self_pairs_many(const sl_bvh *bvh, uint32_t first, size_t count,
                                   const sl_query *query, sl_triangle_ref *others, size_t capacity,
                                   uint64_t *totals, const sl_tasks *tasks);

/* Every triangle in turn, without a tree: the oracle that trees are tested against. */
SL_API size_t sl_soup_self_pairs(const sl_soup *soup, uint32_t prim, const sl_query *query,
                                 sl_triangle_ref *others, size_t capacity);

#endif
