/* instances.h: a tree over instances: trees under transforms, shared and nested.
 *
 * Meaning  the triangles are those of each instance's tree, with the corners that the corner rule
 *          makes of their vertices (sl_transform_corner): doubles, as far from the origin as floats
 *          go.
 *          Nothing else about transforms matters: the same triangles by other trees, by nested ones
 *          or by the list of their products, give the same bits.
 * Queries  are those of rays.h, points.h and volumes.h, with their exactness; closed meshes do not
 *          leak, whatever the transforms.  What only a tree over triangles does (refit.h, store.h,
 *          masks, winding, self-overlaps) refuses this kind by name and changes nothing.
 * Front    is the side that is the front in the object, for mirrored instances too.
 * Numbers  sl_hit.instance is the index of the instance in the caller's array.  An instance of a
 *          tree over instances takes as many numbers as that tree has, in its order, and the later
 *          ones follow (sl_bvh_path).
 * Masks    a mask leaves in the triangles that share a bit with it, of the instances that share a
 *          bit with it: two bits that may differ.  Subtrees without any are left out whole.
 * Threads  a tree never changes: any number of threads may query it at once, without locks.  To
 *          move something, build the next version over the same trees, and destroy the old one when
 *          no query runs on it any more.
 * Cost     a ray pays for each instance whose box it meets, and then what its tree costs; sl_stats
 *          counts them.  Arrays are answered many at a time; with hit filters, ray by ray.  Copies
 *          in one place (the same tree, transform, grid and mask) cost a query for one hit no more
 *          than one of them, unless its options skip or ignore something or have a filter;
 *          they are found when the tree over the instances is built, and in every sixteenth
 *          version that keeps it. */
#ifndef SIGHTLINE_INSTANCES_H
#define SIGHTLINE_INSTANCES_H

#include <sightline/bvh.h>
#include <sightline/intersect.h>
#include <sightline/transform.h>

/* A tree of either kind under a transform; without a tree it is a hole: nothing is there, and the
 * number is taken.  The tree stays the caller's, and has to live as long as what is built. */
typedef struct sl_instance {
    const sl_bvh *bvh;
    sl_transform transform;
    double grid;   /* corners are multiples of it: a power of two from 2^-149 to 2^127, no more than
                    * 1/16 of the instance's longest side.  0: 2^-149.  Of nested instances the
                    * outermost grid that is not 0 holds, in units of the world */
    uint32_t id;   /* the caller's; sl_bvh_path gives it back.  Hits and ranges use indices */
    uint32_t mask; /* of nested instances, bits that all of them have */
} sl_instance;

/* An instance of the whole tree where it stands: identity, no grid, all bits of the mask. */
SL_API sl_instance sl_instance_of(const sl_bvh *bvh);

/* What happens to an instance that cannot be used: an element of its transform, or of its product
 * with those that it is nested in, is not finite; a corner would be beyond FLT_MAX; the transform
 * is flat or nearly so (||M|| ||M^-1|| > 2^20, by the largest sum of the sizes of a row's elements,
 * of its three columns that are no translation); its grid is not a power of two, or too coarse; its
 * tree has no triangles.  Nested instances are judged by their products alone: what an inner tree
 * left out is judged again.  Holes are not looked at. */
typedef enum sl_bad_instances {
    SL_BAD_INSTANCES_REFUSE = 0,   /* no tree; the error names the first one */
    SL_BAD_INSTANCES_LEAVE_OUT = 1 /* a hole is left, and counted */
} sl_bad_instances;

typedef struct sl_instances_def {
    sl_hooks hooks;         /* zeroed (default): malloc, no reports, the calling thread alone */
    sl_bad_instances bad;   /* SL_BAD_INSTANCES_REFUSE */
    sl_bvh_quality quality; /* of the tree over the instances; SL_BVH_QUALITY_HIGH is as DEFAULT */
    size_t stride;          /* bytes from one instance to the next; 0: sizeof(sl_instance) */
    const sl_bvh *previous; /* the version that this one follows: if it has instances at the same
                               * numbers, its tree over them is kept as long as it is good.  It
                               * changes no answer, and is not kept itself.  NULL (default): none */
    sl_bvh *recycle; /* a tree over instances that nothing else uses; previous too, if no query runs
                      * on it.  On success it is gone, and must not be destroyed: its memory, with
                      * its allocator, is that of *out.  No instance may have it in it.  NULL
                      * (default): new memory */
    size_t static_memory; /* bytes for the triangles of instances that do not move, in one tree
                           * over them; SIZE_MAX: as many as it takes.  0 (default): none.  See
                           * below */
} sl_instances_def;

