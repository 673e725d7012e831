/* Whole instances that a question ignores: every question about rays and segments,
 * single and in arrays, by every kernel, is that to a scene in which they are holes; so are
 * questions about points and volumes.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds. */
#include "bvh/scene/scene.h"
#include "test/support/input/sights.h"
#include "test/support/input/world.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261136, INSTANCES = 30, ITEMS = 120, RANGES = 2 };

/* A world, and the same with holes for what a range names. */
typedef struct ignore_case {
    world_case trees;
    sl_instance instances[INSTANCES];
    sl_bvh *scene, *holed;
    sl_instance_range ranges[RANGES];
} ignore_case;

static bool is_ignored(const ignore_case *c, uint32_t instance)
{
    for (int i = 0; i < RANGES; i++) {
        const sl_instance_range range = c->ranges[i];
        if (instance >= range.first && instance < (uint64_t)range.first + range.count) {
            return true;
        }
    }
    return false;
}

static void make(ignore_case *c, world_kind kind, test_random *random)
{
    sl_instances_def def = (sl_instances_def){ 0 };
    sl_instance holed[INSTANCES];
    def.bad = SL_BAD_INSTANCES_LEAVE_OUT;
    world_make(&c->trees, kind, 2, false, random);
    c->ranges[0] =
        (sl_instance_range){ test_random_below(random, INSTANCES), test_random_below(random, 6) };
    c->ranges[1] = (sl_instance_range){ INSTANCES - 3, UINT32_MAX };
    for (uint32_t i = 0; i < INSTANCES; i++) {
        c->instances[i] =
            world_instance(c->trees.trees[test_random_below(random, WORLD_TREES)], kind, i, random);
        holed[i] = c->instances[i];
        if (is_ignored(c, i)) {
            holed[i].bvh = NULL;
        }
    }
    c->scene = made_scene(c->instances, INSTANCES, &def);
    c->holed = made_scene(holed, INSTANCES, &def);
}

static void destroy(ignore_case *c)
{
    sl_bvh_destroy(c->holed);
    sl_bvh_destroy(c->scene);
    world_destroy(&c->trees);
}

/* What is asked: segments, and rays along them. */
static sl_segment segments[ITEMS];
static sl_ray rays[ITEMS];

static void draw(const ignore_case *c, test_random *random)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        const sl_sight_end p = sights_end(c->scene, 0, random), q = sights_end(c->scene, 0, random);
        rays[i].tmax = 2;
        for (int axis = 0; axis < 3; axis++) {
            segments[i].p[axis] = rays[i].origin[axis] = (float)p.at[axis];
            segments[i].q[axis] = (float)q.at[axis];
            rays[i].dir[axis] = (float)(q.at[axis] - p.at[axis]);
        }
    }
}

static size_t wrong_alone(const ignore_case *c, const sl_options *options)
{
    size_t wrong = 0;
    const sl_options plain = { .mask = options->mask };
    for (size_t i = 0; i < ITEMS; i++) {
        sl_hit a[2], b[2], list[2][4];
        sl_hit_d d[2];
        memset(list, 0, sizeof list);
        const sl_ray_d ray_d = sl_ray_d_from_ray(&rays[i]);
        wrong += sl_bvh_closest(c->scene, &rays[i], options, &a[0]) !=
                 sl_bvh_closest(c->holed, &rays[i], &plain, &a[1]);
        wrong += sl_bvh_next(c->scene, &rays[i], options, &a[0], &b[0]) !=
                 sl_bvh_next(c->holed, &rays[i], &plain, &a[1], &b[1]);
        wrong += sl_bvh_all(c->scene, &rays[i], options, list[0], 4) !=
                 sl_bvh_all(c->holed, &rays[i], &plain, list[1], 4);
        wrong += sl_bvh_any(c->scene, &rays[i], options) != sl_bvh_any(c->holed, &rays[i], &plain);
        wrong += sl_bvh_all(c->scene, &rays[i], options, NULL, 0) !=
                 sl_bvh_all(c->holed, &rays[i], &plain, NULL, 0);
        wrong += sl_bvh_occluded(c->scene, segments[i].p, segments[i].q, options) !=
                 sl_bvh_occluded(c->holed, segments[i].p, segments[i].q, &plain);
        wrong += sl_bvh_closest_d(c->scene, &ray_d, options, &d[0]) !=
                 sl_bvh_closest_d(c->holed, &ray_d, &plain, &d[1]);
        wrong += memcmp(list[0], list[1], sizeof list[0]) != 0;
        if (a[0].t == a[0].t) { /* no NaN as a limit */
            wrong += memcmp(&a[0], &a[1], sizeof a[0]) != 0;
        }
        wrong += d[0].prim != d[1].prim || d[0].instance != d[1].instance;
    }
    return wrong;
}

