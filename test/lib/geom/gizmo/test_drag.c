/* Drags: worked by hand, under the mouse by long double, the way back, what is continuous, what is
 * refused. */
#include "test/support/input/dragged.h"
#include "test/support/test.h"

enum { SEED = 20261124, ROUNDS = 20000 };

static const double pi = 3.14159265358979323846;

/* From (0, 0, 8) along -z; at the origin eight units fill 800 pixels: 0.01 a pixel. */
static sl_view plain_view(bool orthographic)
{
    sl_camera_def def = { 0 };
    def.eye[2] = 8;
    def.orthographic = orthographic;
    def.ortho_height = 8;
    def.off_centre = !orthographic;
    const float window[4] = { -0.5f, 0.5f, -0.5f, 0.5f };
    memcpy(def.window, window, sizeof window);
    def.near_distance = 1;
    def.far_distance = 100;
    def.width = def.height = 800;
    sl_camera camera = made_camera(&def);
    return (sl_view){ .camera = camera };
}

static sl_drag drag_of(sl_drag_kind kind, double x, double y, double z)
{
    sl_drag drag = { .kind = kind };
    drag.axis[0] = x;
    drag.axis[1] = y;
    drag.axis[2] = z;
    return drag;
}

/* Begun at (from, from), moved by (x, y). */
static sl_drag_move moved_by(sl_drag *drag, const sl_view *view, double x, double y)
{
    const double start[2] = { 300, 400 }, mouse[2] = { 300 + x, 400 + y };
    sl_drag_move move;
    assert_int_equal(sl_drag_begin(drag, view, start), SL_DRAG_MOVED);
    assert_int_equal(sl_drag_to(drag, view, mouse, NULL, &move), SL_DRAG_MOVED);
    return move;
}

static void assert_near3(const double got[3], double x, double y, double z)
{
    const double expected[3] = { x, y, z };
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(got[i] - expected[i]) <= 1e-12 * (1 + fabs(expected[i])));
    }
}

TEST(drags_worked_by_hand)
{
    for (int orthographic = 0; orthographic < 2; orthographic++) {
        const sl_view view = plain_view(orthographic != 0);
        sl_drag drag = drag_of(SL_DRAG_AXIS, 2, 0, 0);
        sl_drag_move move = moved_by(&drag, &view, 50, 70);
        assert_near3(move.translation, 0.5, 0, 0);
        assert_int_equal(move.flags, 0);
        assert_true(fabs(move.pixel - 0.01) < 1e-12);
        drag = drag_of(SL_DRAG_PLANE, 0, 0, -3);
        move = moved_by(&drag, &view, 50, 70);
        assert_near3(move.translation, 0.5, -0.7, 0);
        drag = drag_of(SL_DRAG_SCREEN, 1, 1, 1);
        move = moved_by(&drag, &view, 50, 70);
        assert_near3(move.translation, 0.5, -0.7, 0);
        assert_near3(move.point, 0.5, -0.7, 0);
        /* The ground, one below the eye, with the horizon 100 pixels above the point. */
        drag = drag_of(SL_DRAG_PLANE, 0, 1, 0);
        drag.point[1] = -1;
        if (!orthographic) {
            move = moved_by(&drag, &view, 0, -20);
            assert_near3(move.translation, 0, 0, -2);
            assert_int_equal(move.flags, 0);
        }
    }
}

TEST(turns_and_factors_worked_by_hand)
{
    const sl_view view = plain_view(true);
    sl_drag drag = drag_of(SL_DRAG_RING, 0, 0, 1);
    drag.point[0] = 2; /* 200 pixels to the right of the centre; up is a quarter turn */
    sl_drag_move move = moved_by(&drag, &view, -200, -300);
    assert_true(fabs(move.angle - pi / 2) < 1e-12);
    assert_near3(move.point, 0, 2, 0);
    drag.ring = SL_RING_PULLED; /* 2000 pixels up are an arc of 20 on a radius of 2 */
    move = moved_by(&drag, &view, 77, -2000);
    assert_true(fabs(move.angle - 10) < 1e-12);
    drag = drag_of(SL_DRAG_SCALE, 0, 0, 1);
    drag.point[0] = 2;
    move = moved_by(&drag, &view, -200, 300);
    assert_true(fabs(move.factor - 1.5) < 1e-12);
    drag = drag_of(SL_DRAG_STRETCH, 1, 0, 0);
    drag.point[0] = 2;
    move = moved_by(&drag, &view, -50, 1234);
    assert_true(fabs(move.factor - 0.75) < 1e-12);
    move = moved_by(&drag, &view, -500, 0); /* not mirrored */
    assert_true(move.factor == 0x1p-10);
    assert_int_equal(move.flags, SL_DRAG_CLAMPED);
    drag = drag_of(SL_DRAG_ROLL, 1, 1, 1);
    drag.radius = 1;
    move = moved_by(&drag, &view, 100 * pi / 2, 0); /* the front goes to the right: about +y */
    assert_true(fabs(move.angle - pi / 2) < 1e-12);
    assert_true(fabs(move.rotation[1] - sqrt(0.5)) < 1e-12);
    assert_true(fabs(move.rotation[3] - sqrt(0.5)) < 1e-12);
}

