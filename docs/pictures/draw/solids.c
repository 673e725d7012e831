/* draw/solids.c: turns shapes into marks: their outlines from the direction of view, the hidden
 * edges of boxes in an ink of their own. */
#include "docs/pictures/draw/scene.h"
#include "docs/pictures/draw/shape.h"

#include <math.h>
#include <string.h>

/* A turn by 1/48 of a circle; constants, so that every machine draws the same. */
static const double TURN_COS = 0.99144486137381041;
static const double TURN_SIN = 0.13052619222005159;
enum { TURNS = 48 };

static void solids_turn(double *cosine, double *sine)
{
    const double next = *cosine * TURN_COS - *sine * TURN_SIN;
    *sine = *sine * TURN_COS + *cosine * TURN_SIN;
    *cosine = next;
}

/* count points, one turn apart, of the ellipse with half-axes x and y; from *cosine, *sine on. */
static void solids_arc(spot centre, const double x[3], const double y[3], double *cosine,
                       double *sine, spot *out, int count)
{
    for (int i = 0; i < count; i++) {
        out[i] = spot_along(spot_along(centre, x, *cosine), y, *sine);
        if (i + 1 < count) {
            solids_turn(cosine, sine);
        }
    }
}

static void solids_scaled(const double v[3], double factor, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] * factor;
    }
}

static void solids_outlined(draw_scene *scene, draw_ink ink, const spot *points, size_t count)
{
    scene_area(scene, ink, points, count - 1);
    scene_lines(scene, ink, points, count);
}

/* Whether the paper is not parallel to a coordinate plane: then round things get an equator. */
static bool looks_from_corner(const draw_scene *scene)
{
    int zeros = 0;
    for (int i = 0; i < 3; i++) {
        zeros += scene->towards[i] == 0;
    }
    return zeros < 2;
}

void scene_disc(draw_scene *scene, draw_ink ink, spot centre, double radius)
{
    spot points[TURNS + 1];
    double x[3], y[3], cosine = 1, sine = 0;
    if (looks_from_corner(scene)) {
        const double flat[2][3] = { { radius, 0, 0 }, { 0, 0, radius } };
        solids_arc(centre, flat[0], flat[1], &cosine, &sine, points, TURNS + 1);
        scene_lines(scene, INK_HIDDEN, points, TURNS + 1);
    }
    solids_scaled(scene->right, radius, x);
    solids_scaled(scene->up, radius, y);
    cosine = 1;
    sine = 0;
    solids_arc(centre, x, y, &cosine, &sine, points, TURNS + 1);
    solids_outlined(scene, ink, points, TURNS + 1);
}

static void draw_capsule(draw_scene *scene, draw_ink ink, const sl_capsule *capsule)
{
    const spot p = spot_of(capsule->p), q = spot_of(capsule->q);
    const double radius = (double)capsule->radius;
    double x[3], y[3], dir[3];
    for (int i = 0; i < 3; i++) {
        dir[i] = q.at[i] - p.at[i];
    }
    const double a = dot3(dir, scene->right), b = dot3(dir, scene->up);
    const double length = sqrt(a * a + b * b);
    if (!(length > 0)) {
        scene_disc(scene, ink, q, radius);
        return;
    }
    for (int i = 0; i < 3; i++) {
        x[i] = radius * (a * scene->right[i] + b * scene->up[i]) / length;
        y[i] = radius * (a * scene->up[i] - b * scene->right[i]) / length;
    }
    spot points[TURNS + 3];
    double cosine = 0, sine = -1;
    solids_arc(q, x, y, &cosine, &sine, points, TURNS / 2 + 1);
    solids_arc(p, x, y, &cosine, &sine, points + TURNS / 2 + 1, TURNS / 2 + 1);
    points[TURNS + 2] = points[0];
    solids_outlined(scene, ink, points, TURNS + 3);
    scene_line(scene, INK_HIDDEN, p, q);
}

/* Corner by bits: bit i set is the end of edges[i], clear the beginning. */
static spot corner_of(spot centre, double edges[3][3], int bits)
{
    for (int i = 0; i < 3; i++) {
        centre = spot_along(centre, edges[i], (bits >> i & 1) != 0 ? 1 : -1);
    }
    return centre;
}

/* For each axis which face is towards the eye: 1 that at the end, -1 at the beginning, 0 neither.
 */
static void find_front(const draw_scene *scene, double edges[3][3], int front[3])
{
    for (int i = 0; i < 3; i++) {
        double normal[3];
        cross3(edges[(i + 1) % 3], edges[(i + 2) % 3], normal);
        const double facing = dot3(normal, scene->towards);
        const double size = fabs(normal[0]) + fabs(normal[1]) + fabs(normal[2]);
        const bool outward = dot3(normal, edges[i]) >= 0;
        front[i] = fabs(facing) <= 1e-9 * size ? 0 : (facing > 0) == outward ? 1 : -1;
    }
}

