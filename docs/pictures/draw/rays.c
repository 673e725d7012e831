/* draw/rays.c: draws the tests of a line against one shape. */
#include "docs/pictures/draw/tests.h"

#include <math.h>
#include <string.h>

/* The span as a thick line, with a dot at either end. */
static void draw_span(draw_scene *scene, const draw_shape *path, float t0, float t1)
{
    double dir[3];
    const spot a = scene_begin_of(path, dir);
    scene_path(scene, INK_CONTACT, a, dir, (double)t0, (double)t1);
    scene_key(scene, INK_CONTACT, "what they share");
    if (isfinite(t0)) {
        scene_dot(scene, INK_CONTACT, spot_along(a, dir, (double)t0), "t0");
    }
    if (isfinite(t1) && t1 > t0) {
        scene_dot(scene, INK_CONTACT, spot_along(a, dir, (double)t1), "t1");
    }
}

static void draw_normal(draw_scene *scene, const float point[3], const float normal[3])
{
    const spot tip = spot_of(normal);
    if (dot3(tip.at, tip.at) > 0) {
        scene_arrow(scene, INK_NORMAL, spot_of(point), tip.at, "n");
    }
}

/* What a box or a round shape answers of a hit; words: of the face, NULL where there is none, of
 * entry and of exit. */
static void draw_hit(draw_scene *scene, const draw_shape *path, const sl_aabb_hit *h,
                     const char *const words[3])
{
    draw_span(scene, path, h->t0, h->t1);
    draw_normal(scene, h->point, h->normal);
    scene_number(scene, "t", h->t);
    scene_numbers(scene, "point", 3, h->point);
    if (words[0] != NULL) {
        scene_words(scene, "face", words[0]);
    }
    scene_numbers(scene, "normal", 3, h->normal);
    scene_number(scene, "t0", h->t0);
    scene_number(scene, "t1", h->t1);
    scene_words(scene, "entry", words[1]);
    scene_words(scene, "exit", words[2]);
    scene_yes(scene, "inside", h->inside);
}

static void draw_given(draw_scene *scene, const draw_shape *shapes)
{
    scene_shape(scene, INK_FIRST, &shapes[1]);
    scene_shape(scene, INK_PATH, &shapes[0]);
}

static const char *face_name(const draw_shape *box, sl_box_face face)
{
    static const char *const names[2][6] = {
        { "-axis0", "+axis0", "-axis1", "+axis1", "-axis2", "+axis2" },
        { "-x", "+x", "-y", "+y", "-z", "+z" },
    };
    return face == SL_BOX_FACE_NONE ? "none" : names[box->kind == DRAW_AABB][face];
}

static void draw_ray_box(draw_scene *scene, const draw_shape *shapes)
{
    const draw_shape *box = &shapes[1];
    const sl_line line = line_of(shapes);
    float inverse[16];
    sl_obb_hit hit = { .t = 0 };
    draw_given(scene, shapes);
    if (box->kind == DRAW_MATRIX) {
        const bool turned = sl_matrix_inverse(box->matrix, inverse);
        scene_yes(scene, "invertible", turned);
        if (!turned) {
            return;
        }
    }
    const bool yes = box->kind == DRAW_AABB ? sl_line_aabb(line, &box->aabb, scene->inside, &hit)
                     : box->kind == DRAW_OBB
                         ? sl_line_obb(line, &box->obb, scene->inside, &hit)
                         : sl_line_unit_cube(line, inverse, scene->inside, &hit);
    scene_yes(scene, "hit", yes);
    if (yes) {
        draw_hit(scene, shapes, &hit,
                 (const char *const[]){ face_name(box, hit.face), face_name(box, hit.entry),
                                        face_name(box, hit.exit) });
    }
}

static void draw_ray_round(draw_scene *scene, const draw_shape *shapes)
{
    const draw_shape *shape = &shapes[1];
    const sl_line line = line_of(shapes);
    sl_round_hit hit = { .t = 0 };
    scene_shape(scene, INK_FIRST, shape);
    if (shape->kind == DRAW_SPHERE) {
        scene_dot(scene, INK_FIRST, spot_of(shape->sphere.centre), "S");
    }
    scene_shape(scene, INK_PATH, &shapes[0]);
    const bool yes = shape->kind == DRAW_SPHERE
                         ? sl_line_sphere(line, &shape->sphere, scene->inside, &hit)
                         : sl_line_capsule(line, &shape->capsule, scene->inside, &hit);
    scene_yes(scene, "hit", yes);
    if (yes) {
        sl_aabb_hit h = { .t = hit.t, .t0 = hit.t0, .t1 = hit.t1, .inside = hit.inside };
        memcpy(h.point, hit.point, sizeof h.point);
        memcpy(h.normal, hit.normal, sizeof h.normal);
        draw_hit(scene, shapes, &h,
                 (const char *const[]){ NULL, hit.entry ? "yes" : "no", hit.exit ? "yes" : "no" });
    }
}

static void draw_plane_hit(draw_scene *scene, sl_plane_meet meet, const sl_plane_hit *hit)
{
    static const char *const words[] = { "miss", "point", "within" };
    scene_words(scene, "meets", words[meet]);
    if (meet != SL_PLANE_MISS) {
        scene_dot(scene, INK_CONTACT, spot_of(hit->point), "t");
        scene_key(scene, INK_CONTACT, "where they meet");
        scene_number(scene, "t", hit->t);
        scene_numbers(scene, "point", 3, hit->point);
    }
}

