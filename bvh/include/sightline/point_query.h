/* point_query.h: what is nearest to a point, and whether it is inside.
 *
 * Space    points and results are in mesh space, distances in mesh units.
 * Exact    a distance is the exact one rounded to the nearest float; nearest means the smallest
 *          (rounded) distance, of equal ones the lowest prim; lists are sorted by (distance, prim).
 *          Within max_distance means that the exact distance is not more than it.
 * Fails    never; a point that is not finite, or a max_distance that is NaN or negative, finds
 *          nothing.
 * Threads  any number may query one tree at once.  Nothing is allocated.
 * Options  SL_USE_MASK, SL_USE_SKIP, per_ray (one for each point of an array), stats and proxy of
 *          sl_query; NULL means everything.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.5; docs/notes/distance.md. */
#ifndef SIGHTLINE_POINT_QUERY_H
#define SIGHTLINE_POINT_QUERY_H

#include <sightline/boundary.h>
#include <sightline/bvh.h>

/* The nearest point of one triangle.  36 bytes. */
typedef struct sl_nearest {
    float distance; /* from the query point, >= 0 */
    float u, v;     /* weights of vertices 1 and 2 at the nearest point; good to a few ulp of 1 */
    uint32_t prim;  /* SL_NONE where nothing was found */
    uint32_t instance, flags; /* both 0 */
    float point[3];           /* the nearest point, from the weights */
} sl_nearest;

/* The nearest triangle within max_distance, which may be INFINITY.  *out may be NULL; where there
 * is none, out->prim is SL_NONE and the distance max_distance. */
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

/* Whether a point is inside, decided by two numbers.  24 bytes.
 *
 * Crossings  how often a ray from the point along +x crosses the surface.  The ray counts as moved
 *            by an infinitely small (e, e^2, e^3), so that no edge or vertex counts twice or not at
 *            all (SL_USE_CROSSINGS).  Exact.
 * Winding    how often the surface runs around the point, the generalised winding number of
 *            Jacobson, Kavan and Sorkine-Hornung (2013): the sum of the solid angles of all
 *            triangles over 4 pi, positive where their backs are seen.  Without a boundary
 *            (boundary.h) it is the number of backs crossed minus that of fronts: an integer, and
 *            exact.  Otherwise the boundary adds its share (Martens, Trettner and Bessmeltsev, The
 *            Antipodal Method, 2026): in doubles, in a fixed order, the same bits everywhere; off
 *            by less than 2^-50 for each of its edges, over the cosine of half the angle under
 *            which the point sees that edge (docs/notes/inside.md).  On an edge of the boundary it
 *            is any number.
 * A mesh that is closed, every edge used by an even number of triangles, is judged by parity:
 * inside is an odd number of crossings, whichever way its triangles are wound.  Any other is judged
 * by the winding number: inside is more than half a turn, either way round.  The two differ where
 * shells overlap or lie in one another, where triangles are wound the wrong way, and at holes. */
typedef struct sl_inside {
    uint64_t crossings; /* of the ray from the point to infinity */
    double winding;     /* how often the surface runs around the point */
    bool inside;        /* by parity for a closed mesh, else by winding */
    bool by_parity;     /* an odd number of crossings */
    bool by_winding;    /* a winding number beyond 1/2, of either sign */
    bool differ;        /* by_parity is not by_winding: the caller may choose */
    /* At distance 0 from a triangle; exact.  The other fields then hold for the moved point, except
     * the boundary's share of the winding number. */
    bool on_surface;
    uint8_t zero[3]; /* 0: equal answers are equal bytes */
} sl_inside;

/* Returns out->inside; out may be NULL.  boundary is that of the same triangles with the same
 * options; NULL means a closed mesh that is wound the same way throughout.  A point that is not
 * finite is not inside.
 * Proxies  SL_PROXY_FIRST: a ray that does not meet the proxy crosses nothing; SL_PROXY_INSTEAD: a
 *          point is inside if the proxy contains it.
 * Cost     one walk down the tree, and about 20 ns for each edge of the boundary. */
SL_API bool sl_bvh_inside(const sl_bvh *bvh, const sl_boundary *boundary, const float point[3],
                          const sl_query *query, sl_inside *out);
SL_API void sl_bvh_inside_many(const sl_bvh *bvh, const sl_boundary *boundary, const float *points,
                               size_t count, const sl_query *query, sl_inside *out,
                               const sl_tasks *tasks);

/* Every triangle in turn, without a tree: the oracles that trees are tested against.  Proxies are
 * ignored. */
SL_API bool sl_soup_inside(const sl_soup *soup, const sl_boundary *boundary, const float point[3],
                           const sl_query *query, sl_inside *out);

/* A capacity of k keeps the k nearest. */
SL_API size_t sl_soup_within(const sl_soup *soup, const float point[3], float radius,
                             const sl_query *query, sl_nearest *out, size_t capacity);

#endif
