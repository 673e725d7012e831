/* Batches of closest hits where several are equally near: the lowest number wins, where the hit is
 * at the ray's own limit, too, and along axes. */
#include "bvh/kernel/kernel.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261126, BATCH = 64 };

static sl_bvh *build(const float *xyz, size_t triangles)
{
    return made_bvh_alone(made_mesh(xyz, 3 * triangles, NULL, triangles, NULL), NULL);
}

/* Two triangles share an edge that the ray meets exactly at tmax; they are in different leaves, and
 * rounding lets the ray enter that of the lower number a little behind tmax. */
TEST(at_the_limit_too)
{
    static const float triangles[12][9] = {
        { -0x1.ba83e2p+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f, -0x1.ba83ep+11f, 0x1.eb1aacp-15f,
          -0x1.c33e7ap+10f, -0x1.ba83e2p+11f, 0x1.eb1aacp-15f, -0x1.c33e7ap+10f },
        { -0x1.ba83e2p+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f, -0x1.ba83ep+11f, 0x1.eb1aacp-15f,
          -0x1.c33e7ap+10f, -0x1.ba83e2p+11f, 0x1.eb1aacp-15f, -0x1.c33e7ap+10f },
        { -0x1.ba83ep+11f, 0x1.6872b2p-11f, -0x1.c33e6ap+10f, -0x1.ba83ep+11f, 0x1.916874p-11f,
          -0x1.c33e6ap+10f, -0x1.ba83ep+11f, 0x1.916874p-11f, -0x1.c33e6ap+10f },
        { -0x1.ba83ep+11f, 0x1.6872b2p-11f, -0x1.c33e6ap+10f, -0x1.ba83ep+11f, 0x1.6872b2p-11f,
          -0x1.c33e6ap+10f, -0x1.ba83ep+11f, 0x1.916874p-11f, -0x1.c33e6ap+10f },
        { -0x1.ba83ep+11f, 0x1.6872b2p-11f, -0x1.c33e6ap+10f, -0x1.ba83ep+11f, 0x1.916874p-11f,
          -0x1.c33e6ap+10f, -0x1.ba83ep+11f, 0x1.916874p-11f, -0x1.c33e6ap+10f },
        { -0x1.ba83e2p+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f, -0x1.ba83e2p+11f, 0x1.eb1aacp-15f,
          -0x1.c33e7ap+10f, -0x1.ba83e2p+11f, 0x1.eb1aacp-15f, -0x1.c33e7ap+10f },
        { -0x1.ba83e2p+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f, -0x1.ba83e2p+11f, 0x1.eb1aacp-15f,
          -0x1.c33e7ap+10f, -0x1.ba83e2p+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f },
        { -0x1.ba83ep+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f, -0x1.ba83ep+11f, 0x1.eb1aacp-15f,
          -0x1.c33e7ap+10f, -0x1.ba83ep+11f, 0x1.eb1aacp-15f, -0x1.c33e7ap+10f },
        { -0x1.ba83ep+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f, -0x1.ba83ep+11f, 0x1.eb1aacp-15f,
          -0x1.c33e7ap+10f, -0x1.ba83ep+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f },
        { -0x1.ba83e2p+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f, -0x1.ba83e2p+11f, 0x1.e5127p-18f,
          -0x1.c33e7ap+10f, -0x1.ba83ep+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f },
        { -0x1.ba83e2p+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f, -0x1.ba83ep+11f, 0x1.e5127p-18f,
          -0x1.c33e7ap+10f, -0x1.ba83ep+11f, 0x1.e5127p-18f, -0x1.c33e7ap+10f },
        { -0x1.ba83e2p+11f, 0x1.eb1aacp-15f, -0x1.c33e7ap+10f, -0x1.ba83e2p+11f, 0x1.eb1aacp-15f,
          -0x1.c33e7ap+10f, -0x1.ba83ep+11f, 0x1.eb1aacp-15f, -0x1.c33e7ap+10f },
    };
    static const sl_ray ray = { .origin = { -0x1.ba83fp+11f, -0x1.63d3f8p-10f, -0x1.c33e92p+10f },
                                .tmin = 0x0p+0f,
                                .dir = { 0x1.2p-9f, 0x1.c7d158p-10f, 0x1.ep-10f },
                                .tmax = 0x1.99999ap-1f };
    OWN(sl_bvh) bvh = build(triangles[0], 12);
    sl_hit expected[8];
    assert_true(sl_bvh_all(bvh, &ray, NULL, expected, 8) > 1);
    const sli_kernels *kernels;
    for (int i = 0; (kernels = sli_kernels_at(i)) != NULL; i++) {
        sl_ray rays[BATCH];
        sl_hit hits[BATCH];
        bvh->kernels = kernels;
        for (int k = 0; k < BATCH; k++) {
            rays[k] = ray;
        }
        for (size_t count = 1; count <= BATCH; count++) {
            sl_bvh_closest_many(bvh, sl_rays_of(rays, count), NULL, sl_hits_of(hits), NULL, NULL);
            for (size_t k = 0; k < count; k++) {
                assert_memory_equal(&hits[k], expected, sizeof *expected);
            }
        }
    }
}

/* Pairs of nearly the same triangle, each of which stands in the way of segments along an axis
 * whose lengths round to that of a unit vector. */
TEST(along_axes_of_segments)
{
    enum { PAIRS = 40 };
    test_random random = { test_seed(SEED) };
    const int rounds = test_is_brief() ? 20 : 1500 * (int)test_scale();
    size_t ties = 0;
    for (int round = 0; round < rounds; round++) {
        static float xyz[2 * PAIRS][9];
        static sl_segment segments[BATCH];
        const int axis = round % 3;
        for (int i = 0; i < 2 * PAIRS; i++) {
            for (int k = 0; k < 9; k++) {
                const float unit = test_random_unit(&random);
                xyz[i][k] = k % 3 == axis ? 0.25f + 0x1p-25f * (float)test_random_below(&random, 9)
                                          : 8 * unit - 4;
            }
        }
        for (int i = 0; i < BATCH; i++) {
            for (int k = 0; k < 3; k++) {
                const float x = 2 * test_random_unit(&random) - 1;
                segments[i].p[k] = segments[i].q[k] = x;
            }
            segments[i].p[axis] = -0x1p-3f * test_random_unit(&random);
            segments[i].q[axis] = segments[i].p[axis] + 1;
        }
        OWN(sl_bvh) bvh = build(xyz[0], 2 * PAIRS);
        const sli_kernels *kernels;
        for (int i = 0; (kernels = sli_kernels_at(i)) != NULL; i++) {
            sl_hit hits[BATCH];
            bvh->kernels = kernels;
            sl_bvh_closest_many(bvh, sl_segments_of(segments, BATCH), NULL, sl_hits_of(hits), NULL,
                                NULL);
            for (int k = 0; k < BATCH; k++) {
                sl_hit all[2];
                const size_t total = all_of_one(bvh, sl_segments_of(&segments[k], 1), NULL,
                                                sl_hits_of(all), 2, NULL);
                assert_int_equal(hits[k].prim, total > 0 ? all[0].prim : SL_NONE);
                ties += total > 1 && all[0].t == all[1].t;
            }
        }
    }
    assert_true(ties > 100);
}
