/* sl_clashes_find: cases worked by hand, as clash tools have them, and worlds at random against
 * every pair of triangles of every pair of instances. */
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/solids.h"
#include "test/support/oracle/clashes_oracle.h"
#include "test/support/test.h"

enum { SEED = 20261127 };

/* ---- By hand ---- */

/* A cube of 12 triangles, scaled to a box with its lowest corner at min. */
static sl_instance box_at(const sl_bvh *cube, double x, double y, double z, double dx, double dy,
                          double dz)
{
    sl_instance in = sl_instance_of(cube);
    const double min[3] = { x, y, z }, size[3] = { dx, dy, dz };
    for (int axis = 0; axis < 3; axis++) {
        in.transform.m[axis][axis] = size[axis];
        in.transform.m[axis][3] = min[axis];
    }
    return in;
}

/* The only clash of two instances; false: there is none. */
static bool ask_as(const sl_instance two[2], const sl_clash *clash, bool solids,
                   sl_instance_clash *out)
{
    OWN(sl_bvh) scene = made_scene(two, 2, NULL);
    OWN(sl_clashes) clashes = NULL;
    const sl_clashes_def def = { .clash = clash, .solids = solids };
    size_t count, expected;
    assert_int_equal(sl_clashes_find(scene, &def, &clashes, NULL), SL_OK);
    const sl_instance_clash *list = sl_clashes_list(clashes, &count);
    FREED sl_instance_clash *brute = oracle_clashes(scene, &def, &expected);
    assert_int_equal(count, expected);
    assert_true(count <= 1 && (count == 0 || oracle_clash_is(list, brute)));
    if (count == 1) {
        *out = *list;
    }
    return count == 1;
}

static bool ask_two(const sl_instance two[2], const sl_clash *clash, sl_instance_clash *out)
{
    return ask_as(two, clash, false, out);
}

static sl_bvh *made_cube(void)
{
    return made_bvh_alone(solid_cube(1), NULL);
}

/* Two walls in one line, flush on four sides, overlap by 50 mm.  Every crossing of their edges
 * with faces is on an edge of a triangle, so that no triangles cross: faces that coincide show
 * it. */
TEST(walls_that_overlap_and_are_flush_clash_hard)
{
    OWN(sl_bvh) cube = made_cube();
    const sl_instance two[2] = { box_at(cube, 0, 0, 0, 4, 0.2, 3),
                                 box_at(cube, 3.95, 0, 0, 4, 0.2, 3) };
    const sl_clash crossing = { .relations = 1u << SL_CROSSING };
    const sl_clash same = { .relations = 1u << SL_COPLANAR_SAME };
    sl_instance_clash found;
    assert_true(ask_two(two, NULL, &found));
    assert_int_equal(found.kind, SL_CLASH_HARD);
    assert_true(found.nearest.distance == 0 && found.nearest.point_a[0] >= 3.95 &&
                found.nearest.point_a[0] <= 4);
    assert_false(ask_two(two, &crossing, &found));
    assert_true(ask_two(two, &same, &found));
}

/* One is mirrored where it stands, and its front stays the front. */
TEST(a_mirrored_wall_clashes_as_it_would_otherwise)
{
    OWN(sl_bvh) cube = made_cube();
    const sl_instance two[2] = { box_at(cube, 0, 0, 0, 4, 0.25, 3),
                                 box_at(cube, 8, 0, 0, -4.0625, 0.25, 3) };
    const sl_instance end[2] = { two[0], box_at(cube, 8, 0, 0, -4, 0.25, 3) };
    sl_instance_clash found;
    assert_true(ask_two(two, NULL, &found));
    assert_int_equal(found.kind, SL_CLASH_HARD);
    assert_true(ask_two(end, NULL, &found));
    assert_int_equal(found.kind, SL_CLASH_TOUCHING);
}

TEST(a_slab_on_a_slab_touches)
{
    OWN(sl_bvh) cube = made_cube();
    const sl_instance two[2] = { box_at(cube, 0, 0, 0, 4, 4, 0.25),
                                 box_at(cube, 1, 1, 0.25, 4, 4, 0.25) };
    sl_instance_clash found;
    assert_true(ask_two(two, NULL, &found));
    assert_int_equal(found.kind, SL_CLASH_TOUCHING);
    assert_true(found.nearest.point_a[2] == 0.25 && found.nearest.point_b[2] == 0.25);
}

