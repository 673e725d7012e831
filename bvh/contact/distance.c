/* How far two trees are apart: sl_bvh_distance and sl_bvh_distance_many.
 *
 * The walk hands out pairs of triangles, those in nearer boxes sooner, and a pair that is nearer
 * than the best so far makes the margin smaller, in which it looks for more.  Nearly all pairs are
 * decided by intervals in doubles (lib/geom/contact/distance.h); where two overlap, exactly, with
 * the best pair's ratio kept.  So the answer is the same whatever the order in which pairs come.
 *
 * Of pairs that are equally near the lowest counts.  A pair that comes after the best has to be
 * strictly nearer, and mostly a few products in doubles show that it is not
 * (lib/geom/contact/separation.h); without that, each two of two parallel sheets would be compared
 * exactly.
 * Source   docs/notes/distance.md. */
#include "bvh/contact/distance.h"
#include "bvh/contact/nearest_first.h"
#include "bvh/contact/pairs.h"
#include "lib/geom/contact/relation.h"
#include "lib/geom/contact/separation.h"
#include "lib/geom/exact/arithmetic/round_root.h"
#include "lib/geom/exact/arithmetic/vector.h"

#include <string.h>

/* The nearest pair so far. */
typedef struct search {
    sli_walk walk;
    bool found, only_whether;
    bool is_exact; /* exact is filled */
    double limit;
    uint32_t last; /* of the present instance of a: no triangle after this one is of interest */
    sl_triangle_ref a, b;
    sl_triangle_d at_a, at_b;
    sli_gap gap;
    sli_exact_gap exact;
    sli_dd square;             /* of exact */
    sli_separation separation; /* of 0 where they meet */
    const sli_world *world[2];
    const sl_transform *under; /* of the second world, or NULL */
    sli_walk_counts *counts;   /* whether a pair counts; NULL: each does */
    void *counts_context;
} search;

static int compare_refs(const sl_triangle_ref *x, const sl_triangle_ref *y)
{
    const uint64_t first = (uint64_t)x->instance << 32 | x->prim;
    const uint64_t second = (uint64_t)y->instance << 32 | y->prim;
    return (first > second) - (first < second);
}

/* The interval of an exact distance. */
static sli_gap gap_of_exact(const sli_exact_gap *exact)
{
    sli_number q;
    sli_number_div(&exact->square, &exact->over, &q);
    sli_number_sqrt(&q, &q);
    const double low = q.value - q.error, margin = q.value * 0x1p-52;
    return (sli_gap){ low > margin ? low - margin : 0, q.value + q.error + margin };
}

/* Of the best pair, which is apart. */
static SLI_NOINLINE void make_exact(search *s)
{
    if (s->is_exact) {
        return;
    }
    s->is_exact = true;
    sli_triangle_gap_exact(&s->at_a, &s->at_b, &s->exact);
    s->gap = gap_of_exact(&s->exact);
    s->walk.margin = s->gap.high;
    s->square = sli_exact_gap_square(&s->exact);
    sli_separation_make(&s->at_a, &s->at_b, &s->exact, &s->separation);
}

static void name_pair(search *s, const sli_walk_pair *pair)
{
    s->a = pair->a;
    s->b = pair->b;
    s->at_a = *pair->at_a;
    s->at_b = *pair->at_b;
}

static void take_pair(search *s, const sli_walk_pair *pair, const sli_gap *gap)
{
    name_pair(s, pair);
    s->found = true;
    s->is_exact = false;
    s->gap = *gap;
    s->separation = (sli_separation){ .gap = gap->high == 0 ? 0 : INFINITY };
    s->walk.margin = s->gap.high;
    if (gap->high == 0) {
        s->last = pair->a.prim; /* its instance's is the present one */
    }
}

/* Takes a pair that is within the limit, or nearer than the best one; of one that is as near and
 * before it only the name is new. */
