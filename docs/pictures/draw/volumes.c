/* draw/volumes.c: draws the extent of a box along an axis, and bounding volumes of boxes and
 * points. */
#include "docs/pictures/draw/tests.h"

#include <string.h>

/* The axis through the middle of the box, and as much of it as the box reaches. */
static void draw_radius(draw_scene *scene, const draw_shape *shapes)
{
    const draw_shape *box = &shapes[0];
    const sl_radius reach = box->kind == DRAW_AABB ? sl_aabb_radius(&box->aabb, shapes[1].point)
                                                   : sl_obb_radius(&box->obb, shapes[1].point);
    spot axis = spot_of(shapes[1].point), middle;
    double edges[3][3];
    unit3(axis.at);
    scene_box_of(box, &middle, edges);
    const spot ends[2] = { spot_along(middle, axis.at, -(double)reach.radius),
                           spot_along(middle, axis.at, (double)reach.radius) };
    scene_shape(scene, INK_FIRST, box);
    scene_line(scene, INK_CONTACT, ends[0], ends[1]);
    scene_dot(scene, INK_CONTACT, ends[0], "-r");
    scene_dot(scene, INK_CONTACT, ends[1], "r");
    scene_key(scene, INK_CONTACT, "its reach along n");
    scene_arrow(scene, INK_NORMAL, ends[1], axis.at, "n");
    scene_number(scene, "radius", reach.radius);
    scene_number(scene, "radius_sum", reach.sum);
}

static void draw_around(draw_scene *scene, const sl_aabb *box)
{
    const draw_shape around = { .kind = DRAW_AABB, .aabb = *box };
    scene_yes(scene, "empty", sl_aabb_is_empty(box));
    if (!sl_aabb_is_empty(box)) {
        scene_outline(scene, INK_SECOND, &around);
        scene_key(scene, INK_SECOND, "around it");
        scene_numbers(scene, "min", 3, box->min);
        scene_numbers(scene, "max", 3, box->max);
    }
}

static void draw_aabb_of_obb(draw_scene *scene, const draw_shape *shapes)
{
    const sl_aabb box = sl_aabb_of_obb(&shapes[0].obb);
    scene_shape(scene, INK_FIRST, &shapes[0]);
    draw_around(scene, &box);
}

/* The image of a box under a matrix is the box of any orientation that radii are taken of. */
static void draw_transform(draw_scene *scene, const draw_shape *shapes)
{
    const float *m = shapes[1].matrix;
    double half[3][3], edges[3][3];
    spot from, centre;
    scene_box_of(&shapes[0], &from, half);
    for (int i = 0; i < 3; i++) {
        centre.at[i] = (double)m[12 + i];
        for (int k = 0; k < 3; k++) {
            centre.at[i] += (double)m[4 * k + i] * from.at[k];
            edges[k][i] = (double)m[4 * k + i] * half[k][k];
        }
    }
    const sl_aabb box = sl_aabb_transform(&shapes[0].aabb, m);
    scene_shape(scene, INK_HIDDEN, &shapes[0]);
    scene_box(scene, INK_FIRST, centre, edges);
    scene_key(scene, INK_FIRST, "moved");
    draw_around(scene, &box);
}

static void draw_aabb_of_points(draw_scene *scene, const draw_shape *shapes)
{
    const sl_aabb box = sl_aabb_of_points(shapes[0].points.xyz, shapes[0].points.count);
    scene_shape(scene, INK_START, &shapes[0]);
    draw_around(scene, &box);
}

/* Points, and what was found around them. */
static void draw_cloud(draw_scene *scene, const draw_shape *points, bool found,
                       const draw_shape *around)
{
    scene_shape(scene, INK_START, points);
    scene_yes(scene, "found", found);
    if (found) {
        scene_outline(scene, INK_SECOND, around);
        scene_key(scene, INK_SECOND, "around them");
    }
}

static void draw_sphere_of_points(draw_scene *scene, const draw_shape *shapes)
{
    draw_shape around = { .kind = DRAW_SPHERE };
    const bool found =
        sl_sphere_of_points(shapes[0].points.xyz, NULL, shapes[0].points.count, &around.sphere);
    draw_cloud(scene, &shapes[0], found, &around);
    if (found) {
        scene_numbers(scene, "centre", 3, around.sphere.centre);
        scene_number(scene, "radius", around.sphere.radius);
    }
}

static void draw_obb_of_points(draw_scene *scene, const draw_shape *shapes)
{
    static const char *const axes[] = { "axis0", "axis1", "axis2" };
    draw_shape around = { .kind = DRAW_OBB };
    const bool found =
        sl_obb_of_points(shapes[0].points.xyz, NULL, shapes[0].points.count, &around.obb);
    draw_cloud(scene, &shapes[0], found, &around);
    if (found) {
        scene_numbers(scene, "centre", 3, around.obb.centre);
        for (int i = 0; i < 3; i++) {
            scene_numbers(scene, axes[i], 3, around.obb.axis[i]);
        }
        scene_numbers(scene, "half", 3, around.obb.half);
    }
}

#define CLOUD                                                                                      \
    "points -1.5 -0.75 0  -1 -0.25 0.5  -0.25 -0.5 -0.25  0 0.25 0.25  0.5 0 0.5  1 0.75 -0.25  "  \
    "1.5 0.5 0.25  1.75 1.25 0"

const draw_test draw_volume_tests[] = {
    ROW("radius-aabb", CORNER, draw_radius, NULL, "how far a box reaches along an axis", UNIT_BOX,
        "axis 2 1 0"),
    ROW("radius-obb", CORNER, draw_radius, NULL,
        "how far a box of any orientation reaches along an axis", TILTED, "axis 1 0 0"),
    ROW("aabb-of-obb", CORNER, draw_aabb_of_obb, NULL,
        "the upright box around one of any orientation", TILTED),
    ROW("aabb-transform", CORNER, draw_transform, NULL,
        "the upright box around a box that a matrix has moved", "box -1 -0.5 -0.5 1 0.5 0.5",
        "matrix 0.8 0.6 0 0  -0.6 0.8 0 0  0 0 1 0  2 0.5 0 1"),
    ROW("aabb-of-points", CORNER, draw_aabb_of_points, NULL,
        "the smallest upright box around points", CLOUD),
    ROW("sphere-of-points", CORNER, draw_sphere_of_points, NULL,
        "the smallest sphere around points", CLOUD),
    ROW("obb-of-points", CORNER, draw_obb_of_points, NULL, "a box of any orientation around points",
        CLOUD),
    { .name = NULL },
};
