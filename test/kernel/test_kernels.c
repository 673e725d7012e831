/* Every kernel that this machine can run gives the bits of the scalar one. */
#include "bvh/kernel/kernel.h"
#include "test/support/hard_rays.h"
#include "test/support/scale.h"

#include <sightline/point_query.h>
#include <sightline/ray_query.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 20260803, COUNT = 2000, CAP = 4, SCENES = 6 };

/* What one kernel answers to everything. */
typedef struct answers {
    sl_hit closest[COUNT], all[COUNT * CAP], blocker[COUNT];
    uint64_t totals[COUNT], crossings[COUNT];
    uint8_t any[COUNT], blocked[COUNT];
    sl_nearest nearest[COUNT], list[COUNT * CAP];
    uint64_t found[COUNT];
    sl_inside inside[COUNT];
} answers;

typedef struct questions {
    sl_ray rays[COUNT];
    sl_segment segments[COUNT];
    float points[3 * COUNT];
} questions;

static sl_mesh *scene(int i)
{
    sl_mesh *mesh = NULL;
    switch (i) {
    case 0:
        assert_int_equal(sl_mesh_sphere(12, NULL, &mesh, NULL), SL_OK);
        break;
    case 1:
        assert_int_equal(sl_mesh_grid(40, 40, 3, 1, NULL, &mesh, NULL), SL_OK);
        break;
    case 2:
        assert_int_equal(sl_mesh_torus(30, 20, 3, 1, NULL, &mesh, NULL), SL_OK);
        break;
    default:
        assert_int_equal(sl_mesh_soup_random(2000, i == 3 ? 0.1f : 0.6f, 5, NULL, &mesh, NULL),
                         SL_OK);
        break;
    }
    const float scale = i == 4 ? 1e-25f : i == 5 ? 1e25f : 1; /* beyond the float filters */
    const size_t count = 3 * sl_mesh_vertex_count(mesh);
    float *xyz = malloc(count * sizeof *xyz);
    for (size_t k = 0; k < count; k++) {
        xyz[k] = sl_mesh_positions(mesh)[k] * scale;
    }
    sl_mesh *out = NULL;
    assert_int_equal(sl_mesh_from_arrays(xyz, count / 3, sl_mesh_indices(mesh),
                                         sl_mesh_triangle_count(mesh), NULL, &out, NULL),
                     SL_OK);
    free(xyz);
    sl_mesh_destroy(mesh);
    return out;
}

static void pose(const sl_mesh *mesh, test_random *random, questions *q)
{
    const hard_kind of_rays[3] = { HARD_BOX, HARD_BEYOND, HARD_AXIS };
    const hard_kind of_segments[4] = { HARD_VERTEX, HARD_EDGE, HARD_BESIDE, HARD_INPLANE };
    for (int i = 0; i < COUNT; i++) {
        q->rays[i] = hard_ray_make(mesh, of_rays[i % 3], random).ray;
        q->segments[i] = hard_ray_make(mesh, of_segments[i % 4], random).segment;
        if (i % 50 == 0) {
            q->rays[i].dir[i % 3] = NAN; /* invalid ones do not change their neighbours */
        }
        hard_point(mesh, random, q->points + 3 * i);
        if (i % 2) {
            memcpy(q->points + 3 * i, q->segments[i].q, 12);
        }
    }
}

static void ask(const sl_bvh *bvh, const questions *q, answers *a)
{
    const sl_query crossings = { .flags = SL_CROSSINGS };
    memset(a, 0, sizeof *a);
    sl_bvh_closest_many(bvh, q->rays, COUNT, NULL, a->closest, NULL);
    sl_bvh_all_many(bvh, q->rays, COUNT, NULL, a->all, CAP, a->totals, NULL);
    sl_bvh_count_many(bvh, q->rays, COUNT, &crossings, a->crossings, NULL);
    sl_bvh_any_many(bvh, q->rays, COUNT, NULL, a->any, NULL);
    sl_bvh_blockers_many(bvh, q->segments, COUNT, NULL, a->blocker, NULL);
    sl_bvh_blocked_many(bvh, q->segments, COUNT, NULL, a->blocked, NULL, NULL);
    sl_bvh_nearest_many(bvh, q->points, COUNT, INFINITY, NULL, a->nearest, NULL);
    sl_bvh_nearest_k_many(bvh, q->points, COUNT, INFINITY, NULL, a->list, CAP, a->found, NULL);
    sl_bvh_inside_many(bvh, NULL, q->points, COUNT, NULL, a->inside, NULL);
}

static void every_kernel_gives_the_scalar_bits(void **state)
{
    (void)state;
    questions *q = malloc(sizeof *q);
    answers *truth = malloc(sizeof *truth), *other = malloc(sizeof *other);
    test_random random = { SEED };
    int compared = 0;
    for (int s = 0; s < SCENES; s++) {
        sl_mesh *mesh = scene(s);
        sl_bvh *bvh = NULL;
        assert_int_equal(sl_bvh_build(mesh, NULL, &bvh, NULL), SL_OK);
        for (size_t round = 0; round < test_scale(); round++) {
            pose(mesh, &random, q);
            bvh->kernels = &sli_kernels_scalar;
            ask(bvh, q, truth);
            for (int i = 0; sli_kernels_at(i) != NULL; i++, compared++) {
                bvh->kernels = sli_kernels_at(i);
                ask(bvh, q, other);
                if (memcmp(truth, other, sizeof *truth) != 0) {
                    print_error("scene %d: kernel %s differs\n", s, bvh->kernels->name);
                    fail();
                }
            }
        }
        sl_bvh_destroy(bvh);
        sl_mesh_destroy(mesh);
    }
    print_message("kernels: ");
    for (int i = 0; sli_kernels_at(i) != NULL; i++) {
        print_message("%s ", sli_kernels_at(i)->name);
    }
    print_message("\n%d comparisons\n", compared);
    free(q);
    free(truth);
    free(other);
}

static void a_name_in_the_environment_forces_a_kernel(void **state)
{
    (void)state;
    for (int i = 0; sli_kernels_at(i) != NULL; i++) {
        setenv("SIGHTLINE_ISA", sli_kernels_at(i)->name, 1);
        assert_ptr_equal(sli_kernels_select(), sli_kernels_at(i));
    }
    setenv("SIGHTLINE_ISA", "abacus", 1);
    assert_ptr_equal(sli_kernels_select(), sli_kernels_at(0));
    unsetenv("SIGHTLINE_ISA");
    assert_ptr_equal(sli_kernels_select(), sli_kernels_at(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_gives_the_scalar_bits),
        cmocka_unit_test(a_name_in_the_environment_forces_a_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
