/* The same bits of picks, lists, snaps, marks and selections from every kernel, any number of
 * workers, every compiler and machine: the answers to fixed questions have known hashes.
 * ../../../.ci/compilers.sh and arm64.sh run it. */
#include "bvh/scene/scene.h"
#include "test/support/query/fixed_picks.h"
#include "test/support/test.h"

#define GOLDEN_PICKS      0x860BBD93FD136725u
#define GOLDEN_SELECTIONS 0x441040B637AEC748u

static void expect(uint64_t hash, uint64_t golden, const char *name)
{
    print_message("hash %016llx by %s\n", (unsigned long long)hash, name);
    assert_true(hash == golden);
}

TEST(picks_have_the_same_bits)
{
    UNDONE(fixed_picks_free) fixed_picks f;
    const sli_kernels *kernels;
    fixed_picks_make(&f);
    for (int i = 0; (kernels = sli_kernels_at(i)) != NULL; i++) {
        f.scene->kernels = kernels;
        expect(fixed_picks_run(&f), GOLDEN_PICKS, kernels->name);
        for (int kind = 0; kind < 5; kind++) {
            assert_true(f.found[kind] > 10);
        }
    }
}

TEST(selections_have_the_same_bits)
{
    const sli_kernels *kernels;
    for (int i = 0; (kernels = sli_kernels_at(i)) != NULL; i++) {
        UNDONE(fixed_picks_free) fixed_picks f;
        fixed_picks_make(&f);
        f.scene->kernels = kernels;
        expect(fixed_picks_select(&f, NULL), GOLDEN_SELECTIONS, kernels->name);
    }
}

TEST(workers_give_the_same_bits)
{
    for (int workers = 1; workers <= 4; workers++) {
        fixed_picks f;
        sl_pool *pool;
        if (sl_pool_create(workers, NULL, &pool, NULL) != SL_OK) {
            skip(); /* a library without threads */
        }
        fixed_picks_make(&f);
        expect(fixed_picks_select(&f, sl_pool_tasks(pool)), GOLDEN_SELECTIONS, "workers");
        fixed_picks_free(&f);
        sl_pool_destroy(pool);
    }
}
