/* draw/closest.c: draws the tests for the closest point of a shape and for a point inside it. */
#include "tools/draw/test.h"

#include <sightline/closest.h>

static void draw_pair(draw_scene *scene, const draw_shape *shapes, bool found,
                      const sl_closest *closest)
{
    scene_shape(scene, INK_FIRST, &shapes[1]);
    scene_shape(scene, INK_START, &shapes[0]);
    scene_result(scene, "found", value_bool(found));
    if (found) {
        scene_line(scene, INK_START, spot_of(shapes[0].point), spot_of(closest->point));
        scene_dot(scene, INK_CONTACT, spot_of(closest->point), "C");
        scene_key(scene, INK_CONTACT, "nearest point");
        scene_result_vector(scene, "point", closest->point);
        scene_result(scene, "distance", value_float(closest->distance));
    }
}

static void draw_segment(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                         const draw_settings *settings)
{
    (void)test, (void)settings;
    sl_closest closest = { .u = 0 };
    const bool found = sl_segment_closest(&shapes[1].segment, shapes[0].point, &closest);
    draw_pair(scene, shapes, found, &closest);
    scene_result(scene, "t", found ? value_float(closest.u) : value_nothing());
}

static void draw_triangle(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                          const draw_settings *settings)
{
    (void)test, (void)settings;
    sl_closest closest = { .u = 0 };
    const bool found = sl_triangle_closest(&shapes[1].triangle, shapes[0].point, &closest);
    draw_pair(scene, shapes, found, &closest);
    scene_result(scene, "u", found ? value_float(closest.u) : value_nothing());
    scene_result(scene, "v", found ? value_float(closest.v) : value_nothing());
}

static void draw_plane(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                       const draw_settings *settings)
{
    (void)test, (void)settings;
    sl_closest closest = { .u = 0 };
    const bool found = sl_plane_closest(&shapes[1].plane, shapes[0].point, &closest);
    draw_pair(scene, shapes, found, &closest);
    scene_result(scene, "signed_distance",
                 value_float(sl_plane_distance(&shapes[1].plane, shapes[0].point)));
}

static void draw_aabb(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                      const draw_settings *settings)
{
    (void)test, (void)settings;
    sl_closest closest = { .u = 0 };
    const bool found = sl_aabb_closest(&shapes[1].aabb, shapes[0].point, &closest);
    draw_pair(scene, shapes, found, &closest);
}

static void draw_aabb_surface(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                              const draw_settings *settings)
{
    (void)test, (void)settings;
    sl_closest closest = { .u = 0 };
    const bool found = sl_aabb_surface_closest(&shapes[1].aabb, shapes[0].point, &closest);
    draw_pair(scene, shapes, found, &closest);
}

static void draw_obb(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                     const draw_settings *settings)
{
    (void)test, (void)settings;
    sl_closest closest = { .u = 0 };
    const bool found = sl_obb_closest(&shapes[1].obb, shapes[0].point, &closest);
    draw_pair(scene, shapes, found, &closest);
}

static void draw_inside(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                        const draw_settings *settings)
{
    (void)settings;
    const bool inside = test->overlap(&shapes[1], &shapes[0]);
    scene_shape(scene, inside ? INK_TOUCHED : INK_FIRST, &shapes[1]);
    scene_shape(scene, INK_START, &shapes[0]);
    scene_result(scene, "inside", value_bool(inside));
}

#define CONTAINS(shape)                                                                            \
    static bool shape##_contains(const draw_shape *x, const draw_shape *point)                     \
    {                                                                                              \
        return sl_##shape##_contains_point(&x->shape, point->point);                               \
    }
CONTAINS(aabb)
CONTAINS(obb)
CONTAINS(sphere)
CONTAINS(capsule)
CONTAINS(frustum)

#define CLOSEST(name, line, function, kind, point, shape, view, how)                               \
    { name, line, function, { KIND(POINT), KIND(kind) }, { point, shape }, view, how, NULL, NULL }
#define INSIDE(shape, kind, line, point, example, view)                                            \
    { "inside-" #shape,                                                                            \
      line,                                                                                        \
      "sl_" #shape "_contains_point",                                                              \
      { KIND(POINT), KIND(kind) },                                                                 \
      { point, example },                                                                          \
      view,                                                                                        \
      draw_inside,                                                                                 \
      shape##_contains,                                                                            \
      NULL }

const draw_test draw_closest_tests[] = {
    CLOSEST("closest-segment", "the nearest point of a segment", "sl_segment_closest", SEGMENT,
            "point 0.5 1.5", "segment -1.5 -0.5 2 0.5", VIEW_XY, draw_segment),
    CLOSEST("closest-triangle", "the nearest point of a triangle", "sl_triangle_closest", TRIANGLE,
            "point 0.5 0.75 1.75", "triangle -1.5 -1 1 1.75 -0.25 1 0 1.5 -0.5", VIEW_CORNER,
            draw_triangle),
    CLOSEST("closest-plane", "the nearest point of a plane; the signed distance",
            "sl_plane_closest, sl_plane_distance", PLANE, "point 1 1.5 0.5", "plane 1 2 0.5 1",
            VIEW_CORNER, draw_plane),
    CLOSEST("closest-aabb", "the nearest point of a solid box", "sl_aabb_closest", AABB,
            "point 1.75 1.5 0.5", "box -1 -1 -1 1 1 1", VIEW_CORNER, draw_aabb),
    CLOSEST("closest-aabb-surface", "the nearest point of a box's surface",
            "sl_aabb_surface_closest", AABB, "point 0.5 0.25 0.25", "box -1 -1 -1 1 1 1",
            VIEW_CORNER, draw_aabb_surface),
    CLOSEST("closest-obb", "the nearest point of a box of any orientation", "sl_obb_closest", OBB,
            "point -1.25 1.75 0", "obb 0 0 0  0.8 0.6 0  -0.6 0.8 0  0 0 1  1.5 0.75 1", VIEW_XY,
            draw_obb),
    INSIDE(aabb, AABB, "whether a point is in a box", "point 0.5 1 0.25", "box -1 -1 -1 1 1 1",
           VIEW_CORNER),
    INSIDE(obb, OBB, "whether a point is in a box of any orientation", "point 0.5 0.75 0",
           "obb 0 0 0  0.8 0.6 0  -0.6 0.8 0  0 0 1  1.5 0.75 1", VIEW_CORNER),
    INSIDE(sphere, SPHERE, "whether a point is in a sphere", "point 0.75 1", "sphere 0 0 1.25",
           VIEW_XY),
    INSIDE(capsule, CAPSULE, "whether a point is in a capsule", "point 0 1 0",
           "capsule -1 -0.5 0 1 0.75 0 0.5", VIEW_XY),
    INSIDE(frustum, FRUSTUM, "whether a point is behind every plane", "point 0.5 0.25 -2",
           "frustum 0 0 1 -1  0 0 -1 4  1 0 0.5 0  -1 0 0.5 0  0 1 0.375 0  0 -1 0.375 0",
           VIEW_CORNER),
    { .name = NULL },
};
