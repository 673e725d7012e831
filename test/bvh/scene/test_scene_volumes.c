/* Volumes in scenes against every triangle of the world on its own, and these against fractions:
 * all seven kinds, in floats and in doubles, that end in corners, edges and faces of the world,
 * with masks and skips, of any capacity, in arrays; an identity place gives the tree's own
 * answers.  Where the margin of carried volumes is taken away, triangles are lost, so the test
 * sees what it is there for.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of volumes. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/query/volume/space.h"
#include "bvh/scene/scene.h"
#include "lib/base/fpenv.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/hard/volumes.h"
#include "test/support/input/solids.h"
#include "test/support/input/world.h"
#include "test/support/oracle/volume_oracle.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261127, MOST = 20000, KINDS = SL_VOLUME_HULL + 1 };

static sl_triangle_ref pick(const sl_bvh *scene, test_random *random, double v[3][3])
{
    sl_triangle_ref ref = { 0, 0 };
    for (int tries = 0; tries < 1000; tries++) {
        ref.instance = test_random_below(random, scene->world.count);
        const sl_bvh *tree = scene->world.transformed[ref.instance].tree;
        ref.prim = tree != NULL ? test_random_below(random, tree->prim_count) : 0;
        if (sl_bvh_triangle(scene, ref, v)) {
            return ref;
        }
    }
    fail();
    return ref;
}

/* ---- Volumes ---- */

/* A corner, a middle of an edge, or a point within, mostly. */
static void target_of(double v[3][3], test_random *random, double out[3])
{
    const uint32_t kind = test_random_below(random, 4);
    const double s = kind == 2 ? test_random_unit_d(random) / 2 : 0,
                 t = kind == 2 ? test_random_unit_d(random) / 2 : 0;
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = kind <= 1   ? v[kind][axis]
                    : kind == 3 ? v[0][axis] + (v[1][axis] - v[0][axis]) / 2
                                : v[0][axis] + s * (v[1][axis] - v[0][axis]) +
                                      t * (v[2][axis] - v[0][axis]);
    }
}

static void draw_aabb(double at[3], double to[3], double size, test_random *random, sl_aabb_d *out)
{
    const uint32_t kind = test_random_below(random, 4);
    for (int axis = 0; axis < 3; axis++) {
        const double other = kind == 0   ? at[axis]
                             : kind == 1 ? to[axis]
                                         : at[axis] + size * test_random_unit_d(random);
        const bool below = test_random_below(random, 2) == 0;
        out->min[axis] = fmin(at[axis], other);
        out->max[axis] = fmax(at[axis], other);
        if (kind == 2 && below) { /* so that it only touches */
            out->max[axis] = at[axis];
            out->min[axis] = at[axis] - size;
        }
        if (test_random_below(random, 30) == 0) {
            out->max[axis] = INFINITY;
        }
    }
}

static void draw_obb(double at[3], double size, test_random *random, sl_obb_d *out)
{
    const bool turned = test_random_below(random, 3) != 0;
    for (int i = 0; i < 3; i++) {
        out->half[i] = size * (test_random_below(random, 12) == 0 ? 0 : test_random_unit_d(random));
        for (int axis = 0; axis < 3; axis++) {
            out->axis[i][axis] = turned ? 2 * test_random_unit_d(random) - 1 : axis == i;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out->centre[axis] = at[axis];
        if (test_random_below(random, 3) == 0) { /* a face at the target */
            out->centre[axis] += turned ? 0 : out->half[axis];
            out->half[axis] = turned ? out->half[axis] : out->centre[axis] - at[axis];
        }
    }
}

static void draw_round(double at[3], double to[3], double size, test_random *random, bool sphere,
                       sl_volume_d *out)
{
    const uint32_t kind = test_random_below(random, 4), axis = test_random_below(random, 3);
    double centre[3] = { at[0], at[1], at[2] };
    double radius = kind == 0 ? 0 : size * test_random_unit_d(random);
    if (kind == 2) { /* the target is its end along an axis, as far as that is a double */
        centre[axis] += radius;
        radius = centre[axis] - at[axis];
    }
    if (sphere) {
        out->shape.sphere.radius = radius;
        memcpy(out->shape.sphere.centre, centre, sizeof centre);
        return;
    }
    sl_capsule_d *capsule = &out->shape.capsule;
    capsule->radius = radius;
    memcpy(capsule->p, centre, sizeof centre);
    for (int i = 0; i < 3; i++) {
        capsule->q[i] = kind == 1 ? to[i] : centre[i] + size * (test_random_unit_d(random) - 0.5);
    }
    if (kind == 2) { /* a flank at the target */
        capsule->q[axis] = capsule->p[axis];
    }
}

static void draw_frustum(double at[3], double size, test_random *random, sl_frustum_d *out)
{
    const bool box = test_random_below(random, 2) == 0;
    out->count = box ? 6 : 1 + test_random_below(random, SL_FRUSTUM_PLANES_MAX);
    for (uint32_t i = 0; i < out->count; i++) {
        double *n = out->plane[i].normal, d = 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            n[axis] = box ? (axis == i / 2 ? (i % 2 == 0 ? 1 : -1) : 0)
                          : 2 * test_random_unit_d(random) - 1;
            d += n[axis] * at[axis];
        }
        out->plane[i].offset =
            test_random_below(random, 3) == 0 ? d : d + size * test_random_unit_d(random);
    }
}

