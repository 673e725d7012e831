/* marks.h: points, wires and light icons: what an editor draws that is no triangle, in a tree of
 * its own, and what of it is near a pixel, or near a ray.
 *
 *     sl_mark marks[] = { sl_mark_point(lamp, 12, 0), sl_mark_wire(from, to, 1, 1) };
 *     sl_marks_build(marks, 2, NULL, &list, &error);
 *     const sl_pick_def def = { 0 };
 *     if (sl_marks_pick(list, scene, &view, mouse, &def, &mark) && ...
 *         (!sl_pick_at(scene, &view, mouse, &def, &pick) || sl_pick_is_better(&def, &mark, &pick)))
 *
 * Mark     a point, or the segment from p to q, in the world's doubles.
 * Point    where a mark is near a pixel: the point itself; of a segment the point nearest to the
 *          pixel, found as that of an edge is (pick.h), from p to q as they are given.  Where it
 *          appears is sl_view_project of that; it has to be between the near and the far plane.
 *          Where the near plane cuts a wire, the point may be up to 2^-20 of the wire farther in,
 *          so that rounding leaves it between them.
 * Near     its distance in the picture is at most the radius of the def plus the mark's tolerance,
 *          summed in double.
 * Seen     where no triangle of the scene occludes the line of sight (sl_view_sight) to the point,
 *          open at that end: exactly, as sl_bvh_occluded_d says.  SL_MARK_ON_TOP, as icons are
 *          drawn, is seen through everything.
 * Nearest  the highest priority is picked, then the smallest `pixels`, then the smallest `distance`
 *          (from the near plane), then the lowest index.
 * Exact    answers are those of looking at every mark; none depends on the tree or the kernel.
 * Fails    queries never: false, or 0, for nothing, for a position that is not finite, and for a
 *          view or a def that is not usable.
 * Threads  marks never change: any number of threads may query them at once.  Queries allocate
 *          nothing; a call takes at most 48 KiB of stack.
 * Cost     some microseconds, and a line of sight for each mark that is near and not on top, until
 *          one is seen. */
#ifndef SIGHTLINE_MARKS_H
#define SIGHTLINE_MARKS_H

#include <sightline/pick.h>

/* Bits of sl_mark.flags. */
enum {
    SL_MARK_ON_TOP = 1 /* no triangle hides it */
};

/* 64 bytes. */
typedef struct sl_mark {
    double p[3], q[3]; /* equal: a point */
    float tolerance;   /* in pixels, 0 or more: the radius of an icon, half the width of a wire */
    uint32_t mask;     /* A mark counts where this shares a bit with a query's; 0 means all bits */
    uint32_t id;       /* the caller's */
    uint16_t flags, priority;
} sl_mark;

/* With all bits of the mask, priority 0; the point is on top, as icons are, the wire is not. */
SL_API sl_mark sl_mark_point(const double at[3], float tolerance, uint32_t id);
SL_API sl_mark sl_mark_wire(const double p[3], const double q[3], float tolerance, uint32_t id);

typedef struct sl_marks sl_marks;

typedef struct sl_marks_def {
    sl_hooks hooks; /* zeroed (default): malloc, no reports, the calling thread alone */
    size_t stride;  /* bytes from one mark to the next; 0: sizeof(sl_mark) */
} sl_marks_def;

/* Copies the marks.  def may be NULL: defaults.  What moves is built anew: some 0.2 us a mark.
 * Limits   2^28 - 1 marks; some 150 bytes each.
 * Fails    SL_INVALID_ARGUMENT, SL_NOT_FINITE (a coordinate is not finite or larger than FLT_MAX),
 *          SL_BAD_DATA (a tolerance that is negative or not finite), each naming the first such
 *          mark, SL_TOO_LARGE, SL_OUT_OF_MEMORY, SL_CANCELLED; *out is NULL then. */
SL_API sl_result sl_marks_build(const sl_mark *marks, size_t count, const sl_marks_def *def,
                                sl_marks **out, sl_error *error);
SL_API void sl_marks_destroy(sl_marks *marks); /* NULL is fine; no query may be running */

typedef struct sl_marks_info {
    const sl_mark *marks; /* live as long as the sl_marks */
    size_t count, bytes;
} sl_marks_info;

SL_API sl_marks_info sl_marks_get_info(const sl_marks *marks);

/* The nearest mark at a position of the picture that is seen.  Of the def, radius, hidden (all
 * count then, and what is not seen has SL_PICK_HIDDEN) and options are read: their mask for marks
 * and triangles, the rest for triangles.  bvh is a tree of either kind, or NULL: nothing hides;
 * def may be NULL too.
 * Of *out, kind is SL_PICK_MARK, prim the index, part the id, instance SL_NONE, along where on the
 * segment: 0 at p, 1 at q. */
SL_API bool sl_marks_pick(const sl_marks *marks, const sl_bvh *bvh, const sl_view *view,
                          const double xy[2], const sl_pick_def *def, sl_pick *out);

/* All of them, sorted by distance, then index.  The first `capacity` are written; returns how many
 * there are. */
SL_API size_t sl_marks_pick_all(const sl_marks *marks, const sl_bvh *bvh, const sl_view *view,
                                const double xy[2], const sl_pick_def *def, sl_pick *out,
                                size_t capacity);

/* Whether a is better than b, for what several calls found at one position: by rank (of def; NULL:
 * defaults), then pixels, distance, and (instance, prim, corner).  A pick of no kind is the
 * worst. */
SL_API bool sl_pick_is_better(const sl_pick_def *def, const sl_pick *a, const sl_pick *b);

/* ---- Without pixels: a hand's ray ---- */

/* Where a mark and a ray are nearest to each other. */
typedef struct sl_mark_near {
    double point[3]; /* of the mark */
    double distance; /* from there to the ray */
    double t;        /* of the ray's point, in [tmin, tmax] */
    double along;    /* of the segment */
    uint32_t index, id;
} sl_mark_near;

/* The mark whose distance from the ray is at most radius: of the highest priority, then the nearest
 * to the ray, then of the smallest t, then of the lowest index.  Tolerances, which are pixels, are
 * not read.  Nothing hides: tmax is where to stop.  Of the options (NULL: everything) the mask is
 * read.  False for an invalid ray or a radius that is negative or NaN. */
SL_API bool sl_marks_near_ray(const sl_marks *marks, const sl_ray_d *ray, double radius,
                              const sl_options *options, sl_mark_near *out);

#endif
