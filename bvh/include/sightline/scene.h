/* scene.h: worlds of instances: trees in places, shared and nested, and the questions about rays
 * and segments, in floats and in doubles.
 *
 * Meaning  the world's triangles are those of each instance's tree, with the corners that the
 *          corner rule makes of their vertices (sl_place_corner): doubles, as far from the origin
 *          as floats go.  Nothing else about places matters: the same triangles by other trees, by
 *          nested scenes or by the list of their products, give the same bits.
 * Exact    hit or miss is what exact arithmetic on these corners and the given ray says; t, u and v
 *          are the exact values rounded once.  Closest means the smallest t that is reported, of
 *          equal ones the lowest (instance, prim); lists are sorted by (t, instance, prim).  Closed
 *          meshes do not leak, wherever they are placed.
 * Front    is the side that is the front in the object, for mirrored instances too.
 * Numbers  sl_hit.instance is the place of the instance in the caller's array.  An instance of a
 *          scene takes as many numbers as that scene has, in its order, and the later ones follow
 *          (sl_scene_path).
 * Threads  a scene never changes: any number of threads may query it at once, without locks.  To
 *          move something, build the next scene over the same trees, and destroy the old one when
 *          no query runs on it any more.  Nothing is allocated by queries; a call takes at most 48
 *          KiB of stack, one about an array 60 KiB.
 * Options  query may be NULL: every triangle counts (intersect.h).  A mask leaves in the triangles
 *          that share a bit with it, of the instances that share a bit with it: two bits that may
 *          differ.  Subtrees without any are left out whole.  Skips name
 *          instances, too, and SL_USE_IGNORE leaves out whole ones.  The proxy of an sl_query is
 *          read of trees over triangles alone, and in floats.
 * Fails    queries never; an invalid ray or segment is a miss.
 * Cost     a ray pays for each instance whose box it meets, and then what its tree costs; sl_stats
 *          counts them.  Arrays of rays and segments are answered many at a time, in floats and in
 *          doubles; with hit filters, ray by ray. */
#ifndef SIGHTLINE_SCENE_H
#define SIGHTLINE_SCENE_H

#include <sightline/bvh.h>
#include <sightline/intersect.h>
#include <sightline/place.h>
#include <sightline/ray_columns.h>
#include <sightline/ray_d.h>

/* A scene is a tree, too: one over instances.  Calls about scenes take trees over triangles, as
 * scenes of one instance that stands where it is, and answer with the bits of that.  What is only
 * for trees over triangles refuses scenes: saving, refitting, masks and self-intersections. */
typedef struct sl_bvh sl_scene;
#define sl_scene_destroy(scene) sl_bvh_destroy(scene)

/* A tree or a scene in a place.  With neither it is a hole: nothing is there, and the number is
 * taken.  Both stay the caller's, and have to live as long as the scene that is built. */
typedef struct sl_instance {
    const sl_bvh *bvh;
    sl_place place;
    double grid;   /* corners are multiples of it: a power of two from 2^-149 to 2^127, no more than
                    * 1/16 of the instance's longest side.  0: 2^-149.  Of nested instances the
                    * outermost grid that is not 0 holds, in units of the world */
    uint32_t id;   /* the caller's; sl_scene_path gives it back */
    uint32_t mask; /* of nested instances, bits that all of them have */
} sl_instance;

/* An instance of the whole tree where it stands: identity, no grid, all bits of the mask. */
SL_API sl_instance sl_instance_of(const sl_bvh *bvh);

/* What happens to an instance that cannot be used: an element of its place, or of its product with
 * those that it is nested in, is not finite; a corner would be beyond FLT_MAX; the place is flat or
 * nearly so (||M|| ||M^-1|| > 2^20); its grid is not a power of two, or too coarse; its tree has no
 * triangles.  Nested instances are judged by their products alone: what an inner scene left out is
 * judged again.  Holes are not looked at. */
typedef enum sl_bad_instances {
    SL_BAD_INSTANCES_REFUSE = 0,   /* no scene; the error names the first one */
    SL_BAD_INSTANCES_LEAVE_OUT = 1 /* a hole is left, and counted */
} sl_bad_instances;

