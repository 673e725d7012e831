/* Pairs of triangles of two trees, against all pairs: worlds of many kinds, meshes whose triangles
 * were cut, far away, tiny and huge; with masks, skips, ignored instances, relations, filters and
 * margins; each worker count; hostile arguments. */
#include "bvh/query/query.h"
#include "lib/geom/contact/distance.h"
#include "lib/geom/contact/relation.h"
#include "test/support/environment/no_memory.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/deep.h"
#include "test/support/input/shred.h"
#include "test/support/input/slender.h"
#include "test/support/input/terrible.h"
#include "test/support/input/world.h"
#include "test/support/query/world_soup.h"
#include "test/support/test.h"

#include <sightline/clash.h>

enum { SEED = 20261129 };

/* ---- All pairs ---- */

static bool counts(const sl_clash *clash, sl_clash_pair *pair, const sl_triangle_d *a,
                   const sl_triangle_d *b)
{
    pair->relation = sli_triangles_relation(a, b);
    pair->distance = 0;
    if (pair->relation == SL_APART) {
        if (!(clash->margin > 0) || !sli_triangles_within(a, b, clash->margin, &pair->distance)) {
            return false;
        }
    } else if (clash->relations != 0 && (clash->relations >> pair->relation & 1) == 0) {
        return false;
    }
    return clash->filter == NULL || clash->filter(clash->filter_user, pair);
}

/* All that count, in order. */
static sl_clash_pair *all_pairs(const world_soup *a, const world_soup *b, const sl_clash *clash,
                                size_t *total)
{
    size_t capacity = 64;
    sl_clash_pair *pairs = made_memory(capacity * sizeof *pairs);
    const sl_clash none = { .margin = 0 };
    *total = 0;
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            sl_clash_pair pair = { .a = a->refs[i], .b = b->refs[j] };
            if (counts(clash != NULL ? clash : &none, &pair, &a->corners[i], &b->corners[j])) {
                if (*total == capacity) {
                    capacity *= 2;
                    pairs = realloc(pairs, capacity * sizeof *pairs);
                    assert_non_null(pairs);
                }
                pairs[(*total)++] = pair;
            }
        }
    }
    return pairs;
}

/* ---- What is asked ---- */

static size_t compare(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash,
                      const sl_clash_pair *expected, size_t total, size_t capacity,
                      const sl_tasks *tasks)
{
    FREED sl_clash_pair *pairs = made_memory((capacity + 1) * sizeof *pairs);
    const size_t kept = total < capacity ? total : capacity;
    const size_t found = sl_bvh_clash_all(a, b, clash, pairs, capacity, tasks, NULL);
    return found != total || memcmp(pairs, expected, kept * sizeof *pairs) != 0;
}

/* Every call about two trees: how many answers are wrong. */
static size_t wrong_of(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash, size_t *total)
{
    UNDONE(world_soup_free) world_soup of_a = world_soup_of(a, clash != NULL ? clash->a : NULL);
    UNDONE(world_soup_free) world_soup of_b = world_soup_of(b, clash != NULL ? clash->b : NULL);
    FREED sl_clash_pair *expected = all_pairs(&of_a, &of_b, clash, total);
    scrambled_tasks scrambled;
    const sl_tasks *tasks = scrambled_tasks_start(&scrambled, 3, SEED);
    size_t wrong = sl_bvh_clash_any(a, b, clash) != (*total > 0);
    wrong += compare(a, b, clash, expected, *total, *total + 3, NULL);
    wrong += compare(a, b, clash, expected, *total, *total / 2, NULL);
    wrong += compare(a, b, clash, expected, *total, 0, NULL);
    wrong += compare(a, b, clash, expected, *total, *total + 3, tasks);
    wrong += compare(a, b, clash, expected, *total, *total / 3 + 1, tasks);
    return wrong;
}

