/* The clamp: for any two positions of the mouse, the answers are no farther apart than gizmo.h
 * says; random drags, hard ones among them, and climbs to worse ones. */
#include "test/support/input/dragged.h"
#include "test/support/test.h"

enum { SEED = 20261125, KINDS = 7, CHANGES = 300 };

TEST(a_move_of_the_mouse_moves_no_more_than_the_limit)
{
    test_random random = { SEED };
    double largest[KINDS] = { 0 };
    int answers[KINDS] = { 0 };
    for (int i = 0; i < 50000; i++) {
        double numbers[DRAGGED_NUMBERS];
        test_dragged dragged;
        test_dragged_random(&random, numbers);
        if (!test_dragged_make(numbers, &dragged)) {
            continue;
        }
        const double jump = test_dragged_jump(&dragged);
        assert_true(jump <= 1 + 1e-6);
        largest[dragged.drag.kind] = fmax(largest[dragged.drag.kind], jump);
        answers[dragged.drag.kind] += jump >= 0;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        /* Bounds that nothing comes near would say nothing. */
        const bool plain = kind == SL_DRAG_SCREEN || kind == SL_DRAG_ROLL;
        assert_true(answers[kind] > 1000);
        assert_true(largest[kind] > (plain ? 0.2 : 0.3));
    }
}

TEST(climbs_do_not_get_beyond_the_limit)
{
    test_random random = { SEED };
    for (int i = 0; i < 140; i++) {
        double numbers[DRAGGED_NUMBERS], tried[DRAGGED_NUMBERS], best = -1;
        test_dragged dragged;
        test_dragged_random(&random, numbers);
        numbers[14] = (i % KINDS + 0.5) / KINDS;
        for (int change = 0; change < CHANGES; change++) {
            memcpy(tried, numbers, sizeof tried);
            const uint32_t which = test_random_below(&random, DRAGGED_NUMBERS);
            const double size = exp2(-30 * (double)test_random_unit(&random));
            tried[which] += which == 14 ? 0 : size * ((double)test_random_unit(&random) - 0.5);
            tried[which] = fmin(fmax(tried[which], 0), 1 - 0x1p-53);
            const double jump =
                test_dragged_make(tried, &dragged) ? test_dragged_jump(&dragged) : -1;
            assert_true(jump <= 1 + 1e-6);
            if (jump >= best) {
                best = jump;
                memcpy(numbers, tried, sizeof tried);
            }
        }
    }
}
