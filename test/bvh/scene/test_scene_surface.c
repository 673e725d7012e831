/* Where hits of scenes lie: origins next to them are strictly in front of and strictly behind the
 * triangle, by exact arithmetic, on the sides that hits name, however the instance is mirrored and
 * however far away it is; rays from there that leave it do not meet it again; the point is as near
 * as is said; an identity place gives the tree's own answers. */
#include "test/support/input/solids.h"
#include "test/support/input/world.h"
#include "test/support/oracle/brute_force.h"
#include "test/support/test.h"

enum { SEED = 20261126, RAYS = 1500, LEAVING = 8 };

static sl_ray_d random_ray(const sl_bvh *scene, test_random *random)
{
    const sl_aabb_d bounds = sl_bvh_bounds(scene);
    sl_ray_d ray = { .tmax = INFINITY };
    for (int axis = 0; axis < 3; axis++) {
        const double size = bounds.max[axis] - bounds.min[axis];
        ray.origin[axis] = bounds.min[axis] + size * test_random_unit_d(random);
        ray.dir[axis] = bounds.min[axis] + size * test_random_unit_d(random) - ray.origin[axis];
    }
    return ray;
}

/* By the oracle. */
static bool meets_again(const double v[3][3], const double origin[3], const double dir[3])
{
    const oracle_line line = { .valid = true,
                               .origin = { origin[0], origin[1], origin[2] },
                               .dir = { dir[0], dir[1], dir[2] },
                               .tmax = INFINITY };
    return oracle_corners(&line, v, SL_CULL_NONE).hit;
}

/* An origin on a side of the plane (1: where corners run counter-clockwise); at the ends of the
 * floats it may be the point. */
static void check_origin(const double v[3][3], const double origin[3], const double point[3],
                         int side, test_random *random)
{
    if (oracle_orient3d(v[0], v[1], v[2], origin) != side) {
        bool at_the_end = false;
        for (int axis = 0; axis < 3; axis++) {
            at_the_end = at_the_end || fabs(point[axis]) == (double)FLT_MAX;
        }
        assert_true(at_the_end);
        assert_memory_equal(origin, point, 3 * sizeof *point);
        return;
    }
    double e1[3], e2[3], n[3];
    for (int axis = 0; axis < 3; axis++) {
        e1[axis] = v[1][axis] - v[0][axis];
        e2[axis] = v[2][axis] - v[0][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        n[axis] = side * (e1[j] * e2[k] - e1[k] * e2[j]);
    }
    const double size = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2])));
    for (int i = 0; i < LEAVING; i++) {
        double dir[3], along = 0;
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = test_random_unit_d(random) - 0.5;
            along += dir[axis] * (n[axis] / size);
        }
        if (along > 1e-9) {
            assert_false(meets_again(v, origin, dir));
        }
    }
}

/* The point against v0 + u e1 + v e2 in long doubles, where weights may be off by half a step. */
static void check_point(const double v[3][3], double u, double w, const double point[3],
                        double error)
{
    for (int axis = 0; axis < 3; axis++) {
        const long double o = v[0][axis];
        const long double along_u = ((long double)v[1][axis] - o) * (long double)u;
        const long double along_v = ((long double)v[2][axis] - o) * (long double)w;
        const long double off = fabsl(o + along_u + along_v - (long double)point[axis]) +
                                (fabsl(along_u) + fabsl(along_v)) * 0x1p-25L;
        assert_true(off <= (long double)error * (1 + 0x1p-20L));
    }
}

/* The normal is across the sides, of unit length, and against the ray where it met the front. */
static void check_normal(const double v[3][3], const double normal[3], const double dir[3],
                         uint32_t flags)
{
    double along = 0, square = 0, dot = 0, reach = 0;
    for (int axis = 0; axis < 3; axis++) {
        square += normal[axis] * normal[axis];
        along += normal[axis] * (v[1][axis] - v[0][axis]);
        reach = fmax(reach, fabs(v[1][axis] - v[0][axis]));
        dot += normal[axis] * (dir[axis] / fmax(fabs(dir[0]), fmax(fabs(dir[1]), fabs(dir[2]))));
    }
    assert_true(fabs(square - 1) < 1e-6);
    assert_true(fabs(along) <= reach * 1e-6);
    if (fabs(dot) > 1e-5) {
        assert_int_equal(dot > 0, (flags & SL_HIT_BACK) != 0);
    }
}

/* In the order that has the object's front for its front. */
static void corners_of(const sl_bvh *scene, uint32_t instance, uint32_t prim, bool mirrored,
                       double v[3][3])
{
    double corners[3][3];
    const sl_triangle_ref ref = { .instance = instance, .prim = prim };
    assert_true(sl_bvh_triangle(scene, ref, corners));
    memcpy(v[0], corners[0], sizeof v[0]);
    memcpy(v[1], corners[mirrored ? 2 : 1], sizeof v[1]);
    memcpy(v[2], corners[mirrored ? 1 : 2], sizeof v[2]);
}

