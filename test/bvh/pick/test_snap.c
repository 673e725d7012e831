/* What the mouse snaps to: against looking at everything, by hand, and how steady it is. */
#include "bvh/scene/scene.h"
#include "test/support/input/pictures.h"
#include "test/support/input/world.h"
#include "test/support/oracle/snap_oracle.h"
#include "test/support/test.h"

enum { SEED = 20261127, ALL_KINDS = (1 << SL_SNAP_KINDS) - 1, MARKS = 30, CUBES = 7 };

typedef struct world {
    world_case made;
    const sl_bvh *scene;
    sl_marks *marks;
    const sl_topology *const *topologies;
    double centre[3], size;
} world;

static void add_marks(world *w, test_random *random)
{
    sl_mark marks[MARKS];
    const sl_aabb_d bounds = sl_bvh_bounds(w->scene);
    w->size = 0;
    for (int axis = 0; axis < 3; axis++) {
        w->centre[axis] = 0.5 * (bounds.min[axis] + bounds.max[axis]);
        w->size = fmax(w->size, bounds.max[axis] - bounds.min[axis]);
    }
    for (uint32_t i = 0; i < MARKS; i++) {
        double at[2][3];
        for (int k = 0; k < 6; k++) {
            const double x =
                w->centre[k % 3] + 0.6 * w->size * (double)test_random_in(random, -1, 1);
            at[k / 3][k % 3] = fmin(fmax(x, -1e38), 1e38);
        }
        marks[i] = i % 2 == 0 ? sl_mark_point(at[0], 2, i) : sl_mark_wire(at[0], at[1], 0, i);
    }
    assert_int_equal(sl_marks_build(marks, MARKS, NULL, &w->marks, NULL), SL_OK);
}

/* What a question may point to. */
typedef struct room {
    sl_options query;
    sl_instance_range ignore;
    sl_snap_grid grid;
} room;

static sl_snap_def draw_def(const world *w, test_random *random, room *r)
{
    static const float radii[] = { 10, 10, 30, 1, 200 };
    sl_snap_def def = { 0 };
    def.kinds =
        test_random_below(random, 2) == 0 ? ALL_KINDS : test_random_below(random, ALL_KINDS + 1);
    def.radius = radii[test_random_below(random, 5)];
    def.hold = 20 * test_random_unit(random);
    def.margin = 10 * test_random_unit(random);
    def.hidden = test_random_below(random, 4) == 0;
    for (int i = 0; i < SL_SNAP_KINDS && test_random_below(random, 3) != 0; i++) {
        def.rank[i] = (uint8_t)test_random_below(random, 4);
    }
    const bool ignores = test_random_below(random, 2) == 0;
    *r = (room){ .query = { .mask = ignores ? 0 : 1 + test_random_below(random, 15),
                            .ignore = &r->ignore,
                            .ignore_count = ignores } };
    r->ignore = (sl_instance_range){ test_random_below(random, 6), test_random_below(random, 4) };
    def.options = test_random_below(random, 2) == 0 ? &r->query : NULL;
    def.marks = test_random_below(random, 3) == 0 ? w->marks : NULL;
    def.topologies = w->topologies;
    for (int axis = 0; axis < 3; axis++) {
        def.from[axis] = w->centre[axis] + w->size * (double)test_random_in(random, -1, 1);
        r->grid.origin[axis] = w->centre[axis];
        r->grid.x[axis] = 0.1 * w->size * (double)test_random_in(random, -1, 1);
        r->grid.y[axis] = 0.1 * w->size * (double)test_random_in(random, -1, 1);
    }
    const bool some = isfinite(w->centre[0]); /* an empty world has no middle: no usable numbers */
    def.has_from = test_random_below(random, 2) == 0 && some;
    def.grid = test_random_below(random, 2) == 0 && some ? &r->grid : NULL;
    return def;
}

static void assert_same(const sl_snap *a, const sl_snap *b)
{
    const uint32_t names[2][7] = {
        { a->kind, a->instance, a->prim, a->corner, a->other_instance, a->other_prim,
          a->other_corner },
        { b->kind, b->instance, b->prim, b->corner, b->other_instance, b->other_prim,
          b->other_corner },
    };
    for (int i = 0; i < 7; i++) {
        assert_int_equal(names[0][i], names[1][i]);
    }
    for (int axis = 0; axis < 3; axis++) {
        assert_true(a->point[axis] == b->point[axis]);
    }
    assert_true(a->xy[0] == b->xy[0] && a->xy[1] == b->xy[1]);
    assert_true(a->pixels == b->pixels);
    assert_true(a->distance == b->distance);
    assert_true(a->along == b->along);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->kept, b->kept);
    assert_memory_equal(a->cell, b->cell, sizeof a->cell);
}

typedef struct tally {
    size_t asked, kept, hidden, found[SL_SNAP_KINDS];
} tally;

