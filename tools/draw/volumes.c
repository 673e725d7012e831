/* draw/volumes.c: draws the extent of a box along an axis, and bounding volumes of boxes and
 * points. */
#include "tools/draw/test.h"

#include <sightline/closest.h>

/* The axis through the middle of the box, and as much of it as the box reaches. */
static void draw_radius(draw_scene *scene, const draw_shape *shapes, spot middle, float radius,
                        float sum)
{
    spot axis = spot_of(shapes[1].point);
    unit3(axis.at);
    const spot ends[2] = { spot_along(middle, axis.at, -(double)radius),
                           spot_along(middle, axis.at, (double)radius) };
    scene_shape(scene, INK_FIRST, &shapes[0]);
    scene_line(scene, INK_CONTACT, ends[0], ends[1]);
    scene_dot(scene, INK_CONTACT, ends[0], "-r");
    scene_dot(scene, INK_CONTACT, ends[1], "r");
    scene_key(scene, INK_CONTACT, "its reach along n");
    scene_arrow(scene, INK_NORMAL, ends[1], axis.at, "n");
    scene_result(scene, "radius", value_float(radius));
    scene_result(scene, "radius_sum", value_float(sum));
}

static void draw_radius_aabb(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                             const draw_settings *settings)
{
    (void)test, (void)settings;
    float centre[3];
    sl_aabb_centre(&shapes[0].aabb, centre);
    draw_radius(scene, shapes, spot_of(centre), sl_aabb_radius(&shapes[0].aabb, shapes[1].point),
                sl_aabb_radius_sum(&shapes[0].aabb, shapes[1].point));
}

static void draw_radius_obb(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                            const draw_settings *settings)
{
    (void)test, (void)settings;
    draw_radius(scene, shapes, spot_of(shapes[0].obb.centre),
                sl_obb_radius(&shapes[0].obb, shapes[1].point),
                sl_obb_radius_sum(&shapes[0].obb, shapes[1].point));
}

static void draw_around(draw_scene *scene, const sl_aabb *box)
{
    const draw_shape around = { .kind = DRAW_AABB, .aabb = *box };
    scene_result(scene, "empty", value_bool(sl_aabb_is_empty(box)));
    if (!sl_aabb_is_empty(box)) {
        scene_outline(scene, INK_SECOND, &around);
        scene_key(scene, INK_SECOND, "around it");
        scene_result_vector(scene, "min", box->min);
        scene_result_vector(scene, "max", box->max);
    }
}

static void draw_aabb_of_obb(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                             const draw_settings *settings)
{
    (void)test, (void)settings;
    const sl_aabb box = sl_aabb_of_obb(&shapes[0].obb);
    scene_shape(scene, INK_FIRST, &shapes[0]);
    draw_around(scene, &box);
}

/* The image of a box under a matrix is the box of any orientation that radii are taken of. */
static void draw_transform(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                           const draw_settings *settings)
{
    (void)test, (void)settings;
    const float *m = shapes[1].matrix;
    double edges[3][3];
    spot centre;
    for (int i = 0; i < 3; i++) {
        centre.at[i] = (double)m[12 + i];
        for (int k = 0; k < 3; k++) {
            const double min = (double)shapes[0].aabb.min[k];
            const double max = (double)shapes[0].aabb.max[k];
            centre.at[i] += (double)m[4 * k + i] * (min + max) / 2;
            edges[k][i] = (double)m[4 * k + i] * (max - min) / 2;
        }
    }
    const sl_aabb box = sl_aabb_transform(&shapes[0].aabb, m);
    scene_shape(scene, INK_HIDDEN, &shapes[0]);
    scene_box(scene, INK_FIRST, centre, edges);
    scene_key(scene, INK_FIRST, "moved");
    draw_around(scene, &box);
}

static void draw_aabb_of_points(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                                const draw_settings *settings)
{
    (void)test, (void)settings;
    const sl_aabb box = sl_aabb_of_points(shapes[0].points.xyz, shapes[0].points.count);
    scene_shape(scene, INK_START, &shapes[0]);
    draw_around(scene, &box);
}

