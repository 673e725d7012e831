/* Visible edges and vertices, asked in batches: what has both ends never blocks, however many have
 * them; one item stands for those in its place, and for no others; budgets, tasks and the way there
 * change nothing. */
#include "lib/base/thread/thread.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/solids.h"
#include "test/support/query/of_one.h"
#include "test/support/selection/crowd.h"
#include "test/support/test.h"

enum { SEED = 20261201, REGIONS = 6, COPIES = 3 };

static const sl_select_unit units[2] = { SL_SELECT_EDGES, SL_SELECT_VERTICES };

typedef struct world {
    sl_bvh *bvh;
    sl_topology *topology;
    const sl_topology *topologies[COPIES];
    sl_bvh *scene;
    sl_view view;
    uint32_t prims;
} world;

/* So many instances in one place. */
static void place(world *w, sl_mesh *mesh, size_t copies)
{
    sl_camera_def camera = { 0 };
    sl_instance instances[COPIES];
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    w->prims = (uint32_t)info.triangle_count;
    w->bvh = made_bvh(mesh, NULL);
    for (size_t i = 0; i < copies; i++) {
        instances[i] = sl_instance_of(w->bvh);
        w->topologies[i] = w->topology;
    }
    w->scene = made_scene(instances, copies, NULL);
    const sl_aabb box = bounds_in_floats(w->bvh);
    camera.width = 300;
    camera.height = 200;
    assert_int_equal(sl_camera_fit(&box, NULL, (float[3]){ 0.3f, 0.6f, 1 }, &camera, NULL), SL_OK);
    sl_camera made = made_camera(&camera);
    w->view = (sl_view){ .camera = made };
}

static void make(world *w, solid_kind kind, size_t copies)
{
    OWN(sl_mesh) mesh = solid_make(kind);
    w->topology = made_topology(mesh, NULL);
    place(w, mesh, copies);
}

/* A torus whose triangles share no vertex of the mesh, and the topology that it has when they meet;
 * parted: every other one has moved away from its neighbours since. */
static void make_parted(world *w)
{
    sl_mesh *torus = solid_make(SOLID_TORUS), *apart;
    const size_t count = sl_mesh_soup(torus).triangle_count;
    FREED float *xyz = made_memory(count * 9 * sizeof *xyz);
    for (size_t i = 0; i < 3 * count; i++) {
        memcpy(xyz + 3 * i, sl_mesh_soup(torus).xyz + 3 * (size_t)sl_mesh_soup(torus).indices[i],
               3 * sizeof *xyz);
    }
    apart = made_mesh(xyz, 3 * count, NULL, count, NULL);
    w->topology = made_topology(apart, NULL);
    sl_mesh_destroy(apart);
    for (size_t i = 0; i < count; i += 2) {
        for (size_t k = 0; k < 9; k++) {
            xyz[9 * i + k] *= 1.02f;
        }
    }
    apart = made_mesh(xyz, 3 * count, NULL, count, NULL);
    place(w, apart, 1);
    sl_mesh_destroy(apart);
    sl_mesh_destroy(torus);
}

static void destroy(world *w)
{
    sl_bvh_destroy(w->scene);
    sl_topology_destroy(w->topology);
    sl_bvh_destroy(w->bvh);
}

static sl_selection *begin(const world *w, sl_select_unit unit, bool topology,
                           const sl_options *options, double budget_ms)
{
    sl_selection_def def = { 0 };
    sl_selection *out;
    def.unit = unit;
    def.mode = SL_SELECT_VISIBLE;
    def.topologies = topology ? w->topologies : NULL;
    def.options = options;
    def.budget_ms = budget_ms;
    assert_int_equal(sl_selection_create(w->scene, &w->view, &def, &out, NULL), SL_OK);
    return out;
}

static void update(sl_selection *s, const sl_region *region, const sl_tasks *tasks)
{
    assert_int_equal(sl_selection_update(s, region, tasks, NULL), SL_OK);
}

static void assert_same(const sl_selection *a, const sl_selection *b)
{
    const sl_selection_info of_a = sl_selection_get_info(a), of_b = sl_selection_get_info(b);
    assert_int_equal(of_a.selected, of_b.selected);
    assert_int_equal(of_a.word_count, of_b.word_count);
    assert_memory_equal(sl_selection_of(a, SL_NONE).words, sl_selection_of(b, SL_NONE).words,
                        (size_t)of_a.word_count * sizeof(uint64_t));
}

/* ---- What blocks ---- */

