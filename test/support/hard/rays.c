#include "test/support/hard/rays.h"

#include <math.h>
#include <string.h>

void hard_point(const sl_mesh *mesh, test_random *random, float point[3])
{
    const sl_aabb b = sl_mesh_get_info(mesh).bounds;
    for (int axis = 0; axis < 3; axis++) {
        const double centre = ((double)b.min[axis] + b.max[axis]) / 2;
        const double reach = ((double)b.max[axis] - b.min[axis]) * 0.75;
        point[axis] = (float)(centre + reach * (2.0 * test_random_unit(random) - 1));
    }
}

sl_triangle hard_triangle(const sl_mesh *mesh, test_random *random)
{
    sl_triangle triangle;
    const uint32_t count = (uint32_t)sl_mesh_soup(mesh).triangle_count;
    while (!sl_mesh_triangle(mesh, test_random_below(random, count), &triangle)) {
    }
    return triangle;
}

static void toward(const float from[3], const float to[3], float dir[3])
{
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = to[axis] - from[axis];
    }
}

static void target_of(const sl_mesh *mesh, hard_kind kind, test_random *random, float target[3])
{
    const sl_triangle t = hard_triangle(mesh, random);
    const uint32_t i = test_random_below(random, 3);
    for (int axis = 0; axis < 3; axis++) {
        target[axis] = t.v[i][axis];
        if (kind == HARD_EDGE) {
            target[axis] = target[axis] / 2 + t.v[(i + 1) % 3][axis] / 2;
        } else if (kind == HARD_BESIDE) {
            const uint32_t way = test_random_below(random, 3);
            target[axis] = way == 0   ? target[axis]
                           : way == 1 ? nextafterf(target[axis], INFINITY)
                                      : nextafterf(target[axis], -INFINITY);
        }
    }
}

hard_ray hard_ray_make(const sl_mesh *mesh, hard_kind kind, test_random *random)
{
    hard_ray out = { .is_segment = kind == HARD_VERTEX || kind == HARD_EDGE ||
                                   kind == HARD_BESIDE || kind == HARD_INPLANE };
    float from[3], target[3];
    hard_point(mesh, random, from);
    target_of(mesh, kind, random, target);
    out.ray = sl_ray_make(from, (const float[3]){ 0, 0, 1 });
    memcpy(out.segment.p, from, sizeof from);
    memcpy(out.segment.q, target, sizeof target);
    if (kind == HARD_BOX) {
        hard_point(mesh, random, target);
        toward(from, target, out.ray.dir);
    } else if (kind == HARD_BEYOND) {
        toward(from, target, out.ray.dir);
    } else if (kind == HARD_AXIS) {
        const uint32_t axis = test_random_below(random, 3);
        memcpy(out.ray.origin, target, sizeof target);
        out.ray.origin[axis] = from[axis];
        memset(out.ray.dir, 0, sizeof out.ray.dir);
        out.ray.dir[axis] = target[axis] > from[axis] ? 1.0f : -1.0f;
    } else if (kind == HARD_INPLANE) {
        const sl_triangle t = hard_triangle(mesh, random);
        memcpy(out.segment.p, t.v[0], sizeof from);
        memcpy(out.segment.q, t.v[1], sizeof from);
    }
    return out;
}
