/* clash.h: mesh against mesh: which triangles of two trees meet and how, where, how far two trees
 * are apart, and how two solids lie.
 *
 * Related  clashes.h tells which instances of one tree clash.
 * Trees    are of either kind, in one world: a tree over triangles is where its mesh is.
 * Space    of the world: margins and distances are in its units.
 * Exact    relations (contact.h) are those of exact arithmetic on the corners in the world; margins
 *          and limits are compared with the exact distance.  Distances are rounded to the nearest
 *          float, points to the nearest doubles.
 * Fails    calls that return a bool, a count or nothing never do.
 * Threads  any number may query one tree at once.  Calls without hooks allocate nothing; one about
 *          two trees takes at most 48 KiB of stack, one about an array of transforms 60 KiB.
 * Options  sl_clash.a and .b say what counts of either tree (options.h): mask, skip and ignore are
 *          read, and nothing else.
 * Same     whatever the trees' shapes and layouts, and the number of workers: the same bits.
 * Source   docs/notes/contact.md. */
#ifndef SIGHTLINE_CLASH_H
#define SIGHTLINE_CLASH_H

#include <sightline/contact.h>
#include <sightline/rays.h>
#include <sightline/transform.h>

/* A triangle of either tree.  24 bytes. */
typedef struct sl_clash_pair {
    sl_triangle_ref a, b;
    sl_relation relation;
    float distance; /* 0 unless they are apart */
} sl_clash_pair;

/* What counts.  Zeroed, or NULL: all triangles that meet. */
typedef struct sl_clash {
    const sl_options *a, *b; /* NULL: everything */
    uint32_t relations;      /* of pairs that meet: bits 1u << SL_TOUCHING and so on; 0: all */
    float margin; /* pairs that are apart by no more than this count, too, with their distance, the
                   * exact one rounded to nearest.  0, less, or NaN: none */
    /* Whether a pair counts; NULL: each does.  It must be pure, like the filter of sl_options: it
     * may be called for any pair, more than once, in any order, and from several threads. */
    bool (*filter)(void *user, const sl_clash_pair *pair);
    void *filter_user;
} sl_clash;

/* ---- Pairs of triangles ----
 *
 * Itself  a and b may be one tree: then each triangle meets itself and those that it shares corners
 *         with, and each pair comes both ways.  sl_bvh_self_pairs (volumes.h) has only the others.
 * Cost    a few microseconds for any pair, where there is one, but nearly that of all pairs where
 *         few meet and surfaces lie close along one another; for all pairs 100 to 200 ns for each
 *         triangle near the other tree and for each pair, and as much again for pairs within a
 *         margin.  Equal trees on top of one another, parallel sheets and thin shells cost no more;
 *         many long triangles across each other cost 10 ns for each two whose boxes meet. */

/* Whether any pair counts.  clash may be NULL, here and below: all triangles that meet. */
SL_API bool sl_bvh_clash_any(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash);

/* The first `capacity` pairs in rising order of (a, b); returns how many there are in all.  A
 * capacity of 0 counts them; pairs may be NULL then.  tasks and stats may be NULL. */
SL_API size_t sl_bvh_clash_all(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash,
                               sl_clash_pair *pairs, size_t capacity, const sl_tasks *tasks,
                               sl_stats *stats);

/* Whether a meets b under each of count transforms, as 1 or 0: for a tool, a robot, a part on its
 * way in.  The answer is that of an instance of b under that transform (instances.h): instances
 * within b stand under the products, and those that cannot be used there are left out; what b
 * itself has left out is not there under any transform.  Options name the instances of b by their
 * numbers in b. */
SL_API void sl_bvh_clash_any_many(const sl_bvh *a, const sl_bvh *b, const sl_transform *transforms,
                                  size_t count, const sl_clash *clash, uint8_t *any,
                                  const sl_tasks *tasks, sl_stats *stats);

/* ---- Distance ----
 *
 * Cost    some 0.1 ms for two large meshes, near or far, 0.6 ms where they face each other along no
 *         axis; where they meet, or are equally near everywhere (parallel sheets, spheres about one
 *         centre), a microsecond for each two triangles whose boxes are as near as the nearest. */

typedef struct sl_distance {
    float distance; /* 0 exactly where the trees meet, or where it is below half the least float;
                     * INFINITY where nothing was found, or beyond floats */
    sl_triangle_ref a, b;          /* SL_NONE where nothing was found */
    double point_a[3], point_b[3]; /* the nearest points, each coordinate rounded once; of several
                                    * pairs the one that contact.h says */
} sl_distance;

/* The nearest pair of triangles within max_distance, which may be INFINITY; of pairs at equal exact
 * distances the lowest a, then the lowest b.  False where all are farther, and for a limit that is
 * negative or NaN.  Of clash, only a and b are read.  out may be NULL: then the first pair within
 * the limit ends the search. */
SL_API bool sl_bvh_distance(const sl_bvh *a, const sl_bvh *b, float max_distance,
                            const sl_clash *clash, sl_distance *out);

/* The same with b under each of count transforms, as in sl_bvh_clash_any_many; padding bytes of out
 * are 0. */
