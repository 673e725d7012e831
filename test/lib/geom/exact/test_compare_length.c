/* Whether a vector is at most as long as another, at every size; and sets of questions of which a
 * single yes is enough. */
#include "lib/geom/exact/compare_length.h"
#include "test/support/hard/shapes.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

enum { COUNT = 3 };

/* A product of count floats, as a number and as a fraction. */
static void product(test_random *random, hard_numbers numbers, int count, bool exact,
                    sli_number *out, mpq_t right)
{
    mpq_t x;
    mpq_init(x);
    sli_number_set(1, exact, out);
    mpq_set_ui(right, 1, 1);
    for (int i = 0; i < count; i++) {
        const double factor = (double)hard_number(random, numbers, 1, 3);
        sli_number next;
        sli_number_set(factor, exact, &next);
        sli_number_mul(out, &next, out);
        rational_set(x, factor);
        mpq_mul(right, right, x);
    }
    mpq_clear(x);
}

/* Makes the second vector of the first, turned about; now and then it is very slightly longer in
 * one place. */
static void make_alike(test_random *random, bool exact, sli_number *vectors, mpq_t *x)
{
    for (int i = 0; i < COUNT; i++) {
        const int to = COUNT + (i + 1) % COUNT;
        sli_number_copy(&vectors[i], &vectors[to]);
        mpq_set(x[to], x[i]);
    }
    sli_number tiny, factor;
    mpq_t part;
    mpq_init(part);
    sli_number_set(0x1p-149, exact, &factor);
    sli_number_mul(&factor, &factor, &tiny);
    sli_number_mul(&tiny, &tiny, &tiny);
    rational_set(part, 0x1p-596);
    if (test_random_below(random, 2) != 0) {
        const int to = COUNT + (int)test_random_below(random, COUNT);
        sli_number_add(&vectors[to], &tiny, &vectors[to]);
        mpq_add(x[to], x[to], part);
    }
    mpq_clear(part);
}

/* Squares of products of up to four floats of any size: 2^-1192 .. 2^1024. */
TEST(lengths_of_any_size_are_compared_exactly)
{
    test_random random = { 6001 };
    const size_t rounds = 10000 * test_scale();
    size_t answers[3] = { 0, 0, 0 }, equal = 0;
    mpq_t x[2 * COUNT], sums[2];
    for (int i = 0; i < 2 * COUNT; i++) {
        mpq_init(x[i]);
    }
    mpq_inits(sums[0], sums[1], NULL);
    for (size_t round = 0; round < rounds; round++) {
        const hard_numbers numbers = (hard_numbers)(round % HARD_NUMBERS);
        const uint64_t seed = random.state;
        for (int exact = 0; exact < 2; exact++) {
            sli_number vectors[2 * COUNT];
            random.state = seed; /* the same numbers again */
            for (int i = 0; i < 2 * COUNT; i++) {
                const int factors = (int)test_random_below(&random, 5);
                product(&random, numbers, factors, exact != 0, &vectors[i], x[i]);
            }
            if (test_random_below(&random, 4) == 0) {
                make_alike(&random, exact != 0, vectors, x);
            }
            mpq_set_ui(sums[0], 0, 1);
            mpq_set_ui(sums[1], 0, 1);
            for (int i = 0; i < 2 * COUNT; i++) {
                mpq_mul(x[i], x[i], x[i]);
                mpq_add(sums[i / COUNT], sums[i / COUNT], x[i]);
            }
            const sli_tribool got = sli_is_length_at_most(COUNT, vectors, COUNT, vectors + COUNT);
            const int order = mpq_cmp(sums[0], sums[1]);
            const sli_tribool right = order <= 0 ? SLI_YES : SLI_NO;
            assert_true(got == right || (exact == 0 && got == SLI_UNSURE));
            answers[got]++;
            equal += order == 0;
        }
    }
    print_message("seed 6001: no %zu, unsure %zu, yes %zu; equal %zu\n", answers[SLI_NO],
                  answers[SLI_UNSURE], answers[SLI_YES], equal);
    assert_true(answers[SLI_NO] > rounds / 4 && answers[SLI_YES] > rounds / 4);
    assert_true(answers[SLI_UNSURE] > rounds / 20 && equal > rounds / 100);
    for (int i = 0; i < 2 * COUNT; i++) {
        mpq_clear(x[i]);
    }
    mpq_clears(sums[0], sums[1], NULL);
}

/* What is asked, and how often. */
typedef struct script {
    const sli_tribool *first;  /* the answers */
    const sli_tribool *second; /* after sharpening */
    int asked, sharpened;
} script;

static sli_tribool answer(void *context, int test)
{
    script *s = context;
    s->asked++;
    return (s->sharpened > 0 ? s->second : s->first)[test];
}

static void sharpen(void *context, bool exact)
{
    (void)exact;
    script *s = context;
    s->sharpened++;
}

static void assert_any(const sli_tribool *first, const sli_tribool *second, int count, bool any,
                       int asked, int sharpened)
{
    script s = { .first = first, .second = second };
    assert_int_equal(sli_any(&(sli_tests){ &s, answer, sharpen }, count), any);
    assert_int_equal(s.asked, asked);
    assert_int_equal(s.sharpened, sharpened);
}

TEST(only_unsure_questions_are_asked_again)
{
    const sli_tribool no = SLI_NO, yes = SLI_YES, unsure = SLI_UNSURE;
    const sli_tribool none[3] = { no, no, no }, one[3] = { unsure, yes, no };
    const sli_tribool open[3] = { no, unsure, unsure };
    const sli_tribool last[3] = { yes, no, yes }; /* the first is not asked again */
    assert_any(none, NULL, 3, false, 3, 0);
    assert_any(none, NULL, 0, false, 0, 0);
    assert_any(one, NULL, 3, true, 2, 0);
    assert_any(open, last, 3, true, 5, 1);
    assert_any(open, none, 3, false, 5, 1);
}

TEST(every_question_has_a_place)
{
    sli_tribool first[SLI_TESTS_MAX], second[SLI_TESTS_MAX] = { SLI_NO };
    for (int i = 0; i < SLI_TESTS_MAX; i++) {
        first[i] = SLI_UNSURE;
    }
    assert_any(first, second, SLI_TESTS_MAX, false, 2 * SLI_TESTS_MAX, 1);
    second[SLI_TESTS_MAX - 1] = SLI_YES;
    assert_any(first, second, SLI_TESTS_MAX, true, 2 * SLI_TESTS_MAX, 1);
}
