/* How much stack queries take: each of them, on every kernel, at most 48 KiB; those about arrays,
 * of which blocks are copied and sorted there, at most 60 KiB.  So threads with 64 KiB can make any
 * query. */
#include "bvh/kernel/kernel.h"
#include "lib/base/inline.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/input/deep.h"
#include "test/support/input/shred.h"
#include "test/support/query/every_query.h"
#include "test/support/test.h"

enum {
    SEED = 20261124,
    LIMIT = 48 * 1024,
    ARRAY_LIMIT = 60 * 1024,
    SMALL = 64 * 1024,  /* stack of a whole thread */
    LARGE = 192 * 1024, /* to measure in */
    ALONE = 3,          /* items that are asked one by one */
    PATCH = 64,         /* of each kind of ray: packets, hybrid packets and a rest */
    COUNT = 4 * PATCH + 37
};

/* ---- What is asked ---- */

/* Rays of a camera, whose lines meet; of a beam, whose lines do not, both towards the middle of a
 * side of the box, where the deep tree is deepest; and from points close to one another, in all
 * directions. */
static void make_coherent(query_table *t, const sl_mesh *mesh)
{
    test_random random = { SEED };
    const sl_aabb box = sl_mesh_get_info(mesh).bounds;
    for (size_t i = 0; i < 3 * PATCH; i++) {
        sl_ray *ray = &t->rays[i];
        sl_segment *segment = &t->segments[i];
        const float across[3] = { 0, (float)(i % 8) + 0.5f, (float)(i / 8 % 8) + 0.5f };
        *ray = (sl_ray){ .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            const float low = box.min[axis], size = box.max[axis] - low;
            const float from = axis == 0 ? low - 1.2f * size : low + 0.5f * size;
            const float step = across[axis] * 0x1p-16f * size, along = axis == 0 ? size : 0;
            ray->origin[axis] = i < PATCH ? from : from + step;
            ray->dir[axis] = i < PATCH ? along + step : along + 0x1p-10f * size;
            if (i >= 2 * PATCH) {
                ray->origin[axis] = low + 0.5f * size + step;
                ray->dir[axis] = test_random_in(&random, -1, 1);
            }
            segment->p[axis] = ray->origin[axis];
            segment->q[axis] = ray->origin[axis] + 2 * ray->dir[axis];
        }
    }
}

/* Triangles on top of one another; and such that the tree is as deep as trees are. */
enum { MESHES = 2 };

static sl_mesh *make_mesh(int which)
{
    if (which == 1) {
        return deep_mesh();
    }
    return made_soup(700, 0.3f, 5);
}

static sl_bvh *build(const sl_mesh *mesh, sl_bvh_layout layout)
{
    sl_build_def def = { .layout = layout };
    return made_bvh(mesh, &def);
}

static void query_everything(query_table *t)
{
    for (size_t i = 0; i < ALONE; i++) {
        every_query_alone(t, i * (COUNT / ALONE));
    }
    every_query_in_bulk(t);
}

static bool every_other_hit(void *user, size_t index, const sl_hit *hit)
{
    (void)user;
    return (index + hit->prim) % 2 == 0;
}

/* Plainly, with every option, and with a hit filter. */
static void query_tree(query_table *t, sl_bvh *bvh)
{
    static sl_item_options items[COUNT];
    static sl_triangle_ref skips[COUNT];
    sl_stats stats = { .rays = 0 };
    for (size_t i = 0; i < COUNT; i++) {
        skips[i] = (sl_triangle_ref){ 0, (uint32_t)i };
        items[i] = (sl_item_options){ .mask = UINT32_MAX, .skip = &skips[i], .skip_count = 1 };
    }
    t->bvh = bvh;
    t->stats = &stats;
    const sl_options queries[] = {
        { .flags = 0 },
        { .flags = SL_OPEN_START | SL_CROSSINGS, .cull = SL_CULL_BACK, .items = items },
        { .filter = every_other_hit },
    };
    for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++) {
        t->query = &queries[q];
        query_everything(t);
    }
    assert_true(stats.exact_stage > 0);
}

/* On a plain tree, a compact one, and one whose triangles stand in several leaves; every kernel. */
static void query_all(query_table *t, const sl_mesh *mesh)
{
    sl_bvh *trees[] = { build(mesh, SL_BVH_LAYOUT_DEFAULT), build(mesh, SL_BVH_LAYOUT_COMPACT),
                        shred_build(mesh, NULL, SEED) };
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            trees[i]->kernels = sli_kernels_at(k);
            query_tree(t, trees[i]);
        }
        sl_bvh_destroy(trees[i]);
    }
}

/* ---- How deep it goes ---- */

typedef struct watch {
    painted_stack *stack;
    query_table *table;
    const sl_mesh *mesh;
    size_t worst, worst_of_arrays;
} watch;

static bool is_about_array(const char *name)
{
    return strstr(name, "_many") != NULL || strstr(name, "winding") != NULL ||
           strstr(name, "sl_bvh_self") != NULL;
}

