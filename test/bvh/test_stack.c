/* How much stack queries take: every one of them, on every kernel, at most 64 KiB, but fans, which sort their
 * rays there; so that all run on threads with 128 KiB, which is what some C libraries give. */
#include "bvh/kernel/kernel.h"
#include "test/support/every_query.h"
#include "test/support/painted_stack.h"
#include "test/support/random.h"
#include "test/support/shred.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    SEED = 20261124,
    LIMIT = 64 * 1024,
    FAN_LIMIT = 108 * 1024,
    SMALL = 128 * 1024, /* stack of a whole thread */
    LARGE = 192 * 1024, /* to measure in */
    ALONE = 3,          /* items that are asked one by one */
    PATCH = 128,        /* of each kind of ray: packets, crowds and a rest */
    COUNT = 4 * PATCH + 37
};

/* ---- What is asked ---- */

/* Rays of a camera, whose lines meet; of a beam, whose lines do not; and around a point of the surface. */
static void make_coherent(query_table *t, const sl_mesh *mesh)
{
    test_random random = { SEED };
    const sl_aabb box = sl_mesh_get_info(mesh).bounds;
    for (size_t i = 0; i < 3 * PATCH; i++) {
        sl_ray *ray = &t->rays[i];
        sl_segment *segment = &t->segments[i];
        *ray = (sl_ray){ .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            const float low = box.min[axis], size = box.max[axis] - low;
            const float part = (float)(i % 16) / 16 + (float)axis, step = (float)(i / 16 % 16) / 16;
            ray->origin[axis] = low - size * (i < PATCH ? 1.2f : 0.3f + 0.02f * part);
            ray->dir[axis] = size * (axis == 0 ? 1 : 0.9f + 0.06f * (axis == 1 ? part : step));
            if (i >= 2 * PATCH) {
                ray->origin[axis] = low + size * (0.5f + 0.01f * part);
                ray->dir[axis] = test_random_in(&random, -1, 1);
            }
            segment->p[axis] = ray->origin[axis];
            segment->q[axis] = ray->origin[axis] + 2 * ray->dir[axis];
        }
    }
}

static sl_mesh *make_mesh(void)
{
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_soup_random(700, 0.3f, 5, NULL, &mesh, NULL), SL_OK);
    return mesh;
}

static sl_bvh *build(const sl_mesh *mesh, sl_layout layout)
{
    sl_build_def def = sl_default_build_def();
    sl_bvh *bvh = NULL;
    def.layout = layout;
    assert_int_equal(sl_bvh_build(mesh, &def, &bvh, NULL), SL_OK);
    return bvh;
}

static void ask_everything(query_table *t)
{
    for (size_t i = 0; i < ALONE; i++) {
        every_query_alone(t, i * (COUNT / ALONE));
    }
    every_query_in_bulk(t);
}

/* Plainly, and with every option; on this tree as it is, and as the deepest there may be: how much room
 * a ray in flight gets goes by the depth that the tree tells of itself, and only by that. */
static void ask_tree(query_table *t, sl_bvh *bvh)
{
    static sl_ray_opt per_ray[COUNT];
    sl_stats stats = { .rays = 0 };
    for (size_t i = 0; i < COUNT; i++) {
        per_ray[i] = (sl_ray_opt){ .mask = UINT32_MAX, .skip = { (uint32_t)i, SL_NONE } };
    }
    const uint32_t depth = bvh->info.depth;
    t->bvh = bvh;
    for (int i = 0; i < 2; i++) {
        bvh->info.depth = i == 0 ? depth : SLI_MAX_DEPTH;
        t->query = (sl_query){ .flags = 0 };
        ask_everything(t);
    }
    t->query = (sl_query){ .flags = SL_USE_MASK | SL_USE_SKIP | SL_OPEN_START | SL_CROSSINGS,
                           .cull = SL_CULL_BACK,
                           .per_ray = per_ray,
                           .stats = &stats };
    ask_everything(t);
    bvh->info.depth = depth;
    assert_true(stats.exact_stage > 0);
}

