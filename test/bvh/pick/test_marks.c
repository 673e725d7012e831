/* Points, wires and light icons near a position of the picture, or near a ray, against all of them
 * one by one. */
#include "bvh/scene/scene.h"
#include "test/support/input/views.h"
#include "test/support/input/world.h"
#include "test/support/oracle/picture_oracle.h"
#include "test/support/test.h"

enum { SEED = 20261124, MOST = 600, KEPT = 40 };

typedef struct worlds {
    world_case world;
    sl_mark marks[MOST];
    size_t count;
    sl_marks *list;
    double centre[3], size;
} worlds;

static worlds w;

/* Marks in and around a random scene, which may be far away; some long, some at one place. */
static void make(world_kind kind, size_t count, test_random *random)
{
    world_make(&w.world, kind, 12, test_random_below(random, 2) == 0, random);
    const sl_aabb_d bounds = sl_bvh_bounds(w.world.scene);
    w.size = 0;
    w.count = count;
    for (int axis = 0; axis < 3; axis++) {
        w.centre[axis] = 0.5 * (bounds.min[axis] + bounds.max[axis]);
        w.size = fmax(w.size, bounds.max[axis] - bounds.min[axis]);
    }
    for (size_t i = 0; i < count; i++) {
        double p[3], q[3];
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = w.centre[axis] + 0.7 * w.size * (double)test_random_in(random, -1, 1);
            const double length = test_random_below(random, 4) == 0 ? 3 : 0.1;
            q[axis] = p[axis] + length * w.size * (double)test_random_in(random, -1, 1);
        }
        if (i > 0 && test_random_below(random, 8) == 0) {
            memcpy(p, w.marks[i - 1].p, sizeof p);
        }
        const float tolerance = test_random_below(random, 10) == 0 ? 40 * test_random_unit(random)
                                                                   : test_random_unit(random);
        w.marks[i] = test_random_below(random, 2) == 0
                         ? sl_mark_point(p, tolerance, (uint32_t)i * 7)
                         : sl_mark_wire(p, q, tolerance, (uint32_t)i * 7);
        w.marks[i].mask = 1u << test_random_below(random, 4) | 16;
        w.marks[i].flags = (uint16_t)test_random_below(random, 2);
        w.marks[i].priority = test_random_below(random, 6) == 0 ? 3 : 1;
    }
    assert_int_equal(sl_marks_build(w.marks, count, NULL, &w.list, NULL), SL_OK);
}

static void unmake(void)
{
    sl_marks_destroy(w.list);
    world_destroy(&w.world);
}

/* ---- By looking at every mark ---- */

typedef struct found {
    picture_point at;
    double distance;
    uint32_t index;
    bool hidden;
} found;

/* Where the near plane cuts a wire, farther in: the other way there is no line of sight. */
static bool look_inwards(const sl_view *view, const double xy[2], const sl_mark *mark,
                         picture_point *at, sl_segment_d *sight)
{
    const double s = at->s;
    for (int power = -44; power <= -20 && s > 0 && s < 1; power += 8) {
        for (int inner = 0; inner < 2; inner++) {
            at->s = s + ldexp(1, power) * (inner - s);
            for (int axis = 0; axis < 3; axis++) {
                at->point[axis] = mark->p[axis] + at->s * (mark->q[axis] - mark->p[axis]);
            }
            if (sl_view_project(view, at->point, at->xy, NULL) &&
                sl_view_sight(view, at->point, sight)) {
                const double x = at->xy[0] - xy[0], y = at->xy[1] - xy[1];
                at->pixels = sqrt(x * x + y * y);
                return true;
            }
        }
    }
    return false;
}

