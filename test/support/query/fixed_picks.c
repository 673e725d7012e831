#include "test/support/query/fixed_picks.h"
#include "test/support/test.h"

#include "test/support/query/answers_hash.h"

enum { POSITIONS = 24, LISTED = 6 };

/* ---- The scene ---- */

static void make_tree(fixed_picks *f, int which)
{
    sl_mesh *mesh;
    sl_topology_def def = { 0 };
    assert_int_equal(
        which == 0 ? sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 6 } } }, NULL,
                                      &mesh, NULL)
        : which == 1
            ? sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 12, 12, 1, 5 } } }, NULL,
                               &mesh, NULL)
            : sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { 200, 0.5f, 3 } } }, NULL,
                               &mesh, NULL),
        SL_OK);
    def.features = which == 0 ? SL_EDGE_FACE : def.features;
    f->features[which] = made_topology(mesh, &def);
    f->trees[which] = made_bvh_alone(mesh, NULL);
}

static void make_scene(fixed_picks *f, test_random *r)
{
    sl_instance instances[FIXED_PICKS_INSTANCES];
    for (int i = 0; i < FIXED_PICKS_INSTANCES; i++) {
        const int which = i % FIXED_PICKS_TREES;
        const double size = which == 0 ? 0.7 : which == 1 ? 0.2 : 1;
        instances[i] = sl_instance_of(f->trees[which]);
        for (int row = 0; row < 3; row++) {
            for (int k = 0; k < 3; k++) {
                instances[i].transform.m[row][k] =
                    size * ((row == k ? 1 : 0) + test_random_in_d(r, -0.4, 0.4));
            }
            instances[i].transform.m[row][3] = test_random_in_d(r, -2.5, 2.5);
        }
        if (i == 7) {
            instances[i] = instances[4]; /* at one place */
        }
        f->topologies[i] = i % 4 == 3 ? NULL : f->features[which];
    }
    f->scene = made_scene(instances, FIXED_PICKS_INSTANCES, NULL);
}

static void make_marks(fixed_picks *f, test_random *r)
{
    sl_mark list[FIXED_PICKS_MARKS];
    for (uint32_t i = 0; i < FIXED_PICKS_MARKS; i++) {
        double p[3], q[3];
        for (int k = 0; k < 3; k++) {
            p[k] = test_random_in_d(r, -3, 3);
            q[k] = p[k] + test_random_in_d(r, -0.5, 0.5);
        }
        list[i] = i % 2 == 0 ? sl_mark_point(p, 2, i) : sl_mark_wire(p, q, 1, i);
        list[i].flags = i % 3 == 0 ? SL_MARK_ON_TOP : 0;
        list[i].priority = (uint16_t)(i % 5 == 0);
    }
    assert_int_equal(sl_marks_build(list, FIXED_PICKS_MARKS, NULL, &f->marks, NULL), SL_OK);
}

static sl_view view_of(test_random *r)
{
    for (;;) {
        sl_camera_def def = { 0 };
        sl_camera camera;
        for (int i = 0; i < 3; i++) {
            def.eye[i] = test_random_in(r, -6, 6);
            def.target[i] = test_random_in(r, -1, 1);
        }
        def.orthographic = test_random_below(r, 3) == 0;
        def.ortho_height = test_random_in(r, 1, 6);
        def.fov_y_rad = test_random_in(r, 0.2f, 1.2f);
        def.near_distance = 0.125f;
        def.far_distance = 100;
        def.width = 160;
        def.height = 120;
        def.clip = (sl_clip_space)test_random_below(r, 4);
        if (sl_camera_make(&def, &camera, NULL) == SL_OK) {
            return (sl_view){ .camera = camera };
        }
    }
}

void fixed_picks_make(fixed_picks *f)
{
    test_random r = { 20261203 };
    memset(f, 0, sizeof *f);
    for (int which = 0; which < FIXED_PICKS_TREES; which++) {
        make_tree(f, which);
    }
    make_scene(f, &r);
    make_marks(f, &r);
    for (int i = 0; i < FIXED_PICKS_VIEWS; i++) {
        f->views[i] = view_of(&r);
    }
    for (int i = 0; i < FIXED_PICKS_SELECTIONS; i++) {
        sl_selection_def def = { .unit = (sl_select_unit)(SL_SELECT_INSTANCES + i % 6),
                                 .mode = (sl_select_mode)(i / 6),
                                 .topologies = f->topologies };
        assert_int_equal(sl_selection_create(f->scene, &f->views[0], &def, &f->selections[i], NULL),
                         SL_OK);
    }
}

void fixed_picks_free(fixed_picks *f)
{
    for (int i = 0; i < FIXED_PICKS_SELECTIONS; i++) {
        sl_selection_destroy(f->selections[i]);
    }
    sl_marks_destroy(f->marks);
    sl_bvh_destroy(f->scene);
    for (int which = 0; which < FIXED_PICKS_TREES; which++) {
        sl_topology_destroy(f->features[which]);
        sl_bvh_destroy(f->trees[which]);
    }
}

/* ---- Questions ---- */

