/* Queries allocate nothing: every one of them, single and in bulk, with a pool, with options and
 * proxies, while neither the tree's allocator nor malloc has anything to give. */
#include "test/support/environment/no_memory.h"
#include "test/support/query/every_query.h"
#include "test/support/test.h"

enum { SEED = 20260820, COUNT = 180, WORKERS = 3 };

/* What is asked, and of what. */
typedef struct table {
    query_table asks;
    sl_bvh *bvh;
    sl_pool *pool;
} table;

static void make_table(table *t, const sl_mesh *mesh, const sl_allocator *allocator)
{
    sl_build_def def = { .hooks.allocator = *allocator };
    t->bvh = made_bvh(mesh, &def);
    assert_int_equal(sl_pool_create(WORKERS, allocator, &t->pool, NULL), SL_OK);
    t->asks = query_table_make(mesh, COUNT, allocator, SEED);
    assert_true(sl_boundary_get_info(t->asks.boundary).edge_count > 0);
    t->asks.bvh = t->bvh;
    t->asks.tasks = sl_pool_tasks(t->pool);
}

static void free_table(table *t)
{
    sl_pool_destroy(t->pool);
    query_table_free(&t->asks);
    sl_bvh_destroy(t->bvh);
}

/* Everything, with the options of t->asks.query. */
static void query_without_memory(table *t, sli_failing_allocator *memory)
{
    const size_t before = memory->allocations;
    memory->fail_at = 0;
    no_memory_begin();
    for (size_t i = 0; i < COUNT; i++) {
        every_query_alone(&t->asks, i);
    }
    every_query_in_bulk(&t->asks);
    const size_t calls = no_memory_end();
    assert_int_equal(calls, 0);
    assert_int_equal(memory->allocations, before);
    assert_true(t->asks.sum > 0);
    t->asks.sum = 0;
}

static void on_mesh(void (*test)(table *, sli_failing_allocator *))
{
    sl_mesh *meshes[2] = { NULL, NULL };
    meshes[0] = made_sphere(6);
    meshes[1] = made_soup(700, 0.3f, 5);
    for (int i = 0; i < 2; i++) {
        table *t = calloc(1, sizeof *t);
        sli_failing_allocator memory;
        const sl_allocator allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        make_table(t, meshes[i], &allocator);
        test(t, &memory);
        free_table(t);
        assert_int_equal(memory.live_blocks, 0);
        free(t);
        sl_mesh_destroy(meshes[i]);
    }
}

static void without_options(table *t, sli_failing_allocator *memory)
{
    query_without_memory(t, memory);
}

TEST(no_query_allocates)
{
    on_mesh(without_options);
}

static void with_options(table *t, sli_failing_allocator *memory)
{
    static sl_item_options items[COUNT];
    static sl_triangle_ref skips[COUNT];
    sl_stats stats = { .rays = 0 };
    for (size_t i = 0; i < COUNT; i++) {
        skips[i] = (sl_triangle_ref){ 0, (uint32_t)i };
        items[i] = (sl_item_options){ .mask = UINT32_MAX, .skip = &skips[i], .skip_count = 1 };
    }
    const sl_options options = { .flags = SL_OPEN_START | SL_OPEN_END | SL_CROSSINGS,
                                 .cull = SL_CULL_BACK,
                                 .items = items };
    t->asks.query = &options;
    t->asks.stats = &stats;
    query_without_memory(t, memory);
    assert_true(stats.exact_stage > 0);
}

TEST(options_allocate_nothing)
{
    on_mesh(with_options);
}

static bool every_other_hit(void *user, size_t index, const sl_hit *hit)
{
    (void)user;
    return (index + hit->prim) % 2 == 0;
}

static void with_a_hit_filter(table *t, sli_failing_allocator *memory)
{
    const sl_options options = { .filter = every_other_hit };
    t->asks.query = &options;
    query_without_memory(t, memory);
}

TEST(hit_filters_allocate_nothing)
{
    on_mesh(with_a_hit_filter);
}

