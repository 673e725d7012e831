#include "test/faults/fault_selections.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

#include "test/support/query/answers_hash.h"
#include "test/support/selection/polygons.h"

enum { WIDTH = 60, HEIGHT = 40, REGIONS = 5, CORNERS = 1100, UNITS = 6, MODES = 3 };

static const sl_tasks *tasks;
static sl_bvh *one, *two; /* a tree once, and in three places */
static sl_view view;
static double corners[2][2 * CORNERS];

/* A lasso of many long sides takes the most memory, and much time, so one unit has it; the last of
 * them is no larger than one that was there before. */
static sl_region region_of(const fault_case *self, int i)
{
    const size_t many =
        SL_SELECT_INSTANCES + self->how % UNITS == SL_SELECT_TRIANGLES ? CORNERS : 60;
    static const double p[2] = { -1, -1 }, q[2] = { WIDTH / 2.0, HEIGHT + 1 };
    return i == 0 ? sl_region_rectangle(p, q)
           : i == 1
               ? (sl_region){ .kind = SL_REGION_LASSO, .corners = corners[0], .corner_count = 20 }
           : i == 2 ? sl_region_brush(p, q, 9)
           : i == 3
               ? (sl_region){ .kind = SL_REGION_LASSO, .corners = corners[1], .corner_count = many }
               : (sl_region){ .kind = SL_REGION_LASSO,
                              .corners = corners[0],
                              .corner_count = many / 2 };
}

static uint64_t hash_of(const sl_selection *s)
{
    const sl_selection_info info = sl_selection_get_info(s);
    const uint64_t hash = test_hash(TEST_HASH_NOTHING, sl_selection_of(s, SL_NONE).words,
                                    (size_t)info.word_count * sizeof(uint64_t), 8);
    return hash + info.selected;
}

/* What is refused leaves the answer as it was. */
static sl_result go_on(const fault_case *self, fault_run *run, sl_selection *s)
{
    for (int i = 0; i < REGIONS; i++) {
        const uint64_t before = hash_of(s);
        const sl_region region = region_of(self, i);
        const sl_result result =
            sl_selection_update(s, &region, self->workers > 0 ? tasks : NULL, &run->error);
        if (result != SL_OK) {
            assert_true(hash_of(s) == before);
            return result;
        }
        run->answer = 31 * run->answer + hash_of(s);
    }
    return SL_OK;
}

static sl_result selects(const fault_case *self, fault_run *run)
{
    sl_selection_def def = { 0 };
    OWN(sl_selection) s = NULL;
    def.hooks.allocator = run->memory;
    def.unit = (sl_select_unit)(SL_SELECT_INSTANCES + self->how % UNITS);
    def.mode = (sl_select_mode)(self->how / UNITS);
    sl_result result = sl_selection_create(one, &view, &def, &s, &run->error);
    assert_true((result == SL_OK) == (s != NULL));
    result = result == SL_OK ? go_on(self, run, s) : result;
    if (result == SL_OK) {
        const uint64_t before = hash_of(s);
        result = sl_selection_reset(s, two, &view, &run->error);
        assert_true(result == SL_OK || hash_of(s) == before);
        result = result == SL_OK ? go_on(self, run, s) : result;
    }
    return result;
}

static void make_scenes(const sl_bvh *tree)
{
    sl_instance instances[3];
    sl_camera_def def = { 0 };
    const sl_aabb box = bounds_in_floats(tree);
    for (int i = 0; i < 3; i++) {
        instances[i] = sl_instance_of(tree);
        instances[i].transform.m[0][3] = 0.75 * i;
    }
    one = made_scene(instances, 1, NULL);
    two = made_scene(instances, 3, NULL);
    def.width = WIDTH;
    def.height = HEIGHT;
    assert_int_equal(sl_camera_fit(&box, NULL, (float[3]){ 0.2f, 0.4f, 1 }, &def, NULL), SL_OK);
    view.camera = made_camera(&def);
    for (int i = 0; i < 2; i++) {
        polygon_make(&(polygon_def){ .kind = i == 0 ? POLYGON_STAR : POLYGON_COMB,
                                     .count = CORNERS,
                                     .param = 0.3,
                                     .at = { 5, 5 },
                                     .size = { WIDTH - 10, HEIGHT - 10 } },
                     corners[i]);
    }
}

void fault_selections_add(fault_case *cases, size_t *count, size_t most, const sl_bvh *tree,
                          const sl_tasks *by)
{
    static const char *const modes[MODES] = { "touched", "inside", "visible" };
    tasks = by;
    make_scenes(tree);
    for (int i = 0; i < UNITS * MODES; i++) {
        assert_true(*count < most);
        fault_case *added = &cases[(*count)++];
        *added =
            (fault_case){ .run = selects, .how = i, .workers = i / UNITS == 2, .has_hook = true };
        snprintf(added->name, sizeof added->name, "select unit %d, %s",
                 SL_SELECT_INSTANCES + i % UNITS, modes[i / UNITS]);
    }
}

void fault_selections_end(void)
{
    sl_bvh_destroy(one);
    sl_bvh_destroy(two);
}
