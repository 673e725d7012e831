/* Scenes give the same answers however they are made: nested or as the list of their products, of
 * one identity place and as its tree, by all kernels and numbers of threads; closed rooms of tiles
 * do not leak; what is far away costs nothing, and calls take little stack. */
#include "bvh/scene/scene.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/solids.h"
#include "test/support/input/world.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261124, RAYS = 2000 };

static sl_ray random_ray(const double min[3], const double max[3], test_random *random)
{
    sl_ray ray = { .tmax = INFINITY };
    for (int axis = 0; axis < 3; axis++) {
        const double from = min[axis] + (max[axis] - min[axis]) * (double)test_random_unit(random);
        const double to = min[axis] + (max[axis] - min[axis]) * (double)test_random_unit(random);
        ray.origin[axis] = (float)from;
        ray.dir[axis] = (float)(to - from);
    }
    return ray;
}

/* ---- The same answers ---- */

TEST(one_identity_place_is_its_tree)
{
    for (int kind = 0; kind < SOLID_KINDS; kind++) {
        OWN(sl_bvh) bvh = made_bvh_alone(solid_make((solid_kind)kind), NULL);
        const sl_instance one = sl_instance_of(bvh);
        OWN(sl_bvh) scene = made_scene(&one, 1, NULL);
        const sl_aabb_d bounds = sl_bvh_bounds(scene);
        test_random random = { SEED };
        for (int i = 0; i < RAYS; i++) {
            const sl_ray ray = random_ray(bounds.min, bounds.max, &random);
            sl_hit by_tree, by_scene;
            assert_int_equal(sl_bvh_closest(bvh, &ray, NULL, &by_tree),
                             sl_bvh_closest(scene, &ray, NULL, &by_scene));
            assert_memory_equal(&by_tree, &by_scene, sizeof by_tree);
            assert_int_equal(sl_bvh_all(bvh, &ray, NULL, NULL, 0),
                             sl_bvh_all(scene, &ray, NULL, NULL, 0));
        }
    }
}

/* The list of an inner scene's instances, each in the product of both places. */
TEST(nested_scenes_are_their_list)
{
    enum { INNER = 12, OUTER = 4 };
    test_random random = { SEED };
    OWN(sl_bvh) torus = made_bvh_alone(solid_make(SOLID_TORUS), NULL);
    for (int kind = 0; kind < WORLD_HUGE; kind++) {
        sl_instance inner[INNER], outer[OUTER], list[INNER * OUTER];
        for (size_t i = 0; i < INNER; i++) {
            inner[i] = world_instance(torus, (world_kind)kind, i, &random);
            inner[i].grid = 0;
        }
        OWN(sl_bvh) in = made_scene(inner, INNER, NULL);
        for (size_t i = 0; i < OUTER; i++) {
            outer[i] = world_instance(NULL, WORLD_PLAIN, i, &random);
            outer[i].bvh = in;
            for (size_t k = 0; k < INNER; k++) {
                sl_instance *product = &list[i * INNER + k];
                *product = inner[k];
                product->mask &= outer[i].mask;
                assert_true(sl_transform_product(&outer[i].transform, &inner[k].transform,
                                                 &product->transform));
            }
        }
        OWN(sl_bvh) nested = made_scene(outer, OUTER, NULL);
        OWN(sl_bvh) flat = made_scene(list, INNER * OUTER, NULL);
        const sl_aabb_d bounds = sl_bvh_bounds(flat);
        for (int i = 0; i < RAYS; i++) {
            const sl_ray ray = random_ray(bounds.min, bounds.max, &random);
            const sl_options options = { .mask = i % 2 == 0 ? 1 : 0 };
            sl_hit a, b;
            assert_int_equal(sl_bvh_closest(nested, &ray, &options, &a),
                             sl_bvh_closest(flat, &ray, &options, &b));
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
}

static uint64_t hash_of(const void *bytes, size_t size, uint64_t hash)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ b[i]) * 0x100000001B3u;
    }
    return hash;
}

