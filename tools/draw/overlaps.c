/* draw/overlaps.c: draws the overlap tests of two shapes, and the side of a plane that a shape is
 * on. */
#include "tools/draw/test.h"

#include <sightline/closest.h>
#include <sightline/overlap.h>

/* The second shape is filled as overlapping or not. */
static void draw_both(draw_scene *scene, const draw_shape *shapes, bool overlap)
{
    scene_shape(scene, INK_FIRST, &shapes[0]);
    scene_shape(scene, overlap ? INK_TOUCHED : INK_SECOND, &shapes[1]);
}

/* From a sphere's centre to the point of the other shape that is nearest to it. */
static void draw_nearest(draw_scene *scene, const float centre[3], const sl_closest *nearest,
                         bool overlap, const char *const keys[2], const char *words)
{
    scene_line(scene, INK_START, spot_of(centre), spot_of(nearest->point));
    scene_dot(scene, INK_START, spot_of(centre), "S");
    const draw_ink ink = overlap ? INK_CONTACT : INK_START;
    scene_dot(scene, ink, spot_of(nearest->point), "C");
    scene_key(scene, ink, words);
    scene_result_vector(scene, keys[0], nearest->point);
    scene_result(scene, keys[1], value_float(nearest->distance));
}

static bool nearest_on(const draw_shape *shape, const float point[3], sl_closest *out)
{
    switch (shape->kind) {
    case DRAW_AABB:
        return sl_aabb_closest(&shape->aabb, point, out);
    case DRAW_OBB:
        return sl_obb_closest(&shape->obb, point, out);
    case DRAW_TRIANGLE:
        return sl_triangle_closest(&shape->triangle, point, out);
    case DRAW_SPHERE: {
        const sl_segment centre = {
            .p = { shape->sphere.centre[0], shape->sphere.centre[1], shape->sphere.centre[2] },
            .q = { shape->sphere.centre[0], shape->sphere.centre[1], shape->sphere.centre[2] }
        };
        return sl_segment_closest(&centre, point, out);
    }
    default:
        return false;
    }
}

static void draw_sphere(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                        const draw_settings *settings)
{
    (void)settings;
    const bool overlap = test->overlap(&shapes[0], &shapes[1]);
    static const char *const keys[] = { "nearest", "distance" };
    static const char *const sphere_keys[] = { "other_centre", "between_centres" };
    const float *centre = shapes[0].sphere.centre;
    sl_closest nearest;
    scene_shape(scene, overlap ? INK_TOUCHED : INK_FIRST, &shapes[0]);
    scene_shape(scene, INK_SECOND, &shapes[1]);
    scene_result(scene, "overlap", value_bool(overlap));
    if (nearest_on(&shapes[1], centre, &nearest)) {
        const bool spheres = shapes[1].kind == DRAW_SPHERE;
        draw_nearest(scene, centre, &nearest, overlap, spheres ? sphere_keys : keys,
                     spheres ? "other centre" : "nearest point");
    }
}

/* The point of the capsule's axis that is nearest to the sphere's centre. */
static void draw_capsule_sphere(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                                const draw_settings *settings)
{
    (void)settings;
    const bool overlap = test->overlap(&shapes[0], &shapes[1]);
    static const char *const keys[] = { "nearest_on_axis", "distance_from_axis" };
    sl_segment axis = { .p = { 0 } };
    sl_closest nearest;
    for (int i = 0; i < 3; i++) {
        axis.p[i] = shapes[0].capsule.p[i];
        axis.q[i] = shapes[0].capsule.q[i];
    }
    draw_both(scene, shapes, overlap);
    scene_result(scene, "overlap", value_bool(overlap));
    if (sl_segment_closest(&axis, shapes[1].sphere.centre, &nearest)) {
        draw_nearest(scene, shapes[1].sphere.centre, &nearest, overlap, keys,
                     "nearest point of the axis");
    }
}

static void draw_overlap(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                         const draw_settings *settings)
{
    (void)settings;
    const bool overlap = test->overlap(&shapes[0], &shapes[1]);
    draw_both(scene, shapes, overlap);
    scene_result(scene, "overlap", value_bool(overlap));
}

static void draw_axes(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                      const draw_settings *settings)
{
    draw_overlap(test, scene, shapes, settings);
    draw_sat(scene, &shapes[0], &shapes[1]);
}

