/* Hybrid packets: rays of any-hit batches that go down the tree together answer as single calls
 * do. */
#include "bvh/kernel/kernel.h"
#include "test/support/environment/needs.h"
#include "test/support/hard/rays.h"
#include "test/support/input/moved.h"
#include "test/support/input/slender.h"
#include "test/support/input/solids.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

/* Two packets and a rest. */
enum { SEED = 20261122, COUNT = 150 };

typedef struct patch {
    sl_ray rays[COUNT];
    sl_segment segments[COUNT];
    sl_item_options options[COUNT];
    sl_triangle_ref skips[COUNT];
} patch;

static sl_mesh *scene(int i, float scale)
{
    sl_mesh *mesh = NULL;
    if (i == 0) {
        mesh = made_sphere(16);
    } else if (i == 1) {
        mesh = made_grid(40, 40, 3, 1);
    } else if (i == 2) {
        mesh = made_torus(30, 20, 3, 1);
    } else if (i == 5) { /* needles, of which float determinants say nothing */
        mesh = slender_make(0, 2000);
        assert_non_null(mesh);
    } else { /* large and on top of one another: rays have much to note */
        mesh = made_soup(3000, i == 3 ? 0.2f : 0.9f, 5);
    }
    return test_mesh_moved(mesh, scale, 0);
}

/* A point of the triangle: a vertex, of an edge, or within, as near as floats come to it. */
static void point_of(const sl_triangle *t, test_random *random, float out[3])
{
    float w[3] = { 1, 0, 0 };
    const uint64_t kind = test_random_below(random, 4);
    if (kind != 0) {
        w[1] = test_random_in(random, 0, 1);
        w[2] = kind == 1 ? 0 : test_random_in(random, 0, 1 - w[1]);
        w[0] = 1 - w[1] - w[2];
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = w[0] * t->v[0][axis] + w[1] * t->v[1][axis] + w[2] * t->v[2][axis];
    }
}

/* Rays from points of one triangle, or a step above them, to points of others. */
static void make_patch(const sl_mesh *mesh, test_random *random, patch *out)
{
    const sl_triangle home = hard_triangle(mesh, random);
    const float lift = test_random_below(random, 2) == 0 ? 0 : 0x1p-22f;
    const bool short_ones = test_random_below(random, 2) == 0;
    for (int i = 0; i < COUNT; i++) {
        const sl_triangle at = hard_triangle(mesh, random);
        sl_ray *ray = &out->rays[i];
        float to[3];
        *ray = (sl_ray){ .tmax = short_ones ? test_random_in(random, 0, 0.2f) : INFINITY };
        point_of(&home, random, ray->origin);
        point_of(test_random_below(random, 6) == 0 ? &home : &at, random, to);
        for (int axis = 0; axis < 3; axis++) {
            ray->origin[axis] += lift * fabsf(ray->origin[axis]);
            out->segments[i].p[axis] = ray->origin[axis];
            ray->dir[axis] = to[axis] - ray->origin[axis];
            out->segments[i].q[axis] = ray->origin[axis] + (short_ones ? 0.1f : 1) * ray->dir[axis];
        }
        if (test_random_below(random, 8) == 0) {
            ray->dir[i % 3] = 0;
            out->segments[i].q[i % 3] = out->segments[i].p[i % 3];
        }
        out->options[i] = (sl_item_options){ .mask = 1u << test_random_below(random, 3),
                                             .skip = &out->skips[i],
                                             .skip_count = 1 };
        out->skips[i] = (sl_triangle_ref){ 0, test_random_below(random, 40) };
    }
}

/* What rays may have besides. */
static void spoil(patch *p, test_random *random)
{
    for (int i = 0; i < COUNT; i++) {
        sl_ray *ray = &p->rays[i];
        switch (test_random_below(random, 12)) {
        case 0:
            ray->dir[i % 3] = NAN;
            p->segments[i].q[i % 3] = NAN;
            break;
        case 1:
            ray->tmin = 0.5f;
            ray->tmax = INFINITY;
            break;
        case 2:
            ray->tmax = 1; /* just at the surface */
            break;
        case 3:
            ray->tmin = 1;
            ray->tmax = INFINITY;
            break;
        case 4:
            ray->origin[0] *= 0x1p60f;
            p->segments[i].p[0] *= 0x1p60f;
            break;
        case 5:
            ray->tmin = -INFINITY;
            break;
        case 6:
            ray->tmin = -1;
            ray->tmax = -0.0f;
            break;
        default:
            break;
        }
    }
    /* The first rays of packets, too, which must not be taken for where the others start. */
    const float nowhere[] = { NAN, INFINITY, 1e30f, 0 };
    const uint32_t which = test_random_below(random, 4), axis = test_random_below(random, 3);
    for (int i = 0; which < 3 && i < COUNT; i += 64) {
        p->rays[i].origin[axis] = nowhere[which];
        p->segments[i].p[axis] = nowhere[which];
    }
}

