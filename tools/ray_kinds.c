#include "tools/ray_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ray_kind_words[] = { "camera", "box",      "surface", "vertices",
                                       "edges",  "nearmiss", "axis",    "inplane",
                                       "limits", "all",      NULL };

/* splitmix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* In [0, 1), with 53 bits. */
static double unit(uint64_t *state)
{
    return (double)(next(state) >> 11) * 0x1p-53;
}

static uint32_t below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(((next(state) >> 32) * limit) >> 32);
}

static uint64_t start(const ray_maker *maker, ray_kind kind, uint64_t index)
{
    uint64_t state = maker->seed;
    state = next(&state) + (uint64_t)kind;
    state = next(&state) + index;
    return next(&state);
}

ray_maker ray_maker_make(const sl_mesh *mesh, const sl_bvh *bvh, uint64_t seed, uint64_t count)
{
    ray_maker maker = { .mesh = mesh, .bvh = bvh, .seed = seed, .count = count };
    maker.bounds = sl_mesh_get_info(mesh).bounds;
    for (int axis = 0; axis < 3; axis++) {
        if (!(maker.bounds.min[axis] <= maker.bounds.max[axis])) {
            maker.bounds.min[axis] = 0;
            maker.bounds.max[axis] = 1;
        }
    }
    return maker;
}

bool ray_kind_is_segments(ray_kind kind)
{
    return kind == RAYS_VERTICES || kind == RAYS_EDGES || kind == RAYS_NEARMISS;
}

/* A finite float, whatever the arithmetic on the way gave. */
static float to_float(double x)
{
    const double limit = 0x1.fffffep127;
    return (float)(x > limit ? limit : x < -limit ? -limit : x);
}

/* In the bounds, grown on every side by grow times the extent (and a little where that is 0). */
static void random_point(const ray_maker *maker, uint64_t *state, double grow, float out[3])
{
    double largest = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double size = (double)maker->bounds.max[axis] - (double)maker->bounds.min[axis];
        largest = size > largest ? size : largest;
    }
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)maker->bounds.min[axis];
        const double high = (double)maker->bounds.max[axis];
        const double margin = grow * (high - low) + (high > low ? 0 : 0.1 * largest);
        out[axis] = to_float(low - margin + unit(state) * (high - low + 2 * margin));
    }
}

/* A triangle that was not left out; without one, a triangle of the bounds. */
static sl_triangle random_triangle(const ray_maker *maker, uint64_t *state)
{
    sl_triangle triangle = { .v = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } } };
    const uint32_t count = (uint32_t)sl_mesh_triangle_count(maker->mesh);
    for (int tries = 0; tries < 16 && count > 0; tries++) {
        if (sl_mesh_triangle(maker->mesh, below(state, count), &triangle)) {
            break;
        }
    }
    return triangle;
}

static void direction(const float from[3], const float to[3], float dir[3])
{
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = to_float((double)to[axis] - (double)from[axis]);
    }
}

static sl_ray ray_between(const float from[3], const float to[3])
{
    float dir[3];
    direction(from, to, dir);
    return sl_ray_make(from, dir);
}

/* From beyond a corner of the bounds, row by row over a square picture of the mesh's middle. */
static sl_ray camera_ray(const ray_maker *maker, uint64_t index)
{
    uint64_t side = 1;
    while (side * side < maker->count) {
        side++;
    }
    const double x = ((double)(index % side) + 0.5) / (double)side - 0.5;
    const double y = ((double)(index / side) + 0.5) / (double)side - 0.5;
    float eye[3];
    float target[3];
    double size = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double extent = (double)maker->bounds.max[axis] - (double)maker->bounds.min[axis];
        size = extent > size ? extent : size;
    }
    /* The picture's plane goes through the centre; right and up are perpendicular to (3, 2, 4). */
    const double towards[3] = { 3, 2, 4 };
    const double right[3] = { 0.8, 0, -0.6 };
    const double up[3] = { -0.24, 1, -0.32 };
    for (int axis = 0; axis < 3; axis++) {
        const double centre =
            0.5 * ((double)maker->bounds.min[axis] + (double)maker->bounds.max[axis]);
        eye[axis] = to_float(centre + 0.4 * size * towards[axis]);
        target[axis] = to_float(centre + 1.2 * size * (x * right[axis] - y * up[axis]));
    }
    return ray_between(eye, target);
}

