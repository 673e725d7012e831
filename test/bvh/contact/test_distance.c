/* How far two trees are apart, against all pairs of triangles: of small meshes in fractions, of
 * worlds of many kinds by the exact numbers of lib/geom/contact; with limits at the distance,
 * masks, skips and ignored instances, under transforms, for each worker count; cliffs; hostile
 * arguments. SIGHTLINE_TEST_SCALE=20 asks about 10,000 pairs of meshes. */
#include "bvh/query/query.h"
#include "lib/geom/contact/distance.h"
#include "test/support/environment/no_memory.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/hard/floats.h"
#include "test/support/input/deep.h"
#include "test/support/input/world.h"
#include "test/support/oracle/gap_oracle.h"
#include "test/support/query/world_soup.h"
#include "test/support/test.h"

#include <sightline/clash.h>

enum { SEED = 20261130 };

static bool same_ref(sl_triangle_ref a, sl_triangle_ref b)
{
    return a.prim == b.prim && a.instance == b.instance;
}

static void expect_nothing(const sl_bvh *a, const sl_bvh *b, float limit, const sl_clash *clash)
{
    sl_distance d = { .distance = 7 };
    assert_false(sl_bvh_distance(a, b, limit, clash, &d));
    assert_false(sl_bvh_distance(a, b, limit, clash, NULL));
    assert_true(isinf(d.distance) && d.a.prim == SL_NONE && d.b.prim == SL_NONE);
}

/* ---- Small meshes, in fractions ---- */

enum { FEW = 6 };

/* Triangles whose corners come from few points: most pairs of meshes have several nearest pairs. */
static int few_triangles(test_random *random, size_t i, float xyz[9 * FEW])
{
    float points[24];
    hard_floats(random, i % 4 == 3 ? 5 : 2 * i, points, 24);
    const int count = 1 + (int)test_random_below(random, FEW);
    for (int k = 0; k < 3 * count; k++) {
        memcpy(&xyz[3 * k], &points[3 * test_random_below(random, 8)], 3 * sizeof(float));
    }
    return count;
}

static sl_triangle_d corners_of(const sl_bvh *bvh, uint32_t prim)
{
    sl_triangle_d out;
    assert_true(sl_bvh_triangle(bvh, (sl_triangle_ref){ .prim = prim }, out.v));
    return out;
}

/* Every answer about two trees, of which the right one is (i, j) at the root of square. */
static void expect_pair(const sl_bvh *a, const sl_bvh *b, uint32_t i, uint32_t j, fraction square)
{
    sl_distance d;
    const sl_triangle_d of_a = corners_of(a, i), of_b = corners_of(b, j);
    assert_true(sl_bvh_distance(a, b, INFINITY, NULL, &d));
    assert_true(d.a.prim == i && d.b.prim == j && d.a.instance == 0 && d.b.instance == 0);
    assert_true(fraction_is_root(d.distance, square));
    assert_true(gap_oracle_points(&of_a, &of_b, d.point_a, d.point_b));
    for (int step = -1; step <= 1; step++) {
        const float limit = step == 0  ? d.distance
                            : step < 0 ? nextafterf(d.distance, -INFINITY)
                                       : nextafterf(d.distance, INFINITY);
        const fraction x = fraction_of(isinf(limit) ? (double)FLT_MAX * 4 : (double)limit);
        if (limit < 0 || fraction_compare(square, fraction_mul(x, x)) > 0) {
            expect_nothing(a, b, limit, NULL);
            continue;
        }
        sl_distance same;
        assert_true(sl_bvh_distance(a, b, limit, NULL, &same));
        assert_true(sl_bvh_distance(a, b, limit, NULL, NULL));
        assert_memory_equal(&d, &same, sizeof d);
    }
}

TEST(small_meshes_as_fractions_say)
{
    test_random random = { test_seed(SEED) };
    size_t met = 0;
    for (size_t k = 0; k < test_count(500); k++) {
        float xyz[2][9 * FEW];
        int count[2];
        sl_bvh *tree[2];
        for (int side = 0; side < 2; side++) {
            count[side] = few_triangles(&random, k, xyz[side]);
            for (int i = 0; i < 9 * count[side] && side == 1 && k % 3 != 0; i += 3) {
                xyz[1][i] += k % 3 == 1 ? 4 : 0x1p-10f;
            }
            tree[side] = made_bvh_alone(
                made_mesh(xyz[side], 3 * (size_t)count[side], NULL, (size_t)count[side], NULL),
                NULL);
        }
        fraction_reset();
        fraction least = NULL;
        uint32_t best[2] = { 0, 0 };
        for (uint32_t i = 0; i < (uint32_t)count[0]; i++) {
            for (uint32_t j = 0; j < (uint32_t)count[1]; j++) {
                fraction3 d;
                const sl_triangle_d a = corners_of(tree[0], i), b = corners_of(tree[1], j);
                fraction square = gap_oracle_square(&a, &b, &d);
                if (least == NULL || fraction_compare(square, least) < 0) {
                    least = square;
                    best[0] = i;
                    best[1] = j;
                }
            }
        }
        expect_pair(tree[0], tree[1], best[0], best[1], least);
        met += fraction_sign(least) == 0;
        sl_bvh_destroy(tree[0]);
        sl_bvh_destroy(tree[1]);
    }
    assert_in_range(met, test_count(500) / 10, test_count(500) * 9 / 10);
}

