/* Instances that stand still, in one tree over their triangles: every answer is that of the same
 * world without such a tree, bit for bit, whatever memory the tree has, where it is named and in
 * every version; what cannot go in stays an instance; and failures leave nothing behind.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds. */
#include "bvh/scene/scene.h"
#include "test/support/input/solids.h"
#include "test/support/input/world.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261128, STILL = 40, MOVING = 9, MOST = STILL + MOVING, RAYS = 200 };

/* A world as a plain array, and with one tree for the first STILL of it. */
typedef struct still_case {
    world_case trees;
    sl_instance instances[MOST];
    sl_bvh *plain, *inner, *outer;
    bool found; /* some instance is in the tree */
} still_case;

static sl_instances_def left_out(void)
{
    sl_instances_def def = (sl_instances_def){ 0 };
    def.bad = SL_BAD_INSTANCES_LEAVE_OUT;
    return def;
}

/* The outer scene: what stands still, and then what moves. */
static sl_bvh *make_outer(const still_case *c, const sl_instances_def *def)
{
    sl_instance outer[1 + MOVING];
    outer[0] = sl_instance_of(c->inner);
    memcpy(outer + 1, c->instances + STILL, sizeof *outer * MOVING);
    return made_scene(outer, 1 + MOVING, def);
}

/* memory: for the tree.  Where there are copies, questions that skip or ignore do without it. */
static void make(still_case *c, world_kind kind, bool copies, size_t memory, test_random *random)
{
    sl_instances_def def = left_out();
    world_make(&c->trees, kind, 2, false, random);
    for (uint32_t i = 0; i < MOST; i++) {
        const uint32_t tree = kind == WORLD_TILED ? 0 : test_random_below(random, WORLD_TREES);
        c->instances[i] = world_instance(c->trees.trees[tree], kind, i, random);
        if (copies && i % 17 == 3) {
            c->instances[i] = c->instances[i - 1];
        }
        if (i % 17 == 9) {
            c->instances[i].bvh = NULL;
        }
        if (kind == WORLD_TILED || kind == WORLD_MOVED) {
            c->instances[i].mask = UINT32_MAX;
        }
    }
    c->plain = made_scene(c->instances, MOST, &def);
    def.static_memory = memory;
    c->inner = made_scene(c->instances, STILL, &def);
    def.static_memory = 0;
    c->outer = make_outer(c, &def);
    const sl_bvh_info inner = sl_bvh_get_info(c->inner), outer = sl_bvh_get_info(c->outer);
    assert_int_equal(inner.static_count, outer.static_count);
    assert_int_equal(inner.static_triangle_count, outer.static_triangle_count);
    assert_true(inner.static_triangle_count * 60 <= memory);
    c->found = inner.static_count > 0;
    assert_int_equal(c->outer->instances->still_world.top != NULL, c->found);
}

static void destroy(still_case *c)
{
    sl_bvh_destroy(c->outer);
    sl_bvh_destroy(c->inner);
    sl_bvh_destroy(c->plain);
    world_destroy(&c->trees);
}

/* What is asked; the first half goes from near one point to near another, so that packets form. */
static sl_segment segments[RAYS];
static sl_segment_d segments_d[RAYS];
static sl_ray rays[RAYS];
static sl_ray_d rays_d[RAYS];

/* A corner of a triangle, a point of an edge, or one inside. */
static void draw_point(const sl_bvh *scene, test_random *random, double point[3])
{
    double v[3][3];
    (void)world_triangle(scene, random, v);
    const uint32_t kind = test_random_below(random, 3);
    const double b = kind == 0 ? 0 : 0.5 * (double)test_random_unit(random);
    const double c = kind <= 1 ? 0 : 0.5 * (double)test_random_unit(random);
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = (1 - b - c) * v[0][axis] + b * v[1][axis] + c * v[2][axis];
    }
}

