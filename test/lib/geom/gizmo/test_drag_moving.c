/* Drags while the camera moves, in mirrored views, and of what is too large: cameras of all kinds,
 * other ones at the end of a drag than at its start. */
#include "test/support/input/dragged.h"
#include "test/support/test.h"

enum { SEED = 20261126, ROUNDS = 20000, KINDS = 7 };

/* A drag that has begun in a view, and then another view: another camera about the same origin, now
 * and then only a little moved. */
static bool moved_random(test_random *random, test_dragged *out)
{
    double numbers[DRAGGED_NUMBERS], others[DRAGGED_NUMBERS];
    test_dragged other;
    test_dragged_random(random, numbers);
    if (!test_dragged_make(numbers, out)) {
        return false;
    }
    test_dragged_random(random, others);
    for (int i = 0; i < 9 && numbers[23] < 0.7; i++) {
        others[i] = fmin(fmax(numbers[i] + 0.01 * (others[i] - 0.5), 0), 0.999);
    }
    for (int i = 9; i < 13; i++) {
        others[i] = numbers[i]; /* the origin */
    }
    (void)test_dragged_make(others, &other);
    out->view = other.view;
    return true;
}

TEST(the_limit_holds_in_another_view)
{
    test_random random = { SEED };
    int answers[KINDS] = { 0 };
    for (int i = 0; i < ROUNDS; i++) {
        test_dragged dragged;
        if (moved_random(&random, &dragged)) {
            const double jump = test_dragged_jump(&dragged);
            assert_true(jump <= 1 + 1e-6);
            answers[dragged.drag.kind] += jump >= 0;
        }
    }
    for (int kind = 0; kind < KINDS; kind++) {
        assert_true(answers[kind] > 100);
    }
}

static bool is_near(const test_dragged *dragged, double pixel, const double asked[2],
                    const long double seen[3], const long double moved[3])
{
    for (int i = 0; i < 3; i++) {
        if (!(fabs(dragged->drag.point[i] - dragged->view.origin[i]) < 1e7 * pixel)) {
            return false;
        }
    }
    return hypot(asked[0] - (double)seen[0], asked[1] - (double)seen[1]) < 1e4 &&
           moved[2] > seen[2] / 1000;
}

/* In the new view, the point is asked to appear where it was in the old one, moved as the mouse. */
TEST(the_point_follows_the_mouse_into_another_view)
{
    static const double none[3] = { 0, 0, 0 };
    test_random random = { SEED };
    int checked = 0;
    for (int i = 0; i < ROUNDS; i++) {
        test_dragged dragged;
        sl_drag_move move;
        if (!moved_random(&random, &dragged)) {
            continue;
        }
        const sl_drag *drag = &dragged.drag;
        if ((drag->kind != SL_DRAG_PLANE && drag->kind != SL_DRAG_SCREEN) ||
            sl_drag_to(drag, &dragged.view, dragged.mouse, NULL, &move) != SL_DRAG_MOVED ||
            move.flags != 0) {
            continue;
        }
        long double seen[3], moved[3];
        const double asked[2] = { drag->at[0] + (dragged.mouse[0] - dragged.start[0]),
                                  drag->at[1] + (dragged.mouse[1] - dragged.start[1]) };
        test_dragged_project(&dragged.view, drag->point, none, seen);
        test_dragged_project(&dragged.view, drag->point, move.translation, moved);
        if (is_near(&dragged, move.pixel, asked, seen, moved)) {
            assert_true(fabsl(moved[0] - asked[0]) < 1e-6L && fabsl(moved[1] - asked[1]) < 1e-6L);
            checked++;
        }
    }
    assert_true(checked > ROUNDS / 50);
}

/* The picture mirrored from left to right, by a view matrix that is left-handed: of the same world,
 * under a mirrored mouse, drags become the same. */
