/* Sweeps through worlds against every triangle of the world in turn, by the same exact test: first,
 * any and all of every kind of shape, from where it touches, overlaps or is apart, with masks,
 * skips, ignored instances, cull, filters and policies at the start, of any capacity; arrays of
 * floats and doubles against single calls, whatever the tasks; and shapes that are odd.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of sweeps. */
#include "bvh/kernel/instance/intersect.h"
#include "lib/base/fpenv.h"
#include "lib/geom/sweep/sweep.h"
#include "test/support/environment/no_memory.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/world.h"
#include "test/support/test.h"

#include <sightline/sweep.h>

enum { SEED = 20261203, MOST = 20000, POINTS = 9 };

/* ---- What is asked ---- */

/* A corner of a triangle, or a point of it. */
static void point_of(double v[3][3], test_random *random, double out[3])
{
    const double s = test_random_unit_d(random) / 2, t = test_random_unit_d(random) / 2;
    const bool corner = test_random_below(random, 2) == 0;
    for (int axis = 0; axis < 3; axis++) {
        out[axis] =
            corner ? v[0][axis]
                   : v[0][axis] + s * (v[1][axis] - v[0][axis]) + t * (v[2][axis] - v[0][axis]);
    }
}

static double draw_size(const sl_bvh *bvh, test_random *random)
{
    const sl_aabb_d bounds = sl_bvh_bounds(bvh);
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        most = fmax(most, bounds.max[axis] - bounds.min[axis]);
    }
    return test_random_below(random, 12) == 0
               ? 0
               : most * ldexp(test_random_unit_d(random), -(int)test_random_below(random, 14));
}

static sl_volume_d draw_shape(sl_volume_kind kind, const double at[3], double size,
                              test_random *random, double points[POINTS][3])
{
    sl_volume_d out = { .kind = kind };
    for (int i = 0; i < POINTS; i++) {
        for (int axis = 0; axis < 3; axis++) {
            points[i][axis] = at[axis] + size * (2 * test_random_unit_d(random) - 1);
        }
    }
    switch (kind) {
    case SL_VOLUME_AABB:
        for (int axis = 0; axis < 3; axis++) {
            out.shape.aabb.min[axis] = fmin(points[0][axis], points[1][axis]);
            out.shape.aabb.max[axis] = fmax(points[0][axis], points[1][axis]);
        }
        break;
    case SL_VOLUME_SPHERE:
        memcpy(out.shape.sphere.centre, points[0], sizeof points[0]);
        out.shape.sphere.radius = size;
        break;
    case SL_VOLUME_CAPSULE:
        memcpy(out.shape.capsule.p, points[0], sizeof points[0]);
        memcpy(out.shape.capsule.q, points[1], sizeof points[1]);
        out.shape.capsule.radius = size * test_random_unit_d(random);
        break;
    case SL_VOLUME_OBB:
        memcpy(out.shape.obb.centre, at, sizeof out.shape.obb.centre);
        for (int i = 0; i < 3; i++) {
            out.shape.obb.half[i] = size * test_random_unit_d(random);
            for (int axis = 0; axis < 3; axis++) {
                out.shape.obb.axis[i][axis] = 2 * test_random_unit_d(random) - 1;
            }
        }
        break;
    case SL_VOLUME_TRIANGLE:
        memcpy(out.shape.triangle.v, points, sizeof out.shape.triangle.v);
        break;
    default:
        out.shape.hull = (sl_hull_d){ points[0], 1 + test_random_below(random, POINTS) };
        break;
    }
    return out;
}