TEST(steps_are_of_the_translation_or_of_the_grid)
{
    const sl_view view = plain_view(true);
    sl_drag drag = drag_of(SL_DRAG_AXIS, 1, 0, 0);
    drag.point[0] = 0.1;
    drag.step = 0.25;
    sl_drag_move move = moved_by(&drag, &view, 60, 0);
    assert_true(move.translation[0] == 0.5);
    drag.absolute = true;
    move = moved_by(&drag, &view, 60, 0);
    assert_near3(move.point, 0.75, 0, 0);
    drag.grid[0] = 0.05;
    move = moved_by(&drag, &view, 60, 0);
    assert_near3(move.point, 0.8, 0, 0);
    move = moved_by(&drag, &view, 0, 0); /* a click leaves it beside the grid */
    assert_true(move.point[0] == 0.1);
    drag = drag_of(SL_DRAG_PLANE, 0, 0, 1);
    drag.step = 0.5;
    move = moved_by(&drag, &view, 60, 20);
    assert_near3(move.translation, 0.5, 0, 0);
    drag.tangent[0] = drag.tangent[1] = 1; /* along the diagonals */
    move = moved_by(&drag, &view, 30, -30);
    assert_near3(move.translation, 0.5 * sqrt(0.5), 0.5 * sqrt(0.5), 0);
    drag = drag_of(SL_DRAG_RING, 0, 0, 1);
    drag.point[0] = 2;
    drag.step = pi / 12;
    move = moved_by(&drag, &view, -200, -190);
    assert_true(move.angle == 6 * (pi / 12));
    assert_true(move.point[0] == 0 && move.point[1] == 2); /* exactly a quarter */
    drag = drag_of(SL_DRAG_SCALE, 0, 0, 1);
    drag.point[0] = 2;
    drag.step = 0.25;
    assert_true(moved_by(&drag, &view, 60, 0).factor == 1.25);
}

TEST(whole_turns_are_counted)
{
    const sl_view view = plain_view(false);
    sl_drag drag = drag_of(SL_DRAG_RING, 0, 0, 1);
    drag.point[0] = 2;
    sl_drag_move move = moved_by(&drag, &view, 0, 0);
    assert_true(move.angle == 0);
    for (int way = 1; way >= -1; way -= 2) {
        for (int i = 1; i <= 48; i++) { /* sixteen steps a turn */
            const double angle = way * i * pi / 8;
            const double mouse[2] = { 300 + 200 * (cos(angle) - 1), 400 - 200 * sin(angle) };
            const double expected = way > 0 ? angle : 6 * pi + angle;
            assert_int_equal(sl_drag_to(&drag, &view, mouse, &move, &move), SL_DRAG_MOVED);
            assert_true(fabs(move.angle - expected) < 1e-9);
        }
        if (way > 0) { /* where it began, three turns on: nothing is turned */
            assert_true(fabs(move.angle - 6 * pi) < 1e-9);
            assert_true(fabs(move.point[0] - 2) < 1e-9 && fabs(move.point[1]) < 1e-9);
        }
    }
}

