/* Worlds where instances stand in one place: copies are entered once by queries for one hit, and
 * every answer is that of the same world without what finds them. */
#include "bvh/scene/scene.h"
#include "test/support/input/solids.h"
#include "test/support/test.h"

enum { SEED = 20261127, PLACES = 6, MOST = 120, RAYS = 64 };

typedef struct world {
    sl_bvh *trees[2];
    sl_instance instances[MOST];
    size_t count;
    test_random random;
} world;

static void end(world *w)
{
    sl_bvh_destroy(w->trees[0]);
    sl_bvh_destroy(w->trees[1]);
}

/* Instances at a few places, many of them copies; two that differ by their masks, and by a grid. */
static void begin(world *w)
{
    *w = (world){ .count = MOST, .random = { SEED } };
    w->trees[0] = made_bvh_alone(solid_make(SOLID_CUBE), NULL);
    w->trees[1] = made_bvh_alone(solid_make(SOLID_TORUS), NULL);
    for (size_t i = 0; i < MOST; i++) {
        const uint32_t place = test_random_below(&w->random, PLACES);
        w->instances[i] = sl_instance_of(w->trees[place % 2]);
        w->instances[i].transform.m[0][3] = (double)(3 * place);
        w->instances[i].id = (uint32_t)i;
        w->instances[i].mask = i % 10 == 3 ? 6 : UINT32_MAX;
        w->instances[i].grid = i % 10 == 7 ? 0x1p-10 : 0;
        w->instances[i].bvh = i % 10 == 9 ? NULL : w->instances[i].bvh;
    }
}

/* The same instances over trees of their own, which are copies of nothing. */
typedef struct apart {
    sl_bvh *trees[MOST], *bvh;
} apart;

static void apart_end(apart *a)
{
    sl_bvh_destroy(a->bvh);
    for (int i = 0; i < MOST; i++) {
        sl_bvh_destroy(a->trees[i]);
    }
}

static void apart_begin(const world *w, apart *a)
{
    sl_instance instances[MOST];
    *a = (apart){ .bvh = NULL };
    for (size_t i = 0; i < w->count; i++) {
        instances[i] = w->instances[i];
        if (instances[i].bvh != NULL) {
            const bool cube = instances[i].bvh == w->trees[0];
            a->trees[i] = made_bvh_alone(solid_make(cube ? SOLID_CUBE : SOLID_TORUS), NULL);
            instances[i].bvh = a->trees[i];
        }
    }
    a->bvh = made_scene(instances, w->count, NULL);
    assert_null(a->bvh->instances->originals);
}

static bool no_multiple_of_three(void *user, size_t index, const sl_hit *hit)
{
    (void)user;
    (void)index;
    return hit->instance % 3 != 0;
}

/* Everything that may be asked about a ray, the point where it starts and a ball there. */
static void assert_answers(const sl_bvh *a, const sl_bvh *b, test_random *random)
{
    const sl_instance_range first = { 0, 4 };
    const sl_triangle_ref skipped[2] = { { .instance = 1, .prim = 0 },
                                         { .instance = 1, .prim = 3 } };
    const sl_options options[] = { { .mask = 0 },
                                   { .mask = 1 },
                                   { .ignore = &first, .ignore_count = 1 },
                                   { .skip = skipped, .skip_count = 2 },
                                   { .filter = no_multiple_of_three } };
    sl_ray rays[RAYS];
    float points[RAYS][3];
    for (int i = 0; i < RAYS; i++) {
        rays[i] = (sl_ray){ .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            points[i][axis] = test_random_in(random, -3, axis == 0 ? 20 : 3);
            rays[i].origin[axis] = points[i][axis];
            rays[i].dir[axis] = test_random_in(random, -1, 1);
        }
    }
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const sl_options *o = &options[k];
        const bool points_too = o->filter == NULL;
        sl_hit x[RAYS], y[RAYS];
        sl_nearest p[RAYS], q[RAYS];
        uint8_t any_x[RAYS], any_y[RAYS];
        uint64_t counts[RAYS];
        sl_bvh_closest_many(a, sl_rays_of(rays, RAYS), o, sl_hits_of(x), NULL, NULL);
        sl_bvh_closest_many(b, sl_rays_of(rays, RAYS), o, sl_hits_of(y), NULL, NULL);
        assert_memory_equal(x, y, sizeof x);
        sl_bvh_any_many(a, sl_rays_of(rays, RAYS), o, any_x, NULL, NULL, NULL);
        sl_bvh_any_many(b, sl_rays_of(rays, RAYS), o, any_y, NULL, NULL, NULL);
        assert_memory_equal(any_x, any_y, sizeof any_x);
        sl_bvh_all_many(a, sl_rays_of(rays, RAYS), o, sl_hits_of(NULL), 0, counts, NULL, NULL);
        for (int i = 0; i < RAYS && points_too; i++) {
            assert_int_equal(sl_bvh_nearest(a, points[i], 5, o, &p[i]),
                             sl_bvh_nearest(b, points[i], 5, o, &q[i]));
            assert_memory_equal(&p[i], &q[i], sizeof p[i]);
        }
        for (int i = 0; i < RAYS; i++) {
            sl_hit one, other, row[8], rows[8];
            assert_int_equal(sl_bvh_closest(a, &rays[i], o, &one),
                             sl_bvh_closest(b, &rays[i], o, &other));
            assert_memory_equal(&one, &other, sizeof one);
            assert_int_equal(counts[i], sl_bvh_all(a, &rays[i], o, row, 8));
            assert_int_equal(counts[i], sl_bvh_all(b, &rays[i], o, rows, 8));
            while (one.prim != SL_NONE) { /* each copy has a turn */
                (void)sl_bvh_next(a, &rays[i], o, &one, &one);
                (void)sl_bvh_next(b, &rays[i], o, &other, &other);
                assert_memory_equal(&one, &other, sizeof one);
            }
        }
    }
}