/* ---- Worlds, by exact numbers ---- */

/* The first of the nearest pairs; false where there are none. */
static bool nearest_of_all(const world_soup *a, const world_soup *b, sl_distance *out)
{
    sli_exact_gap best, next;
    sli_gap least = { .high = INFINITY };
    size_t at = SIZE_MAX;
    for (size_t k = 0; k < a->count * b->count; k++) {
        const sl_triangle_d *x = &a->corners[k / b->count], *y = &b->corners[k % b->count];
        const sli_gap gap = sli_triangle_gap(x, y);
        if (gap.low > least.high) {
            continue;
        }
        sli_triangle_gap_exact(x, y, &next);
        if (at == SIZE_MAX || sli_exact_gap_compare(&next, &best) < 0) {
            best = next;
            least = gap;
            at = k;
        }
    }
    if (at == SIZE_MAX) {
        return false;
    }
    const sl_triangle_d *x = &a->corners[at / b->count], *y = &b->corners[at % b->count];
    out->a = a->refs[at / b->count];
    out->b = b->refs[at % b->count];
    out->distance = sli_triangle_distance(x, y, &least);
    sli_nearest_points(x, y, out->point_a, out->point_b);
    return true;
}

static void expect_right(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash, const char *what)
{
    UNDONE(world_soup_free) world_soup of_a = world_soup_of(a, clash != NULL ? clash->a : NULL);
    UNDONE(world_soup_free) world_soup of_b = world_soup_of(b, clash != NULL ? clash->b : NULL);
    sl_distance d, expected;
    memset(&expected, 0, sizeof expected);
    if (!nearest_of_all(&of_a, &of_b, &expected)) {
        expect_nothing(a, b, INFINITY, clash);
        return;
    }
    assert_true(sl_bvh_distance(a, b, INFINITY, clash, &d));
    if (!same_ref(d.a, expected.a) || !same_ref(d.b, expected.b) ||
        memcmp(&d, &expected, sizeof d) != 0) {
        fail_msg("%s: %u %u, %u %u at %a instead of %u %u, %u %u at %a", what, d.a.instance,
                 d.a.prim, d.b.instance, d.b.prim, (double)d.distance, expected.a.instance,
                 expected.a.prim, expected.b.instance, expected.b.prim, (double)expected.distance);
    }
}

TEST(worlds_against_worlds)
{
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        for (size_t i = 0; i < test_count(30); i++) {
            test_random random = { test_seed(SEED) + 1000 * (uint64_t)kind + i };
            UNDONE(world_destroy) world_case one;
            UNDONE(world_destroy) world_case other;
            world_make(&one, (world_kind)kind, 1 + test_random_below(&random, 5), i % 2, &random);
            world_make(&other, (world_kind)kind, 1 + test_random_below(&random, 5), i % 3 == 0,
                       &random);
            const sl_triangle_ref skip[2] = { { .prim = 0 }, { .prim = 3, .instance = 1 } };
            const sl_instance_range ignore = { 1, 2 };
            const sl_options some = { .mask = 1u << i % 3, .skip = skip, .skip_count = 2 };
            const sl_options others = { .ignore = &ignore, .ignore_count = 1 };
            const sl_clash clash = { .a = &some, .b = &others };
            char what[64];
            (void)snprintf(what, sizeof what, "kind %d, worlds %zu", kind, i);
            expect_right(one.scene, other.scene, NULL, what);
            expect_right(one.scene, other.scene, &clash, what);
            expect_right(one.trees[0], other.scene, &clash, what);
            expect_right(one.scene, one.scene, NULL, what);
        }
    }
}

/* ---- Surfaces that are everywhere as near ---- */

