/* Handles of gizmos: their size, which one is under the mouse, and the drags that they ask for. */
#include "test/support/test.h"

/* Eight units fill 800 pixels at the origin, seen along (-1, -1, -1) or, if front, along -z. */
static sl_view make_view(bool front)
{
    sl_camera_def def = { 0 };
    for (int i = 0; i < 3; i++) {
        def.eye[i] = !front || i == 2 ? 10 : 0;
    }
    def.orthographic = true;
    def.ortho_height = 8;
    def.far_distance = 100;
    def.width = def.height = 800;
    sl_camera camera = made_camera(&def);
    return (sl_view){ .camera = camera };
}

static uint32_t handle_at(const sl_gizmo *gizmo, const sl_view *view, double x, double y,
                          sl_handle *out)
{
    const double mouse[2] = { 400 + x, 400 - y };
    return sl_gizmo_pick(gizmo, view, mouse, 6, out) ? out->handle : 0;
}

TEST(a_gizmo_has_its_size_in_pixels_wherever_it_is)
{
    sl_camera_def def = { 0 };
    sl_camera camera = made_camera(&def);
    const sl_view view = (sl_view){ .camera = camera };
    sl_gizmo gizmo = { 0 };
    for (int i = 0; i < 10; i++) {
        double size, a[2], b[2];
        gizmo.centre[2] = 0.5 - exp2(i);
        const double tip[3] = { 0, 1, gizmo.centre[2] };
        assert_true(sl_gizmo_size(&gizmo, &view, &size));
        const double end[3] = { 0, size * tip[1], tip[2] };
        assert_true(sl_view_project(&view, gizmo.centre, a, NULL));
        assert_true(sl_view_project(&view, end, b, NULL));
        assert_true(fabs(a[1] - b[1] - 90) < 1e-4);
    }
    double size = 7;
    gizmo.centre[2] = 5;
    assert_false(sl_gizmo_size(&gizmo, &view, &size));
    assert_true(size == 7);
}

TEST(the_handle_under_the_mouse)
{
    const sl_view view = make_view(true);
    sl_gizmo gizmo = { 0 };
    sl_handle handle;
    assert_int_equal(handle_at(&gizmo, &view, 60, 3, &handle), SL_HANDLE_ARROW_X);
    assert_true(fabs(handle.pixels - 3) < 1e-6 && fabs(handle.point[0] - 0.6) < 1e-6);
    assert_true(fabs(handle.size - 0.9) < 1e-6);
    assert_int_equal(handle_at(&gizmo, &view, -2, 92, &handle), SL_HANDLE_ARROW_Y);
    assert_int_equal(handle_at(&gizmo, &view, 2, 3, &handle), SL_HANDLE_MIDDLE);
    assert_int_equal(handle_at(&gizmo, &view, 38, 34, &handle), SL_HANDLE_SQUARE_Z);
    assert_true(handle.pixels == 0);
    assert_int_equal(handle_at(&gizmo, &view, 50, 34, &handle), SL_HANDLE_SQUARE_Z);
    assert_true(fabs(handle.pixels - 5) < 1e-6);
    assert_int_equal(handle_at(&gizmo, &view, 70, 70, &handle), 0);
    assert_int_equal(handle_at(&gizmo, &view, -40, 0, &handle), 0);
    gizmo.handles = SL_HANDLE_ALL_TURN;
    assert_int_equal(handle_at(&gizmo, &view, -65, 65, &handle), SL_HANDLE_RING_Z);
    gizmo.handles = SL_HANDLE_ALL_SCALE;
    assert_int_equal(handle_at(&gizmo, &view, 105, 0, &handle), SL_HANDLE_BOX_X);
    assert_int_equal(handle_at(&gizmo, &view, 50, 0, &handle), 0);
}

/* Aslant, only the nearer half of a ring counts. */
TEST(what_of_a_ring_is_behind_is_not_there)
{
    const sl_view view = make_view(false);
    sl_gizmo gizmo = { .handles = SL_HANDLE_RING_Z };
    for (int i = 0; i < 64; i++) {
        const double angle = (i + 0.5) * 3.14159265358979323846 / 32;
        const double point[3] = { 0.9 * cos(angle), 0.9 * sin(angle), 0 };
        const double nearer = point[0] + point[1];
        double xy[2];
        sl_handle handle;
        assert_true(sl_view_project(&view, point, xy, NULL));
        const bool found = sl_gizmo_pick(&gizmo, &view, xy, 1, &handle);
        if (fabs(nearer) > 0.2) {
            assert_int_equal(found, nearer > 0);
        }
    }
}

TEST(handles_become_drags)
{
    static const sl_drag_kind kinds[13] = { SL_DRAG_AXIS,    SL_DRAG_AXIS,    SL_DRAG_AXIS,
                                            SL_DRAG_PLANE,   SL_DRAG_PLANE,   SL_DRAG_PLANE,
                                            SL_DRAG_RING,    SL_DRAG_RING,    SL_DRAG_RING,
                                            SL_DRAG_STRETCH, SL_DRAG_STRETCH, SL_DRAG_STRETCH,
                                            SL_DRAG_SCALE };
    const sl_view view = make_view(false);
    const double mouse[2] = { 400, 400 };
    sl_gizmo gizmo = { .handles = 0x1FFF };
    for (int i = 0; i < 13; i++) {
        sl_handle handle = { .handle = (uint32_t)1 << i, .size = 0.9 };
        sl_drag drag = { 0 };
        handle.point[0] = handle.point[1] = handle.point[2] = i < 12 ? 0.3 : 0;
        drag.step = 0.25;
        assert_true(sl_gizmo_drag(&gizmo, &handle, &drag));
        assert_int_equal(drag.kind, kinds[i]);
        assert_true(drag.step == 0.25);
        assert_true(i == 12 || drag.axis[i % 3] == 1);
        assert_int_equal(sl_drag_begin(&drag, &view, mouse), SL_DRAG_MOVED);
        gizmo.handles = 0x1FFFu & ~handle.handle;
        assert_false(sl_gizmo_drag(&gizmo, &handle, &drag));
        gizmo.handles = 0x1FFF;
    }
    const sl_handle two = { .handle = 3 }, none = { .handle = 0 };
    sl_drag drag = { 0 };
    assert_false(sl_gizmo_drag(&gizmo, &two, &drag));
    assert_false(sl_gizmo_drag(&gizmo, &none, &drag));
}

TEST(hostile_gizmos_have_no_handles)
{
    const sl_view view = make_view(true);
    sl_view bad_view = view;
    bad_view.camera.width = 0;
    const double mouse[2] = { 400, 400 }, nowhere[2] = { NAN, 400 };
    const sl_gizmo good = { 0 };
    sl_gizmo bad[4] = { good, good, good, good };
    sl_handle handle = { .handle = 77 };
    bad[0].centre[1] = INFINITY;
    bad[1].axes[2][2] = NAN;
    bad[2].pixels = -1;
    bad[3].handles = 1u << 13;
    for (int i = 0; i < 4; i++) {
        assert_false(sl_gizmo_pick(&bad[i], &view, mouse, 6, &handle));
    }
    assert_false(sl_gizmo_pick(&good, &bad_view, mouse, 6, &handle));
    assert_false(sl_gizmo_pick(&good, &view, nowhere, 6, &handle));
    assert_false(sl_gizmo_pick(&good, &view, mouse, -1, &handle));
    assert_false(sl_gizmo_pick(&good, &view, mouse, NAN, &handle));
    assert_int_equal(handle.handle, 77);
}
