/* Packets: coherent rays of closest-hit batches that go down the tree together answer as single
 * calls do. */
#include "bvh/kernel/kernel.h"
#include "test/support/environment/needs.h"
#include "test/support/hard/rays.h"
#include "test/support/input/moved.h"
#include "test/support/test.h"

#include <math.h>

enum { SEED = 20261120, SIDE = 32, COUNT = SIDE * SIDE };

typedef struct picture {
    sl_ray rays[COUNT];
    sl_item_options options[COUNT];
    sl_triangle_ref skips[COUNT];
    sl_hit together[COUNT];
} picture;

static sl_mesh *scene(int i, float scale)
{
    sl_mesh *mesh = NULL;
    if (i == 0) {
        mesh = made_sphere(16);
    } else if (i == 1) {
        mesh = made_grid(40, 40, 3, 1);
    } else if (i == 2) {
        mesh = made_torus(30, 20, 3, 1);
    } else {
        mesh = made_soup(3000, 0.2f, 5);
    }
    return test_mesh_moved(mesh, scale, 0);
}

/* Where the rays of a picture begin: lines of all but two meet in the eye. */
typedef enum start {
    IN_EYE,
    ON_PLANE,   /* each rounded on its own, across the eye's plane: parallel */
    APART,      /* likewise, and with directions that spread another way */
    BEFORE_EYE, /* some way along, each rounded on its own */
    BEYOND_EYE, /* and back, so that they meet in front */
    STARTS
} start;

static void move_origin(sl_ray *ray, start from)
{
    const float way = from == BEFORE_EYE ? 0.3f : from == BEYOND_EYE ? 1.7f : 0;
    for (int axis = 0; axis < 3; axis++) {
        ray->origin[axis] += way * ray->dir[axis];
        ray->dir[axis] *= from == BEYOND_EYE ? -1 : from == BEFORE_EYE ? 0.7f : 1;
    }
}

/* Camera rays of a few tiles: through vertices, along axes, across octants, with limits. */
static void take_picture(const sl_mesh *mesh, test_random *random, picture *out)
{
    const sl_aabb bounds = sl_mesh_get_info(mesh).bounds;
    const sl_triangle at = hard_triangle(mesh, random);
    float eye[3], x[3], y[3];
    const float size = bounds.max[0] - bounds.min[0];
    for (int axis = 0; axis < 3; axis++) {
        eye[axis] = test_random_in(random, bounds.min[axis] - size, bounds.max[axis] + size);
        x[axis] = test_random_in(random, -size, size);
        y[axis] = test_random_in(random, -size, size);
    }
    const sl_triangle near = hard_triangle(mesh, random);
    for (int axis = (int)test_random_below(random, 8); axis < 3; axis++) {
        eye[axis] = near.v[1][axis]; /* in a plane, on a line, or in the vertex itself */
    }
    const float step = test_random_below(random, 2) == 0 ? 0.02f : 0.001f;
    const start from = (start)test_random_below(random, STARTS);
    const float across = from == ON_PLANE || from == APART ? 1 : 0;
    const float apart = from == ON_PLANE ? 0 : from == APART ? -0.4f : 1;
    const bool along_axis = test_random_below(random, 4) == 0;
    for (int i = 0; i < COUNT; i++) {
        const float px = step * (float)(i % 8 + i / 64 % 4 * 8 - SIDE / 2);
        const float py = step * (float)(i / 8 % 8 + i / 256 * 8 - SIDE / 2);
        sl_ray ray = { .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            const float shift = px * x[axis] + py * y[axis];
            ray.origin[axis] = eye[axis] + across * shift;
            ray.dir[axis] = at.v[0][axis] - eye[axis] + apart * shift;
            if (along_axis && axis == 1) {
                ray.dir[axis] = 0;
            }
        }
        move_origin(&ray, from);
        out->rays[i] = ray;
        out->options[i] = (sl_item_options){ .mask = 1u << test_random_below(random, 3),
                                             .skip = &out->skips[i],
                                             .skip_count = 1 };
        out->skips[i] = (sl_triangle_ref){ 0, test_random_below(random, 40) };
    }
}

