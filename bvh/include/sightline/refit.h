/* refit.h: a tree follows its triangles to new positions, without a build.
 *
 * A mesh is deformed, skinned or edited: its triangles stay the same ones, in the same order, and
 * their corners move.  A refit keeps which triangles stand together in the tree, and makes every
 * box, order and count anew.  docs/moving.md says what to call each frame.
 * Exact    answers about a refitted tree are, bit for bit, those about a tree built over the new
 *          positions, whatever was refitted before.
 * Versions the tree that is given stays as it is, for threads that query it; the new version is
 *          another tree.  sl_refit_def.recycle gives it the memory of an older version that no
 *          query runs on any more, or of the tree itself, where no other thread uses it.  A frame
 *          loop that goes back and forth between two versions allocates nothing after its third
 *          refit.
 * Which    triangles are in the tree stays the same.  Where that cannot be, the error says so; or,
 *          with SL_BAD_LEAVE_OUT, the tree is built anew within the call.  A compact tree is also
 *          built anew where corners that had been at one place, and were kept once, move apart.
 * Fails    SL_INVALID_ARGUMENT, SL_BAD_INDEX and SL_NOT_FINITE, naming the triangle or range at
 *          fault; SL_OUT_OF_MEMORY; what sl_bvh_build returns where the tree is built anew.  *out
 *          is NULL then, and every tree is as it was: recycle is still the caller's.
 * Threads  any number of threads may query the tree, or refit it, meanwhile; a tree that is
 *          recycled belongs to the call.  No result depends on the number of workers.
 * Rebuilds with rebuild_share, subtrees that have become bad are built anew, some in each call:
 *          their nodes and blocks stay, and which triangles are where changes.  Answers do not.
 * Cost     a tenth to a quarter of a build.  Of dirty ranges, in place or between two versions that
 *          take turns, that of the triangles in them; else the tree is copied besides.  A compact
 *          tree is always refitted whole.
 *          Triangles of subtrees that are built anew cost about what they do in a build, and the
 *          whole tree is copied in the next call, where that is recycled.
 * Memory   a refitted tree holds less than 1 byte a triangle more, a compact one 4 a vertex; with
 *          rebuild_share 1.5 MB for each worker.
 * Source   van den Bergen, Efficient Collision Detection of Complex Deformable Models using AABB
 *          Trees (1997). */
#ifndef SIGHTLINE_REFIT_H
#define SIGHTLINE_REFIT_H

#include <sightline/bvh.h>

typedef struct sl_refit_def {
    sl_hooks hooks;  /* zeroed (default): malloc, the calling thread alone.  There are no reports: a
                     * refit is short */
    sl_bvh *recycle; /* a tree that nothing else uses.  On success it is gone: its memory is that of
                      * *out or, where that does not fit, is freed.  The tree itself: it is refitted
                      * in place, and *out is the same pointer; not for a tree that is mapped, or
                      * loaded in place.  NULL (default): new memory */
    const sl_prim_range *dirty; /* triangles that may have moved, in any order; ranges may overlap.
                                 * The others stay as they are in the tree, and nothing is read of
                                 * them.  NULL (default): all may have */
    size_t dirty_count;
    /* New masks, one for each triangle of the mesh, 0 meaning all bits; with dirty, only those of
     * its triangles are read.  NULL (default): masks stay, but a triangle that had been left out
     * comes back with all bits. */
    const uint32_t *masks;
    sl_bad_triangles bad; /* SL_BAD_REFUSE (default): a triangle of the tree that is not finite, or
                            * one that was left out and is finite now, is an error.
                            * SL_BAD_LEAVE_OUT: the tree is built anew then */
    size_t vertex_stride; /* these three as in sl_mesh_def */
    sl_index_type index_type;
    size_t index_stride;
    /* 0 .. 1: how much of the tree may be built anew in this call, a subtree of some 8,000
     * triangles at a time, those first whose boxes have grown most; at least one of these.  0
     * (default): nothing.  1: all that has grown.  Not in compact trees, nor where triangles were
     * cut. */
    float rebuild_share;
} sl_refit_def;

/* The arrays are as those of sl_mesh_from_arrays, for the mesh that bvh was built over; triangle i
 * is triangle i there, whatever its indices, and triangle_count is the number of its triangles.
 * They are not kept.  def may be NULL: defaults. */
SL_API sl_result sl_bvh_refit(const sl_bvh *bvh, const float *xyz, size_t vertex_count,
                              const void *indices, size_t triangle_count, const sl_refit_def *def,
                              sl_bvh **out, sl_error *error);

/* New masks, def->masks (NULL: all bits), and nothing else; versions, recycling and ranges as
 * above.  triangle_count is that of the mesh.  The masks that queries leave out subtrees by follow:
 * of dirty ranges along the paths to their blocks, but by a pass over the whole tree where it had
 * no masks before, was opened without a proof, or is compact. */
SL_API sl_result sl_bvh_set_masks(const sl_bvh *bvh, size_t triangle_count, const sl_refit_def *def,
                                  sl_bvh **out, sl_error *error);

/* sl_bvh_info.sah_cost over what it was when the tree was built or loaded: 1 for a tree that was
 * never refitted.  Building anew pays where it is well above 1; docs/moving.md has a rule. */
SL_API double sl_bvh_drift(const sl_bvh *bvh);

#endif
