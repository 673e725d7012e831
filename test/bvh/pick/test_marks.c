/* Points, wires and light icons near a position of the picture, or near a ray, against all of them
 * one by one. */
#include "bvh/scene/scene.h"
#include "test/support/environment/failing_allocator.h"
#include "test/support/environment/scale.h"
#include "test/support/input/random.h"
#include "test/support/input/views.h"
#include "test/support/input/world.h"
#include "test/support/oracle/picture_oracle.h"
#include "test/support/question/answers_hash.h"

#include <sightline/marks.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
    sl_scene_info info;
    world_make(&w.world, kind, 12, test_random_below(random, 2) == 0, random);
    sl_scene_get_info(w.world.scene, &info, sizeof info);
    w.size = 0;
    w.count = count;
    for (int axis = 0; axis < 3; axis++) {
        w.centre[axis] = 0.5 * (info.min[axis] + info.max[axis]);
        w.size = fmax(w.size, info.max[axis] - info.min[axis]);
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

static bool look(const sl_scene *scene, const sl_view *view, const double xy[2],
                 const sl_pick_def *def, uint32_t i, found *out)
{
    const sl_mark *mark = &w.marks[i];
    const sl_query *query = def->query;
    sl_segment_d sight;
    out->index = i;
    out->hidden = false;
    if ((query != NULL && (query->flags & SL_USE_MASK) != 0 && (query->mask & mark->mask) == 0) ||
        !picture_nearest(view, xy, mark->p, mark->q, &out->at) ||
        out->at.pixels > (double)def->radius + (double)mark->tolerance ||
        !sl_view_sight(view, out->at.point, &sight)) {
        return false;
    }
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += (sight.q[axis] - sight.p[axis]) * (sight.q[axis] - sight.p[axis]);
    }
    out->distance = sqrt(sum);
    if (scene != NULL && (mark->flags & SL_MARK_ON_TOP) == 0) {
        sl_query open = query != NULL ? *query : (sl_query){ .flags = 0 };
        open.flags |= SL_OPEN_END;
        out->hidden = sl_scene_blocked_d(scene, &sight, &open);
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
static size_t compare(const sl_scene *scene, const sl_view *view, const double xy[2],
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

static void picks_are_those_of_looking_at_every_mark(void **state)
{
    (void)state;
    test_random random = { SEED };
    size_t near = 0, asked = 0;
    for (int round = 0; round < (int)(12 * test_scale()); round++) {
        make((world_kind)(round % WORLD_KINDS), 20 + test_random_below(&random, MOST - 20),
             &random);
        for (int i = 0; i < 60; i++) {
            const sl_view view = views_random(w.centre, w.size, &random);
            const sl_query query = { .flags = SL_USE_MASK,
                                     .mask = 1 + test_random_below(&random, 3) };
            sl_pick_def def = sl_default_pick_def();
            double xy[2];
            views_position(&view, &random, xy);
            def.radius = test_random_below(&random, 3) == 0 ? 0 : 30 * test_random_unit(&random);
            def.hidden = test_random_below(&random, 4) == 0;
            def.query = test_random_below(&random, 3) == 0 ? &query : NULL;
            const bool alone = test_random_below(&random, 3) == 0;
            near += compare(alone ? NULL : w.world.scene, &view, xy, &def);
            asked++;
        }
        unmake();
    }
    print_message("seed %d: %zu near in %zu questions\n", SEED, near, asked);
    assert_true(near > asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picks_are_those_of_looking_at_every_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