static void draw_triangle_aabb(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                               const draw_settings *settings)
{
    draw_overlap(test, scene, shapes, settings);
    draw_triangle_aabb_sat(scene, &shapes[0].triangle, &shapes[1].aabb);
}

static void draw_side(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                      const draw_settings *settings)
{
    (void)settings;
    static const char *const words[] = { "behind", "met", "in front", "not valid" };
    const int side = test->side(&shapes[0], &shapes[1]);
    draw_both(scene, shapes, side == 0);
    scene_result(scene, "side", value_text(words[side + 1]));
}

/* Calls a function of the library with the members of two shapes. */
#define ASK(type, a, verb, b)                                                                      \
    static type a##_##b(const draw_shape *x, const draw_shape *y)                                  \
    {                                                                                              \
        return sl_##a##_##verb##_##b(&x->a, &y->b);                                                \
    }
ASK(bool, aabb, overlaps, aabb)
ASK(bool, triangle, overlaps, aabb)
ASK(bool, sphere, overlaps, sphere)
ASK(bool, sphere, overlaps, aabb)
ASK(bool, sphere, overlaps, obb)
ASK(bool, sphere, overlaps, triangle)
ASK(bool, capsule, overlaps, triangle)
ASK(bool, capsule, overlaps, aabb)
ASK(bool, capsule, overlaps, obb)
ASK(bool, capsule, overlaps, sphere)
ASK(bool, obb, overlaps, obb)
ASK(bool, obb, overlaps, aabb)
ASK(bool, obb, overlaps, triangle)
ASK(bool, triangle, overlaps, triangle)
ASK(bool, frustum, overlaps, aabb)
ASK(bool, frustum, overlaps, obb)
ASK(bool, frustum, overlaps, sphere)
ASK(bool, frustum, overlaps, triangle)
ASK(int, plane, side_of, aabb)
ASK(int, plane, side_of, obb)
ASK(int, plane, side_of, sphere)

#define TILTED      "obb 0 0 0  0.8 0.6 0  -0.6 0.8 0  0 0 1  1.5 0.75 1"
#define VIEW_VOLUME "frustum 0 0 1 -1  0 0 -1 4  1 0 0.5 0  -1 0 0.5 0  0 1 0.375 0  0 -1 0.375 0"
#define SLANTED     "triangle -1.5 -1 1 1.75 -0.25 1 0 1.5 -0.5"

