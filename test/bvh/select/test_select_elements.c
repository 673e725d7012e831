/* Parts, faces, edges and vertices of topologies follow from what is selected of triangles, sides
 * and corners; what is culled is not there, in any mode; failing allocations leave a selection as
 * it was; what is warm allocates nothing. */
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

/* ---- Culled ---- */

/* A cube from (0, 0, 0) to (1, 1, 1), fronts outwards, two triangles for each side: z 0, z 1, y 0,
 * x 1, y 1, x 0. */
static sl_mesh *make_cube(void)
{
    static const float xyz[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0,
                                 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1 };
    static const uint32_t indices[] = { 3, 2, 1, 3, 1, 0, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                        1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7 };
    return made_mesh(xyz, 8, indices, 12, NULL);
}

/* From above z 1, at the middle: orthographic; perspective; and one whose lines of sight go to a
 * point below the cube, so that they meet its sides from outside. */
static sl_view view_of_cube(int kind, sl_clip_space clip)
{
    const float matrix[16] = {
        1.8f, 0, 0, 0, 0, 1.8f, 0, 0, 0, 0, -0.46f, 0.1f, 0, 0, -1.86f, 1.5f
    };
    const float from_above[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.5f, -0.5f, -5, 1 };
    sl_camera_def def = { .eye = { 0.5f, 0.5f, 5 },
                          .target = { 0.5f, 0.5f, 0 },
                          .orthographic = kind == 0,
                          .ortho_height = kind == 0 ? 3 : 0,
                          .near_distance = 1,
                          .far_distance = 20,
                          .clip = clip,
                          .width = 60,
                          .height = 60 };
    sl_view view = { .camera = made_camera(&def) };
    if (kind == 2) {
        assert_int_equal(sl_camera_from_matrices(from_above, matrix, 60, 60, SL_CLIP_SPACE_GL,
                                                 &view.camera, NULL),
                         SL_OK);
    }
    return view;
}

/* What is left of the twelve triangles, as bits: of the whole picture, in each mode and unit. */
static void expect_left(const sl_bvh *scene, const sl_view *view, sl_cull cull, uint32_t left)
{
    static const double p[2] = { 0, 0 }, q[2] = { 60, 60 };
    const sl_region region = sl_region_rectangle(p, q);
    const sl_options options = { .cull = cull };
    for (int mode = SL_SELECT_TOUCHED; mode <= SL_SELECT_VISIBLE; mode++) {
        for (int unit = SL_SELECT_INSTANCES; unit <= SL_SELECT_VERTICES; unit++) {
            sl_selection_def def = { .unit = (sl_select_unit)unit,
                                     .mode = (sl_select_mode)mode,
                                     .options = &options };
            OWN(sl_selection) s = NULL;
            assert_int_equal(sl_selection_create(scene, view, &def, &s, NULL), SL_OK);
            assert_int_equal(sl_selection_update(s, &region, NULL, NULL), SL_OK);
            const uint32_t per_prim = unit >= SL_SELECT_EDGES ? 3 : 1;
            const bool whole = unit < SL_SELECT_FACES;
            for (uint32_t i = 0; i < (whole ? 1 : 12 * per_prim); i++) {
                assert_int_equal(sl_selection_has(s, 0, i),
                                 whole ? left != 0 : left >> (i / per_prim) & 1);
            }
        }
    }
}

/* The top are bits 0xC, the bottom 0x3.  The sides of the cube are edge-on to the orthographic
 * camera, and turn no side to it. */
TEST(what_is_culled_is_in_no_selection)
{
    static const uint32_t left[3][2] = { { 0xC, 0x3 }, { 0xC, 0xFF3 }, { 0xFFC, 0x3 } };
    OWN(sl_mesh) mesh = make_cube();
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    sl_instance mirrored = sl_instance_of(tree);
    mirrored.transform.m[0][0] = -1;
    mirrored.transform.m[0][3] = 1;
    OWN(sl_bvh) scene = made_scene(&mirrored, 1, NULL);
    for (int kind = 0; kind < 3; kind++) {
        for (int clip = SL_CLIP_SPACE_GL; clip <= SL_CLIP_SPACE_REVERSED; clip++) {
            const sl_view view = view_of_cube(kind, (sl_clip_space)clip);
            expect_left(tree, &view, SL_CULL_BACK, left[kind][0]);
            expect_left(tree, &view, SL_CULL_FRONT, left[kind][1]);
            expect_left(scene, &view, SL_CULL_BACK, left[kind][0]);
            expect_left(scene, &view, SL_CULL_FRONT, left[kind][1]);
        }
    }
}

/* A triangle that lies in the region, and beside it one that turns its back. */
TEST(what_is_culled_need_not_be_inside)
{
    static const float xyz[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0, 3, 0, 0 };
    static const uint32_t indices[] = { 0, 1, 2, 3, 4, 5 };
    static const double p[2] = { 10, 10 }, q[2] = { 45, 50 };
    static const bool inside[] = { false, true, false };
    const sl_region region = sl_region_rectangle(p, q);
    const sl_view view = view_of_cube(0, SL_CLIP_SPACE_GL);
    OWN(sl_mesh) mesh = made_mesh(xyz, 6, indices, 2, NULL);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    for (int cull = SL_CULL_NONE; cull <= SL_CULL_FRONT; cull++) {
        const sl_options options = { .cull = (sl_cull)cull };
        for (int unit = SL_SELECT_INSTANCES; unit <= SL_SELECT_PARTS; unit++) {
            sl_selection_def def = { .unit = (sl_select_unit)unit,
                                     .mode = SL_SELECT_INSIDE,
                                     .options = &options };
            OWN(sl_selection) s = NULL;
            assert_int_equal(sl_selection_create(tree, &view, &def, &s, NULL), SL_OK);
            assert_int_equal(sl_selection_update(s, &region, NULL, NULL), SL_OK);
            assert_int_equal(sl_selection_has(s, 0, 0), inside[cull]);
        }
    }
}
