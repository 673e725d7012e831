/* rays.h: what rays and segments hit: closest, any, all, next; one, or an array of any layout.
 *
 * Trees    of either kind answer every query, in floats and in doubles (bvh.h, instances.h).
 * Exact    hit or miss is what exact arithmetic says about the numbers as given; t, u and v are the
 *          exact values, rounded once.  Hits are ordered by (t, instance, prim), with t as it is
 *          reported: where two round to the same number, the lower (instance, prim) comes first.
 *          Closest means the first of that order.  Closed meshes do not leak.
 * Misses   have prim SL_NONE and t tmax (of a segment 1).  An invalid ray or segment (shapes.h) is
 *          a miss, and so is one of zero length.
 * Fails    never; a number type that is none counts as SL_FLOAT.
 * Threads  any number may query one tree at once; while a call runs, nothing else may write to its
 *          arrays.  Nothing is allocated.  A call about one ray takes at most 48 KiB of stack, one
 *          about an array 60 KiB.  Any floating-point environment of the caller's is fine.
 * Options  may be NULL: every triangle counts (options.h).  Single calls read the first row of
 *          sl_options.items.
 * Arrays   are answered as single calls would answer them, in the order of the input.  tasks NULL:
 *          the calling thread alone.  stats NULL: nothing is counted.  Plain arrays of sl_ray,
 *          sl_segment and sl_hit, or of their like in doubles, are read and written where they are;
 *          others go through blocks on the stack, which takes a little longer.
 * Cost     sl_stats says it; all grows with the number of hits. */
#ifndef SIGHTLINE_RAYS_H
#define SIGHTLINE_RAYS_H

#include <sightline/bvh.h>
#include <sightline/intersect.h>

/* The type of the numbers of an array. */
typedef enum sl_number { SL_FLOAT = 0, SL_DOUBLE = 1 } sl_number;

/* A stride for one value that all items share. */
#define SL_SAME ((size_t)-1)

/* Rays, or segments, in the caller's memory, aligned or not; nothing is copied.  Pointers are to
 * the numbers of item 0, and strides are in bytes from one item to the next; 0: packed, three
 * numbers after three, or of separate axes and limits one after one. */
typedef struct sl_rays {
    const void *origin[3]; /* [1] and [2] NULL: x, y and z side by side; else an array for each */
    const void *dir[3];    /* likewise directions, or of segments the other ends */
    const void *tmin;      /* NULL: 0; not of segments */
    const void *tmax;      /* NULL: infinity; not of segments */
    size_t origin_stride, dir_stride, tmin_stride, tmax_stride;
    size_t count;
    sl_number number;
    bool segments;
} sl_rays;

static inline sl_rays sl_rays_of(const sl_ray *rays, size_t count)
{
    const size_t n = sizeof *rays;
    sl_rays all = { { rays->origin }, { rays->dir }, &rays->tmin, &rays->tmax, n, n, n, n, count,
                    SL_FLOAT,         false };
    return all;
}

static inline sl_rays sl_rays_of_d(const sl_ray_d *rays, size_t count)
{
    const size_t n = sizeof *rays;
    sl_rays all = { { rays->origin }, { rays->dir }, &rays->tmin, &rays->tmax, n, n, n, n, count,
                    SL_DOUBLE,        false };
    return all;
}

static inline sl_rays sl_segments_of(const sl_segment *segments, size_t count)
{
    const size_t n = sizeof *segments;
    sl_rays all = {
        { segments->p }, { segments->q }, NULL, NULL, n, n, 0, 0, count, SL_FLOAT, true
    };
    return all;
}

static inline sl_rays sl_segments_of_d(const sl_segment_d *segments, size_t count)
{
    const size_t n = sizeof *segments;
    sl_rays all = {
        { segments->p }, { segments->q }, NULL, NULL, n, n, 0, 0, count, SL_DOUBLE, true
    };
    return all;
}

/* Rays from one origin in each of count directions, three numbers each, and segments from one point
 * to each of count targets; number is the type of all of them.  Any-hit queries sort them, so that
 * neighbours share their work. */
static inline sl_rays sl_rays_from(const void *origin, const void *dirs, size_t count,
                                   sl_number number)
{
    sl_rays all = { { origin }, { dirs }, NULL, NULL, SL_SAME, 0, 0, 0, count, number, false };
    return all;
}

static inline sl_rays sl_segments_from(const void *p, const void *targets, size_t count,
                                       sl_number number)
{
    sl_rays all = { { p }, { targets }, NULL, NULL, SL_SAME, 0, 0, 0, count, number, true };
    return all;
}

/* Where hits are written, or read: pointers to the numbers of hit 0; NULL: not wanted. */
typedef struct sl_hits {
    void *t;
    float *u, *v;
    uint32_t *prim, *instance, *flags;
    size_t stride;    /* bytes from one hit to the next, of all of them; 0: packed arrays */
    sl_number number; /* of t, and so of the order of hits, whatever the numbers of the rays */
} sl_hits;