static void hold_rays_against_single_calls(const sl_bvh *bvh, const sl_options *options,
                                           const patch *p)
{
    sl_stats stats = { .rays = 0 };
    uint8_t together[COUNT];
    memset(together, 7, sizeof together);
    sl_bvh_any_many(bvh, sl_rays_of(p->rays, COUNT), options, together, NULL, NULL, &stats);
    assert_int_equal(stats.rays, COUNT);
    assert_true(stats.float_stage + stats.double_stage + stats.exact_stage <= stats.triangles);
    for (int i = 0; i < COUNT; i++) {
        sl_options one = *options;
        one.items = options->items != NULL ? &options->items[i] : NULL;
        if (together[i] != sl_bvh_any(bvh, &p->rays[i], &one)) {
            fail_msg("ray %d, kernel %s: together %d", i, bvh->kernels->name, together[i]);
        }
    }
}

static void hold_segments_against_single_calls(const sl_bvh *bvh, const sl_options *options,
                                               const sl_mesh *mesh, const patch *p)
{
    uint8_t together[COUNT];
    sl_triangle_ref occluder[COUNT];
    memset(together, 7, sizeof together);
    memset(occluder, 0xFF, sizeof occluder);
    sl_bvh_any_many(bvh, sl_segments_of(p->segments, COUNT), options, together, occluder, NULL,
                    NULL);
    for (int i = 0; i < COUNT; i++) {
        sl_options one = *options;
        one.items = options->items != NULL ? &options->items[i] : NULL;
        if (together[i] != sl_bvh_occluded(bvh, p->segments[i].p, p->segments[i].q, &one)) {
            fail_msg("segment %d, kernel %s: together %d", i, bvh->kernels->name, together[i]);
        }
        assert_int_equal(together[i], occluder[i].prim != SL_NONE);
        sl_triangle by;
        assert_true(!together[i] || (sl_mesh_triangle(mesh, occluder[i].prim, &by) &&
                                     sl_segment_triangle(&p->segments[i], &by, &one, NULL)));
    }
}

static void hold_against_single_calls(const sl_bvh *bvh, const sl_mesh *mesh, const patch *p)
{
    const sl_options queries[] = {
        { .flags = 0 },
        { .cull = SL_CULL_BACK },
        { .cull = SL_CULL_FRONT },
        { .items = p->options },
        { .flags = SL_OPEN_START | SL_OPEN_END },
    };
    for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++) {
        hold_rays_against_single_calls(bvh, &queries[q], p);
        hold_segments_against_single_calls(bvh, &queries[q], mesh, p);
    }
}

TEST(rays_together_get_the_answers_of_rays_alone)
{
    FREED patch *p = malloc(sizeof *p);
    test_random random = { SEED };
    const float scales[] = { 1, 1e-3f, 1e25f, 1e6f, 1e-11f };
    for (size_t round = 0; round < 30 * test_scale(); round++) {
        OWN(sl_mesh) mesh = scene((int)(round % 6), scales[round / 6 % 5]);
        FREED uint32_t *masks = malloc(sl_mesh_soup(mesh).triangle_count * sizeof *masks);
        for (size_t i = 0; i < sl_mesh_soup(mesh).triangle_count; i++) {
            masks[i] = (uint32_t)i;
        }
        sl_build_def def = { .masks = masks };
        OWN(sl_bvh) bvh = made_bvh(mesh, &def);
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            bvh->kernels = sli_kernels_at(k);
            for (int patches = 0; patches < 2; patches++) {
                make_patch(mesh, &random, p);
                hold_against_single_calls(bvh, mesh, p);
                spoil(p, &random);
                hold_against_single_calls(bvh, mesh, p);
            }
        }
    }
}

