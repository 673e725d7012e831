/* points.h: what is nearest to a point, what is near it, and what it is inside of; one point, or an
 * array of any layout.
 *
 * Space    points and results are in the space of the tree, distances in its unit.
 * Exact    a distance is the exact one from the point as given, rounded to the nearest float;
 *          nearest means the smallest (rounded) distance, of equal ones the lowest (instance,
 *          prim); lists are sorted by (distance, instance, prim).  Within max_distance means that
 *          the exact distance is not more than it.  Distances are floats for points in doubles,
 *          too, since a float has its digits wherever the point is: 1 mm at 10^7 m is right to
 *          0.1 nm.
 * Doubles  each coordinate of a point is first taken to the nearest multiple of 2^-149, ties to
 *          even.
 * Fails    never; a point that is not finite or beyond FLT_MAX, or a max_distance that is NaN or
 *          negative, finds nothing, and no instance contains such a point.
 * Threads  any number may query one tree at once.  Nothing is allocated.  A call about one point
 *          takes at most 48 KiB of stack, about an array 60 KiB.
 * Options  may be NULL: everything (options.h).  The filter, cull and flags are not read.  Single
 *          calls read the first row of sl_options.items; of sl_bvh_winding row i is point i's.
 * Proxies  (options.h) stand before points in floats; those in doubles do not read them.
 * Arrays   as in rays.h.
 * Cost     about log n nodes; of instances, a point pays for each whose box is nearer than what was
 *          found, and then what its tree costs.  Transforms that shear cost more than those that
 *          turn, move and scale.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.5; docs/notes/distance.md. */
#ifndef SIGHTLINE_POINTS_H
#define SIGHTLINE_POINTS_H

#include <sightline/mesh_repair.h>
#include <sightline/rays.h>

/* Points in the caller's memory, as origins in sl_rays. */
typedef struct sl_points {
    const void *xyz[3];
    size_t stride, count;
    sl_number number;
} sl_points;

/* A packed array of three numbers for each point. */
static inline sl_points sl_points_of(const void *xyz, size_t count, sl_number number)
{
    sl_points all = { { xyz }, 0, count, number };
    return all;
}

/* The nearest point of one triangle.  36 bytes. */
typedef struct sl_nearest {
    float distance; /* from the query point, >= 0 */
    float u, v;     /* weights of vertices 1 and 2 at the nearest point; good to a few ulp of 1 */
    uint32_t prim;  /* SL_NONE where nothing was found */
    uint32_t instance; /* 0 of a tree over triangles, and where nothing was found */
    uint32_t flags;    /* 0 */
    float point[3];    /* the nearest point, from the weights */
} sl_nearest;

/* The same with the point in doubles.  48 bytes. */
typedef struct sl_nearest_d {
    float distance;
    float u, v;
    uint32_t prim;
    uint32_t instance;
    uint32_t flags;
    double point[3]; /* from weights in doubles, which are not rounded to u, v: good to a few ulp of
                      * the farthest corner, as seen from the query point, and of the coordinate
                      * itself; less where a triangle is a needle */
} sl_nearest_d;

/* Where answers go: an array of sl_nearest or, where number is SL_DOUBLE, of sl_nearest_d, each the
 * start of a struct of stride bytes, which is a multiple of its alignment; 0: packed.  Of lists the
 * whole row is the call's to write: what stands behind its answers is not kept. */
typedef struct sl_nearests {
    void *first;
    size_t stride;
    sl_number number;
} sl_nearests;

static inline sl_nearests sl_nearests_of(void *nearests, sl_number number)
{
    sl_nearests all = { nearests, 0, number };
    return all;
}

/* ---- Distance ---- */

/* The nearest triangle within max_distance, which may be INFINITY.  *out may be NULL; where there
 * is none, out->prim is SL_NONE and the distance max_distance. */
SL_API bool sl_bvh_nearest(const sl_bvh *bvh, const float point[3], float max_distance,
                           const sl_options *options, sl_nearest *out);
SL_API bool sl_bvh_nearest_d(const sl_bvh *bvh, const double point[3], float max_distance,
                             const sl_options *options, sl_nearest_d *out);

/* The k nearest triangles within max_distance, sorted; returns how many were found, k at most. */
SL_API size_t sl_bvh_nearest_k(const sl_bvh *bvh, const float point[3], float max_distance,
                               const sl_options *options, sl_nearest *out, size_t k);

/* All triangles within radius: the capacity nearest of them, sorted; returns how many there are. */
SL_API size_t sl_bvh_within(const sl_bvh *bvh, const float point[3], float radius,
                            const sl_options *options, sl_nearest *out, size_t capacity);

/* Arrays.  Of lists, answer j of point i is answer i * k + j (i * capacity + j) of out, and
 * found[i] says how many are written, totals[i] how many there are in all. */
SL_API void sl_bvh_nearest_many(const sl_bvh *bvh, sl_points points, float max_distance,
                                const sl_options *options, sl_nearests out, const sl_tasks *tasks,
                                sl_stats *stats);
SL_API void sl_bvh_nearest_k_many(const sl_bvh *bvh, sl_points points, float max_distance,
                                  const sl_options *options, sl_nearests out, size_t k,
                                  uint64_t *found, const sl_tasks *tasks, sl_stats *stats);