TEST(a_ring_has_no_answer_at_its_centre_but_can_be_pulled_through_it)
{
    const sl_view view = plain_view(false);
    const double start[2] = { 300, 400 }, centre[2] = { 103, 400 };
    sl_drag_move move;
    sl_drag drag = drag_of(SL_DRAG_RING, 0, 0, 1);
    drag.point[0] = 2;
    assert_int_equal(sl_drag_begin(&drag, &view, start), SL_DRAG_MOVED);
    memset(&move, 0x55, sizeof move);
    const sl_drag_move before = move;
    assert_int_equal(sl_drag_to(&drag, &view, centre, NULL, &move), SL_DRAG_AT_CENTRE);
    assert_memory_equal(&move, &before, sizeof move);
    drag.ring = SL_RING_PULLED;
    assert_int_equal(sl_drag_begin(&drag, &view, start), SL_DRAG_MOVED);
    assert_int_equal(sl_drag_to(&drag, &view, centre, NULL, &move), SL_DRAG_MOVED);
    assert_true(fabs(move.angle) < 1e-12);
}

/* Seen edge-on, a ring is pulled by what can be seen of it, wherever it was grabbed. */
TEST(a_ring_that_is_seen_edge_on_is_pulled)
{
    const sl_view view = plain_view(true);
    for (int i = 0; i < 16; i++) {
        sl_drag drag = drag_of(SL_DRAG_RING, 0, 1, 0);
        drag.point[0] = 2 * sin(i * pi / 8);
        drag.point[2] = 2 * cos(i * pi / 8);
        const sl_drag_move move = moved_by(&drag, &view, 100, 0);
        assert_true(fabs(move.angle) > 0.24 && fabs(move.angle) < 1.01);
        assert_int_equal(move.flags, 0);
    }
}

/* What one position of the mouse asks of a drag without clamp and step: of the plane, that the
 * point is there; of the axis, that it is nowhere nearer, as its line in the picture is at right
 * angles to the way there. */
static bool check_under(const test_dragged *dragged, const sl_drag_move *move)
{
    const sl_drag *drag = &dragged->drag;
    static const double none[3] = { 0, 0, 0 };
    long double was[3], is[3], off[2], along = 0, way = 0, whole = 0, asked = 0;
    for (int i = 0; i < 3; i++) {
        if (fabs(drag->point[i] - dragged->view.origin[i]) > 1e7 * move->pixel) {
            return false;
        }
    }
    test_dragged_project(&dragged->view, drag->point, none, was);
    test_dragged_project(&dragged->view, drag->point, move->translation, is);
    for (int i = 0; i < 2; i++) {
        const long double d = dragged->mouse[i] - dragged->start[i];
        off[i] = is[i] - (was[i] + d);
        along += off[i] * (is[i] - was[i]);
        way += (is[i] - was[i]) * (is[i] - was[i]);
        whole += off[i] * off[i];
        asked += d * d;
    }
    if (sqrtl(asked) > 1e4L || is[2] < 1e-3L * was[2] ||
        (drag->kind == SL_DRAG_AXIS && way < 0.01L)) {
        return false;
    }
    if (drag->kind == SL_DRAG_AXIS) {
        assert_true(fabsl(along) <= 1e-6L * sqrtl(way));
    } else {
        assert_true(sqrtl(whole) <= 1e-6L);
    }
    return true;
}

TEST(the_point_is_under_the_mouse_or_the_answer_says_clamped)
{
    test_random random = { SEED };
    int checked = 0;
    for (int i = 0; i < 2 * ROUNDS; i++) {
        double numbers[DRAGGED_NUMBERS];
        test_dragged dragged;
        sl_drag_move move;
        test_dragged_random(&random, numbers);
        numbers[14] *= 3.0 / 7; /* what moves */
        if (test_dragged_make(numbers, &dragged) &&
            sl_drag_to(&dragged.drag, &dragged.view, dragged.mouse, NULL, &move) == SL_DRAG_MOVED &&
            move.flags == 0) {
            checked += check_under(&dragged, &move);
        }
    }
    assert_true(checked > ROUNDS / 2);
}