/* Answers of all kinds to many rays, by arrays. */
static uint64_t answers_of(const sl_bvh *scene, const sl_tasks *tasks)
{
    static sl_ray rays[RAYS];
    static sl_ray_d rays_d[RAYS];
    static sl_segment segments[RAYS];
    static sl_hit hits[RAYS];
    static sl_hit_d hits_d[RAYS];
    static uint8_t any[RAYS];
    static uint64_t counts[RAYS];
    test_random random = { SEED };
    const sl_aabb_d bounds = sl_bvh_bounds(scene);
    memset(hits_d, 0, sizeof hits_d);
    for (int i = 0; i < RAYS; i++) {
        rays[i] = random_ray(bounds.min, bounds.max, &random);
        rays_d[i] = (sl_ray_d){ .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            rays_d[i].origin[axis] = rays[i].origin[axis] + 1e-9;
            rays_d[i].dir[axis] = rays[i].dir[axis];
            segments[i].p[axis] = rays[i].origin[axis];
            segments[i].q[axis] = rays[i].origin[axis] + rays[i].dir[axis];
        }
    }
    uint64_t hash = 0xCBF29CE484222325u;
    sl_bvh_closest_many(scene, sl_rays_of(rays, RAYS), NULL, sl_hits_of(hits), tasks, NULL);
    hash = hash_of(hits, sizeof hits, hash);
    sl_bvh_closest_many(scene, sl_rays_of_d(rays_d, RAYS), NULL, sl_hits_of_d(hits_d), tasks, NULL);
    for (int i = 0; i < RAYS; i++) {
        hash = hash_of(&hits_d[i].t, sizeof hits_d[i].t, hash);
        hash = hash_of(&hits_d[i].prim, sizeof hits_d[i].prim, hash);
    }
    sl_bvh_any_many(scene, sl_rays_of(rays, RAYS), NULL, any, NULL, tasks, NULL);
    hash = hash_of(any, sizeof any, hash);
    sl_bvh_any_many(scene, sl_segments_of(segments, RAYS), NULL, any, NULL, tasks, NULL);
    hash = hash_of(any, sizeof any, hash);
    sl_bvh_closest_many(scene, sl_segments_of(segments, RAYS), NULL, sl_hits_of(hits), tasks, NULL);
    hash = hash_of(hits, sizeof hits, hash);
    sl_bvh_all_many(scene, sl_rays_of(rays, RAYS), NULL, sl_hits_of(NULL), 0, counts, tasks, NULL);
    return hash_of(counts, sizeof counts, hash);
}

TEST(kernels_and_threads_agree)
{
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        test_random random = { SEED + (uint64_t)kind };
        UNDONE(world_destroy) world_case world;
        scrambled_tasks tasks;
        world_make(&world, (world_kind)kind, 50, true, &random);
        const uint64_t expected = answers_of(world.scene, NULL);
        assert_true(answers_of(world.scene, scrambled_tasks_start(&tasks, 3, SEED)) == expected);
        const sli_kernels *kernels;
        for (int i = 0; (kernels = sli_kernels_at(i)) != NULL; i++) {
            world.scene->kernels = kernels;
            assert_true(answers_of(world.scene, NULL) == expected);
        }
    }
}

/* ---- Seams ---- */

/* A unit square of two triangles, in the plane z = 0. */
static sl_bvh *make_tile(void)
{
    static const float xyz[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } };
    static const uint32_t indices[6] = { 0, 1, 3, 0, 3, 2 };
    return made_bvh_alone(made_mesh(xyz[0], 4, indices, 2, NULL), NULL);
}

enum { SIDE = 4, TILES = 6 * SIDE * SIDE };

/* The walls of a room of tiles, each in its place by quarter turns: wall w is across axis w / 2. */
static void build_room(const sl_bvh *tile, double far, double grid, sl_instance tiles[TILES])
{
    for (int i = 0; i < TILES; i++) {
        const int wall = i / (SIDE * SIDE), across = wall / 2,
                  at[2] = { i % SIDE, i / SIDE % SIDE };
        const int x = (across + 1) % 3, y = (across + 2) % 3;
        tiles[i] = sl_instance_of(tile);
        tiles[i].grid = grid;
        sl_transform *place = &tiles[i].transform;
        memset(place, 0, sizeof *place);
        const int turned = wall % 2 == 1 && i % 2 == 1; /* mirrored within its cell */
        place->m[x][0] = turned ? -1 : 1;
        place->m[y][1] = 1;
        place->m[across][2] = 1;
        place->m[x][3] = at[0] + turned + far;
        place->m[y][3] = at[1] + far;
        place->m[across][3] = (wall % 2 == 1 ? SIDE : 0) + far;
    }
}

/* A room of tiles that touch, wherever it is: no ray from within leaves through an edge or a corner
 * where tiles meet, and all cross its walls an odd number of times. */
TEST(tiles_do_not_leak)
{
    OWN(sl_bvh) tile = make_tile();
    static const double far[] = { 0, 1e6 + 1.0 / 3, 1e10 };
    for (size_t f = 0; f < sizeof far / sizeof *far; f++) {
        static sl_instance tiles[TILES];
        build_room(tile, far[f], 0x1p-10, tiles);
        OWN(sl_bvh) scene = made_scene(tiles, TILES, NULL);
        test_random random = { SEED + f };
        const int rays = test_is_brief() ? 200 : 20000 * (int)test_scale();
        for (int i = 0; i < rays; i++) {
            double v[3][3];
            const sl_triangle_ref ref = { .instance = test_random_below(&random, TILES),
                                          .prim = test_random_below(&random, 2) };
            assert_true(sl_bvh_triangle(scene, ref, v));
            const uint32_t corner = test_random_below(&random, 3), kind = (uint32_t)i % 4;
            const double along = kind == 0   ? 0
                                 : kind == 1 ? 0.5
                                             : (double)test_random_unit(&random);
            sl_ray_d ray = { .tmax = INFINITY };
            sl_segment_d segment;
            for (int axis = 0; axis < 3; axis++) {
                const double from = far[f] + 1 + 2 * (double)test_random_unit(&random);
                const double a = v[corner][axis], b = v[(corner + 1) % 3][axis];
                ray.origin[axis] = segment.p[axis] = kind == 1 ? far[f] + 1.5 : from;
                ray.dir[axis] = (a + along * (b - a)) - ray.origin[axis];
                segment.q[axis] = a;
            }
            const sl_options options = { .flags = SL_CROSSINGS };
            assert_true(any_of_one(scene, sl_rays_of_d(&ray, 1), NULL, NULL));
            assert_true(sl_bvh_occluded_d(scene, segment.p, segment.q, NULL));
            assert_int_equal(
                all_of_one(scene, sl_rays_of_d(&ray, 1), &options, sl_hits_of_d(NULL), 0, NULL) % 2,
                1);
        }
    }
}

