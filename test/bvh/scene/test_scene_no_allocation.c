/* No question to a tree of either kind and no line of sight allocates: each call of the headers,
 * with wild numbers in each place, while malloc has nothing to give. */
#include "test/bvh/traps_scene_calls.h"
#include "test/support/environment/no_memory.h"
#include "test/support/input/wild.h"
#include "test/support/test.h"

enum { COUNT = WILD_COUNT, KEPT = 4 };

static wild sc;
static const sl_bvh *asked;
static sl_rays apart;
static uint64_t totals[COUNT];
static size_t steps;
static struct {
    sl_bvh *bvh;
    sl_options query;
    double wide[4];
    sl_view view;
    sl_region region, lasso;
    sl_selection *selection[2];
} in;
static struct {
    sl_mesh *mesh;
    sl_bvh *scene;
    sl_sight_memory *memory;
    sl_selection *selection;
    sl_marks *marks;
} made;
static max_align_t buffer[8192];
static void *const room = buffer;
static sl_error error;

static const char *const names[] = {
#define NAME(function, arguments) #function,
    TRAPS_SCENE_CALLS(NAME)
#undef NAME
};

enum { CALLS = sizeof names / sizeof names[0] };

static void make_call(int which)
{
    int place = 0;
#define MAKE(function, arguments)                                                                  \
    if (place++ == which) {                                                                        \
        (void)function arguments;                                                                  \
    }
    TRAPS_SCENE_CALLS(MAKE)
#undef MAKE
}

/* Updates of selections make room for what is new about the region and the picture (select.h). */
static bool may_allocate(const char *name)
{
    return strcmp(name, "sl_selection_update") == 0 || strcmp(name, "sl_selection_reset") == 0;
}

/* What makes something, and says so by failing. */
static bool allocates(const char *name)
{
    static const char *const makers[] = { "sl_bvh_build_instances", "sl_bvh_flatten",
                                          "sl_bvh_find_seams",      "sl_sight_memory_create",
                                          "sl_selection_create",    "sl_marks_build" };
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        if (strcmp(name, makers[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void query_everything(void)
{
    for (int i = 0; i < CALLS; i++) {
        no_memory_begin();
        make_call(i);
        const size_t calls = no_memory_end();
        if (!allocates(names[i]) && !may_allocate(names[i]) && calls != 0) {
            fail_msg("%s allocates", names[i]);
        }
        assert_true(made.mesh == NULL && made.scene == NULL && made.memory == NULL);
        assert_true(made.selection == NULL && made.marks == NULL);
    }
}

TEST(no_call_allocates)
{
    const sl_options queries[] = {
        { .flags = 0 },
        { .flags = SL_OPEN_START | SL_OPEN_END | SL_CROSSINGS, .mask = 7, .cull = SL_CULL_BACK },
    };
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
        in.query = queries[q];
        sc.sight.options = sc.sight_d.options = &in.query;
        for (int i = 0; i < 2 * WILD_KINDS * WILD_PLACES; i++) {
            asked = i % 2 == 0 ? sc.scene : in.bvh;
            wild_fill(&sc, i / 2 / WILD_PLACES, i / 2 % WILD_PLACES);
            query_everything();
        }
    }
}

/* The wrapping is no dead letter. */
TEST(what_allocates_is_counted)
{
    for (int i = 0; i < CALLS; i++) {
        no_memory_begin();
        make_call(i);
        if ((no_memory_end() != 0) != allocates(names[i]) && !may_allocate(names[i])) {
            assert_string_equal(names[i], "sl_bvh_find_seams"); /* refused for its tolerance */
        }
    }
}

static void make_selections(void)
{
    sl_camera camera = made_camera(NULL);
    in.view = (sl_view){ .camera = camera };
    in.wide[2] = 300;
    in.wide[3] = 200;
    in.region = sl_region_rectangle(in.wide, in.wide + 2);
    in.lasso = (sl_region){ .kind = SL_REGION_LASSO, .corners = in.wide, .corner_count = 2 };
    for (int i = 0; i < 2; i++) {
        sl_selection_def def = { 0 };
        def.mode = i == 0 ? SL_SELECT_INSIDE : SL_SELECT_VISIBLE;
        def.unit = i == 0 ? SL_SELECT_TRIANGLES : SL_SELECT_EDGES;
        assert_int_equal(sl_selection_create(sc.scene, &in.view, &def, &in.selection[i], NULL),
                         SL_OK);
    }
}

TEST_BEFORE_ALL
{
    in.bvh = made_bvh_alone(made_torus(8, 6, 2, 1), NULL);
    wild_make(&sc, in.bvh);
    asked = sc.scene;
    apart = sl_rays_of(sc.rays, COUNT);
    apart.origin[1] = &sc.rays->origin[1];
    apart.origin[2] = &sc.rays->origin[2];
    make_selections();
}

TEST_AFTER_ALL
{
    sl_selection_destroy(in.selection[0]);
    sl_selection_destroy(in.selection[1]);
    wild_free(&sc);
    sl_bvh_destroy(in.bvh);
}