static void draw_ray_plane(draw_scene *scene, const draw_shape *shapes)
{
    sl_plane_hit hit = { .t = 0 };
    draw_given(scene, shapes);
    draw_plane_hit(scene, sl_line_plane(line_of(shapes), &shapes[1].plane, &hit), &hit);
}

/* A triangle with the names of its corners. */
static void draw_named(draw_scene *scene, const draw_shape *triangle)
{
    static const char *const names[] = { "v0", "v1", "v2" };
    scene_shape(scene, INK_FIRST, triangle);
    for (int i = 0; i < 3; i++) {
        scene_dot(scene, INK_FIRST, spot_of(triangle->triangle.v[i]), names[i]);
    }
}

static void draw_ray_triangle(draw_scene *scene, const draw_shape *shapes)
{
    const sl_triangle *triangle = &shapes[1].triangle;
    sl_hit hit;
    const bool yes = shapes[0].kind == DRAW_RAY
                         ? sl_ray_triangle(&shapes[0].ray, triangle, NULL, &hit)
                         : sl_segment_triangle(&shapes[0].segment, triangle, NULL, &hit);
    draw_named(scene, &shapes[1]);
    scene_shape(scene, INK_PATH, &shapes[0]);
    scene_yes(scene, "hit", yes);
    if (yes) {
        double dir[3];
        const spot a = scene_begin_of(&shapes[0], dir);
        scene_dot(scene, INK_CONTACT, spot_along(a, dir, (double)hit.t), "t");
        scene_key(scene, INK_CONTACT, "where they meet");
        scene_number(scene, "t", hit.t);
        scene_number(scene, "u", hit.u);
        scene_number(scene, "v", hit.v);
        scene_words(scene, "side", (hit.flags & SL_HIT_BACK) != 0 ? "back" : "front");
        scene_yes(scene, "edge", (hit.flags & SL_HIT_EDGE) != 0);
        scene_yes(scene, "vertex", (hit.flags & SL_HIT_VERTEX) != 0);
    }
}

static void draw_facing(draw_scene *scene, const draw_shape *shapes)
{
    static const char *const words[] = { "front", "neither", "back" };
    const sl_triangle *triangle = &shapes[0].triangle;
    double edges[2][3], normal[3];
    spot middle = { .at = { 0 } };
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            middle.at[i] += (double)triangle->v[k][i] / 3;
        }
        edges[0][i] = (double)triangle->v[1][i] - (double)triangle->v[0][i];
        edges[1][i] = (double)triangle->v[2][i] - (double)triangle->v[0][i];
    }
    cross3(edges[0], edges[1], normal);
    draw_named(scene, &shapes[0]);
    scene_arrow(scene, INK_NORMAL, middle, normal, "n");
    spot dir = spot_of(shapes[1].point);
    const double length = sqrt(fmax(dot3(edges[0], edges[0]), dot3(edges[1], edges[1])));
    if (unit3(dir.at) > 0) {
        const spot tail = spot_along(middle, dir.at, -length / 2);
        scene_line(scene, INK_PATH, tail, middle);
        scene_arrow(scene, INK_PATH, tail, dir.at, "dir");
    }
    const int facing = sl_triangle_facing(triangle, shapes[1].point);
    scene_words(scene, "meets", words[facing + 1]);
}

const draw_test draw_ray_tests[] = {
    ROW("ray-plane", CORNER, draw_ray_plane, NULL, "where a line meets a plane",
        "ray -2 2 0.5 2 -1.5 0", "plane 1 2 0.5 1"),
    ROW("ray-aabb", CORNER, draw_ray_box, NULL, "where a line enters and leaves a box",
        "segment -2.5 1.5 1 3 -0.5 0", UNIT_BOX),
    ROW("ray-obb", CORNER, draw_ray_box, NULL,
        "where a line enters and leaves a box of any orientation", "segment -2.5 1.5 1 3 -0.5 0",
        TILTED),
    ROW("ray-cube", CORNER, draw_ray_box, NULL,
        "the same for a unit cube under a matrix, by its inverse", "ray -2.5 0.5 0.5 1 0 -0.125",
        "matrix 2 0.5 0 0  -1 1.5 0 0  0 0 1.5 0  0.25 0 0 1"),
    ROW("ray-sphere", XY, draw_ray_round, NULL, "where a line enters and leaves a sphere",
        "segment -2.5 0.5 2.5 1", "sphere 0 0 1.25"),
    ROW("ray-capsule", XY, draw_ray_round, NULL, "where a line enters and leaves a capsule",
        "ray -2.5 1 0 1 -0.25 0", "capsule -1 -0.5 0 1 0.75 0 0.5"),
    ROW("ray-triangle", CORNER, draw_ray_triangle, NULL, "where a line crosses a triangle",
        "segment -0.5 1.5 2 0.5 -0.5 -1.5", "triangle -1.5 -0.5 0.5 1.5 -0.5 0.5 0 1.5 -0.5"),
    ROW("facing", CORNER, draw_facing, NULL, "which side of a triangle a direction meets",
        "triangle -0.5 -1 1.5 -0.5 -1 -1.5 0.5 1.5 0", "axis -1 -0.25 0.25"),
    { .name = NULL },
};