/* An array of structs; NULL: nothing is wanted. */
static inline sl_hits sl_hits_of(sl_hit *hits)
{
    sl_hits none = { NULL, NULL, NULL, NULL, NULL, NULL, 0, SL_FLOAT };
    if (hits != NULL) {
        sl_hits all = { &hits->t,        &hits->u,     &hits->v,     &hits->prim,
                        &hits->instance, &hits->flags, sizeof *hits, SL_FLOAT };
        return all;
    }
    return none;
}

static inline sl_hits sl_hits_of_d(sl_hit_d *hits)
{
    sl_hits none = { NULL, NULL, NULL, NULL, NULL, NULL, 0, SL_DOUBLE };
    if (hits != NULL) {
        sl_hits all = { &hits->t,        &hits->u,     &hits->v,     &hits->prim,
                        &hits->instance, &hits->flags, sizeof *hits, SL_DOUBLE };
        return all;
    }
    return none;
}

/* ---- One ray.  hit may be NULL, and lies over nothing that the call reads ---- */

/* The closest hit. */
SL_API bool sl_bvh_closest(const sl_bvh *bvh, const sl_ray *ray, const sl_options *options,
                           sl_hit *hit);
SL_API bool sl_bvh_closest_d(const sl_bvh *bvh, const sl_ray_d *ray, const sl_options *options,
                             sl_hit_d *hit);

/* Whether there is a hit at all. */
SL_API bool sl_bvh_any(const sl_bvh *bvh, const sl_ray *ray, const sl_options *options);

/* Whether any triangle is hit between p and q: any, of the segment.  Both ends belong to it unless
 * SL_OPEN_START or SL_OPEN_END says otherwise. */
SL_API bool sl_bvh_occluded(const sl_bvh *bvh, const float p[3], const float q[3],
                            const sl_options *options);
SL_API bool sl_bvh_occluded_d(const sl_bvh *bvh, const double p[3], const double q[3],
                              const sl_options *options);

/* The first `capacity` hits in that order; returns how many there are in all, which may be more: a
 * capacity of 0 counts them (hits may be NULL then). */
SL_API size_t sl_bvh_all(const sl_bvh *bvh, const sl_ray *ray, const sl_options *options,
                         sl_hit *hits, size_t capacity);

/* The first hit that comes after previous in the order (t, instance, prim), previous itself not
 * included.  Start with sl_bvh_closest.  After a miss there is none.  hit may be previous. */
SL_API bool sl_bvh_next(const sl_bvh *bvh, const sl_ray *ray, const sl_options *options,
                        const sl_hit *previous, sl_hit *hit);

/* The closest hit of each ray of an array. */
SL_API void sl_bvh_closest_many(const sl_bvh *bvh, sl_rays rays, const sl_options *options,
                                sl_hits hits, const sl_tasks *tasks, sl_stats *stats);

/* Whether there is a hit, as 1 or 0.  hints (or NULL) has one triangle for each ray.  In: the
 * triangle to try first, any reference at all.  Out: a triangle that is hit; unchanged where none
 * is.  Kept from frame to frame it saves most of the work; it never changes the answer.  Which
 * triangle is named depends on the tree. */
SL_API void sl_bvh_any_many(const sl_bvh *bvh, sl_rays rays, const sl_options *options,
                            uint8_t *any, sl_triangle_ref *hints, const sl_tasks *tasks,
                            sl_stats *stats);

/* The first `capacity` hits of each ray: hit k of ray i is hit i * capacity + k of hits, and
 * totals[i] says how many there are in all. */
SL_API void sl_bvh_all_many(const sl_bvh *bvh, sl_rays rays, const sl_options *options,
                            sl_hits hits, size_t capacity, uint64_t *totals, const sl_tasks *tasks,
                            sl_stats *stats);

/* Replaces each hit by the next one of its ray: in, the previous hit, of which t, instance and prim
 * are read; out, the hit after it.  A miss stays a miss. */
SL_API void sl_bvh_next_many(const sl_bvh *bvh, sl_rays rays, const sl_options *options,
                             sl_hits hits, const sl_tasks *tasks, sl_stats *stats);

/* Where a hit lies: a point of a triangle, and origins from which rays go on. */
typedef struct sl_surface {
    double point[3];  /* each coordinate rounded by itself */
    double normal[3]; /* of unit length, on the triangle's front side */
    double error;     /* no coordinate of point is further than this from the exact hit */
    /* Next to point, strictly in front of and strictly behind the triangle's plane: a ray that
     * starts there does not meet this triangle by rounding.  Point itself where no number lies
     * beyond. */
    double front_origin[3];
    double back_origin[3];
} sl_surface;

/* From a hit's triangle and weights.  number: what points and origins are rounded to, so that with
 * SL_FLOAT they can be cast to float unchanged.  The front is the object's, for mirrored instances
 * too.  False (surface untouched) for a triangle that is not there, weights that are not finite, or
 * a triangle of zero area, which no ray hits. */
SL_API bool sl_bvh_surface(const sl_bvh *bvh, sl_triangle_ref triangle, float u, float v,
                           sl_number number, sl_surface *surface);

#endif
