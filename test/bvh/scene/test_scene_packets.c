/* Packets of scenes where the arithmetic is tight: a stack of sheets so far from where rays start
 * that the t of several of them round to one float, so that limits lie between them, and the lowest
 * number of those that round alike is the answer.  Arrays by every kernel against single calls. */
#include "bvh/scene/scene.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261139, SHEETS = 8, SIDE = 8, ITEMS = 256 };

typedef struct sheets {
    sl_bvh *tree;
    sl_bvh *scene;
} sheets;

/* Sheets of quads one behind the other, step apart, at z <= 0: the nearest to rays along +z has the
 * highest numbers; one instance of them in each of two layers. */
static void make(sheets *out, float step, double scale)
{
    enum { CORNERS = SHEETS * SIDE * SIDE * 6 };
    static float xyz[3 * CORNERS];
    static uint32_t indices[CORNERS];
    static const int quad[6][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 0 }, { 1, 1 }, { 0, 1 } };
    size_t n = 0;
    for (int sheet = 0; sheet < SHEETS; sheet++) {
        for (int cell = 0; cell < SIDE * SIDE; cell++) {
            for (int corner = 0; corner < 6; corner++, n++) {
                xyz[3 * n] = (float)(cell % SIDE + quad[corner][0]) / (float)SIDE - 0.5f;
                xyz[3 * n + 1] = (float)(cell / SIDE + quad[corner][1]) / (float)SIDE - 0.5f;
                xyz[3 * n + 2] = -step * (float)sheet;
                indices[n] = (uint32_t)n;
            }
        }
    }
    sl_instance instances[2];
    out->tree = made_bvh_alone(made_mesh(xyz, n, indices, n / 3, NULL), NULL);
    for (int i = 0; i < 2; i++) {
        instances[i] = sl_instance_of(out->tree);
        for (int axis = 0; axis < 3; axis++) {
            instances[i].transform.m[axis][axis] = scale;
        }
        instances[i].transform.m[2][3] = i == 0 ? 0 : -0.4 * (double)step * scale;
    }
    out->scene = made_scene(instances, 2, NULL);
}

/* Rays from far before the sheets: parallel, or from one point; limits at, or next to, a sheet. */
static void draw(test_random *random, float away, float scale, bool limited, sl_ray *rays)
{
    const bool parallel = test_random_below(random, 2) == 0;
    const float tilt = test_random_below(random, 2) == 0 ? 0 : 0x1p-10f;
    /* Packets take lines that are no farther apart than an eighth of a tree. */
    const float wide = scale * (test_random_below(random, 2) == 0 ? 0.2f : 0.04f);
    for (int i = 0; i < ITEMS; i++) {
        const float x = wide * test_random_in(random, -1, 1);
        const float y = wide * test_random_in(random, -1, 1);
        rays[i] = (sl_ray){ .origin = { parallel ? x - tilt * away : 0, parallel ? y : 0, -away },
                            .dir = { parallel ? tilt : x / away, parallel ? 0 : y / away, 1 },
                            .tmin = 0,
                            .tmax = INFINITY };
        if (limited) {
            rays[i].tmax = away;
            for (uint32_t k = test_random_below(random, 12); k > 0; k--) {
                rays[i].tmax = nextafterf(rays[i].tmax, 0);
            }
        }
    }
}

static size_t wrong_of(const sheets *world, const sl_ray *rays)
{
    static sl_hit hits[ITEMS];
    static sl_hit_d hits_d[ITEMS];
    static uint8_t any[ITEMS], any_d[ITEMS];
    static sl_ray_d rays_d[ITEMS];
    size_t wrong = 0;
    for (int i = 0; i < ITEMS; i++) {
        rays_d[i] = sl_ray_d_from_ray(&rays[i]);
    }
    const sli_kernels *kernels, *own = world->scene->kernels;
    for (int k = 0; (kernels = sli_kernels_at(k)) != NULL; k++) {
        world->scene->kernels = kernels;
        sl_bvh_closest_many(world->scene, sl_rays_of(rays, ITEMS), NULL, sl_hits_of(hits), NULL,
                            NULL);
        sl_bvh_any_many(world->scene, sl_rays_of(rays, ITEMS), NULL, any, NULL, NULL, NULL);
        sl_bvh_closest_many(world->scene, sl_rays_of_d(rays_d, ITEMS), NULL, sl_hits_of_d(hits_d),
                            NULL, NULL);
        sl_bvh_any_many(world->scene, sl_rays_of_d(rays_d, ITEMS), NULL, any_d, NULL, NULL, NULL);
        for (int i = 0; i < ITEMS; i++) {
            sl_hit hit;
            sl_hit_d hit_d;
            const bool there = sl_bvh_closest(world->scene, &rays[i], NULL, &hit);
            (void)sl_bvh_closest_d(world->scene, &rays_d[i], NULL, &hit_d);
            wrong += memcmp(&hit, &hits[i], sizeof hit) != 0;
            wrong += memcmp(&hit_d, &hits_d[i], sizeof hit_d) != 0;
            wrong += any[i] != there;
            wrong += any_d[i] != there;
        }
    }
    world->scene->kernels = own;
    return wrong;
}