static void draw(const sl_bvh *scene, test_random *random)
{
    double p[3], q[3], from[3], to[3];
    draw_point(scene, random, from);
    draw_point(scene, random, to);
    for (int i = 0; i < RAYS; i++) {
        draw_point(scene, random, p);
        draw_point(scene, random, q);
        const double reach = test_random_below(random, 2) == 0 ? 1 : 3;
        for (int axis = 0; axis < 3; axis++) {
            const double end = i < RAYS / 2 ? to[axis] + 1e-3 * (q[axis] - to[axis]) : q[axis];
            const double begin = i < RAYS / 2 ? from[axis] : p[axis];
            segments[i].p[axis] = rays[i].origin[axis] = (float)begin;
            segments[i].q[axis] = (float)end;
            segments_d[i].p[axis] = rays_d[i].origin[axis] = begin;
            segments_d[i].q[axis] = end;
            rays[i].dir[axis] = segments[i].q[axis] - segments[i].p[axis];
            rays_d[i].dir[axis] = end - begin;
        }
        rays[i].tmax = (float)reach;
        rays_d[i].tmax = reach;
        rays[i].tmin = i % 5 == 0 ? 0x1p-20f : 0;
        rays_d[i].tmin = i % 7 == 0 ? 0x1p-30 : 0;
    }
    rays[7].dir[1] = NAN;
    segments[9].q[0] = INFINITY;
}

static bool odd_instances(void *user, size_t index, const sl_hit *hit)
{
    (void)user;
    (void)index;
    return hit->instance % 2 != 0;
}

/* Whether item i meets the instance of a hint, of which the triangle is not left out. */
static bool hint_is_hit(const sl_bvh *bvh, int form, size_t i, const sl_options *options,
                        sl_triangle_ref hint)
{
    const sl_rays forms[4] = { sl_rays_of(&rays[i], 1), sl_segments_of(&segments[i], 1),
                               sl_rays_of_d(&rays_d[i], 1), sl_segments_of_d(&segments_d[i], 1) };
    const sl_instance_range others[2] = { { 0, hint.instance }, { hint.instance + 1, UINT32_MAX } };
    sl_options only = *options;
    only.ignore = others;
    only.ignore_count = 2;
    for (size_t k = 0; k < options->skip_count; k++) {
        if (options->skip[k].instance == hint.instance && options->skip[k].prim == hint.prim) {
            return false;
        }
    }
    return any_of_one(bvh, forms[form], &only, NULL);
}

/* Arrays: closest and any of all forms, with hints that are those of the other world, too. */
static void assert_many(const sl_bvh *a, const sl_bvh *b, const sl_options *o, bool few)
{
    static sl_hit x[RAYS], y[RAYS];
    static sl_hit_d xd[RAYS], yd[RAYS];
    const size_t count = few ? 20 : RAYS;
    const sl_rays all[4] = { sl_rays_of(rays, count), sl_segments_of(segments, count),
                             sl_rays_of_d(rays_d, count), sl_segments_of_d(segments_d, count) };
    for (int form = 0; form < 4; form++) {
        uint8_t any_x[RAYS], any_y[RAYS];
        sl_triangle_ref hints[RAYS];
        memset(x, 0, sizeof x);
        memset(y, 0, sizeof y);
        memset(xd, 0, sizeof xd);
        memset(yd, 0, sizeof yd);
        sl_bvh_closest_many(a, all[form], o, sl_hits_of(x), NULL, NULL);
        sl_bvh_closest_many(b, all[form], o, sl_hits_of(y), NULL, NULL);
        assert_memory_equal(x, y, sizeof x);
        sl_bvh_closest_many(a, all[form], o, sl_hits_of_d(xd), NULL, NULL);
        sl_bvh_closest_many(b, all[form], o, sl_hits_of_d(yd), NULL, NULL);
        assert_memory_equal(xd, yd, sizeof xd);
        sl_bvh_any_many(a, all[form], o, any_x, NULL, NULL, NULL);
        for (int i = 0; i < RAYS; i++) {
            hints[i] = (sl_triangle_ref){ .instance = (uint32_t)i % MOST, .prim = 0 };
        }
        for (int round = 0; round < 3; round++) {
            sl_bvh_any_many(b, all[form], o, any_y, round > 0 ? hints : NULL, NULL, NULL);
            assert_memory_equal(any_x, any_y, count);
        }
        for (size_t i = 0; i < count; i++) {
            assert_true(any_y[i] == 0 || hint_is_hit(a, form, i, o, hints[i]));
        }
    }
}