/* An end against a side, and side over side; an edge along an edge, and a corner in a corner. */
TEST(walls_meet_at_a_corner)
{
    OWN(sl_bvh) cube = made_cube();
    const sl_instance wall = box_at(cube, 0, 0, 0, 4, 0.25, 3);
    const sl_instance butt[2] = { wall, box_at(cube, 0, 0.25, 0, 0.25, 4, 3) };
    const sl_instance over[2] = { wall, box_at(cube, 0, 0, 0, 0.25, 4, 3) };
    const sl_instance edge[2] = { wall, box_at(cube, -0.25, 0.25, 0, 0.25, 4, 3) };
    const sl_instance corner[2] = { wall, box_at(cube, 4, 0.25, 3, 1, 1, 1) };
    sl_instance_clash found;
    assert_true(ask_two(butt, NULL, &found));
    assert_int_equal(found.kind, SL_CLASH_TOUCHING);
    assert_true(ask_two(over, NULL, &found));
    assert_int_equal(found.kind, SL_CLASH_HARD);
    assert_true(ask_two(edge, NULL, &found));
    assert_int_equal(found.kind, SL_CLASH_TOUCHING);
    assert_true(ask_two(corner, NULL, &found));
    assert_int_equal(found.kind, SL_CLASH_TOUCHING);
    const double *at = found.nearest.point_b;
    assert_true(at[0] == 4 && at[1] == 0.25 && at[2] == 3);
}

/* A square sleeve of two tubes' walls, and a square pipe a quarter from each. */
TEST(a_pipe_in_a_sleeve_keeps_its_clearance)
{
    static const float at[] = { -2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0,
                                -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0 };
    float xyz[2 * 24];
    uint32_t faces[32][3];
    int n = 0;
    for (int i = 0; i < 24; i++) {
        xyz[i] = at[i];
        xyz[24 + i] = i % 3 == 2 ? 8 : at[i];
    }
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t k = (i + 1) % 4,
                       quads[4][4] = { { i, k, k + 8, i + 8 },             /* outside */
                                       { k + 4, i + 4, i + 12, k + 12 },   /* inside */
                                       { k, i, i + 4, k + 4 },             /* below */
                                       { i + 8, k + 8, k + 12, i + 12 } }; /* above */
        for (int q = 0; q < 4; q++, n += 2) {
            const uint32_t *v = quads[q];
            memcpy(faces[n], (uint32_t[3]){ v[0], v[1], v[2] }, sizeof faces[n]);
            memcpy(faces[n + 1], (uint32_t[3]){ v[0], v[2], v[3] }, sizeof faces[n]);
        }
    }
    OWN(sl_bvh) sleeve = made_bvh_alone(made_mesh(xyz, 16, faces, 32, NULL), NULL);
    OWN(sl_bvh) cube = made_cube();
    const sl_instance two[2] = { sl_instance_of(sleeve),
                                 box_at(cube, -0.75, -0.75, -1, 1.5, 1.5, 10) };
    const sl_clash near = { .margin = 0.25f }, nearer = { .margin = nextafterf(0.25f, 0) };
    sl_instance_clash found;
    assert_false(ask_two(two, NULL, &found));
    assert_false(ask_two(two, &nearer, &found));
    assert_true(ask_two(two, &near, &found));
    assert_int_equal(found.kind, SL_CLASH_CLEARANCE);
    assert_true(found.pairs == 0 && found.nearest.distance == 0.25f);
}

TEST(equal_duplicates_clash_hard)
{
    OWN(sl_bvh) cube = made_cube();
    const sl_instance two[2] = { box_at(cube, 1, 2, 3, 4, 0.2, 3),
                                 box_at(cube, 1, 2, 3, 4, 0.2, 3) };
    sl_instance_clash found;
    assert_true(ask_two(two, NULL, &found));
    assert_int_equal(found.kind, SL_CLASH_HARD);
    assert_true(found.nearest.a.prim == 0 && found.nearest.b.prim == 0);
}

/* ---- As solids ---- */

