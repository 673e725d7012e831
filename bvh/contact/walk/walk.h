/* walk/walk.h: down two worlds at once, to the pairs of triangles that may meet, or may be within
 * a margin of one another: for pairs, distances, curves, solids and instances that clash.
 *
 * Worlds    of any trees, the same one twice, too: then each triangle is also paired with itself,
 *           and each pair comes both ways.  The second world may stand under one more transform.
 * Pairs     no pair of which some points are within the margin (of all, in the world: Euclidean
 *           distance) is left out, and what the options leave out is never handed out; a pair that
 *           is handed out has passed filters only, and may be apart.  Each comes once, unless
 *           `repeats` allows that triangles that the builder has cut come more often.
 * Order     depends on the trees.  With `nearest_first` boxes that are nearer come sooner, level
 *           by level; with `deepest_first` those that are deeper in one another, so that a walk
 *           that ends at the first pair that meets ends soon (with a margin they are the nearest).
 * Margin    may be made smaller by the callbacks, and holds at once: for the nearest pair.
 * Callers   hold the floating-point environment.  Nothing is allocated; a walk takes less than
 *           36 KiB of stack.
 * Source    Gottschalk, Lin and Manocha, OBBTree (1996): simultaneous descent; here of eight boxes
 *           against eight, axis-aligned where the first tree is, and where the second one is. */
#pragma once

#include "bvh/query/query.h"
#include "bvh/tree/transformed.h"

/* A pair that is handed out.  It lives as long as the call. */
typedef struct sli_walk_pair {
    sl_triangle_ref a, b;
    const sl_triangle_d *at_a, *at_b; /* corners in the world, counter-clockwise around the front */
    bool crosses;                     /* their relation is SL_CROSSING; else it is not known */
    const struct sli_dual *dual;      /* that the walk goes down */
    uint32_t slot_a, slot_b;          /* where it has come to the pair */
    bool cut;                         /* there may be more such slots */
} sli_walk_pair;

/* Whether a pair that is handed out comes another time, which counts.  Best asked last, of pairs
 * that count otherwise: it takes a microsecond where a triangle is cut, and more where it is in
 * many leaves.  Not for a margin that becomes smaller on the way. */
bool sli_walk_is_repeat(const sli_walk_pair *pair);

typedef struct sli_walk {
    sl_item_options a, b; /* what is there of either world */
    double margin;        /* >= 0; may be INFINITY */
    bool nearest_first, deepest_first;
    bool repeats;
    /* Whether a pair of instances is of interest; NULL: each is.  It may also do all that is to be
     * done about them (sli_walk_instances), and return false. */
    bool (*instances)(void *context, uint32_t a, uint32_t b);
    /* False ends the walk. */
    bool (*triangles)(void *context, const sli_walk_pair *pair);
    void *context;
    sl_stats *stats; /* not NULL; counts of rays are the caller's */
} sli_walk;

/* One world against another.  under: what the second one stands under, finite; NULL: it is where
 * it is.  An instance that cannot be used there (instances.h) is not there.  False where a
 * callback ended the walk. */
bool sli_walk_worlds(sli_walk *walk, const sli_world *a, const sli_world *b,
                     const sl_transform *under);

/* An instance of the second world under a transform.  False: it cannot be used there. */
bool sli_walk_move(const sl_transform *under, const sli_transformed *b, sli_transformed *out);

/* One instance against another; their own masks and numbers are not looked at, those of
 * triangles are. */
bool sli_walk_instances(sli_walk *walk, const sli_transformed *a, uint32_t number_a,
                        const sli_transformed *b, uint32_t number_b);