static bool look(const sl_bvh *scene, const sl_view *view, const double xy[2],
                 const sl_pick_def *def, uint32_t i, found *out)
{
    const sl_mark *mark = &w.marks[i];
    const sl_options *options = def->options;
    sl_segment_d sight;
    out->index = i;
    out->hidden = false;
    if ((options != NULL && options->mask != 0 && mark->mask != 0 &&
         (options->mask & mark->mask) == 0) ||
        !picture_nearest(view, xy, mark->p, mark->q, &out->at) ||
        out->at.pixels > (double)def->radius + (double)mark->tolerance) {
        return false;
    }
    if (!sl_view_sight(view, out->at.point, &sight) &&
        (!look_inwards(view, xy, mark, &out->at, &sight) ||
         out->at.pixels > (double)def->radius + (double)mark->tolerance)) {
        return false;
    }
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += (sight.q[axis] - sight.p[axis]) * (sight.q[axis] - sight.p[axis]);
    }
    out->distance = sqrt(sum);
    if (scene != NULL && (mark->flags & SL_MARK_ON_TOP) == 0) {
        sl_options open = options != NULL ? *options : (sl_options){ .flags = 0 };
        open.flags |= SL_OPEN_END;
        out->hidden = sl_bvh_occluded_d(scene, sight.p, sight.q, &open);
    }
    return def->hidden || !out->hidden;
}

static bool is_better(const found *a, const found *b)
{
    const int p = w.marks[a->index].priority, q = w.marks[b->index].priority;
    if (p != q) {
        return p > q;
    }
    if (a->at.pixels != b->at.pixels) {
        return a->at.pixels < b->at.pixels;
    }
    return a->distance != b->distance ? a->distance < b->distance : a->index < b->index;
}

static int by_distance(const void *one, const void *other)
{
    const found *a = one, *b = other;
    if (a->distance != b->distance) {
        return a->distance < b->distance ? -1 : 1;
    }
    return a->index < b->index ? -1 : 1;
}

static void assert_same(const sl_pick *pick, const found *want)
{
    assert_int_equal(pick->prim, want->index);
    assert_int_equal(pick->kind, SL_PICK_MARK);
    assert_int_equal(pick->instance, SL_NONE);
    assert_int_equal(pick->part, w.marks[want->index].id);
    assert_int_equal(pick->flags, want->hidden ? SL_PICK_HIDDEN : 0);
    assert_memory_equal(pick->point, want->at.point, sizeof pick->point);
    assert_memory_equal(pick->xy, want->at.xy, sizeof pick->xy);
    assert_true(pick->pixels == want->at.pixels);
    assert_true(pick->distance == want->distance);
    assert_true(pick->along == want->at.s);
}

/* Returns how many are near. */
static size_t compare(const sl_bvh *scene, const sl_view *view, const double xy[2],
                      const sl_pick_def *def)
{
    static found all[MOST];
    sl_pick pick = { .kind = 77 }, picks[KEPT];
    size_t count = 0, best = 0;
    for (uint32_t i = 0; i < w.count; i++) {
        if (look(scene, view, xy, def, i, &all[count])) {
            best = is_better(&all[count], &all[best]) ? count : best;
            count++;
        }
    }
    assert_int_equal(sl_marks_pick(w.list, scene, view, xy, def, &pick), count > 0);
    if (count > 0) {
        assert_same(&pick, &all[best]);
    } else {
        assert_int_equal(pick.kind, 77);
    }
    qsort(all, count, sizeof *all, by_distance);
    assert_int_equal(sl_marks_pick_all(w.list, scene, view, xy, def, picks, KEPT), count);
    for (size_t i = 0; i < count && i < KEPT; i++) {
        assert_same(&picks[i], &all[i]);
    }
    assert_int_equal(sl_marks_pick_all(w.list, scene, view, xy, def, NULL, 0), count);
    return count;
}