static void with_proxies(table *t, sli_failing_allocator *memory)
{
    static const sl_proxy shapes[] = {
        { .kind = SL_PROXY_SPHERE, .shape.sphere = { { 0, 0, 0 }, 0.75f } },
        { .kind = SL_PROXY_AABB, .shape.aabb = { { 0, 0, -1 }, { 1, 1, 0.5f } } },
        { .kind = SL_PROXY_OBB,
          .shape.obb = { { 0, 0, 0 },
                         { { 3, 4, 0 }, { -4, 3, 0 }, { 0, 0, 5 } },
                         { .1f, .1f, .1f } } },
    };
    for (int i = 0; i < 6; i++) {
        sl_proxy proxy = shapes[i / 2];
        proxy.mode = i % 2 ? SL_PROXY_INSTEAD : SL_PROXY_FIRST;
        const sl_options options = { .proxy = &proxy };
        t->asks.query = &options;
        query_without_memory(t, memory);
    }
}

TEST(proxies_allocate_nothing)
{
    on_mesh(with_proxies);
}

/* Of a topology: updates of some triangles and of all; sets of every kind, in every way. */
static void use_topology(sl_topology *topology, const sl_mesh *mesh, uint64_t *sets[3])
{
    const uint32_t prims[3] = { 0, 7, 1 };
    const sl_prim_range dirty[3] = { { 0, 1 }, { 7, 1 }, { 1, 1 } };
    const float *xyz = sl_mesh_soup(mesh).xyz;
    const sl_result updated[2] = { sl_topology_update(topology, xyz, dirty, 3, NULL),
                                   sl_topology_update(topology, xyz, NULL, 0, NULL) };
    assert_true(updated[0] == SL_OK && updated[1] == SL_OK);
    for (int k = 0; k < SL_ELEMENT_COUNT; k++) {
        const sl_element kind = (sl_element)k;
        sl_set_from_list(topology, kind, prims, 3, sets[0]);
        for (int o = 0; o < SL_ELEMENT_COUNT; o++) {
            const sl_element other = (sl_element)o;
            sl_set_convert(topology, kind, sets[0], SL_ANY_OF, other, sets[1]);
            sl_set_convert(topology, kind, sets[0], SL_ALL_OF, other, sets[1]);
            sl_set_grow(topology, kind, sets[0], other, sets[2], sets[1]);
            sl_set_shrink(topology, kind, sets[0], other, sets[2], sets[1]);
        }
        sl_set_connected(topology, kind, sets[0], 0, sets[2], sets[1]);
        sl_set_invert(topology, kind, sets[0], sets[1]);
        assert_true(sl_set_list(topology, kind, sets[0], NULL, 0) <= 3);
    }
    sl_set_boundary(topology, sets[0], sets[1]);
    sl_set_chain(topology, sets[1], sets[2], sets[0]);
}

TEST(updates_of_topologies_and_sets_of_elements_allocate_nothing)
{
    sl_topology_def def = { 0 };
    sli_failing_allocator memory;
    def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    OWN(sl_mesh) mesh = made_soup(700, 0.3f, 5);
    OWN(sl_topology) topology = made_topology(mesh, &def);
    const size_t before = memory.allocations;
    uint64_t *sets[3];
    for (int i = 0; i < 3; i++) {
        sets[i] = calloc(sl_topology_get_info(topology).scratch_words, sizeof *sets[i]);
        assert_non_null(sets[i]);
    }
    memory.fail_at = 0;
    no_memory_begin();
    use_topology(topology, mesh, sets);
    assert_int_equal(no_memory_end(), 0);
    assert_int_equal(memory.allocations, before);
    for (int i = 0; i < 3; i++) {
        free(sets[i]);
    }
}

TEST(what_allocates_is_counted)
{
    sl_mesh *mesh = NULL;
    no_memory_begin();
    const sl_result result = sl_mesh_generate(
        &(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 2 } } }, NULL, &mesh, NULL);
    assert_true(no_memory_end() > 0);
    assert_int_equal(result, SL_OUT_OF_MEMORY);
}