TEST(a_box_in_a_box_clashes_as_a_solid)
{
    OWN(sl_bvh) cube = made_cube();
    const sl_instance two[2] = { box_at(cube, 1, 1, 1, 2, 2, 2), box_at(cube, 0, 0, 0, 4, 4, 4) };
    const sl_clash near = { .margin = 1 };
    sl_instance_clash found;
    assert_false(ask_two(two, NULL, &found));
    assert_true(ask_two(two, &near, &found));
    assert_int_equal(found.kind, SL_CLASH_CLEARANCE);
    for (int i = 0; i < 2; i++) {
        assert_true(ask_as(two, i == 0 ? NULL : &near, true, &found));
        assert_int_equal(found.kind, SL_CLASH_HARD);
        assert_int_equal(found.solids, SL_SOLIDS_A_INSIDE);
        assert_true(found.pairs == 0 && found.nearest.a.prim == SL_NONE);
    }
}

TEST(a_box_of_a_few_steps_of_floats_is_a_solid)
{
    OWN(sl_bvh) cube = made_cube();
    const double step = 0x1p-149;
    const sl_instance two[2] = { box_at(cube, step, step, step, 2 * step, 2 * step, 2 * step),
                                 box_at(cube, 0, 0, 0, 4 * step, 4 * step, 4 * step) };
    sl_instance_clash found;
    assert_true(ask_as(two, NULL, true, &found));
    assert_int_equal(found.solids, SL_SOLIDS_A_INSIDE);
}

TEST(solids_say_what_surfaces_do_not)
{
    OWN(sl_bvh) cube = made_cube();
    const float inwards[3] = { 1, 1, 1 };
    OWN(sl_mesh) mesh = solid_cube(1);
    OWN(sl_bvh) turned =
        made_bvh_alone(solid_placed(mesh, inwards, (const float[3]){ 0 }, true), NULL);
    const sl_instance equal[2] = { box_at(cube, 0, 0, 0, 1, 1, 1), box_at(cube, 0, 0, 0, 1, 1, 1) };
    const sl_instance flush[2] = { equal[0], box_at(cube, 0, 0, 0.5, 1, 1, 1) };
    const sl_instance slabs[2] = { equal[0], box_at(turned, 0, 0, 1, 1, 1, 1) };
    const sl_instance apart[2] = { equal[0], box_at(cube, 4, 0, 0, 1, 1, 1) };
    sl_instance_clash found;
    assert_true(ask_as(equal, NULL, true, &found));
    assert_true(found.kind == SL_CLASH_HARD && found.solids == SL_SOLIDS_EQUAL);
    assert_true(ask_as(flush, NULL, true, &found));
    assert_true(found.kind == SL_CLASH_HARD && found.solids == SL_SOLIDS_OVERLAPPING);
    /* The one above is wound inwards: fronts are on one side, and the solids only touch. */
    assert_true(ask_two(slabs, NULL, &found));
    assert_int_equal(found.kind, SL_CLASH_HARD);
    assert_true(ask_as(slabs, NULL, true, &found));
    assert_true(found.kind == SL_CLASH_TOUCHING && found.solids == SL_SOLIDS_TOUCHING);
    assert_false(ask_as(apart, NULL, true, &found));
}

/* ---- At random ---- */

enum { MOST = 14, TREES = 4 };

typedef struct world {
    sl_bvh *trees[TREES];
    sl_instance instances[MOST];
    uint32_t groups[MOST], against[MOST], bodies[MOST];
    size_t count;
    test_random random;
} world;

static void world_begin(world *w, uint64_t seed)
{
    *w = (world){ .random = { seed } };
    const sl_build_def compact = { .layout = SL_BVH_LAYOUT_COMPACT };
    const sl_build_def cut = { .quality = SL_BVH_QUALITY_HIGH };
    uint32_t masks[12];
    for (uint32_t i = 0; i < 12; i++) {
        masks[i] = 1u << i % 3;
    }
    const sl_build_def masked = { .masks = masks };
    w->trees[0] = made_bvh_alone(solid_cube(1), &masked);
    w->trees[1] = made_bvh_alone(solid_cube(2), &compact);
    w->trees[2] = made_bvh_alone(made_torus(5, 4, 1, 0.4f), NULL);
    w->trees[3] = made_bvh_alone(made_soup(30, 0.7f, seed), &cut);
}

static void world_end(world *w)
{
    for (int i = 0; i < TREES; i++) {
        sl_bvh_destroy(w->trees[i]);
    }
}

