/* No question to a tree of either kind, or to an emptied one, and no line of sight allocates: each
 * call of the headers, with wild numbers in each place, while malloc has nothing to give. */
#include "test/support/environment/no_memory.h"
#include "test/support/query/every_call.h"
#include "test/support/test.h"

static bool is_of(int call, const char *function)
{
    const size_t length = strlen(function);
    return strncmp(every_call_name(call), function, length) == 0 &&
           every_call_name(call)[length] == ' ';
}

/* Updates of selections make room for what is new about the region and the picture (select.h);
 * curves, reports and solids for what there is of them. */
static bool may_allocate(int call)
{
    return is_of(call, "sl_selection_update") || is_of(call, "sl_selection_reset") ||
           is_of(call, "sl_bvh_clash_curves") || is_of(call, "sl_clashes_find") ||
           is_of(call, "sl_bvh_solids");
}

/* What makes something, and says so by failing. */
static bool allocates(int call)
{
    return is_of(call, "sl_bvh_build_instances") || is_of(call, "sl_bvh_flatten") ||
           is_of(call, "sl_bvh_find_seams") || is_of(call, "sl_sight_memory_create") ||
           is_of(call, "sl_selection_create") || is_of(call, "sl_marks_build");
}

/* How many allocations a call asks for, and does not get. */
static size_t allocations_of(int call)
{
    no_memory_begin();
    every_call_make(call);
    return no_memory_end();
}

static void query_everything(void)
{
    for (int i = every_call_first_of_trees; i < every_call_count; i++) {
        if (allocations_of(i) != 0 && !allocates(i) && !may_allocate(i)) {
            fail_msg("%s allocates", every_call_name(i));
        }
        assert_false(every_call_free());
    }
}

/* A recycled tree that a failed build has emptied. */
static sl_bvh *make_emptied(void)
{
    const sl_instance bad = { .bvh = in.torus };
    sl_instances_def def = { .recycle = made_scene(NULL, 0, NULL) };
    sl_bvh *none;
    assert_int_equal(sl_bvh_build_instances(&bad, 1, &def, &none, NULL), SL_BAD_DATA);
    return def.recycle;
}

TEST(no_call_allocates)
{
    OWN(sl_bvh) emptied = make_emptied();
    const sl_bvh *trees[] = { sc.scene, in.torus, emptied };
    const sl_options queries[] = {
        { .flags = 0 },
        { .flags = SL_OPEN_START | SL_OPEN_END | SL_CROSSINGS, .mask = 7, .cull = SL_CULL_BACK },
    };
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
        in.query = queries[q];
        sc.sight.options = sc.sight_d.options = &in.query;
        for (int i = 0; i < 3 * WILD_KINDS * WILD_PLACES; i++) {
            asked = trees[i % 3];
            wild_fill(&sc, i / 3 / WILD_PLACES, i / 3 % WILD_PLACES);
            query_everything();
        }
    }
    asked = sc.scene;
}

/* The wrapping is no dead letter. */
TEST(what_allocates_is_counted)
{
    for (int i = every_call_first_of_trees; i < every_call_count; i++) {
        if ((allocations_of(i) != 0) != allocates(i) && !may_allocate(i)) {
            assert_true(is_of(i, "sl_bvh_find_seams")); /* refused for its tolerance */
        }
    }
}

TEST_BEFORE_ALL
{
    every_call_begin();
}

TEST_AFTER_ALL
{
    every_call_end();
}