/* Some size between that of a triangle and that of the world. */
static double some_size(const sl_bvh *scene, double v[3][3], test_random *random)
{
    const sl_aabb_d bounds = sl_bvh_bounds(scene);
    double most = 0, least = 0;
    for (int axis = 0; axis < 3; axis++) {
        most = fmax(most, bounds.max[axis] - bounds.min[axis]);
        least = fmax(least, fabs(v[1][axis] - v[0][axis]));
    }
    least = least > 0 ? least : most * 0x1p-20;
    return least * pow(2 * most / least, test_random_unit_d(random) * test_random_unit_d(random));
}

/* Of the hull that was drawn last, and of the one in floats. */
static double drawn_points[SL_HULL_POINTS_MAX][3], hull_points[SL_HULL_POINTS_MAX][3];
static sli_hull hull;
static float narrow_points[SL_HULL_POINTS_MAX][3];

static sl_volume_d draw(const sl_bvh *scene, sl_volume_kind kind, test_random *random)
{
    sl_volume_d volume = { .kind = kind };
    double v[3][3], w[3][3], at[3], to[3];
    (void)pick(scene, random, v);
    (void)pick(scene, random, w);
    target_of(v, random, at);
    target_of(test_random_below(random, 2) == 0 ? v : w, random, to);
    const double size = some_size(scene, v, random);
    switch (kind) {
    case SL_VOLUME_AABB:
        draw_aabb(at, to, size, random, &volume.shape.aabb);
        break;
    case SL_VOLUME_SPHERE:
    case SL_VOLUME_CAPSULE:
        draw_round(at, to, size, random, kind == SL_VOLUME_SPHERE, &volume);
        break;
    case SL_VOLUME_OBB:
        draw_obb(at, size, random, &volume.shape.obb);
        break;
    case SL_VOLUME_FRUSTUM:
        draw_frustum(at, size, random, &volume.shape.frustum);
        break;
    case SL_VOLUME_TRIANGLE:
        for (int axis = 0; axis < 3; axis++) {
            double(*corner)[3] = volume.shape.triangle.v;
            corner[0][axis] = at[axis];
            corner[1][axis] = to[axis];
            corner[2][axis] = at[axis] + size * (test_random_unit_d(random) - 0.5);
        }
        break;
    case SL_VOLUME_HULL:
        volume.shape.hull = (sl_hull_d){ drawn_points[0], 1 + test_random_below(random, 10) };
        for (uint32_t i = 0; i < 3 * volume.shape.hull.count; i++) {
            drawn_points[i / 3][i % 3] = at[i % 3] + size * (test_random_unit_d(random) - 0.5);
        }
        break;
    }
    return volume;
}

static void narrow(const double *from, int count, float *to)
{
    for (int i = 0; i < count; i++) {
        to[i] = (float)from[i];
    }
}

