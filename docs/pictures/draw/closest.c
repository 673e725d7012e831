/* draw/closest.c: draws the tests for the closest point of a shape and for a point inside it. */
#include "docs/pictures/draw/tests.h"

#include <string.h>

static void draw_pair(draw_scene *scene, const draw_shape *shapes, bool found,
                      const sl_closest *closest)
{
    scene_shape(scene, INK_FIRST, &shapes[1]);
    scene_shape(scene, INK_START, &shapes[0]);
    scene_yes(scene, "found", found);
    if (found) {
        scene_line(scene, INK_START, spot_of(shapes[0].point), spot_of(closest->point));
        scene_dot(scene, INK_CONTACT, spot_of(closest->point), "C");
        scene_key(scene, INK_CONTACT, "nearest point");
        scene_numbers(scene, "point", 3, closest->point);
        scene_number(scene, "distance", closest->distance);
    }
}

bool draw_nearest_on(const draw_shape *shape, const float point[3], sl_closest *out)
{
    switch (shape->kind) {
    case DRAW_AABB:
        return sl_aabb_closest(&shape->aabb, point, out);
    case DRAW_OBB:
        return sl_obb_closest(&shape->obb, point, out);
    case DRAW_TRIANGLE:
        return sl_triangle_closest(&shape->triangle, point, out);
    case DRAW_PLANE:
        return sl_plane_closest(&shape->plane, point, out);
    case DRAW_SEGMENT:
        return sl_segment_closest(&shape->segment, point, out);
    case DRAW_SPHERE: {
        sl_segment centre;
        memcpy(centre.p, shape->sphere.centre, sizeof centre.p);
        memcpy(centre.q, shape->sphere.centre, sizeof centre.q);
        return sl_segment_closest(&centre, point, out);
    }
    default:
        return false;
    }
}

static void draw_closest(draw_scene *scene, const draw_shape *shapes)
{
    sl_closest closest = { .u = 0 };
    draw_pair(scene, shapes, draw_nearest_on(&shapes[1], shapes[0].point, &closest), &closest);
    if (shapes[1].kind == DRAW_SEGMENT) {
        scene_number(scene, "t", closest.u);
    } else if (shapes[1].kind == DRAW_TRIANGLE) {
        scene_number(scene, "u", closest.u);
        scene_number(scene, "v", closest.v);
    } else if (shapes[1].kind == DRAW_PLANE) {
        scene_number(scene, "signed_distance",
                     sl_plane_distance(&shapes[1].plane, shapes[0].point));
    }
}

static void draw_surface(draw_scene *scene, const draw_shape *shapes)
{
    sl_closest closest = { .u = 0 };
    const bool found = sl_aabb_surface_closest(&shapes[1].aabb, shapes[0].point, &closest);
    draw_pair(scene, shapes, found, &closest);
}

static void draw_inside(draw_scene *scene, const draw_shape *shapes)
{
    scene_shape(scene, scene->answer != 0 ? INK_TOUCHED : INK_FIRST, &shapes[1]);
    scene_shape(scene, INK_START, &shapes[0]);
    scene_yes(scene, "inside", scene->answer != 0);
}

static int closest_contains(const draw_shape *point, const draw_shape *shape)
{
    const sl_volume volume = volume_of(shape);
    return sl_volume_contains_point(&volume, point->point);
}

const draw_test draw_closest_tests[] = {
    ROW("closest-segment", XY, draw_closest, NULL, "the nearest point of a segment",
        "point 0.5 1.5", "segment -1.5 -0.5 2 0.5"),
    ROW("closest-triangle", CORNER, draw_closest, NULL, "the nearest point of a triangle",
        "point 0.5 0.75 1.75", SLANTED),
    ROW("closest-plane", CORNER, draw_closest, NULL,
        "the nearest point of a plane; the signed distance", "point 1 1.5 0.5", "plane 1 2 0.5 1"),
    ROW("closest-aabb", CORNER, draw_closest, NULL, "the nearest point of a solid box",
        "point 1.75 1.5 0.5", UNIT_BOX),
    ROW("closest-aabb-surface", CORNER, draw_surface, NULL, "the nearest point of a box's surface",
        "point 0.5 0.25 0.25", UNIT_BOX),
    ROW("closest-obb", XY, draw_closest, NULL, "the nearest point of a box of any orientation",
        "point -1.25 1.75 0", TILTED),
    ROW("inside-aabb", CORNER, draw_inside, closest_contains, "whether a point is in a box",
        "point 0.5 1 0.25", UNIT_BOX),
    ROW("inside-obb", CORNER, draw_inside, closest_contains,
        "whether a point is in a box of any orientation", "point 0.5 0.75 0", TILTED),
    ROW("inside-sphere", XY, draw_inside, closest_contains, "whether a point is in a sphere",
        "point 0.75 1", "sphere 0 0 1.25"),
    ROW("inside-capsule", XY, draw_inside, closest_contains, "whether a point is in a capsule",
        "point 0 1 0", "capsule -1 -0.5 0 1 0.75 0 0.5"),
    ROW("inside-frustum", CORNER, draw_inside, closest_contains,
        "whether a point is behind every plane", "point 0.5 0.25 -2", VIEW_VOLUME),
    { .name = NULL },
};
