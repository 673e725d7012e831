/* bvh.h: a bounding volume hierarchy, and how it is built over the triangles of a mesh.
 *
 * Kinds    a tree is over triangles (sl_bvh_build) or over instances of other trees
 *          (sl_bvh_build_instances in instances.h).  Both kinds answer every query of rays.h,
 *          points.h and volumes.h with {instance, prim}; a tree over triangles is instance 0.
 * The tree keeps a copy of the triangles; the mesh may be destroyed afterwards.  A built tree never
 * changes: any number of threads may query it at once, without locks and without allocation.
 * Where its mesh moves, refit.h makes the next version of it.
 * Exact    no answer depends on the shape of the tree, on the options here or on the number of
 *          workers; the tree itself does not depend on the number of workers either.
 * Fails    SL_INVALID_ARGUMENT, SL_OUT_OF_MEMORY, SL_TOO_LARGE, SL_CANCELLED; *out is NULL then.
 * Limits   2^28 - 1 triangles, 16 GiB of nodes and leaf blocks.  Depth is at most 16 levels of
 *          8-wide nodes, whatever the input.
 * Cost     n log n: about 3 million triangles a second on one core, with SL_BVH_QUALITY_HIGH a
 *          quarter to a half of that.
 * Memory   a tree takes 65 to 80 bytes a triangle; with SL_BVH_QUALITY_HIGH at most half as much
 *          again, most often less than 85.  The build takes at most 140 bytes a triangle more while
 *          it runs; for most meshes 115 in all, with SL_BVH_QUALITY_HIGH 205.
 * Source   Wald, On fast Construction of SAH-based Bounding Volume Hierarchies (2007); Pantaleoni
 *          and Luebke, HLBVH (2010), for cells near the root;
 *          Ylitie, Karras and Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed
 *          Wide BVHs (2017), and Wald, Benthin and Boulos, Getting Rid of Packets (2008), for wide
 *          trees; Meister and Bittner, Parallel Reinsertion for Bounding Volume Hierarchy
 *          Optimization (2018); Stich, Friedrich and Dietrich, Spatial Splits in Bounding Volume
 *          Hierarchies (2009), for SL_BVH_QUALITY_HIGH. */
#ifndef SIGHTLINE_BVH_H
#define SIGHTLINE_BVH_H

#include <sightline/intersect.h>
#include <sightline/mesh.h>

typedef struct sl_bvh sl_bvh;

/* How much time a build spends on a tree that is quicker to query.  Answers are the same.
 *
 * DEFAULT  as FAST with a finer choice near the root, and subtrees with large surfaces are moved to
 *          where they cost less: about 1.2 times the time of FAST; in buildings, queries take 5 to
 *          25 % less; scans and terrain are as with FAST.
 * FAST     for a tree that is soon destroyed.
 * HIGH     triangles are split where that is cheaper, more subtrees are moved, and triangles are
 *          grouped into leaf blocks in the best way: for a mesh that gets many millions of
 *          queries. */
typedef enum sl_bvh_quality {
    SL_BVH_QUALITY_DEFAULT = 0,
    SL_BVH_QUALITY_FAST,
    SL_BVH_QUALITY_HIGH,
} sl_bvh_quality;

/* How a tree stores triangles.  Answers are the same.
 *
 * DEFAULT  their corners are in the leaf blocks: 65 to 80 bytes a triangle.
 * COMPACT  leaf blocks hold vertex numbers, and each vertex is kept once, exactly: 38 to 44 bytes a
 *          triangle; queries take 1.1 to 1.7 times as long.  Triangles are not split, whatever the
 *          quality. */
typedef enum sl_bvh_layout {
    SL_BVH_LAYOUT_DEFAULT = 0,
    SL_BVH_LAYOUT_COMPACT,
} sl_bvh_layout;