static void expect_right(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash, const char *what,
                         size_t *sum)
{
    size_t total;
    const size_t wrong = wrong_of(a, b, clash, &total);
    if (wrong > 0) {
        fail_msg("%s: %zu wrong, of %zu pairs", what, wrong, total);
    }
    *sum += total;
}

static bool every_third_not(void *user, const sl_clash_pair *pair)
{
    (void)user;
    return (pair->a.prim + pair->b.prim + pair->a.instance) % 3 != 0;
}

/* Some of what sl_clash has, at random. */
typedef struct question {
    sl_clash clash;
    sl_options options[2];
    sl_triangle_ref skip[2][3];
    sl_instance_range ignore[2];
} question;

static void draw(question *q, double size, test_random *random)
{
    *q = (question){ .clash = { .a = &q->options[0], .b = &q->options[1] } };
    for (int side = 0; side < 2; side++) {
        sl_options *options = &q->options[side];
        if (test_random_below(random, 3) == 0) {
            options->mask = 1u << test_random_below(random, 3);
        }
        if (test_random_below(random, 3) == 0) {
            for (int i = 0; i < 3; i++) {
                q->skip[side][i] =
                    (sl_triangle_ref){ test_random_below(random, 2), test_random_below(random, 8) };
            }
            options->skip = q->skip[side];
            options->skip_count = 3;
        }
        if (test_random_below(random, 3) == 0) {
            q->ignore[side] = (sl_instance_range){ test_random_below(random, 3), 2 };
            options->ignore = &q->ignore[side];
            options->ignore_count = 1;
        }
    }
    if (test_random_below(random, 3) == 0) {
        q->clash.relations = test_random_below(random, 32);
    }
    if (test_random_below(random, 2) == 0) {
        q->clash.margin = (float)(size * pow(2, -10 * test_random_unit_d(random)));
    }
    if (test_random_below(random, 4) == 0) {
        q->clash.filter = every_third_not;
    }
}

static double size_of(const sl_bvh *bvh)
{
    double most = 0;
    const sl_aabb_d box = sl_bvh_bounds(bvh);
    for (int axis = 0; axis < 3; axis++) {
        most = fmax(most, box.max[axis] - box.min[axis]);
    }
    return most;
}

TEST(worlds_against_worlds)
{
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        size_t sum = 0;
        for (size_t i = 0; i < test_count(60); i++) {
            test_random random = { test_seed(SEED) + 1000 * (uint64_t)kind + i };
            UNDONE(world_destroy) world_case one;
            UNDONE(world_destroy) world_case other;
            world_make(&one, (world_kind)kind, 1 + test_random_below(&random, 9), i % 2, &random);
            world_make(&other, (world_kind)kind, 1 + test_random_below(&random, 9), i % 3 == 0,
                       &random);
            question q;
            char what[64];
            draw(&q, 0.25 * size_of(one.scene), &random);
            (void)snprintf(what, sizeof what, "kind %d, worlds %zu", kind, i);
            expect_right(one.scene, other.scene, i % 2 ? &q.clash : NULL, what, &sum);
            expect_right(one.scene, one.scene, i % 2 ? NULL : &q.clash, what, &sum);
            expect_right(one.scene, one.trees[1], i % 4 ? NULL : &q.clash, what, &sum);
        }
        print_message("kind %d: %zu pairs\n", kind, sum);
        assert_true(sum > 0);
    }
}

/* ---- Meshes ---- */

static sl_bvh *build(const sl_mesh *mesh, int how)
{
    const size_t count = sl_mesh_get_info(mesh).triangle_count;
    FREED uint32_t *masks = made_memory((count + 1) * sizeof *masks);
    for (size_t i = 0; i < count; i++) {
        masks[i] = 1u << i * 8 / count;
    }
    sl_build_def def = { .quality = how == 0 ? SL_BVH_QUALITY_FAST : SL_BVH_QUALITY_HIGH };
    def.layout = how == 1 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
    def.masks = masks;
    return how == 3 ? shred_build(mesh, masks, SEED) : made_bvh(mesh, &def);
}