/* On a plain tree, a compact one, and one whose triangles stand in several leaves; every kernel. */
static void ask_all(query_table *t, const sl_mesh *mesh)
{
    sl_bvh *trees[] = { build(mesh, SL_LAYOUT_DEFAULT), build(mesh, SL_LAYOUT_COMPACT),
                        shred_build(mesh, NULL, SEED) };
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            trees[i]->kernels = sli_kernels_at(k);
            ask_tree(t, trees[i]);
        }
        sl_bvh_destroy(trees[i]);
    }
}

/* ---- How deep it goes ---- */

typedef struct watch {
    painted_stack *stack;
    query_table *table;
    const sl_mesh *mesh;
    size_t worst, worst_fan;
} watch;

static bool is_fan(const char *name)
{
    return strncmp(name, "sl_bvh_fan_", strlen("sl_bvh_fan_")) == 0;
}

static void look(void *user, const char *name)
{
    watch *w = user;
    const size_t depth = painted_stack_depth(w->stack);
    const size_t limit = is_fan(name) ? FAN_LIMIT : LIMIT;
    size_t *worst = is_fan(name) ? &w->worst_fan : &w->worst;
    if (depth > limit || getenv("SIGHTLINE_SHOW") != NULL) {
        printf("%s (%s, %u levels): %zu bytes\n", name, w->table->bvh->kernels->name,
               w->table->bvh->info.depth, depth);
    }
    *worst = depth > *worst ? depth : *worst;
}

static void measure(painted_stack *stack, void *context)
{
    watch *w = context;
    w->stack = stack;
    ask_all(w->table, w->mesh);
}

static void skip_large_frames(void)
{
    if (painted_stack_is_padded()) {
        print_message("not with these frames\n");
        skip();
    }
}

static void no_query_takes_more_than_it_may(void **state)
{
    (void)state;
    skip_large_frames();
    sl_mesh *mesh = make_mesh();
    query_table table = query_table_make(mesh, COUNT, NULL, SEED);
    watch w = { .table = &table, .mesh = mesh };
    make_coherent(&table, mesh);
    ask_all(&table, mesh); /* so that the linker has done its work, which takes stack */
    table.asked = look;
    table.user = &w;
    assert_true(painted_stack_run(LARGE, measure, &w));
    print_message("most: %zu bytes; of fans %zu\n", w.worst, w.worst_fan);
    assert_in_range(w.worst, 1, LIMIT);
    assert_in_range(w.worst_fan, 1, FAN_LIMIT);
    query_table_free(&table);
    sl_mesh_destroy(mesh);
}

static void ask_in_small_stack(painted_stack *stack, void *context)
{
    (void)stack;
    watch *w = context;
    ask_all(w->table, w->mesh);
}

/* Nothing to assert: who takes more has come upon memory that faults. */
static void queries_run_in_128_kib(void **state)
{
    (void)state;
    skip_large_frames();
    sl_mesh *mesh = make_mesh();
    query_table table = query_table_make(mesh, COUNT, NULL, SEED);
    watch w = { .table = &table, .mesh = mesh };
    make_coherent(&table, mesh);
    assert_true(painted_stack_run(SMALL, ask_in_small_stack, &w));
    assert_true(table.sum > 0);
    query_table_free(&table);
    sl_mesh_destroy(mesh);
}

/* ---- That it could be seen ---- */

static __attribute__((noinline)) void touch_below(void)
{
    volatile char room[FAN_LIMIT + 128];
    for (size_t i = 0; i < sizeof room; i += 64) {
        room[i] = (char)i;
    }
}

static void call_below(painted_stack *stack, void *context)
{
    touch_below();
    *(size_t *)context = painted_stack_depth(stack);
}

static void what_takes_more_is_seen(void **state)
{
    (void)state;
    size_t depth = 0;
    assert_true(painted_stack_run(LARGE, call_below, &depth));
    assert_in_range(depth, FAN_LIMIT + 1, FAN_LIMIT + 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_takes_more_is_seen),
        cmocka_unit_test(no_query_takes_more_than_it_may),
        cmocka_unit_test(queries_run_in_128_kib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
