/* Packets of scenes where the arithmetic is tight: a stack of sheets so far from where rays start
 * that the t of several of them round to one float, so that limits lie between them, and the lowest
 * number of those that round alike is the answer.  Arrays by every kernel against single calls. */
#include "bvh/kernel/kernel.h"
#include "bvh/scene/scene.h"
#include "test/support/input/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 20261139, SHEETS = 8, SIDE = 8, ITEMS = 256 };

typedef struct sheets {
    sl_bvh *tree;
    sl_scene *scene;
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
                xyz[3 * n] = (float)(cell % SIDE + quad[corner][0]) / SIDE - 0.5f;
                xyz[3 * n + 1] = (float)(cell / SIDE + quad[corner][1]) / SIDE - 0.5f;
                xyz[3 * n + 2] = -step * (float)sheet;
                indices[n] = (uint32_t)n;
            }
        }
    }
    sl_mesh *mesh = NULL;
    sl_instance instances[2];
    assert_int_equal(sl_mesh_from_arrays(xyz, n, indices, n / 3, NULL, &mesh, NULL), SL_OK);
    assert_int_equal(sl_bvh_build(mesh, NULL, &out->tree, NULL), SL_OK);
    sl_mesh_destroy(mesh);
    for (int i = 0; i < 2; i++) {
        instances[i] = sl_instance_of(out->tree);
        for (int axis = 0; axis < 3; axis++) {
            instances[i].place.m[axis][axis] = scale;
        }
        instances[i].place.m[2][3] = i == 0 ? 0 : -0.4 * (double)step * scale;
    }
    assert_int_equal(sl_scene_build(instances, 2, NULL, &out->scene, NULL), SL_OK);
}

/* Rays from far before the sheets: parallel, or from one point; limits at, or next to, a sheet. */
static void draw(test_random *random, float away, float scale, bool limited, sl_ray *rays)
{
    const bool parallel = test_random_below(random, 2) == 0;
    const float tilt = test_random_below(random, 2) == 0 ? 0 : 0x1p-10f;
    for (int i = 0; i < ITEMS; i++) {
        const float x = scale * test_random_in(random, -0.2f, 0.2f);
        const float y = scale * test_random_in(random, -0.2f, 0.2f);
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
        sl_scene_closest_many(world->scene, rays, ITEMS, NULL, hits, NULL);
        sl_scene_any_many(world->scene, rays, ITEMS, NULL, any, NULL);
        sl_scene_closest_d_many(world->scene, rays_d, ITEMS, NULL, hits_d, NULL);
        sl_scene_any_d_many(world->scene, rays_d, ITEMS, NULL, any_d, NULL);
        for (int i = 0; i < ITEMS; i++) {
            sl_hit hit;
            sl_hit_d hit_d;
            const bool there = sl_scene_closest(world->scene, &rays[i], NULL, &hit);
            (void)sl_scene_closest_d(world->scene, &rays_d[i], NULL, &hit_d);
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
        sl_scene_destroy(world.scene);
        sl_bvh_destroy(world.tree);
    }
    return wrong;
}

static void hits_of_one_t_go_to_the_lowest_number(void **state)
{
    (void)state;
    assert_int_equal(wrong_in(false), 0);
}

static void limits_hold_between_sheets(void **state)
{
    (void)state;
    assert_int_equal(wrong_in(true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_of_one_t_go_to_the_lowest_number),
        cmocka_unit_test(limits_hold_between_sheets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