typedef struct sl_build_def {
    sl_hooks hooks; /* zeroed: malloc, no reports, the calling thread alone */
    sl_bvh_quality quality;
    sl_bvh_layout layout;
    size_t max_memory;     /* bytes that the build may hold at once, the tree included (the mesh is
                             * not); 0 (default): any number.  See below */
    size_t max_tree_size;  /* bytes that the tree may take, as in sl_bvh_info; 0: any number */
    const uint32_t *masks; /* one for each triangle of the mesh, copied, 0 meaning all bits;
                             * NULL: all bits.  Where not all bits are set, queries with a mask
                             * leave out whole subtrees, which takes an eighth more memory (unless
                             * max_tree_size is too small for it); only calls about one ray leave
                             * out no more than triangles */
} sl_build_def;

/* A mesh without triangles gives a tree that nothing ever hits.  def may be NULL: defaults.
 * Beyond max_memory or max_tree_size the build falls back to less, and sl_bvh_info says so: a tree
 * that is too large becomes a compact one (and so does one beyond 16 GiB); where
 * SL_BVH_QUALITY_HIGH does not fit, the build starts again with SL_BVH_QUALITY_DEFAULT, and so do
 * its progress reports.  Where that is not enough either: SL_TOO_LARGE, with the bytes that would
 * be needed in the message.  Most builds hold 115 bytes a triangle at once, and 205 with HIGH.  The
 * allocator's own overhead is not counted. */
SL_API sl_result sl_bvh_build(const sl_mesh *mesh, const sl_build_def *def, sl_bvh **out,
                              sl_error *error);
SL_API void sl_bvh_destroy(sl_bvh *bvh); /* NULL is fine; no query may be running */

/* A box that holds all triangles of either kind of tree, the same on every machine; empty where
 * there are none.  Of instances it is that of what transforms make of the bounds of their trees, so
 * larger than the corners need where they are turned. */
SL_API sl_aabb_d sl_bvh_bounds(const sl_bvh *bvh);

/* The corners of a triangle, in doubles: bit for bit those of the mesh, or those that the transform
 * of its instance makes of them.  False where there is no such triangle. */
SL_API bool sl_bvh_triangle(const sl_bvh *bvh, sl_triangle_ref triangle, double corners[3][3]);

/* What does not belong to the kind of tree is 0. */
typedef struct sl_bvh_info {
    /* Both kinds. */
    bool over_instances;
    uint64_t triangle_count; /* in the tree, which has none of those left out; over instances, each
                              * as often as it is there */
    size_t bytes;            /* all memory that the tree holds; trees of instances are not its */
    const char *kernel;      /* "avx512", "avx2", "sse42", "neon", "simd128" or "scalar" */

    /* Over triangles. */
    size_t prim_count;        /* triangles of the mesh, those left out included */
    size_t reference_count;   /* of leaves to triangles: more where triangles are split */
    size_t node_count;        /* inner nodes, 8 children at most */
    size_t leaf_count;        /* blocks of 4 triangles at most */
    size_t leaf_histogram[5]; /* [k]: leaves with k references */
    size_t child_count;       /* children in use, over all nodes */
    uint32_t depth;           /* levels of nodes; 0 for an empty tree */
    double sah_cost;          /* of this tree: node steps plus 0.7 for each leaf block, each times
                               * the chance that a random line through the bounds meets it */
    double bytes_per_triangle;
    sl_bvh_quality quality; /* that the tree was built with */
    sl_bvh_layout layout;   /* that the tree has; an empty tree has the default one */

    /* Over instances. */
    size_t instance_count; /* numbers, nested ones expanded, holes included; of triangles 1 */
    size_t hole_count;     /* of those; left out ones included */
    size_t left_out_count; /* SL_BAD_INSTANCES_LEAVE_OUT */
    size_t static_count;   /* of the numbers: those in trees of sl_instances_def.static_memory */
    uint64_t static_triangle_count; /* the triangles of these */
} sl_bvh_info;

SL_API sl_bvh_info sl_bvh_get_info(const sl_bvh *bvh);

/* Proves the whole tree: every box contains what is below it, every triangle is there exactly once
 * and bit for bit, or in several leaves whose boxes cover it, every order is a permutation, no
 * depth or reference is out of range.  False, with the first fault in error->message, otherwise.
 * mesh may be NULL: then triangles are not compared.  Cost: linear. */