SL_API void sl_bvh_distance_many(const sl_bvh *a, const sl_bvh *b, const sl_transform *transforms,
                                 size_t count, float max_distance, const sl_clash *clash,
                                 sl_distance *out, const sl_tasks *tasks, sl_stats *stats);

/* ---- Where surfaces cross ----
 *
 * The segments that pairs of triangles share, chained into curves: what crossing and touching pairs
 * share, and the outlines of the areas that coplanar pairs share.  Single points are left out.
 * Chains   a curve goes on where exactly two segments end in the same point, decided exactly, and
 *          ends elsewhere: at borders, where surfaces only touch, and where more than two meet.
 *          The surfaces of two solids cross in closed curves, unless curves meet.
 * Once     segments with the same ends count once, as that of the lowest pair (a, b): for instance
 *          of two triangles whose common edge lies in the other surface.  A segment with shared
 *          area on both sides is left out: coplanar pairs border it as often one way as the other,
 *          seen from the fronts of a.
 * Order    of curves: by their lowest pairs.  A closed curve begins with that pair's segment.  A
 *          curve has the direction of that segment: of a crossing one along the cross product of
 *          the fronts of a and b, of an outline around the front of a, and of a touching one from
 *          the lower point, by x, then y, then z.
 * Space    of the world; points are rounded once, so different ones may become equal.
 * Fails    SL_INVALID_ARGUMENT, SL_OUT_OF_MEMORY, SL_CANCELLED (the phase is "curves"); and
 *          SL_TOO_LARGE for more than 178,956,970 pairs that share segments.  *out is NULL then.
 * Cost     that of finding all pairs, less than a microsecond for each segment, and up to 400 bytes
 *          for each on the way. */

typedef struct sl_curves {
    size_t curve_count, point_count;
    const size_t *starts;       /* curve i has the points starts[i] .. starts[i + 1] - 1 */
    const double (*points)[3];  /* the last of a closed curve is its first */
    const sl_clash_pair *pairs; /* pair k has the segment from point k to the next; at the end of a
                                 * curve it is that of the segment before */
} sl_curves;

/* The curves of two trees.  The margin of clash is not read; pairs whose relation does not count
 * have no segments.  hooks and error may be NULL.  Destroy *out with sl_curves_destroy. */
SL_API sl_result sl_bvh_clash_curves(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash,
                                     const sl_hooks *hooks, sl_curves **out, sl_error *error);
SL_API void sl_curves_destroy(sl_curves *curves); /* NULL is fine */

/* ---- Solids ----
 *
 * A solid is the set of points whose winding number is not 0 (by parity: is odd), but for those on
 * its surface; its boundary is where that changes.  So faces within it and faces that cancel are no
 * boundary, shells may be nested, meshes may intersect themselves and be wound inside out.  A
 * triangle without area bounds nothing.  A solid without points is apart from all.
 *
 * Exact    on the corners in the world, for every mesh; the order of triangles does not matter.
 * Cost     a pass over both meshes: some 0.2 us and 100 bytes for each triangle.  After that mostly
 *          one pair that crosses tells all, or, where none meet, a few points.  Where solids touch,
 *          or one is in the other and boundaries meet, some 10 to 100 us for each triangle that
 *          meets others; where k triangles cut through one, up to k^2 for that one.
 * Source   docs/notes/solids.md. */

typedef enum sl_solid_relation {
    SL_SOLIDS_APART = 0,
    SL_SOLIDS_TOUCHING = 1,    /* boundaries meet, interiors do not */
    SL_SOLIDS_OVERLAPPING = 2, /* interiors meet, and each has some of itself outside the other */
    SL_SOLIDS_A_INSIDE = 3,    /* a is a part of b */
    SL_SOLIDS_B_INSIDE = 4,
    SL_SOLIDS_EQUAL = 5,
    SL_SOLIDS_NONE = 6 /* one of them is not closed: the surfaces alone were looked at */
} sl_solid_relation;

/* Zeroed, or NULL: everything there is, by winding number. */
typedef struct sl_solids_def {
    sl_hooks hooks;          /* the phase is "solids" */
    const sl_options *a, *b; /* what is there of either; NULL: everything */
    bool by_parity;          /* false (default): by winding number */
} sl_solids_def;

typedef struct sl_solids {
    sl_solid_relation relation;
    bool boundaries_meet; /* false where the relation is SL_SOLIDS_NONE */
    bool open[2]; /* a, b: an edge, by corners at equal positions, is not used as often one way as
                   * the other; by parity, it is used an odd number of times */
    sl_relation surfaces; /* the highest of any pair of triangles */
} sl_solids;

/* How two solids lie; def may be NULL.
 * Fails    SL_OUT_OF_MEMORY, SL_CANCELLED, SL_TOO_LARGE (more than 2^28 triangles),
 *          SL_INVALID_ARGUMENT (a, b or out is NULL); out is left alone then. */
SL_API sl_result sl_bvh_solids(const sl_bvh *a, const sl_bvh *b, const sl_solids_def *def,
                               sl_solids *out, sl_error *error);

#endif