/* On a lattice, turned by quarters and mirrored, where most that is near touches; or anywhere. */
static void put(world *w, sl_instance *in, bool lattice)
{
    double at[3], turn[4] = { 0, 0, 0, 1 }, scale[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] =
            lattice ? 0.5 * test_random_below(&w->random, 9) : test_random_in_d(&w->random, 0, 4);
        scale[axis] = test_random_below(&w->random, 4) == 0 ? -1 : 1;
    }
    if (lattice && test_random_below(&w->random, 2) == 0) {
        turn[test_random_below(&w->random, 3)] = 1;
    }
    for (int i = 0; i < 4 && !lattice; i++) {
        turn[i] = test_random_in(&w->random, -1, 1);
    }
    assert_true(sl_transform_from_trs(at, turn, scale, &in->transform));
    in->grid = lattice ? 0x1p-10 : 0;
}

static void world_fill(world *w, bool lattice)
{
    w->count = 2 + test_random_below(&w->random, MOST - 1);
    for (size_t i = 0; i < w->count; i++) {
        const uint32_t what = test_random_below(&w->random, TREES * 3 + 1);
        w->instances[i] = sl_instance_of(what < TREES * 3 ? w->trees[what % TREES] : NULL);
        put(w, &w->instances[i], lattice);
        w->instances[i].mask = test_random_below(&w->random, 3) == 0 ? 6 : 0;
        w->groups[i] = test_random_below(&w->random, 4);
        w->against[i] = test_random_below(&w->random, 4);
        w->bodies[i] = test_random_below(&w->random, 3);
    }
}

static bool refuses_some(void *user, const sl_clash_pair *pair)
{
    (void)user;
    return (pair->a.prim + pair->b.prim) % 3 != 0;
}

/* What may be asked; what def points to is in the case. */
typedef struct question {
    sl_options options;
    sl_triangle_ref skip;
    sl_instance_range ignore;
    sl_clash clash;
    sl_clashes_def def;
} question;

static void question_make(world *w, question *q)
{
    *q =
        (question){ .skip = { test_random_below(&w->random, 4), test_random_below(&w->random, 12) },
                    .ignore = { test_random_below(&w->random, MOST), 2 } };
    test_random *r = &w->random;
    q->options.mask = test_random_below(r, 3) == 0 ? 1 + test_random_below(r, 7) : 0;
    q->options.skip = &q->skip;
    q->options.skip_count = test_random_below(r, 2);
    q->options.ignore = &q->ignore;
    q->options.ignore_count = test_random_below(r, 3) == 0;
    q->clash.a = test_random_below(r, 2) == 0 ? &q->options : NULL;
    q->clash.relations = test_random_below(r, 3) == 0 ? test_random_below(r, 32) : 0;
    q->clash.margin = test_random_below(r, 2) == 0 ? 0 : test_random_in(r, 0, 0.5f);
    q->clash.filter = test_random_below(r, 3) == 0 ? refuses_some : NULL;
    q->def.clash = test_random_below(r, 8) == 0 ? NULL : &q->clash;
    q->def.solids = test_random_below(r, 2) == 0;
    q->def.pair_limit = test_random_below(r, 2) == 0 ? 0 : 1 + test_random_below(r, 20);
    q->def.groups = test_random_below(r, 3) == 0 ? w->groups : NULL;
    q->def.against = test_random_below(r, 3) == 0 ? w->against : NULL;
    q->def.bodies = test_random_below(r, 3) == 0 ? w->bodies : NULL;
}

/* The pairs of triangles of a clash, by all pairs of the scene. */
static void check_listed(const sl_bvh *scene, const sl_clash *clash, const sl_instance_clash *of)
{
    enum { CAPACITY = 100 };
    const sl_clash all = clash != NULL ? *clash : (sl_clash){ .margin = 0 };
    sl_clash two = all;
    sl_clash_pair listed[CAPACITY], expected[CAPACITY];
    const sl_instance_range others[2][2] = { { { 0, of->a }, { of->a + 1, SL_NONE } },
                                             { { 0, of->b }, { of->b + 1, SL_NONE } } };
    sl_options options[2];
    for (int i = 0; i < 2; i++) {
        options[i] = all.a != NULL ? *all.a : (sl_options){ .mask = 0 };
        options[i].ignore = others[i];
        options[i].ignore_count = 2;
    }
    two.a = &options[0];
    two.b = &options[1];
    const size_t count = sl_bvh_clash_all(scene, scene, &two, expected, CAPACITY, NULL, NULL);
    assert_int_equal(sl_bvh_clash_instances(scene, of->a, of->b, clash, listed, CAPACITY), count);
    assert_int_equal(sl_bvh_clash_instances(scene, of->a, of->b, clash, NULL, 0), count);
    assert_memory_equal(listed, expected, sizeof *listed * (count < CAPACITY ? count : CAPACITY));
    assert_int_equal(sl_bvh_clash_instances(scene, of->a, of->a, clash, NULL, 0), 0);
    assert_int_equal(sl_bvh_clash_instances(scene, of->a, 1000, clash, NULL, 0), 0);
}