SL_API void sl_bvh_within_many(const sl_bvh *bvh, sl_points points, float radius,
                               const sl_options *options, sl_nearests out, size_t capacity,
                               uint64_t *totals, const sl_tasks *tasks, sl_stats *stats);

/* ---- Inside ----
 *
 * An instance contains a point if a ray from there along +x crosses its triangles an odd number of
 * times, and the point is in the box that its transform makes of the bounds of its tree: from the
 * least to the largest coordinates that the corner rule gives any point of the bounds.  The ray
 * counts as moved by an infinitely small (e, e^2, e^3), so no edge or vertex counts twice or not at
 * all, and a point on the surface is on one side of it (SL_CROSSINGS); exact.  A point is on the
 * surface if sl_bvh_nearest with a max_distance of 0 finds a triangle.
 * Closed   this is what inside means for a mesh in which every edge is used by an even number of
 *          triangles (sl_boundary_info.odd_count is 0): it stays closed in every transform and on
 *          every grid.  Of an open one (ground, leaves, a scan with holes) the answer only says how
 *          often the ray meets it: leave such instances out by their masks, or ask sl_bvh_winding.
 *          Options that leave out triangles open a mesh.
 * Overlap  instances are judged one by one: where they overlap, each of them contains the point.
 * Proxies  a point that is not in the proxy is in no instance; with SL_PROXY_INSTEAD one that is in
 *          it is in instance 0. */

/* The instances that contain the point, of a tree over triangles 0: the first `capacity` of their
 * numbers, in rising order; returns how many there are (instances may be NULL for a capacity of
 * 0). */
SL_API size_t sl_bvh_inside(const sl_bvh *bvh, const float point[3], const sl_options *options,
                            uint32_t *instances, size_t capacity);

/* Row i of instances starts at instances + i * capacity. */
SL_API void sl_bvh_inside_many(const sl_bvh *bvh, sl_points points, const sl_options *options,
                               uint32_t *instances, size_t capacity, uint64_t *totals,
                               const sl_tasks *tasks, sl_stats *stats);

/* Whether a point is inside of one mesh, decided by two numbers.  24 bytes.
 *
 * Crossings  how often a ray from the point along +x crosses the surface, as above.  Exact.
 * Winding    how often the surface runs around the point, the generalised winding number of
 *            Jacobson, Kavan and Sorkine-Hornung (2013): the sum of the solid angles of all
 *            triangles over 4 pi, positive where their backs are seen.  Without a boundary
 *            (mesh_repair.h) it is the number of backs crossed minus that of fronts: an integer,
 *            and exact.  Otherwise the boundary adds its share (docs/notes/inside.md says how
 *            exactly).
 * A mesh that is closed is judged by parity: inside is an odd number of crossings, whichever way
 * its triangles are wound.  Any other is judged by the winding number: inside is more than half a
 * turn, either way round.  The two differ where shells overlap or lie in one another, where
 * triangles are wound the wrong way, and at holes. */
typedef struct sl_inside {
    uint64_t crossings; /* of the ray from the point to infinity */
    double winding;     /* how often the surface runs around the point; NaN with SL_NO_WINDING
                         * where the boundary has edges */
    bool inside;        /* by parity for a closed mesh, else by winding */
    bool by_parity;     /* an odd number of crossings */
    bool by_winding;    /* a winding number beyond 1/2, of either sign */
    bool differ;        /* by_parity is not by_winding: the caller may choose */
    /* At distance 0 from a triangle; exact.  The other fields then hold for the moved point, except
     * the boundary's share of the winding number. */
    bool on_surface;
    uint8_t zero[3]; /* are 0, so that equal answers are equal bytes */
} sl_inside;

/* Of packed points, three floats each; out may be NULL of one.  boundary is that of the same
 * triangles with the same options; NULL means a closed mesh that is wound the same way throughout.
 * A point that is not finite is not inside.
 * Proxies  SL_PROXY_FIRST: a ray that does not meet the proxy crosses nothing; SL_PROXY_INSTEAD: a
 *          point is inside if the proxy contains it.
 * Fails    SL_UNSUPPORTED for a tree over instances; nothing is written then.
 * Cost     one walk down the tree, and about 20 ns for each edge of the boundary.  With
 *          SL_NO_WINDING in the options' flags winding is NaN where the boundary has edges, all
 *          else is the same, and most edges are not looked at: 3 to 50 us a point for boundaries of
 *          14,000 to 74,000 edges, where the number takes 130 to 720 (docs/notes/inside.md); at
 *          worst, where the number is too near to one half, twice as long as the number. */
SL_API sl_result sl_bvh_winding(const sl_bvh *bvh, const sl_boundary *boundary, const float *points,
                                size_t count, const sl_options *options, sl_inside *out,
                                const sl_tasks *tasks, sl_stats *stats);

/* Every triangle in turn, without a tree: the oracles that trees are tested against.  Proxies are
 * ignored. */
SL_API bool sl_soup_inside(const sl_soup *soup, const sl_boundary *boundary, const float point[3],
                           const sl_options *options, sl_inside *out);

/* A capacity of k keeps the k nearest. */
SL_API size_t sl_soup_within(const sl_soup *soup, const float point[3], float radius,
                             const sl_options *options, sl_nearest *out, size_t capacity);

#endif