typedef struct sl_scene_def {
    size_t size;            /* set by sl_default_scene_def */
    sl_hooks hooks;         /* zeroed (default): malloc, no reports, the calling thread alone */
    sl_bad_instances bad;   /* SL_BAD_INSTANCES_REFUSE */
    sl_bvh_quality quality; /* of the tree over the instances; SL_BVH_QUALITY_HIGH is as DEFAULT */
    size_t stride;          /* bytes from one instance to the next; 0: 128, the size of the first
                             * version of sl_instance */
    const sl_scene *previous; /* the version that this one follows: if it has instances at the same
                               * numbers, its tree over them is kept as long as it is good.  It
                               * changes no answer, and is not kept itself.  NULL (default): none */
    sl_scene *recycle; /* a scene that nothing else uses; previous too, if no query runs on it.  On
                        * success it is gone: its memory, with its allocator, is that of *out.  No
                        * instance may have it in it.  NULL (default): new memory */
} sl_scene_def;

SL_API sl_scene_def sl_default_scene_def(void);

/* Versions a frame loop builds the next version from the one before, and in the memory of an older
 *          one: with two or three versions that take turns it allocates nothing after its first
 *          rounds.  The answers are those of a scene that was built anew.
 * Trees    are borrowed: a scene points to them, and so do its later versions as far as they name
 *          them again.  A tree, or a nested scene, may be destroyed, or refitted in place, when the
 *          last scene that was built over it is gone or will never be queried again.
 * Limits   2^28 - 1 instances, nested ones expanded; scenes in scenes 16 deep.
 * Threads  def->hooks.tasks places instances and builds the tree over them; no result depends on
 *          the number of workers, nor does the error: it names the first bad instance.
 * Fails    SL_INVALID_ARGUMENT, SL_BAD_DATA (a bad instance), SL_TOO_LARGE, SL_OUT_OF_MEMORY,
 *          SL_CANCELLED; *out is NULL then, and previous is as it was.  A recycled scene that is
 *          not previous is then empty, unless SL_INVALID_ARGUMENT names the def: it may be
 *          recycled again or destroyed, but not queried.
 * Memory   some 400 bytes an instance, 130 more where scenes are nested or instances left out; a
 *          version in recycled memory holds up to twice as much.  Trees are shared. */
SL_API sl_result sl_scene_build(const sl_instance *instances, size_t count, const sl_scene_def *def,
                                sl_scene **out, sl_error *error);

typedef struct sl_scene_info {
    size_t instance_count; /* numbers, nested ones expanded, holes included */
    size_t hole_count;     /* of those; left out ones included */
    size_t left_out_count; /* SL_BAD_INSTANCES_LEAVE_OUT */
    uint64_t triangle_count;
    size_t bytes;          /* all memory that the scene holds; its trees are not the scene's */
    double min[3], max[3]; /* a box that holds all corners, the same on every machine: that of what
                            * places make of the bounds of meshes, so larger than the corners need
                            * where they are turned.  Empty (min > max) where there are none */
    const char *kernel;    /* as in sl_bvh_info */
} sl_scene_info;

/* out_size: sizeof *out (docs/abi.md). */
SL_API void sl_scene_get_info(const sl_scene *scene, sl_scene_info *out, size_t out_size);

/* A step on the way from the world to an instance: the place in the array that a scene was built
 * from, and the id there. */
typedef struct sl_scene_step {
    uint32_t index, id;
} sl_scene_step;

/* The way to an instance, from the outermost inwards; returns the number of steps, of which the
 * first `capacity` are written.  0: there is no such instance. */
SL_API size_t sl_scene_path(const sl_scene *scene, uint32_t instance, sl_scene_step *steps,
                            size_t capacity);

/* The corners of a triangle of the world; false where there is none. */
SL_API bool sl_scene_triangle(const sl_scene *scene, sl_triangle_ref triangle,
                              double corners[3][3]);

/* ---- Rays and segments in floats ---- */

/* As sl_bvh_closest and its like (ray_query.h). */
SL_API bool sl_scene_closest(const sl_scene *scene, const sl_ray *ray, const sl_query *query,
                             sl_hit *hit);
SL_API bool sl_scene_any(const sl_scene *scene, const sl_ray *ray, const sl_query *query);
SL_API size_t sl_scene_all(const sl_scene *scene, const sl_ray *ray, const sl_query *query,
                           sl_hit *hits, size_t capacity);
SL_API bool sl_scene_next(const sl_scene *scene, const sl_ray *ray, const sl_query *query,
                          const sl_hit *previous, sl_hit *hit);
SL_API size_t sl_scene_count(const sl_scene *scene, const sl_ray *ray, const sl_query *query);

SL_API bool sl_scene_blocked(const sl_scene *scene, const sl_segment *segment,
                             const sl_query *query);