static sl_ray box_ray(const ray_maker *maker, uint64_t *state)
{
    float from[3];
    float to[3];
    random_point(maker, state, 0.5, from);
    random_point(maker, state, 0, to);
    return ray_between(from, to);
}

static sl_ray surface_ray(const ray_maker *maker, uint64_t *state)
{
    const sl_triangle triangle = random_triangle(maker, state);
    double u = unit(state);
    double v = unit(state);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    float from[3];
    float dir[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = to_float((1 - u - v) * (double)triangle.v[0][axis] +
                              u * (double)triangle.v[1][axis] + v * (double)triangle.v[2][axis]);
        dir[axis] = (float)(2 * unit(state) - 1);
    }
    return sl_ray_make(from, dir);
}

/* A vertex of the triangle, or the middle between two. */
static void special_point(uint64_t *state, const sl_triangle *triangle, bool middle, float out[3])
{
    const uint32_t corner = below(state, 3);
    const float *a = triangle->v[corner];
    const float *b = triangle->v[(corner + 1) % 3];
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = middle ? (float)(0.5 * ((double)a[axis] + (double)b[axis])) : a[axis];
    }
}

/* One step of a float up or down on one axis or more. */
static void move_a_step(uint64_t *state, float point[3])
{
    const uint32_t axes = 1 + below(state, 7);
    for (int axis = 0; axis < 3; axis++) {
        if (axes >> axis & 1) {
            point[axis] = nextafterf(point[axis], next(state) & 1 ? INFINITY : -INFINITY);
            point[axis] = to_float((double)point[axis]);
        }
    }
}

/* Half of them end in the point; half have it in the middle, which is exact where both ends are
 * floats (on a lattice: where the step is a lattice one). */
static sl_segment segment_at(const ray_maker *maker, uint64_t *state, const float point[3])
{
    sl_segment segment;
    const bool through = next(state) & 1;
    const bool swap = next(state) & 1;
    random_point(maker, state, 0.25, segment.p);
    if (through) {
        /* On the lattice of the point, if there is one: the other end is a vertex or its mirror. */
        const sl_triangle other = random_triangle(maker, state);
        memcpy(segment.p, other.v[0], sizeof segment.p);
    }
    for (int axis = 0; axis < 3; axis++) {
        segment.q[axis] =
            through ? to_float(2 * (double)point[axis] - (double)segment.p[axis]) : point[axis];
    }
    if (swap) {
        const sl_segment turned = segment;
        memcpy(segment.p, turned.q, sizeof segment.p);
        memcpy(segment.q, turned.p, sizeof segment.q);
    }
    return segment;
}

static sl_ray axis_ray(const ray_maker *maker, uint64_t *state)
{
    const sl_triangle triangle = random_triangle(maker, state);
    const uint32_t axis = below(state, 3);
    const uint32_t target = below(state, 4);
    float point[3];
    random_point(maker, state, 0.5, point);
    const float along = point[axis];
    if (target < 3) {
        memcpy(point, triangle.v[target], sizeof point);
        point[axis] = along;
    }
    float dir[3] = { 0, 0, 0 };
    dir[axis] = next(state) & 1 ? 1.0f : -1.0f;
    if (next(state) & 1) {
        dir[axis] *= 0.3f;
    }
    return sl_ray_make(point, dir);
}

/* From a corner, or a step of a power of two along an edge from it, along an edge or a diagonal of
 * the plane.  Exactly in the plane where the differences are floats: on a lattice. */