/* In the planes of a sponge's faces, where boxes are flat and a direction's components are zero. */
TEST(rays_in_walls_get_the_answers_of_rays_alone)
{
    FREED patch *p = calloc(1, sizeof *p);
    OWN(sl_mesh) mesh = test_mesh_moved(solid_make(SOLID_SPONGE), 1, 0);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    const sl_aabb bounds = bvh->bounds;
    test_random random = { SEED };
    assert_true(bounds.min[0] == 0 && bounds.min[1] == 0 && bounds.min[2] == 0);
    for (size_t round = 0; round < 200 * test_scale(); round++) {
        const int still = (int)(round % 3);
        for (int i = 0; i < COUNT; i++) {
            sl_ray *ray = &p->rays[i];
            float *end = p->segments[i].q;
            *ray = (sl_ray){ .tmax = INFINITY };
            for (int axis = 0; axis < 3; axis++) {
                const float size = bounds.max[axis] - bounds.min[axis];
                const float away = test_random_in(&random, 0, 0.1f);
                ray->origin[axis] = bounds.min[axis] + away * size;
                ray->dir[axis] =
                    test_random_below(&random, 3) == 0 ? 0 : test_random_in(&random, -1, 1);
            }
            ray->origin[still] = round % 2 == 0 ? bounds.min[still] : bounds.max[still];
            ray->dir[still] = test_random_below(&random, 4) == 0 ? 0x1p-100f : 0;
            if (round % 4 == 0) { /* across the wall, slower than filters can tell */
                ray->origin[still] = -0x1p-90f * test_random_in(&random, 0, 1);
                ray->dir[still] = 0x1p-90f * test_random_in(&random, 1, 16);
            }
            for (int axis = 0; axis < 3; axis++) {
                p->segments[i].p[axis] = ray->origin[axis];
                end[axis] = ray->origin[axis] + 8 * ray->dir[axis];
            }
        }
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            bvh->kernels = sli_kernels_at(k);
            hold_against_single_calls(bvh, mesh, p);
        }
    }
}

/* The boxes of a flat grid are flat: of the triangles around their origin, rays that leave the grid
 * look at hardly any. */
TEST(rays_that_leave_a_flat_wall_do_not_meet_it_again)
{
    enum { MANY = 1024 };
    OWN(sl_mesh) mesh = made_grid(40, 40, 0, 1);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    const int up = 2;
    assert_true(bvh->bounds.max[up] == bvh->bounds.min[up]);
    FREED sl_ray *rays = malloc(MANY * sizeof *rays);
    FREED uint8_t *any = malloc(MANY);
    test_random random = { SEED };
    for (int i = 0; i < MANY; i++) {
        rays[i] = (sl_ray){ .tmax = 0.5f };
        for (int axis = 0; axis < 3; axis++) {
            const float size = bvh->bounds.max[axis] - bvh->bounds.min[axis];
            rays[i].origin[axis] =
                bvh->bounds.min[axis] + (0.3f + 0.0001f * (float)(i % 32)) * size;
            rays[i].dir[axis] = test_random_in(&random, -1, 1);
        }
        rays[i].origin[up] = bvh->bounds.max[up] + 0x1p-20f;
        rays[i].dir[up] = test_random_in(&random, 0.1f, 1);
    }
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        bvh->kernels = sli_kernels_at(k);
        sl_stats stats = { .rays = 0 };
        sl_bvh_any_many(bvh, sl_rays_of(rays, MANY), NULL, any, NULL, NULL, &stats);
        assert_int_equal(stats.triangles, 0);
    }
}

/* Without this the tests above would pass without hybrid packets. */
TEST(short_rays_together_open_fewer_nodes)
{
    test_needs_batches();
    enum { MANY = 1024 };
    OWN(sl_mesh) mesh = scene(1, 1);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    FREED sl_ray *rays = malloc(MANY * sizeof *rays);
    FREED uint8_t *any = malloc(MANY);
    test_random random = { SEED };
    for (int i = 0; i < MANY; i++) {
        const float origin[3] = { 0.2f + 0.0001f * (float)(i % 32),
                                  0.3f + 0.0001f * (float)(i / 32), 0.5f };
        float dir[3];
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = test_random_in(&random, -1, 1);
        }
        rays[i] = sl_ray_make(origin, dir);
        rays[i].tmax = 0.05f;
    }
    sl_stats together = { .rays = 0 }, alone = { .rays = 0 };
    sl_bvh_any_many(bvh, sl_rays_of(rays, MANY), NULL, any, NULL, NULL, &together);
    for (int i = 0; i < MANY; i++) {
        (void)any_of_one(bvh, sl_rays_of(&rays[i], 1), NULL, &alone);
    }
    assert_true(together.nodes * 8 < alone.nodes);
}