static SLI_NOINLINE void decide_exactly(search *s, const sli_walk_pair *pair, const sli_gap *gap,
                                        bool before)
{
    sli_exact_gap exact;
    if (s->found) {
        make_exact(s);
        if (sli_triangles_are_farther(pair->at_a, pair->at_b, s->square)) {
            return;
        }
    }
    s->walk.stats->exact_stage++;
    sli_triangle_gap_exact(pair->at_a, pair->at_b, &exact);
    const int order = s->found ? sli_exact_gap_compare(&exact, &s->exact)
                      : sli_exact_gap_order(&exact, s->limit) <= 0 ? -1
                                                                   : 1;
    if (order < 0) {
        take_pair(s, pair, gap);
    } else if (order == 0 && before) {
        name_pair(s, pair);
    }
}

/* sli_walk.triangles. */
static bool look_at_pair(void *context, const sli_walk_pair *pair)
{
    search *s = context;
    const int order = !s->found ? -1 : compare_refs(&pair->a, &s->a);
    const bool before = order != 0 ? order < 0 : compare_refs(&pair->b, &s->b) < 0;
    const double limit = s->found ? s->gap.high : s->limit;
    if (order == 0 && !before && compare_refs(&pair->b, &s->b) == 0) {
        return true; /* a triangle that the builder has cut */
    }
    if (s->found && !before && sli_separation_holds(&s->separation, pair->at_a, pair->at_b)) {
        return true;
    }
    if (sli_triangles_are_beyond(pair->at_a, pair->at_b, limit)) {
        return true;
    }
    sli_gap gap = sli_triangle_gap(pair->at_a, pair->at_b);
    s->walk.stats->double_stage++;
    if (gap.low == 0 && sli_triangles_relation(pair->at_a, pair->at_b) != SL_APART) {
        gap.high = 0;
    }
    const bool is_apart = s->found && s->gap.high == 0 && gap.high > 0;
    if (is_apart || gap.low > limit || (s->found && !before && gap.low >= limit)) {
        return true;
    }
    if (s->counts != NULL && !s->counts(s->counts_context, pair)) {
        return true;
    }
    const bool is_sure =
        s->found ? gap.high < s->gap.low || (gap.high == 0 && before) : gap.high <= s->limit;
    if (is_sure) {
        take_pair(s, pair, &gap);
    } else {
        decide_exactly(s, pair, &gap, before);
    }
    return !(s->found && s->only_whether);
}

/* Whether two instances are certainly farther apart: by the balls about them.  A double holds each
 * coordinate of a centre, and that of a difference, but for one rounding. */
static bool are_beyond(const sli_transformed *a, const sli_transformed *b, double margin)
{
    double between[3], size = a->ball + b->ball;
    for (int axis = 0; axis < 3; axis++) {
        between[axis] = a->centre[axis] - b->centre[axis];
        size += fabs(between[axis]);
    }
    return sli_norm(between) - a->ball - b->ball - 0x1p-48 * size > margin;
}

/* sli_walk.instances, which does all that there is to do about them.  Where the trees meet, those
 * beyond the first of the best pair have nothing before it. */
static bool look_at_instances(void *context, uint32_t a, uint32_t b)
{
    search *s = context;
    const sli_transformed *first = &s->world[0]->transformed[a];
    const sli_transformed *second = &s->world[1]->transformed[b];
    sli_transformed moved;
    if (s->found && (s->only_whether || (s->gap.high == 0 && a > s->a.instance))) {
        return false;
    }
    if (s->under != NULL) {
        if (!sli_walk_move(s->under, second, &moved)) {
            return false;
        }
        second = &moved;
    }
    const bool is_last = s->found && s->gap.high == 0 && a == s->a.instance;
    s->last = is_last ? s->a.prim : SL_NONE;
    if (!are_beyond(first, second, s->walk.margin)) {
        (void)sli_walk_nearest_first(&s->walk, first, a, second, b, &s->last);
    }
    return false;
}