/* The name, the line, the shapes, their example, the view, how it is drawn. */
#define OVERLAP(a, b, line, A, B, example_a, example_b, view, how)                                 \
    { #a "-" #b, line, "sl_" #a "_" #b, { KIND(A), KIND(B) }, { example_a, example_b }, view, how, \
      a##_##b,   NULL }
#define SIDE(b, B, line, example_b, view)                                                          \
    { "plane-" #b,                                                                                 \
      line,                                                                                        \
      "sl_plane_" #b,                                                                              \
      { KIND(PLANE), KIND(B) },                                                                    \
      { "plane 1 2 0.5 1.5", example_b },                                                          \
      view,                                                                                        \
      draw_side,                                                                                   \
      NULL,                                                                                        \
      plane_##b }

const draw_test draw_overlap_tests[] = {
    OVERLAP(aabb, aabb, "whether two boxes overlap", AABB, AABB, "box -1.5 -1 -1 0.5 1 1",
            "box 0.5 0 -0.5 2 1.5 1", VIEW_CORNER, draw_overlap),
    OVERLAP(triangle, aabb, "whether a triangle meets a box, by 13 axes", TRIANGLE, AABB,
            "triangle 0.25 2.5 1 2.25 0.5 1 2.5 1.75 -1.5", "box -1 -1 -1 1 1 1", VIEW_CORNER,
            draw_triangle_aabb),
    OVERLAP(sphere, sphere, "whether two spheres overlap", SPHERE, SPHERE, "sphere -1 0.25 0 1",
            "sphere 0.75 -0.25 0 0.875", VIEW_XY, draw_sphere),
    OVERLAP(sphere, aabb, "whether a sphere meets a box, by its nearest point", SPHERE, AABB,
            "sphere 1.75 1.5 0.5 1", "box -1 -1 -1 1 1 1", VIEW_CORNER, draw_sphere),
    OVERLAP(sphere, obb, "whether a sphere meets a box of any orientation", SPHERE, OBB,
            "sphere -1.25 1.75 0 1", TILTED, VIEW_XY, draw_sphere),
    OVERLAP(sphere, triangle, "whether a sphere meets a triangle", SPHERE, TRIANGLE,
            "sphere 0.5 0.5 1.25 0.875", SLANTED, VIEW_CORNER, draw_sphere),
    OVERLAP(capsule, triangle, "whether a capsule meets a triangle", CAPSULE, TRIANGLE,
            "capsule -1 0.5 1.5 1 1 -0.5 0.375", SLANTED, VIEW_CORNER, draw_overlap),
    OVERLAP(capsule, aabb, "whether a capsule meets a box", CAPSULE, AABB,
            "capsule 0.5 2 0 2 0.5 0 0.5", "box -1 -1 -1 1 1 1", VIEW_CORNER, draw_overlap),
    OVERLAP(capsule, obb, "whether a capsule meets a box of any orientation", CAPSULE, OBB,
            "capsule -0.5 2.25 0.75 2 1.5 -0.5 0.5", TILTED, VIEW_CORNER, draw_overlap),
    OVERLAP(capsule, sphere, "whether a capsule meets a sphere", CAPSULE, SPHERE,
            "capsule -1.5 -0.5 0 1 0.5 0 0.5", "sphere 0.25 1.25 0 0.625", VIEW_XY,
            draw_capsule_sphere),
    OVERLAP(obb, obb, "whether two boxes of any orientation meet, by 15 axes", OBB, OBB, TILTED,
            "obb 2 -1.25 0.5  0.6 0 0.8  0 1 0  -0.8 0 0.6  0.75 0.75 0.5", VIEW_CORNER, draw_axes),
    OVERLAP(obb, aabb, "whether a box of any orientation meets an upright one", OBB, AABB, TILTED,
            "box 0.5 0.75 -0.5 2 2 1", VIEW_CORNER, draw_axes),
    OVERLAP(obb, triangle, "whether a box of any orientation meets a triangle, by 13 axes", OBB,
            TRIANGLE, TILTED, "triangle 0.5 -1.5 1 2.25 0 1 2.5 -1.5 -1", VIEW_CORNER, draw_axes),
    OVERLAP(triangle, triangle, "whether two triangles meet", TRIANGLE, TRIANGLE, SLANTED,
            "triangle -0.5 0.25 -1.5 1 -0.75 0.5 0.75 1.25 1.5", VIEW_CORNER, draw_axes),
    OVERLAP(frustum, aabb, "whether a frustum meets a box", FRUSTUM, AABB, VIEW_VOLUME,
            "box 0.5 0.5 -3.5 2 1.5 -2", VIEW_CORNER, draw_overlap),
    OVERLAP(frustum, obb, "whether a frustum meets a box of any orientation", FRUSTUM, OBB,
            VIEW_VOLUME, "obb 1.5 0 -2  0.8 0 0.6  0 1 0  -0.6 0 0.8  0.75 0.5 0.5", VIEW_CORNER,
            draw_overlap),
    OVERLAP(frustum, sphere, "whether a frustum meets a sphere", FRUSTUM, SPHERE, VIEW_VOLUME,
            "sphere -1.5 0.5 -2.5 0.5", VIEW_CORNER, draw_overlap),
    OVERLAP(frustum, triangle, "whether a frustum meets a triangle", FRUSTUM, TRIANGLE, VIEW_VOLUME,
            "triangle -2 -0.5 -3 2 0 -2 0.5 1.5 -3", VIEW_CORNER, draw_overlap),
    SIDE(aabb, AABB, "on which side of a plane a box is", "box -1 -1 -1 1 0.5 1", VIEW_CORNER),
    SIDE(obb, OBB, "on which side of a plane a box of any orientation is",
         "obb -0.5 -1 0  0.8 0.6 0  -0.6 0.8 0  0 0 1  1 0.5 1", VIEW_CORNER),
    SIDE(sphere, SPHERE, "on which side of a plane a sphere is", "sphere 1 1.5 0 0.75",
         VIEW_CORNER),
    { .name = NULL },
};
