/* Single rays: whatever floats and doubles decide of them is what a test of every triangle in turn
 * says. */
#include "bvh/tree/tree.h"
#include "test/support/input/moved.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261122, RAYS = 400, SCENES = 3 };

/* Coordinates times 2^k: out of the range of float filters, out of that of limits in floats,
 * within. */
static const int powers[] = { -44, -36, -28, -20, 0, 20, 36 };

typedef struct scene {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_soup soup;
} scene;

static scene scene_open(int i, float scale)
{
    sl_mesh *mesh = NULL;
    scene s = { .mesh = NULL };
    if (i == 0) {
        mesh = made_grid(16, 16, 3, 1);
    } else if (i == 1) {
        mesh = made_torus(16, 12, 3, 1);
    } else {
        mesh = made_soup(500, 0.4f, 5);
    }
    s.mesh = test_mesh_moved(mesh, scale, 0);
    s.bvh = made_bvh(s.mesh, NULL);
    s.soup = sl_mesh_soup(s.mesh);
    return s;
}

static void scene_close(scene *s)
{
    unmake_bvh(s->bvh, s->mesh);
}

/* A point of the surface, as far as floats go. */
static void surface_point(const scene *s, test_random *random, float point[3])
{
    const uint32_t prim = test_random_below(random, (uint32_t)sl_mesh_soup(s->mesh).triangle_count);
    sl_triangle at;
    assert_true(sli_tree_triangle(s->bvh, prim, &at));
    const float a = test_random_in(random, 0, 1), b = test_random_in(random, 0, 1 - a);
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = at.v[0][axis] + a * (at.v[1][axis] - at.v[0][axis]) +
                      b * (at.v[2][axis] - at.v[0][axis]);
    }
}

/* The ray begins or ends at t, or one step beside it. */
static void limit_at(sl_ray *ray, float t, test_random *random)
{
    const float ends[3] = { nextafterf(t, -INFINITY), t, nextafterf(t, INFINITY) };
    float *limit = test_random_below(random, 2) == 0 ? &ray->tmin : &ray->tmax;
    *limit = ends[test_random_below(random, 3)];
}

/* From the surface towards the surface, or along an axis; some end at a hit or one step beside it.
 */
static sl_ray leaving_ray(const scene *s, test_random *random, float scale)
{
    float from[3], to[3], dir[3];
    surface_point(s, random, from);
    surface_point(s, random, to);
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = to[axis] - from[axis];
    }
    if (test_random_below(random, 4) == 0) {
        memset(dir, 0, sizeof dir);
        dir[test_random_below(random, 3)] = scale;
    }
    sl_ray ray = sl_ray_make(from, dir);
    sl_hit hits[4];
    const size_t total = sl_soup_all(&s->soup, &ray, NULL, hits, 4);
    if (total > 0 && test_random_below(random, 2) == 0) {
        const float t = hits[test_random_below(random, (uint32_t)(total < 4 ? total : 4))].t;
        limit_at(&ray, t, random);
    }
    return ray;
}

static void compare(const scene *s, const sl_ray *ray, const sl_options *options)
{
    sl_hit truth = { .t = 0 }, hit;
    const bool found = sl_soup_all(&s->soup, ray, options, &truth, 1) > 0;
    assert_int_equal(sl_bvh_any(s->bvh, ray, options), found);
    assert_int_equal(sl_bvh_closest(s->bvh, ray, options, &hit), found);
    assert_true(!found || memcmp(&hit, &truth, sizeof hit) == 0);
    assert_true(found || (hit.prim == SL_NONE && (hit.t == ray->tmax || isnan(ray->tmax))));

    sl_segment segment;
    memcpy(segment.p, ray->origin, sizeof segment.p);
    for (int axis = 0; axis < 3; axis++) {
        segment.q[axis] = ray->origin[axis] + ray->dir[axis];
    }
    const bool occluded = sl_soup_all_segment(&s->soup, &segment, options, &truth, 1) > 0;
    assert_int_equal(sl_bvh_occluded(s->bvh, segment.p, segment.q, options), occluded);
    assert_int_equal(closest_of_one(s->bvh, sl_segments_of(&segment, 1), options, sl_hits_of(&hit)),
                     occluded);
    assert_true(!occluded || memcmp(&hit, &truth, sizeof hit) == 0);
}