/* A tree under transforms of its own, a third of its size apart at most. */
static sl_bvh *moved_copy(const sl_bvh *tree, int how, test_random *random)
{
    sl_instance instance = sl_instance_of(tree);
    double centre[3], turn[4], axis[3];
    const sl_aabb_d box = sl_bvh_bounds(tree);
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * (box.min[k] + box.max[k]);
        axis[k] = test_random_unit_d(random) + 0.1;
    }
    if (how % 2 == 1) {
        assert_true(sl_turn_about(axis, 7 * test_random_unit_d(random), turn));
        assert_true(sl_transform_turned(&instance.transform, centre, turn, &instance.transform));
    }
    for (int k = 0; k < 3 && how > 0; k++) {
        instance.transform.m[k][3] +=
            (box.max[k] - box.min[k]) * (test_random_unit_d(random) - 0.5) * 2 / 3;
    }
    return made_scene(&instance, 1, &(sl_instances_def){ .bad = SL_BAD_INSTANCES_LEAVE_OUT });
}

static void ask_meshes(const sl_mesh *mesh, const char *name, test_random *random)
{
    size_t sum = 0;
    for (int how = 0; how < 4; how++) {
        OWN(sl_bvh) tree = build(mesh, how);
        OWN(sl_bvh) other = build(mesh, 3 - how);
        for (int place = 0; place < 4; place++) {
            OWN(sl_bvh) copy = moved_copy(other, place, random);
            const sl_clash near = { .margin = (float)fmin(1e37, 0.01 * size_of(tree)) };
            expect_right(tree, copy, NULL, name, &sum);
            expect_right(copy, tree, &near, name, &sum);
        }
        const sl_options some = { .mask = 6 }, others = { .mask = 0x5A };
        const sl_clash masked = { .a = &some, .b = &others };
        expect_right(tree, other, NULL, name, &sum);
        expect_right(tree, other, &masked, name, &sum);
    }
    print_message("%s: %zu pairs\n", name, sum);
}

TEST(terrible_meshes)
{
    test_random random = { test_seed(SEED) };
    for (int i = 0; i < terrible_count(); i++) {
        OWN(sl_mesh) mesh = terrible_make(i, test_count(150));
        ask_meshes(mesh, terrible_name(i), &random);
    }
}

TEST(slender_meshes)
{
    test_random random = { test_seed(SEED) };
    for (int i = 0; i < slender_count(); i++) {
        OWN(sl_mesh) mesh = slender_make(i, test_count(200));
        ask_meshes(mesh, slender_name(i), &random);
    }
}

TEST(round_meshes)
{
    test_random random = { test_seed(SEED) };
    OWN(sl_mesh) sphere = made_sphere(6);
    OWN(sl_mesh) torus = made_torus(20, 9, 2, 0.7f);
    ask_meshes(sphere, "sphere", &random);
    ask_meshes(torus, "torus", &random);
}

/* ---- What the room for roundings is for ---- */

/* Corners on a coarse grid: triangles are elsewhere than their tree says. */
TEST(coarse_grids)
{
    test_random random = { test_seed(SEED) };
    size_t sum = 0;
    OWN(sl_mesh) mesh = made_sphere(9);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    for (size_t i = 0; i < test_count(20); i++) {
        sl_bvh *scenes[2];
        for (int k = 0; k < 2; k++) {
            sl_instance instance = world_instance(tree, WORLD_PLAIN, 0, &random);
            instance.grid = k == 0 || i % 2 ? 0.0625 : 0;
            for (int axis = 0; axis < 3; axis++) {
                instance.transform.m[axis][3] *= 0.25;
            }
            scenes[k] = made_scene(&instance, 1, NULL);
        }
        const sl_clash near = { .margin = 0.01f };
        expect_right(scenes[0], scenes[1], i % 3 ? NULL : &near, "grids", &sum);
        sl_bvh_destroy(scenes[0]);
        sl_bvh_destroy(scenes[1]);
    }
    assert_true(sum > 0);
}

