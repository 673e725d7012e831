/* draw/rays.c: draws the tests of a ray, segment or line against one shape. */
#include "tools/draw/test.h"

#include <math.h>

/* Where a path begins and its direction, to draw by. */
static spot begin_of(const draw_shape *path, double dir[3])
{
    const spot a = path->kind == DRAW_RAY ? spot_of(path->ray.origin) : spot_of(path->point);
    for (int i = 0; i < 3; i++) {
        dir[i] = path->kind == DRAW_RAY    ? (double)path->ray.dir[i]
                 : path->kind == DRAW_LINE ? (double)path->line.dir[i]
                                           : (double)path->segment.q[i] - a.at[i];
    }
    return a;
}

/* The span as a thick line, with a dot at either end. */
static void draw_span(draw_scene *scene, const draw_shape *path, float t0, float t1)
{
    double dir[3];
    const spot a = begin_of(path, dir);
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

static const char *face_name(sl_box_face face)
{
    static const char *const names[] = { "-x", "+x", "-y", "+y", "-z", "+z" };
    return face == SL_BOX_FACE_NONE ? "none" : names[face];
}

static const char *obb_face_name(sl_box_face face)
{
    static const char *const names[] = {
        "-axis0", "+axis0", "-axis1", "+axis1", "-axis2", "+axis2"
    };
    return face == SL_BOX_FACE_NONE ? "none" : names[face];
}

/* What a box of any kind answers; name says faces in words. */
static void draw_box_hit(draw_scene *scene, const draw_shape *path, bool hit, const sl_aabb_hit *h,
                         const char *(*name)(sl_box_face))
{
    scene_result(scene, "hit", value_bool(hit));
    if (!hit) {
        return;
    }
    draw_span(scene, path, h->t0, h->t1);
    draw_normal(scene, h->point, h->normal);
    scene_result(scene, "t", value_float(h->t));
    scene_result_vector(scene, "point", h->point);
    scene_result(scene, "face", value_text(name(h->face)));
    scene_result_vector(scene, "normal", h->normal);
    scene_result(scene, "t0", value_float(h->t0));
    scene_result(scene, "t1", value_float(h->t1));
    scene_result(scene, "entry", value_text(name(h->entry)));
    scene_result(scene, "exit", value_text(name(h->exit)));
    scene_result(scene, "inside", value_bool(h->inside));
}

static void draw_ray_aabb(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                          const draw_settings *settings)
{
    (void)test;
    const sl_start_inside inside = settings->inside;
    const sl_aabb *box = &shapes[1].aabb;
    sl_aabb_hit hit = { .t = 0 };
    const bool yes = shapes[0].kind == DRAW_RAY ? sl_ray_aabb(&shapes[0].ray, box, inside, &hit)
                     : shapes[0].kind == DRAW_SEGMENT
                         ? sl_segment_aabb(&shapes[0].segment, box, inside, &hit)
                         : sl_line_aabb(&shapes[0].line, box, inside, &hit);
    scene_shape(scene, INK_FIRST, &shapes[1]);
    scene_shape(scene, INK_PATH, &shapes[0]);
    draw_box_hit(scene, &shapes[0], yes, &hit, face_name);
}

static void draw_ray_obb(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                         const draw_settings *settings)
{
    (void)test;
    const sl_start_inside inside = settings->inside;
    const sl_obb *box = &shapes[1].obb;
    sl_obb_hit hit = { .t = 0 };
    const bool yes = shapes[0].kind == DRAW_RAY ? sl_ray_obb(&shapes[0].ray, box, inside, &hit)
                     : shapes[0].kind == DRAW_SEGMENT
                         ? sl_segment_obb(&shapes[0].segment, box, inside, &hit)
                         : sl_line_obb(&shapes[0].line, box, inside, &hit);
    scene_shape(scene, INK_FIRST, &shapes[1]);
    scene_shape(scene, INK_PATH, &shapes[0]);
    draw_box_hit(scene, &shapes[0], yes, &hit, obb_face_name);
}

static void draw_ray_cube(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                          const draw_settings *settings)
{
    (void)test;
    const sl_start_inside inside = settings->inside;
    float inverse[16];
    sl_obb_hit hit = { .t = 0 };
    scene_shape(scene, INK_FIRST, &shapes[1]);
    scene_shape(scene, INK_PATH, &shapes[0]);
    const bool turned = sl_matrix_inverse(shapes[1].matrix, inverse);
    scene_result(scene, "invertible", value_bool(turned));
    if (turned) {
        const bool yes = shapes[0].kind == DRAW_RAY
                             ? sl_ray_unit_cube(&shapes[0].ray, inverse, inside, &hit)
                         : shapes[0].kind == DRAW_SEGMENT
                             ? sl_segment_unit_cube(&shapes[0].segment, inverse, inside, &hit)
                             : sl_line_unit_cube(&shapes[0].line, inverse, inside, &hit);
        draw_box_hit(scene, &shapes[0], yes, &hit, obb_face_name);
    }
}

static void draw_round_hit(draw_scene *scene, const draw_shape *path, bool hit,
                           const sl_round_hit *h)
{
    scene_result(scene, "hit", value_bool(hit));
    if (!hit) {
        return;
    }
    draw_span(scene, path, h->t0, h->t1);
    draw_normal(scene, h->point, h->normal);
    scene_result(scene, "t", value_float(h->t));
    scene_result_vector(scene, "point", h->point);
    scene_result_vector(scene, "normal", h->normal);
    scene_result(scene, "t0", value_float(h->t0));
    scene_result(scene, "t1", value_float(h->t1));
    scene_result(scene, "entry", value_bool(h->entry));
    scene_result(scene, "exit", value_bool(h->exit));
    scene_result(scene, "inside", value_bool(h->inside));
}

static void draw_ray_sphere(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                            const draw_settings *settings)
{
    (void)test;
    const sl_start_inside inside = settings->inside;
    const sl_sphere *sphere = &shapes[1].sphere;
    sl_round_hit hit = { .t = 0 };
    const bool yes = shapes[0].kind == DRAW_RAY
                         ? sl_ray_sphere(&shapes[0].ray, sphere, inside, &hit)
                     : shapes[0].kind == DRAW_SEGMENT
                         ? sl_segment_sphere(&shapes[0].segment, sphere, inside, &hit)
                         : sl_line_sphere(&shapes[0].line, sphere, inside, &hit);
    scene_shape(scene, INK_FIRST, &shapes[1]);
    scene_dot(scene, INK_FIRST, spot_of(sphere->centre), "S");
    scene_shape(scene, INK_PATH, &shapes[0]);
    draw_round_hit(scene, &shapes[0], yes, &hit);
}

static void draw_ray_capsule(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                             const draw_settings *settings)
{
    (void)test;
    const sl_start_inside inside = settings->inside;
    const sl_capsule *capsule = &shapes[1].capsule;
    sl_round_hit hit = { .t = 0 };
    const bool yes = shapes[0].kind == DRAW_RAY
                         ? sl_ray_capsule(&shapes[0].ray, capsule, inside, &hit)
                     : shapes[0].kind == DRAW_SEGMENT
                         ? sl_segment_capsule(&shapes[0].segment, capsule, inside, &hit)
                         : sl_line_capsule(&shapes[0].line, capsule, inside, &hit);
    scene_shape(scene, INK_FIRST, &shapes[1]);
    scene_shape(scene, INK_PATH, &shapes[0]);
    draw_round_hit(scene, &shapes[0], yes, &hit);
}

static void draw_plane_hit(draw_scene *scene, sl_plane_meet meet, const sl_plane_hit *hit)
{
    static const char *const words[] = { "miss", "point", "within" };
    scene_result(scene, "meets", value_text(words[meet]));
    if (meet != SL_PLANE_MISS) {
        scene_dot(scene, INK_CONTACT, spot_of(hit->point), "t");
        scene_key(scene, INK_CONTACT, "where they meet");
        scene_result(scene, "t", value_float(hit->t));
        scene_result_vector(scene, "point", hit->point);
    }
}

static void draw_ray_plane(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                           const draw_settings *settings)
{
    (void)test, (void)settings;
    const sl_plane *plane = &shapes[1].plane;
    sl_plane_hit hit = { .t = 0 };
    const sl_plane_meet meet =
        shapes[0].kind == DRAW_RAY       ? sl_ray_plane(&shapes[0].ray, plane, &hit)
        : shapes[0].kind == DRAW_SEGMENT ? sl_segment_plane(&shapes[0].segment, plane, &hit)
                                         : sl_line_plane(&shapes[0].line, plane, &hit);
    scene_shape(scene, INK_FIRST, &shapes[1]);
    scene_shape(scene, INK_PATH, &shapes[0]);
    draw_plane_hit(scene, meet, &hit);
}

static void draw_ray_axis_plane(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                                const draw_settings *settings)
{
    (void)test, (void)settings;
    const int axis = shapes[1].across.axis;
    const float k = shapes[1].across.k;
    sl_plane_hit hit = { .t = 0 };
    const sl_plane_meet meet =
        shapes[0].kind == DRAW_RAY       ? sl_ray_axis_plane(&shapes[0].ray, axis, k, &hit)
        : shapes[0].kind == DRAW_SEGMENT ? sl_segment_axis_plane(&shapes[0].segment, axis, k, &hit)
                                         : sl_line_axis_plane(&shapes[0].line, axis, k, &hit);
    scene_shape(scene, INK_FIRST, &shapes[1]);
    scene_shape(scene, INK_PATH, &shapes[0]);
    draw_plane_hit(scene, meet, &hit);
}

static void draw_ray_triangle(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                              const draw_settings *settings)
{
    (void)test, (void)settings;
    const sl_triangle *triangle = &shapes[1].triangle;
    sl_hit hit;
    const bool yes = shapes[0].kind == DRAW_RAY
                         ? sl_ray_triangle(&shapes[0].ray, triangle, NULL, &hit)
                         : sl_segment_triangle(&shapes[0].segment, triangle, NULL, &hit);
    scene_shape(scene, INK_FIRST, &shapes[1]);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = { "v0", "v1", "v2" };
        scene_dot(scene, INK_FIRST, spot_of(triangle->v[i]), names[i]);
    }
    scene_shape(scene, INK_PATH, &shapes[0]);
    scene_result(scene, "hit", value_bool(yes));
    if (yes) {
        double dir[3];
        const spot a = begin_of(&shapes[0], dir);
        scene_dot(scene, INK_CONTACT, spot_along(a, dir, (double)hit.t), "t");
        scene_key(scene, INK_CONTACT, "where they meet");
        scene_result(scene, "t", value_float(hit.t));
        scene_result(scene, "u", value_float(hit.u));
        scene_result(scene, "v", value_float(hit.v));
        scene_result(scene, "side", value_text((hit.flags & SL_HIT_BACK) != 0 ? "back" : "front"));
        scene_result(scene, "edge", value_bool((hit.flags & SL_HIT_EDGE) != 0));
        scene_result(scene, "vertex", value_bool((hit.flags & SL_HIT_VERTEX) != 0));
    }
}