/* Two or six triangles at each edge: those of the other instances have both ends as well. */
TEST(copies_in_one_place_hide_nothing)
{
    const solid_kind kinds[3] = { SOLID_TORUS, SOLID_CHECKERS, SOLID_SHELLS };
    test_random random = { SEED };
    for (int kind = 0; kind < 3; kind++) {
        world one, three;
        make(&one, kinds[kind], 1);
        make(&three, kinds[kind], COPIES);
        for (int pass = 0; pass < 4; pass++) {
            OWN(sl_selection) alone = begin(&one, units[pass % 2], pass < 2, NULL, 0);
            OWN(sl_selection) copied = begin(&three, units[pass % 2], pass < 2, NULL, 0);
            for (int r = 0; r < REGIONS; r++) {
                double corners[8];
                const sl_region region = crowd_region(&random, corners);
                update(alone, &region, NULL);
                update(copied, &region, NULL);
                const size_t words = (size_t)(sl_selection_of(alone, 1).offset);
                for (uint32_t i = 0; i < COPIES; i++) {
                    assert_memory_equal(sl_selection_of(copied, i).words,
                                        sl_selection_of(alone, 0).words, words * sizeof(uint64_t));
                }
            }
        }
        destroy(&one);
        destroy(&three);
    }
}

/* Leaves out two triangles. */
static bool refuses_two(void *user, size_t index, const sl_hit *hit)
{
    const sl_triangle_ref *two = user;
    (void)index;
    return hit->prim != two[0].prim && hit->prim != two[1].prim;
}

TEST(skips_of_the_caller_hide_nothing)
{
    UNDONE(destroy) world w;
    test_random random = { SEED + 1 };
    make(&w, SOLID_TORUS, 1);
    for (int round = 0; round < 8; round++) {
        double corners[8];
        const sl_region region = crowd_region(&random, corners);
        sl_triangle_ref two[2] = { { 0, 0 } };
        const sl_options skips = { .skip = two, .skip_count = 2 };
        const sl_options filtered = { .filter = refuses_two, .filter_user = two };
        for (int i = 0; i < 2; i++) {
            two[i] = (sl_triangle_ref){ 0, test_random_below(&random, w.prims) };
        }
        for (int unit = 0; unit < 2; unit++) {
            OWN(sl_selection) a = begin(&w, units[unit], false, &skips, 0);
            OWN(sl_selection) b = begin(&w, units[unit], false, &filtered, 0);
            update(a, &region, NULL);
            update(b, &region, NULL);
            for (uint32_t item = 0; item < 3 * w.prims; item++) {
                const uint32_t prim = item / 3;
                const bool left_out = prim == two[0].prim || prim == two[1].prim;
                assert_int_equal(sl_selection_has(a, 0, item),
                                 !left_out && sl_selection_has(b, 0, item));
            }
        }
    }
}

/* ---- One for all ---- */

TEST(vertices_that_parted_are_asked_one_by_one)
{
    UNDONE(destroy) world w;
    test_random random = { SEED + 2 };
    uint64_t differing = 0;
    make_parted(&w);
    for (int unit = 0; unit < 2; unit++) {
        OWN(sl_selection) items = begin(&w, units[unit], false, NULL, 0);
        OWN(sl_selection) elements = begin(&w, units[unit], true, NULL, 0);
        for (int r = 0; r < REGIONS; r++) {
            double corners[8];
            const sl_region region = crowd_region(&random, corners);
            update(items, &region, NULL);
            update(elements, &region, NULL);
            const uint64_t count = sl_selection_of(elements, 0).bit_count;
            uint8_t *seen = calloc((size_t)count, 1), *hidden = calloc((size_t)count, 1);
            for (uint32_t item = 0; item < 3 * w.prims; item++) {
                const uint32_t element =
                    unit == 0 ? sl_topology_element_of(w.topology, item / 3, SL_EDGES, item % 3)
                              : sl_topology_element_of(w.topology, item / 3, SL_VERTICES, item % 3);
                (sl_selection_has(items, 0, item) ? seen : hidden)[element] = 1;
            }
            for (uint32_t element = 0; element < count; element++) {
                assert_int_equal(sl_selection_has(elements, 0, element), seen[element]);
                differing += seen[element] & hidden[element];
            }
            free(seen);
            free(hidden);
        }
    }
    assert_true(differing > 100);
}