TEST(picks_are_those_of_looking_at_every_mark)
{
    test_random random = { SEED };
    size_t near = 0, asked = 0;
    for (int round = 0; round < (int)(test_is_brief() ? 4 : 12 * test_scale()); round++) {
        make((world_kind)(round % WORLD_KINDS), 20 + test_random_below(&random, MOST - 20),
             &random);
        for (int i = 0; i < 60; i++) {
            const sl_view view = views_random(w.centre, w.size, &random);
            const sl_options options = { .mask = 1 + test_random_below(&random, 3) };
            sl_pick_def def = { 0 };
            double xy[2];
            views_position(&view, &random, xy);
            def.radius =
                test_random_below(&random, 3) == 0 ? 1e-30f : 30 * test_random_unit(&random);
            def.hidden = test_random_below(&random, 4) == 0;
            def.options = test_random_below(&random, 3) == 0 ? &options : NULL;
            const bool alone = test_random_below(&random, 3) == 0;
            near += compare(alone ? NULL : w.world.scene, &view, xy, &def);
            asked++;
        }
        unmake();
    }
    print_message("seed %d: %zu near in %zu questions\n", SEED, near, asked);
    assert_true(near > asked);
}

/* ---- Rays ---- */

/* Wires that begin behind the near plane, with the mouse beyond the end that is seen. */
TEST(wires_that_the_near_plane_cuts_are_found)
{
    test_random random = { SEED };
    sl_camera_def camera = { 0 };
    sl_pick_def def = { 0 };
    size_t asked = 0;
    camera.eye[0] = 1.3f;
    camera.eye[2] = 5;
    camera.near_distance = 0.1f;
    sl_camera made = made_camera(&camera);
    const sl_view view = (sl_view){ .camera = made };
    for (int i = 0; i < 300; i++) {
        const double xy[2] = { (double)test_random_in(&random, 50, 700),
                               (double)test_random_in(&random, 50, 500) };
        double p[3], q[3], end[2], inner[2], mouse[2];
        OWN(sl_marks) list = NULL;
        sl_pick pick;
        sl_ray_d ray;
        assert_true(sl_view_ray(&view, xy, &ray));
        for (int axis = 0; axis < 3; axis++) {
            const double along = 0.05 * ray.dir[axis] + (double)test_random_in(&random, -1, 1);
            p[axis] = ray.origin[axis] - 0.02 * along;
            q[axis] = ray.origin[axis] + along;
        }
        if (!sl_view_project(&view, ray.origin, end, NULL) ||
            !sl_view_project(&view, q, inner, NULL)) {
            continue;
        }
        const double x = inner[0] - end[0], y = inner[1] - end[1], length = sqrt(x * x + y * y);
        mouse[0] = end[0] - 2.5 * x / length;
        mouse[1] = end[1] - 2.5 * y / length;
        const sl_mark wire = sl_mark_wire(p, q, 6, 0);
        assert_int_equal(sl_marks_build(&wire, 1, NULL, &list, NULL), SL_OK);
        if (!sl_marks_pick(list, NULL, &view, mouse, &def, &pick)) {
            fail_msg("wire %d is not found", i);
        }
        assert_true(pick.along > 0 && pick.along < 1);
        asked++;
    }
    assert_true(asked > 100);
}