static sl_sweep_d draw_sweep(const sl_bvh *bvh, test_random *random, double points[POINTS][3])
{
    static const sl_volume_kind kinds[] = { SL_VOLUME_SPHERE, SL_VOLUME_SPHERE, SL_VOLUME_CAPSULE,
                                            SL_VOLUME_AABB,   SL_VOLUME_OBB,    SL_VOLUME_TRIANGLE,
                                            SL_VOLUME_HULL };
    double v[3][3], w[3][3], at[3], to[3];
    (void)world_triangle(bvh, random, v);
    (void)world_triangle(bvh, random, w);
    point_of(v, random, at);
    point_of(w, random, to);
    const double size = draw_size(bvh, random), away = 3 * draw_size(bvh, random);
    for (int axis = 0; axis < 3; axis++) {
        at[axis] += away * (2 * test_random_unit_d(random) - 1);
    }
    sl_sweep_d out = { .volume = draw_shape(kinds[test_random_below(random, 7)], at, size, random,
                                            points) };
    const uint32_t way = test_random_below(random, 8), only = test_random_below(random, 3);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const double dir = (to[axis] - at[axis]) * (way == 1 ? 3 : 1);
        out.dir[axis] = way == 0 || (way == 2 && axis != only) ? 0 : dir;
    }
    out.touching = (sl_start_contact)test_random_below(random, 3);
    out.overlapping = (sl_start_contact)test_random_below(random, 3);
    out.ignore_grazing = test_random_below(random, 2) == 0;
    return out;
}

/* Options of all kinds, each seldom. */
typedef struct drawn_options {
    sl_options options;
    sl_triangle_ref skip[2];
    sl_instance_range ignore;
} drawn_options;

static bool is_even(void *user, size_t index, const sl_hit *hit)
{
    (void)user;
    (void)index;
    return hit->prim % 2 == 0;
}

static void draw_options(const sl_bvh *bvh, test_random *random, drawn_options *out)
{
    double v[3][3];
    *out = (drawn_options){ .ignore = { test_random_below(random, 4), 2 } };
    out->options.cull = (sl_cull)(test_random_below(random, 6) % 4 % 3);
    out->options.mask = test_random_below(random, 3) == 0 ? 1u << test_random_below(random, 3) : 0;
    for (int i = 0; i < 2; i++) {
        out->skip[i] = world_triangle(bvh, random, v);
    }
    out->options.skip = out->skip;
    out->options.skip_count = test_random_below(random, 3);
    out->options.ignore = &out->ignore;
    out->options.ignore_count = test_random_below(random, 6) == 0;
    out->options.filter = test_random_below(random, 6) == 0 ? is_even : NULL;
}

/* ---- Every triangle in turn ---- */

static bool comes_before(const sl_contact *a, const sl_contact *b)
{
    return a->t != b->t                 ? a->t < b->t
           : a->instance != b->instance ? a->instance < b->instance
                                        : a->prim < b->prim;
}

static int compare_contacts(const void *a, const void *b)
{
    return comes_before(a, b) ? -1 : 1;
}

/* The exact contact with a triangle that the options leave in. */
static bool contact_with(const sl_bvh *bvh, const sli_sweep *sweep, const sl_options *options,
                         sl_triangle_ref ref, sl_contact *out)
{
    static const double zero[3] = { 0, 0, 0 };
    const sli_transformed *transformed = &bvh->world.transformed[ref.instance];
    double v[3][3];
    sli_world_ray selection = { .cull = SL_CULL_NONE };
    sli_decision_stage stage;
    sli_world_options(options, 0, 0, &selection);
    if (transformed->tree == NULL ||
        !sli_world_selects(&selection.item, transformed, ref.instance) ||
        !sl_bvh_triangle(bvh, ref, v) ||
        !sli_item_has(&selection.item, ref, sli_tree_mask(transformed->tree, ref.prim))) {
        return false;
    }
    if (transformed->mirrored) {
        double second[3];
        memcpy(second, v[1], sizeof second);
        memcpy(v[1], v[2], sizeof second);
        memcpy(v[2], second, sizeof second);
    }
    const int side = sli_triple3d(v[0], v[1], v[0], v[2], zero, sweep->dir, &stage);
    if ((options->cull == SL_CULL_BACK && side > 0) ||
        (options->cull == SL_CULL_FRONT && side < 0) ||
        !sli_sweep_triangle(sweep, (const double(*)[3])v, 1, out)) {
        return false;
    }
    out->prim = ref.prim;
    out->instance = ref.instance;
    out->flags = (out->flags & ~(uint32_t)SL_HIT_BACK) | (side > 0 ? (uint32_t)SL_HIT_BACK : 0);
    return options->filter == NULL || is_even(NULL, 0, &(sl_hit){ .prim = ref.prim });
}