/* The same in floats, rounded. */
static sl_volume in_floats(const sl_volume_d *volume)
{
    sl_volume out = { .kind = volume->kind };
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        narrow(volume->shape.aabb.min, 3, out.shape.aabb.min);
        narrow(volume->shape.aabb.max, 3, out.shape.aabb.max);
        break;
    case SL_VOLUME_SPHERE:
        narrow(volume->shape.sphere.centre, 3, out.shape.sphere.centre);
        out.shape.sphere.radius = (float)volume->shape.sphere.radius;
        break;
    case SL_VOLUME_OBB:
        narrow(volume->shape.obb.centre, 3, out.shape.obb.centre);
        narrow(volume->shape.obb.half, 3, out.shape.obb.half);
        narrow(&volume->shape.obb.axis[0][0], 9, &out.shape.obb.axis[0][0]);
        break;
    case SL_VOLUME_CAPSULE:
        narrow(volume->shape.capsule.p, 3, out.shape.capsule.p);
        narrow(volume->shape.capsule.q, 3, out.shape.capsule.q);
        out.shape.capsule.radius = (float)volume->shape.capsule.radius;
        break;
    case SL_VOLUME_FRUSTUM:
        out.shape.frustum.count = volume->shape.frustum.count;
        for (uint32_t i = 0; i < out.shape.frustum.count; i++) {
            narrow(volume->shape.frustum.plane[i].normal, 3, out.shape.frustum.plane[i].normal);
            out.shape.frustum.plane[i].offset = (float)volume->shape.frustum.plane[i].offset;
        }
        break;
    case SL_VOLUME_TRIANGLE:
        narrow(&volume->shape.triangle.v[0][0], 9, &out.shape.triangle.v[0][0]);
        break;
    case SL_VOLUME_HULL:
        out.shape.hull = (sl_hull){ narrow_points[0], volume->shape.hull.count };
        narrow(volume->shape.hull.xyz, 3 * (int)volume->shape.hull.count, narrow_points[0]);
        break;
    }
    return out;
}

/* ---- Against every triangle ---- */

/* Counts answers by fractions. */
typedef struct tally {
    size_t touched, asked, wrong_decisions;
} tally;

/* All that a volume touches, in order; the decisions that touch, and some of the others, are
 * compared with fractions. */
static size_t plainly(const sl_bvh *scene, const sl_volume_d *given, const sl_options *query,
                      sl_triangle_ref *refs, tally *t)
{
    size_t total = 0;
    sl_volume_d volume;
    sli_volume_filter filter;
    sli_world_ray options = { .cull = SL_CULL_NONE };
    sli_world_options(query, 0, 0, &options);
    if (!sli_volume_d_take(given, &hull, &volume)) {
        return 0;
    }
    sli_volume_filter_make_d(&volume, &hull, &filter);
    for (uint32_t instance = 0; instance < scene->world.count; instance++) {
        const sli_transformed *transformed = &scene->world.transformed[instance];
        if (transformed->tree == NULL || !sli_world_selects(&options.item, transformed, instance)) {
            continue;
        }
        for (uint32_t prim = 0; prim < transformed->tree->prim_count; prim++) {
            const sl_triangle_ref ref = { .instance = instance, .prim = prim };
            sl_triangle_d corners;
            if (!sl_bvh_triangle(scene, ref, corners.v) ||
                !sli_item_has(&options.item, ref, sli_tree_mask(transformed->tree, prim))) {
                continue;
            }
            const bool touches = sli_volume_d_touches(&volume, &filter, &corners);
            const bool doubtful =
                sli_volume_filter_triangle_d(&filter, &corners) == SLI_UNSURE && total < 50;
            if (doubtful || t->asked % 64 == 0) {
                t->wrong_decisions += oracle_volume_touches(&volume, &corners) != touches;
            }
            t->asked++;
            if (touches) {
                assert_true(total < MOST);
                refs[total++] = ref;
            }
        }
    }
    t->touched += total;
    return total;
}

static size_t count_wrong(const sl_bvh *scene, const sl_volume_d *volume, bool floats,
                          const sl_options *options, test_random *random, tally *t)
{
    static sl_triangle_ref expected[MOST], got[MOST], few[MOST];
    const sl_volume narrowed = in_floats(volume);
    sl_volume_d asked = floats ? sli_volume_d_of(&narrowed) : *volume;
    if (floats && volume->kind == SL_VOLUME_HULL) {
        asked.shape.hull = (sl_hull_d){ hull_points[0], volume->shape.hull.count };
        for (uint32_t i = 0; i < 3 * volume->shape.hull.count; i++) {
            hull_points[i / 3][i % 3] = (double)narrow_points[i / 3][i % 3];
        }
    }
    const sli_fpenv saved = sli_fpenv_enter();
    const size_t total = plainly(scene, &asked, options, expected, t);
    sli_fpenv_leave(saved);
    const size_t capacity = test_random_below(random, 20);
    bool any;
    size_t counted, all;
    if (floats) {
        any = sl_bvh_overlap_any(scene, &narrowed, options);
        all = sl_bvh_overlap_all(scene, &narrowed, options, got, MOST);
        counted = sl_bvh_overlap_all(scene, &narrowed, options, few, capacity);
    } else {
        uint8_t touches;
        sl_bvh_overlap_any_many(scene, sl_volumes_of(volume, 1, SL_DOUBLE), options, &touches, NULL,
                                NULL);
        any = touches != 0;
        all = overlap_all_of_one_d(scene, volume, options, got, MOST);
        counted = overlap_all_of_one_d(scene, volume, options, few, capacity);
    }
    const size_t kept = total < capacity ? total : capacity;
    return (size_t)(any != (total > 0)) + (size_t)(all != total) + (size_t)(counted != total) +
           (size_t)(all == total && memcmp(expected, got, total * sizeof *got) != 0) +
           (size_t)(counted == total && memcmp(expected, few, kept * sizeof *few) != 0);
}