/* Boxes side by side, turned together, far away: their sides are in one place but for
 * roundings. */
TEST(turned_together)
{
    size_t sum = 0;
    const float xyz[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } };
    const uint32_t indices[2][3] = { { 0, 1, 2 }, { 1, 3, 2 } };
    OWN(sl_mesh) mesh = made_mesh(xyz, 4, indices, 2, NULL);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    for (int far = 0; far < 3; far++) {
        test_random random = { test_seed(SEED) };
        for (size_t i = 0; i < test_count(300); i++) {
            sl_bvh *scenes[2];
            const sl_instance place = world_instance(tree, WORLD_PLAIN, 0, &random);
            for (int k = 0; k < 2; k++) {
                sl_instance instance = sl_instance_of(tree);
                instance.transform = place.transform;
                for (int axis = 0; axis < 3; axis++) {
                    instance.transform.m[axis][3] += pow(1000, far) * (axis + 1);
                    instance.transform.m[axis][3] += k * instance.transform.m[axis][0];
                }
                scenes[k] = made_scene(&instance, 1, NULL);
            }
            const sl_clash near = { .margin = 0x1p-49f * powf(1000, (float)far) };
            expect_right(scenes[0], scenes[1], NULL, "side by side", &sum);
            expect_right(scenes[0], scenes[1], &near, "nearly side by side", &sum);
            sl_bvh_destroy(scenes[0]);
            sl_bvh_destroy(scenes[1]);
        }
    }
    assert_true(sum > 0);
}

/* A margin that is the distance, in floats; and the one before it. */
TEST(margins_are_exact)
{
    test_random random = { test_seed(SEED) };
    OWN(sl_mesh) mesh = made_sphere(5);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    for (size_t i = 0; i < test_count(100); i++) {
        sl_instance instance = world_instance(tree, i % 2 ? WORLD_PLAIN : WORLD_MOVED, 0, &random);
        instance.transform.m[i % 3][3] += 9;
        OWN(sl_bvh) scene = made_scene(&instance, 1, NULL);
        UNDONE(world_soup_free) world_soup a = world_soup_of(tree, NULL);
        UNDONE(world_soup_free) world_soup b = world_soup_of(scene, NULL);
        float least = INFINITY, distance;
        for (size_t k = 0; k < a.count * b.count; k++) {
            if (sli_triangles_within(&a.corners[k / b.count], &b.corners[k % b.count], least,
                                     &distance)) {
                least = distance;
            }
        }
        for (int step = -1; step < 2; step++) {
            size_t sum = 0;
            const sl_clash near = { .margin = step < 0   ? nextafterf(least, 0)
                                              : step > 0 ? nextafterf(least, INFINITY)
                                                         : least };
            expect_right(tree, scene, &near, "margin", &sum);
            assert_true(step == 0 || (sum > 0) == (step > 0));
        }
    }
}

/* ---- Under many transforms ---- */

/* Takes b to where a is, more or less, turned or not. */
static sl_transform place_beside(const sl_bvh *a, const sl_bvh *b, bool turned, test_random *random)
{
    const sl_aabb_d to = sl_bvh_bounds(a), from = sl_bvh_bounds(b);
    sl_transform place = sl_transform_identity();
    double centre[3], axis[3], turn[4];
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * (from.min[k] + from.max[k]);
        axis[k] = test_random_unit_d(random) + 0.1;
    }
    if (turned && from.min[0] <= from.max[0]) { /* it has triangles */
        assert_true(sl_turn_about(axis, 7 * test_random_unit_d(random), turn));
        assert_true(sl_transform_turned(&place, centre, turn, &place));
    }
    for (int k = 0; k < 3; k++) {
        place.m[k][3] += test_random_in_d(random, to.min[k], to.max[k]) - centre[k];
    }
    return place;
}

