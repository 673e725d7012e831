/* views.h: random cameras that look at a ball of the world, wherever it is: perspective and
 * orthographic, all clip spaces, far planes at infinity, about origins of their own, from outside
 * and from within, so that near planes cut what is there. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/camera.h>

/* The centre and the size of what is looked at; the origin is within some sizes of the centre. */
sl_view views_random(const double centre[3], double size, test_random *random);

/* A position of the picture, now and then beside it. */
void views_position(const sl_view *view, test_random *random, double xy[2]);