static void assert_single(const sl_bvh *a, const sl_bvh *b, const sl_options *o)
{
    for (int i = 0; i < RAYS; i += 4) {
        sl_hit x = { 0 }, y = { 0 }, row[2][6];
        sl_hit_d xd = { 0 }, yd = { 0 };
        memset(row, 0, sizeof row);
        assert_int_equal(sl_bvh_closest(a, &rays[i], o, &x), sl_bvh_closest(b, &rays[i], o, &y));
        assert_memory_equal(&x, &y, sizeof x);
        assert_int_equal(sl_bvh_closest_d(a, &rays_d[i], o, &xd),
                         sl_bvh_closest_d(b, &rays_d[i], o, &yd));
        assert_memory_equal(&xd, &yd, sizeof xd);
        assert_int_equal(sl_bvh_any(a, &rays[i], o), sl_bvh_any(b, &rays[i], o));
        assert_int_equal(sl_bvh_occluded(a, segments[i].p, segments[i].q, o),
                         sl_bvh_occluded(b, segments[i].p, segments[i].q, o));
        assert_int_equal(sl_bvh_all(a, &rays[i], o, row[0], 6),
                         sl_bvh_all(b, &rays[i], o, row[1], 6));
        assert_memory_equal(row[0], row[1], sizeof row[0]);
        assert_int_equal(sl_bvh_next(a, &rays[i], o, &x, &row[0][0]),
                         sl_bvh_next(b, &rays[i], o, &y, &row[1][0]));
        assert_memory_equal(row[0], row[1], sizeof row[0][0]);
        sl_nearest p = { .prim = 0 }, q = { .prim = 0 };
        if (o->filter == NULL) {
            assert_int_equal(sl_bvh_nearest(a, segments[i].q, INFINITY, o, &p),
                             sl_bvh_nearest(b, segments[i].q, INFINITY, o, &q));
            assert_memory_equal(&p, &q, sizeof p);
        }
    }
}

static void assert_answers(const sl_bvh *a, const sl_bvh *b, test_random *random)
{
    const sl_instance_range ranges[2] = { { 2, 3 }, { MOST - 4, UINT32_MAX } };
    sl_triangle_ref skipped[4];
    double unused[3][3];
    for (int i = 0; i < 4; i++) {
        skipped[i] = world_triangle(a, random, unused);
    }
    const sl_options options[] = { { .mask = 0 },
                                   { .cull = SL_CULL_BACK },
                                   { .flags = SL_OPEN_START | SL_OPEN_END },
                                   { .mask = 1 },
                                   { .skip = skipped, .skip_count = 4 },
                                   { .ignore = ranges, .ignore_count = 2 },
                                   { .mask = 8, .ignore = ranges, .ignore_count = 1 },
                                   { .filter = odd_instances } };
    draw(a, random);
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        assert_many(a, b, &options[k], options[k].filter != NULL);
        assert_single(a, b, &options[k]);
    }
}

TEST(answers_are_those_without_the_tree)
{
    test_random random = { SEED };
    size_t found = 0, worlds = 0;
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        for (size_t round = 0; round < 3 * test_scale(); round++) {
            const size_t memory[3] = { SIZE_MAX, 16000, 1 };
            UNDONE(destroy) still_case c;
            make(&c, (world_kind)kind, (round + (size_t)kind) % 2 == 0, memory[round % 3], &random);
            for (int i = 0; sli_kernels_at(i) != NULL; i++) {
                c.outer->kernels = sli_kernels_at(i);
                assert_answers(c.plain, c.outer, &random);
            }
            found += c.found;
            worlds++;
        }
    }
    assert_int_equal(found, worlds / 3 * 2);
}