/* What rays of a picture may have besides. */
static void spoil(picture *p, test_random *random)
{
    for (int i = 0; i < COUNT; i++) {
        sl_ray *ray = &p->rays[i];
        switch (test_random_below(random, 12)) {
        case 0:
            ray->dir[i % 3] = NAN;
            break;
        case 1:
            ray->tmin = 0.5f;
            break;
        case 2:
            ray->tmax = 1; /* the vertex itself, most often */
            break;
        case 3:
            ray->tmin = 1;
            break;
        case 4:
            ray->origin[0] *= 0x1p60f;
            break;
        case 5:
            ray->tmin = 2;
            ray->tmax = 1;
            break;
        default:
            break;
        }
    }
}

static void hold_against_single_calls(const sl_bvh *bvh, const sl_options *options, picture *p)
{
    sl_stats stats = { .rays = 0 };
    sl_bvh_closest_many(bvh, sl_rays_of(p->rays, COUNT), options, sl_hits_of(p->together), NULL,
                        &stats);
    assert_int_equal(stats.rays, COUNT);
    for (int i = 0; i < COUNT; i++) {
        sl_options one = *options;
        sl_hit hit;
        one.items = options->items != NULL ? &options->items[i] : NULL;
        sl_bvh_closest(bvh, &p->rays[i], &one, &hit);
        if (memcmp(&hit, &p->together[i], sizeof hit) != 0) {
            fail_msg("ray %d, kernel %s: alone prim %u t %a, together prim %u t %a", i,
                     bvh->kernels->name, hit.prim, (double)hit.t, p->together[i].prim,
                     (double)p->together[i].t);
        }
    }
}

TEST(rays_together_get_the_answers_of_rays_alone)
{
    FREED picture *p = malloc(sizeof *p);
    test_random random = { SEED };
    const float scales[4] = { 1, 1e-3f, 1e25f, 1e6f };
    for (size_t round = 0; round < 24 * test_scale(); round++) {
        OWN(sl_mesh) mesh = scene((int)(round % 4), scales[round / 4 % 4]);
        FREED uint32_t *masks = malloc(sl_mesh_soup(mesh).triangle_count * sizeof *masks);
        for (size_t i = 0; i < sl_mesh_soup(mesh).triangle_count; i++) {
            masks[i] = (uint32_t)i;
        }
        sl_build_def def = { .masks = masks };
        OWN(sl_bvh) bvh = made_bvh(mesh, &def);
        take_picture(mesh, &random, p);
        const sl_options queries[5] = {
            { .flags = 0 },
            { .cull = SL_CULL_BACK },
            { .cull = SL_CULL_FRONT },
            { .flags = SL_CROSSINGS },
            { .items = p->options },
        };
        for (int spoilt = 0; spoilt < 2; spoilt++) {
            for (int k = 0; sli_kernels_at(k) != NULL; k++) {
                bvh->kernels = sli_kernels_at(k);
                for (int q = 0; q < 5; q++) {
                    hold_against_single_calls(bvh, &queries[q], p);
                }
            }
            spoil(p, &random);
        }
    }
}

/* What rays take together, and alone. */
static void count_work(const sl_bvh *bvh, const sl_ray *rays, size_t count, sl_hit *hits,
                       sl_stats *together, sl_stats *alone)
{
    *together = *alone = (sl_stats){ .rays = 0 };
    sl_bvh_closest_many(bvh, sl_rays_of(rays, count), NULL, sl_hits_of(hits), NULL, together);
    for (size_t i = 0; i < count; i++) {
        sl_hit hit;
        sl_bvh_closest_many(bvh, sl_rays_of(&rays[i], 1), NULL, sl_hits_of(&hit), NULL, alone);
        assert_memory_equal(&hit, &hits[i], sizeof hit);
    }
}

/* Else this test would pass without packets. */
TEST(rays_together_open_fewer_nodes)
{
    test_needs_batches();
    FREED picture *p = malloc(sizeof *p);
    OWN(sl_mesh) mesh = scene(1, 1);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    for (int parallel = 0; parallel < 2; parallel++) {
        for (int i = 0; i < COUNT; i++) {
            const float x = 0.001f * (float)(i % 8 + i / 64 % 4 * 8);
            const float y = 0.001f * (float)(i / 8 % 8 + i / 256 * 8);
            const float eye[3] = { 0.2f + (parallel ? x : 0), 0.3f + (parallel ? y : 0), 20 };
            const float dir[3] = { parallel ? 0.1f : x, parallel ? 0.1f : y, -1 };
            p->rays[i] = sl_ray_make(eye, dir);
        }
        sl_stats together, alone;
        count_work(bvh, p->rays, COUNT, p->together, &together, &alone);
        assert_true(together.nodes * 8 < alone.nodes);
        assert_int_equal(together.boxes,
                         8 * together.nodes); /* whether all or some went together */
    }
}

