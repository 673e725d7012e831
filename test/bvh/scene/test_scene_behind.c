/* Batches of closest hits among triangles of one leaf that lie just behind one another, or cross:
 * floats drop what surely lies behind something that is hit (filter/tri_leaves_behind.inl), which
 * may be neither a triangle that is nearer by less than they can tell, nor one as near, when t is
 * rounded, of a lower number.  Against one ray at a time, by every kernel, in places of all kinds,
 * from near by and from so far that t does not tell the sides apart.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds. */
#include "bvh/scene/scene.h"
#include "test/support/input/world.h"
#include "test/support/test.h"

enum { GROUPS = 40, TOGETHER = 4, TRIANGLES = GROUPS * TOGETHER, ITEMS = 400, INSTANCES = 3 };
enum { SEED = 20261123 };

/* Four triangles each, of which the others are the first but for 2^-1 to 2^-24 of its size. */
static sl_bvh *make_tree(test_random *random)
{
    static float xyz[TRIANGLES][3][3];
    static uint32_t indices[3 * TRIANGLES];
    for (uint32_t group = 0; group < GROUPS; group++) {
        const float apart = ldexpf(1, -1 - (int)test_random_below(random, 24));
        const float centre[3] = { 8 * (float)(group % 4), 8 * (float)(group / 4 % 4),
                                  8 * (float)(group / 16) };
        float first[3][3];
        for (int i = 0; i < 9; i++) {
            first[i / 3][i % 3] = centre[i % 3] + test_random_in(random, -1, 1);
        }
        for (uint32_t i = 0; i < TOGETHER * 9; i++) {
            const float off = i < 9 ? 0 : apart * test_random_in(random, -1, 1);
            xyz[group + GROUPS * (i / 9)][i / 3 % 3][i % 3] = first[i / 3 % 3][i % 3] + off;
        }
    }
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        indices[i] = i;
    }
    return made_bvh_alone(made_mesh(&xyz[0][0][0], 3 * (size_t)TRIANGLES, indices, TRIANGLES, NULL),
                          NULL);
}

/* A ray to a point of a triangle, from 2 to 10^6 times its size away. */
static void draw(const sl_bvh *scene, test_random *random, sl_ray *ray)
{
    static const double far[] = { 2, 30, 1e3, 1e6 };
    const sl_triangle_ref triangle = { .instance = test_random_below(random, INSTANCES),
                                       .prim = test_random_below(random, TRIANGLES) };
    const double b = (double)test_random_unit(random) * 0.5;
    const double c = (double)test_random_unit(random) * 0.5;
    double v[3][3], size = 0;
    assert_true(sl_bvh_triangle(scene, triangle, v));
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, fmax(fabs(v[1][axis] - v[0][axis]), fabs(v[2][axis] - v[0][axis])));
    }
    size *= far[test_random_below(random, 4)];
    for (int axis = 0; axis < 3; axis++) {
        const double to = (1 - b - c) * v[0][axis] + b * v[1][axis] + c * v[2][axis];
        ray->origin[axis] = (float)(to + size * (double)test_random_in(random, -1, 1));
        ray->dir[axis] = (float)(to - (double)ray->origin[axis]);
    }
    ray->tmin = 0;
    ray->tmax = test_random_below(random, 8) == 0 ? 1 : INFINITY;
}

/* Hits that are not those of single calls. */
static size_t count_wrong(sl_bvh *scene, const sl_ray *rays, uint64_t *hits, uint64_t *doubles)
{
    static sl_hit one[ITEMS], many[ITEMS];
    static sl_hit_d one_d[ITEMS], many_d[ITEMS];
    static sl_ray_d rays_d[ITEMS];
    size_t wrong = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        rays_d[i] = sl_ray_d_from_ray(&rays[i]);
        *hits += sl_bvh_closest(scene, &rays[i], NULL, &one[i]);
        (void)sl_bvh_closest_d(scene, &rays_d[i], NULL, &one_d[i]);
    }
    const sli_kernels *kernels, *own = scene->kernels;
    for (int k = 0; (kernels = sli_kernels_at(k)) != NULL; k++) {
        sl_stats stats = { .rays = 0 };
        scene->kernels = kernels;
        sl_bvh_closest_many(scene, sl_rays_of(rays, ITEMS), NULL, sl_hits_of(many), NULL, &stats);
        sl_bvh_closest_many(scene, sl_rays_of_d(rays_d, ITEMS), NULL, sl_hits_of_d(many_d), NULL,
                            &stats);
        for (size_t i = 0; i < ITEMS; i++) {
            wrong += memcmp(&one[i], &many[i], sizeof one[i]) != 0;
            wrong += memcmp(&one_d[i], &many_d[i], sizeof one_d[i]) != 0;
        }
        *doubles += stats.triangles - stats.float_stage;
    }
    scene->kernels = own;
    return wrong;
}

TEST(triangles_behind_others_are_dropped_rightly)
{
    const uint64_t worlds = test_is_brief() ? 8 : 60 * (uint64_t)test_scale();
    uint64_t hits = 0, doubles = 0;
    for (uint64_t world = 0; world < worlds * WORLD_KINDS; world++) {
        test_random random = { test_seed(SEED) + world };
        OWN(sl_bvh) tree = make_tree(&random);
        sl_instance instances[INSTANCES];
        sl_ray rays[ITEMS];
        sl_instances_def def = (sl_instances_def){ 0 };
        for (size_t i = 0; i < INSTANCES; i++) {
            instances[i] = world_instance(tree, (world_kind)(world % WORLD_KINDS), i, &random);
        }
        OWN(sl_bvh) scene = made_scene(instances, INSTANCES, &def);
        for (size_t i = 0; i < ITEMS; i++) {
            draw(scene, &random, &rays[i]);
        }
        assert_int_equal(count_wrong(scene, rays, &hits, &doubles), 0);
    }
    assert_true(hits > 100 * worlds && doubles > 0);
}
