/* bench/harness/ask.h: questions to a tree of either kind, many in a call, few, or one.
 *
 * The bench subcommand and the programs of test that measure ask through this file alone. */
#pragma once

#include <sightline/points.h>
#include <sightline/volumes.h>

typedef enum bench_query {
    BENCH_CLOSEST,         /* rays */
    BENCH_ANY,             /* rays */
    BENCH_BLOCKED,         /* segments */
    BENCH_CLOSEST_SEGMENT, /* segments */
    BENCH_ANY_FROM,        /* directions from the origin of the first ray, as far as that goes */
    BENCH_BLOCKED_FROM,    /* targets seen from the start of the first segment */
    BENCH_NEAREST,         /* points, as the others below but volumes */
    BENCH_CLOSEST_COLUMNS, /* rays */
    BENCH_ANY_COLUMNS,     /* rays */
    BENCH_NEAREST_K,
    BENCH_WITHIN,
    BENCH_INSIDE,
    BENCH_OVERLAP_ANY, /* volumes */
    BENCH_OVERLAP_ALL, /* volumes */
    BENCH_QUERIES,
    BENCH_ALL = BENCH_QUERIES /* rays, the first `capacity` hits of each and how many there are;
                               * programs that go through all queries leave it out */
} bench_query;

/* Questions.  Only the arrays that the query takes have to be there. */
typedef struct bench_rays {
    bench_query query;
    size_t count;
    sl_ray *rays;
    sl_segment *segments;
    float *points;         /* three for each */
    float *dirs, *targets; /* three for each, of calls from one point */
    sl_volume *volumes;
    size_t fan; /* segments in a row that begin in one point; 0: each in its own */

    /* The same in doubles, for targets that ask so. */
    sl_ray_d *rays_d;
    sl_segment_d *segments_d;
    double *points_d, *dirs_d, *targets_d;
    sl_volume_d *volumes_d;

    sl_triangle_ref *hints; /* for targets that are hinted */
    float radius;           /* of WITHIN */
    size_t capacity;        /* of answers that a question has several of */
} bench_rays;

void bench_rays_free(bench_rays *rays); /* a zeroed one is fine */

/* Fills rays_d or segments_d from the floats.  False: out of memory. */
bool bench_rays_widen(bench_rays *rays);

/* What is asked, and how. */
typedef struct bench_target {
    const sl_bvh *bvh;
    const sl_options *query; /* NULL: the default */
    const sl_tasks *tasks;   /* NULL: the calling thread alone */
    sl_stats *stats;         /* what arrays take; NULL: nothing is counted */
    bool doubles;
    bool hinted; /* BENCH_BLOCKED alone */
} bench_target;

/* Where answers go: those that the query has are there. */
typedef struct bench_answers {
    void *rows; /* hits, nearest triangles or references, capacity of them for each question */
    size_t row_bytes;
    uint64_t *totals;
    uint8_t *any;
    sl_triangle_ref *hints; /* a copy of those of the rays, which answers change */
    uint32_t *instances;    /* of INSIDE */
} bench_answers;

/* For answers in floats or in doubles.  False: out of memory. */
bool bench_answers_make(bench_answers *answers, const bench_rays *rays);
void bench_answers_free(bench_answers *answers); /* a zeroed one is fine */

/* Whether answers to the same questions are the same, bit for bit. */
bool bench_answers_agree(const bench_answers *a, const bench_answers *b, const bench_rays *rays);

/* All queries, `batch` in a call; 0: everything in one, but one for each fan. */
void bench_ask_batches(const bench_target *target, const bench_rays *rays, size_t batch,
                       const bench_answers *answers);

/* All questions, each in a call of its own: of the single function, where there is one. */
void bench_ask_singly(const bench_target *target, const bench_rays *rays,
                      const bench_answers *answers);

/* Closest hits, each asked by a call that has to wait for the hit before, whose distance goes into
 * the origin: too little of it to change a bit of one that is not 0. */
void bench_ask_chained(const bench_target *target, const bench_rays *rays,
                       const bench_answers *answers);

/* What the chain adds to an origin after a hit at t, or a miss at INFINITY: without a branch, which
 * would be guessed before t is known. */
static inline float bench_chain_link(float t)
{
    return 1e-30f * (t < 1 ? t : 1);
}

/* Of closest, any, occluded, all and nearest, in floats: the answer's t or distance; 0 or INFINITY
 * for a yes or no.  The share of rays or segments that hit; NAN for points. */
float bench_answer_t(const bench_answers *answers, const bench_rays *rays, size_t i);
double bench_answer_hits(const bench_answers *answers, const bench_rays *rays);