static void count(const sl_snap *snap, tally *n)
{
    n->kept += snap->kept;
    n->hidden += snap->flags != 0;
    for (int i = 0; i < SL_SNAP_KINDS; i++) {
        n->found[i] += snap->kind == 1u << i;
    }
}

/* Puts from above what is under the mouse, so that its foot is near. */
static void put_above(const sl_bvh *scene, const sl_view *view, const double xy[2], double size,
                      sl_snap_def *def)
{
    sl_snap_def face = { 0 };
    sl_snap under;
    face.kinds = SL_SNAP_FACE;
    if (sl_snap_at(scene, view, xy, &face, NULL, &under)) {
        for (int axis = 0; axis < 3; axis++) {
            def->from[axis] = under.point[axis] + 0.1 * size * under.normal[axis];
        }
    }
}

/* A mouse that moves on, a little or far. */
static void compare(const world *w, test_random *random, tally *n)
{
    const sl_view view = pictures_view(w->scene, random);
    sl_snap snap = { .kind = SL_SNAP_NONE }, expected = { .kind = SL_SNAP_NONE };
    double xy[2];
    room r;
    sl_snap_def def = draw_def(w, random, &r);
    const bool alone = test_random_below(random, 16) == 0;
    const sl_bvh *scene = alone ? NULL : w->scene;
    pictures_position(w->scene, &view, random, xy);
    if (test_random_below(random, 3) == 0) {
        put_above(w->scene, &view, xy, w->size, &def);
    }
    for (int move = 0; move < 12; move++) {
        const sl_snap before = snap;
        const bool found = sl_snap_at(scene, &view, xy, &def, &snap, &snap);
        n->asked++;
        memset(&expected, 0, sizeof expected);
        assert_int_equal(found, snap_oracle_at(scene, &view, xy, &def, &before, &expected));
        assert_int_equal(found, snap.kind != SL_SNAP_NONE);
        assert_true(!snap.kept || snap.target == before.target);
        if (found) {
            assert_same(&snap, &expected);
            count(&snap, n);
        }
        const float far = test_random_below(random, 5) == 0 ? 50 : 4;
        xy[0] += (double)test_random_in(random, -far, far);
        xy[1] += (double)test_random_in(random, -far, far);
    }
}

static void say(const char *what, const tally *n)
{
    print_message("%s, seed %d: %zu asked, %zu kept, %zu hidden; by kind", what, SEED, n->asked,
                  n->kept, n->hidden);
    for (int i = 0; i < SL_SNAP_KINDS; i++) {
        print_message(" %zu", n->found[i]);
    }
    print_message("\n");
    for (int i = 0; i < SL_SNAP_KINDS; i++) {
        assert_true(test_is_brief() || n->found[i] > 0);
    }
    assert_true(n->kept > 0 && (test_is_brief() || n->hidden > 0));
}

TEST(snaps_are_those_of_looking_at_everything)
{
    tally n = { .asked = 0 };
    const size_t rounds = test_is_brief() ? 7 : 21 * test_scale();
    for (size_t i = 0; i < rounds; i++) {
        test_random random = { test_seed(SEED) + i };
        world w = { .topologies = NULL };
        world_make(&w.made, (world_kind)(i % WORLD_KINDS), 1 + i % 3 * 8, i % 2 == 0, &random);
        w.scene = w.made.scene;
        add_marks(&w, &random);
        for (int k = 0; k < 12; k++) {
            compare(&w, &random, &n);
        }
        sl_marks_destroy(w.marks);
        world_destroy(&w.made);
    }
    say("worlds", &n);
}

/* Cubes of six squares, with neighbours. */
TEST(polygons_and_features_are_those_of_topologies)
{
    tally n = { .asked = 0 };
    test_random random = { test_seed(SEED) };
    OWN(sl_mesh) mesh = NULL;
    sl_instance instances[CUBES];
    const sl_topology *topologies[CUBES];
    assert_int_equal(sl_mesh_load(SOURCE_DIR "/test/data/cube.obj", NULL, &mesh, NULL), SL_OK);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    OWN(sl_topology) topology = made_topology(mesh, NULL);
    for (size_t i = 0; i < CUBES; i++) {
        instances[i] = world_instance(bvh, i % 2 == 0 ? WORLD_PLAIN : WORLD_MIRRORED, i, &random);
        topologies[i] = i != 3 ? topology : NULL;
    }
    OWN(sl_bvh) scene = made_scene(instances, CUBES, NULL);
    world w = { .scene = scene, .topologies = topologies };
    add_marks(&w, &random);
    for (size_t k = 0; k < (test_is_brief() ? 20 : 200 * test_scale()); k++) {
        compare(&w, &random, &n);
    }
    say("cubes", &n);
    sl_marks_destroy(w.marks);
}