TEST(copies_are_found_and_change_no_answer)
{
    UNDONE(end) world w;
    UNDONE(apart_end) apart alone;
    begin(&w);
    apart_begin(&w, &alone);
    OWN(sl_bvh) bvh = made_scene(w.instances, w.count, NULL);
    const uint32_t *originals = bvh->instances->originals;
    assert_non_null(originals);
    size_t copies = 0;
    for (uint32_t i = 0; i < w.count; i++) {
        const uint32_t of = originals[i];
        assert_true(of == SL_NONE || (of < i && originals[of] == SL_NONE));
        copies += of != SL_NONE;
    }
    assert_true(copies > MOST / 2);
    sl_stats all = { 0 }, once = { 0 };
    const sl_ray ray = { .origin = { 0.1f, 0.2f, 9 }, .dir = { 0, 0, -1 }, .tmax = INFINITY };
    sl_hit hit;
    uint64_t total;
    sl_bvh_all_many(bvh, sl_rays_of(&ray, 1), NULL, sl_hits_of(&hit), 1, &total, NULL, &all);
    sl_bvh_closest_many(bvh, sl_rays_of(&ray, 1), NULL, sl_hits_of(&hit), NULL, &once);
    assert_true(once.instances <= 3 && all.instances > 10); /* by mask and grid they differ */
    assert_answers(bvh, alone.bvh, &w.random);
}

/* Versions that follow one with copies: some move apart and come together again. */
TEST(copies_may_part)
{
    UNDONE(end) world w;
    begin(&w);
    sl_bvh *versions[2] = { NULL, NULL };
    size_t with = 0, without = 0;
    for (int frame = 0; frame < 160; frame++) {
        for (size_t i = 0; i < w.count; i++) {
            const bool parts = frame % 40 > 20 || (frame % 40 > 10 && i % 5 == 1);
            w.instances[i].transform.m[1][3] = parts ? 0.001 * (double)i : 0.001 * frame;
        }
        sl_instances_def def = { .previous = versions[(frame + 1) % 2],
                                 .recycle = versions[frame % 2] };
        versions[frame % 2] = made_scene(w.instances, w.count, &def);
        const sl_bvh *now = versions[frame % 2];
        if (frame % 6 == 5) {
            UNDONE(apart_end) apart alone;
            apart_begin(&w, &alone);
            assert_answers(now, alone.bvh, &w.random);
        }
        with += now->instances->originals != NULL;
        without += now->instances->originals == NULL;
    }
    assert_true(with > 20 && without > 20);
    sl_bvh_destroy(versions[0]);
    sl_bvh_destroy(versions[1]);
}

/* Where few are copies and one parts, the tree without them is not built anew in that version, but
 * within sixteen. */
TEST(a_copy_that_parts_costs_no_build)
{
    UNDONE(end) world w;
    begin(&w);
    for (size_t i = 0; i < w.count; i++) {
        w.instances[i] = sl_instance_of(w.trees[0]);
        w.instances[i].transform.m[2][3] = i < 5 ? 0 : (double)i;
    }
    sl_bvh *before = made_scene(w.instances, w.count, NULL);
    assert_non_null(before->instances->originals);
    w.instances[3].transform.m[2][3] = 0.5;
    for (int version = 1; version <= 16; version++) {
        const sl_instances_def def = { .previous = before };
        sl_bvh *next = made_scene(w.instances, w.count, &def);
        sl_bvh_destroy(before);
        before = next;
        assert_true(next->instances->top.tree->cost_error > 0); /* it follows */
        assert_int_equal(next->instances->originals != NULL, version == 16);
    }
    assert_int_equal(before->instances->originals[4], 0);
    assert_true(before->instances->originals[3] == SL_NONE);
    sl_bvh_destroy(before);
}
