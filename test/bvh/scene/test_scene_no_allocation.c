/* No question to a scene and no line of sight allocates: each call of the headers, with wild
 * numbers in each place, while malloc has nothing to give. */
#include "test/bvh/traps_scene_calls.h"
#include "test/support/environment/no_memory.h"
#include "test/support/input/wild.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = WILD_COUNT, KEPT = 4 };

static wild sc;
static struct {
    sl_bvh *bvh;
    sl_query query;
    sl_hit_columns hit_columns;
} in;
static struct {
    sl_mesh *mesh;
    sl_scene *scene;
    sl_sight_memory *memory;
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

/* What makes something, and says so by failing. */
static bool allocates(const char *name)
{
    static const char *const makers[] = { "sl_scene_build", "sl_scene_flatten",
                                          "sl_scene_find_seams", "sl_sight_memory_create" };
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        if (strcmp(name, makers[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void ask_everything(void)
{
    for (int i = 0; i < CALLS; i++) {
        no_memory_begin();
        make_call(i);
        const size_t calls = no_memory_end();
        if (!allocates(names[i]) && calls != 0) {
            fail_msg("%s allocates", names[i]);
        }
        assert_true(made.mesh == NULL && made.scene == NULL && made.memory == NULL);
    }
}

static void no_call_allocates(void **state)
{
    (void)state;
    const sl_query queries[] = {
        { .flags = 0 },
        { .flags = SL_USE_MASK | SL_USE_SKIP | SL_OPEN_START | SL_OPEN_END | SL_USE_CROSSINGS,
          .mask = 7,
          .cull = SL_CULL_BACK },
    };
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
        in.query = queries[q];
        sc.sight.query = sc.sight_d.query = &in.query;
        for (int i = 0; i < WILD_KINDS * WILD_PLACES; i++) {
            wild_fill(&sc, i / WILD_PLACES, i % WILD_PLACES);
            ask_everything();
        }
    }
}

/* The wrapping is no dead letter. */
static void what_allocates_is_counted(void **state)
{
    (void)state;
    for (int i = 0; i < CALLS; i++) {
        no_memory_begin();
        make_call(i);
        if ((no_memory_end() != 0) != allocates(names[i])) {
            assert_string_equal(names[i], "sl_scene_find_seams"); /* refused for its tolerance */
        }
    }
}

static int make_all(void **state)
{
    (void)state;
    sl_mesh *mesh;
    assert_int_equal(sl_mesh_generate_torus(8, 6, 2, 1, NULL, &mesh, NULL), SL_OK);
    assert_int_equal(sl_bvh_build(mesh, NULL, &in.bvh, NULL), SL_OK);
    sl_mesh_destroy(mesh);
    in.hit_columns = (sl_hit_columns){ .prim = { room, sizeof(uint32_t) } };
    wild_make(&sc, in.bvh);
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    wild_free(&sc);
    sl_bvh_destroy(in.bvh);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_call_allocates),
        cmocka_unit_test(what_allocates_is_counted),
    };
    return cmocka_run_group_tests(tests, make_all, free_all);
}