SL_API bool sl_scene_closest_segment(const sl_scene *scene, const sl_segment *segment,
                                     const sl_query *query, sl_hit *hit);
SL_API size_t sl_scene_all_segment(const sl_scene *scene, const sl_segment *segment,
                                   const sl_query *query, sl_hit *hits, size_t capacity);
SL_API bool sl_scene_next_segment(const sl_scene *scene, const sl_segment *segment,
                                  const sl_query *query, const sl_hit *previous, sl_hit *hit);
SL_API size_t sl_scene_count_segment(const sl_scene *scene, const sl_segment *segment,
                                     const sl_query *query);

/* Arrays of count rays or segments: the answers of single calls, in the order of the input, in
 * parallel through tasks (NULL: the calling thread alone).  Of all, row i of hits starts at hits +
 * i * capacity and holds min(totals[i], capacity) hits; of next, hits may be previous. */
SL_API void sl_scene_closest_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                                  const sl_query *query, sl_hit *hits, const sl_tasks *tasks);
SL_API void sl_scene_any_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                              const sl_query *query, uint8_t *any, const sl_tasks *tasks);
SL_API void sl_scene_count_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                                const sl_query *query, uint64_t *counts, const sl_tasks *tasks);
SL_API void sl_scene_all_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                              const sl_query *query, sl_hit *hits, size_t capacity,
                              uint64_t *totals, const sl_tasks *tasks);
SL_API void sl_scene_next_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                               const sl_query *query, const sl_hit *previous, sl_hit *hits,
                               const sl_tasks *tasks);
SL_API void sl_scene_closest_segment_many(const sl_scene *scene, const sl_segment *segments,
                                          size_t count, const sl_query *query, sl_hit *hits,
                                          const sl_tasks *tasks);
SL_API void sl_scene_count_segment_many(const sl_scene *scene, const sl_segment *segments,
                                        size_t count, const sl_query *query, uint64_t *counts,
                                        const sl_tasks *tasks);
SL_API void sl_scene_all_segment_many(const sl_scene *scene, const sl_segment *segments,
                                      size_t count, const sl_query *query, sl_hit *hits,
                                      size_t capacity, uint64_t *totals, const sl_tasks *tasks);
SL_API void sl_scene_next_segment_many(const sl_scene *scene, const sl_segment *segments,
                                       size_t count, const sl_query *query, const sl_hit *previous,
                                       sl_hit *hits, const sl_tasks *tasks);

/* hints (or NULL) as in sl_bvh_blocked_many: in, the triangle to try first; out, a triangle that
 * blocks, unchanged where nothing does.  They never change the answer.  What blocks first, whatever
 * the tree is, is the closest hit. */
SL_API void sl_scene_blocked_many(const sl_scene *scene, const sl_segment *segments, size_t count,
                                  const sl_query *query, uint8_t *blocked, sl_triangle_ref *hints,
                                  const sl_tasks *tasks);

/* In the caller's own layout (ray_columns.h). */
SL_API void sl_scene_closest_columns(const sl_scene *scene, const sl_ray_columns *rays,
                                     size_t count, const sl_query *query,
                                     const sl_hit_columns *hits, const sl_tasks *tasks);
SL_API void sl_scene_any_columns(const sl_scene *scene, const sl_ray_columns *rays, size_t count,
                                 const sl_query *query, uint8_t *any, const sl_tasks *tasks);
SL_API void sl_scene_closest_segment_columns(const sl_scene *scene,
                                             const sl_segment_columns *segments, size_t count,
                                             const sl_query *query, const sl_hit_columns *hits,
                                             const sl_tasks *tasks);
SL_API void sl_scene_blocked_columns(const sl_scene *scene, const sl_segment_columns *segments,
                                     size_t count, const sl_query *query, uint8_t *blocked,
                                     sl_triangle_ref *hints, const sl_tasks *tasks);

/* From one point to many, as sl_bvh_any_from and sl_bvh_blocked_from: the answers of the arrays of
 * rays (tmin 0, one tmax for all) or of segments that they stand for, at what these cost. */
SL_API void sl_scene_any_from(const sl_scene *scene, const float origin[3], const float *dirs,
                              size_t count, float tmax, const sl_query *query, uint8_t *any,
                              const sl_tasks *tasks);
SL_API void sl_scene_blocked_from(const sl_scene *scene, const float origin[3],
                                  const float *targets, size_t count, const sl_query *query,
                                  uint8_t *blocked, const sl_tasks *tasks);