/* The scene with the tree by itself; named where the tree cannot be used, or next to another. */
TEST(wherever_the_tree_is_named)
{
    test_random random = { SEED + 1 };
    for (int round = 0; round < 6; round++) {
        UNDONE(destroy) still_case c;
        const sl_instances_def def = left_out();
        make(&c, round % 2 == 0 ? WORLD_PLAIN : WORLD_TILED, round < 2,
             round == 4 ? 9000 : SIZE_MAX, &random);
        OWN(sl_bvh) alone = made_scene(c.instances, STILL, &def);
        assert_answers(alone, c.inner, &random);
        sl_instance named[3] = { sl_instance_of(c.inner), sl_instance_of(c.inner),
                                 sl_instance_of(c.plain) };
        sl_instance without[3] = { sl_instance_of(alone), sl_instance_of(alone), named[2] };
        for (int i = 0; i < 2; i++) {
            named[i].mask = without[i].mask = i == round % 3 ? 3 : UINT32_MAX;
            named[i].grid = without[i].grid = round == 3 && i == 0 ? 0x1p-12 : 0;
            named[i].transform.m[1][3] = without[i].transform.m[1][3] = round == 5 ? 0.5 : 0;
            named[i].transform.m[0][3] = without[i].transform.m[0][3] = i == 1 ? -0.0 : 0;
        }
        OWN(sl_bvh) a = made_scene(without, 3, &def);
        OWN(sl_bvh) b = made_scene(named, 3, &def);
        const size_t in = sl_bvh_get_info(c.inner).static_count;
        assert_int_equal(sl_bvh_get_info(b).static_count, round == 5   ? 0
                                                          : round == 3 ? in
                                                                       : 2 * in);
        assert_answers(a, b, &random);
    }
}

/* Only what moves is built anew: the tree is the same, and so is the memory after some rounds. */
TEST(versions_keep_the_tree)
{
    test_random random = { SEED + 2 };
    UNDONE(destroy) still_case c;
    sli_failing_allocator memory;
    sl_instances_def def = left_out();
    make(&c, WORLD_MIRRORED, false, SIZE_MAX, &random);
    def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    sl_bvh *versions[3] = { NULL };
    size_t allocations = 0;
    for (int frame = 0; frame < 120; frame++) {
        for (int i = STILL; i < MOST; i++) {
            c.instances[i].transform.m[frame % 3][3] +=
                0.1 * (double)test_random_in(&random, -1, 1);
        }
        sl_bvh **at = &versions[frame % 3];
        def.previous = versions[(frame + 2) % 3];
        def.recycle = *at;
        *at = make_outer(&c, &def);
        allocations = frame < 60 ? memory.allocations : allocations;
        if (frame % 20 == 19) {
            const sl_instances_def plain = left_out();
            OWN(sl_bvh) fresh = made_scene(c.instances, MOST, &plain);
            assert_true((*at)->instances->still_world.top != NULL);
            assert_answers(fresh, *at, &random);
        }
    }
    assert_int_equal(memory.allocations, allocations);
    for (int i = 0; i < 3; i++) {
        sl_bvh_destroy(versions[i]);
    }
    assert_true(sli_failing_allocator_clean(&memory));
}

static bool stop(void *user, const char *phase, float fraction)
{
    int *left = user;
    (void)phase;
    (void)fraction;
    return (*left)-- > 0;
}

/* By memory, then by the hook, at each step. */
TEST(failures_leave_nothing)
{
    test_random random = { SEED + 3 };
    UNDONE(destroy) still_case c;
    make(&c, WORLD_PLAIN, true, SIZE_MAX, &random);
    sl_instances_def def = left_out();
    def.static_memory = SIZE_MAX;
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    size_t rounds = 0;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        sl_bvh *bvh = NULL;
        const sl_result result = sl_bvh_build_instances(c.instances, STILL, &def, &bvh, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_int_equal(bvh != NULL, result == SL_OK);
        sl_bvh_destroy(bvh);
        rounds++;
    }
    assert_in_range(rounds, 20, 1000);
    for (int steps = 0;; steps++) {
        int left = steps;
        sl_bvh *bvh = NULL;
        sl_error error;
        def.hooks.progress = (sl_progress){ stop, &left };
        def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        const sl_result result = sl_bvh_build_instances(c.instances, STILL, &def, &bvh, &error);
        sl_bvh_destroy(bvh);
        assert_true(sli_failing_allocator_clean(&memory));
        if (result == SL_OK) {
            break;
        }
        assert_int_equal(result, SL_CANCELLED);
    }
}