void scene_box(draw_scene *scene, draw_ink ink, spot centre, double edges[3][3])
{
    int front[3];
    find_front(scene, edges, front);
    const bool solid = front[0] != 0 && front[1] != 0 && front[2] != 0;
    const int back = (front[0] < 0 ? 1 : 0) | (front[1] < 0 ? 2 : 0) | (front[2] < 0 ? 4 : 0);
    for (int axis = 0; axis < 3; axis++) {
        const int j = 1 << (axis + 1) % 3, k = 1 << (axis + 2) % 3;
        const int here = front[axis] > 0 ? 1 << axis : 0;
        if (front[axis] != 0) {
            scene_area(scene, ink,
                       (const spot[]){ corner_of(centre, edges, here),
                                       corner_of(centre, edges, here | j),
                                       corner_of(centre, edges, here | j | k),
                                       corner_of(centre, edges, here | k) },
                       4);
        }
        for (int other = 0; other < 4; other++) {
            const int from = ((other & 1) != 0 ? j : 0) | ((other & 2) != 0 ? k : 0);
            const int to = from | 1 << axis;
            const bool hidden = solid && (from == back || to == back);
            scene_line(scene, hidden ? INK_HIDDEN : ink, corner_of(centre, edges, from),
                       corner_of(centre, edges, to));
        }
    }
}

bool scene_box_of(const draw_shape *shape, spot *centre, double edges[3][3])
{
    sl_obb box = shape->obb;
    if (shape->kind == DRAW_MATRIX && !sl_obb_from_matrix(shape->matrix, &box)) {
        return false;
    }
    *centre = spot_of(box.centre);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            edges[i][k] = (double)box.axis[i][k] * (double)box.half[i];
        }
    }
    for (int i = 0; i < 3 && shape->kind == DRAW_AABB; i++) {
        const double min = (double)shape->aabb.min[i], max = (double)shape->aabb.max[i];
        centre->at[i] = (min + max) / 2;
        memset(edges[i], 0, sizeof edges[i]);
        edges[i][i] = (max - min) / 2;
    }
    return shape->kind == DRAW_AABB || shape->kind == DRAW_OBB || shape->kind == DRAW_MATRIX;
}

spot scene_begin_of(const draw_shape *path, double dir[3])
{
    const sl_line line = line_of(path);
    for (int i = 0; i < 3; i++) {
        dir[i] = (double)line.head[i] - (double)line.tail[i];
    }
    return spot_of(line.origin);
}

static void draw_path(draw_scene *scene, const draw_shape *shape)
{
    double dir[3];
    const spot a = scene_begin_of(shape, dir);
    const sl_line line = line_of(shape);
    scene_dot(scene, INK_START, a, "A");
    if (shape->kind == DRAW_SEGMENT) {
        scene_dot(scene, INK_END, spot_of(shape->segment.q), "B");
    }
    scene_path(scene, INK_PATH, a, dir, (double)line.tmin, (double)line.tmax);
}

/* The ink that a kind is drawn in, whatever ink the caller names. */
static draw_ink ink_of(draw_kind kind, draw_ink ink)
{
    const bool path = kind == DRAW_RAY || kind == DRAW_SEGMENT || kind == DRAW_LINE;
    return path ? INK_PATH : kind == DRAW_POINT || kind == DRAW_POINTS ? INK_START : ink;
}

void scene_shape(draw_scene *scene, draw_ink ink, const draw_shape *shape)
{
    const char *name = shape->kind == DRAW_MATRIX ? "cube" : draw_kind_name(shape->kind);
    scene_key(scene, ink_of(shape->kind, ink), name);
    scene_outline(scene, ink, shape);
}

void scene_outline(draw_scene *scene, draw_ink ink, const draw_shape *shape)
{
    spot centre, points[4];
    double edges[3][3];
    switch (shape->kind) {
    case DRAW_RAY:
    case DRAW_SEGMENT:
    case DRAW_LINE:
        draw_path(scene, shape);
        break;
    case DRAW_POINT:
        scene_dot(scene, INK_START, spot_of(shape->point), "P");
        break;
    case DRAW_AXIS:
        break;
    case DRAW_AABB:
    case DRAW_OBB:
    case DRAW_MATRIX:
        if (scene_box_of(shape, &centre, edges)) {
            scene_box(scene, ink, centre, edges);
        }
        break;
    case DRAW_SPHERE:
        scene_disc(scene, ink, spot_of(shape->sphere.centre), (double)shape->sphere.radius);
        break;
    case DRAW_CAPSULE:
        draw_capsule(scene, ink, &shape->capsule);
        break;
    case DRAW_TRIANGLE:
        for (int i = 0; i < 4; i++) {
            points[i] = spot_of(shape->triangle.v[i % 3]);
        }
        solids_outlined(scene, ink, points, 4);
        break;
    case DRAW_PLANE:
        scene_plane(scene, ink, spot_of(shape->plane.normal).at, (double)shape->plane.offset);
        break;
    case DRAW_FRUSTUM:
        scene->frustum = shape->frustum;
        scene->frustum_ink = ink;
        break;
    case DRAW_POINTS:
        for (size_t i = 0; i < shape->points.count; i++) {
            scene_dot(scene, INK_START, spot_of(shape->points.xyz + 3 * i), NULL);
        }
        break;
    }
}