static void draw_sphere_of_points(const draw_test *test, draw_scene *scene,
                                  const draw_shape *shapes, const draw_settings *settings)
{
    (void)test, (void)settings;
    draw_shape around = { .kind = DRAW_SPHERE };
    const bool found =
        sl_sphere_of_points(shapes[0].points.xyz, shapes[0].points.count, &around.sphere);
    scene_shape(scene, INK_START, &shapes[0]);
    scene_result(scene, "found", value_bool(found));
    if (found) {
        scene_outline(scene, INK_SECOND, &around);
        scene_key(scene, INK_SECOND, "around them");
        scene_result_vector(scene, "centre", around.sphere.centre);
        scene_result(scene, "radius", value_float(around.sphere.radius));
    }
}

static void draw_obb_of_points(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                               const draw_settings *settings)
{
    (void)test, (void)settings;
    static const char *const axes[] = { "axis0", "axis1", "axis2" };
    draw_shape around = { .kind = DRAW_OBB };
    const bool found = sl_obb_of_points(shapes[0].points.xyz, shapes[0].points.count, &around.obb);
    scene_shape(scene, INK_START, &shapes[0]);
    scene_result(scene, "found", value_bool(found));
    if (found) {
        scene_outline(scene, INK_SECOND, &around);
        scene_key(scene, INK_SECOND, "around them");
        scene_result_vector(scene, "centre", around.obb.centre);
        for (int i = 0; i < 3; i++) {
            scene_result_vector(scene, axes[i], around.obb.axis[i]);
        }
        scene_result_vector(scene, "half", around.obb.half);
    }
}

#define TILTED "obb 0 0 0  0.8 0.6 0  -0.6 0.8 0  0 0 1  1.5 0.75 1"
#define CLOUD                                                                                      \
    "points -1.5 -0.75 0  -1 -0.25 0.5  -0.25 -0.5 -0.25  0 0.25 0.25  0.5 0 0.5  1 0.75 -0.25  "  \
    "1.5 0.5 0.25  1.75 1.25 0"

const draw_test draw_volume_tests[] = {
    { "radius-aabb",
      "how far a box reaches along an axis",
      "sl_aabb_radius, sl_aabb_radius_sum",
      { KIND(AABB), KIND(AXIS) },
      { "box -1 -1 -1 1 1 1", "axis 2 1 0" },
      VIEW_CORNER,
      draw_radius_aabb,
      NULL,
      NULL },
    { "radius-obb",
      "how far a box of any orientation reaches along an axis",
      "sl_obb_radius, sl_obb_radius_sum",
      { KIND(OBB), KIND(AXIS) },
      { TILTED, "axis 1 0 0" },
      VIEW_CORNER,
      draw_radius_obb,
      NULL,
      NULL },
    { "aabb-of-obb",
      "the upright box around one of any orientation",
      "sl_aabb_of_obb",
      { KIND(OBB), 0 },
      { TILTED, NULL },
      VIEW_CORNER,
      draw_aabb_of_obb,
      NULL,
      NULL },
    { "aabb-transform",
      "the upright box around a box that a matrix has moved",
      "sl_aabb_transform",
      { KIND(AABB), KIND(MATRIX) },
      { "box -1 -0.5 -0.5 1 0.5 0.5", "matrix 0.8 0.6 0 0  -0.6 0.8 0 0  0 0 1 0  2 0.5 0 1" },
      VIEW_CORNER,
      draw_transform,
      NULL,
      NULL },
    { "aabb-of-points",
      "the smallest upright box around points",
      "sl_aabb_of_points",
      { KIND(POINTS), 0 },
      { CLOUD, NULL },
      VIEW_CORNER,
      draw_aabb_of_points,
      NULL,
      NULL },
    { "sphere-of-points",
      "the smallest sphere around points",
      "sl_sphere_of_points, sl_sphere_of_soup",
      { KIND(POINTS), 0 },
      { CLOUD, NULL },
      VIEW_CORNER,
      draw_sphere_of_points,
      NULL,
      NULL },
    { "obb-of-points",
      "a box of any orientation around points",
      "sl_obb_of_points, sl_obb_of_soup",
      { KIND(POINTS), 0 },
      { CLOUD, NULL },
      VIEW_CORNER,
      draw_obb_of_points,
      NULL,
      NULL },
    { .name = NULL },
};
