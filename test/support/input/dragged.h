/* dragged.h: drags made of numbers, for tests and for searches that climb: every kind, every
 * camera, near and far, hard ones among them. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/gizmo.h>

enum { DRAGGED_NUMBERS = 24 };

/* A drag that has begun, two positions of the mouse, and what is asked of it. */
typedef struct test_dragged {
    sl_drag drag;
    sl_view view;
    double start[2], mouse[2], other[2];
    double apart; /* the two, in pixels */
} test_dragged;

/* From numbers in [0, 1); false where sl_drag_begin says no. */
bool test_dragged_make(const double numbers[DRAGGED_NUMBERS], test_dragged *out);

void test_dragged_random(test_random *random, double numbers[DRAGGED_NUMBERS]);

/* How far apart the answers at the two positions are, beside what the clamp allows; negative where
 * one of them has none. */
double test_dragged_jump(const test_dragged *dragged);

/* Where a point of the world appears when it is moved, in pixels, and its w in clip space, in long
 * double. */
void test_dragged_project(const sl_view *view, const double point[3], const double moved[3],
                          long double xyw[3]);
