#include "test/support/input/views.h"
#include "test/support/test.h"

sl_view views_random(const double centre[3], double size, test_random *random)
{
    sl_view view;
    for (;;) {
        sl_camera_def def = { 0 };
        sl_camera camera;
        const double away = size * (0.3 + 2 * (double)test_random_unit(random));
        double origin[3];
        for (int axis = 0; axis < 3; axis++) {
            origin[axis] = centre[axis] == 0 && test_random_below(random, 2) == 0
                               ? 0
                               : centre[axis] + size * (double)test_random_in(random, -1, 1);
            const double target =
                centre[axis] - origin[axis] + 0.4 * size * (double)test_random_in(random, -1, 1);
            def.target[axis] = (float)target;
            def.eye[axis] = (float)(target + away * (double)test_random_in(random, -1, 1));
            def.up[axis] = test_random_in(random, -1, 1);
        }
        def.orthographic = test_random_below(random, 4) == 0;
        def.ortho_height = (float)(size * (0.2 + (double)test_random_unit(random)));
        def.fov_y_rad = test_random_in(random, 0.2f, 2);
        def.near_distance = (float)(size * (0.01 + 0.4 * (double)test_random_unit(random)));
        def.far_distance = (float)(size * 8);
        if (!def.orthographic && test_random_below(random, 4) == 0) {
            def.far_distance = INFINITY;
        }
        def.width = 40 + test_random_below(random, 300);
        def.height = 40 + test_random_below(random, 300);
        def.clip = (sl_clip_space)test_random_below(random, 4);
        if (sl_camera_make(&def, &camera, NULL) == SL_OK) {
            view = (sl_view){ .camera = camera };
            for (int axis = 0; axis < 3; axis++) {
                view.origin[axis] = origin[axis];
            }
            return view;
        }
    }
}

void views_position(const sl_view *view, test_random *random, double xy[2])
{
    const double side[2] = { view->camera.width, view->camera.height };
    for (int axis = 0; axis < 2; axis++) {
        xy[axis] = side[axis] * (double)test_random_in(random, -0.05f, 1.05f);
        if (test_random_below(random, 3) == 0) {
            xy[axis] = floor(xy[axis]) + 0.5;
        }
    }
}
