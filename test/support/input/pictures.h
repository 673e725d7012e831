/* pictures.h: random views of scenes, and positions in them where picking is hard: corners, sides
 * and outlines, and a little beside them. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/camera.h>
#include <sightline/instances.h>
#include <sightline/rays.h>

/* A view from about a scene, or from within: perspective, orthographic or off-centre, of any clip
 * space, with its origin near the scene. */
sl_view pictures_view(const sl_bvh *scene, test_random *random);

void pictures_position(const sl_bvh *scene, const sl_view *view, test_random *random, double xy[2]);
