/* Instances that kernels make ready eight at a time have the bits of sli_transformed_make, on every
 * instruction set; and what is out of the ordinary is left to it. */
#include "bvh/kernel/kernel.h"
#include "bvh/tree/transformed.h"
#include "test/support/environment/needs.h"
#include "test/support/input/world.h"
#include "test/support/test.h"

enum { SEED = 20261127, ROUNDS = 400 };

static bool same_bits(const sli_transformed *a, const sli_transformed *b)
{
    const size_t numbers = offsetof(sli_transformed, tree); /* all before it, without padding */
    const size_t from = offsetof(sli_transformed, transform);
    const size_t rest = offsetof(sli_transformed, grid) + sizeof a->grid - from;
    return a->tree == b->tree && a->mirrored == b->mirrored && memcmp(a, b, numbers) == 0 &&
           memcmp((const char *)a + from, (const char *)b + from, rest) == 0;
}

/* Eight transforms of a kind; returns those that a kernel took, which have to be right. */
static uint32_t check_eight(const sli_kernels *kernels, const world_case *world, world_kind kind,
                            test_random *random)
{
    sl_instance instances[8];
    sli_transformed made[8];
    sli_transform8 eight;
    for (size_t i = 0; i < 8; i++) {
        instances[i] = world_instance(world->trees[i % WORLD_TREES], kind, i, random);
        if (test_random_below(random, 20) == 0) {
            static const double odd[] = { NAN, INFINITY, 0, 0x1p-1000, 0x1p127, 0x1p-130 };
            const uint32_t at = test_random_below(random, 12);
            instances[i].transform.m[at / 4][at % 4] = odd[test_random_below(random, 6)];
        }
        memset(&made[i], 0x55, sizeof made[i]);
        eight.tree[i] = instances[i].bvh;
        eight.transform[i] = &instances[i].transform;
        eight.transformed[i] = &made[i];
        eight.mask[i] = 1u << i;
    }
    const uint32_t done = kernels->world_transform8(&eight);
    for (size_t i = 0; i < 8; i++) {
        sli_transformed expected, untouched;
        sli_world_box box;
        const sli_transform_fault fault = sli_transformed_make(
            instances[i].bvh, &instances[i].transform, 0, 1u << i, &expected, &box);
        memset(&untouched, 0x55, sizeof untouched);
        if ((done >> i & 1) == 0) {
            assert_memory_equal(&made[i], &untouched, sizeof untouched);
            continue;
        }
        assert_int_equal(fault, SLI_TRANSFORM_OK);
        assert_true(same_bits(&made[i], &expected));
        for (int axis = 0; axis < 3; axis++) {
            assert_memory_equal(&eight.min[axis][i], &box.min[axis], sizeof box.min[axis]);
            assert_memory_equal(&eight.max[axis][i], &box.max[axis], sizeof box.max[axis]);
        }
    }
    return done;
}

TEST(eight_have_the_bits_of_one)
{
    test_needs_batches();
    const sli_kernels *kernels;
    for (int k = 0; (kernels = sli_kernels_at(k)) != NULL; k++) {
        test_random random = { SEED };
        for (world_kind kind = 0; kind < WORLD_KINDS; kind++) {
            UNDONE(world_destroy) world_case world;
            int done = 0;
            world_make(&world, kind, 2, false, &random);
            for (int round = 0; round < ROUNDS; round++) {
                done += __builtin_popcount(check_eight(kernels, &world, kind, &random));
            }
            if (kind == WORLD_PLAIN || kind == WORLD_TILED || kind == WORLD_TINY_FAR) {
                assert_in_range(done, 8 * ROUNDS * 9 / 10, 8 * ROUNDS);
            }
        }
    }
}