/* Where a hit lies on the surface of the world, as sl_bvh_surface; the front is the object's, for
 * mirrored instances too.  False (surface untouched) also for an instance that is not there, and
 * for a triangle that a grid has made flat.  Far from the origin floats are coarse, and the two
 * origins keep a step of theirs from the plane: ask in doubles there. */
SL_API bool sl_scene_surface(const sl_scene *scene, const sl_hit *hit, sl_surface *surface);

/* ---- Rays and segments in doubles ----
 *
 * The same questions; t is a double, which orders hits.  A hit filter is shown t rounded to a
 * float. A tree is asked in doubles as it is. */

SL_API bool sl_scene_closest_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query,
                               sl_hit_d *hit);
SL_API bool sl_scene_any_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query);
SL_API size_t sl_scene_all_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query,
                             sl_hit_d *hits, size_t capacity);
SL_API bool sl_scene_next_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query,
                            const sl_hit_d *previous, sl_hit_d *hit);
SL_API size_t sl_scene_count_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query);

SL_API bool sl_scene_blocked_d(const sl_scene *scene, const sl_segment_d *segment,
                               const sl_query *query);
SL_API bool sl_scene_closest_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                                       const sl_query *query, sl_hit_d *hit);
SL_API size_t sl_scene_all_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                                     const sl_query *query, sl_hit_d *hits, size_t capacity);
SL_API bool sl_scene_next_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                                    const sl_query *query, const sl_hit_d *previous, sl_hit_d *hit);
SL_API size_t sl_scene_count_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                                       const sl_query *query);

SL_API void sl_scene_closest_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                                    const sl_query *query, sl_hit_d *hits, const sl_tasks *tasks);
SL_API void sl_scene_all_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                                const sl_query *query, sl_hit_d *hits, size_t capacity,
                                uint64_t *totals, const sl_tasks *tasks);
SL_API void sl_scene_count_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                                  const sl_query *query, uint64_t *counts, const sl_tasks *tasks);
SL_API void sl_scene_next_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                                 const sl_query *query, const sl_hit_d *previous, sl_hit_d *hits,
                                 const sl_tasks *tasks);
SL_API void sl_scene_any_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                                const sl_query *query, uint8_t *any, const sl_tasks *tasks);
SL_API void sl_scene_blocked_d_many(const sl_scene *scene, const sl_segment_d *segments,
                                    size_t count, const sl_query *query, uint8_t *blocked,
                                    sl_triangle_ref *hints, const sl_tasks *tasks);

SL_API void sl_scene_closest_segment_d_many(const sl_scene *scene, const sl_segment_d *segments,
                                            size_t count, const sl_query *query, sl_hit_d *hits,
                                            const sl_tasks *tasks);
SL_API void sl_scene_count_segment_d_many(const sl_scene *scene, const sl_segment_d *segments,
                                          size_t count, const sl_query *query, uint64_t *counts,
                                          const sl_tasks *tasks);
SL_API void sl_scene_all_segment_d_many(const sl_scene *scene, const sl_segment_d *segments,
                                        size_t count, const sl_query *query, sl_hit_d *hits,
                                        size_t capacity, uint64_t *totals, const sl_tasks *tasks);
SL_API void sl_scene_next_segment_d_many(const sl_scene *scene, const sl_segment_d *segments,
                                         size_t count, const sl_query *query,
                                         const sl_hit_d *previous, sl_hit_d *hits,
                                         const sl_tasks *tasks);

/* As sl_scene_any_from and sl_scene_blocked_from. */
SL_API void sl_scene_any_from_d(const sl_scene *scene, const double origin[3], const double *dirs,
                                size_t count, double tmax, const sl_query *query, uint8_t *any,
                                const sl_tasks *tasks);
SL_API void sl_scene_blocked_from_d(const sl_scene *scene, const double origin[3],
                                    const double *targets, size_t count, const sl_query *query,
                                    uint8_t *blocked, const sl_tasks *tasks);

/* As sl_surface: each number a double, the two origins next to point, strictly in front of and
 * strictly behind the plane of the triangle.  error is what u and v, which are floats, leave open:
 * some 2^-23 of the triangle's size. */
typedef struct sl_surface_d {
    double point[3], normal[3], error;
    double front_origin[3], back_origin[3];
} sl_surface_d;

SL_API bool sl_scene_surface_d(const sl_scene *scene, const sl_hit_d *hit, sl_surface_d *surface);

#endif
