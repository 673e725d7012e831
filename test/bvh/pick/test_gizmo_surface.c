/* Drags on surfaces: the point is where the mouse points, on what is not dragged; beside it, at the
 * depth it had last. */
#include "test/support/test.h"

enum { SEED = 20261127, ROUNDS = 2000 };

/* A ball of radius 1 at (3, 0, 0), which may be dragged, and a ball of radius 2 at the origin. */
typedef struct case_of_balls {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_bvh *scene;
    sl_view view;
} case_of_balls;

static void make(case_of_balls *balls)
{
    sl_error error;
    assert_int_equal(sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 32 } } },
                                      NULL, &balls->mesh, &error),
                     SL_OK);
    assert_int_equal(sl_bvh_build(balls->mesh, NULL, &balls->bvh, &error), SL_OK);
    sl_instance instances[2] = { sl_instance_of(balls->bvh), sl_instance_of(balls->bvh) };
    const double two[3] = { 2, 2, 2 }, beside[3] = { 3, 0, 0 };
    assert_true(sl_transform_from_trs(beside, NULL, NULL, &instances[0].transform));
    assert_true(sl_transform_from_trs(NULL, NULL, two, &instances[1].transform));
    assert_int_equal(sl_bvh_build_instances(instances, 2, NULL, &balls->scene, &error), SL_OK);
    sl_camera_def def = { 0 };
    sl_camera camera;
    def.eye[2] = 10;
    assert_int_equal(sl_camera_make(&def, &camera, &error), SL_OK);
    balls->view = (sl_view){ .camera = camera };
}

static void destroy(case_of_balls *balls)
{
    sl_bvh_destroy(balls->scene);
    sl_bvh_destroy(balls->bvh);
    sl_mesh_destroy(balls->mesh);
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

TEST(what_is_dragged_stands_where_the_mouse_points)
{
    UNDONE(destroy) case_of_balls balls;
    make(&balls);
    const sl_instance_range itself = { 0, 1 };
    const sl_options options = { .ignore = &itself, .ignore_count = 1 };
    test_random random = { SEED };
    sl_drag drag = { 0 };
    double start[2];
    int on = 0, off = 0;
    drag.kind = SL_DRAG_SURFACE;
    drag.point[0] = 3;
    assert_true(sl_view_project(&balls.view, drag.point, start, NULL));
    start[0] += 5; /* beside the point, which keeps that distance from the mouse */
    assert_int_equal(sl_drag_begin(&drag, &balls.view, start), SL_DRAG_MOVED);
    for (int i = 0; i < ROUNDS; i++) {
        const double mouse[2] = { 800 * (double)test_random_unit(&random),
                                  600 * (double)test_random_unit(&random) };
        double xy[2];
        sl_drag_move move;
        const sl_drag_answer answer =
            sl_drag_on_surface(balls.scene, &drag, &balls.view, mouse, &options, NULL, &move);
        if (answer == SL_DRAG_NOTHING) {
            off++;
            continue;
        }
        assert_int_equal(answer, SL_DRAG_MOVED);
        assert_int_equal(move.instance, 1);
        assert_true(length_of(move.point) < 2.01 && length_of(move.point) > 1.9);
        assert_true(fabs(length_of(move.normal) - 1) < 1e-6 && move.normal[2] > 0);
        assert_true(sl_view_project(&balls.view, move.point, xy, NULL));
        assert_true(fabs(xy[0] - (mouse[0] - 5)) < 1e-4 && fabs(xy[1] - mouse[1]) < 1e-4);
        for (int k = 0; k < 3; k++) {
            assert_true(move.translation[k] == move.point[k] - drag.point[k]);
        }
        on++;
    }
    assert_true(on > ROUNDS / 20 && off > ROUNDS / 20);
}

TEST(beside_the_surface_it_stays_at_the_depth_of_the_last_point)
{
    UNDONE(destroy) case_of_balls balls;
    make(&balls);
    const double middle[2] = { 400, 300 }, beside[2] = { 10, 20 };
    sl_drag drag = { 0 };
    sl_drag_move move;
    double xy[2], depth[2];
    drag.kind = SL_DRAG_SURFACE;
    drag.point[1] = 5; /* nothing is there */
    assert_true(sl_view_project(&balls.view, drag.point, xy, NULL));
    assert_int_equal(sl_drag_begin(&drag, &balls.view, xy), SL_DRAG_MOVED);
    assert_int_equal(sl_drag_on_surface(balls.scene, &drag, &balls.view, middle, NULL, NULL, &move),
                     SL_DRAG_MOVED);
    assert_int_equal(move.flags, 0);
    assert_true(fabs(move.point[2] - 2) < 0.1);
    assert_true(sl_view_project(&balls.view, move.point, NULL, &depth[0]));
    const sl_drag_move on = move;
    for (int i = 0; i < 2; i++) { /* it stays there, however often nothing is there */
        assert_int_equal(
            sl_drag_on_surface(balls.scene, &drag, &balls.view, beside, NULL, &move, &move),
            SL_DRAG_MOVED);
        assert_int_equal(move.flags, SL_DRAG_OFF_SURFACE);
        assert_int_equal(move.prim, SL_NONE);
        assert_true(sl_view_project(&balls.view, move.point, xy, &depth[1]));
        assert_true(fabs(xy[0] - 10) < 1e-6 && fabs(xy[1] - 20) < 1e-6);
        assert_true(fabs(depth[1] - depth[0]) < 1e-12);
    }
    assert_int_equal(sl_drag_on_surface(balls.scene, &drag, &balls.view, beside, NULL, NULL, &move),
                     SL_DRAG_NOTHING);
    assert_int_equal(
        sl_drag_on_surface(balls.scene, &drag, &balls.view, middle, NULL, &move, &move),
        SL_DRAG_MOVED);
    assert_memory_equal(&move, &on, sizeof move);
}

TEST(a_click_moves_nothing)
{
    UNDONE(destroy) case_of_balls balls;
    make(&balls);
    const double none[3] = { 0, 0, 0 }, mouse[2] = { 390, 310 }, bad[2] = { NAN, 0 };
    sl_drag drag = { 0 };
    sl_drag_move move;
    drag.kind = SL_DRAG_SURFACE;
    assert_int_equal(sl_drag_begin(&drag, &balls.view, mouse), SL_DRAG_MOVED);
    assert_int_equal(sl_drag_on_surface(balls.scene, &drag, &balls.view, mouse, NULL, NULL, &move),
                     SL_DRAG_MOVED);
    assert_memory_equal(move.translation, none, sizeof none);
    assert_int_equal(sl_drag_to(&drag, &balls.view, mouse, NULL, &move), SL_DRAG_BAD_DRAG);
    assert_int_equal(sl_drag_on_surface(balls.scene, &drag, &balls.view, bad, NULL, NULL, &move),
                     SL_DRAG_BAD_MOUSE);
    drag.kind = SL_DRAG_AXIS;
    assert_int_equal(sl_drag_on_surface(balls.scene, &drag, &balls.view, mouse, NULL, NULL, &move),
                     SL_DRAG_BAD_DRAG);
}