/* Hints name triangles of instances that are ignored, too. */
static size_t wrong_together(const ignore_case *c, const sl_options *options, test_random *random)
{
    static sl_hit hits[2][ITEMS];
    static uint8_t any[2][ITEMS], occluded[2][ITEMS], hinted[ITEMS];
    static sl_triangle_ref hints[ITEMS];
    const sl_options plain = { .mask = options->mask };
    for (size_t i = 0; i < ITEMS; i++) {
        sl_hit hit; /* what blocks where nothing is ignored */
        (void)closest_of_one(c->scene, sl_segments_of(&segments[i], 1), NULL, sl_hits_of(&hit));
        hints[i] = (sl_triangle_ref){ hit.instance, hit.prim };
        if (test_random_below(random, 4) == 0) {
            hints[i] = (sl_triangle_ref){ test_random_below(random, INSTANCES), 0 };
        }
    }
    sl_bvh_closest_many(c->scene, sl_rays_of(rays, ITEMS), options, sl_hits_of(hits[0]), NULL,
                        NULL);
    sl_bvh_closest_many(c->holed, sl_rays_of(rays, ITEMS), &plain, sl_hits_of(hits[1]), NULL, NULL);
    sl_bvh_any_many(c->scene, sl_rays_of(rays, ITEMS), options, any[0], NULL, NULL, NULL);
    sl_bvh_any_many(c->holed, sl_rays_of(rays, ITEMS), &plain, any[1], NULL, NULL, NULL);
    sl_bvh_any_many(c->scene, sl_segments_of(segments, ITEMS), options, occluded[0], NULL, NULL,
                    NULL);
    sl_bvh_any_many(c->holed, sl_segments_of(segments, ITEMS), &plain, occluded[1], NULL, NULL,
                    NULL);
    sl_bvh_any_many(c->scene, sl_segments_of(segments, ITEMS), options, hinted, hints, NULL, NULL);
    size_t wrong = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        wrong += memcmp(&hits[0][i], &hits[1][i], sizeof hits[0][i]) != 0;
        wrong += any[0][i] != any[1][i];
        wrong += occluded[0][i] != occluded[1][i];
        wrong += hinted[i] != occluded[1][i];
        wrong += hinted[i] != 0 && is_ignored(c, hints[i].instance);
    }
    return wrong;
}

TEST(what_is_ignored_is_a_hole)
{
    const uint64_t rounds = test_is_brief() ? 1 : 6 * test_scale();
    for (uint64_t round = 0; round < rounds * WORLD_KINDS; round++) {
        test_random random = { test_seed(SEED) + round };
        ignore_case c;
        make(&c, (world_kind)(round % WORLD_KINDS), &random);
        draw(&c, &random);
        sl_instance_range each[ITEMS][RANGES + 1];
        sl_item_options items[ITEMS];
        for (size_t i = 0; i < ITEMS; i++) {
            each[i][0] = c.ranges[0];
            each[i][1] = c.ranges[1];
            each[i][2] = (sl_instance_range){ 4, 0 }; /* nothing */
            items[i] = (sl_item_options){ .mask = round % 2 == 0 ? 3 : 0,
                                          .ignore = each[i],
                                          .ignore_count = RANGES + 1 };
        }
        const sl_options same = { .mask = round % 2 == 0 ? 3 : 0,
                                  .ignore = c.ranges,
                                  .ignore_count = RANGES };
        const sl_options own = { .mask = same.mask, .items = items };
        const sli_kernels *kernels, *best = c.scene->kernels;
        for (int k = 0; (kernels = sli_kernels_at(k)) != NULL; k++) {
            c.scene->kernels = c.holed->kernels = kernels;
            assert_int_equal(wrong_together(&c, &same, &random), 0);
            assert_int_equal(wrong_together(&c, &own, &random), 0);
        }
        c.scene->kernels = c.holed->kernels = best;
        assert_int_equal(wrong_alone(&c, &same), 0);
        destroy(&c);
    }
}

