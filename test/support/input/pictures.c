#include "test/support/input/pictures.h"

#include <math.h>

static float sign_of(test_random *random)
{
    return test_random_below(random, 2) == 0 ? -1.0f : 1.0f;
}

sl_view pictures_view(const sl_bvh *scene, test_random *random)
{
    for (int tries = 0;; tries++) {
        sl_camera camera;
        sl_view view;
        double size = 0;
        sl_camera_def def = { 0 };
        const sl_aabb_d box = sl_bvh_bounds(scene);
        for (int axis = 0; axis < 3; axis++) {
            size = fmax(size, box.max[axis] - box.min[axis]);
        }
        const bool plain = !(size > 0) || tries > 50; /* nothing there, or larger than cameras go */
        const float unit = plain ? 1 : (float)size;
        for (int axis = 0; axis < 3; axis++) {
            def.eye[axis] = unit * test_random_in(random, -1.2f, 1.2f);
            def.target[axis] = unit * test_random_in(random, -0.2f, 0.2f);
            def.up[axis] = test_random_in(random, -1, 1);
        }
        def.orthographic = test_random_below(random, 4) == 0;
        def.fov_y_rad = test_random_in(random, 0.05f, 2.5f);
        def.ortho_height = unit * test_random_in(random, 0.05f, 2);
        def.near_distance = unit * exp2f(test_random_in(random, -12, -1));
        if (def.orthographic || test_random_below(random, 2) == 0) {
            def.far_distance = def.near_distance + unit * test_random_in(random, 0.2f, 4);
        }
        if (test_random_below(random, 6) == 0) {
            def.off_centre = true;
            const float scale = def.orthographic ? unit : def.near_distance;
            def.window[0] = -scale * test_random_in(random, -0.2f, 1) * sign_of(random);
            def.window[1] = scale * test_random_in(random, 0.3f, 1);
            def.window[2] = -scale * test_random_in(random, -0.2f, 1);
            def.window[3] = scale * test_random_in(random, 0.3f, 1) * sign_of(random);
        }
        def.clip = (sl_clip_space)test_random_below(random, 4);
        def.width = 1 + test_random_below(random, test_random_below(random, 2) == 0 ? 60 : 2000);
        def.height = 1 + test_random_below(random, test_random_below(random, 2) == 0 ? 60 : 2000);
        if (sl_camera_make(&def, &camera, NULL) == SL_OK) {
            view = (sl_view){ .camera = camera };
            for (int axis = 0; axis < 3; axis++) {
                view.origin[axis] = size > 0 ? 0.5 * (box.min[axis] + box.max[axis]) : 0;
            }
            return view;
        }
    }
}

void pictures_position(const sl_bvh *scene, const sl_view *view, test_random *random, double xy[2])
{
    double v[3][3];
    const sl_bvh_info info = sl_bvh_get_info(scene);
    for (int tries = 0; tries < 100 && test_random_below(random, 10) != 0; tries++) {
        const sl_triangle_ref ref = { test_random_below(random, (uint32_t)info.instance_count),
                                      test_random_below(random, 20) };
        double at[3], weight[3] = { 1, 0, 0 };
        if (!sl_bvh_triangle(scene, ref, v)) {
            continue;
        }
        const uint32_t kind = test_random_below(random, 3);
        weight[1] = kind > 0 ? (double)test_random_unit(random) : 0;
        weight[0] = 1 - weight[1];
        weight[2] = kind > 1 ? weight[0] * 0.5 : 0;
        weight[0] -= weight[2];
        const uint32_t first = test_random_below(random, 3);
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = weight[0] * v[first][axis] + weight[1] * v[(first + 1) % 3][axis] +
                       weight[2] * v[(first + 2) % 3][axis];
        }
        if (sl_view_project(view, at, xy, NULL) && fabs(xy[0]) < 1e4 && fabs(xy[1]) < 1e4) {
            const float beside =
                test_random_below(random, 3) == 0 ? 0 : exp2f(test_random_in(random, -24, 3.5f));
            xy[0] += (double)(beside * test_random_in(random, -1, 1));
            xy[1] += (double)(beside * test_random_in(random, -1, 1));
            return;
        }
    }
    xy[0] = view->camera.width * (double)test_random_in(random, -0.1f, 1.1f);
    xy[1] = view->camera.height * (double)test_random_in(random, -0.1f, 1.1f);
}