/* Around a ring: the angle of where the same drag in the ring's plane takes the point. */
TEST(a_ring_turns_the_point_towards_the_mouse)
{
    test_random random = { SEED };
    int checked = 0;
    for (int i = 0; i < ROUNDS; i++) {
        double numbers[DRAGGED_NUMBERS];
        test_dragged dragged;
        sl_drag_move turned, moved;
        test_dragged_random(&random, numbers);
        numbers[14] = 3.5 / 7;
        numbers[9] = 0; /* near the origin: arms are what is left of points */
        if (!test_dragged_make(numbers, &dragged) || dragged.drag.pull[0] != 0 ||
            sl_drag_to(&dragged.drag, &dragged.view, dragged.mouse, NULL, &turned) !=
                SL_DRAG_MOVED ||
            turned.flags != 0) {
            continue;
        }
        sl_drag plane = dragged.drag;
        plane.kind = SL_DRAG_PLANE;
        assert_int_equal(sl_drag_to(&plane, &dragged.view, dragged.mouse, NULL, &moved),
                         SL_DRAG_MOVED);
        if (moved.flags != 0) {
            continue;
        }
        /* Of the two arms, across the axis: the cross product is 0, the dot product positive. */
        double a[3], b[3], n[3], dot[2] = { 0 }, aa = 0, bb = 0, nn = 0, ab = 0, sine = 0;
        for (int k = 0; k < 3; k++) {
            n[k] = plane.axis[k];
            nn += n[k] * n[k];
            a[k] = turned.point[k] - plane.centre[k];
            b[k] = plane.point[k] - plane.centre[k] + moved.translation[k];
            dot[0] += a[k] * n[k];
            dot[1] += b[k] * n[k];
        }
        for (int k = 0; k < 3; k++) {
            a[k] -= dot[0] / nn * n[k];
            b[k] -= dot[1] / nn * n[k];
            aa += a[k] * a[k];
            bb += b[k] * b[k];
            ab += a[k] * b[k];
        }
        for (int k = 0; k < 3; k++) {
            const double cross = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
            sine += cross * cross;
        }
        assert_true(ab > 0 && sqrt(sine) <= 1e-6 * sqrt(aa * bb));
        checked++;
    }
    assert_true(checked > ROUNDS / 100);
}

TEST(the_way_back_ends_where_it_began)
{
    test_random random = { SEED };
    static const double none[3] = { 0, 0, 0 }, no_turn[4] = { 0, 0, 0, 1 };
    for (int i = 0; i < ROUNDS; i++) {
        double numbers[DRAGGED_NUMBERS];
        test_dragged dragged;
        sl_drag_move move;
        test_dragged_random(&random, numbers);
        if (!test_dragged_make(numbers, &dragged)) {
            continue;
        }
        dragged.drag.step = i % 3 == 0 ? 0.125 : 0;
        dragged.drag.absolute = i % 2 == 0;
        sl_drag_answer answer =
            sl_drag_to(&dragged.drag, &dragged.view, dragged.mouse, NULL, &move);
        answer =
            sl_drag_to(&dragged.drag, &dragged.view, dragged.start,
                       answer == SL_DRAG_MOVED && fabs(move.free_angle) < 3 ? &move : NULL, &move);
        assert_int_equal(answer, SL_DRAG_MOVED);
        assert_memory_equal(move.translation, none, sizeof none);
        assert_memory_equal(move.rotation, no_turn, sizeof no_turn);
        assert_memory_equal(move.point, dragged.drag.point, sizeof move.point);
        assert_true(move.angle == 0 && move.factor == 1);
    }
}

/* Two lines that turn through being parallel, and a plane that turns through being edge-on: as the
 * axis passes the line of sight, the answer passes 0 without a jump. */
TEST(an_axis_that_turns_through_the_line_of_sight_moves_continuously)
{
    for (int orthographic = 0; orthographic < 2; orthographic++) {
        const sl_view view = plain_view(orthographic != 0);
        double last = 0;
        for (int i = -2000; i <= 2000; i++) {
            const double tilt = i / 10000.0;
            sl_drag axis = drag_of(SL_DRAG_AXIS, tilt, 0, -1);
            const double along = moved_by(&axis, &view, 10, 0).translation[2];
            sl_drag plane = drag_of(SL_DRAG_PLANE, -1, 0, -tilt);
            const sl_drag_move moved = moved_by(&plane, &view, 10, 10);
            assert_true(fabs(moved.translation[1] + 0.1) < 0.03);
            assert_true(fabs(along) <= 32 * 0.1 + 1e-9);
            if (i > -2000) {
                assert_true(fabs(along - last) < 0.02);
            }
            last = along;
            if (i == 0) {
                assert_true(along == 0 && moved.translation[2] == 0);
            }
        }
    }
}

TEST(beyond_the_vanishing_point_objects_do_not_fly_away)
{
    const sl_view view = plain_view(false);
    sl_drag drag = drag_of(SL_DRAG_PLANE, 0, 1, 0);
    drag.point[1] = -1; /* the horizon is 100 pixels up */
    double last = 0;
    for (int y = 0; y < 1000; y++) {
        const sl_drag_move move = moved_by(&drag, &view, 0, -y);
        const double away = -move.translation[2];
        assert_true(away >= last && away - last <= 32 * move.pixel + 1e-9);
        assert_int_equal(move.flags != 0,
                         y > 40 && (y >= 100 || away < 8 * y / (100.0 - y) - 1e-9));
        last = away;
        if (y >= 100) {
            assert_int_equal(move.flags, SL_DRAG_CLAMPED);
        }
    }
    assert_true(last > 8);
}