TEST(one_line_of_sight_is_enough_for_a_vertex)
{
    UNDONE(destroy) world w;
    const double p[2] = { -1e4, -1e4 }, q[2] = { 1e4, 1e4 };
    const sl_region all = sl_region_rectangle(p, q);
    sl_selection_info info;
    sl_topology_info topology;
    make(&w, SOLID_TORUS, 1);
    topology = sl_topology_get_info(w.topology);
    OWN(sl_selection) s = begin(&w, SL_SELECT_VERTICES, true, NULL, 0);
    update(s, &all, NULL);
    info = sl_selection_get_info(s);
    assert_int_equal(info.traced, topology.vertex_count);
    update(s, &all, NULL);
    info = sl_selection_get_info(s);
    assert_int_equal(info.traced, 0);
}

/* ---- Budgets, tasks ---- */

/* Every update with a budget settles something, and a region that comes before the last one is done
 * leaves nothing behind. */
TEST(budgets_lead_to_the_same)
{
    UNDONE(destroy) world w;
    test_random random = { SEED + 3 };
    size_t updates = 0;
    make(&w, SOLID_SHELLS, 1);
    for (int pass = 0; pass < 4; pass++) {
        OWN(sl_selection) budgeted = begin(&w, units[pass % 2], pass < 2, NULL, 1e-6);
        OWN(sl_selection) moving = begin(&w, units[pass % 2], pass < 2, NULL, 0);
        for (int r = 0; r < REGIONS; r++) {
            double corners[8];
            sl_region region = crowd_region(&random, corners);
            sl_selection_info info = { .pending = 0 };
            uint64_t before = UINT64_MAX;
            update(budgeted, &region, NULL); /* and left */
            region = crowd_region(&random, corners);
            do {
                update(budgeted, &region, NULL);
                info = sl_selection_get_info(budgeted);
                assert_true(info.pending < before || info.pending == 0);
                before = info.pending;
                updates++;
            } while (info.pending > 0);
            update(moving, &region, NULL);
            info = sl_selection_get_info(moving);
            assert_int_equal(info.pending, 0);
            assert_same(budgeted, moving);
            update(budgeted, &region, NULL);
            info = sl_selection_get_info(budgeted);
            assert_int_equal(info.traced, 0);
        }
    }
    if (sli_clock_ns() != 0) { /* else no time passes */
        assert_true(updates > 4 * REGIONS);
    }
}

TEST(tasks_change_nothing)
{
    test_random random = { SEED + 4 };
    OWN(sl_pool) pool = NULL;
    uint64_t selected = 0;
    UNDONE(destroy) world w;
    make(&w, SOLID_TORUS, 2);
    (void)sl_pool_create(3, NULL, &pool, NULL); /* without threads there is none */
    for (int pass = 0; pass < 4; pass++) {
        scrambled_tasks scrambled;
        sl_selection *s[3];
        const sl_tasks *tasks[3] = { NULL, scrambled_tasks_start(&scrambled, 3, (uint64_t)pass),
                                     pool != NULL ? sl_pool_tasks(pool) : NULL };
        for (int i = 0; i < 3; i++) {
            s[i] = begin(&w, units[pass % 2], pass < 2, NULL, 0);
        }
        for (int r = 0; r < REGIONS; r++) {
            double corners[8];
            const sl_region region = crowd_region(&random, corners);
            sl_selection_info info[3];
            for (int i = 0; i < 3; i++) {
                update(s[i], &region, tasks[i]);
                info[i] = sl_selection_get_info(s[i]);
                assert_same(s[0], s[i]);
                assert_int_equal(info[i].traced, info[0].traced);
            }
            selected += info[0].selected;
        }
        for (int i = 0; i < 3; i++) {
            sl_selection_destroy(s[i]);
        }
    }
    assert_true(selected > 0);
}

TEST(what_is_warm_allocates_nothing)
{
    UNDONE(destroy) world w;
    const double p[2] = { 20, 20 };
    make(&w, SOLID_TORUS, 1);
    for (int unit = 0; unit < 2; unit++) {
        sli_failing_allocator memory;
        sl_selection_def def = { 0 };
        OWN(sl_selection) s = NULL;
        def.unit = units[unit];
        def.mode = SL_SELECT_VISIBLE;
        def.topologies = w.topologies;
        def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        assert_int_equal(sl_selection_create(w.scene, &w.view, &def, &s, NULL), SL_OK);
        memory.fail_at = 0;
        const size_t allocations = memory.allocations;
        for (int i = 0; i < 5; i++) {
            const double q[2] = { 200 + 5 * i, 150 + 5 * i };
            const sl_region region = sl_region_rectangle(p, q);
            update(s, &region, NULL);
        }
        assert_int_equal(memory.allocations, allocations);
    }
}
