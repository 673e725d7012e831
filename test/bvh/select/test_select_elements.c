/* Parts, faces, edges and vertices of topologies follow from what is selected of triangles, sides
 * and corners; failing allocations leave a selection as it was; what is warm allocates nothing. */
#include "test/support/input/solids.h"
#include "test/support/query/of_one.h"
#include "test/support/selection/crowd.h"
#include "test/support/test.h"

enum { SEED = 20261126, ROUNDS = 60 };

typedef struct world {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_topology *topology;
    const sl_topology *topologies[2];
    sl_bvh *scene;
    sl_view view;
    uint32_t prims;
} world;

/* A sphere in two places, of which one is a mirror's: the first has a topology. */
static void make(world *w)
{
    sl_topology_def def = { 0 };
    sl_camera_def camera = { 0 };
    sl_mesh_info info;
    w->mesh = solid_make(SOLID_TORUS);
    w->bvh = made_bvh(w->mesh, NULL);
    w->topology = made_topology(w->mesh, &def);
    info = sl_mesh_get_info(w->mesh);
    w->prims = (uint32_t)info.triangle_count;
    w->topologies[0] = w->topology;
    w->topologies[1] = NULL;
    sl_instance instances[2] = { sl_instance_of(w->bvh), sl_instance_of(w->bvh) };
    instances[1].transform.m[0][0] = -1;
    instances[1].transform.m[0][3] = 3;
    w->scene = made_scene(instances, 2, NULL);
    const sl_aabb box = bounds_in_floats(w->bvh);
    camera.width = 320;
    camera.height = 200;
    assert_int_equal(sl_camera_fit(&box, NULL, (float[3]){ 0.2f, 0.5f, 1 }, &camera, NULL), SL_OK);
    sl_camera made = made_camera(&camera);
    w->view = (sl_view){ .camera = made };
}

static void destroy(world *w)
{
    sl_bvh_destroy(w->scene);
    sl_topology_destroy(w->topology);
    unmake_bvh(w->bvh, w->mesh);
}

static sl_selection *begin(const world *w, sl_select_unit unit, sl_select_mode mode, bool topology)
{
    sl_selection_def def = { 0 };
    sl_selection *out;
    def.unit = unit;
    def.mode = mode;
    def.topologies = topology ? w->topologies : NULL;
    assert_int_equal(sl_selection_create(w->scene, &w->view, &def, &out, NULL), SL_OK);
    return out;
}

static uint32_t element_of(const world *w, sl_select_unit unit, uint32_t prim, uint32_t k)
{
    return unit == SL_SELECT_PARTS   ? sl_topology_element_of(w->topology, prim, SL_PARTS, 0)
           : unit == SL_SELECT_FACES ? sl_topology_element_of(w->topology, prim, SL_FACES, 0)
           : unit == SL_SELECT_EDGES ? sl_topology_element_of(w->topology, prim, SL_EDGES, k)
                                     : sl_topology_element_of(w->topology, prim, SL_VERTICES, k);
}

/* Of instance 0, whose things are the topology's: from its items. */
static void compare(const world *w, const sl_selection *items, const sl_selection *elements,
                    sl_select_unit unit, bool all)
{
    const uint32_t per_prim = unit >= SL_SELECT_EDGES ? 3 : 1;
    const uint64_t count = sl_selection_of(elements, 0).bit_count;
    FREED uint32_t *selected = calloc((size_t)count + 1, sizeof *selected);
    FREED uint32_t *there = calloc((size_t)count + 1, sizeof *there);
    uint64_t total = 0;
    for (uint32_t item = 0; item < w->prims * per_prim; item++) {
        const uint32_t element = element_of(w, unit, item / per_prim, item % per_prim);
        if (element != SL_NONE) {
            assert_true(element < count);
            there[element]++;
            selected[element] += sl_selection_has(items, 0, item);
        }
    }
    for (uint32_t element = 0; element < count; element++) {
        const bool expected =
            all ? there[element] > 0 && selected[element] == there[element] : selected[element] > 0;
        assert_int_equal(sl_selection_has(elements, 0, element), expected);
        total += expected;
    }
    assert_int_equal(sl_selection_of(elements, 0).selected, total);
}

TEST(elements_follow_from_items)
{
    UNDONE(destroy) world w;
    test_random random = { SEED };
    make(&w);
    for (int unit = SL_SELECT_PARTS; unit <= SL_SELECT_VERTICES; unit++) {
        for (int mode = SL_SELECT_TOUCHED; mode <= SL_SELECT_VISIBLE; mode++) {
            if (unit == SL_SELECT_TRIANGLES) {
                continue;
            }
            const bool faces = unit < SL_SELECT_EDGES;
            OWN(sl_selection) items = begin(&w, faces ? SL_SELECT_TRIANGLES : (sl_select_unit)unit,
                                            (sl_select_mode)mode, false);
            OWN(sl_selection) elements =
                begin(&w, (sl_select_unit)unit, (sl_select_mode)mode, true);
            for (int round = 0; round < (mode == SL_SELECT_VISIBLE ? 4 : ROUNDS); round++) {
                double corners[8];
                const sl_region region = crowd_region(&random, corners);
                assert_int_equal(sl_selection_update(items, &region, NULL, NULL), SL_OK);
                assert_int_equal(sl_selection_update(elements, &region, NULL, NULL), SL_OK);
                compare(&w, items, elements, (sl_select_unit)unit, mode == SL_SELECT_INSIDE);
            }
        }
    }
}

