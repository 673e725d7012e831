/* draw/overlaps.c: draws the overlap tests of two shapes, and the side of a plane that a shape is
 * on. */
#include "docs/pictures/draw/tests.h"

#include <sightline/overlap.h>

#include <string.h>

/* The second shape is filled as overlapping or not. */
static void draw_both(draw_scene *scene, const draw_shape *shapes, bool overlap)
{
    scene_shape(scene, INK_FIRST, &shapes[0]);
    scene_shape(scene, overlap ? INK_TOUCHED : INK_SECOND, &shapes[1]);
}

static void draw_overlap(draw_scene *scene, const draw_shape *shapes)
{
    draw_both(scene, shapes, scene->answer != 0);
    scene_yes(scene, "overlap", scene->answer != 0);
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
    scene_numbers(scene, keys[0], 3, nearest->point);
    scene_number(scene, keys[1], nearest->distance);
}

static void draw_sphere(draw_scene *scene, const draw_shape *shapes)
{
    const bool overlap = scene->answer != 0;
    static const char *const keys[] = { "nearest", "distance" };
    static const char *const sphere_keys[] = { "other_centre", "between_centres" };
    const float *centre = shapes[0].sphere.centre;
    sl_closest nearest;
    scene_shape(scene, overlap ? INK_TOUCHED : INK_FIRST, &shapes[0]);
    scene_shape(scene, INK_SECOND, &shapes[1]);
    scene_yes(scene, "overlap", overlap);
    if (draw_nearest_on(&shapes[1], centre, &nearest)) {
        const bool spheres = shapes[1].kind == DRAW_SPHERE;
        draw_nearest(scene, centre, &nearest, overlap, spheres ? sphere_keys : keys,
                     spheres ? "other centre" : "nearest point");
    }
}

/* The point of the capsule's axis that is nearest to the sphere's centre. */
static void draw_capsule_sphere(draw_scene *scene, const draw_shape *shapes)
{
    const bool overlap = scene->answer != 0;
    static const char *const keys[] = { "nearest_on_axis", "distance_from_axis" };
    sl_segment axis;
    sl_closest nearest;
    memcpy(axis.p, shapes[0].capsule.p, sizeof axis.p);
    memcpy(axis.q, shapes[0].capsule.q, sizeof axis.q);
    draw_overlap(scene, shapes);
    if (sl_segment_closest(&axis, shapes[1].sphere.centre, &nearest)) {
        draw_nearest(scene, shapes[1].sphere.centre, &nearest, overlap, keys,
                     "nearest point of the axis");
    }
}

static void draw_axes(draw_scene *scene, const draw_shape *shapes)
{
    draw_overlap(scene, shapes);
    draw_sat(scene, &shapes[0], &shapes[1]);
}

static void draw_triangle_aabb(draw_scene *scene, const draw_shape *shapes)
{
    draw_overlap(scene, shapes);
    draw_triangle_aabb_sat(scene, shapes);
}

static void draw_side(draw_scene *scene, const draw_shape *shapes)
{
    static const char *const words[] = { "behind", "met", "in front", "not valid" };
    const int side = scene->answer;
    draw_both(scene, shapes, side == 0);
    scene_words(scene, "side", words[side + 1]);
}