static size_t all_in_turn(const sl_bvh *bvh, const sl_sweep_d *given, const sl_options *options,
                          sl_contact *out)
{
    sli_sweep sweep;
    size_t count = 0;
    const sli_fpenv saved = sli_fpenv_enter();
    if (sli_sweep_take(given, &sweep)) {
        for (uint32_t i = 0; i < bvh->world.count; i++) {
            const sl_bvh *tree = bvh->world.transformed[i].tree;
            for (uint32_t prim = 0; tree != NULL && prim < tree->prim_count; prim++) {
                assert_true(count < MOST);
                count +=
                    contact_with(bvh, &sweep, options, (sl_triangle_ref){ i, prim }, &out[count]);
            }
        }
    }
    sli_fpenv_leave(saved);
    qsort(out, count, sizeof *out, compare_contacts);
    return count;
}

/* ---- Answers ---- */

static bool are_equal(const sl_contact *a, const sl_contact *b)
{
    return a->t == b->t && a->t_safe == b->t_safe && a->prim == b->prim &&
           a->instance == b->instance && a->start == b->start && a->flags == b->flags &&
           memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(a->normal, b->normal, sizeof a->normal) == 0;
}

static bool first_is_right(const sl_bvh *bvh, const sl_sweep_d *sweep, const sl_options *options,
                           const sl_contact *expected, size_t count)
{
    sl_contact first = { .prim = 7 };
    uint8_t any = 9;
    const bool found = sl_bvh_sweep_d(bvh, sweep, options, &first);
    sl_bvh_sweep_any_many(bvh, sl_sweeps_of(sweep, 1, SL_DOUBLE), options, &any, NULL, NULL);
    return found == (count > 0) && any == found &&
           (found ? are_equal(&first, expected) : first.prim == SL_NONE && first.t == 1);
}

static size_t question(sl_bvh *bvh, test_random *random, size_t i)
{
    static sl_contact expected[MOST], row[MOST];
    double points[POINTS][3];
    drawn_options options;
    const sl_sweep_d sweep = draw_sweep(bvh, random, points);
    draw_options(bvh, random, &options);
    if (i % 2 == 0) {
        options.options = (sl_options){ .mask = 0 };
    }
    const size_t count = all_in_turn(bvh, &sweep, &options.options, expected);
    const size_t capacity = test_random_below(random, 3) * 10u;
    const size_t total = sl_bvh_sweep_all(bvh, &sweep, &options.options, row, capacity);
    bool right = total == count && first_is_right(bvh, &sweep, &options.options, expected, count);
    for (size_t k = 0; k < capacity && k < total; k++) {
        right = right && are_equal(&row[k], &expected[k]);
    }
    if (!right) {
        print_error("kind %d, dir %g %g %g: %zu of %zu\n", sweep.volume.kind, sweep.dir[0],
                    sweep.dir[1], sweep.dir[2], total, count);
    }
    return !right;
}

TEST(answers_are_those_of_every_triangle_in_turn)
{
    const size_t queries = test_is_brief() ? 12 : 60 * (size_t)test_scale();
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        world_ask((world_kind)kind, queries, test_seed(SEED), question);
    }
}

TEST(trees_of_all_layouts_answer_alike)
{
    const sl_build_def defs[] = { { .quality = SL_BVH_QUALITY_HIGH },
                                  { .layout = SL_BVH_LAYOUT_COMPACT },
                                  { .quality = SL_BVH_QUALITY_FAST } };
    test_random random = { test_seed(SEED) };
    OWN(sl_mesh) mesh = made_soup(900, 0.4f, 6);
    for (int k = 0; k < 3; k++) {
        OWN(sl_bvh) bvh = made_bvh(mesh, &defs[k]);
        size_t wrong = 0;
        for (size_t i = 0; i < (test_is_brief() ? 100u : 1000u * (size_t)test_scale()); i++) {
            wrong += question(bvh, &random, i);
        }
        assert_int_equal(wrong, 0);
    }
}

/* ---- Arrays ---- */

enum { COUNT = 300, ROW = 4 };

