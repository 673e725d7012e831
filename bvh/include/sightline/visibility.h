/* visibility.h: which eyes see which targets: lines of sight through a scene, for a whole frame at
 * a time.
 *
 * Seen     an end sees another one where no triangle is hit between them: the opposite of
 *          sl_bvh_occluded, and as exact.  Ends at the same point see each other; an end whose
 *          coordinates are not finite, or larger than FLT_MAX, sees nothing and is not seen.
 * Both     without culling, and with both ends open or neither, A sees B exactly when B sees A.
 * Numbers  coordinates are doubles, and each is first rounded to the nearest float.  With
 *          SL_SIGHT_DOUBLES, for worlds whose floats are too far apart, it is taken to the nearest
 *          multiple of 2^-149 instead (intersect.h), and lines take somewhat longer.  So are points
 *          of samples and of grids.
 * Bits     an answer is a bit: answer i is bit i % 64 of word i / 64, 1 for seen.  Bits behind the
 *          last answer, in its word, are 0.
 * Fails    never; no answer depends on memory, on tasks, or on what else is in the same call.
 * Threads  a scene, which is a tree of either kind, never changes: any number of threads may query
 *          it at once.  One call at a time may use an sl_sight_memory.  Queries allocate nothing; a
 *          call takes 60 KiB of stack at most.
 * Cost     that of the segments; a remembered occluder costs little more than a test of one
 *          triangle.
 * Source   Roberts, The Unreasonable Effectiveness of Quasirandom Sequences (2018). */
#ifndef SIGHTLINE_VISIBILITY_H
#define SIGHTLINE_VISIBILITY_H

#include <sightline/instances.h>
#include <sightline/rays.h>

/* An eye or a target. 48 bytes. */
typedef struct sl_sight_end {
    double at[3];
    sl_instance_range own; /* instances that are not there for lines from or to this end: its own
                            * body.  count 0: none */
    uint32_t id;           /* the caller's: an sl_sight_memory knows ends by it */
    uint32_t reserved[3];  /* 0 */
} sl_sight_end;

/* Eyes and targets; everything below names them by their indices in these arrays. */
typedef struct sl_sight_ends {
    const sl_sight_end *eyes;
    size_t eye_count;
    const sl_sight_end *targets; /* NULL: the eyes are the targets, too */
    size_t target_count;         /* not read where targets is NULL */
} sl_sight_ends;

/* ---- Memory ----
 *
 * What occludes a line in one frame mostly occludes it in the next.  A memory keeps a triangle that
 * occluded for each pair of ids, and that triangle is looked at first.  Where targets is NULL, and
 * lines are the same both ways (no culling, both ends open or neither), a pair and its reverse are
 * one pair to it.  It never changes an answer: what it names may have moved or gone, and the scene
 * may be another version or another scene.  It serves as long as instance numbers mean the same
 * instances.  Pairs may come and go, and be in any order; where there is no room, the pairs that
 * were not asked about for the longest time go. */
typedef struct sl_sight_memory sl_sight_memory;

/* For about that many occluded pairs, 32 bytes each.  allocator may be NULL: malloc.
 * Limits   pairs from 1 to 2^30.
 * Fails    SL_INVALID_ARGUMENT, SL_TOO_LARGE, SL_OUT_OF_MEMORY; *out is NULL then. */
SL_API sl_result sl_sight_memory_create(size_t pairs, const sl_allocator *allocator,
                                        sl_sight_memory **out, sl_error *error);
SL_API void sl_sight_memory_destroy(sl_sight_memory *memory); /* NULL is fine; no call uses it */

typedef struct sl_sight_memory_info {
    size_t capacity;   /* pairs that it has room for */
    size_t bytes;      /* that it holds */
    uint64_t tried;    /* by all calls so far: occluders that were looked at first */
    uint64_t occluded; /* of those, the ones that still occluded */
} sl_sight_memory_info;

SL_API sl_sight_memory_info sl_sight_memory_get_info(const sl_sight_memory *memory);

enum {
    SL_SIGHT_DOUBLES = 1 /* coordinates stay doubles */
};

/* What holds for all lines of a call.  Zeros, or NULL, are the defaults. */
typedef struct sl_sight {
    uint32_t flags;            /* SL_SIGHT_... */
    const sl_options *options; /* mask, skip, cull, filter, SL_OPEN_START (the eye's end) and
                                * SL_OPEN_END (the target's).  items, ignore and proxy are not read.
                                * A filter is told the line's number: that of the pair, eye *
                                * target_count + target, or that of the cell.  NULL: no options */
    sl_sight_memory *memory;   /* NULL: none */
} sl_sight;

typedef struct sl_sight_pair {
    uint32_t eye, target;
} sl_sight_pair;

/* Whether the eye of each pair sees the target; returns how many do.  A pair with a number that is
 * not in its array sees nothing.  Pairs of one eye are best kept together. */
SL_API size_t sl_sight_pairs(const sl_bvh *bvh, const sl_sight_ends *ends,
                             const sl_sight_pair *pairs, size_t count, const sl_sight *sight,
                             uint64_t *seen, const sl_tasks *tasks);