/* The tests of two shapes: X(first, second, the rest of a row). */
#define OVERLAPS(X)                                                                                \
    X(aabb, aabb, CORNER, draw_overlap, "whether two boxes overlap", "box -1.5 -1 -1 0.5 1 1",     \
      "box 0.5 0 -0.5 2 1.5 1")                                                                    \
    X(triangle, aabb, CORNER, draw_triangle_aabb, "whether a triangle meets a box, by 13 axes",    \
      "triangle 0.25 2.5 1 2.25 0.5 1 2.5 1.75 -1.5", UNIT_BOX)                                    \
    X(sphere, sphere, XY, draw_sphere, "whether two spheres overlap", "sphere -1 0.25 0 1",        \
      "sphere 0.75 -0.25 0 0.875")                                                                 \
    X(sphere, aabb, CORNER, draw_sphere, "whether a sphere meets a box, by its nearest point",     \
      "sphere 1.75 1.5 0.5 1", UNIT_BOX)                                                           \
    X(sphere, obb, XY, draw_sphere, "whether a sphere meets a box of any orientation",             \
      "sphere -1.25 1.75 0 1", TILTED)                                                             \
    X(sphere, triangle, CORNER, draw_sphere, "whether a sphere meets a triangle",                  \
      "sphere 0.5 0.5 1.25 0.875", SLANTED)                                                        \
    X(capsule, triangle, CORNER, draw_overlap, "whether a capsule meets a triangle",               \
      "capsule -1 0.5 1.5 1 1 -0.5 0.375", SLANTED)                                                \
    X(capsule, aabb, CORNER, draw_overlap, "whether a capsule meets a box",                        \
      "capsule 0.5 2 0 2 0.5 0 0.5", UNIT_BOX)                                                     \
    X(capsule, obb, CORNER, draw_overlap, "whether a capsule meets a box of any orientation",      \
      "capsule -0.5 2.25 0.75 2 1.5 -0.5 0.5", TILTED)                                             \
    X(capsule, sphere, XY, draw_capsule_sphere, "whether a capsule meets a sphere",                \
      "capsule -1.5 -0.5 0 1 0.5 0 0.5", "sphere 0.25 1.25 0 0.625")                               \
    X(obb, obb, CORNER, draw_axes, "whether two boxes of any orientation meet, by 15 axes",        \
      TILTED, "obb 2 -1.25 0.5  0.6 0 0.8  0 1 0  -0.8 0 0.6  0.75 0.75 0.5")                      \
    X(obb, aabb, CORNER, draw_axes, "whether a box of any orientation meets an upright one",       \
      TILTED, "box 0.5 0.75 -0.5 2 2 1")                                                           \
    X(obb, triangle, CORNER, draw_axes,                                                            \
      "whether a box of any orientation meets a triangle, by 13 axes", TILTED,                     \
      "triangle 0.5 -1.5 1 2.25 0 1 2.5 -1.5 -1")                                                  \
    X(triangle, triangle, CORNER, draw_axes, "whether two triangles meet", SLANTED,                \
      "triangle -0.5 0.25 -1.5 1 -0.75 0.5 0.75 1.25 1.5")                                         \
    X(frustum, aabb, CORNER, draw_overlap, "whether a frustum meets a box", VIEW_VOLUME,           \
      "box 0.5 0.5 -3.5 2 1.5 -2")                                                                 \
    X(frustum, obb, CORNER, draw_overlap, "whether a frustum meets a box of any orientation",      \
      VIEW_VOLUME, "obb 1.5 0 -2  0.8 0 0.6  0 1 0  -0.6 0 0.8  0.75 0.5 0.5")                     \
    X(frustum, sphere, CORNER, draw_overlap, "whether a frustum meets a sphere", VIEW_VOLUME,      \
      "sphere -1.5 0.5 -2.5 0.5")                                                                  \
    X(frustum, triangle, CORNER, draw_overlap, "whether a frustum meets a triangle", VIEW_VOLUME,  \
      "triangle -2 -0.5 -3 2 0 -2 0.5 1.5 -3")                                                     \
    X(plane, aabb, CORNER, draw_side, "on which side of a plane a box is", "plane 1 2 0.5 1.5",    \
      "box -1 -1 -1 1 0.5 1")                                                                      \
    X(plane, obb, CORNER, draw_side, "on which side of a plane a box of any orientation is",       \
      "plane 1 2 0.5 1.5", "obb -0.5 -1 0  0.8 0.6 0  -0.6 0.8 0  0 0 1  1 0.5 1")                 \
    X(plane, sphere, CORNER, draw_side, "on which side of a plane a sphere is",                    \
      "plane 1 2 0.5 1.5", "sphere 1 1.5 0 0.75")

static int overlaps_answer(const draw_shape *x, const draw_shape *y)
{
    const sl_volume first = volume_of(x), second = volume_of(y);
    if (x->kind == DRAW_PLANE) {
        return sl_plane_side_of(&x->plane, &second);
    }
    switch (y->kind) {
    case DRAW_AABB:
        return sl_volume_overlaps_aabb(&first, &y->aabb);
    case DRAW_OBB:
        return sl_volume_overlaps_obb(&first, &y->obb);
    case DRAW_SPHERE:
        return sl_volume_overlaps_sphere(&first, &y->sphere);
    default:
        return sl_volume_overlaps_triangle(&first, &y->triangle);
    }
}

#define OVERLAP_ROW(a, b, view, draw, ...) ROW(#a "-" #b, view, draw, overlaps_answer, __VA_ARGS__),

const draw_test draw_overlap_tests[] = { OVERLAPS(OVERLAP_ROW){ .name = NULL } };