/* Long needles aslant, between which camera rays pass: packets pay, but what one costs is more than
 * dozens of others save. */
TEST(packets_among_needles_pay)
{
    test_needs_batches();
    enum { NEEDLES = 2000, WIDTH = 64, RAYS = WIDTH * WIDTH };
    static float corner[NEEDLES * 3][3];
    static uint32_t index[NEEDLES * 3];
    static sl_ray rays[RAYS];
    static sl_hit hits[RAYS];
    test_random random = { SEED };
    for (uint32_t i = 0; i < NEEDLES; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const float middle = 2 * test_random_unit(&random) - 1;
            const float half = axis < 2 ? 1.4f * test_random_unit(&random) - 0.7f : 0.005f;
            corner[3 * i][axis] = middle - half;
            corner[3 * i + 1][axis] = middle + half;
            corner[3 * i + 2][axis] = middle + half + 1e-4f;
        }
    }
    for (uint32_t i = 0; i < NEEDLES * 3; i++) {
        index[i] = i;
    }
    for (int i = 0; i < RAYS; i++) {
        const float eye[3] = { 0, 0, -4 };
        const int x = i % 8 + i / 64 % 8 * 8, y = i / 8 % 8 + i / 512 * 8;
        const float dir[3] = { 0.003f * (float)(x - WIDTH / 2), 0.003f * (float)(y - WIDTH / 2),
                               1 };
        rays[i] = sl_ray_make(eye, dir);
    }
    OWN(sl_mesh) mesh = made_mesh(corner[0], NEEDLES * 3, index, NEEDLES, NULL);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    sl_stats together, alone;
    count_work(bvh, rays, RAYS, hits, &together, &alone);
    print_message("%lu triangles together, %lu alone\n", (unsigned long)together.triangles,
                  (unsigned long)alone.triangles);
    assert_true(together.triangles * 4 < alone.triangles);
}

/* Where few lines come to a leaf, each is tested against the triangles whose slopes are around its
 * own.  With whole groups this counts twice as many. */
TEST(few_lines_at_a_leaf_are_tested_in_pairs)
{
    test_needs_batches();
    FREED picture *p = malloc(sizeof *p);
    OWN(sl_mesh) mesh = made_grid(200, 200, 3, 1);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    for (int i = 0; i < COUNT; i++) {
        const float x = 0.3f * (float)(i % 8 + i / 64 % 4 * 8 - SIDE / 2);
        const float y = 0.3f * (float)(i / 8 % 8 + i / 256 * 8 - SIDE / 2);
        const float eye[3] = { 100.2f, 100.3f, 200 }, dir[3] = { x / 200, y / 200, -1 };
        p->rays[i] = sl_ray_make(eye, dir);
    }
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        bvh->kernels = sli_kernels_at(k);
        sl_stats together, alone;
        count_work(bvh, p->rays, COUNT, p->together, &together, &alone);
        assert_true(together.nodes * 4 < alone.nodes);
        assert_true(together.triangles < 5 * COUNT);
    }
}

/* A grid with every triangle twice, the second ones in the opposite order. */
static sl_mesh *doubled_grid(uint32_t side)
{
    OWN(sl_mesh) grid = made_grid(side, side, 0.5f, 2);
    const sl_soup soup = sl_mesh_soup(grid);
    const size_t count = soup.triangle_count;
    FREED uint32_t *index = malloc(6 * count * sizeof *index);
    memcpy(index, soup.indices, 3 * count * sizeof *index);
    for (size_t i = 0; i < count; i++) {
        memcpy(&index[3 * (count + i)], &soup.indices[3 * (count - 1 - i)], 3 * sizeof *index);
    }
    return made_mesh(soup.xyz, (side + 1) * (side + 1), index, 2 * count, NULL);
}