TEST(rays_that_leave_a_surface_agree_with_every_triangle_in_turn)
{
    test_random random = { SEED };
    for (int i = 0; i < SCENES; i++) {
        for (size_t k = 0; k < sizeof powers / sizeof powers[0]; k++) {
            const float scale = ldexpf(1, powers[k]);
            UNDONE(scene_close) scene s = scene_open(i, scale);
            for (size_t ray = 0; ray < RAYS * test_scale(); ray++) {
                const sl_ray r = leaving_ray(&s, &random, scale);
                const sl_options queries[] = {
                    { .flags = 0 },
                    { .flags = SL_CROSSINGS },
                    { .cull = SL_CULL_BACK },
                    { .cull = SL_CULL_FRONT },
                    { .flags = SL_OPEN_START | SL_OPEN_END },
                    { .skip = (sl_triangle_ref[]){ { 0, (uint32_t)ray % 100 }, { 0, 7 } },
                      .skip_count = 2 },
                };
                const size_t some = ray % (sizeof queries / sizeof queries[0]);
                compare(&s, &r, &queries[some]);
                compare(&s, &r, NULL);
            }
        }
    }
}

/* Floats bound t by how far apart the corners are along the ray's largest axis, and by a rounding
 * of their own, which is all that is left of the bound here. */
TEST(limits_one_step_from_triangles_that_are_nearly_across_an_axis)
{
    test_random random = { SEED + 3 };
    for (size_t k = 0; k < 100 * test_scale(); k++) {
        float xyz[3][3], from[3], z = test_random_in(&random, -1, 1);
        for (int corner = 0; corner < 3; corner++) {
            xyz[corner][0] = test_random_in(&random, -1, 1);
            xyz[corner][1] = test_random_in(&random, -1, 1);
            xyz[corner][2] = z;
            z = nextafterf(z, INFINITY);
        }
        scene s = { .mesh = made_loose_mesh(xyz, 3, NULL, 1) };
        s.bvh = made_bvh(s.mesh, NULL);
        s.soup = sl_mesh_soup(s.mesh);
        for (int i = 0; i < 20; i++) {
            const float dir[3] = { test_random_in(&random, -0.9f, 0.9f),
                                   test_random_in(&random, -0.9f, 0.9f), 1 };
            surface_point(&s, &random, from);
            const float back = test_random_in(&random, 0.1f, 4);
            for (int axis = 0; axis < 3; axis++) {
                from[axis] -= back * dir[axis];
            }
            sl_ray ray = sl_ray_make(from, dir);
            sl_hit hit;
            if (sl_soup_all(&s.soup, &ray, NULL, &hit, 1) > 0) {
                limit_at(&ray, hit.t, &random);
                compare(&s, &ray, NULL);
            }
        }
        scene_close(&s);
    }
}

TEST(directions_of_any_length_and_limits_of_any_sign_agree_too)
{
    /* On both sides of where preparation in floats gives up, and beyond what scales are normal. */
    static const int lengths[] = { -140, -120, -60, -41, -39, -37, 0, 60, 97, 103, 124 };
    const size_t length_count = sizeof lengths / sizeof lengths[0];
    test_random random = { SEED + 2 };
    for (int i = 0; i < SCENES; i++) {
        UNDONE(scene_close) scene s = scene_open(i, 1);
        for (size_t k = 0; k < 4 * RAYS * test_scale(); k++) {
            const int length = lengths[k % length_count];
            sl_ray ray = leaving_ray(&s, &random, 1);
            for (int axis = 0; axis < 3; axis++) {
                ray.dir[axis] = ldexpf(ray.dir[axis], length);
                ray.dir[axis] = test_random_below(&random, 8) == 0 ? -0.0f : ray.dir[axis];
            }
            ray.tmin = ldexpf(ray.tmin, -length);
            ray.tmax = ldexpf(ray.tmax, -length);
            const float starts[] = { ray.tmin, -0.0f, -ldexpf(1, -length), -INFINITY };
            ray.tmin = starts[test_random_below(&random, 4)];
            compare(&s, &ray, NULL);
        }
    }
}

TEST(who_counts_gets_the_same_answers_and_every_triangle_in_one_stage)
{
    test_random random = { SEED + 1 };
    for (int i = 0; i < SCENES; i++) {
        UNDONE(scene_close) scene s = scene_open(i, 1);
        sl_stats stats = { .rays = 0 };
        for (int k = 0; k < RAYS; k++) {
            const sl_ray ray = leaving_ray(&s, &random, 1);
            sl_hit hit, other;
            const sl_rays one = sl_rays_of(&ray, 1);
            const bool found = sl_bvh_closest(s.bvh, &ray, NULL, &hit);
            assert_int_equal(found, hit.prim != SL_NONE);
            sl_bvh_closest_many(s.bvh, one, NULL, sl_hits_of(&other), NULL, &stats);
            assert_memory_equal(&hit, &other, sizeof hit);
            assert_int_equal(sl_bvh_any(s.bvh, &ray, NULL), any_of_one(s.bvh, one, NULL, &stats));
        }
        assert_int_equal(stats.rays, 2 * RAYS);
        assert_true(stats.float_stage > 0 && stats.double_stage > 0);
        assert_int_equal(stats.float_stage + stats.double_stage + stats.exact_stage,
                         stats.triangles);
    }
}