TEST(a_slower_pace_begins_without_a_jump)
{
    const sl_view view = plain_view(true);
    sl_drag drag = drag_of(SL_DRAG_AXIS, 1, 0, 0);
    sl_drag_move move = moved_by(&drag, &view, 50, 0);
    const double at[2] = { 350, 400 }, on[2] = { 450, 400 }, bad[2] = { NAN, 0 };
    assert_true(sl_drag_pace(&drag, at, 0.1));
    assert_int_equal(sl_drag_to(&drag, &view, at, NULL, &move), SL_DRAG_MOVED);
    assert_near3(move.translation, 0.5, 0, 0);
    assert_int_equal(sl_drag_to(&drag, &view, on, NULL, &move), SL_DRAG_MOVED);
    assert_near3(move.translation, 0.6, 0, 0);
    assert_true(sl_drag_pace(&drag, on, 1));
    assert_int_equal(sl_drag_to(&drag, &view, at, NULL, &move), SL_DRAG_MOVED);
    assert_near3(move.translation, -0.4, 0, 0);
    const sl_drag before = drag;
    assert_false(sl_drag_pace(&drag, bad, 1));
    assert_false(sl_drag_pace(&drag, at, INFINITY));
    assert_memory_equal(&drag, &before, sizeof drag);
}

TEST(hostile_input_is_refused)
{
    const sl_view view = plain_view(false);
    sl_view bad_view = view;
    bad_view.origin[1] = NAN;
    const double mouse[2] = { 300, 400 }, nowhere[2] = { 300, INFINITY };
    sl_drag_move move;
    for (int kind = SL_DRAG_AXIS; kind <= SL_DRAG_SURFACE; kind++) {
        sl_drag good = drag_of((sl_drag_kind)kind, 0, 0, 1);
        good.point[0] = good.point[2] = 1;
        assert_int_equal(sl_drag_begin(&good, &bad_view, mouse), SL_DRAG_BAD_VIEW);
        assert_int_equal(sl_drag_begin(&good, &view, nowhere), SL_DRAG_BAD_MOUSE);
        sl_drag bad[9];
        for (int i = 0; i < 9; i++) {
            bad[i] = good;
        }
        bad[0].ring = (sl_ring_rule)(SL_RING_PULLED + 1);
        bad[1].radius = -1;
        bad[2].axis[0] = NAN;
        bad[3].point[1] = INFINITY;
        bad[4].limit = 3;
        bad[5].step = -1;
        bad[6].factor_min = -1;
        bad[7].kind = (sl_drag_kind)(SL_DRAG_SURFACE + 1);
        bad[8].point[2] = 11; /* behind the eye */
        for (int i = 0; i < 9; i++) {
            const sl_drag before = bad[i];
            assert_int_equal(sl_drag_begin(&bad[i], &view, mouse),
                             i < 8 ? SL_DRAG_BAD_DRAG : SL_DRAG_BEHIND);
            assert_memory_equal(&bad[i], &before, sizeof before);
        }
        assert_int_equal(sl_drag_begin(&good, &view, mouse), SL_DRAG_MOVED);
        assert_int_equal(sl_drag_to(&good, &view, nowhere, NULL, &move), SL_DRAG_BAD_MOUSE);
        assert_int_equal(sl_drag_to(&good, &bad_view, mouse, NULL, &move), SL_DRAG_BAD_VIEW);
        const double far[3] = { 1e9, 1e150, 1e300 };
        for (int i = 0; i < 3 && kind != SL_DRAG_SURFACE; i++) {
            const double there[2] = { far[i], -far[i] };
            const sl_drag_answer answer = sl_drag_to(&good, &view, there, NULL, &move);
            assert_true(answer == SL_DRAG_MOVED || answer == SL_DRAG_OUT_OF_RANGE);
        }
    }
    sl_drag ring = drag_of(SL_DRAG_RING, 0, 0, 1);
    assert_int_equal(sl_drag_begin(&ring, &view, mouse), SL_DRAG_BAD_DRAG);
}
