/* verify/volume.c: every volume query against every triangle in turn, for overlap/verify.c. */
#include "tools/verify/volume.h"

#include "tools/cli/common.h"
#include "tools/input/volume_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST, WHETHER, COUNT, HALF, QUESTIONS };

static const char *const words[QUESTIONS] = {
    "overlap",
    "overlaps",
    "overlap with no capacity",
    "overlap with capacity for half of them",
};

enum { ROW = 16 }; /* triangles of an answer that are compared where volumes come as an array */

struct volume_answer {
    uint64_t truth, tree[QUESTIONS]; /* how many */
    uint32_t wrong[QUESTIONS];       /* the first triangle on which they differ */
    bool differs[QUESTIONS];
    sl_triangle_ref row[ROW]; /* the first of the truth */
    double tree_seconds, brute_seconds;
};

bool volume_verifier_make(volume_verifier *v, const query_target *target, size_t capacity,
                          bool filtered)
{
    const size_t workers = (size_t)target->tasks->worker_count;
    *v = (volume_verifier){ .target = target, .triangles = target->soup.triangle_count };
    v->lists = calloc(workers * 2 * (v->triangles + 1), sizeof *v->lists);
    v->answers = calloc(capacity, sizeof *v->answers);
    v->rows = calloc(capacity, ROW * sizeof *v->rows);
    v->totals = calloc(capacity, sizeof *v->totals);
    v->touches = calloc(capacity, sizeof *v->touches);
    return (!filtered || box_filter_make(&v->filter, &target->soup, workers)) && v->lists != NULL &&
           v->answers != NULL && v->rows != NULL && v->totals != NULL && v->touches != NULL;
}

void volume_verifier_free(volume_verifier *v)
{
    box_filter_free(&v->filter);
    free(v->lists);
    free(v->answers);
    free(v->rows);
    free(v->totals);
    free(v->touches);
    v->lists = v->rows = NULL;
    v->answers = NULL;
    v->totals = NULL;
    v->touches = NULL;
}

/* Two rising lists: the first triangle that only one of them has; false where there is none. */
static bool find_difference(const sl_triangle_ref *a, size_t a_count, const sl_triangle_ref *b,
                            size_t b_count, uint32_t *first)
{
    size_t i = 0;
    while (i < a_count && i < b_count && a[i].prim == b[i].prim && a[i].instance == b[i].instance) {
        i++;
    }
    if (i == a_count && i == b_count) {
        return false;
    }
    const uint32_t in_a = i < a_count ? a[i].prim : SL_NONE;
    const uint32_t in_b = i < b_count ? b[i].prim : SL_NONE;
    *first = in_a < in_b ? in_a : in_b;
    return true;
}

typedef struct checking {
    volume_verifier *v;
    const sl_volume *volumes;
} checking;

/* part: NULL, or to ask only a part of the triangles. */
static uint64_t ask_brute_list(const volume_verifier *v, const sl_volume *volume,
                               box_filter_part *part, sl_triangle_ref *truth)
{
    const query_target *target = v->target;
    if (part == NULL) {
        return sl_soup_overlap_all(&target->soup, volume, &target->query, truth, v->triangles);
    }
    box_filter_take_volume(&v->filter, volume, part);
    const uint64_t total =
        sl_soup_overlap_all(&part->soup, volume, &target->query, truth, v->triangles);
    for (size_t i = 0; i < total; i++) {
        truth[i].prim = part->prims[truth[i].prim];
    }
    return total;
}

static void ask_lists(const volume_verifier *v, const sl_volume *volume, box_filter_part *part,
                      sl_triangle_ref *truth, sl_triangle_ref *tree, volume_answer *to)
{
    const query_target *target = v->target;
    const size_t capacity = v->triangles;
    const double started = common_seconds();
    to->truth = ask_brute_list(v, volume, part, truth);
    to->brute_seconds = common_seconds() - started;
    for (int round = 0; round < TIME_ROUNDS; round++) {
        const double from = common_seconds();
        to->tree[LIST] = sl_bvh_overlap_all(target->bvh, volume, &target->query, tree, capacity);
        to->tree_seconds = time_by_size_best(round, to->tree_seconds, common_seconds() - from);
    }
}

