/* judge/judge.h: what is wrong with what another tracer answered about a ray, decided exactly.
 *
 * The tree says which triangles the ray hits, and where; so every verdict is what exact arithmetic
 * says of the numbers as given.  Where the named triangle is not the closest one, all hits of the
 * ray tell why. */
#pragma once

#include "tools/input/mesh.h"
#include "tools/judge/answers.h"

#include <sightline/rays.h>

/* JUDGE_OCCLUDED: only whether anything is hit; answers name no triangle. */
typedef enum judge_mode { JUDGE_CLOSEST, JUDGE_ANY, JUDGE_ALL, JUDGE_OCCLUDED } judge_mode;

extern const char *const judge_mode_words[]; /* ends with NULL */

typedef enum verdict {
    VERDICT_MISS,  /* both say so */
    VERDICT_HIT,   /* the triangle that is to be named */
    VERDICT_TIE,   /* another one at the same t, as through a shared edge */
    VERDICT_TOUCH, /* occluded: differs from ours, of a ray that only touches (touch.c) */
    VERDICT_LEAK,  /* something is hit that was not named; those from here on are errors */
    VERDICT_PHANTOM,
    VERDICT_BESIDE,
    VERDICT_BEHIND,
    VERDICT_LIMITS,
    VERDICT_REPEATED,
    VERDICT_T,
    VERDICT_NO_TRIANGLE,
    VERDICT_NOT_A_NUMBER,
    VERDICT_COUNT
} verdict;

extern const char *const verdict_words[VERDICT_COUNT + 1]; /* ends with NULL */

/* How often t is how many floats, or doubles, from the exact one: 0, 1, 2, 3 to 4, and so on by
 * doubling. */
enum { JUDGE_STEPS = 34 };

enum { JUDGE_TURNS = 24 }; /* directions of a small step (touch.c) */

typedef struct judge_sums {
    uint64_t rays, answers, hits; /* hits: exact ones that are to be named */
    uint64_t verdicts[VERDICT_COUNT];
    /* Of these, by where the exact hit is: on a vertex, else on an edge, else within 2^-16 of one,
     * by its weights; the rest is inside. */
    uint64_t on_vertex[VERDICT_COUNT], on_edge[VERDICT_COUNT], near_edge[VERDICT_COUNT];
    uint64_t steps[JUDGE_STEPS];
    double relative_error; /* of t: the largest, of exact t that are not 0 */
} judge_sums;

/* What is said of one answer; the pointers hold for the call. */
typedef struct judgement {
    verdict is;
    uint64_t ray;
    const sl_ray_d *asked;
    const answer *said;    /* NULL: nothing */
    const sl_hit_d *exact; /* what was to be named; prim SL_NONE: nothing is hit */
    const sl_hit_d *named; /* the exact hit of the triangle that was named; NULL: none */
} judgement;

typedef void judge_take(void *user, const judgement *what);

/* Hits by their triangles, and which of them have been named. */
typedef struct judge_hits {
    sl_hit_d *hits;
    bool *named;
    size_t count, capacity;
} judge_hits;

typedef struct judge {
    const mesh_in *in;
    const sl_options *options;
    judge_mode mode;
    bool segments;    /* instead of rays; for JUDGE_OCCLUDED */
    bool doubles;     /* rays and t are; else floats */
    uint64_t steps;   /* by how many t may be off */
    judge_take *take; /* of errors */
    void *user;
    judge_sums sums;
    /* Of the ray at hand; private. */
    sl_ray_d ray; /* of a segment dir is its other end */
    uint64_t index;
    sl_hit_d closest;
    judge_hits of_ray, of_line;  /* of_line: without limits */
    bool has_all;                /* of_ray is filled */
    sl_bvh *turned[JUDGE_TURNS]; /* the tree, for touch.c; NULL: not needed so far */
} judge;

/* All answers about all rays.  EXIT_DONE, or the status of a reported error; free it either way. */
int judge_run(judge *j, answers_in *answers);
void judge_free(judge *j);

bool verdict_is_error(verdict is);

/* ---- For touch.c ---- */

sl_rays judge_rays(const judge *j, const sl_ray_d *rays, size_t count);

/* Whether the ray at hand only touches.  EXIT_DONE, or the status of a reported error. */
int judge_touch(judge *j, bool *touches);