TEST(under_many_transforms)
{
    enum { COUNT = 12 };
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        size_t met = 0;
        for (size_t i = 0; i < test_count(40); i++) {
            test_random random = { test_seed(SEED) + 77 * (uint64_t)kind + 1000 * i };
            UNDONE(world_destroy) world_case one;
            UNDONE(world_destroy) world_case other;
            world_make(&one, (world_kind)kind, 3, false, &random);
            world_make(&other, (world_kind)kind, 1 + i % 7, i % 2, &random);
            const sl_bvh *b = i % 4 ? other.scene : other.trees[i % WORLD_TREES];
            sl_transform transforms[COUNT];
            uint8_t any[COUNT], scrambled_any[COUNT];
            scrambled_tasks scrambled;
            question q;
            draw(&q, 0.25 * size_of(one.scene), &random);
            for (int k = 0; k < COUNT; k++) {
                transforms[k] = place_beside(one.scene, b, k % 3 > 0, &random);
            }
            transforms[COUNT - 1].m[1][1] = NAN;
            transforms[COUNT - 2].m[2][3] = INFINITY;
            transforms[COUNT - 3].m[0][0] *= 1e300;
            sl_bvh_clash_any_many(one.scene, b, transforms, COUNT, &q.clash, any, NULL, NULL);
            sl_bvh_clash_any_many(one.scene, b, transforms, COUNT, &q.clash, scrambled_any,
                                  scrambled_tasks_start(&scrambled, 4, i), NULL);
            assert_memory_equal(any, scrambled_any, COUNT);
            for (int k = 0; k < COUNT; k++) {
                sl_instance instance = sl_instance_of(b);
                instance.transform = transforms[k];
                OWN(sl_bvh) scene = made_scene(
                    &instance, 1, &(sl_instances_def){ .bad = SL_BAD_INSTANCES_LEAVE_OUT });
                assert_int_equal(any[k], sl_bvh_clash_any(one.scene, scene, &q.clash));
                met += any[k];
            }
        }
        print_message("kind %d: %zu meet\n", kind, met);
        assert_true(met > 0 || test_is_brief());
    }
}

/* The square lies at 0 of a grid in b, and at 1 under the transform, which moves it by 0.3. */
TEST(grids_hold_under_transforms)
{
    const double step = 0.0625;
    const float xyz[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } };
    const uint32_t indices[2][3] = { { 0, 1, 2 }, { 1, 3, 2 } };
    OWN(sl_mesh) mesh = made_mesh(xyz, 4, indices, 2, NULL);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    sl_instance inner = sl_instance_of(tree);
    inner.transform.m[2][3] = 0.4 * step;
    inner.grid = step;
    OWN(sl_bvh) b = made_scene(&inner, 1, NULL);
    sl_instance outer = sl_instance_of(b), flat = sl_instance_of(tree);
    outer.transform.m[2][3] = 0.3 * step;
    flat.transform.m[2][3] = step;
    OWN(sl_bvh) there = made_scene(&outer, 1, NULL);
    OWN(sl_bvh) at_one = made_scene(&flat, 1, NULL);
    uint8_t any[3];
    sl_bvh_clash_any_many(there, b, &outer.transform, 1, NULL, &any[0], NULL, NULL);
    sl_bvh_clash_any_many(at_one, b, &outer.transform, 1, NULL, &any[1], NULL, NULL);
    sl_bvh_clash_any_many(tree, b, &outer.transform, 1, NULL, &any[2], NULL, NULL);
    assert_int_equal(any[0], 1);
    assert_int_equal(any[1], 1);
    assert_int_equal(any[2], 0);
}

/* ---- Hostile ---- */