/* The nearest mark by looking at all: distances are right to within roundings, and none is less. */
TEST(a_hand_finds_the_nearest_mark)
{
    test_random random = { SEED + 1 };
    size_t hits = 0;
    for (int round = 0; round < 8; round++) {
        make(WORLD_PLAIN, 20 + test_random_below(&random, 300), &random);
        for (int i = 0; i < 200; i++) {
            sl_ray_d ray = { .tmax = test_random_below(&random, 2) == 0 ? INFINITY : 1.5 };
            const double radius = w.size * 0.1 * (double)test_random_unit(&random);
            const sl_options options = { .mask = test_random_below(&random, 2) == 0
                                                     ? 1 + test_random_below(&random, 3)
                                                     : 0 };
            sl_mark_near near;
            double least = INFINITY;
            int priority = -1;
            for (int axis = 0; axis < 3; axis++) {
                ray.origin[axis] = w.centre[axis] + w.size * (double)test_random_in(&random, -1, 1);
                ray.dir[axis] = w.centre[axis] - ray.origin[axis] +
                                0.3 * w.size * (double)test_random_in(&random, -1, 1);
            }
            const bool any = sl_marks_near_ray(w.list, &ray, radius, &options, &near);
            for (size_t k = 0; k < w.count; k++) {
                OWN(sl_marks) one = NULL;
                sl_mark_near alone;
                assert_int_equal(sl_marks_build(&w.marks[k], 1, NULL, &one, NULL), SL_OK);
                if (sl_marks_near_ray(one, &ray, radius, &options, &alone)) {
                    const int p = w.marks[k].priority;
                    least = p > priority || (p == priority && alone.distance < least)
                                ? alone.distance
                                : least;
                    priority = p > priority ? p : priority;
                }
            }
            assert_int_equal(any, priority >= 0);
            if (any) {
                double gap = 0;
                hits++;
                assert_true(near.distance == least && near.distance <= radius);
                assert_int_equal(w.marks[near.index].priority, priority);
                assert_int_equal(near.id, w.marks[near.index].id);
                for (int axis = 0; axis < 3; axis++) {
                    const double d = near.point[axis] - (ray.origin[axis] + near.t * ray.dir[axis]);
                    gap += d * d;
                }
                assert_true(fabs(sqrt(gap) - near.distance) <= 1e-12 * w.size);
                assert_true(near.t >= ray.tmin && near.t <= ray.tmax);
            }
        }
        unmake();
    }
    assert_true(hits > 200);
}

TEST(a_ray_by_hand)
{
    const double p[3] = { -1, 2, 5 }, q[3] = { 1, 2, 5 }, lamp[3] = { 0, 0.5, 9 };
    const sl_mark marks[] = { sl_mark_wire(p, q, 0, 11), sl_mark_point(lamp, 0, 12) };
    const sl_ray_d ray = { .dir = { 0, 0, 2 }, .tmax = INFINITY };
    OWN(sl_marks) list = NULL;
    sl_mark_near near;
    assert_int_equal(sl_marks_build(marks, 2, NULL, &list, NULL), SL_OK);
    assert_false(sl_marks_near_ray(list, &ray, 0.25, NULL, &near));
    assert_true(sl_marks_near_ray(list, &ray, 3, NULL, &near));
    assert_true(near.index == 1 && near.id == 12 && near.t == 4.5 && near.distance == 0.5);
    const sl_ray_d shorter = { .dir = { 0, 0, 2 }, .tmax = 3 };
    assert_true(sl_marks_near_ray(list, &shorter, 3, NULL, &near));
    assert_true(near.index == 0 && near.t == 2.5 && near.distance == 2 && near.along == 0.5);
    assert_false(sl_marks_near_ray(list, &ray, NAN, NULL, &near));
    assert_false(sl_marks_near_ray(list, &ray, -1, NULL, &near));
    assert_false(sl_marks_near_ray(list, &(sl_ray_d){ .tmax = 1 }, 3, NULL, &near));
}

/* ---- Better ---- */

TEST(the_better_pick_has_the_higher_rank_then_fewer_pixels)
{
    const sl_pick none = { .kind = SL_PICK_NONE }, face = { .kind = SL_PICK_FACE };
    const sl_pick near = { .kind = SL_PICK_MARK, .pixels = 1, .distance = 9 };
    const sl_pick far = { .kind = SL_PICK_MARK, .pixels = 2, .distance = 1 };
    const sl_pick front = { .kind = SL_PICK_MARK, .pixels = 2, .distance = 0.5 };
    sl_pick_def def = { 0 };
    assert_true(sl_pick_is_better(NULL, &far, &face));
    assert_false(sl_pick_is_better(NULL, &face, &far));
    assert_true(sl_pick_is_better(NULL, &face, &none));
    assert_false(sl_pick_is_better(NULL, &none, &none));
    assert_true(sl_pick_is_better(&def, &near, &far));
    assert_true(sl_pick_is_better(&def, &front, &far));
    def.rank[0] = 9;
    assert_true(sl_pick_is_better(&def, &face, &near));
}

