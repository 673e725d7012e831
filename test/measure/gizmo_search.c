/* gizmo_search: the largest jump of a drag for a move of the mouse, beside what gizmo.h allows.
 *
 *     gizmo_search [DRAGS [CLIMBS [SEED]]]     default 1000000, 400 and 1
 *
 * Random drags of all kinds and cameras, then climbs: changes of a good one that make it worse are
 * kept.  Prints for each kind the largest ratio (1 is allowed) among random drags and climbed, and
 * how many drags had answers; fails if a ratio is above 1 + 1e-6. */
#include "test/support/input/dragged.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 7, CHANGES = 3000 };

static const char *const names[KINDS] = { "axis", "plane", "screen", "ring",
                                          "roll", "scale", "stretch" };

static double jump_of(const double numbers[DRAGGED_NUMBERS], int *kind)
{
    test_dragged dragged;
    if (!test_dragged_make(numbers, &dragged)) {
        return -1;
    }
    *kind = (int)dragged.drag.kind;
    return test_dragged_jump(&dragged);
}

/* Changes numbers while that makes the jump larger. */
static double climb(test_random *random, double numbers[DRAGGED_NUMBERS], double best)
{
    double size = 0.25;
    for (int i = 0; i < CHANGES; i++) {
        double tried[DRAGGED_NUMBERS];
        int kind = -1;
        memcpy(tried, numbers, sizeof tried);
        for (int k = 0; k < 3; k++) {
            const uint32_t which = test_random_below(random, DRAGGED_NUMBERS);
            const double change = ((double)test_random_unit(random) - 0.5) * size;
            tried[which] =
                which == 14 ? tried[which] : fmin(fmax(tried[which] + change, 0), 1 - 0x1p-53);
        }
        const double jump = jump_of(tried, &kind);
        if (jump > best) {
            best = jump;
            memcpy(numbers, tried, sizeof tried);
            size = fmin(size * 2, 1);
        } else {
            size = fmax(size * 0.99, 1e-12);
        }
    }
    return best;
}

int main(int argc, char **argv)
{
    const long drags = argc > 1 ? strtol(argv[1], NULL, 10) : 1000000;
    const long climbs = argc > 2 ? strtol(argv[2], NULL, 10) : 400;
    test_random random = { argc > 3 ? strtoull(argv[3], NULL, 10) : 1 };
    double largest[KINDS] = { 0 }, climbed[KINDS] = { 0 }, worst = 0;
    long answers[KINDS] = { 0 };
    double numbers[DRAGGED_NUMBERS];
    for (long i = 0; i < drags; i++) {
        int kind = -1;
        test_dragged_random(&random, numbers);
        const double jump = jump_of(numbers, &kind);
        if (kind >= 0 && jump >= 0) {
            answers[kind]++;
            largest[kind] = fmax(largest[kind], jump);
        }
    }
    for (long i = 0; i < climbs; i++) {
        int kind = -1;
        test_dragged_random(&random, numbers);
        numbers[14] = ((double)(i % KINDS) + 0.5) / KINDS;
        const double jump = jump_of(numbers, &kind);
        if (kind >= 0 && jump >= 0) {
            climbed[kind] = fmax(climbed[kind], climb(&random, numbers, jump));
        }
    }
    for (int kind = 0; kind < KINDS; kind++) {
        printf("%-8s %8ld answers, largest jump %.9f, climbed %.9f\n", names[kind], answers[kind],
               largest[kind], climbed[kind]);
        worst = fmax(worst, fmax(largest[kind], climbed[kind]));
    }
    return worst <= 1 + 1e-6 ? 0 : 1;
}