TEST(a_left_handed_view_drags_as_its_mirrored_picture)
{
    test_random random = { SEED };
    int checked = 0;
    for (int i = 0; i < ROUNDS / 4; i++) {
        double numbers[DRAGGED_NUMBERS];
        test_dragged dragged;
        sl_drag_move right, left;
        test_dragged_random(&random, numbers);
        numbers[6] = i % 2 == 0 ? 0.1 : 0.7; /* windows about the middle */
        if (!test_dragged_make(numbers, &dragged) ||
            sl_drag_to(&dragged.drag, &dragged.view, dragged.mouse, NULL, &right) !=
                SL_DRAG_MOVED) {
            continue;
        }
        sl_view mirrored = dragged.view;
        sl_drag drag = dragged.drag;
        for (int k = 0; k < 4; k++) {
            mirrored.camera.view[4 * k] = -mirrored.camera.view[4 * k];
        }
        const double width = mirrored.camera.width;
        const double start[2] = { width - dragged.start[0], dragged.start[1] };
        const double mouse[2] = { width - dragged.mouse[0], dragged.mouse[1] };
        assert_int_equal(sl_drag_begin(&drag, &mirrored, start), SL_DRAG_MOVED);
        const sl_drag_answer answer = sl_drag_to(&drag, &mirrored, mouse, NULL, &left);
        const double near = 1e-6 * right.pixel * drag.limit;
        if (answer == SL_DRAG_MOVED && hypot(mouse[0] - start[0], mouse[1] - start[1]) < 1e3 &&
            right.flags == left.flags) {
            for (int k = 0; k < 3; k++) {
                assert_true(fabs(left.translation[k] - right.translation[k]) <= near);
            }
            checked++;
        }
    }
    assert_true(checked > ROUNDS / 20);
}

/* ---- what is too large ------------------------------------------------------------------- */

static sl_view orthographic_view(void)
{
    sl_camera_def def = { 0 };
    def.eye[2] = 8;
    def.orthographic = true;
    def.ortho_height = 0.125f;
    def.far_distance = 100;
    sl_camera camera = made_camera(&def);
    return (sl_view){ .camera = camera };
}

TEST(factors_that_are_no_numbers_are_no_answers)
{
    const sl_view view = orthographic_view();
    const double start[2] = { 300, 400 }, far[2] = { -1.5e308, 400 };
    sl_drag drag = { 0 };
    sl_drag_move move;
    drag.kind = SL_DRAG_SCALE;
    drag.centre[0] = 1e300; /* its place in the picture is a number, its distance is not */
    assert_int_equal(sl_drag_begin(&drag, &view, start), SL_DRAG_OUT_OF_RANGE);
    drag.kind = SL_DRAG_STRETCH;
    drag.axis[0] = 1;
    drag.axis[2] = drag.centre[0] = 0;
    drag.point[0] = 1;
    assert_int_equal(sl_drag_begin(&drag, &view, start), SL_DRAG_MOVED);
    assert_int_equal(sl_drag_to(&drag, &view, far, NULL, &move), SL_DRAG_OUT_OF_RANGE);
}

/* What cannot be dragged is refused when it is grabbed. */
TEST(a_drag_that_has_begun_has_an_answer_where_it_began)
{
    const sl_view view = orthographic_view();
    const double start[2] = { 300, 400 };
    sl_drag drag = { .kind = SL_DRAG_STRETCH };
    drag.point[0] = 1; /* at right angles to the axis: nothing to stretch */
    assert_int_equal(sl_drag_begin(&drag, &view, start), SL_DRAG_BAD_DRAG);
    drag.kind = SL_DRAG_ROLL;
    drag.point[0] = 0;
    assert_int_equal(sl_drag_begin(&drag, &view, start), SL_DRAG_BAD_DRAG);
    sl_camera_def def = { 0 };
    sl_camera camera = made_camera(&def);
    const sl_view perspective = (sl_view){ .camera = camera };
    drag.kind = SL_DRAG_SCALE;
    drag.centre[2] = 2; /* behind the eye */
    assert_int_equal(sl_drag_begin(&drag, &perspective, start), SL_DRAG_BEHIND);
    test_random random = { SEED };
    int begun = 0;
    for (int i = 0; i < ROUNDS; i++) {
        double numbers[DRAGGED_NUMBERS];
        test_dragged dragged;
        sl_drag_move move;
        test_dragged_random(&random, numbers);
        (void)test_dragged_make(numbers, &dragged);
        for (int k = 0; k < 3; k++) {
            const int exponent = (int)test_random_below(&random, 2040) - 1020;
            dragged.drag.centre[k] = ldexp(numbers[k] - 0.5, exponent);
        }
        if (sl_drag_begin(&dragged.drag, &dragged.view, dragged.start) == SL_DRAG_MOVED) {
            assert_int_equal(sl_drag_to(&dragged.drag, &dragged.view, dragged.start, NULL, &move),
                             SL_DRAG_MOVED);
            assert_true(move.factor == 1 && move.angle == 0);
            begun++;
        }
    }
    assert_true(begun > ROUNDS / 4);
}