static size_t wrong_in(bool limited)
{
    test_random random = { SEED };
    static sl_ray rays[ITEMS];
    size_t wrong = 0;
    for (int i = 0; i < 48; i++) {
        const float scale = i % 3 == 0 ? 1 : i % 3 == 1 ? 0x1p-4f : 3;
        const float away = 0x1p20f * test_random_in(&random, 0.01f, 1.9f);
        sheets world;
        make(&world, 0x1p-6f, (double)scale);
        draw(&random, away, scale, limited, rays);
        wrong += wrong_of(&world, rays);
        sl_bvh_destroy(world.scene);
        sl_bvh_destroy(world.tree);
    }
    return wrong;
}

TEST(hits_of_one_t_go_to_the_lowest_number)
{
    assert_int_equal(wrong_in(false), 0);
}

TEST(limits_hold_between_sheets)
{
    assert_int_equal(wrong_in(true), 0);
}

/* Of a packet's rays every other one has a direction that is long enough to be read, and whose
 * largest component is too small to be taken to the top tree: it is answered alone. */
TEST(what_the_top_does_not_take_is_not_lost)
{
    sheets world;
    sl_ray rays[ITEMS];
    sl_hit hits[ITEMS], alone;
    make(&world, 0x1p-6f, 1);
    for (int i = 0; i < ITEMS; i++) {
        const float size = i % 2 == 0 ? 1 : 0x1.8p-41f;
        const float x = 0.4f + 0x1p-8f * (float)(i % 8), y = 0.1f + 0x1p-8f * (float)(i / 8 % 8);
        rays[i] = (sl_ray){ .origin = { -0.4f, -0.1f, -1 },
                            .dir = { x * size, y * size, size },
                            .tmax = INFINITY };
    }
    sl_bvh_closest_many(world.scene, sl_rays_of(rays, ITEMS), NULL, sl_hits_of(hits), NULL, NULL);
    for (int i = 0; i < ITEMS; i++) {
        assert_true(sl_bvh_closest(world.scene, &rays[i], NULL, &alone));
        assert_memory_equal(&alone, &hits[i], sizeof alone);
    }
    sl_bvh_destroy(world.scene);
    sl_bvh_destroy(world.tree);
}

/* ---- Limits and ends within a few roundings of what is hit ---- */

typedef struct near_limits {
    sl_ray rays[ITEMS];
    sl_ray_d rays_d[ITEMS];
    sl_segment segments[ITEMS];
    sl_segment_d segments_d[ITEMS];
} near_limits;

/* One sheet that is turned, stretched, perhaps mirrored, and moved by as much as scale. */
static void make_turned(sheets *out, uint32_t kind, double scale)
{
    static const float turn[3][3] = { { 0.8f, -0.36f, 0.48f },
                                      { 0.6f, 0.48f, -0.64f },
                                      { 0, 0.8f, 0.6f } };
    sheets flat;
    make(&flat, 0x1p-6f, 1);
    sl_instance instance = sl_instance_of(flat.tree);
    for (int i = 0; i < 3; i++) {
        const double size = kind == 0 && i == 2 ? 0x1p-7 : kind == 1 && i == 0 ? -1 : 1;
        for (int axis = 0; axis < 3; axis++) {
            instance.transform.m[axis][i] = scale * size * (double)turn[axis][i];
        }
        instance.transform.m[i][3] = kind == 3 ? scale * 1000 : scale * 0.37;
    }
    sl_bvh_destroy(flat.scene);
    out->tree = flat.tree;
    out->scene = made_scene(&instance, 1, NULL);
}

/* Sets the limits and ends of rays of a camera, or parallel ones, to what they hit, give or take a
 * few roundings. */
