/* Rays along an axis, through the vertices and edges of a lattice: many triangles are met at one t,
 * and the lowest number is the answer, in whatever order a batch comes by them. */
#include "bvh/kernel/kernel.h"
#include "test/support/test.h"

enum { SEED = 20261122, SIDE = 5, SQUARES = 3 * SIDE * (SIDE - 1) * (SIDE - 1), COUNT = 600 };

/* The squares between whole numbers below SIDE, two triangles each, numbered in any order. */
static sl_bvh *lattice(test_random *random, sl_mesh **mesh)
{
    static float xyz[SIDE * SIDE * SIDE][3];
    static uint32_t corners[2 * SQUARES][3];
    const uint32_t step[3] = { 1, SIDE, SIDE * SIDE };
    uint32_t count = 0;
    for (uint32_t i = 0; i < SIDE * SIDE * SIDE; i++) {
        for (int axis = 0; axis < 3; axis++) {
            xyz[i][axis] = (float)(i / step[axis] % SIDE);
        }
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t a = (uint32_t)(axis + 1) % 3, b = (uint32_t)(axis + 2) % 3;
            if (i / step[a] % SIDE < SIDE - 1 && i / step[b] % SIDE < SIDE - 1) {
                const uint32_t square[6] = { i, i + step[a],           i + step[a] + step[b],
                                             i, i + step[a] + step[b], i + step[b] };
                memcpy(corners[count], square, sizeof square);
                count += 2;
            }
        }
    }
    assert_int_equal(count, 2 * SQUARES);
    for (uint32_t i = count - 1; i > 0; i--) {
        const uint32_t other = test_random_below(random, i + 1);
        uint32_t kept[3];
        memcpy(kept, corners[i], sizeof kept);
        memcpy(corners[i], corners[other], sizeof kept);
        memcpy(corners[other], kept, sizeof kept);
    }
    *mesh = made_mesh(xyz[0], SIDE * SIDE * SIDE, corners, count, NULL);
    return made_bvh(*mesh, NULL);
}

/* Through vertices and edges or beside them, at unit speed or not, with limits at walls. */
static sl_ray ray_along_axis(test_random *random, int i)
{
    const float speeds[5] = { 1, 1, 0.5f, 3, 0x1p-120f };
    const float speed = speeds[i % 5];
    const uint32_t axis = test_random_below(random, 3);
    sl_ray ray = { .tmax = INFINITY };
    for (uint32_t k = 0; k < 3; k++) {
        const float offsets[4] = { 0, 0, 0.25f, 0x1p-21f };
        ray.origin[k] =
            (float)test_random_below(random, SIDE) + offsets[test_random_below(random, 4)];
    }
    ray.dir[axis] = test_random_below(random, 2) == 0 ? speed : -speed;
    ray.tmin = (float)((int)test_random_below(random, 5) - 2) / speed;
    if (test_random_below(random, 3) == 0) {
        ray.tmax = fmaxf(ray.tmin, (float)test_random_below(random, 4) / speed);
    }
    return ray;
}

/* Every hit, and of those the first. */
static sl_hit first_of_all(const sl_bvh *bvh, const sl_ray *ray, const sl_options *options)
{
    static sl_hit hits[2 * SQUARES];
    sl_hit first = { .t = ray->tmax, .prim = SL_NONE };
    const size_t count = sl_bvh_all(bvh, ray, options, hits, 2 * SQUARES);
    for (size_t i = 0; i < count; i++) {
        if (first.prim == SL_NONE || hits[i].t < first.t ||
            (hits[i].t == first.t && hits[i].prim < first.prim)) {
            first = hits[i];
        }
    }
    return first;
}

TEST(the_first_of_all_hits_is_the_closest)
{
    static sl_ray rays[COUNT];
    static sl_item_options options[COUNT];
    static sl_triangle_ref skips[COUNT];
    static sl_hit together[COUNT];
    test_random random = { SEED };
    OWN(sl_mesh) mesh = NULL;
    OWN(sl_bvh) bvh = lattice(&random, &mesh);
    for (int i = 0; i < COUNT; i++) {
        rays[i] = ray_along_axis(&random, i);
    }
    const sl_options queries[4] = {
        { .flags = 0 }, { .cull = SL_CULL_BACK }, { .flags = SL_CROSSINGS }, { .items = options }
    };
    for (int q = 0; q < 4; q++) {
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            bvh->kernels = sli_kernels_at(k);
            sl_bvh_closest_many(bvh, sl_rays_of(rays, COUNT), &queries[q], sl_hits_of(together),
                                NULL, NULL);
            for (int i = 0; i < COUNT; i++) {
                sl_options one = queries[q];
                one.items = one.items != NULL ? &options[i] : NULL;
                const sl_hit first = first_of_all(bvh, &rays[i], &one);
                assert_memory_equal(&first, &together[i], sizeof first);
            }
        }
        for (int i = 0; q == 0 && i < COUNT; i++) { /* the answers are skipped later */
            skips[i].prim = together[i].prim;
            options[i] = (sl_item_options){ .skip = &skips[i], .skip_count = 1 };
        }
    }
}

/* Of the six triangles around a vertex in the wall that is met. */
TEST(few_of_those_at_one_t_are_decided)
{
    static sl_ray rays[COUNT];
    static sl_hit hits[COUNT];
    test_random random = { SEED };
    OWN(sl_mesh) mesh = NULL;
    OWN(sl_bvh) bvh = lattice(&random, &mesh);
    for (int i = 0; i < COUNT; i++) {
        rays[i] = (sl_ray){ .origin = { 0.5f, (float)(1 + i % 3), (float)(1 + i / 3 % 3) },
                            .dir = { 1, 0, 0 },
                            .tmax = INFINITY };
    }
    if (strcmp(bvh->kernels->name, "avx512") == 0 || strcmp(bvh->kernels->name, "avx2") == 0) {
        sl_stats stats = { .rays = 0 };
        sl_bvh_closest_many(bvh, sl_rays_of(rays, COUNT), NULL, sl_hits_of(hits), NULL, &stats);
        assert_int_equal(stats.exact_stage, 0);
        assert_in_range(stats.double_stage, COUNT, 4 * COUNT);
    }
}