static void check_one(const volume_verifier *v, const sl_volume *volume, box_filter_part *part,
                      sl_triangle_ref *truth, sl_triangle_ref *tree, volume_answer *to)
{
    const query_target *target = v->target;
    const size_t capacity = v->triangles;
    *to = (volume_answer){ .truth = 0 };
    ask_lists(v, volume, part, truth, tree, to);
    to->differs[LIST] = to->tree[LIST] > capacity ||
                        find_difference(truth, to->truth, tree, to->tree[LIST], &to->wrong[LIST]);
    to->tree[WHETHER] = sl_bvh_overlap_any(target->bvh, volume, &target->query);
    to->differs[WHETHER] = to->tree[WHETHER] != (to->truth > 0);
    to->tree[COUNT] = sl_bvh_overlap_all(target->bvh, volume, &target->query, NULL, 0);
    to->differs[COUNT] = to->tree[COUNT] != to->truth;
    const size_t half = to->truth / 2;
    to->tree[HALF] = sl_bvh_overlap_all(target->bvh, volume, &target->query, tree, half);
    to->differs[HALF] =
        to->tree[HALF] != to->truth || find_difference(truth, half, tree, half, &to->wrong[HALF]);
    memcpy(to->row, truth, (to->truth < ROW ? to->truth : ROW) * sizeof *truth);
}

static void check_range(void *context, size_t begin, size_t end, int worker)
{
    const checking *job = context;
    volume_verifier *v = job->v;
    sl_triangle_ref *truth = v->lists + (size_t)worker * 2 * (v->triangles + 1);
    for (size_t i = begin; i < end; i++) {
        check_one(v, &job->volumes[i], v->filter.parts != NULL ? &v->filter.parts[worker] : NULL,
                  truth, truth + v->triangles + 1, &v->answers[i]);
    }
}

static void describe(char *to, size_t size, uint64_t total, uint32_t prim)
{
    if (prim == SL_NONE) {
        snprintf(to, size, "%" PRIu64 " triangles", total);
    } else {
        snprintf(to, size, "%" PRIu64 " triangles; they differ on %" PRIu32, total, prim);
    }
}

static void note(volume_verifier *v, const sl_volume *volume, const char *kind, uint64_t index,
                 const char *question, uint64_t tree, uint64_t truth, uint32_t prim)
{
    difference *shown = differences_add(&v->found, kind, index, question);
    if (shown != NULL) {
        describe(shown->tree, sizeof shown->tree, tree, SL_NONE);
        describe(shown->brute, sizeof shown->brute, truth, prim);
        volume_spec_text(volume, shown->asked, sizeof shown->asked);
    }
}

/* The functions that take arrays, against what single calls should have said. */
static void check_batch(volume_verifier *v, const sl_volume *volumes, size_t count,
                        const char *kind, uint64_t first_index)
{
    const query_target *target = v->target;
    sl_bvh_overlap_any_many(target->bvh, volumes, count, &target->query, v->touches, target->tasks);
    sl_bvh_overlap_all_many(target->bvh, volumes, count, &target->query, v->rows, ROW, v->totals,
                            target->tasks);
    for (size_t i = 0; i < count; i++) {
        const volume_answer *a = &v->answers[i];
        const size_t kept = a->truth < ROW ? (size_t)a->truth : ROW;
        uint32_t prim = SL_NONE;
        if ((v->touches[i] != 0) != (a->truth > 0)) {
            note(v, &volumes[i], kind, first_index + i, "overlaps_many", v->touches[i],
                 a->truth > 0, SL_NONE);
        }
        if (find_difference(v->rows + i * ROW, kept, a->row, kept, &prim) ||
            v->totals[i] != a->truth) {
            note(v, &volumes[i], kind, first_index + i, "overlap_many", v->totals[i], a->truth,
                 prim);
        }
    }
}

void volume_verifier_check(volume_verifier *v, const sl_volume *volumes, size_t count,
                           const char *kind, uint64_t first_index, volume_sums *sums)
{
    checking job = { v, volumes };
    const uint64_t before = v->found.count;
    v->target->tasks->parallel_for(v->target->tasks->user, count, 1, check_range, &job);
    for (size_t i = 0; i < count; i++) {
        const volume_answer *a = &v->answers[i];
        sums->touching += a->truth > 0;
        sums->touched += a->truth;
        time_by_size_add(&sums->times, a->truth, a->tree_seconds, a->brute_seconds);
        for (int q = 0; q < QUESTIONS; q++) {
            if (a->differs[q]) {
                const bool list = q == LIST || q == HALF;
                note(v, &volumes[i], kind, first_index + i, words[q], a->tree[q],
                     q == WHETHER ? a->truth > 0 : a->truth, list ? a->wrong[q] : SL_NONE);
            }
        }
    }
    check_batch(v, volumes, count, kind, first_index);
    sums->volumes += count;
    sums->pairs += (uint64_t)count * v->triangles;
    sums->differences += v->found.count - before;
}