/* From near the surface, most triangles that lines hit have corners behind the eye, and few lines
 * come to each of those further away. */
TEST(few_lines_at_a_leaf_get_the_answers_of_rays_alone)
{
    FREED picture *p = malloc(sizeof *p);
    OWN(sl_mesh) mesh = doubled_grid(60);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    test_random random = { SEED };
    for (size_t round = 0; round < 60 + 100 * test_scale(); round++) {
        const float eye[3] = { test_random_in(&random, 20, 40), test_random_in(&random, 20, 40),
                               test_random_in(&random, 0.2f, round % 2 == 0 ? 1.5f : 9) };
        const float forward[3] = { test_random_in(&random, -1, 1), test_random_in(&random, -1, 1),
                                   test_random_in(&random, -1, 0) };
        const float step = round % 3 == 0 ? 0.06f : round % 3 == 1 ? 0.02f : 0.005f;
        for (int i = 0; i < COUNT; i++) {
            const float x = step * (float)(i % 8 + i / 64 % 4 * 8 - SIDE / 2);
            const float y = step * (float)(i / 8 % 8 + i / 256 * 8 - SIDE / 2);
            const float dir[3] = { forward[0] + x * forward[1], forward[1] - x * forward[0],
                                   forward[2] + y };
            p->rays[i] = sl_ray_make(eye, dir);
        }
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            bvh->kernels = sli_kernels_at(k);
            const sl_options options = { .flags = 0 };
            hold_against_single_calls(bvh, &options, p);
        }
    }
}

/* Parallel rays through vertices and edges of a lattice, few at each leaf or many, along axes and
 * aslant, from far away. */
TEST(parallel_lines_get_the_answers_of_rays_alone)
{
    FREED picture *p = malloc(sizeof *p);
    OWN(sl_mesh) mesh = doubled_grid(60);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    const float(*at)[3] = (const float(*)[3])sl_mesh_soup(mesh).xyz;
    test_random random = { SEED };
    for (size_t round = 0; round < 30 + 60 * test_scale(); round++) {
        const float side = round % 2 == 0 ? 0 : 0.75f, way = ldexpf(1, (int)(round % 12));
        const float dir[3] = { test_random_in(&random, -side, side),
                               test_random_in(&random, -side, side), -1 };
        for (int i = 0; i < COUNT; i++) {
            const int x = i % 8 + i / 64 % 4 * 8, y = i / 8 % 8 + i / 256 * 8;
            const int down = round % 3 == 0 ? 1 : 4;
            const float *end = at[(10 + y / down) * 61 + 10 + x / down];
            const float between = (float)(round % 5) * 0.25f * (float)(x % down);
            float eye[3];
            for (int axis = 0; axis < 3; axis++) {
                eye[axis] = end[axis] + (axis == 0 ? between : 0) - way * dir[axis];
            }
            p->rays[i] = sl_ray_make(eye, dir);
        }
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            bvh->kernels = sli_kernels_at(k);
            const sl_options options = { .flags = 0 };
            hold_against_single_calls(bvh, &options, p);
        }
    }
}

/* Camera rays so far apart that each meets triangles of its own: packets look at many more, and are
 * abandoned.  Without that, they look at more than a hundred times as many. */
TEST(packets_that_do_not_pay_are_abandoned)
{
    FREED picture *p = malloc(sizeof *p);
    OWN(sl_mesh) mesh = made_sphere(200);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    for (int orthographic = 0; orthographic < 2; orthographic++) {
        for (int i = 0; i < COUNT; i++) {
            const float x = 0.06f * (float)(i % 8 + i / 64 % 4 * 8 - SIDE / 2);
            const float y = 0.06f * (float)(i / 8 % 8 + i / 256 * 8 - SIDE / 2);
            const float eye[3] = { orthographic ? x : 0, orthographic ? y : 0, 100 };
            const float dir[3] = { orthographic ? 0 : x / 100, orthographic ? 0 : y / 100, -1 };
            p->rays[i] = sl_ray_make(eye, dir);
        }
        for (size_t count = 64; count <= COUNT; count *= 4) {
            sl_stats together, alone;
            count_work(bvh, p->rays, count, p->together, &together, &alone);
            assert_true(together.triangles <= 4 * alone.triangles);
        }
    }
}