typedef struct table {
    sl_sweep floats[COUNT];
    sl_sweep_d doubles[COUNT];
    sl_contact one[COUNT], many[COUNT], rows[COUNT * ROW];
    uint8_t any[COUNT];
    uint64_t totals[COUNT];
} table;

/* The same in floats and in doubles: spheres and boxes, some of them invalid. */
static void draw_table(table *t)
{
    test_random random = { test_seed(SEED) };
    for (size_t i = 0; i < COUNT; i++) {
        const bool sphere = i % 2 == 0;
        const float half = i % 50 == 0 ? NAN : 0.1f * test_random_unit(&random);
        sl_sweep *s = &t->floats[i];
        sl_sweep_d *d = &t->doubles[i];
        *s = (sl_sweep){ .volume.kind = sphere ? SL_VOLUME_SPHERE : SL_VOLUME_AABB };
        *d = (sl_sweep_d){ .volume.kind = s->volume.kind };
        for (int axis = 0; axis < 3; axis++) {
            const float at = test_random_in(&random, -1, 1);
            d->dir[axis] = s->dir[axis] = test_random_in(&random, -2, 2);
            if (sphere) {
                d->volume.shape.sphere.centre[axis] = s->volume.shape.sphere.centre[axis] = at;
                d->volume.shape.sphere.radius = s->volume.shape.sphere.radius = half;
            } else {
                d->volume.shape.aabb.min[axis] = s->volume.shape.aabb.min[axis] = at - half;
                d->volume.shape.aabb.max[axis] = s->volume.shape.aabb.max[axis] = at + half;
            }
        }
    }
}

TEST(arrays_are_answered_as_single_sweeps)
{
    OWN(sl_mesh) mesh = made_sphere(5);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    FREED table *t = calloc(1, sizeof *t);
    sl_item_options items[COUNT] = { { .mask = 0 } };
    sl_triangle_ref skip = { 0, 0 };
    draw_table(t);
    for (int k = 0; k < 4; k++) {
        scrambled_tasks scrambled;
        const sl_tasks *tasks = k > 0 ? scrambled_tasks_start(&scrambled, k, 7) : NULL;
        const bool doubles = k % 2 != 0;
        const sl_sweeps sweeps = sl_sweeps_of(doubles ? (void *)t->doubles : (void *)t->floats,
                                              COUNT, doubles ? SL_DOUBLE : SL_FLOAT);
        const sl_options options = { .items = items };
        sl_stats stats = { .rays = 0 };
        size_t found = 0;
        items[5].skip = &skip;
        items[5].skip_count = 1;
        sl_bvh_sweep_many(bvh, sweeps, &options, t->many, tasks, &stats);
        sl_bvh_sweep_any_many(bvh, sweeps, &options, t->any, tasks, NULL);
        sl_bvh_sweep_all_many(bvh, sweeps, &options, t->rows, ROW, t->totals, tasks, NULL);
        assert_int_equal(stats.rays, COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            const sl_options mine = { .items = &items[i] };
            (void)(doubles ? sl_bvh_sweep_d(bvh, &t->doubles[i], &mine, &t->one[i])
                           : sl_bvh_sweep(bvh, &t->floats[i], &mine, &t->one[i]));
            assert_true(are_equal(&t->one[i], &t->many[i]));
            assert_int_equal(t->any[i], t->one[i].prim != SL_NONE);
            assert_int_equal(t->totals[i] > 0, t->any[i]);
            assert_true(t->totals[i] == 0 || are_equal(&t->rows[i * ROW], &t->one[i]));
            found += t->any[i];
        }
        assert_true(found > COUNT / 10 && found < COUNT);
    }
}

/* ---- Odd ones ---- */

