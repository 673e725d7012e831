/* scene_points.h: what is nearest to a point of a world of instances (scene.h), and which instances
 * contain it; points in floats and in doubles.
 *
 * Space    points and results are in the space of the scene, distances in its unit.
 * Meaning  the triangles are those of the world: their corners are doubles (sl_scene_triangle).
 * Exact    a distance is the exact one from the point as given, rounded to the nearest float;
 *          nearest means the smallest (rounded) distance, of equal ones the lowest (instance,
 *          prim); lists are sorted by (distance, instance, prim).  Within max_distance means that
 *          the exact distance is not more than it.  Distances are floats for points in doubles,
 *          too, since a float has its digits wherever the point is: 1 mm at 10^7 m is right to
 *          0.1 nm, if the point is in doubles.
 * Doubles  each coordinate of a point is first taken to the nearest multiple of 2^-149, ties to
 *          even.
 * Fails    never; a point that is not finite or beyond FLT_MAX, or a max_distance that is NaN or
 *          negative, finds nothing, and no instance contains such a point.
 * Threads  any number may query one scene at once.  Nothing is allocated; a call takes at most 48
 *          KiB of stack, one about an array 60 KiB.
 * Options  SL_USE_MASK, SL_USE_SKIP, SL_USE_IGNORE, per_ray (one for each point of an array) and
 *          stats of sl_query; NULL means everything.  A mask leaves in the triangles that share a
 *          bit with it, of the instances that share a bit with it.
 * Cost     a point pays for each instance whose box is nearer than what was found, and then what
 *          its tree costs; sl_stats.instances counts them.  Being far away from the origin costs
 *          nothing.  Places that shear cost more than those that turn, move and scale.
 * Source   as point_query.h; docs/notes/distance.md. */
#ifndef SIGHTLINE_SCENE_POINTS_H
#define SIGHTLINE_SCENE_POINTS_H

#include <sightline/point_query.h>
#include <sightline/scene.h>

/* ---- Nearest, for points in floats ---- */

/* The nearest triangle within max_distance, which may be INFINITY.  *out may be NULL; where there
 * is none, out->prim is SL_NONE and the distance max_distance.  out->point is a float, too: far
 * from the origin ask in doubles. */
SL_API bool sl_scene_nearest(const sl_scene *scene, const float point[3], float max_distance,
                             const sl_query *query, sl_nearest *out);

/* The k nearest triangles within max_distance, sorted; returns how many were found, k at most. */
SL_API size_t sl_scene_nearest_k(const sl_scene *scene, const float point[3], float max_distance,
                                 const sl_query *query, sl_nearest *out, size_t k);

/* All triangles within radius: the capacity nearest of them, sorted; returns how many there are. */
SL_API size_t sl_scene_within(const sl_scene *scene, const float point[3], float radius,
                              const sl_query *query, sl_nearest *out, size_t capacity);

/* Arrays of count points, three floats each: the answers of single calls, in parallel through
 * tasks (NULL: the calling thread alone).  Row i of out starts at out + i * k. */
SL_API void sl_scene_nearest_many(const sl_scene *scene, const float *points, size_t count,
                                  float max_distance, const sl_query *query, sl_nearest *out,
                                  const sl_tasks *tasks);
SL_API void sl_scene_nearest_k_many(const sl_scene *scene, const float *points, size_t count,
                                    float max_distance, const sl_query *query, sl_nearest *out,
                                    size_t k, uint64_t *found, const sl_tasks *tasks);
SL_API void sl_scene_within_many(const sl_scene *scene, const float *points, size_t count,
                                 float radius, const sl_query *query, sl_nearest *out,
                                 size_t capacity, uint64_t *totals, const sl_tasks *tasks);

/* ---- Nearest, for points in doubles ---- */

/* As sl_nearest, with the point in doubles.  48 bytes. */
typedef struct sl_nearest_d {
    float distance; /* from the query point, >= 0 */
    float u, v;     /* weights of vertices 1 and 2 at the nearest point; good to a few ulp of 1 */
    uint32_t prim;  /* SL_NONE where nothing was found */
    uint32_t instance;
    uint32_t flags;  /* 0 */
    double point[3]; /* the nearest point, from weights in doubles, which are not rounded to u, v:
                      * good to a few ulp of the farthest corner, as seen from the query point, and
                      * of the coordinate itself; less where a triangle is a needle */
} sl_nearest_d;

SL_API bool sl_scene_nearest_d(const sl_scene *scene, const double point[3], float max_distance,
                               const sl_query *query, sl_nearest_d *out);
SL_API size_t sl_scene_nearest_k_d(const sl_scene *scene, const double point[3], float max_distance,
                                   const sl_query *query, sl_nearest_d *out, size_t k);
SL_API size_t sl_scene_within_d(const sl_scene *scene, const double point[3], float radius,
                                const sl_query *query, sl_nearest_d *out, size_t capacity);

SL_API void sl_scene_nearest_d_many(const sl_scene *scene, const double *points, size_t count,
                                    float max_distance, const sl_query *query, sl_nearest_d *out,
                                    const sl_tasks *tasks);
SL_API void sl_scene_nearest_k_d_many(const sl_scene *scene, const double *points, size_t count,
                                      float max_distance, const sl_query *query, sl_nearest_d *out,
                                      size_t k, uint64_t *found, const sl_tasks *tasks);
SL_API void sl_scene_within_d_many(const sl_scene *scene, const double *points, size_t count,
                                   float radius, const sl_query *query, sl_nearest_d *out,
                                   size_t capacity, uint64_t *totals, const sl_tasks *tasks);

/* ---- Inside ----
 *
 * An instance contains a point if a ray from there along +x crosses its triangles an odd number of
 * times, and the point is in the box that its place makes of the bounds of its mesh.  The ray
 * counts as moved by an infinitely small (e, e^2, e^3), so no edge or vertex counts twice or not at
 * all, and a point on the surface is on one side of it (SL_USE_CROSSINGS); exact.  Ask for the
 * nearest triangle within 0 to learn whether it is on the surface.
 * Closed   this is what inside means for a mesh in which every edge is used by an even number of
 *          triangles (sl_boundary_info.odd_count is 0): it stays closed in every place and on every
 *          grid.  Of an open one (ground, leaves, a scan with holes) the answer only says how often
 *          the ray meets it: leave such instances out by their masks, or ask their trees with their
 *          boundaries (sl_bvh_inside).  Options that leave out triangles open a mesh.
 * Overlap  instances are judged one by one: where they overlap, each of them contains the point. */

/* The instances that contain the point: the first `capacity` of their numbers, in rising order;
 * returns how many there are. */
SL_API size_t sl_scene_inside(const sl_scene *scene, const float point[3], const sl_query *query,
                              uint32_t *instances, size_t capacity);
SL_API size_t sl_scene_inside_d(const sl_scene *scene, const double point[3], const sl_query *query,
                                uint32_t *instances, size_t capacity);

/* Arrays of count points.  Row i of instances starts at instances + i * capacity. */
SL_API void sl_scene_inside_many(const sl_scene *scene, const float *points, size_t count,
                                 const sl_query *query, uint32_t *instances, size_t capacity,
                                 uint64_t *totals, const sl_tasks *tasks);
SL_API void sl_scene_inside_d_many(const sl_scene *scene, const double *points, size_t count,
                                   const sl_query *query, uint32_t *instances, size_t capacity,
                                   uint64_t *totals, const sl_tasks *tasks);

#endif