/* Cube i is at 2 i; one in three ranges names the cube of its item, the others an earlier one. */
TEST(points_and_volumes_have_theirs)
{
    test_random random = { SEED };
    UNDONE(world_destroy) world_case trees;
    sl_instance boxes[ITEMS];
    sl_instance_range ranges[ITEMS];
    sl_item_options items[ITEMS];
    float points[ITEMS][3];
    sl_volume volumes[ITEMS];
    uint32_t inside[ITEMS];
    uint64_t totals[ITEMS];
    uint8_t touches[ITEMS];
    sl_nearest nearest[ITEMS];
    world_make(&trees, WORLD_PLAIN, 2, false, &random);
    for (uint32_t i = 0; i < ITEMS; i++) {
        boxes[i] = sl_instance_of(trees.trees[0]);
        boxes[i].transform.m[0][3] = 2.0 * i;
        points[i][0] = 2.0f * (float)i + 0.3f;
        points[i][1] = points[i][2] = 0.4f;
        volumes[i] = (sl_volume){ .kind = SL_VOLUME_SPHERE,
                                  .shape.sphere = { .centre = { points[i][0], 0.4f, 0.4f },
                                                    .radius = 0.65f } };
        ranges[i] = (sl_instance_range){ i - i % 3, 1 };
        items[i] = (sl_item_options){ .ignore = &ranges[i], .ignore_count = 1 };
    }
    const sl_options options = { .items = items };
    OWN(sl_bvh) scene = made_scene(boxes, ITEMS, NULL);
    sl_bvh_inside_many(scene, sl_points_of(points[0], ITEMS, SL_FLOAT), &options, inside, 1, totals,
                       NULL, NULL);
    sl_bvh_nearest_many(scene, sl_points_of(points[0], ITEMS, SL_FLOAT), 0.65f, &options,
                        sl_nearests_of(nearest, SL_FLOAT), NULL, NULL);
    sl_bvh_overlap_any_many(scene, sl_volumes_of(volumes, ITEMS, SL_FLOAT), &options, touches, NULL,
                            NULL);
    for (uint32_t i = 0; i < ITEMS; i++) {
        assert_int_equal(totals[i], i % 3 != 0);
        assert_int_equal(nearest[i].prim != SL_NONE, i % 3 != 0);
        assert_int_equal(touches[i], i % 3 != 0);
    }
}

TEST(each_item_has_its_own)
{
    test_random random = { SEED };
    UNDONE(world_destroy) world_case trees;
    sl_instance boxes[ITEMS];
    sl_instance_range ranges[ITEMS];
    sl_item_options items[ITEMS];
    sl_segment across[ITEMS];
    uint8_t occluded[ITEMS];
    world_make(&trees, WORLD_PLAIN, 2, false, &random);
    for (uint32_t i = 0; i < ITEMS; i++) { /* unit cubes in a row, a segment through each */
        boxes[i] = sl_instance_of(trees.trees[0]);
        boxes[i].transform.m[0][3] = 2.0 * i;
        across[i] = (sl_segment){ { 2.0f * (float)i + 0.3f, 0.4f, -1 },
                                  { 2.0f * (float)i + 0.3f, 0.4f, 2 } };
        ranges[i] = (sl_instance_range){ i - i % 3, 1 }; /* one in three ignores its own cube */
        items[i] = (sl_item_options){ .ignore = &ranges[i], .ignore_count = 1 };
    }
    const sl_options options = { .items = items };
    OWN(sl_bvh) scene = made_scene(boxes, ITEMS, NULL);
    sl_bvh_any_many(scene, sl_segments_of(across, ITEMS), &options, occluded, NULL, NULL, NULL);
    for (uint32_t i = 0; i < ITEMS; i++) {
        assert_int_equal(occluded[i], i % 3 != 0);
    }
}

/* One instance where its mesh is, which no way to the world would move, in a tree of those that
 * stand still: numbers that a range does not name, and a mask that leaves everything in, change
 * nothing. */
TEST(one_that_stands_still)
{
    test_random random = { SEED };
    UNDONE(world_destroy) world_case trees;
    sl_instance_range range = { 1, 5 };
    const sl_options asked[2] = { { .mask = 1 }, { .ignore = &range, .ignore_count = 1 } };
    const sl_instances_def def = { .static_memory = SIZE_MAX };
    world_make(&trees, WORLD_PLAIN, 2, false, &random);
    for (uint32_t tree = 0; tree < WORLD_TREES; tree++) {
        const sl_instance one = sl_instance_of(trees.trees[tree]);
        OWN(sl_bvh) scene = made_scene(&one, 1, &def);
        ignore_case c = { .scene = scene };
        sl_hit hits[2][ITEMS];
        draw(&c, &random);
        for (int i = 0; i < 2; i++) {
            sl_bvh_closest_many(scene, sl_rays_of(rays, ITEMS), &asked[i], sl_hits_of(hits[0]),
                                NULL, NULL);
            sl_bvh_closest_many(trees.trees[tree], sl_rays_of(rays, ITEMS), NULL,
                                sl_hits_of(hits[1]), NULL, NULL);
            assert_memory_equal(hits[0], hits[1], sizeof hits[0]);
        }
    }
}
