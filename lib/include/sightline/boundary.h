/* boundary.h: the edges along which a mesh is not closed: what the question whether a point is
 * inside (point_query.h) needs besides the tree.
 *
 * Each triangle runs along its edges in one direction.  If as many triangles run along an edge one
 * way as the other, the surface continues there; otherwise the difference, a count with a
 * direction, is boundary.  An edge is a pair of positions, so unwelded meshes are judged by shape,
 * not by shared vertices.  Triangles of zero area have edges too, since they may close a crack.  A
 * triangle with a coordinate that is not finite does not count.
 * Fails    SL_INVALID_ARGUMENT, SL_OUT_OF_MEMORY, SL_TOO_LARGE (above 1431655765 triangles),
 *          SL_CANCELLED; *out is NULL then.
 * Threads  a boundary never changes; any number of threads may use it.
 * Cost     linear time; 80 bytes a triangle while it is made, then 28 for each edge of it.
 * Source   winding numbers from boundaries: Martens, Trettner and Bessmeltsev, The Antipodal Method
 *          (2026). */
#ifndef SIGHTLINE_BOUNDARY_H
#define SIGHTLINE_BOUNDARY_H

#include <sightline/mesh.h>

typedef struct sl_boundary sl_boundary;

/* The boundary of those triangles that the query leaves in: its mask with the soup's masks, its
 * skips; NULL means everything.  hooks NULL: defaults. */
SL_API sl_result sl_boundary_create(const sl_soup *soup, const sl_options *options,
                                    const sl_hooks *hooks, sl_boundary **out, sl_error *error);
SL_API void sl_boundary_destroy(sl_boundary *boundary); /* NULL is fine */

typedef struct sl_boundary_info {
    size_t edge_count; /* 0: closed, and wound the same way throughout */
    size_t odd_count;  /* of those: used by an odd number of triangles; 0: every line crosses the
                        * surface an even number of times, whichever way it is wound */
} sl_boundary_info;

SL_API void sl_boundary_get_info(const sl_boundary *boundary, sl_boundary_info *out);

#endif