/* ---- Far away ---- */

/* Boxes on a lattice, and one far from all of them: where it is makes no difference to rays that do
 * not meet it. */
TEST(one_far_instance_costs_nothing)
{
    enum { LATTICE = 10, COUNT = LATTICE * LATTICE * LATTICE + 1 };
    const double side = 0x1p-8 * (double)LATTICE;
    OWN(sl_bvh) cube = made_bvh_alone(solid_make(SOLID_CUBE), NULL);
    static sl_instance boxes[COUNT];
    uint64_t entered[2];
    for (int far = 0; far < 2; far++) {
        for (int i = 0; i < COUNT; i++) {
            const int at[3] = { i % LATTICE, i / LATTICE % LATTICE, i / LATTICE / LATTICE };
            boxes[i] = sl_instance_of(cube);
            for (int axis = 0; axis < 3; axis++) {
                boxes[i].transform.m[axis][axis] = 0x1p-12;
                boxes[i].transform.m[axis][3] = 0x1p-8 * at[axis];
            }
        }
        boxes[COUNT - 1].transform.m[1][3] = far != 0 ? 1e7 : side;
        OWN(sl_bvh) scene = made_scene(boxes, COUNT, NULL);
        sl_stats stats = { .rays = 0 };
        test_random random = { SEED };
        const double min[3] = { 0, 0, 0 };
        const double max[3] = { side, side, side };
        for (int i = 0; i < RAYS; i++) {
            const sl_ray ray = random_ray(min, max, &random);
            sl_bvh_closest_many(scene, sl_rays_of(&ray, 1), NULL, sl_hits_of(NULL), NULL, &stats);
        }
        entered[far] = stats.instances;
    }
    assert_true(entered[0] > RAYS / 10);
    assert_true(entered[1] <= 2 * entered[0]);
}

/* ---- What a call takes ---- */

static sl_bvh *asked_scene;

enum { STACK_BATCH = 150, STACK_COHERENT = 70 }; /* the last ones are; packets take them */

static void query_on_stack(painted_stack *stack, void *context)
{
    (void)context;
    test_random random = { SEED };
    const sl_aabb_d bounds = sl_bvh_bounds(asked_scene);
    for (int i = 0; i < 200; i++) {
        const sl_ray ray = random_ray(bounds.min, bounds.max, &random);
        sl_hit hits[4];
        sl_stats stats = { .rays = 0 };
        (void)sl_bvh_closest(asked_scene, &ray, NULL, hits);
        (void)sl_bvh_any(asked_scene, &ray, NULL);
        (void)sl_bvh_all(asked_scene, &ray, NULL, hits, 4);
        static sl_ray batch[STACK_BATCH]; /* invalid ones at first */
        static sl_hit many[STACK_BATCH];
        static uint8_t any[STACK_BATCH];
        batch[i % (STACK_BATCH - STACK_COHERENT)] = ray;
        for (int k = STACK_BATCH - STACK_COHERENT; k < STACK_BATCH; k++) {
            batch[k] = ray;
            batch[k].tmax = INFINITY;
        }
        const sl_rays rays = sl_rays_of(batch, STACK_BATCH);
        sl_rays apart = rays; /* not in one piece, so they are copied */
        apart.origin[1] = &batch->origin[1];
        apart.origin[2] = &batch->origin[2];
        const sl_hits only_t = { .t = &many->t, .stride = sizeof *many };
        sl_bvh_closest_many(asked_scene, rays, NULL, sl_hits_of(many), NULL, &stats);
        sl_bvh_any_many(asked_scene, rays, NULL, any, NULL, NULL, &stats);
        sl_bvh_closest_many(asked_scene, apart, NULL, only_t, NULL, &stats);
        sl_bvh_any_many(asked_scene, apart, NULL, any, NULL, NULL, &stats);
        painted_stack_note(stack);
    }
}

TEST(little_stack_is_taken)
{
    test_random random = { SEED };
    UNDONE(world_destroy) world_case world;
    world_make(&world, WORLD_PLAIN, 50, true, &random);
    asked_scene = world.scene;
    painted_stack_expect(192 * 1024, 60 * 1024, query_on_stack, NULL); /* arrays among them */
}