/* A tree over count instances.  def may be NULL: defaults.
 * Versions a frame loop builds the next version from the one before, and in the memory of an older
 *          one: with two or three versions that take turns it allocates nothing after its third
 *          round, but where there is more than before.  The tree over the instances is built anew,
 *          which takes some four times as long, when they have moved too far for the old one, and
 *          in the second and the third round.  The answers are those of a tree that was built anew.
 * Trees    are borrowed: what is built points to them, and so do its later versions as far as they
 *          name them again.  A tree of either kind may be destroyed, or refitted in place, when the
 *          last one that was built over it is gone or will never be queried again.
 * Static   with def->static_memory the triangles of instances are put into one tree over them, in
 *          floats, which rays and segments walk instead of one tree after the other: closest and
 *          any, single and many, with or without hints.  All else walks the instances, and so do
 *          queries with a mask where some mask has not all bits; the answers are the same bits.  A
 *          triangle takes 80 to 95 bytes, and 170 more while the tree is built, which takes as long
 *          as building it from a mesh.  Where that is more than the memory, the instances that
 *          gain most go in; the rest, those over compact trees and those of which many triangles
 *          are too small or too slender for floats about the world's middle stay as they are
 *          (sl_bvh_info.static_count).  So do all where one tree would only lose: where it would
 *          take more than 16 MiB, and have eight times as many triangles as the trees that the
 *          instances share, or more, and a line through the box of all would meet fewer than 24 of
 *          their boxes on average (the sum of their surfaces over its own). So build what stands
 *          still once, and in each frame the next version of a scene that has it, and all that
 *          moves, for instances: where the outer one has it under the identity and without a
 *          grid, its tree is used there, too. The trees in it may not be refitted in place as
 *          long as it is named. Arrays gain where each instance has a mesh of its own, or boxes
 *          lie in one another; single calls less.
 * Limits   2^28 - 1 instances, nested ones expanded; nested 16 deep.
 * Threads  def->hooks.tasks transforms instances and builds the tree over them; no result depends
 *          on the number of workers, nor does the error: it names the first bad instance.
 * Fails    SL_INVALID_ARGUMENT, SL_BAD_DATA (a bad instance), SL_TOO_LARGE, SL_OUT_OF_MEMORY,
 *          SL_CANCELLED; *out is NULL then, and previous is as it was.  So is a recycled tree where
 *          the def or an instance's nesting is refused; after any later failure one that is not
 *          previous is one over no instances, and may be queried, recycled or destroyed.
 * Memory   some 400 bytes an instance, 130 more where trees are nested or instances left out; a
 *          version in recycled memory holds up to twice as much.  Trees are shared. */
SL_API sl_result sl_bvh_build_instances(const sl_instance *instances, size_t count,
                                        const sl_instances_def *def, sl_bvh **out, sl_error *error);

/* A step on the way from the world to an instance: the index in the array that a tree was built
 * from, and the id there. */
typedef struct sl_path_step {
    uint32_t index, id;
} sl_path_step;

/* The way to an instance, from the outermost inwards: *count is the number of its steps, of which
 * the first capacity are written (steps may be NULL for a capacity of 0).  A tree over triangles is
 * instance 0, to which the way has no steps.  False (count untouched) where there is no such
 * instance. */
SL_API bool sl_bvh_path(const sl_bvh *bvh, uint32_t instance, sl_path_step *steps, size_t capacity,
                        size_t *count);

/* Why an instance was left out (SL_BAD_INSTANCES_LEAVE_OUT), in a static string, such as "its
 * transform is flat"; NULL where it was not: it is there, or a hole, or there is none.
 * Cost     the instance is judged again; of a nested one, those before it in the same one are
 *          walked over. */
SL_API const char *sl_bvh_left_out(const sl_bvh *bvh, uint32_t instance);

#endif
