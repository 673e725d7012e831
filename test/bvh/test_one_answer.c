/* One answer: the same bits from every kernel that this machine can run, from any number of
 * workers, in any floating-point environment of the caller's, from every compiler and optimisation
 * level.
 *
 * The queries are fixed; what they answer is hashed and compared with the number written down here,
 * so that every build on every machine is held against the same one. */
#include "bvh/kernel/kernel.h"
#include "test/support/environment/callers_env.h"
#include "test/support/hard/rays.h"
#include "test/support/query/answers_hash.h"
#include "test/support/test.h"

enum { COUNT = 3000, CAP = 4, SEED = 99 };

#define GOLDEN 0x8A46E472C24B52FFu

typedef struct inputs {
    sl_mesh *mesh[3];
    sl_ray rays[COUNT];
    sl_segment segments[COUNT];
} inputs;

typedef struct answers {
    sl_hit closest[COUNT], next[COUNT], rows[COUNT * CAP], occluders[COUNT];
    uint64_t totals[COUNT];
    uint8_t any[COUNT], occluded[COUNT];
    test_surface surface[COUNT];
} answers;

static uint64_t hash(uint64_t h, const answers *a)
{
    /* In the order in which they lie, without gaps. */
    _Static_assert(offsetof(answers, surface) ==
                       offsetof(answers, any) + sizeof a->any + sizeof a->occluded,
                   "no padding");
    h = test_hash(h, a->closest, offsetof(answers, totals), 4);
    h = test_hash(h, a->totals, sizeof a->totals, 8);
    h = test_hash(h, a->any, sizeof a->any + sizeof a->occluded, 1);
    return test_hash(h, a->surface, sizeof a->surface, 4);
}

static void make_inputs(inputs *in)
{
    test_random random = { SEED };
    in->mesh[0] = made_sphere(12);
    in->mesh[1] = made_grid(30, 30, 2, 5);
    in->mesh[2] = made_soup(1500, 0.2f, 3);
    for (int i = 0; i < COUNT; i++) {
        const sl_mesh *mesh = in->mesh[i % 3];
        in->rays[i] = hard_ray_make(mesh, i % 2 ? HARD_BEYOND : HARD_AXIS, &random).ray;
        in->segments[i] = hard_ray_make(mesh, i % 2 ? HARD_VERTEX : HARD_EDGE, &random).segment;
    }
}

/* Builds and asks everything, in the environment and with the workers of the moment, by the kernel
 * that is named or by the one that was chosen. */
static uint64_t query_layout(const inputs *in, sl_bvh_quality quality, sl_bvh_layout layout,
                             const sl_tasks *tasks, const sli_kernels *kernels)
{
    FREED answers *a = calloc(1, sizeof *a);
    uint64_t h = TEST_HASH_NOTHING;
    for (int m = 0; m < 3; m++) {
        sl_build_def def = { .hooks.tasks = tasks, .quality = quality, .layout = layout };
        OWN(sl_bvh) bvh = made_bvh(in->mesh[m], &def);
        bvh->kernels = kernels != NULL ? kernels : bvh->kernels;
        memset(a, 0, sizeof *a);
        sl_bvh_closest_many(bvh, sl_rays_of(in->rays, COUNT), NULL, sl_hits_of(a->closest), tasks,
                            NULL);
        memcpy(a->next, a->closest, (COUNT) * sizeof *(a->next));
        sl_bvh_next_many(bvh, sl_rays_of(in->rays, COUNT), NULL, sl_hits_of(a->next), tasks, NULL);
        sl_bvh_all_many(bvh, sl_rays_of(in->rays, COUNT), NULL, sl_hits_of(a->rows), CAP, a->totals,
                        tasks, NULL);
        sl_bvh_any_many(bvh, sl_rays_of(in->rays, COUNT), NULL, a->any, NULL, tasks, NULL);
        sl_bvh_closest_many(bvh, sl_segments_of(in->segments, COUNT), NULL,
                            sl_hits_of(a->occluders), tasks, NULL);
        sl_bvh_any_many(bvh, sl_segments_of(in->segments, COUNT), NULL, a->occluded, NULL, tasks,
                        NULL);
        for (int i = 0; i < COUNT; i++) {
            test_surface_of(bvh, &a->closest[i], &a->surface[i]);
        }
        h = hash(h, a);
    }
    return h;
}