/* Front as the hit says it: the sign of the direction against the corners in their order. */
static bool is_mirrored(const sl_bvh *scene, const sl_hit_d *hit, const double dir[3])
{
    double v[3][3];
    corners_of(scene, hit->instance, hit->prim, false, v);
    const oracle_line line = { .valid = true,
                               .origin = { 0, 0, 0 },
                               .dir = { dir[0], dir[1], dir[2] },
                               .tmin = -INFINITY,
                               .tmax = INFINITY };
    const int determinant = oracle_corners(&line, (const double(*)[3])v, SL_CULL_NONE).determinant;
    return (determinant > 0) != ((hit->flags & SL_HIT_BACK) == 0);
}

TEST(origins_are_beside_the_triangle)
{
    size_t hits = 0, mirrors = 0;
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        test_random random = { SEED + (uint64_t)kind };
        UNDONE(world_destroy) world_case world;
        world_make(&world, (world_kind)kind, 30, kind % 2 == 0, &random);
        for (int i = 0; i < RAYS; i++) {
            const sl_ray_d ray = random_ray(world.scene, &random);
            sl_hit_d hit;
            sl_surface at;
            if (!sl_bvh_closest_d(world.scene, &ray, NULL, &hit)) {
                assert_false(sl_bvh_surface(world.scene,
                                            (sl_triangle_ref){ hit.instance, hit.prim }, hit.u,
                                            hit.v, SL_DOUBLE, &at));
                continue;
            }
            double v[3][3];
            const sl_triangle_ref triangle = { hit.instance, hit.prim };
            const bool mirrored = is_mirrored(world.scene, &hit, ray.dir);
            const double(*c)[3] = (const double(*)[3])v;
            const double u = (double)(mirrored ? hit.v : hit.u);
            const double w = (double)(mirrored ? hit.u : hit.v);
            corners_of(world.scene, hit.instance, hit.prim, mirrored, v);
            for (int number = SL_FLOAT; number <= SL_DOUBLE; number++) {
                assert_true(
                    sl_bvh_surface(world.scene, triangle, hit.u, hit.v, (sl_number)number, &at));
                check_point(c, u, w, at.point, at.error);
                check_normal(c, at.normal, ray.dir, hit.flags);
                check_origin(c, at.front_origin, at.point, 1, &random);
                check_origin(c, at.back_origin, at.point, -1, &random);
                for (int axis = 0; axis < 3 && number == SL_FLOAT; axis++) {
                    assert_true((double)(float)at.point[axis] == at.point[axis]);
                    assert_true((double)(float)at.front_origin[axis] == at.front_origin[axis]);
                    assert_true((double)(float)at.back_origin[axis] == at.back_origin[axis]);
                }
            }
            hits++;
            mirrors += mirrored;
        }
    }
    assert_true(hits > RAYS && mirrors > 100);
}

TEST(an_identity_place_has_the_surface_of_its_tree)
{
    for (int kind = 0; kind < SOLID_KINDS; kind++) {
        OWN(sl_bvh) bvh = made_bvh_alone(solid_make((solid_kind)kind), NULL);
        const sl_instance one = sl_instance_of(bvh);
        OWN(sl_bvh) scene = made_scene(&one, 1, NULL);
        test_random random = { SEED };
        for (int i = 0; i < RAYS; i++) {
            const sl_ray_d wide = random_ray(scene, &random);
            sl_ray ray = { .tmax = INFINITY };
            sl_hit hit;
            sl_surface of_tree, of_scene;
            for (int axis = 0; axis < 3; axis++) {
                ray.origin[axis] = (float)wide.origin[axis];
                ray.dir[axis] = (float)wide.dir[axis];
            }
            if (sl_bvh_closest(bvh, &ray, NULL, &hit)) {
                const sl_triangle_ref triangle = { hit.instance, hit.prim };
                assert_true(sl_bvh_surface(bvh, triangle, hit.u, hit.v, SL_FLOAT, &of_tree));
                assert_true(sl_bvh_surface(scene, triangle, hit.u, hit.v, SL_FLOAT, &of_scene));
                assert_memory_equal(&of_tree, &of_scene, sizeof of_tree);
            }
        }
    }
}

TEST(what_is_not_there_has_no_surface)
{
    test_random random = { SEED };
    UNDONE(world_destroy) world_case world;
    sl_surface at, before;
    world_make(&world, WORLD_PLAIN, 3, false, &random);
    memset(&at, 0x55, sizeof at);
    before = at;
    const sl_hit bad[] = { { .prim = SL_NONE },
                           { .prim = 1u << 30 },
                           { .instance = 1000 },
                           { .instance = SL_NONE },
                           { .u = NAN } };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(sl_bvh_surface(world.scene, (sl_triangle_ref){ bad[i].instance, bad[i].prim },
                                    bad[i].u, bad[i].v, SL_FLOAT, &at));
        assert_memory_equal(&at, &before, sizeof at);
    }
}