static void draw_facing(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                        const draw_settings *settings)
{
    (void)test, (void)settings;
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
    scene_shape(scene, INK_FIRST, &shapes[0]);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = { "v0", "v1", "v2" };
        scene_dot(scene, INK_FIRST, spot_of(triangle->v[i]), names[i]);
    }
    scene_arrow(scene, INK_NORMAL, middle, normal, "n");
    spot dir = spot_of(shapes[1].point);
    const double length = sqrt(fmax(dot3(edges[0], edges[0]), dot3(edges[1], edges[1])));
    if (unit3(dir.at) > 0) {
        const spot tail = spot_along(middle, dir.at, -length / 2);
        scene_line(scene, INK_PATH, tail, middle);
        scene_arrow(scene, INK_PATH, tail, dir.at, "dir");
    }
    const int facing = sl_triangle_facing(triangle, shapes[1].point);
    scene_result(scene, "meets", value_text(words[facing + 1]));
}

const draw_test draw_ray_tests[] = {
    { "ray-axis-plane",
      "where a path meets the plane across one axis",
      "sl_ray_axis_plane, sl_segment_axis_plane, sl_line_axis_plane",
      { KINDS_OF_PATH, KIND(ACROSS) },
      { "segment -2 2 1 3 -1 0", "across 1 0.5" },
      VIEW_CORNER,
      draw_ray_axis_plane,
      NULL,
      NULL },
    { "ray-plane",
      "where a path meets any plane",
      "sl_ray_plane, sl_segment_plane, sl_line_plane",
      { KINDS_OF_PATH, KIND(PLANE) },
      { "ray -2 2 0.5 2 -1.5 0", "plane 1 2 0.5 1" },
      VIEW_CORNER,
      draw_ray_plane,
      NULL,
      NULL },
    { "ray-aabb",
      "where a path enters and leaves a box",
      "sl_ray_aabb, sl_segment_aabb, sl_line_aabb; sl_ray_aabb_span and its like",
      { KINDS_OF_PATH, KIND(AABB) },
      { "segment -2.5 1.5 1 3 -0.5 0", "box -1 -1 -1 1 1 1" },
      VIEW_CORNER,
      draw_ray_aabb,
      NULL,
      NULL },
    { "ray-obb",
      "where a path enters and leaves a box of any orientation",
      "sl_ray_obb, sl_segment_obb, sl_line_obb",
      { KINDS_OF_PATH, KIND(OBB) },
      { "segment -2.5 1.5 1 3 -0.5 0", "obb 0 0 0  0.8 0.6 0  -0.6 0.8 0  0 0 1  1.5 0.75 1" },
      VIEW_CORNER,
      draw_ray_obb,
      NULL,
      NULL },
    { "ray-cube",
      "the same for a unit cube under a matrix, by its inverse",
      "sl_ray_unit_cube, sl_segment_unit_cube, sl_line_unit_cube; sl_matrix_inverse, "
      "sl_obb_from_matrix",
      { KINDS_OF_PATH, KIND(MATRIX) },
      { "ray -2.5 0.5 0.5 1 0 -0.125", "matrix 2 0.5 0 0  -1 1.5 0 0  0 0 1.5 0  0.25 0 0 1" },
      VIEW_CORNER,
      draw_ray_cube,
      NULL,
      NULL },
    { "ray-sphere",
      "where a path enters and leaves a sphere",
      "sl_ray_sphere, sl_segment_sphere, sl_line_sphere",
      { KINDS_OF_PATH, KIND(SPHERE) },
      { "segment -2.5 0.5 2.5 1", "sphere 0 0 1.25" },
      VIEW_XY,
      draw_ray_sphere,
      NULL,
      NULL },
    { "ray-capsule",
      "where a path enters and leaves a capsule",
      "sl_ray_capsule, sl_segment_capsule, sl_line_capsule",
      { KINDS_OF_PATH, KIND(CAPSULE) },
      { "ray -2.5 1 0 1 -0.25 0", "capsule -1 -0.5 0 1 0.75 0 0.5" },
      VIEW_XY,
      draw_ray_capsule,
      NULL,
      NULL },
    { "ray-triangle",
      "where a path crosses a triangle",
      "sl_ray_triangle, sl_segment_triangle",
      { KIND(RAY) | KIND(SEGMENT), KIND(TRIANGLE) },
      { "segment -0.5 1.5 2 0.5 -0.5 -1.5", "triangle -1.5 -0.5 0.5 1.5 -0.5 0.5 0 1.5 -0.5" },
      VIEW_CORNER,
      draw_ray_triangle,
      NULL,
      NULL },
    { "facing",
      "which side of a triangle a direction meets",
      "sl_triangle_facing",
      { KIND(TRIANGLE), KIND(AXIS) },
      { "triangle -0.5 -1 1.5 -0.5 -1 -1.5 0.5 1.5 0", "axis -1 -0.25 0.25" },
      VIEW_CORNER,
      draw_facing,
      NULL,
      NULL },
    { .name = NULL },
};