/* All bytes of it, so that arrays of answers may be compared. */
static void write_answer(const search *s, sl_distance *out)
{
    memset(out, 0, sizeof *out);
    out->distance = INFINITY;
    out->a.prim = out->b.prim = SL_NONE;
    if (s->found) {
        out->a = s->a;
        out->b = s->b;
        out->distance = sli_triangle_distance(&s->at_a, &s->at_b, &s->gap);
        sli_nearest_points(&s->at_a, &s->at_b, out->point_a, out->point_b);
    }
}

bool sli_distance_instances(const sli_walk *asked, const sli_transformed *a, uint32_t number_a,
                            const sli_transformed *b, uint32_t number_b, sli_walk_counts *counts,
                            void *context, sl_distance *out)
{
    search s;
    s.found = s.only_whether = false;
    s.limit = asked->margin;
    s.last = SL_NONE;
    s.counts = counts;
    s.counts_context = context;
    s.walk = *asked;
    s.walk.repeats = true;
    s.walk.triangles = look_at_pair;
    s.walk.context = &s;
    if (!are_beyond(a, b, s.limit)) {
        (void)sli_walk_nearest_first(&s.walk, a, number_a, b, number_b, &s.last);
    }
    write_answer(&s, out);
    return s.found;
}

/* A query: two trees, and what of them counts. */
typedef struct distance_query {
    const sl_bvh *a, *b;
    const sl_clash *clash;
    float max_distance;
    const sl_transform *transforms; /* of the array */
    sl_distance *out;               /* likewise */
} distance_query;

/* A NaN for a limit, or a negative one, leaves nothing.  under: of b, or NULL; out may be NULL. */
static SLI_NOINLINE bool find_nearest(const distance_query *q, const sl_transform *under,
                                      sl_distance *out, sl_stats *stats)
{
    search s;
    s.found = false;
    s.only_whether = out == NULL;
    s.limit = (double)q->max_distance;
    s.world[0] = sli_clash_world(q->a, q->clash, q->clash->a);
    s.world[1] = sli_clash_world(q->b, q->clash, q->clash->b);
    s.under = under;
    s.counts = NULL;
    s.walk = (sli_walk){ .nearest_first = true,
                         .repeats = true,
                         .instances = look_at_instances,
                         .triangles = look_at_pair,
                         .context = &s,
                         .stats = stats };
    stats->rays++;
    if (s.limit >= 0) {
        sli_clash_prepare(q->clash, &s.walk);
        s.walk.margin = s.limit;
        (void)sli_walk_worlds(&s.walk, s.world[0], s.world[1], under);
    }
    stats->hits += s.found;
    if (out != NULL) {
        write_answer(&s, out);
    }
    return s.found;
}

bool sl_bvh_distance(const sl_bvh *a, const sl_bvh *b, float max_distance, const sl_clash *clash,
                     sl_distance *out)
{
    const distance_query q = { .a = a,
                               .b = b,
                               .clash = clash != NULL ? clash : &sli_all_that_meets,
                               .max_distance = max_distance };
    sl_stats stats = { .rays = 0 };
    return SLI_IN_FPENV(find_nearest(&q, NULL, out, &stats));
}

static void find_block(const void *job, size_t begin, size_t end, sl_stats *stats)
{
    const distance_query *q = job;
    for (size_t i = begin; i < end; i++) {
        (void)find_nearest(q, &q->transforms[i], &q->out[i], stats);
    }
}

void sl_bvh_distance_many(const sl_bvh *a, const sl_bvh *b, const sl_transform *transforms,
                          size_t count, float max_distance, const sl_clash *clash, sl_distance *out,
                          const sl_tasks *tasks, sl_stats *stats)
{
    const distance_query q = { .a = a,
                               .b = b,
                               .clash = clash != NULL ? clash : &sli_all_that_meets,
                               .max_distance = max_distance,
                               .transforms = transforms,
                               .out = out };
    sli_run_blocks_of(1, count, find_block, &q, stats, tasks);
}
