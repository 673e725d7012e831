/* One answer, whatever is combined: kernels, workers, builds, floating-point environments and
 * locales.
 *
 * Every combination gives the number that is written down in fixed_questions.h.  By default those
 * are asked in which each pair of settings meets; with SIGHTLINE_TEST_SCALE above 1, all of them.
 */
#include "bvh/kernel/kernel.h"
#include "test/support/environment/callers_env.h"
#include "test/support/environment/comma_locale.h"
#include "test/support/environment/environment.h"
#include "test/support/query/fixed_questions.h"
#include "test/support/query/pairwise.h"
#include "test/support/test.h"

#include <locale.h>
#include <time.h>

enum { KERNELS, WORKERS, BUILDS, ENVIRONMENTS, LOCALES };

static const int worker_counts[] = { 1, 2, 3, 8, 33 };

static const struct {
    const char *name;
    sl_bvh_quality quality;
    sl_bvh_layout layout;
} builds[] = {
    { "fast", SL_BVH_QUALITY_FAST, SL_BVH_LAYOUT_DEFAULT },
    { "default", SL_BVH_QUALITY_DEFAULT, SL_BVH_LAYOUT_DEFAULT },
    { "high", SL_BVH_QUALITY_HIGH, SL_BVH_LAYOUT_DEFAULT },
    { "fast, compact", SL_BVH_QUALITY_FAST, SL_BVH_LAYOUT_COMPACT },
    { "default, compact", SL_BVH_QUALITY_DEFAULT, SL_BVH_LAYOUT_COMPACT },
    { "high, compact", SL_BVH_QUALITY_HIGH, SL_BVH_LAYOUT_COMPACT },
};

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof(array)[0]))

typedef struct matrix {
    fixed_queries *queries;
    const char *comma;
    int counts[PAIRWISE_KINDS];
    size_t all;
} matrix;

TEST_BEFORE_ALL
{
    matrix *m = calloc(1, sizeof *m);
    m->queries = fixed_queries_make();
    m->comma = comma_locale();
    while (sli_kernels_at(m->counts[KERNELS]) != NULL) {
        m->counts[KERNELS]++;
    }
    m->counts[WORKERS] = COUNT_OF(worker_counts);
    m->counts[BUILDS] = COUNT_OF(builds);
    m->counts[ENVIRONMENTS] = callers_env_count();
    m->counts[LOCALES] = m->comma != NULL ? 2 : 1;
    m->all = 1;
    for (int kind = 0; kind < PAIRWISE_KINDS; kind++) {
        m->all *= (size_t)m->counts[kind];
    }
    *state = m;
    assert_non_null(m->queries);
}

TEST_AFTER_ALL
{
    matrix *m = *state;
    fixed_queries_free(m->queries);
    free(m);
}

/* The threads of the pool, too, are made in the environment and have it. */
static uint64_t hash_of(const matrix *m, const pairwise_row *row, bool *kept)
{
    const int build = row->of[BUILDS], env = row->of[ENVIRONMENTS];
    uint64_t h = 0;
    sl_pool *pool = NULL;
    test_setenv("SIGHTLINE_ISA", sli_kernels_at(row->of[KERNELS])->name);
    setlocale(LC_ALL, row->of[LOCALES] == 1 ? m->comma : "C");
    callers_env_set(env);
    if (sl_pool_create(worker_counts[row->of[WORKERS]], NULL, &pool, NULL) == SL_OK) {
        h = fixed_queries_hash(m->queries, builds[build].quality, builds[build].layout,
                               sl_pool_tasks(pool));
        sl_pool_destroy(pool);
    }
    *kept = callers_env_is(env);
    callers_env_reset();
    setlocale(LC_ALL, "C");
    test_unsetenv("SIGHTLINE_ISA");
    return h;
}

static void check(const matrix *m, const pairwise_row *row)
{
    bool kept;
    const uint64_t h = hash_of(m, row, &kept);
    if (h != FIXED_HASH || !kept) {
        print_error("hash %016llx, environment %s: kernel %s, %d workers, build %s, rounding %s, "
                    "locale %s\n",
                    (unsigned long long)h, kept ? "kept" : "changed",
                    sli_kernels_at(row->of[KERNELS])->name, worker_counts[row->of[WORKERS]],
                    builds[row->of[BUILDS]].name, callers_env_name(row->of[ENVIRONMENTS]),
                    row->of[LOCALES] == 1 ? m->comma : "C");
    }
    assert_true(h == FIXED_HASH);
    assert_true(kept);
}

TEST(every_combination_gives_the_same_answers)
{
    const matrix *m = *state;
    FREED pairwise_row *rows = calloc(m->all, sizeof *rows);
    size_t count = m->all;
    if (test_scale() > 1) {
        for (size_t i = 0; i < count; i++) {
            rows[i] = pairwise_row_at(m->counts, i);
        }
    } else {
        count = pairwise_rows(m->counts, rows, m->all);
    }
    double longest = 0;
    const size_t step = test_is_brief() ? 3 : 1;
    for (size_t i = 0; i < count; i += step) {
        const clock_t start = clock();
        check(m, &rows[i]);
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        longest = seconds > longest ? seconds : longest;
    }
    print_message("hash %016llx by %d of %d combinations, %s, at most %.0f ms each\n",
                  (unsigned long long)FIXED_HASH, (int)((count + step - 1) / step), (int)m->all,
                  m->comma != NULL ? m->comma : "without a locale with commas", longest * 1e3);
}

TEST(every_pair_of_settings_meets)
{
    const matrix *m = *state;
    FREED pairwise_row *rows = calloc(m->all, sizeof *rows);
    const size_t count = pairwise_rows(m->counts, rows, m->all);
    int varied = 0;
    for (int kind = 0; kind < PAIRWISE_KINDS; kind++) {
        varied += m->counts[kind] > 1;
    }
    assert_true(count < m->all || varied <= 2); /* of two settings all pairs are all there is */
    for (size_t i = 0; i < m->all; i++) {
        const pairwise_row wanted = pairwise_row_at(m->counts, i);
        for (int a = 0; a < PAIRWISE_KINDS; a++) {
            for (int b = a + 1; b < PAIRWISE_KINDS; b++) {
                size_t r = 0;
                while (r < count &&
                       (rows[r].of[a] != wanted.of[a] || rows[r].of[b] != wanted.of[b])) {
                    r++;
                }
                assert_true(r < count);
            }
        }
    }
}