static uint64_t query_everything(const inputs *in, sl_bvh_quality quality, const sl_tasks *tasks,
                                 const sli_kernels *kernels)
{
    return query_layout(in, quality, SL_BVH_LAYOUT_DEFAULT, tasks, kernels);
}

TEST(every_build_gives_the_same_bits)
{
    const inputs *in = *state;
    const sl_bvh_quality qualities[3] = { SL_BVH_QUALITY_DEFAULT, SL_BVH_QUALITY_FAST,
                                          SL_BVH_QUALITY_HIGH };
    for (int i = 0; i < 3; i++) {
        const uint64_t h = query_everything(in, qualities[i], NULL, NULL);
        print_message("hash %016llx of quality %d\n", (unsigned long long)h, (int)qualities[i]);
        assert_true(h == GOLDEN);
    }
}

TEST(every_kernel_gives_the_same_bits)
{
    const inputs *in = *state;
    for (int i = 0; sli_kernels_at(i) != NULL; i++) {
        const uint64_t h = query_everything(in, SL_BVH_QUALITY_DEFAULT, NULL, sli_kernels_at(i));
        print_message("hash %016llx by %s\n", (unsigned long long)h, sli_kernels_at(i)->name);
        assert_true(h == GOLDEN);
    }
}

TEST(a_compact_tree_gives_the_same_bits)
{
    const inputs *in = *state;
    OWN(sl_pool) pool = made_pool(3);
    for (int i = 0; sli_kernels_at(i) != NULL; i++) {
        const sl_bvh_quality quality = (sl_bvh_quality)(i % 3);
        const sl_tasks *tasks = i % 2 != 0 ? sl_pool_tasks(pool) : NULL;
        const uint64_t h =
            query_layout(in, quality, SL_BVH_LAYOUT_COMPACT, tasks, sli_kernels_at(i));
        print_message("hash %016llx by %s\n", (unsigned long long)h, sli_kernels_at(i)->name);
        assert_true(h == GOLDEN);
    }
}

TEST(workers_do_not_matter)
{
    const inputs *in = *state;
    const int counts[4] = { 1, 2, 3, 8 };
    for (int i = 0; i < 4; i++) {
        OWN(sl_pool) pool = made_pool(counts[i]);
        const sl_bvh_quality quality = i % 2 != 0 ? SL_BVH_QUALITY_HIGH : SL_BVH_QUALITY_DEFAULT;
        assert_true(query_everything(in, quality, sl_pool_tasks(pool), NULL) == GOLDEN);
    }
}

TEST(the_callers_environment_does_not_matter_and_is_kept)
{
    const inputs *in = *state;
    for (int env = 0; env < callers_env_count(); env++) {
        const sl_bvh_quality quality = env % 2 != 0 ? SL_BVH_QUALITY_HIGH : SL_BVH_QUALITY_DEFAULT;
        callers_env_set(env);
        const uint64_t h = query_everything(in, quality, NULL, NULL);
        const bool kept = callers_env_leave(env);
        if (h != GOLDEN || !kept) {
            print_error("%s: hash %016llx\n", callers_env_name(env), (unsigned long long)h);
        }
        assert_true(h == GOLDEN);
        assert_true(kept);
    }
}

TEST_BEFORE_ALL
{
    inputs *in = calloc(1, sizeof *in);
    make_inputs(in);
    *state = in;
}

TEST_AFTER_ALL
{
    inputs *in = *state;
    for (int m = 0; m < 3; m++) {
        sl_mesh_destroy(in->mesh[m]);
    }
    free(in);
}