static tally all; /* of a kind of worlds */

static size_t ask(sl_bvh *scene, test_random *random, size_t i)
{
    double v[3][3];
    sl_triangle_ref skip[2];
    const sl_volume_d volume = draw(scene, (sl_volume_kind)(i % KINDS), random);
    sl_options options = { .flags = 0 };
    if (test_random_below(random, 4) == 0) {
        options.mask = 1 + test_random_below(random, 7);
    }
    if (test_random_below(random, 4) == 0) {
        skip[0] = pick(scene, random, v);
        skip[1] = pick(scene, random, v);
        options.skip = skip;
        options.skip_count = 2;
    }
    const bool floats = test_random_below(random, 3) == 0;
    const size_t wrong = count_wrong(scene, &volume, floats, &options, random, &all);
    if (wrong > 0) {
        print_error("volume %zu, kind %zu\n", i, i % KINDS);
    }
    return wrong;
}

TEST(answers_are_those_of_every_triangle)
{
    const size_t volumes = test_is_brief() ? 12 : 120 * test_scale();
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        all = (tally){ .touched = 0 };
        world_ask((world_kind)kind, volumes, test_seed(SEED), ask);
        assert_int_equal(all.wrong_decisions, 0);
        assert_true(all.touched > volumes);
    }
}

static bool apart(const sl_aabb *a, const sl_aabb *b)
{
    bool found = false;
    for (int axis = 0; axis < 3; axis++) {
        found = found || a->min[axis] > b->max[axis] || a->max[axis] < b->min[axis];
    }
    return found;
}

/* Of a point at a corner of the world, whether the box of the triangle that it belongs to is seen,
 * and not beside the bounds, where the grid is allowed for and where it is not. */
TEST(without_the_margin_triangles_are_lost)
{
    test_random random = { SEED };
    world_case world;
    size_t lost = 0, beside = 0;
    world_make(&world, WORLD_GRIDDED, 20, false, &random);
    const sli_fpenv saved = sli_fpenv_enter();
    for (int i = 0; i < 2000; i++) {
        double v[3][3];
        sl_triangle triangle;
        sli_volume_filter filter;
        sli_volume_space space;
        const sl_triangle_ref ref = pick(world.scene, &random, v);
        const sli_transformed *transformed = &world.scene->world.transformed[ref.instance];
        sl_volume_d point = { .kind = i % 2 == 0 ? SL_VOLUME_AABB : SL_VOLUME_SPHERE };
        if (i % 2 == 0) {
            memcpy(point.shape.aabb.min, v[0], sizeof v[0]);
            memcpy(point.shape.aabb.max, v[0], sizeof v[0]);
        } else {
            memcpy(point.shape.sphere.centre, v[0], sizeof v[0]);
        }
        assert_true(sli_tree_triangle(transformed->tree, ref.prim, &triangle));
        const sl_aabb box = sl_aabb_of_points(triangle.v[0], 3);
        sli_transformed gridless = *transformed;
        gridless.grid = gridless.share = 0;
        const sl_aabb_d bounds = sli_volume_d_bounds(&point);
        sli_volume_filter_make_d(&point, NULL, &filter);
        sli_volume_to_object(&point, &filter, transformed, &space);
        assert_int_not_equal(sli_volume_space_box(&space, &box), SLI_VISIT_NOT);
        sl_aabb within = sli_volume_object_bounds(&bounds, transformed, &space);
        assert_false(apart(&within, &box));
        sli_volume_to_object(&point, &filter, &gridless, &space);
        within = sli_volume_object_bounds(&bounds, &gridless, &space);
        beside += apart(&within, &box);
        lost += sli_volume_space_box(&space, &box) == SLI_VISIT_NOT;
    }
    sli_fpenv_leave(saved);
    world_destroy(&world);
    assert_true(lost > 100 && beside > 100);
}