/* ---- Builds ---- */

TEST(a_bad_mark_is_named)
{
    const double at[3] = { 1, 2, 3 };
    const double bad[] = { NAN, INFINITY, -INFINITY, 2.0 * (double)FLT_MAX };
    const float tolerances[] = { NAN, INFINITY, -1 };
    sl_mark marks[5];
    sl_marks *list = (sl_marks *)(void *)marks;
    sl_error error;
    for (int i = 0; i < 7; i++) {
        for (int k = 0; k < 5; k++) {
            marks[k] = sl_mark_point(at, 1, 0);
        }
        if (i < 4) {
            marks[3].q[i % 3] = bad[i];
        } else {
            marks[3].tolerance = tolerances[i - 4];
        }
        assert_int_equal(sl_marks_build(marks, 5, NULL, &list, &error),
                         i < 4 ? SL_NOT_FINITE : SL_BAD_DATA);
        assert_null(list);
        assert_non_null(strstr(error.message, "mark 3"));
    }
    assert_int_equal(sl_marks_build(NULL, 5, NULL, &list, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_marks_build(marks, 5, NULL, NULL, &error), SL_INVALID_ARGUMENT);
    sl_marks_def def = { .stride = 8 };
    assert_int_equal(sl_marks_build(marks, 5, &def, &list, &error), SL_INVALID_ARGUMENT);
    def.stride = SIZE_MAX / 4 + 1;
    assert_int_equal(sl_marks_build(marks, 5, &def, &list, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "no array of 5 is larger"));
    sl_marks_destroy(NULL);
}

TEST(no_marks_are_near_nothing)
{
    OWN(sl_marks) list = NULL;
    sl_marks_info info;
    const double xy[2] = { 1, 1 }, nowhere[2] = { NAN, 1 };
    sl_pick pick;
    sl_camera camera = made_camera(NULL);
    const sl_view view = (sl_view){ .camera = camera };
    assert_int_equal(sl_marks_build(NULL, 0, NULL, &list, NULL), SL_OK);
    info = sl_marks_get_info(list);
    assert_true(info.count == 0 && info.bytes > 0);
    assert_false(sl_marks_pick(list, NULL, &view, xy, NULL, &pick));
    assert_int_equal(sl_marks_pick_all(list, NULL, &view, xy, NULL, NULL, 0), 0);
    assert_false(sl_marks_pick(list, NULL, &view, nowhere, NULL, &pick));
    const sl_ray_d ray = { .dir = { 1, 0, 0 }, .tmax = 1 };
    assert_false(sl_marks_near_ray(list, &ray, 9, NULL, NULL));
}

/* One wire to the end of the world makes no other mark slow or wrong, and equal ones count by
 * index. */
TEST(marks_may_be_anywhere)
{
    test_random random = { SEED + 2 };
    make(WORLD_PLAIN, 200, &random);
    sl_marks_destroy(w.list);
    const double a[3] = { -3e38, 3e38, 0 }, b[3] = { 3e38, 1, -3e38 };
    w.marks[7] = sl_mark_wire(a, b, 1, 7);
    w.marks[8] = sl_mark_point(b, 1e30f, 8);
    w.marks[9] = w.marks[10];
    assert_int_equal(sl_marks_build(w.marks, w.count, NULL, &w.list, NULL), SL_OK);
    size_t near = 0;
    for (int i = 0; i < 300; i++) {
        const sl_view view = views_random(w.centre, w.size, &random);
        sl_pick_def def = { 0 };
        double xy[2];
        views_position(&view, &random, xy);
        def.radius = 50;
        near += compare(w.world.scene, &view, xy, &def);
    }
    assert_true(near > 100);
    unmake();
}