static sl_bvh *placed(const sl_bvh *tree, double scale, const double at[3])
{
    sl_instance instance = sl_instance_of(tree);
    for (int axis = 0; axis < 3; axis++) {
        instance.transform.m[axis][axis] = scale;
        instance.transform.m[axis][3] = at[axis];
    }
    return made_scene(&instance, 1, NULL);
}

/* Turned about the origin, by no axis of a coordinate, then moved along its own axes. */
static sl_bvh *turned(const sl_bvh *tree, const double by[3])
{
    static const double axis[3] = { 1, 2, 3 }, origin[3] = { 0, 0, 0 };
    double turn[4];
    sl_instance instance = sl_instance_of(tree);
    assert_true(sl_turn_about(axis, 1, turn));
    assert_true(sl_transform_turned(&instance.transform, origin, turn, &instance.transform));
    for (int k = 0; k < 3; k++) {
        const double *row = instance.transform.m[k];
        instance.transform.m[k][3] = row[0] * by[0] + row[1] * by[1] + row[2] * by[2];
    }
    return made_scene(&instance, 1, NULL);
}

TEST(sheets_spheres_and_what_is_far_away)
{
    static const double offsets[][3] = { { 0, 0, 0.5 },     { 0.3, 0.7, 0.5 }, { 0, 0, 1e7 },
                                         { 3, 0.01, 0.25 }, { 1e7, 0, 0.5 },   { 1e7, 1e7, 1e7 } };
    OWN(sl_bvh) sheet = made_bvh_alone(made_grid(9, 9, 0, 1), NULL);
    OWN(sl_bvh) sphere = made_bvh_alone(made_sphere(5), NULL);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        static const double here[3] = { 0, 0, 0 };
        OWN(sl_bvh) above = placed(sheet, 1, offsets[i]);
        OWN(sl_bvh) tilted = turned(sheet, here);
        OWN(sl_bvh) tilted_above = turned(sheet, offsets[i]);
        OWN(sl_bvh) ball = placed(sphere, 1, offsets[i]);
        OWN(sl_bvh) about = placed(sphere, 1.5 + (double)i, here);
        expect_right(sheet, above, NULL, "sheets");
        expect_right(tilted, tilted_above, NULL, "tilted sheets");
        expect_right(sheet, tilted_above, NULL, "sheets across");
        expect_right(sphere, ball, NULL, "spheres");
        expect_right(sphere, about, NULL, "concentric spheres");
    }
}

/* Of sixteen triangles all are 1 below another, but for the last, which is nearer by 2^-60. */
TEST(a_hair_nearer_counts)
{
    enum { COUNT = 16 };
    float xyz[COUNT][9];
    const float above[9] = { -99, -99, 1, 99, -99, 1, 0, 99, 1 };
    for (int i = 0; i < COUNT; i++) {
        const float x = (float)(i % 4), y = (float)(i / 4), z = i == COUNT - 1 ? 0x1p-60f : 0;
        const float at[9] = { x, y, z, x + 0.5f, y, z, x, y + 0.5f, z };
        memcpy(xyz[i], at, sizeof at);
    }
    OWN(sl_bvh) low = made_bvh_alone(made_mesh(xyz, 3 * COUNT, NULL, COUNT, NULL), NULL);
    OWN(sl_bvh) high = made_bvh_alone(made_mesh(above, 3, NULL, 1, NULL), NULL);
    sl_distance d;
    assert_true(sl_bvh_distance(low, high, INFINITY, NULL, &d));
    assert_true(d.a.prim == COUNT - 1 && d.distance == 1 && d.point_a[2] == 0x1p-60);
}

/* Large enough for planes between them to be looked for; one has triangles left out. */
TEST(large_trees_that_a_plane_parts)
{
    test_random random = { test_seed(SEED) };
    OWN(sl_bvh) sphere = made_bvh_alone(made_sphere(8), NULL);
    OWN(sl_bvh) torus = made_bvh_alone(made_torus(20, 16, 1, 0.4f), NULL);
    const sl_triangle_ref skip[2] = { { .prim = 0 }, { .prim = 77 } };
    const sl_options some = { .skip = skip, .skip_count = 2 };
    const sl_clash clash = { .b = &some };
    assert_true(sphere->prim_count >= 512 && torus->prim_count >= 512);
    for (size_t i = 0; i < test_count(20); i++) {
        double by[3];
        const double away = i % 2 ? 3 : 1 + test_random_in_d(&random, 0, 40);
        for (int axis = 0; axis < 3; axis++) {
            by[axis] = away * test_random_in_d(&random, 0.7, 1);
        }
        OWN(sl_bvh) moved = turned(i % 3 ? torus : sphere, by);
        expect_right(i % 4 ? sphere : torus, moved, i % 5 ? NULL : &clash, "large trees");
    }
}

