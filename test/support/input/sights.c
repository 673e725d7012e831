#include "test/support/input/sights.h"

#include "bvh/scene/scene.h"

/* A triangle of the world, or else of nothing. */
static void draw_triangle(const sl_bvh *scene, test_random *random, double v[3][3])
{
    for (int tries = 0; tries < 50; tries++) {
        sl_triangle_ref triangle = { .instance = test_random_below(random, scene->world.count) };
        const sl_bvh *tree = scene->world.transformed[triangle.instance].tree;
        if (tree != NULL) {
            triangle.prim = test_random_below(random, tree->prim_count);
            if (sl_bvh_triangle(scene, triangle, v)) {
                return;
            }
        }
    }
    for (int i = 0; i < 9; i++) {
        v[i / 3][i % 3] = 0;
    }
}

sl_sight_end sights_end(const sl_bvh *scene, uint32_t id, test_random *random)
{
    double v[3][3];
    sl_sight_end end = { .id = id };
    const sl_aabb_d box = sl_bvh_bounds(scene);
    draw_triangle(scene, random, v);
    const uint32_t kind = test_random_below(random, 5);
    const double b = kind == 0 ? 0 : (double)test_random_unit(random) * 0.5,
                 c = kind <= 1 ? 0 : (double)test_random_unit(random) * 0.5;
    for (int axis = 0; axis < 3; axis++) {
        end.at[axis] = (1 - b - c) * v[0][axis] + b * v[1][axis] + c * v[2][axis];
        if (kind >= 3) {
            end.at[axis] +=
                0.2 * (box.max[axis] - box.min[axis]) * ((double)test_random_unit(random) - 0.5);
        }
    }
    if (test_random_below(random, 4) == 0) {
        end.own.first = test_random_below(random, scene->world.count);
        end.own.count = 1 + test_random_below(random, 3);
    }
    if (test_random_below(random, 64) == 0) {
        static const double awkward[] = { NAN, INFINITY, -INFINITY, 1e39, -0.0, 1e-50 };
        end.at[test_random_below(random, 3)] = awkward[test_random_below(random, 6)];
    }
    return end;
}

bool sights_place(const double at[3], uint32_t sight_flags, double place[3])
{
    bool good = true;
    for (int axis = 0; axis < 3; axis++) {
        place[axis] = (sight_flags & SL_SIGHT_DOUBLES) != 0 ? at[axis] : (double)(float)at[axis];
        good &= fabs(place[axis]) <= (double)FLT_MAX;
    }
    return good;
}

static bool is_own(const sl_sight_end *end, uint32_t instance)
{
    return instance >= end->own.first && instance < (uint64_t)end->own.first + end->own.count;
}

bool sights_sees(const sl_bvh *scene, const sl_sight_end *eye, const sl_sight_end *target,
                 const double to[3], uint32_t sight_flags, const sl_options *query)
{
    sl_segment_d segment;
    const sl_options options = { .flags = query->flags & (SL_OPEN_START | SL_OPEN_END) };
    const bool masked = query->mask != 0;
    if (!sights_place(eye->at, sight_flags, segment.p) ||
        !sights_place(to, sight_flags, segment.q)) {
        return false;
    }
    if (segment.p[0] == segment.q[0] && segment.p[1] == segment.q[1] &&
        segment.p[2] == segment.q[2]) {
        return true;
    }
    for (uint32_t instance = 0; instance < scene->world.count; instance++) {
        const sli_transformed *transformed = &scene->world.transformed[instance];
        if (transformed->tree == NULL || is_own(eye, instance) || is_own(target, instance) ||
            (masked && (transformed->mask & query->mask) == 0)) {
            continue;
        }
        for (uint32_t prim = 0; prim < transformed->tree->prim_count; prim++) {
            sl_triangle_d triangle;
            if (sl_bvh_triangle(scene, (sl_triangle_ref){ instance, prim }, triangle.v) &&
                !(masked && (sli_tree_mask(transformed->tree, prim) & query->mask) == 0) &&
                sl_segment_d_triangle(&segment, &triangle, &options, NULL)) {
                return false;
            }
        }
    }
    return true;
}