/* ---- All with all ----
 *
 * A row of bits for each eye, a bit for each target.  Rows begin row_words words apart, of which
 * (target_count + 63) / 64 are written; row_words 0 stands for that number. */

/* Where targets is NULL, the matrix is symmetric: eye i is asked about the targets after it, and
 * what it sees sees it, so that half of the lines are traced; each end sees itself.  Returns the
 * number of bits that are set. */
SL_API size_t sl_sight_matrix(const sl_bvh *bvh, const sl_sight_ends *ends, const sl_sight *sight,
                              uint64_t *seen, size_t row_words, const sl_tasks *tasks);

/* What an eye can see if nothing is in the way: the points no farther than range whose direction is
 * no farther than an angle from dir.  40 bytes. */
typedef struct sl_sight_cone {
    double dir[3];    /* any length; zero: every direction */
    double cos_angle; /* the cosine of the angle; -1 or less: every direction */
    double range;     /* INFINITY: no limit */
} sl_sight_cone;

/* As sl_sight_matrix for eyes with cones, one for each eye: what is outside of the cone is not
 * seen, and no line is traced to it.  Nothing is mirrored where targets is NULL. */
SL_API size_t sl_sight_sensors(const sl_bvh *bvh, const sl_sight_ends *ends,
                               const sl_sight_cone *cones, const sl_sight *sight, uint64_t *seen,
                               size_t row_words, const sl_tasks *tasks);

/* ---- How much of something is seen ---- */

/* Where the samples of a target are.  Sample i is ((at + s[0] axes[0]) + s[1] axes[1]) + s[2]
 * axes[2], in doubles, from the target's at and the local coordinates s:
 *
 * BOX      s in [-1, 1) along each axis: axes are half the sides of a box of any orientation.
 * BALL     s in the unit ball: half the axes of a sphere or an ellipsoid.
 * POINTS   s is given: axes are how the target is turned and scaled. */
typedef enum sl_sight_shape {
    SL_SIGHT_BOX = 0,
    SL_SIGHT_BALL = 1,
    SL_SIGHT_POINTS = 2
} sl_sight_shape;

/* Samples of a target. 104 bytes. */
typedef struct sl_sight_samples {
    double axes[3][3];
    const double *points; /* SL_SIGHT_POINTS: three numbers for each sample; else not read */
    uint64_t seed;        /* of the others: another seed, other samples */
    uint32_t count;       /* of samples; 2^24 at most, more are not looked at */
    uint32_t need;        /* samples that have to be seen for `enough`; 0: all are counted */
    sl_sight_shape shape;
    uint32_t reserved; /* 0 */
} sl_sight_samples;

/* How much of a target an eye sees. 16 bytes. */
typedef struct sl_sight_share {
    uint32_t seen;   /* samples, of those that were tried */
    uint32_t tried;  /* all of them, or as many as it took to decide */
    uint32_t enough; /* 1: need samples or more are seen, of all that there are; else 0 */
    uint32_t count;  /* of samples */
} sl_sight_share;

/* For each pair, how many samples of the target its eye sees; samples[i] belongs to target i.  With
 * a need, samples are tried in turn, a few at a time, until it is certain whether that many are
 * seen: `enough` is what all of them would have said. */
SL_API void sl_sight_shares(const sl_bvh *bvh, const sl_sight_ends *ends,
                            const sl_sight_samples *samples, const sl_sight_pair *pairs,
                            size_t count, const sl_sight *sight, sl_sight_share *shares,
                            const sl_tasks *tasks);

/* ---- A picture of what is seen from a point ---- */

/* A grid of cells.  The cell in column x and row y is at (origin + x step_x) + y step_y, in
 * doubles.  Where down is zero, that is what is looked at.  Else the ground is the nearest surface
 * between the cell and cell + down, both ends included, and what is looked at is (cell + t down) +
 * rise, with t that of the closest hit of this segment (rays.h). */
typedef struct sl_sight_grid {
    double origin[3], step_x[3], step_y[3];
    double down[3]; /* say 0 0 -1000 from a grid above everything */
    double rise[3]; /* say 0 0 1.7.  Zero: the ground itself may hide what is on it, by rounding */
    uint32_t width, height;
} sl_sight_grid;

enum { SL_VIEW_UNSEEN = 0, SL_VIEW_SEEN = 1, SL_VIEW_NO_GROUND = 2 };

/* What is seen of each cell, row by row: of rows from `first` on, at most `count`, the first one at
 * view[0]; returns how many cells are seen.  Rows below the grid are not looked at: SIZE_MAX is
 * all.  The answers are those of the whole, however it is cut.  What the mask, the skips and cull
 * leave out, and what is the eye's own, is no ground.  The target of a cell (x, y) is (c + t down)
 * + rise, where c is (origin + x step_x) + y step_y and t is that of the closest hit of the segment
 * from c to c + down; each step is rounded to a double, and the ends of the segment to floats
 * unless the sight is in doubles.  Memory is not used: cells next to one
 * another share what occludes them. */
SL_API size_t sl_sight_viewshed(const sl_bvh *bvh, const sl_sight_end *eye,
                                const sl_sight_grid *grid, size_t first, size_t count,
                                const sl_sight *sight, uint8_t *view, const sl_tasks *tasks);

#endif
