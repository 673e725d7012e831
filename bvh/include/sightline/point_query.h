/* point_query.h: what is nearest to a point.
 *
 * Space    points and results are in mesh space, distances in mesh units.
 * Exact    a distance is the exact one rounded to the nearest float; nearest means the smallest
 *          (rounded) distance, of equal ones the lowest prim; lists are sorted by (distance, prim).
 *          Within max_distance means that the exact distance is not more than it.
 * Fails    never; a point that is not finite, or a max_distance that is NaN or negative, finds nothing.
 * Threads  any number may ask at once.  Nothing is allocated.
 * Options  SL_USE_MASK, SL_USE_SKIP, per_ray (one for each point of an array), stats and proxy of
 *          sl_query; NULL means everything.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.5; docs/notes/distance.md. */
#ifndef SIGHTLINE_POINT_QUERY_H
#define SIGHTLINE_POINT_QUERY_H

#include <sightline/bvh.h>

/* The nearest point of one triangle.  36 bytes. */
typedef struct sl_nearest {
    float distance; /* from the point that was asked about, >= 0 */
    float u, v;     /* weights of vertices 1 and 2 at the nearest point; good to a few ulp of 1 */
    uint32_t prim;  /* SL_NONE where nothing was found */
    uint32_t instance, flags; /* 0 */
    float point[3]; /* the nearest point, from the weights */
} sl_nearest;

/* The nearest triangle within max_distance, which may be INFINITY.  *out may be NULL; where there is
 * none, out->prim is SL_NONE and the distance max_distance. */
SL_API bool sl_bvh_nearest(const sl_bvh *bvh, const float point[3], float max_distance,
                           const sl_query *query, sl_nearest *out);

/* The k nearest triangles within max_distance, sorted; returns how many were found, k at most. */
SL_API size_t sl_bvh_nearest_k(const sl_bvh *bvh, const float point[3], float max_distance,
                               const sl_query *query, sl_nearest *out, size_t k);

/* All triangles within radius: the capacity nearest of them, sorted; returns how many there are. */
SL_API size_t sl_bvh_within(const sl_bvh *bvh, const float point[3], float radius,
                            const sl_query *query, sl_nearest *out, size_t capacity);

/* Arrays of count points, three floats each.  Row i of out starts at out + i * k. */
SL_API void sl_bvh_nearest_many(const sl_bvh *bvh, const float *points, size_t count,
                                float max_distance, const sl_query *query, sl_nearest *out,
                                const sl_tasks *tasks);
SL_API void sl_bvh_nearest_k_many(const sl_bvh *bvh, const float *points, size_t count,
                                  float max_distance, const sl_query *query, sl_nearest *out,
                                  size_t k, uint64_t *found, const sl_tasks *tasks);
SL_API void sl_bvh_within_many(const sl_bvh *bvh, const float *points, size_t count, float radius,
                               const sl_query *query, sl_nearest *out, size_t capacity,
                               uint64_t *totals, const sl_tasks *tasks);

/* Whether a point is inside, told from one ray along +x that counts as moved by an infinitely small
 * amount (SL_CROSSINGS), so that no edge or vertex is counted twice or missed.  For a closed mesh
 * all of it is exact.  For a mesh that is not closed (sl_mesh_inspect says) it is what this one ray sees. */
typedef struct sl_inside {
    uint64_t crossings; /* of the ray from the point to infinity */
    int64_t winding;    /* how often the surface runs around the point: backs minus fronts */
    bool by_parity;     /* an odd number of crossings */
    bool by_winding;    /* a winding number other than 0 */
    bool on_surface;    /* at distance 0 from a triangle; by_... then say where the moved point is */
} sl_inside;

/* Inside by parity; the two differ where shells overlap or are wound the wrong way, and then it is for
 * the caller to choose.  *out may be NULL.  A point that is not finite is not inside. */
SL_API bool sl_bvh_inside(const sl_bvh *bvh, const float point[3], const sl_query *query,
                          sl_inside *out);
SL_API void sl_bvh_inside_many(const sl_bvh *bvh, const float *points, size_t count,
                               const sl_query *query, sl_inside *out, const sl_tasks *tasks);

/* Every triangle in turn, without a tree: the oracle that trees are held against.  A capacity of k
 * keeps the k nearest. */
SL_API size_t sl_soup_within(const sl_soup *soup, const float point[3], float radius,
                             const sl_query *query, sl_nearest *out, size_t capacity);

#endif
