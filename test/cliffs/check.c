#include "test/cliffs/check.h"

#include <math.h>
#include <string.h>

/* Takes a case to a size that is answered in milliseconds. */
static void make_small(cliff_case *c)
{
    c->field[CASE_TRIANGLES] = fmin(c->field[CASE_TRIANGLES], 300);
    c->field[CASE_INSTANCES] = fmin(c->field[CASE_INSTANCES], 100);
    c->field[CASE_COUNT] = fmin(c->field[CASE_COUNT], 150);
    c->field[CASE_FRAMES] = fmin(c->field[CASE_FRAMES], 3);
}

static bool is_replayed(const cliff_case *c, const char *text)
{
    cliff_case again;
    return case_read(text, &again) && memcmp(c->field, again.field, sizeof c->field) == 0;
}

static cliff_measure counted_measure(const cliff_case *c)
{
    return case_is_world(c) ? MEASURE_SHARED : MEASURE_PLAIN;
}

static bool counts_again(cliff_bench *bench, const cliff_case *c)
{
    const cliff_measure measure = counted_measure(c);
    const bench_measured first = cliff_measure_case(bench, measure, c, 0);
    const bench_measured second = cliff_measure_case(bench, measure, c, 0);
    return first.applies == second.applies && first.ours == second.ours &&
           first.theirs == second.theirs;
}

/* Whether a case that was drawn is in order; counts those that have a world. */
static bool check_case(cliff_bench *bench, const cliff_case *c, long *measurable)
{
    char text[CASE_TEXT_MAX];
    case_print(c, text);
    *measurable += cliff_measure_case(bench, counted_measure(c), c, 0).applies;
    const char *wrong = !is_replayed(c, text)     ? "its text is another case"
                        : !counts_again(bench, c) ? "counts differ"
                        : !cliff_agree(bench, c)  ? "answers differ"
                                                  : NULL;
    if (wrong != NULL) {
        printf("cliffs: %s: '%s'\n", wrong, text);
    }
    return wrong == NULL;
}

bool check_cases(cliff_bench *bench, uint64_t seed, long count)
{
    test_random random = { seed };
    cliff_case c;
    long measurable = 0;
    bool good = true;
    for (long i = 0; i < 2 * count; i++) {
        const case_kind kind = i < count ? KIND_WORLD : KIND_CONTACT;
        c = i % 3 == 0 || i == count ? case_random(kind, &random) : case_change(&c, &random);
        make_small(&c);
        good = check_case(bench, &c, &measurable) && good;
    }
    if (measurable < 2 * count * 3 / 4) {
        printf("cliffs: only %ld of %ld cases can be measured\n", measurable, 2 * count);
        good = false;
    }
    return good;
}
