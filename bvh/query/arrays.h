/* arrays.h: queries about arrays of rays, segments, points and volumes, in any layout and either
 * type of numbers, on trees of either kind.  What the public headers say of answers holds:
 * ray_query.h, point_query.h, volume_query.h and self_query.h. */
#ifndef SLI_QUERY_ARRAYS_H
#define SLI_QUERY_ARRAYS_H

#include <sightline/boundary.h>
#include <sightline/point_query.h>
#include <sightline/ray_query.h>
#include <sightline/scene_points.h>
#include <sightline/scene_volumes.h>
#include <sightline/self_query.h>

/* The type of the numbers of an array. */
typedef enum sli_number_type { SLI_FLOAT = 0, SLI_DOUBLE = 1 } sli_number_type;

/* A stride for one value that all items share. */
#define SLI_SAME ((size_t)-1)

/* Rays, or segments, in the caller's memory, aligned or not; nothing is copied.  Pointers are to
 * the numbers of item 0, and strides are in bytes from one item to the next; 0: packed, three
 * numbers after three, or of separate axes and limits one after one. */
typedef struct sli_rays {
    const void *origin[3]; /* [1] and [2] NULL: x, y and z side by side; else an array for each */
    const void *dir[3];    /* likewise directions, or of segments the other ends */
    const void *tmin;      /* NULL: 0; not of segments */
    const void *tmax;      /* NULL: infinity; not of segments */
    size_t origin_stride[3], dir_stride[3]; /* of each array; [0] of three side by side */
    size_t tmin_stride, tmax_stride;
    size_t count;
    sli_number_type number;
    bool segments;
} sli_rays;

sli_rays sli_rays_of(const sl_ray *rays, size_t count);
sli_rays sli_rays_of_d(const sl_ray_d *rays, size_t count);
sli_rays sli_segments_of(const sl_segment *segments, size_t count);
sli_rays sli_segments_of_d(const sl_segment_d *segments, size_t count);

/* Rays from one origin in each of count directions, three numbers each, and segments from one
 * point to each of count targets.  Any-hit queries sort them, so neighbours share their work: the
 * more there are and the closer together they lie, the faster. */
sli_rays sli_rays_from(const float origin[3], const float *dirs, size_t count);
sli_rays sli_rays_from_d(const double origin[3], const double *dirs, size_t count);
sli_rays sli_segments_from(const float p[3], const float *targets, size_t count);
sli_rays sli_segments_from_d(const double p[3], const double *targets, size_t count);

/* Where hits go, or come from: pointers to the numbers of hit 0; NULL: not wanted. */
typedef struct sli_hits {
    void *t;
    float *u, *v;
    uint32_t *prim, *instance, *flags;
    size_t stride[6]; /* bytes from one hit to the next, of each in this order; 0: a packed array */
    sli_number_type number; /* of t, and so of the order of hits, whatever the rays' numbers are */
} sli_hits;

/* Arrays of structs; NULL gives a description in which nothing is wanted. */
sli_hits sli_hits_of(sl_hit *hits);
sli_hits sli_hits_of_d(sl_hit_d *hits);

/* ---- Arrays ---- */

/* The closest hit of each ray. */
void sli_bvh_closest_many(const sl_bvh *bvh, sli_rays rays, const sl_query *query, sli_hits hits,
                          const sl_tasks *tasks, sl_stats *stats);

/* Whether there is a hit, as 1 or 0.  hints (or NULL) has one triangle for each ray.  In: the
 * triangle to try first, any reference at all.  Out: a triangle that is hit; unchanged where none
 * is.  Kept from frame to frame it saves most of the work; it never changes the answer.  Which
 * triangle is named depends on the tree. */
void sli_bvh_any_many(const sl_bvh *bvh, sli_rays rays, const sl_query *query, uint8_t *any,
                      sl_triangle_ref *hints, const sl_tasks *tasks, sl_stats *stats);

/* The capacity nearest hits of each ray: hit k of ray i is hit i * capacity + k of hits, and
 * totals[i] says how many there are in all. */
void sli_bvh_all_many(const sl_bvh *bvh, sli_rays rays, const sl_query *query, sli_hits hits,
                      size_t capacity, uint64_t *totals, const sl_tasks *tasks, sl_stats *stats);

/* Replaces each hit by the next one of its ray: in, the previous hit, of which t, instance and prim
 * are read; out, the hit after it.  A miss stays a miss. */
void sli_bvh_next_many(const sl_bvh *bvh, sli_rays rays, const sl_query *query, sli_hits hits,
                       const sl_tasks *tasks, sl_stats *stats);

/* ---- Where a hit lies ---- */

/* A point of a triangle, and origins from which rays go on. */
typedef struct sli_surface {
    double point[3];  /* each coordinate rounded by itself */
    double normal[3]; /* of unit length, on the triangle's front side */
    double error;     /* no coordinate of point is further than this from the exact hit */
    /* Next to point, strictly in front of and strictly behind the triangle's plane: a ray that
     * starts there does not meet this triangle by rounding.  Point itself where no number lies
     * beyond. */
    double front_origin[3];
    double back_origin[3];
} sli_surface;