static void draw_near(const sheets *world, float scale, test_random *random, near_limits *out)
{
    const sl_aabb_d bounds = sl_bvh_bounds(world->scene);
    const bool parallel = test_random_below(random, 2) == 0;
    const float away = scale * test_random_in(random, 0.1f, 4);
    for (int i = 0; i < ITEMS; i++) {
        sl_ray *ray = &out->rays[i];
        *ray = (sl_ray){ .tmin = 0, .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            const float middle = (float)(0.5 * (bounds.min[axis] + bounds.max[axis]));
            const float at = scale * test_random_in(random, -0.2f, 0.2f);
            ray->origin[axis] = middle + away * (float)(1 + axis) / 3 + (parallel ? at : 0);
            ray->dir[axis] = -(away * (float)(1 + axis) / 3) + (parallel ? 0 : at);
        }
        sl_hit_d hit;
        sl_ray_d *ray_d = &out->rays_d[i];
        *ray_d = sl_ray_d_from_ray(ray);
        const bool there = sl_bvh_closest_d(world->scene, ray_d, NULL, &hit);
        const double t = there ? hit.t : 1;
        const int off = (int)test_random_below(random, 13) - 6;
        for (int axis = 0; axis < 3; axis++) {
            const double end = ray_d->origin[axis] + t * ray_d->dir[axis];
            const float toward = off < 0 ? ray->origin[axis] : 2 * (float)end - ray->origin[axis];
            float q = (float)end;
            for (int k = 0; k < abs(off); k++) {
                q = nextafterf(q, toward);
            }
            out->segments[i].p[axis] = ray->origin[axis];
            out->segments[i].q[axis] = q;
            out->segments_d[i].p[axis] = ray_d->origin[axis];
            out->segments_d[i].q[axis] =
                ray_d->origin[axis] + t * (1 + off * 0x1p-26) * ray_d->dir[axis];
        }
        ray->tmax = (float)t;
        for (int k = 0; k < abs(off); k++) {
            ray->tmax = nextafterf(ray->tmax, off < 0 ? 0 : INFINITY);
        }
        ray_d->tmax = t * (1 + off * (i % 2 == 0 ? 0x1p-25 : 0x1p-52));
        if (i % 16 == 0) { /* the limit at the other end */
            ray->tmin = ray->tmax;
            ray_d->tmin = ray_d->tmax;
            ray->tmax = INFINITY;
            ray_d->tmax = INFINITY;
        }
    }
}

/* Arrays of any hits against single calls, by every kernel. */
static size_t wrong_near(const sheets *world, const near_limits *ask, const sl_options *options)
{
    static uint8_t any[4][ITEMS];
    size_t wrong = 0;
    const sli_kernels *kernels, *own = world->scene->kernels;
    for (int k = 0; (kernels = sli_kernels_at(k)) != NULL; k++) {
        world->scene->kernels = kernels;
        sl_bvh_any_many(world->scene, sl_rays_of(ask->rays, ITEMS), options, any[0], NULL, NULL,
                        NULL);
        sl_bvh_any_many(world->scene, sl_rays_of_d(ask->rays_d, ITEMS), options, any[1], NULL, NULL,
                        NULL);
        sl_bvh_any_many(world->scene, sl_segments_of(ask->segments, ITEMS), options, any[2], NULL,
                        NULL, NULL);
        sl_bvh_any_many(world->scene, sl_segments_of_d(ask->segments_d, ITEMS), options, any[3],
                        NULL, NULL, NULL);
        for (int i = 0; i < ITEMS; i++) {
            wrong += any[0][i] != sl_bvh_any(world->scene, &ask->rays[i], options);
            wrong += any[1][i] !=
                     any_of_one(world->scene, sl_rays_of_d(&ask->rays_d[i], 1), options, NULL);
            wrong += any[2][i] !=
                     sl_bvh_occluded(world->scene, ask->segments[i].p, ask->segments[i].q, options);
            wrong += any[3][i] != sl_bvh_occluded_d(world->scene, ask->segments_d[i].p,
                                                    ask->segments_d[i].q, options);
        }
    }
    world->scene->kernels = own;
    return wrong;
}

TEST(limits_hold_next_to_hits)
{
    test_random random = { SEED };
    static near_limits ask;
    static const float scales[4] = { 1, 0x1p-12f, 1000, 3 };
    static const sl_instance_range others = { 1, 7 };
    const sl_options queries[4] = {
        { .flags = 0 },
        { .ignore = &others, .ignore_count = 1 },
        { .mask = 1, .skip = &(sl_triangle_ref){ 0, 7 }, .skip_count = 1 },
        { .flags = SL_CROSSINGS },
    };
    size_t wrong = 0;
    for (uint32_t i = 0; i < 128; i++) {
        const float scale = scales[i / 4 % 4];
        const sl_options options = queries[i / 16 % 4];
        sheets world;
        make_turned(&world, i % 4, (double)scale);
        draw_near(&world, scale, &random, &ask);
        wrong += wrong_near(&world, &ask, &options);
        sl_bvh_destroy(world.scene);
        sl_bvh_destroy(world.tree);
    }
    assert_int_equal(wrong, 0);
}