SL_API bool sl_bvh_check(const sl_bvh *bvh, const sl_mesh *mesh, sl_error *error);

/* ---- A tree built in slices of time, a few in each frame ----
 *
 *     sl_build *build = NULL;
 *     sl_build_begin(mesh, &def, &build, &error);
 *     bool done = false;                                    each frame, until it is done:
 *     sl_build_step(build, 1.5, &done, &error);                 1.5 ms of building
 *     sl_build_end(build, &bvh, &error);
 *     sl_build_destroy(build);
 *
 * For an editor or a game that cannot spare the time of a build in one frame, nor a thread for it.
 * Between steps nothing runs.  It is for trees over triangles; builds over instances and refits
 * take their time at once.
 * Exact    the tree is, byte for byte, the one that sl_bvh_build makes with the same def, whatever
 *          the budgets.
 * Budget   a step returns soon after its budget is over, at the next of many checkpoints: most
 *          often within 0.3 ms; docs/moving.md says when not.  Where def gives tasks with several
 *          workers, the largest piece is a subtree that one of them builds, some milliseconds with
 *          SL_BVH_QUALITY_HIGH; memory of the caller's allocator comes and goes as fast as that
 *          gives and takes it.  A budget of 0 is one piece, the smallest step.  The time is that of
 *          a clock on the wall: a thread that others keep from running builds less in it.
 * Lives    the mesh, def.masks and what def.hooks refer to must stay until the build is ended or
 *          destroyed, and may not change.  def itself is copied.
 * Cancel   sl_build_destroy at any time: what was made is freed, at once and whatever the build was
 *          at.
 * Fails    in begin: as sl_bvh_build where an argument is at fault; SL_OUT_OF_MEMORY;
 *          SL_NO_THREADS_LEFT, also in a library built without threads (SL_NO_THREADS), which
 *          builds only at once.  Later, all that sl_bvh_build returns, SL_CANCELLED too; the same
 *          error then comes back from every further call, until the build is destroyed.
 * Threads  a build has a thread of its own, which sleeps unless a step waits for it; its stack is
 *          of the system's usual size, at least 512 KiB, of which it uses 20.  Steps, end and
 *          destroy may be called from different threads, one at a time; every hook of def (memory,
 *          progress, tasks) is called by the thread that is in such a call, with its floating-point
 *          environment.  Anything else may go on meanwhile: queries on other trees, other builds.
 *          Hooks may call anything but the same build: to step or end it there is refused
 *          (SL_INVALID_ARGUMENT), to destroy it there is undefined.  A process that was forked off
 *          has no such thread: it may not use builds begun before.
 * Cost     all steps together take about as long as sl_bvh_build, at times 1.3 times; a step wakes
 *          a thread and is woken by it, some 20 us; to begin and to destroy take 0.1 ms for it.  To
 *          cancel takes as long as its memory takes to free: up to 0.1 ms a megabyte. */

typedef struct sl_build sl_build;

/* Begins a build and does nothing of it.  def may be NULL: defaults. */
SL_API sl_result sl_build_begin(const sl_mesh *mesh, const sl_build_def *def, sl_build **out,
                                sl_error *error);

/* Builds for budget_ms milliseconds: any number; what is not above 0 counts as 0, and INFINITY is
 * no limit.  *done is set where the tree is finished, and cleared elsewhere; a step after that does
 * nothing. */
SL_API sl_result sl_build_step(sl_build *build, double budget_ms, bool *done, sl_error *error);

/* Gives the tree, which is the caller's from then on.  What is not done yet is done first, in
 * whatever time that takes.  Once only: then SL_INVALID_ARGUMENT. */
SL_API sl_result sl_build_end(sl_build *build, sl_bvh **out, sl_error *error);

/* Ended or not; a tree that was not taken is freed.  NULL is fine. */
SL_API void sl_build_destroy(sl_build *build);

#endif
