/* Regions of all kinds over crowds of up to 5,000 triangles, against everything one by one
 * (selection_oracle.h): each unit and mode, with and without topologies, masks, skips, instances
 * left out and cull; a selection that goes from region to region, and fresh ones.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds: 7 * N worlds, 35 * N regions, of which
 * the last of each world may be a lasso of up to 10,000 corners (400 over 5,000 triangles).  29 are
 * a thousand regions, in six minutes. */
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/selection/drawn.h"
#include "test/support/selection/selection_oracle.h"
#include "test/support/test.h"

enum { SEED = 20261127, WORLDS = 7, REGIONS = 5, UNITS = 6, MODES = 3 };

typedef struct world {
    crowd crowd;
    sl_view view;
    sl_options query;
    sl_triangle_ref skipped[2];
    sl_instance_range ignored[2];
    selection_oracle *oracle;
    bool has_topologies;
    sl_selection *moving[MODES][UNITS];
    scrambled_tasks scrambled;
    const sl_tasks *tasks;
} world;

static size_t regions, differences, compared, left_open;
static uint64_t selected[MODES], not_selected[MODES];

static void draw_query(const crowd *of, test_random *random, world *w)
{
    double v[3][3];
    sl_options *q = &w->query;
    *q = (sl_options){ .cull = (sl_cull)test_random_below(random, 3) };
    q->mask = test_random_below(random, 3) == 0 ? 1 + test_random_below(random, 15) : 0;
    if (test_random_below(random, 3) == 0) {
        w->skipped[0] = crowd_triangle(of, random, v);
        w->skipped[1] = crowd_triangle(of, random, v);
        q->skip = w->skipped;
        q->skip_count = 2;
    }
    if (test_random_below(random, 3) == 0) {
        w->ignored[0] = (sl_instance_range){ test_random_below(random, of->instances), 1 };
        w->ignored[1] = (sl_instance_range){ test_random_below(random, of->instances + 2), 2 };
        q->ignore = w->ignored;
        q->ignore_count = 2;
    }
}

static sl_selection *make(const world *w, int mode, int unit)
{
    sl_selection_def def = { 0 };
    sl_selection *out;
    def.mode = (sl_select_mode)mode;
    def.unit = (sl_select_unit)(SL_SELECT_INSTANCES + unit);
    def.options = &w->query;
    def.topologies = w->has_topologies ? w->crowd.topologies : NULL;
    assert_int_equal(sl_selection_create(w->crowd.scene, &w->view, &def, &out, NULL), SL_OK);
    return out;
}

static void open_world(world *w, size_t number, test_random *random)
{
    const double large = test_is_brief() ? 300 : 5000;
    const size_t triangles = (size_t)(20 * pow(large / 20, (double)test_random_unit(random)));
    memset(w, 0, sizeof *w);
    crowd_make(&w->crowd, (world_kind)(number % WORLD_KINDS),
               number % 5 == 4 ? (size_t)large : triangles, random);
    w->view = crowd_view(&w->crowd, 20 + test_random_below(random, 140),
                         10 + test_random_below(random, 50), random);
    draw_query(&w->crowd, random, w);
    w->has_topologies = test_random_below(random, 2) == 0;
    w->oracle = selection_oracle_make(w->crowd.scene, &w->view, &w->query,
                                      w->has_topologies ? w->crowd.topologies : NULL);
    w->tasks = scrambled_tasks_start(&w->scrambled, 3, number);
    for (int i = 0; i < MODES * UNITS; i++) {
        w->moving[i / UNITS][i % UNITS] = make(w, i / UNITS, i % UNITS);
    }
}

static void close_world(world *w)
{
    for (int i = 0; i < MODES * UNITS; i++) {
        sl_selection_destroy(w->moving[i / UNITS][i % UNITS]);
    }
    selection_oracle_free(w->oracle);
    crowd_destroy(&w->crowd);
}

/* The same bits, whether it came from another region or from nothing. */
static bool is_same(const sl_selection *a, const sl_selection *b)
{
    const sl_selection_info of_a = sl_selection_get_info(a), of_b = sl_selection_get_info(b);
    return of_a.selected == of_b.selected && of_a.word_count == of_b.word_count &&
           memcmp(sl_selection_of(a, SL_NONE).words, sl_selection_of(b, SL_NONE).words,
                  (size_t)of_a.word_count * sizeof(uint64_t)) == 0;
}

static void count_selected(const crowd *of, const sl_selection *s, int mode)
{
    for (uint32_t i = 0; i < of->instances; i++) {
        selected[mode] += sl_selection_of(s, i).selected;
        not_selected[mode] += sl_selection_of(s, i).bit_count - sl_selection_of(s, i).selected;
    }
}

static void compare(world *w, const sl_region *region, const char *what)
{
    for (int mode = 0; mode < MODES; mode++) {
        left_open += selection_oracle_ask(w->oracle, region, (sl_select_mode)mode);
        for (int unit = 0; unit < UNITS; unit++) {
            sl_selection *fresh = make(w, mode, unit), *moving = w->moving[mode][unit];
            assert_int_equal(sl_selection_update(fresh, region, NULL, NULL), SL_OK);
            assert_int_equal(sl_selection_update(moving, region, w->tasks, NULL), SL_OK);
            const uint64_t wrong = selection_oracle_differences(
                w->oracle, (sl_select_unit)(SL_SELECT_INSTANCES + unit), fresh);
            if (wrong > 0 || !is_same(fresh, moving)) {
                print_message("%s: kind %d, %zu corners, mode %d, unit %d: %llu differ%s\n", what,
                              (int)region->kind, region->corner_count, mode, unit,
                              (unsigned long long)wrong,
                              is_same(fresh, moving) ? "" : ", and from one that moved");
                differences += wrong + !is_same(fresh, moving);
            }
            count_selected(&w->crowd, fresh, mode);
            compared++;
            sl_selection_destroy(fresh);
        }
    }
}

/* As many as fractions have time for. */
static size_t corners_for(const crowd *of, bool many)
{
    const sl_bvh_info info = sl_bvh_get_info(of->scene);
    const size_t most = 2000000 / ((size_t)info.triangle_count + 1);
    return !many ? 100 : most < DRAWN_CORNERS ? most : DRAWN_CORNERS;
}

TEST(regions_select_what_each_element_says)
{
    static drawn region;
    const uint64_t seed = test_seed(SEED);
    const size_t worlds = test_is_brief() ? WORLD_KINDS : WORLDS * test_scale();
    print_message("seed %llu\n", (unsigned long long)seed);
    for (size_t number = 0; number < worlds; number++) {
        test_random random = { seed + 1000003 * number };
        UNDONE(close_world) world w;
        open_world(&w, number, &random);
        for (int r = 0; r < (test_is_brief() ? 2 : REGIONS); r++) {
            char what[64];
            snprintf(what, sizeof what, "world %zu, region %d", number, r);
            drawn_region(&w.crowd, &w.view, corners_for(&w.crowd, r == REGIONS - 1), &random,
                         &region);
            compare(&w, &region.region, what);
            regions++;
        }
    }
    print_message("%zu regions, %zu selections; %zu triangles left open; %zu differ\n", regions,
                  compared, left_open, differences);
    for (int mode = 0; mode < MODES; mode++) {
        print_message("mode %d: %llu things selected, %llu not\n", mode,
                      (unsigned long long)selected[mode], (unsigned long long)not_selected[mode]);
        assert_true(test_is_brief() ||
                    (selected[mode] > 20 * regions && not_selected[mode] > 1000 * regions));
    }
    assert_int_equal(differences, 0);
}