static uint64_t add_pick(uint64_t h, const sl_pick *pick)
{
    h = test_hash(h, pick, offsetof(sl_pick, u), 8);
    return test_hash(h, &pick->u, offsetof(sl_pick, flags) + 4 - offsetof(sl_pick, u), 4);
}

static uint64_t add_list(uint64_t h, const sl_pick *list, size_t total)
{
    const uint64_t count = total;
    h = test_hash(h, &count, sizeof count, 8);
    for (size_t i = 0; i < total && i < LISTED; i++) {
        h = add_pick(h, &list[i]);
    }
    return h;
}

static uint64_t query_picks(uint64_t h, fixed_picks *f, const sl_view *view, const double xy[2],
                            int number)
{
    sl_pick pick, list[LISTED];
    sl_pick_def def = { 0 };
    def.radius = number % 5 == 0 ? 30 : 4;
    def.hidden = number % 4 == 0;
    def.unit = (sl_pick_unit)(number % 4);
    def.topologies = number % 3 == 0 ? NULL : f->topologies;
    if (sl_pick_at(f->scene, view, xy, &def, &pick)) {
        f->found[pick.kind == SL_PICK_FACE ? 0 : pick.kind == SL_PICK_EDGE ? 1 : 2]++;
        h = add_pick(h, &pick);
    }
    const size_t total = sl_pick_all(f->scene, view, xy, &def, list, LISTED);
    h = add_list(h, list, total);
    if (total > 0 && sl_pick_next(f->scene, view, xy, &def, &list[0], &pick)) {
        h = add_pick(h, &pick);
    }
    const size_t marks = sl_marks_pick_all(f->marks, f->scene, view, xy, &def, list, LISTED);
    h = add_list(h, list, marks);
    if (sl_marks_pick(f->marks, f->scene, view, xy, &def, &pick)) {
        f->found[4]++;
        h = add_pick(h, &pick);
    }
    return h;
}

static uint64_t query_snap(uint64_t h, fixed_picks *f, const sl_view *view, const double xy[2],
                           int number)
{
    static const sl_snap_grid grid = { { 0, 0, 0 }, { 0.5, 0, 0 }, { 0, 0.25, 0.125 } };
    sl_snap_def def = { 0 };
    sl_snap snap;
    def.kinds = number % 3 == 0 ? def.kinds : 1u << (number % SL_SNAP_KINDS);
    def.radius = 20;
    def.topologies = number % 2 == 0 ? NULL : f->topologies;
    def.marks = f->marks;
    def.grid = &grid;
    def.has_from = true;
    def.hidden = number % 7 == 0;
    if (sl_snap_at(f->scene, view, xy, &def, NULL, &snap)) {
        f->found[3]++;
        h = test_hash(h, &snap, offsetof(sl_snap, kind), 8);
        h = test_hash(h, &snap.kind, offsetof(sl_snap, kept) - offsetof(sl_snap, kind), 4);
    }
    return h;
}

uint64_t fixed_picks_run(fixed_picks *f)
{
    test_random r = { 1 };
    uint64_t h = TEST_HASH_NOTHING;
    memset(f->found, 0, sizeof f->found);
    for (int i = 0; i < FIXED_PICKS_VIEWS; i++) {
        const sl_view *view = &f->views[i];
        for (int k = 0; k < POSITIONS; k++) {
            const double xy[2] = { test_random_in_d(&r, 20, 140), test_random_in_d(&r, 20, 100) };
            sl_mark_near near;
            sl_ray_d ray;
            h = query_picks(h, f, view, xy, k);
            h = query_snap(h, f, view, xy, k);
            if (sl_view_ray(view, xy, &ray) &&
                sl_marks_near_ray(f->marks, &ray, 0.1, NULL, &near)) {
                h = test_hash(h, &near, offsetof(sl_mark_near, index), 8);
                h = test_hash(h, &near.index, sizeof near.index, 4);
            }
        }
    }
    return h;
}

uint64_t fixed_picks_select(fixed_picks *f, const sl_tasks *tasks)
{
    static const double lasso[] = { 20, 20, 130, 30, 120, 100, 70, 60, 30, 110 };
    static const double p[2] = { 30, 20 }, q[2] = { 120, 90 }, far[2] = { 135, 100 };
    const sl_region regions[] = {
        sl_region_rectangle(p, q), sl_region_rectangle(p, far),
        (sl_region){ .kind = SL_REGION_LASSO, .corners = lasso, .corner_count = 5 },
        sl_region_brush(p, q, 12)
    };
    uint64_t h = TEST_HASH_NOTHING;
    for (int i = 0; i < FIXED_PICKS_SELECTIONS; i++) {
        for (size_t k = 0; k < sizeof regions / sizeof *regions; k++) {
            sl_selection_info info;
            h += sl_selection_update(f->selections[i], &regions[k], tasks, NULL) != SL_OK;
            info = sl_selection_get_info(f->selections[i]);
            h = test_hash(h, sl_selection_of(f->selections[i], SL_NONE).words,
                          (size_t)(8 * info.word_count), 8);
            h = test_hash(h, &info.selected, sizeof info.selected, 8);
        }
    }
    return h;
}