/* The largest boxes for their triangles go in first; compact trees, and what is too small for the
 * floats of the world, do not. */
TEST(those_that_gain_most_go_in)
{
    OWN(sl_bvh) cube = made_bvh_alone(solid_make(SOLID_CUBE), NULL);
    OWN(sl_bvh) sphere = made_bvh_alone(solid_make(SOLID_SPHERE), NULL);
    OWN(sl_bvh)
    compact =
        made_bvh_alone(solid_make(SOLID_CUBE), &(sl_build_def){ .layout = SL_BVH_LAYOUT_COMPACT });
    const size_t of_cube = sl_bvh_get_info(cube).triangle_count;
    sl_instance instances[5] = { sl_instance_of(sphere), sl_instance_of(cube), sl_instance_of(cube),
                                 sl_instance_of(compact), sl_instance_of(cube) };
    for (int i = 0; i < 5; i++) {
        instances[i].transform.m[0][3] = 4 * i;
    }
    for (int axis = 0; axis < 3; axis++) {
        instances[1].transform.m[axis][axis] = 1.5;
        instances[4].transform.m[axis][axis] = 1e-6;
    }
    sl_instances_def def = { .static_memory = 96 * of_cube };
    OWN(sl_bvh) one = made_scene(instances, 5, &def);
    assert_int_equal(sl_bvh_get_info(one).static_triangle_count, of_cube);
    assert_int_equal(one->instances->still.numbers[0], 1);
    def.static_memory = SIZE_MAX;
    OWN(sl_bvh) all = made_scene(instances, 5, &def);
    assert_int_equal(sl_bvh_get_info(all).static_count, 3);
    assert_int_equal(all->instances->still.numbers[0], 0);
    def.static_memory = 96 * of_cube - 1;
    OWN(sl_bvh) none = made_scene(instances, 5, &def);
    assert_int_equal(sl_bvh_get_info(none).static_count, 0);
    OWN(sl_bvh) empty = made_scene(NULL, 0, &def);
    assert_int_equal(sl_bvh_get_info(empty).static_count, 0);
}

/* 128 copies of two spheres in a row, over which one tree would be larger than caches: where they
 * stand apart they keep their trees; on one another they share one.  Apart they do so where
 * there are more than an eighth as many trees. */
TEST(copies_of_few_trees_that_stand_apart_keep_them)
{
    enum { COPIES = 128, SPHERES = 17 };
    const sl_mesh_shape shape = { SL_MESH_SPHERE, { .sphere = { 32 } } };
    const sl_instances_def def = { .static_memory = SIZE_MAX };
    const int trees[4] = { 2, 2, 16, 17 };
    const size_t static_count[4] = { 0, COPIES, 0, COPIES };
    sl_bvh *spheres[SPHERES];
    for (int i = 0; i < SPHERES; i++) {
        sl_mesh *mesh = NULL;
        assert_int_equal(sl_mesh_generate(&shape, NULL, &mesh, NULL), SL_OK);
        spheres[i] = made_bvh_alone(mesh, NULL);
    }
    for (int kind = 0; kind < 4; kind++) {
        sl_instance instances[COPIES];
        for (int i = 0; i < COPIES; i++) {
            instances[i] = sl_instance_of(spheres[i % trees[kind]]);
            instances[i].transform.m[0][3] = kind == 1 ? 0.01 * i : 3 * i;
        }
        OWN(sl_bvh) scene = made_scene(instances, COPIES, &def);
        assert_int_equal(sl_bvh_get_info(scene).static_count, static_count[kind]);
    }
    for (int i = 0; i < SPHERES; i++) {
        sl_bvh_destroy(spheres[i]);
    }
}