static void look(void *user, const char *name)
{
    watch *w = user;
    const size_t depth = painted_stack_depth(w->stack);
    const size_t limit = is_about_array(name) ? ARRAY_LIMIT : LIMIT;
    size_t *worst = is_about_array(name) ? &w->worst_of_arrays : &w->worst;
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
    query_all(w->table, w->mesh);
}

static void skip_large_frames(void)
{
    if (painted_stack_is_padded()) {
        print_message("not with these frames\n");
        skip();
    }
}

TEST(no_query_takes_more_than_it_may)
{
    skip_large_frames();
    watch w = { .worst = 0 };
    for (int which = 0; which < MESHES; which++) {
        OWN(sl_mesh) mesh = make_mesh(which);
        UNDONE(query_table_free) query_table table = query_table_make(mesh, COUNT, NULL, SEED);
        make_coherent(&table, mesh);
        if (which == 0) {
            query_all(&table, mesh); /* so that the linker has done its work, which takes stack */
        }
        w.table = &table;
        w.mesh = mesh;
        table.asked = look;
        table.user = &w;
        assert_true(painted_stack_run(LARGE, measure, &w));
    }
    print_message("most: %zu bytes; of arrays %zu\n", w.worst, w.worst_of_arrays);
    assert_in_range(w.worst, 1, LIMIT);
    assert_in_range(w.worst_of_arrays, 1, ARRAY_LIMIT);
}

static void query_in_small_stack(painted_stack *stack, void *context)
{
    (void)stack;
    watch *w = context;
    query_all(w->table, w->mesh);
}

/* Nothing to assert of the stack: a query that takes more comes upon memory that faults. */
TEST(all_run_in_64_kib)
{
    skip_large_frames();
    for (int which = 0; which < MESHES; which++) {
        OWN(sl_mesh) mesh = make_mesh(which);
        UNDONE(query_table_free) query_table table = query_table_make(mesh, COUNT, NULL, SEED);
        watch w = { .table = &table, .mesh = mesh };
        make_coherent(&table, mesh);
        assert_true(painted_stack_run(SMALL, query_in_small_stack, &w));
        assert_true(table.sum > 0);
    }
}

/* ---- That it could be seen ---- */

static SLI_NOINLINE void touch_below(void)
{
    volatile char room[ARRAY_LIMIT + 128];
    for (size_t i = 0; i < sizeof room; i += 64) {
        room[i] = (char)i;
    }
}

static void call_below(painted_stack *stack, void *context)
{
    touch_below();
    *(size_t *)context = painted_stack_depth(stack);
}

/* Nodes that these rays open, all at once and each by itself. */
static void count_nodes(query_table *t, size_t first, bool any, uint64_t *together, uint64_t *alone)
{
    sl_stats stats[2] = { { .rays = 0 } };
    const sl_ray *rays = t->rays + first;
    if (any) {
        sl_bvh_any_many(t->bvh, sl_rays_of(rays, PATCH), NULL, t->yes, NULL, NULL, &stats[0]);
    } else {
        sl_bvh_closest_many(t->bvh, sl_rays_of(rays, PATCH), NULL, sl_hits_of(t->next), NULL,
                            &stats[0]);
    }
    for (size_t i = 0; i < PATCH; i++) {
        const sl_rays one = sl_rays_of(&rays[i], 1);
        if (any) {
            sl_bvh_any_many(t->bvh, one, NULL, t->yes, NULL, NULL, &stats[1]);
        } else {
            sl_bvh_closest_many(t->bvh, one, NULL, sl_hits_of(t->next), NULL, &stats[1]);
        }
    }
    *together = stats[0].nodes;
    *alone = stats[1].nodes;
}

/* Holds that it was the stack of packets and hybrid packets that was measured. */
TEST(rays_that_may_go_together_do)
{
    for (int which = 0; which < MESHES; which++) {
        OWN(sl_mesh) mesh = make_mesh(which);
        UNDONE(query_table_free) query_table table = query_table_make(mesh, COUNT, NULL, SEED);
        OWN(sl_bvh) bvh = build(mesh, SL_BVH_LAYOUT_DEFAULT);
        make_coherent(&table, mesh);
        assert_true(which == 0 || bvh->info.depth == SLI_MAX_DEPTH);
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            bvh->kernels = sli_kernels_at(k);
            table.bvh = bvh;
            for (size_t patch = 0; patch < 3; patch++) {
                uint64_t together, alone;
                count_nodes(&table, patch * PATCH, patch == 2, &together, &alone);
                print_message("%s, mesh %d, patch %d: %lu nodes together, %lu alone\n",
                              bvh->kernels->name, which, (int)patch, (unsigned long)together,
                              (unsigned long)alone);
                /* In a deep tree the frustum of the first patch is tried, and abandoned. */
                const bool stay = which == 0 || patch > 0;
                assert_true(stay ? together * 2 < alone : together > alone);
            }
        }
    }
}

TEST(what_takes_more_is_seen)
{
    size_t depth = 0;
    assert_true(painted_stack_run(LARGE, call_below, &depth));
    assert_in_range(depth, ARRAY_LIMIT + 1, ARRAY_LIMIT + 1024);
}