TEST(a_reset_selection_is_a_new_one)
{
    UNDONE(destroy) world w;
    test_random random = { SEED + 1 };
    make(&w);
    for (int mode = 0; mode < 3; mode++) {
        OWN(sl_selection) old = begin(&w, SL_SELECT_TRIANGLES, (sl_select_mode)mode, false);
        for (int round = 0; round < 10; round++) {
            double corners[8];
            sl_region region = crowd_region(&random, corners);
            assert_int_equal(sl_selection_update(old, &region, NULL, NULL), SL_OK);
            w.view.origin[round % 3] += 0.05;
            assert_int_equal(sl_selection_reset(old, w.scene, &w.view, NULL), SL_OK);
            OWN(sl_selection) new = begin(&w, SL_SELECT_TRIANGLES, (sl_select_mode)mode, false);
            region = crowd_region(&random, corners);
            assert_int_equal(sl_selection_update(old, &region, NULL, NULL), SL_OK);
            assert_int_equal(sl_selection_update(new, &region, NULL, NULL), SL_OK);
            const sl_selection_info info = sl_selection_get_info(new);
            assert_memory_equal(sl_selection_of(old, SL_NONE).words,
                                sl_selection_of(new, SL_NONE).words,
                                (size_t)info.word_count * sizeof(uint64_t));
        }
    }
}

TEST(failing_allocations_leave_it_as_it_was)
{
    UNDONE(destroy) world w;
    test_random random = { SEED + 2 };
    double corners[8], many[400];
    make(&w);
    const sl_region first = crowd_region(&random, corners);
    for (int i = 0; i < 400; i++) {
        many[i] = test_random_below(&random, 200);
    }
    const sl_region lasso =
        (sl_region){ .kind = SL_REGION_LASSO, .corners = many, .corner_count = 200 };
    bool done = false;
    for (size_t n = 0; !done; n++) {
        sli_failing_allocator memory;
        sl_selection_def def = { 0 };
        sl_selection *s;
        sl_error error;
        def.hooks.allocator = sli_failing_allocator_start(&memory, n);
        const sl_result made = sl_selection_create(w.scene, &w.view, &def, &s, &error);
        assert_true((made == SL_OK) == (s != NULL));
        if (made == SL_OK && sl_selection_update(s, &first, NULL, &error) == SL_OK) {
            const uint64_t before = sl_selection_of(s, 0).selected;
            const sl_result result = sl_selection_update(s, &lasso, NULL, &error);
            done = result == SL_OK;
            if (!done) {
                assert_int_equal(result, SL_OUT_OF_MEMORY);
                assert_int_equal(sl_selection_of(s, 0).selected, before);
            } else {
                memory.fail_at = SLI_NEVER_FAIL;
                /* Both regions that it keeps in turn have had a lasso: it is warm. */
                assert_int_equal(sl_selection_update(s, &lasso, NULL, &error), SL_OK);
                const size_t allocations = memory.allocations;
                memory.fail_at = 0;
                for (int i = 0; i < 5; i++) {
                    many[0] += 5;
                    assert_int_equal(sl_selection_update(s, &lasso, NULL, &error), SL_OK);
                    assert_int_equal(sl_selection_update(s, &first, NULL, &error), SL_OK);
                }
                assert_int_equal(memory.allocations, allocations);
            }
        }
        sl_selection_destroy(s);
        assert_true(sli_failing_allocator_clean(&memory));
    }
}

/* There is no thing then, in any instance, but there are triangles. */
TEST(meshes_without_parts_have_none_selected)
{
    UNDONE(destroy) world w;
    make(&w);
    w.topologies[1] = w.topology;
    for (int mode = SL_SELECT_TOUCHED; mode <= SL_SELECT_VISIBLE; mode++) {
        static const double p[2] = { -1000, -1000 }, q[2] = { 150, 2000 };
        const sl_region region = sl_region_rectangle(p, q);
        OWN(sl_selection) s = begin(&w, SL_SELECT_PARTS, (sl_select_mode)mode, true);
        sl_selection_info info;
        assert_int_equal(sl_selection_of(s, 0).bit_count, 0);
        assert_int_equal(sl_selection_update(s, &region, NULL, NULL), SL_OK);
        info = sl_selection_get_info(s);
        assert_int_equal(info.selected, 0);
        assert_int_equal(sl_selection_of(s, 0).selected + sl_selection_of(s, 1).selected, 0);
        assert_int_equal(sl_selection_list(s, 0, NULL, 0), 0);
    }
}
