/* Every kernel that this machine can run gives the bits of the scalar one. */
#include "bvh/kernel/kernel.h"
#include "test/support/environment/environment.h"
#include "test/support/input/moved.h"
#include "test/support/query/every_question.h"
#include "test/support/test.h"

enum { SEED = 20260803, ROUNDS = 2, SCENES = 6 };

static sl_mesh *scene(int i)
{
    sl_mesh *mesh = NULL;
    switch (i) {
    case 0:
        mesh = made_sphere(12);
        break;
    case 1:
        mesh = made_grid(40, 40, 3, 1);
        break;
    case 2:
        mesh = made_torus(30, 20, 3, 1);
        break;
    default:
        mesh = made_soup(2000, i == 3 ? 0.1f : 0.6f, 5);
        break;
    }
    const float scale = i == 4 ? 1e-25f : i == 5 ? 1e25f : 1; /* beyond the float filters */
    return test_mesh_moved(mesh, scale, 0);
}

static void compare(int s, const char *layout, sl_bvh *bvh, const queries *q, const answers *truth,
                    answers *other)
{
    for (int i = 0; sli_kernels_at(i) != NULL; i++) {
        bvh->kernels = sli_kernels_at(i);
        queries_run(bvh, q, other);
        const char *difference = answers_differ(truth, other);
        if (difference != NULL) {
            fail_msg("scene %d, %s, kernel %s: %s", s, layout, bvh->kernels->name, difference);
        }
    }
}

static sl_bvh *build(const sl_mesh *mesh, sl_bvh_layout layout)
{
    sl_build_def def = { .layout = layout };
    sl_bvh *bvh = made_bvh(mesh, &def);
    assert_int_equal(sl_bvh_get_info(bvh).layout, layout);
    return bvh;
}

/* On a compact tree too. */
TEST(every_kernel_gives_the_scalar_bits)
{
    queries *q = malloc(sizeof *q);
    answers *truth = malloc(sizeof *truth), *other = malloc(sizeof *other);
    test_random random = { SEED };
    const size_t rounds = test_is_brief() ? 1 : ROUNDS * test_scale();
    for (int s = 0; s < SCENES; s++) {
        OWN(sl_mesh) mesh = scene(s);
        OWN(sl_bvh) bvh = build(mesh, SL_BVH_LAYOUT_DEFAULT);
        OWN(sl_bvh) compact = build(mesh, SL_BVH_LAYOUT_COMPACT);
        for (size_t round = 0; round < rounds; round++) {
            queries_make(mesh, &random, q);
            bvh->kernels = &sli_kernels_scalar;
            queries_run(bvh, q, truth);
            if (!test_is_brief() || s % 2 == 0) {
                compare(s, "default layout", bvh, q, truth, other);
            }
            if (!test_is_brief() || s % 2 == 1) {
                compare(s, "compact", compact, q, truth, other);
            }
        }
    }
    print_message("kernels: ");
    for (int i = 0; sli_kernels_at(i) != NULL; i++) {
        print_message("%s ", sli_kernels_at(i)->name);
    }
    print_message("\n");
    free(q);
    free(truth);
    free(other);
}

TEST(a_name_in_the_environment_forces_a_kernel)
{
    for (int i = 0; sli_kernels_at(i) != NULL; i++) {
        test_setenv("SIGHTLINE_ISA", sli_kernels_at(i)->name);
        assert_ptr_equal(sli_kernels_select(), sli_kernels_at(i));
    }
    test_setenv("SIGHTLINE_ISA", "abacus");
    assert_ptr_equal(sli_kernels_select(), sli_kernels_at(0));
    test_unsetenv("SIGHTLINE_ISA");
    assert_ptr_equal(sli_kernels_select(), sli_kernels_at(0));
}