TEST(an_identity_place_gives_the_answers_of_its_tree)
{
    enum { CAPACITY = 40 };
    test_random random = { SEED };
    for (int solid = 0; solid < SOLID_KINDS; solid++) {
        OWN(sl_mesh) mesh = solid_make((solid_kind)solid);
        OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
        const sl_instance one = sl_instance_of(bvh);
        OWN(sl_bvh) scene = made_scene(&one, 1, NULL);
        for (int i = 0; i < 40 * KINDS; i++) {
            const sl_volume volume = hard_volume_make(mesh, (sl_volume_kind)(i % KINDS), &random);
            sl_triangle_ref of_tree[CAPACITY], of_scene[CAPACITY];
            const size_t total = sl_bvh_overlap_all(bvh, &volume, NULL, of_tree, CAPACITY);
            const size_t kept = total < CAPACITY ? total : CAPACITY;
            assert_int_equal(sl_bvh_overlap_all(scene, &volume, NULL, of_scene, CAPACITY), total);
            assert_memory_equal(of_tree, of_scene, kept * sizeof *of_tree);
            assert_int_equal(sl_bvh_overlap_any(scene, &volume, NULL), total > 0);
        }
    }
}

TEST(arrays_are_single_calls)
{
    enum { COUNT = 200, CAPACITY = 5 };
    static sl_volume_d volumes[COUNT];
    static sl_volume narrowed[COUNT];
    static sl_triangle_ref rows[COUNT * CAPACITY];
    static uint64_t totals[COUNT];
    static uint8_t touches[COUNT];
    sl_item_options options[COUNT];
    test_random random = { SEED };
    UNDONE(world_destroy) world_case world;
    scrambled_tasks scrambled;
    world_make(&world, WORLD_MIRRORED, 20, true, &random);
    for (int i = 0; i < COUNT; i++) {
        volumes[i] = draw(world.scene, (sl_volume_kind)(i % (KINDS + 1)), &random);
        narrowed[i] = in_floats(&volumes[i]);
        options[i] = (sl_item_options){ .mask = 1 + test_random_below(&random, 7) };
    }
    volumes[9].shape.obb.half[0] = -1; /* invalid, as those of no kind are */
    narrowed[9].shape.obb.half[0] = -1;
    const sl_options query = { .items = options };
    for (int doubles = 0; doubles < 2; doubles++) {
        const sl_tasks *tasks = scrambled_tasks_start(&scrambled, 3, SEED);
        if (doubles != 0) {
            sl_bvh_overlap_all_many(world.scene, sl_volumes_of(volumes, COUNT, SL_DOUBLE), &query,
                                    rows, CAPACITY, totals, tasks, NULL);
            sl_bvh_overlap_any_many(world.scene, sl_volumes_of(volumes, COUNT, SL_DOUBLE), &query,
                                    touches, tasks, NULL);
        } else {
            sl_bvh_overlap_all_many(world.scene, sl_volumes_of(narrowed, COUNT, SL_FLOAT), &query,
                                    rows, CAPACITY, totals, tasks, NULL);
            sl_bvh_overlap_any_many(world.scene, sl_volumes_of(narrowed, COUNT, SL_FLOAT), &query,
                                    touches, tasks, NULL);
        }
        for (int i = 0; i < COUNT; i++) {
            const sl_options one = { .items = &options[i] };
            sl_triangle_ref row[CAPACITY];
            const size_t total =
                doubles != 0 ? overlap_all_of_one_d(world.scene, &volumes[i], &one, row, CAPACITY)
                             : sl_bvh_overlap_all(world.scene, &narrowed[i], &one, row, CAPACITY);
            assert_int_equal(totals[i], total);
            assert_int_equal(touches[i], total > 0);
            assert_memory_equal(row, rows + i * CAPACITY,
                                (total < CAPACITY ? total : CAPACITY) * sizeof *row);
        }
    }
    assert_int_equal(totals[9], 0);
    assert_int_equal(totals[KINDS], 0);
}

static const sl_bvh *asked_scene;

static void query_on_stack(painted_stack *stack, void *context)
{
    (void)context;
    test_random random = { SEED };
    for (int i = 0; i < 20 * KINDS; i++) {
        sl_triangle_ref refs[4];
        const sl_volume_d volume = draw(asked_scene, (sl_volume_kind)(i % KINDS), &random);
        (void)overlap_all_of_one_d(asked_scene, &volume, NULL, refs, 4);
        painted_stack_note(stack);
    }
}

TEST(little_stack_is_taken)
{
    test_random random = { SEED };
    UNDONE(world_destroy) world_case world;
    world_make(&world, WORLD_GRIDDED, 50, true, &random);
    asked_scene = world.scene;
    painted_stack_expect(192 * 1024, 48 * 1024, query_on_stack, NULL);
}
