/* clashes.h: which instances of a tree meet, or come too near one another: the elements of a
 * building, the parts of a machine, the pieces of a level.
 *
 *     const sl_clash within = { .margin = 0.05f };
 *     const sl_clashes_def def = { .clash = &within, .previous = before };
 *     sl_clashes_find(bvh, &def, &clashes, &error);
 *     const sl_instance_clash *list = sl_clashes_list(clashes, &count);
 *
 * Elements are the instances of a tree, by number, nested ones expanded (sl_bvh_path leads back to
 *          the caller's).  Parts of one mesh have to be trees of their own to clash.  A tree over
 *          triangles is one instance, which has no clash.
 * Space    of the world: margins and distances are in its units.
 * Exact    kinds, counts and limits are those of exact arithmetic on the corners in the world;
 *          distances are rounded to the nearest float, points to the nearest doubles.  No tolerance
 *          hides a clash or makes one: give instances that are modelled on multiples of a step that
 *          grid (instances.h).
 * Details  sl_bvh_clash_instances lists the pairs of triangles of one clash.
 * Threads  def->hooks.tasks asks about several pairs of instances at once.  No result depends on
 *          the number of workers, nor on how trees are built, stored or nested.  A report never
 *          changes, and any number of threads may read it.
 * Source   Gottschalk, Lin and Manocha, OBBTree (1996), once the tree over the instances has named
 *          the pairs whose boxes are near; docs/notes/contact.md. */
#ifndef SIGHTLINE_CLASHES_H
#define SIGHTLINE_CLASHES_H

#include <sightline/clash.h>

/* How two instances clash: as the worst of their pairs of triangles. */
typedef enum sl_clash_kind {
    /* Triangles cross, or share area with their fronts on the same side, as walls do that overlap
     * and are flush: behind closed surfaces there is material of both. */
    SL_CLASH_HARD = 0,
    /* Triangles touch, or share area with their fronts on opposite sides, as a slab on a slab. */
    SL_CLASH_TOUCHING = 1,
    SL_CLASH_CLEARANCE = 2 /* they are apart, by no more than the margin */
} sl_clash_kind;

/* Two instances that clash.  96 bytes. */
typedef struct sl_instance_clash {
    uint32_t a, b; /* a < b */
    sl_clash_kind kind;
    sl_solid_relation solids; /* with def.solids, where both are closed, and they meet without
                               * crossing or one is in the other: how they lie; else
                               * SL_SOLIDS_NONE */
    uint64_t pairs; /* how many pairs of triangles meet and count, at most def.pair_limit; 0 where
                     * the instances are apart */
    /* The pair of triangles that shows the clash: of the pairs of this kind the nearest, and of
     * equally near ones the lowest (a, b); if they meet, both points are the same common point.
     * Where the count has reached the limit the pair is not known, and where one solid is in
     * another there is none: then the references are SL_NONE, the distance 0 and the points 0. */
    sl_distance nearest;
} sl_instance_clash;

/* Zeroed (default): all that meets.  Arrays have one number for each instance; NULL is all zeros.
 * The arrays, clash and what it points to are only read during the call. */
typedef struct sl_clashes_def {
    sl_hooks hooks;
    const sl_clash *clash; /* what counts: its options a hold for both sides, b is not read.  NULL:
                            * all that meets */
    size_t pair_limit; /* counting pairs of triangles stops there, once the kind is known; 1 where
                        * only pairs of instances are wanted.  0: no limit */

    /* Closed elements are solids, by winding numbers (sl_bvh_solids).  Where no triangles of two
     * solids cross, their insides decide: if these meet, the clash is hard, as of one element in
     * another, of equal ones, or of surfaces that pass through each other along edges; if they do
     * not, elements that meet touch.  An element with skipped triangles counts as open.  Takes much
     * longer for elements that touch. */
    bool solids;

    /* Two instances are looked at where each is in a group that the other is held against (bits;
     * 0: all of them), and where they are of two bodies: instances with the same number other than
     * 0 are one body, such as the parts of an element or of a limb. */
    const uint32_t *groups, *against, *bodies;

    /* A report about an earlier version of the tree, or about any other.  What it says of two
     * instances is kept where neither has changed: where under both numbers there are the tree (and
     * the version of it, refit.h), the transform, the grid, the mask and the three numbers above
     * that there were.  Nothing is kept where clash, pair_limit or solids are others; a filter
     * must answer as it did.  The new report is, bit for bit, that of a call without previous.
     * The earlier tree, and trees in it, may be gone.  NULL (default): all are looked at. */
    const struct sl_clashes *previous;
} sl_clashes_def;

/* A report of clashes. */
typedef struct sl_clashes sl_clashes;

/* Which instances of bvh clash.  def may be NULL: defaults.
 * Fails    SL_INVALID_ARGUMENT (a margin that is NaN or below 0), SL_OUT_OF_MEMORY, SL_CANCELLED,
 *          SL_TOO_LARGE (2^32 - 1 clashes that are new); *out is NULL then.
 * Progress phase "clashes": after every thousand pairs of instances or so.
 * Cost     some log n nodes for each instance that has changed, and a walk down two trees for each
 *          pair of these whose boxes are within the margin: for 500 triangles each some 50 us, or
 *          15 us with a pair_limit of 1.  With previous, some 100 ns for each instance and 10 ns
 *          for each clash that are unchanged.
 * Memory   96 bytes for each clash, 136 for each instance; three times as much for each new clash
 *          during the call.  So that it can tell versions apart, a report holds a few bytes of each
 *          tree until it is destroyed: allocators of trees have to live as long as reports about
 *          them. */
SL_API sl_result sl_clashes_find(const sl_bvh *bvh, const sl_clashes_def *def, sl_clashes **out,
                                 sl_error *error);
SL_API void sl_clashes_destroy(sl_clashes *clashes); /* NULL is fine */

/* The clashes, in rising order of (a, b); *count is how many.  The list lives as long as the
 * report. */
SL_API const sl_instance_clash *sl_clashes_list(const sl_clashes *clashes, size_t *count);

/* The pairs of triangles of two instances, as sl_bvh_clash_all lists those of two trees: the first
 * `capacity` in rising order of (a, b); returns how many there are, including those that are apart
 * within the margin.  Of clash (NULL: all that meets) a holds for both sides, b is not read.  There
 * are none where one of the instances does not exist, or a == b.  Never fails, and allocates
 * nothing. */
SL_API size_t sl_bvh_clash_instances(const sl_bvh *bvh, uint32_t a, uint32_t b,
                                     const sl_clash *clash, sl_clash_pair *pairs, size_t capacity);

#endif