TEST(what_is_invalid_meets_nothing)
{
    OWN(sl_mesh) mesh = made_sphere(4);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    const sl_sweep_d good = { .volume = { .kind = SL_VOLUME_SPHERE, .shape.sphere.radius = 1 },
                              .dir = { 1, 2, 3 } };
    sl_contact contact;
    assert_true(sl_bvh_sweep_d(bvh, &good, NULL, &contact));
    const double bad[] = { NAN, INFINITY, -INFINITY, 0x1p128 };
    for (int i = 0; i < 4; i++) {
        sl_sweep_d s = good;
        s.dir[1] = bad[i];
        assert_false(sl_bvh_sweep_d(bvh, &s, NULL, &contact));
        assert_true(contact.prim == SL_NONE && contact.t == 1);
        s = good;
        s.volume.shape.sphere.centre[2] = bad[i];
        assert_false(sl_bvh_sweep_d(bvh, &s, NULL, NULL));
    }
    sl_sweep_d s = good;
    s.volume.shape.sphere.radius = -1;
    assert_int_equal(sl_bvh_sweep_all(bvh, &s, NULL, NULL, 0), 0);
    s.volume.kind = SL_VOLUME_FRUSTUM;
    assert_int_equal(sl_bvh_sweep_all(bvh, &s, NULL, NULL, 0), 0);
}

/* Of all sizes that there are, boxes without bounds among them. */
TEST(what_is_huge_meets_everything_on_its_way)
{
    OWN(sl_mesh) mesh = made_sphere(4);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    static sl_contact expected[MOST];
    const sl_options everything = { .mask = 0 };
    for (int exponent = -149; exponent < 128; exponent += 6) {
        sl_sweep_d s = { .volume = { .kind = SL_VOLUME_SPHERE,
                                     .shape.sphere.radius = ldexp(1, exponent) },
                         .dir = { 0, 4, 0 } };
        s.volume.shape.sphere.centre[1] = -2;
        size_t count = all_in_turn(bvh, &s, &everything, expected);
        assert_int_equal(sl_bvh_sweep_all(bvh, &s, NULL, NULL, 0), count);
        assert_true(first_is_right(bvh, &s, &everything, expected, count));
        s.volume = (sl_volume_d){ .kind = SL_VOLUME_AABB,
                                  .shape.aabb = { .min = { -INFINITY, -2, -INFINITY },
                                                  .max = { INFINITY, -1.5, INFINITY } } };
        s.dir[1] = ldexp(1, exponent);
        count = all_in_turn(bvh, &s, &everything, expected);
        assert_true(first_is_right(bvh, &s, &everything, expected, count));
    }
}

TEST(nothing_is_allocated)
{
    OWN(sl_mesh) mesh = made_soup(300, 0.3f, 4);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    FREED table *t = calloc(1, sizeof *t);
    double offset[3];
    draw_table(t);
    no_memory_begin();
    sl_bvh_sweep_many(bvh, sl_sweeps_of(t->floats, COUNT, SL_FLOAT), NULL, t->many, NULL, NULL);
    sl_bvh_sweep_all_many(bvh, sl_sweeps_of(t->doubles, COUNT, SL_DOUBLE), NULL, t->rows, ROW,
                          t->totals, NULL, NULL);
    for (size_t i = 0; i < COUNT; i += 2) {
        (void)sl_bvh_push_out(bvh, &t->doubles[i].volume, 1, NULL, offset);
    }
    assert_int_equal(no_memory_end(), 0);
}

/* ---- The stack ---- */

static void sweep_on(painted_stack *stack, void *context)
{
    sl_bvh *bvh = context;
    test_random random = { test_seed(SEED) };
    for (int i = 0; i < 300; i++) {
        double points[POINTS][3], offset[3];
        uint64_t total;
        sl_contact row[ROW];
        const sl_sweep_d sweep = draw_sweep(bvh, &random, points);
        (void)painted_stack_depth(stack);
        (void)sl_bvh_sweep_d(bvh, &sweep, NULL, row);
        (void)sl_bvh_push_out(bvh, &sweep.volume, 1, NULL, offset);
        sl_bvh_sweep_all_many(bvh, sl_sweeps_of(&sweep, 1, SL_DOUBLE), NULL, row, ROW, &total, NULL,
                              NULL);
        painted_stack_note(stack);
    }
}

TEST(calls_take_no_more_stack_than_they_may)
{
    OWN(sl_mesh) mesh = made_soup(500, 0.3f, 4);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    painted_stack_expect(1 << 20, 48 * 1024, sweep_on, bvh);
}
