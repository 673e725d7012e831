/* ray_kinds.c: generates rays and segments of each kind, most of them hard, for ask/source.c. */
#include "tools/generate/ray_kinds.h"

#include <math.h>
#include <string.h>

const char *const ray_kind_words[] = { "camera", "box",      "surface", "vertices",
                                       "edges",  "nearmiss", "axis",    "inplane",
                                       "limits", "all",      NULL };

bool ray_kind_is_segments(ray_kind kind)
{
    return kind == RAYS_VERTICES || kind == RAYS_EDGES || kind == RAYS_NEARMISS;
}

static void ray_kinds_direction(const float from[3], const float to[3], float dir[3])
{
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = query_random_float((double)to[axis] - (double)from[axis]);
    }
}

static sl_ray ray_between(const float from[3], const float to[3])
{
    float dir[3];
    ray_kinds_direction(from, to, dir);
    return sl_ray_make(from, dir);
}

/* From beyond a corner of the bounds, row by row over a square picture of the mesh's middle. */
static sl_ray camera_ray(const query_random *m, uint64_t index)
{
    uint64_t side = 1;
    while (side * side < m->count) {
        side++;
    }
    const double x = ((double)(index % side) + 0.5) / (double)side - 0.5;
    const double y = ((double)(index / side) + 0.5) / (double)side - 0.5;
    float eye[3], target[3];
    /* The picture's plane goes through the centre; right and up are perpendicular to (3, 2, 4). */
    const double towards[3] = { 3, 2, 4 };
    const double right[3] = { 0.8, 0, -0.6 }, up[3] = { -0.24, 1, -0.32 };
    for (int axis = 0; axis < 3; axis++) {
        const double centre = 0.5 * ((double)m->bounds.min[axis] + (double)m->bounds.max[axis]);
        eye[axis] = query_random_float(centre + 0.4 * m->extent * towards[axis]);
        target[axis] =
            query_random_float(centre + 1.2 * m->extent * (x * right[axis] - y * up[axis]));
    }
    return ray_between(eye, target);
}

static sl_ray box_ray(const query_random *m, uint64_t *state)
{
    float from[3], to[3];
    query_random_point(m, state, 0.5, from);
    query_random_point(m, state, 0, to);
    return ray_between(from, to);
}

static sl_ray surface_ray(const query_random *m, uint64_t *state)
{
    const sl_triangle triangle = query_random_triangle(m, state);
    float from[3], dir[3];
    query_random_on_surface(state, &triangle, from);
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = (float)(2 * query_random_unit(state) - 1);
    }
    return sl_ray_make(from, dir);
}

/* Half of them end in the point; half have it in the middle, which is exact where both ends are
 * floats (on a lattice: where the step is a lattice one). */
static sl_segment segment_at(const query_random *m, uint64_t *state, const float point[3])
{
    sl_segment segment;
    const bool through = query_random_next(state) & 1;
    const bool swap = query_random_next(state) & 1;
    query_random_point(m, state, 0.25, segment.p);
    if (through) {
        /* On the lattice of the point, if there is one: the other end is a vertex or its mirror. */
        const sl_triangle other = query_random_triangle(m, state);
        memcpy(segment.p, other.v[0], sizeof segment.p);
    }
    for (int axis = 0; axis < 3; axis++) {
        segment.q[axis] =
            through ? query_random_float(2 * (double)point[axis] - (double)segment.p[axis])
                    : point[axis];
    }
    if (swap) {
        const sl_segment turned = segment;
        memcpy(segment.p, turned.q, sizeof segment.p);
        memcpy(segment.q, turned.p, sizeof segment.q);
    }
    return segment;
}

static sl_ray axis_ray(const query_random *m, uint64_t *state)
{
    const sl_triangle triangle = query_random_triangle(m, state);
    const uint32_t axis = query_random_below(state, 3);
    const uint32_t target = query_random_below(state, 4);
    float point[3];
    query_random_point(m, state, 0.5, point);
    const float along = point[axis];
    if (target < 3) {
        memcpy(point, triangle.v[target], sizeof point);
        point[axis] = along;
    }
    float dir[3] = { 0, 0, 0 };
    dir[axis] = query_random_next(state) & 1 ? 1.0f : -1.0f;
    if (query_random_next(state) & 1) {
        dir[axis] *= 0.3f;
    }
    return sl_ray_make(point, dir);
}

/* From a corner, or a step of a power of two along an edge from it, along an edge or a diagonal of
 * the plane.  Exactly in the plane where the differences are floats: on a lattice. */
static sl_ray inplane_ray(const query_random *m, uint64_t *state)
{
    const sl_triangle triangle = query_random_triangle(m, state);
    const double steps[8] = { -2, -1, -0.5, 0, 0.25, 0.5, 1, 2 };
    const double back = steps[query_random_below(state, 8)];
    const double side = steps[query_random_below(state, 8)];
    const double a = steps[query_random_below(state, 8)];
    const double b = steps[query_random_below(state, 8)];
    float from[3], dir[3];
    for (int axis = 0; axis < 3; axis++) {
        const double v0 = (double)triangle.v[0][axis];
        const double e1 = (double)triangle.v[1][axis] - v0;
        const double e2 = (double)triangle.v[2][axis] - v0;
        from[axis] = query_random_float(v0 + back * e1 + side * e2);
        dir[axis] = query_random_float(a * e1 + b * e2);
    }
    return sl_ray_make(from, dir);
}

static sl_ray limits_ray(const query_random *m, uint64_t *state)
{
    sl_ray ray = query_random_next(state) & 1 ? box_ray(m, state) : surface_ray(m, state);
    sl_hit hit;
    const uint32_t how = query_random_below(state, 6);
    if (!sl_bvh_closest(m->bvh, &ray, NULL, &hit)) {
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

sl_ray ray_kinds_ray(const query_random *m, ray_kind kind, uint64_t index)
{
    uint64_t state = query_random_start(m, (int)kind, index);
    switch (kind) {
    case RAYS_CAMERA:
        return camera_ray(m, index);
    case RAYS_SURFACE:
        return surface_ray(m, &state);
    case RAYS_AXIS:
        return axis_ray(m, &state);
    case RAYS_INPLANE:
        return inplane_ray(m, &state);
    case RAYS_LIMITS:
        return limits_ray(m, &state);
    case RAYS_BOX:
    default:
        return box_ray(m, &state);
    }
}

sl_segment ray_kinds_segment(const query_random *m, ray_kind kind, uint64_t index)
{
    uint64_t state = query_random_start(m, (int)kind, index);
    const sl_triangle triangle = query_random_triangle(m, &state);
    const bool middle =
        kind == RAYS_EDGES || (kind == RAYS_NEARMISS && (query_random_next(&state) & 1));
    float point[3];
    query_random_special(&state, &triangle, middle, point);
    if (kind == RAYS_NEARMISS) {
        query_random_step(&state, point);
    }
    return segment_at(m, &state, point);
}
