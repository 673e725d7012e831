#include "test/cliffs/search.h"

#include <math.h>

/* Changes that make nothing worse, after which a climb begins anew. */
enum { PATIENCE = 40 };

static bool same_kind(const cliff_case *a, const cliff_case *b)
{
    return case_int(a, CASE_MESH) == case_int(b, CASE_MESH) &&
           case_int(a, CASE_RAYS) == case_int(b, CASE_RAYS) &&
           case_int(a, CASE_CALL) == case_int(b, CASE_CALL) &&
           case_int(a, CASE_WORLD) == case_int(b, CASE_WORLD) &&
           case_int(a, CASE_CONTACT) == case_int(b, CASE_CONTACT);
}

/* Puts a case in its place, which falls to what it is worse than. */
static void remember(search_list *list, const search_found *f)
{
    size_t place = 0;
    while (place < list->count && !same_kind(&list->of[place].c, &f->c)) {
        place++;
    }
    if (place == SEARCH_WORST) {
        place--;
    } else if (place == list->count) {
        list->of[list->count++].ratio = 0;
    }
    if (f->ratio <= list->of[place].ratio) {
        return;
    }
    for (; place > 0 && list->of[place - 1].ratio < f->ratio; place--) {
        list->of[place] = list->of[place - 1];
    }
    list->of[place] = *f;
}

void search_worst(cliff_bench *bench, cliff_measure measure, case_kind kind, const search_effort *o,
                  search_list *list)
{
    test_random random = { (o->seed * MEASURES + (uint64_t)measure) * CASE_KINDS + (uint64_t)kind };
    const double limit = measure_rows[measure].limit[kind];
    const double end = bench_wall_seconds() + o->seconds;
    search_found now = { .ratio = 0 };
    int failed = PATIENCE;
    long tries = 0;
    for (; o->tries > 0 ? tries < o->tries : bench_wall_seconds() < end; tries++) {
        search_found next = { .ratio = 0 };
        if (failed < PATIENCE) {
            next.c = case_change(&now.c, &random);
        } else if (list->count > 0 && test_random_below(&random, 4) == 0) {
            now = list->of[test_random_below(&random, (uint32_t)list->count)];
            next.c = case_change(&now.c, &random);
            failed = 0;
        } else {
            now.ratio = 0;
            next.c = case_random(kind, &random);
        }
        (void)case_overlay(o->hold, &next.c);
        cliff_trim(bench, &next.c);
        if (cliff_is_resolved(bench, &next.c)) {
            next.ratio = cliff_measure_case(bench, measure, &next.c, 0).ratio;
        }
        if (limit > 0 && next.ratio > limit) {
            next.ratio = fmin(next.ratio, cliff_measure_seeds(bench, measure, &next.c, 0).ratio);
        }
        failed++;
        if (next.ratio > now.ratio) {
            now = next;
            failed = 0;
        }
        if (next.ratio > limit / 2) {
            remember(list, &next);
        }
    }
    fprintf(stderr, "cliffs: %s%s: %ld cases\n", measure_rows[measure].name,
            kind == KIND_WORLD     ? " of worlds"
            : kind == KIND_CONTACT ? " of contact"
                                   : "",
            tries);
}
