/* sweep.h: what a sphere, capsule, box, hull or triangle that moves through a tree meets: first,
 * any, all in order; and a way out of what a sphere or capsule overlaps.
 *
 * Meaning  a sweep (contact.h) is a shape moved by t * dir, t in [0, 1]; it meets a triangle where
 *          the two have a point in common, touching included: what slides on a floor without a gap
 *          meets the next triangle of the floor on its way, unless it is to ignore what it grazes;
 *          movers keep a small distance, as coordinates are rounded.
 * Trees    of either kind; triangles are where they are in the world.
 * Space    of the world; t is in units of dir.
 * Exact    whether, and when, is the answer of exact arithmetic on the numbers as given; t is the
 *          exact value rounded once.  Contacts are ordered by (t, instance, prim), with t as it is
 *          reported.
 * Fails    never; an invalid sweep meets nothing.  Where there is no contact, prim is SL_NONE, t
 *          and t_safe are 1 and all else is 0.
 * Threads  any number may query one tree at once.  Nothing is allocated.  A call about one sweep
 *          takes at most 48 KiB of stack, one about an array 60 KiB.
 * Options  may be NULL: everything (options.h).  cull: SL_CULL_BACK leaves out triangles whose back
 *          the motion meets (dir . normal > 0), SL_CULL_FRONT those whose front it meets; triangles
 *          that the motion runs along stay, and all do where dir is zero.  The filter is given t,
 *          prim, instance and flags of a contact; u and v are 0.  Flags and proxies are not read.
 * Arrays   as in rays.h; a stride of SL_SAME is one sweep for all.
 * Cost     a sweep pays for the boxes that its bounds come near on the way to the first contact,
 *          and for the exact decision of a contact or two; more of these with a cull or a filter,
 *          and for shapes that are no spheres.
 * Source   docs/notes/sweeps.md. */
#ifndef SIGHTLINE_SWEEP_H
#define SIGHTLINE_SWEEP_H

#include <sightline/contact.h>
#include <sightline/rays.h>

/* Sweeps in the caller's memory: an array of sl_sweep or, where number is SL_DOUBLE, of sl_sweep_d,
 * each the start of a struct of stride bytes, which is a multiple of its alignment; 0: packed. */
typedef struct sl_sweeps {
    const void *first;
    size_t stride, count;
    sl_number number;
} sl_sweeps;

static inline sl_sweeps sl_sweeps_of(const void *sweeps, size_t count, sl_number number)
{
    sl_sweeps all = { sweeps, 0, count, number };
    return all;
}

/* Whether a sweep meets any triangle, and its first contact; out may be NULL. */
SL_API bool sl_bvh_sweep(const sl_bvh *bvh, const sl_sweep *sweep, const sl_options *options,
                         sl_contact *out);
SL_API bool sl_bvh_sweep_d(const sl_bvh *bvh, const sl_sweep_d *sweep, const sl_options *options,
                           sl_contact *out);

/* The first `capacity` contacts in order, one for each triangle that is met; returns how many there
 * are in all.  A capacity of 0 counts them; out may be NULL then. */
SL_API size_t sl_bvh_sweep_all(const sl_bvh *bvh, const sl_sweep_d *sweep,
                               const sl_options *options, sl_contact *out, size_t capacity);

/* Arrays: the first contact of each sweep; whether there is one, as 1 or 0; and rows of `capacity`
 * contacts, with how many there are in all.  tasks and stats may be NULL. */
SL_API void sl_bvh_sweep_many(const sl_bvh *bvh, sl_sweeps sweeps, const sl_options *options,
                              sl_contact *out, const sl_tasks *tasks, sl_stats *stats);
SL_API void sl_bvh_sweep_any_many(const sl_bvh *bvh, sl_sweeps sweeps, const sl_options *options,
                                  uint8_t *any, const sl_tasks *tasks, sl_stats *stats);
SL_API void sl_bvh_sweep_all_many(const sl_bvh *bvh, sl_sweeps sweeps, const sl_options *options,
                                  sl_contact *out, size_t capacity, uint64_t *totals,
                                  const sl_tasks *tasks, sl_stats *stats);

/* A translation after which a sphere or capsule overlaps nothing: that is decided exactly, about
 * the shape whose coordinates are those of volume plus offset, each rounded to a double; touching
 * is no overlap, nor is being wholly within a closed mesh.  0 where it overlaps nothing now;
 * otherwise it is found by iteration, and need not be the shortest.  The same bits whatever the
 * tree.  False, with offset left alone, where none was found within max_distance, which may be
 * INFINITY, and for other shapes and invalid ones.
 * Cost     a sweep without motion for each step, mostly a few, and fewer than 300 sweeps.
 * Source   Bregman, The Method of Successive Projection (1965). */
SL_API bool sl_bvh_push_out(const sl_bvh *bvh, const sl_volume_d *volume, double max_distance,
                            const sl_options *options, double offset[3]);

#endif