TEST(empty_trees_meet_nothing)
{
    OWN(sl_mesh) none = made_mesh(NULL, 0, NULL, 0, NULL);
    OWN(sl_mesh) mesh = made_sphere(3);
    OWN(sl_bvh) empty = made_bvh(none, NULL);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    OWN(sl_bvh) nowhere = made_scene(NULL, 0, NULL);
    const sl_instance hole = { .bvh = NULL };
    OWN(sl_bvh) holes = made_scene(&hole, 1, NULL);
    const sl_bvh *nothing[] = { empty, nowhere, holes };
    const sl_clash clash = { .margin = INFINITY };
    const sl_transform identity = sl_transform_identity();
    for (size_t i = 0; i < 3; i++) {
        uint8_t any = 1;
        assert_false(sl_bvh_clash_any(tree, nothing[i], &clash));
        assert_false(sl_bvh_clash_any(nothing[i], tree, &clash));
        assert_int_equal(sl_bvh_clash_all(nothing[i], tree, &clash, NULL, 0, NULL, NULL), 0);
        sl_bvh_clash_any_many(tree, nothing[i], &identity, 1, &clash, &any, NULL, NULL);
        assert_int_equal(any, 0);
    }
}

TEST(odd_margins)
{
    OWN(sl_mesh) mesh = made_sphere(2);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    const size_t touching = sl_bvh_clash_all(tree, tree, NULL, NULL, 0, NULL, NULL);
    const float none[] = { NAN, -1, -INFINITY, -0.0f, 0 }, all[] = { INFINITY, FLT_MAX, 3 };
    const size_t count = sl_bvh_get_info(tree).triangle_count;
    assert_true(touching >= count && touching < count * count);
    for (size_t i = 0; i < 5; i++) {
        const sl_clash clash = { .margin = none[i] };
        assert_int_equal(sl_bvh_clash_all(tree, tree, &clash, NULL, 0, NULL, NULL), touching);
    }
    for (size_t i = 0; i < 3; i++) {
        const sl_clash clash = { .margin = all[i] };
        assert_int_equal(sl_bvh_clash_all(tree, tree, &clash, NULL, 0, NULL, NULL), count * count);
    }
}

/* ---- Stack ---- */

typedef struct deep_case {
    const sl_bvh *one, *other;
    size_t depth;
} deep_case;

static void ask_deep(painted_stack *stack, void *context)
{
    deep_case *d = context;
    scrambled_tasks scrambled;
    sl_clash_pair pairs[8];
    uint8_t any[2];
    const sl_transform transforms[2] = { sl_transform_identity(), sl_transform_identity() };
    const sl_tasks *tasks = scrambled_tasks_start(&scrambled, 2, 1);
    const sl_clash near = { .margin = 0.01f };
    for (int i = 0; i < 2; i++) {
        const sl_clash *clash = i == 0 ? NULL : &near;
        (void)sl_bvh_clash_any(d->one, d->other, clash);
        (void)sl_bvh_clash_all(d->one, d->other, clash, pairs, 8, NULL, NULL);
        (void)sl_bvh_clash_all(d->one, d->other, clash, pairs, 8, tasks, NULL);
        sl_bvh_clash_any_many(d->one, d->other, transforms, 2, clash, any, NULL, NULL);
    }
    d->depth = stack != NULL ? painted_stack_depth(stack) : 0;
}

TEST(little_stack_is_taken)
{
    if (painted_stack_is_padded()) {
        skip();
    }
    OWN(sl_mesh) deep = deep_mesh();
    OWN(sl_bvh) tree = made_bvh(deep, NULL);
    OWN(sl_mesh) soup_mesh = made_soup(700, 0.3f, 5);
    OWN(sl_bvh) shredded = shred_build(soup_mesh, NULL, SEED);
    const sl_instance instances[2] = { sl_instance_of(tree), sl_instance_of(shredded) };
    OWN(sl_bvh) scene = made_scene(instances, 2, NULL);
    const sl_bvh *trees[] = { tree, shredded, scene };
    for (int i = 0; i < 9; i++) {
        deep_case d = { .one = trees[i / 3], .other = trees[i % 3] };
        if (i == 0) {
            ask_deep(NULL, &d); /* so that the linker has done its work, which takes stack */
        }
        assert_true(painted_stack_run(192 * 1024, ask_deep, &d));
        print_message("%zu bytes\n", d.depth);
        assert_in_range(d.depth, 1, 48 * 1024);
    }
}