/* ---- Under many transforms ---- */

TEST(under_many_transforms)
{
    enum { COUNT = 8 };
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        for (size_t i = 0; i < test_count(15); i++) {
            test_random random = { test_seed(SEED) + 77 * (uint64_t)kind + 1000 * i };
            UNDONE(world_destroy) world_case one;
            UNDONE(world_destroy) world_case other;
            world_make(&one, (world_kind)kind, 3, false, &random);
            world_make(&other, (world_kind)kind, 1 + i % 4, false, &random);
            const sl_bvh *b = i % 4 ? other.scene : other.trees[i % WORLD_TREES];
            sl_transform transforms[COUNT];
            sl_distance d[COUNT], again[COUNT];
            scrambled_tasks scrambled;
            for (int k = 0; k < COUNT; k++) {
                transforms[k] = world_instance(b, (world_kind)kind, (size_t)k, &random).transform;
            }
            transforms[COUNT - 1].m[1][1] = NAN;
            transforms[COUNT - 2].m[0][0] *= 1e300;
            memset(d, 1, sizeof d);
            memset(again, 2, sizeof again);
            sl_bvh_distance_many(one.scene, b, transforms, COUNT, INFINITY, NULL, d, NULL, NULL);
            sl_bvh_distance_many(one.scene, b, transforms, COUNT, INFINITY, NULL, again,
                                 scrambled_tasks_start(&scrambled, 4, i), NULL);
            assert_memory_equal(d, again, sizeof d);
            for (int k = 0; k < COUNT; k++) {
                sl_instance instance = sl_instance_of(b);
                sl_distance expected;
                instance.transform = transforms[k];
                OWN(sl_bvh) scene = made_scene(
                    &instance, 1, &(sl_instances_def){ .bad = SL_BAD_INSTANCES_LEAVE_OUT });
                (void)sl_bvh_distance(one.scene, scene, INFINITY, NULL, &expected);
                assert_memory_equal(&d[k], &expected, sizeof expected);
            }
        }
    }
}

/* ---- Hostile ---- */

TEST(nothing_is_near_an_empty_tree_or_within_no_limit)
{
    OWN(sl_mesh) none = made_mesh(NULL, 0, NULL, 0, NULL);
    OWN(sl_bvh) tree = made_bvh_alone(made_sphere(3), NULL);
    OWN(sl_bvh) empty = made_bvh(none, NULL);
    OWN(sl_bvh) nowhere = made_scene(NULL, 0, NULL);
    const sl_instance hole = { .bvh = NULL };
    OWN(sl_bvh) holes = made_scene(&hole, 1, NULL);
    const sl_bvh *nothing[] = { empty, nowhere, holes };
    for (int i = 0; i < 3; i++) {
        expect_nothing(tree, nothing[i], INFINITY, NULL);
        expect_nothing(nothing[i], tree, INFINITY, NULL);
        expect_nothing(nothing[i], nothing[i], INFINITY, NULL);
    }
    expect_nothing(tree, tree, NAN, NULL);
    expect_nothing(tree, tree, -1, NULL);
    sl_distance d;
    assert_true(sl_bvh_distance(tree, tree, 0, NULL, &d));
    assert_true(d.distance == 0 && d.a.prim == 0 && d.b.prim == 0);
}

typedef struct deep_case {
    const sl_bvh *a, *b;
} deep_case;

static void ask_deep(painted_stack *stack, void *context)
{
    const deep_case *deep = context;
    sl_distance d;
    sl_transform place = sl_transform_identity();
    (void)sl_bvh_distance(deep->a, deep->b, INFINITY, NULL, &d);
    painted_stack_note(stack);
    place.m[0][3] = 0.001;
    sl_bvh_distance_many(deep->a, deep->b, &place, 1, INFINITY, NULL, &d, NULL, NULL);
    painted_stack_note(stack);
}

TEST(calls_take_little_stack)
{
    OWN(sl_mesh) mesh = deep_mesh();
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    OWN(sl_bvh) sheet = made_bvh_alone(made_grid(9, 9, 0, 1), NULL);
    OWN(sl_bvh) above = placed(sheet, 1, (const double[3]){ 0.3, 0.1, 1 });
    deep_case deep[] = { { tree, tree }, { sheet, above }, { above, tree } };
    for (int i = 0; i < 3; i++) {
        painted_stack_expect((size_t)192 * 1024, (size_t)48 * 1024, ask_deep, &deep[i]);
    }
}
