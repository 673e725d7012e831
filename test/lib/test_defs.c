/* test_defs.c: a def of zeros, and NULL, are the defaults that the headers name (docs/abi.md). */
#include "test/support/test.h"

static sl_camera camera_of(const sl_camera_def *def)
{
    sl_camera camera;
    memset(&camera, 0, sizeof camera);
    assert_int_equal(sl_camera_make(def, &camera, NULL), SL_OK);
    return camera;
}

TEST(zeros_are_the_default_camera)
{
    const sl_camera_def zeros = { 0 };
    const sl_camera_def named = { .eye = { 0, 0, 1 },
                                  .up = { 0, 1, 0 },
                                  .fov_y_rad = 1.04719755f,
                                  .near_distance = 0.01f,
                                  .far_distance = INFINITY,
                                  .width = 800,
                                  .height = 600 };
    const sl_camera a = camera_of(&zeros), b = camera_of(&named), c = camera_of(NULL);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_equal(&a, &c, sizeof a);
    const sl_camera_def flat = { .orthographic = true, .far_distance = 5 };
    const sl_camera_def high = { .orthographic = true, .far_distance = 5, .ortho_height = 2 };
    const sl_camera d = camera_of(&flat), e = camera_of(&high);
    assert_memory_equal(&d, &e, sizeof d);
}

TEST(fitting_fills_in_the_defaults)
{
    const sl_aabb box = { { -1, -2, -3 }, { 1, 2, 3 } };
    sl_camera_def zeros = { 0 };
    sl_camera_def named = {
        .up = { 0, 1, 0 }, .fov_y_rad = 1.04719755f, .width = 800, .height = 600
    };
    const float towards[3] = { 1, 1, 1 };
    assert_int_equal(sl_camera_fit(&box, NULL, towards, &zeros, NULL), SL_OK);
    assert_int_equal(sl_camera_fit(&box, NULL, towards, &named, NULL), SL_OK);
    named.ortho_height = 2;
    assert_memory_equal(&zeros, &named, sizeof named);
}

TEST(zeros_are_the_default_topology)
{
    OWN(sl_mesh) mesh = made_grid(9, 9, 4, 1);
    const sl_topology_def zeros = { 0 }, flat = { .crease_rad = -1 };
    const sl_topology_def named = { .crease_rad = 0.523598776f, .features = SL_EDGE_DEFAULT };
    const sl_topology_def *const defs[] = { NULL, &zeros, &named, &flat };
    size_t features[4];
    for (int i = 0; i < 4; i++) {
        sl_topology_info info;
        OWN(sl_topology) topology = made_topology(mesh, defs[i]);
        info = sl_topology_get_info(topology);
        features[i] = info.feature_edge_count;
    }
    assert_true(features[0] == features[1] && features[1] == features[2]);
    assert_true(features[2] < features[3]);
}

/* A quad of two triangles, from pixel (200, 100) to (600, 500). */
typedef struct picture {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_view view;
} picture;

static picture picture_make(void)
{
    picture p = { .mesh = made_grid(1, 1, 0, 0) };
    const sl_camera_def def = { .orthographic = true,
                                .eye = { 0.5f, 0.5f, 1 },
                                .target = { 0.5f, 0.5f, 0 },
                                .ortho_height = 1.5f,
                                .far_distance = 5 };
    p.bvh = made_bvh(p.mesh, NULL);
    p.view = (sl_view){ .camera = camera_of(&def) };
    return p;
}

TEST(zeros_are_the_default_pick_and_snap)
{
    picture p = picture_make();
    const sl_pick_def zeros = { 0 };
    const sl_pick_def named = { .kinds = SL_PICK_FACE | SL_PICK_EDGE | SL_PICK_VERTEX,
                                .radius = 5,
                                .rank = { 0, 1, 2, 3 } };
    const sl_snap_def still = { 0 }, none = { .hold = -1, .margin = -1 };
    const sl_snap_def spelled = { .kinds = SL_SNAP_DEFAULT,
                                  .radius = 10,
                                  .hold = 4,
                                  .margin = 2,
                                  .rank = { 7, 3, 5, 6, 5, 4, 4, 0, 2, 1, 7 } };
    uint32_t found = 0, apart = 0;
    sl_snap last[4] = { { .kind = SL_SNAP_NONE } };
    for (int i = 0; i < 400; i++) { /* across a corner, the face and a side */
        const double mouse[2] = { 185 + i, 80 + 1.3 * i };
        sl_pick picks[3];
        sl_snap snaps[4];
        memset(picks, 0, sizeof picks);
        memset(snaps, 0, sizeof snaps);
        const bool at = sl_pick_at(p.bvh, &p.view, mouse, NULL, &picks[0]);
        assert_true(sl_pick_at(p.bvh, &p.view, mouse, &zeros, &picks[1]) == at);
        assert_true(sl_pick_at(p.bvh, &p.view, mouse, &named, &picks[2]) == at);
        assert_memory_equal(&picks[0], &picks[1], sizeof picks[0]);
        assert_memory_equal(&picks[0], &picks[2], sizeof picks[0]);
        const sl_snap_def *const defs[] = { NULL, &still, &spelled, &none };
        for (int k = 0; k < 4; k++) {
            sl_snap_at(p.bvh, &p.view, mouse, defs[k], &last[k], &snaps[k]);
            last[k] = snaps[k];
        }
        assert_memory_equal(&snaps[0], &snaps[1], sizeof snaps[0]);
        assert_memory_equal(&snaps[0], &snaps[2], sizeof snaps[0]);
        found |= at ? picks[0].kind : 0;
        apart += memcmp(&snaps[0], &snaps[3], sizeof snaps[0]) != 0;
    }
    assert_int_equal(found, SL_PICK_FACE | SL_PICK_EDGE | SL_PICK_VERTEX);
    assert_true(apart > 0);
    unmake_bvh(p.bvh, p.mesh);
}

TEST(zeros_are_the_default_gizmo_and_drag)
{
    picture p = picture_make();
    const sl_gizmo zeros = { 0 };
    const sl_gizmo named = { .axes = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
                             .pixels = 90,
                             .handles = SL_HANDLE_ALL_MOVE };
    sl_handle a, b;
    double xy[2], tip[3] = { 0.05, 0, 0 };
    assert_true(sl_view_project(&p.view, tip, xy, NULL));
    assert_true(sl_gizmo_pick(&zeros, &p.view, xy, 5, &a));
    assert_true(sl_gizmo_pick(&named, &p.view, xy, 5, &b));
    assert_true(a.handle == SL_HANDLE_ARROW_X && b.handle == a.handle && a.size == b.size);
    sl_drag drag = { 0 }, spelled = { .axis = { 0, 0, 1 }, .limit = 32, .factor_min = 0x1p-10 };
    for (int kind = SL_DRAG_PLANE; kind <= SL_DRAG_SCREEN; kind++) {
        drag.kind = spelled.kind = (sl_drag_kind)kind;
        assert_int_equal(sl_drag_begin(&drag, &p.view, xy), SL_DRAG_MOVED);
        assert_int_equal(sl_drag_begin(&spelled, &p.view, xy), SL_DRAG_MOVED);
        assert_memory_equal(&drag, &spelled, sizeof drag);
        drag = (sl_drag){ 0 };
    }
    unmake_bvh(p.bvh, p.mesh);
}