static sl_ray inplane_ray(const ray_maker *maker, uint64_t *state)
{
    const sl_triangle triangle = random_triangle(maker, state);
    const double steps[8] = { -2, -1, -0.5, 0, 0.25, 0.5, 1, 2 };
    const double back = steps[below(state, 8)];
    const double side = steps[below(state, 8)];
    const double a = steps[below(state, 8)];
    const double b = steps[below(state, 8)];
    float from[3];
    float dir[3];
    for (int axis = 0; axis < 3; axis++) {
        const double v0 = (double)triangle.v[0][axis];
        const double e1 = (double)triangle.v[1][axis] - v0;
        const double e2 = (double)triangle.v[2][axis] - v0;
        from[axis] = to_float(v0 + back * e1 + side * e2);
        dir[axis] = to_float(a * e1 + b * e2);
    }
    return sl_ray_make(from, dir);
}

static sl_ray limits_ray(const ray_maker *maker, uint64_t *state)
{
    sl_ray ray = next(state) & 1 ? box_ray(maker, state) : surface_ray(maker, state);
    sl_hit hit;
    const uint32_t how = below(state, 6);
    if (!sl_bvh_closest(maker->bvh, &ray, NULL, &hit)) {
        return ray;
    }
    switch (how) {
    case 0:
        ray.tmax = hit.t;
        break;
    case 1:
        ray.tmin = hit.t;
        break;
    case 2:
        ray.tmin = ray.tmax = hit.t;
        break;
    case 3:
        ray.tmax = nextafterf(hit.t, -INFINITY);
        ray.tmin = ray.tmin < ray.tmax ? ray.tmin : ray.tmax;
        break;
    case 4:
        ray.tmin = nextafterf(hit.t, INFINITY);
        break;
    default:
        ray.tmin = -hit.t;
        ray.tmax = 2 * hit.t;
        break;
    }
    return ray;
}

sl_ray ray_maker_ray(const ray_maker *maker, ray_kind kind, uint64_t index)
{
    uint64_t state = start(maker, kind, index);
    switch (kind) {
    case RAYS_CAMERA:
        return camera_ray(maker, index);
    case RAYS_SURFACE:
        return surface_ray(maker, &state);
    case RAYS_AXIS:
        return axis_ray(maker, &state);
    case RAYS_INPLANE:
        return inplane_ray(maker, &state);
    case RAYS_LIMITS:
        return limits_ray(maker, &state);
    case RAYS_BOX:
    default:
        return box_ray(maker, &state);
    }
}

sl_segment ray_maker_segment(const ray_maker *maker, ray_kind kind, uint64_t index)
{
    uint64_t state = start(maker, kind, index);
    const sl_triangle triangle = random_triangle(maker, &state);
    const bool middle = kind == RAYS_EDGES || (kind == RAYS_NEARMISS && (next(&state) & 1));
    float point[3];
    special_point(&state, &triangle, middle, point);
    if (kind == RAYS_NEARMISS) {
        move_a_step(&state, point);
    }
    return segment_at(maker, &state, point);
}

sl_result ray_kinds_snap(const sl_mesh *mesh, uint32_t bits, sl_mesh **out, sl_error *error)
{
    const ray_maker maker = ray_maker_make(mesh, NULL, 0, 0);
    const size_t count = sl_mesh_vertex_count(mesh);
    const float *xyz = sl_mesh_positions(mesh);
    double size = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double extent = (double)maker.bounds.max[axis] - (double)maker.bounds.min[axis];
        size = extent > size ? extent : size;
    }
    int exponent;
    frexp(size, &exponent);
    const double step = ldexp(1, exponent - (int)bits);
    const double half = ldexp(1, (int)bits - 1);
    float *snapped = malloc(count > 0 ? count * 3 * sizeof *snapped : 1);
    if (snapped == NULL) {
        *error = (sl_error){ .code = SL_OUT_OF_MEMORY, .byte = -1, .message = "out of memory" };
        return SL_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < 3 * count; i++) {
        const double place = ((double)xyz[i] - (double)maker.bounds.min[i % 3]) / step;
        snapped[i] = (float)((floor(place + 0.5) - half) * step);
    }
    sl_mesh_def def = sl_default_mesh_def();
    def.bad = SL_BAD_LEAVE_OUT;
    const sl_result result = sl_mesh_from_arrays(snapped, count, sl_mesh_indices(mesh),
                                                 sl_mesh_triangle_count(mesh), &def, out, error);
    free(snapped);
    return result;
}