static void check_against_all_pairs(const sl_bvh *scene, const sl_clashes_def *def, size_t kinds[3])
{
    OWN(sl_clashes) clashes = NULL;
    size_t count, expected;
    assert_int_equal(sl_clashes_find(scene, def, &clashes, NULL), SL_OK);
    const sl_instance_clash *list = sl_clashes_list(clashes, &count);
    FREED sl_instance_clash *brute = oracle_clashes(scene, def, &expected);
    assert_int_equal(count, expected);
    for (size_t i = 0; i < count; i++) {
        assert_true(oracle_clash_is(&list[i], &brute[i]));
        kinds[list[i].kind]++;
        check_listed(scene, def->clash, &list[i]);
    }
}

TEST(clashes_are_those_of_all_pairs)
{
    UNDONE(world_end) world w;
    world_begin(&w, test_seed(SEED));
    size_t kinds[3] = { 0 };
    for (size_t i = 0; i < test_count(300); i++) {
        world_fill(&w, i % 2 == 0);
        OWN(sl_bvh) scene = made_scene(w.instances, w.count, NULL);
        question q;
        question_make(&w, &q);
        check_against_all_pairs(scene, &q.def, kinds);
    }
    for (int kind = 0; kind < 3; kind++) {
        assert_true(kinds[kind] > test_count(20));
    }
}

/* Nested instances are numbers of their own, and of one body where the caller says so. */
TEST(nested_instances_clash_by_number)
{
    UNDONE(world_end) world w;
    world_begin(&w, test_seed(SEED + 1));
    size_t kinds[3] = { 0 };
    for (size_t i = 0; i < test_count(40); i++) {
        world_fill(&w, i % 2 == 0);
        w.count = w.count < 5 ? w.count : 5;
        OWN(sl_bvh) inner = made_scene(w.instances, w.count, NULL);
        sl_instance two[3] = { sl_instance_of(inner), { .bvh = NULL }, sl_instance_of(inner) };
        put(&w, &two[2], i % 2 == 0);
        OWN(sl_bvh) scene = made_scene(two, 3, NULL);
        question q;
        question_make(&w, &q);
        check_against_all_pairs(scene, &q.def, kinds);
    }
}

TEST(a_tree_over_triangles_is_one_instance)
{
    OWN(sl_bvh) cube = made_cube();
    OWN(sl_bvh) nothing = made_scene(NULL, 0, NULL);
    const sl_bvh *both[2] = { cube, nothing };
    for (int i = 0; i < 2; i++) {
        OWN(sl_clashes) clashes = NULL;
        size_t count;
        assert_int_equal(sl_clashes_find(both[i], NULL, &clashes, NULL), SL_OK);
        (void)sl_clashes_list(clashes, &count);
        assert_int_equal(count, 0);
    }
}

/* ---- Refusals ---- */

static void refuse(const sl_bvh *bvh, const sl_clashes_def *def, const char *words)
{
    sl_clashes *clashes = NULL;
    sl_error error;
    assert_int_equal(sl_clashes_find(bvh, def, &clashes, &error), SL_INVALID_ARGUMENT);
    assert_null(clashes);
    assert_non_null(strstr(error.message, words));
}

TEST(what_cannot_be_asked_is_refused)
{
    OWN(sl_bvh) cube = made_cube();
    const sl_clash negative = { .margin = -1 }, nan = { .margin = NAN };
    const sl_tasks none = { .worker_count = 0 };
    refuse(NULL, NULL, "bvh is NULL");
    refuse(cube, &(sl_clashes_def){ .clash = &negative }, "sl_clash.margin is -1");
    refuse(cube, &(sl_clashes_def){ .clash = &nan }, "sl_clash.margin is");
    refuse(cube, &(sl_clashes_def){ .hooks.tasks = &none }, "sl_clashes_def.hooks.tasks");
    assert_int_equal(sl_clashes_find(cube, NULL, NULL, NULL), SL_INVALID_ARGUMENT);
    sl_clashes_destroy(NULL);
}
