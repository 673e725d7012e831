/* Batches of rays in doubles over one tree, which are walked from their own origins where these are
 * near it (instance/to_local8.inl): from origins that are no floats, far from the world's origin,
 * where a step of floats is a good part of a triangle, to corners, sides and insides, with limits
 * before and behind what they aim at.  Against one ray at a time, by every kernel.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds. */
#include "bvh/kernel/kernel.h"
#include "bvh/tree/tree.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { TRIANGLES = 150, ITEMS = 400, SEED = 20261128 };

typedef struct answers {
    sl_hit_d closest[ITEMS];
    uint8_t any[ITEMS];
    uint64_t totals[ITEMS];
} answers;

/* Small triangles within a cube; every third one lies across an axis, in a box without a height. */
static sl_bvh *make_tree(double middle, test_random *random)
{
    static float xyz[TRIANGLES][3][3];
    static uint32_t indices[3 * TRIANGLES];
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        float centre[3];
        for (int axis = 0; axis < 3; axis++) {
            centre[axis] = (float)middle + test_random_in(random, -1, 1);
        }
        for (int k = 0; k < 9; k++) {
            const bool flat = i % 3 == 0 && k % 3 == (int)(i / 3 % 3);
            xyz[i][k / 3][k % 3] = centre[k % 3] + (flat ? 0 : test_random_in(random, -0.2f, 0.2f));
        }
        for (uint32_t k = 0; k < 3; k++) {
            indices[3 * i + k] = 3 * i + k;
        }
    }
    return made_bvh_alone(made_mesh(&xyz[0][0][0], 3 * (size_t)TRIANGLES, indices, TRIANGLES, NULL),
                          NULL);
}

/* t is 1 at a point of a triangle. */
static void draw(const sl_bvh *tree, double middle, bool far, test_random *random, sl_ray_d *ray)
{
    static const double tmins[] = { 0, 0, 0, 1, 1 + 0x1p-40, 0.7, 1.3, -2, 1e300 };
    static const double tmaxs[] = { INFINITY, INFINITY, 1, 1 - 0x1p-40, 2 };
    static const double sizes[] = { 1, 1, 1, 3, 20 };
    const double size = sizes[far ? test_random_below(random, 5) : 0];
    const uint32_t kind = test_random_below(random, 3);
    const double b = kind == 0 ? 0 : (double)test_random_unit(random) * 0.5;
    const double c = kind < 2 ? 0 : (double)test_random_unit(random) * 0.5;
    double v[3][3];
    assert_true(sl_bvh_triangle(
        tree, (sl_triangle_ref){ .prim = test_random_below(random, TRIANGLES) }, v));
    for (int axis = 0; axis < 3; axis++) {
        const double to = (1 - b - c) * v[0][axis] + b * v[1][axis] + c * v[2][axis];
        const double fine = 0x1p-26 * (double)test_random_in(random, -1, 1);
        ray->origin[axis] = middle + size * (double)test_random_in(random, -1, 1) + fine;
        ray->dir[axis] = to - ray->origin[axis];
    }
    ray->tmin = tmins[test_random_below(random, sizeof tmins / sizeof *tmins)];
    ray->tmax = tmaxs[test_random_below(random, sizeof tmaxs / sizeof *tmaxs)];
}

static void ask(const sl_bvh *tree, sl_rays rays, answers *out, sl_stats *stats)
{
    sl_bvh_closest_many(tree, rays, NULL, sl_hits_of_d(out->closest), NULL, stats);
    sl_bvh_any_many(tree, rays, NULL, out->any, NULL, NULL, stats);
    sl_bvh_all_many(tree, rays, NULL, sl_hits_of_d(NULL), 0, out->totals, NULL, stats);
}

static size_t count_wrong(sl_bvh *tree, const sl_ray_d *rays, uint64_t *hits)
{
    static answers one, many;
    size_t wrong = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        one.any[i] = sl_bvh_closest_d(tree, &rays[i], NULL, &one.closest[i]);
        one.totals[i] =
            all_of_one(tree, sl_rays_of_d(&rays[i], 1), NULL, sl_hits_of_d(NULL), 0, NULL);
        *hits += one.any[i];
    }
    const sli_kernels *kernels, *own = tree->kernels;
    for (int k = 0; (kernels = sli_kernels_at(k)) != NULL; k++) {
        sl_stats stats = { .rays = 0 };
        tree->kernels = kernels;
        ask(tree, sl_rays_of_d(rays, ITEMS), &many, &stats);
        for (size_t i = 0; i < ITEMS; i++) {
            wrong += memcmp(&one.closest[i], &many.closest[i], sizeof one.closest[i]) != 0;
            wrong += one.any[i] != many.any[i];
            wrong += one.totals[i] != many.totals[i];
        }
    }
    tree->kernels = own;
    return wrong;
}

TEST(rays_from_origins_between_floats_meet_what_they_aim_at)
{
    static const double middles[] = { 0, 3, 1000, 60000 };
    const uint64_t worlds = test_is_brief() ? 8 : 60 * (uint64_t)test_scale();
    uint64_t hits = 0;
    for (uint64_t world = 0; world < worlds; world++) {
        test_random random = { test_seed(SEED) + world };
        const double middle = middles[world % 4];
        OWN(sl_bvh) tree = make_tree(middle, &random);
        static sl_ray_d rays[ITEMS];
        for (size_t i = 0; i < ITEMS; i++) {
            /* Eights that are near and look ahead are walked from their origins. */
            draw(tree, middle, i / 8 % 4 == 0, &random, &rays[i]);
            rays[i].tmin = i / 8 % 4 > 1 ? fabs(rays[i].tmin) : rays[i].tmin;
        }
        assert_int_equal(count_wrong(tree, rays, &hits), 0);
    }
    assert_true(hits > 100 * worlds);
}