/* From a hit's triangle and weights.  number: what points and origins are rounded to, so that with
 * SLI_FLOAT they can be cast to float unchanged.  The front is the object's, for mirrored instances
 * too.  False (surface untouched) for a triangle that is not there, weights that are not finite, or
 * a triangle of zero area, which no ray hits. */
bool sli_bvh_surface(const sl_bvh *bvh, sl_triangle_ref triangle, float u, float v,
                     sli_number_type number, sli_surface *surface);

/* ---- Points ---- */

/* Points in the caller's memory, as origins in sli_rays. */
typedef struct sli_points {
    const void *xyz[3];
    size_t stride, count;
    sli_number_type number;
} sli_points;

/* Packed arrays of three numbers for each point. */
sli_points sli_points_of(const float *xyz, size_t count);
sli_points sli_points_of_d(const double *xyz, size_t count);

/* Where answers go: an array of sl_nearest or, where number is SLI_DOUBLE, of sl_nearest_d, each
 * the start of a struct of stride bytes, which is a multiple of its alignment; 0: packed. */
typedef struct sli_nearests {
    void *first;
    size_t stride;
    sli_number_type number;
} sli_nearests;

sli_nearests sli_nearests_of(sl_nearest *nearests);
sli_nearests sli_nearests_of_d(sl_nearest_d *nearests);

/* Arrays; of the lists, answer j of point i is answer i * k + j (i * capacity + j) of out. */
void sli_bvh_nearest_many(const sl_bvh *bvh, sli_points points, float max_distance,
                          const sl_query *query, sli_nearests out, const sl_tasks *tasks,
                          sl_stats *stats);
void sli_bvh_nearest_k_many(const sl_bvh *bvh, sli_points points, float max_distance,
                            const sl_query *query, sli_nearests out, size_t k, uint64_t *found,
                            const sl_tasks *tasks, sl_stats *stats);
void sli_bvh_within_many(const sl_bvh *bvh, sli_points points, float radius, const sl_query *query,
                         sli_nearests out, size_t capacity, uint64_t *totals, const sl_tasks *tasks,
                         sl_stats *stats);

/* Row i of instances starts at instances + i * capacity. */
void sli_bvh_inside_many(const sl_bvh *bvh, sli_points points, const sl_query *query,
                         uint32_t *instances, size_t capacity, uint64_t *totals,
                         const sl_tasks *tasks, sl_stats *stats);

/* Of packed points, three floats each; out may be NULL of one.  boundary is that of the same
 * triangles with the same options; NULL means a closed mesh that is wound the same way throughout.
 * A point that is not finite is not inside.
 * Proxies  SL_PROXY_FIRST: a ray that does not meet the proxy crosses nothing; SL_PROXY_INSTEAD: a
 *          point is inside if the proxy contains it.
 * Fails    SL_UNSUPPORTED for a tree over instances; nothing is written then.
 * Cost     one walk down the tree, and about 20 ns for each edge of the boundary. */
sl_result sli_bvh_winding(const sl_bvh *bvh, const sl_boundary *boundary, const float *points,
                          size_t count, const sl_query *query, sl_inside *out,
                          const sl_tasks *tasks, sl_stats *stats);

/* ---- Volumes ---- */

/* Volumes in the caller's memory: an array of sl_volume or, where number is SLI_DOUBLE, of
 * sl_volume_d, each the start of a struct of stride bytes, which is a multiple of its alignment; 0:
 * packed; SLI_SAME: one for all. */
typedef struct sli_volumes {
    const void *first;
    size_t stride, count;
    sli_number_type number;
} sli_volumes;

sli_volumes sli_volumes_of(const sl_volume *volumes, size_t count);
sli_volumes sli_volumes_of_d(const sl_volume_d *volumes, size_t count);

/* Row i of refs starts at refs + i * capacity and holds min(totals[i], capacity). */
void sli_bvh_overlap_any_many(const sl_bvh *bvh, sli_volumes volumes, const sl_query *query,
                              uint8_t *touches, const sl_tasks *tasks, sl_stats *stats);
void sli_bvh_overlap_all_many(const sl_bvh *bvh, sli_volumes volumes, const sl_query *query,
                              sl_triangle_ref *refs, size_t capacity, uint64_t *totals,
                              const sl_tasks *tasks, sl_stats *stats);

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
sl_result sli_bvh_self_overlap_any(const sl_bvh *bvh, uint32_t first, size_t count,
                                   const sl_query *query, uint8_t *touches, const sl_tasks *tasks,
                                   sl_stats *stats);

/* Of the pairs of triangles that meet elsewhere, those in which triangle first + i is the lower
 * number: the higher ones, in rising order, the first capacity of them, go to row i of others, and
 * totals[i] says how many there are in all (others may be NULL for a capacity of 0). */
sl_result sli_bvh_self_pairs(const sl_bvh *bvh, uint32_t first, size_t count, const sl_query *query,
                             sl_triangle_ref *others, size_t capacity, uint64_t *totals,
                             const sl_tasks *tasks, sl_stats *stats);

#endif
