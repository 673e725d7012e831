/* Snaps by hand; how steady they are; questions that make no sense; nothing allocated; one answer
 * on all kernels; the stack. */
#include "bvh/scene/scene.h"
#include "test/support/environment/no_memory.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/input/pictures.h"
#include "test/support/input/world.h"
#include "test/support/query/answers_hash.h"
#include "test/support/test.h"

enum { SEED = 20261126, ALL_KINDS = (1 << SL_SNAP_KINDS) - 1, LIMIT = 48 * 1024, MARKS = 40 };

/* A camera that looks down at the x-y plane, 100 pixels a unit, (0, 0) at pixel (400, 300). */
static sl_view from_above(void)
{
    sl_camera_def def = { .orthographic = true, .ortho_height = 6 };
    def.eye[2] = 10;
    def.near_distance = 1;
    def.far_distance = 20;
    sl_camera camera = made_camera(&def);
    return (sl_view){ .camera = camera };
}

/* Triangles as a scene, which owns nothing. */
typedef struct flat {
    sl_bvh *bvh;
    sl_bvh *scene;
} flat;

static flat flat_of(const float *xyz, size_t triangles)
{
    flat made;
    OWN(sl_mesh) mesh = made_mesh(xyz, 3 * triangles, NULL, triangles, NULL);
    made.bvh = made_bvh(mesh, NULL);
    const sl_instance one = sl_instance_of(made.bvh);
    made.scene = made_scene(&one, 1, NULL);
    return made;
}

static void flat_free(flat *made)
{
    sl_bvh_destroy(made->scene);
    sl_bvh_destroy(made->bvh);
}

/* A right triangle about the middle, and a narrow one above it that crosses its long side. */
static const float two[18] = { -1, -1, 0, 1, -1, 0, -1, 1, 0, -0.5f, 0, 1, 2, 0, 1, 2, 0.25f, 1 };

static void expect(const sl_bvh *scene, uint32_t kinds, double x, double y, uint32_t kind,
                   const double point[3])
{
    const sl_view view = from_above();
    const double xy[2] = { x, y };
    sl_snap_def def = { 0 };
    sl_snap snap;
    def.kinds = kinds;
    def.has_from = true;
    def.from[0] = -0.5;
    def.from[1] = -0.5;
    def.from[2] = 3;
    assert_true(sl_snap_at(scene, &view, xy, &def, NULL, &snap));
    assert_int_equal(snap.kind, kind);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(fabs(snap.point[axis] - point[axis]) < 1e-5);
        assert_true(snap.locked[axis] == snap.point[axis]);
    }
}

TEST(each_kind_is_where_it_is_expected)
{
    UNDONE(flat_free) flat made = flat_of(two, 2);
    const sl_bvh *scene = made.scene;
    expect(scene, ALL_KINDS, 303, 398, SL_SNAP_VERTEX, (double[]){ -1, -1, 0 });
    expect(scene, ALL_KINDS, 402, 402, SL_SNAP_MIDPOINT, (double[]){ 0, -1, 0 });
    expect(scene, ALL_KINDS, 440, 395, SL_SNAP_EDGE, (double[]){ 0.4, -1, 0 });
    expect(scene, ALL_KINDS, 352, 397, SL_SNAP_EDGE_FOOT, (double[]){ -0.5, -1, 0 });
    expect(scene, ALL_KINDS, 402, 301, SL_SNAP_CROSSING, (double[]){ 0, 0, 1 });
    expect(scene, ALL_KINDS, 367, 333, SL_SNAP_CENTRE, (double[]){ -1.0 / 3, -1.0 / 3, 0 });
    expect(scene, SL_SNAP_FACE | SL_SNAP_FACE_FOOT, 352, 353, SL_SNAP_FACE_FOOT,
           (double[]){ -0.5, -0.5, 0 });
    expect(scene, ALL_KINDS, 340, 375, SL_SNAP_FACE, (double[]){ -0.6, -0.75, 0 });
}

/* As docs/picking.md has it. */
static bool grid_on_face(const sl_bvh *scene, const sl_pick *pick, double step, sl_snap_grid *grid)
{
    double v[3][3], along[3], n[3], xx = 0, nn = 0;
    const sl_triangle_ref triangle = { pick->instance, pick->prim };
    if (pick->kind != SL_PICK_FACE || !sl_bvh_triangle(scene, triangle, v)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        along[i] = v[1][i] - v[0][i];
        n[i] =
            (v[1][j] - v[0][j]) * (v[2][k] - v[0][k]) - (v[1][k] - v[0][k]) * (v[2][j] - v[0][j]);
    }
    for (int i = 0; i < 3; i++) {
        xx += along[i] * along[i];
        nn += n[i] * n[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        grid->origin[i] = v[0][i];
        grid->x[i] = step * along[i] / sqrt(xx);
        grid->y[i] = step * (n[j] * along[k] - n[k] * along[j]) / sqrt(nn * xx);
    }
    return nn > 0;
}

TEST(grids_lie_in_planes_of_faces)
{
    static const float slanted[9] = { 0, 0, 0, 1, 0, 0.5f, 0, 1, 0.25f };
    const sl_view view = from_above();
    const double face[2] = { 420, 280 }, beyond[2] = { 560, 380 };
    sl_pick_def at = { 0 };
    sl_snap_def def = { 0 };
    sl_snap_grid grid;
    sl_pick pick;
    sl_snap snap;
    UNDONE(flat_free) flat made = flat_of(slanted, 1);
    at.kinds = SL_PICK_FACE;
    assert_true(sl_pick_at(made.scene, &view, face, &at, &pick));
    assert_true(grid_on_face(made.scene, &pick, 0.25, &grid));
    def.kinds = SL_SNAP_GRID;
    def.radius = 30;
    def.grid = &grid;
    assert_true(sl_snap_at(made.scene, &view, beyond, &def, NULL, &snap));
    assert_int_equal(snap.kind, SL_SNAP_GRID);
    /* On z = x / 2 + y / 4, whole steps of a quarter from the corner at zero. */
    const double *p = snap.point;
    assert_true(fabs(p[0] / 2 + p[1] / 4 - p[2]) < 1e-12);
    const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    const double steps = 16.0 * square,
                 whole = (double)snap.cell[0] * snap.cell[0] + (double)snap.cell[1] * snap.cell[1];
    assert_true(whole >= 4 && fabs(steps - whole) < 1e-9);
    assert_true(fabs(p[0] - 1.6) < 0.3 && fabs(p[1] + 0.8) < 0.3);
    pick.kind = SL_PICK_EDGE;
    assert_false(grid_on_face(made.scene, &pick, 0.25, &grid));
}

TEST(points_are_locked_to_lines_and_planes)
{
    UNDONE(flat_free) flat made = flat_of(two, 2);
    const sl_view view = from_above();
    const double xy[2] = { 303, 398 };
    sl_snap_def def = { 0 };
    sl_snap snap;
    def.lock = SL_SNAP_LINE;
    def.lock_at[1] = 5;
    def.lock_dir[0] = 2;
    def.lock_dir[2] = 0;
    assert_true(sl_snap_at(made.scene, &view, xy, &def, NULL, &snap));
    assert_true(snap.locked[0] == -1 && snap.locked[1] == 5 && snap.locked[2] == 0);
    def.lock = SL_SNAP_PLANE;
    def.lock_at[0] = 7;
    assert_true(sl_snap_at(made.scene, &view, xy, &def, NULL, &snap));
    assert_true(snap.locked[0] == 7 && snap.locked[1] == -1 && snap.locked[2] == 0);
}

TEST(what_is_dragged_is_left_out)
{
    UNDONE(flat_free) flat made = flat_of(two, 2);
    const sl_view view = from_above();
    const double xy[2] = { 303, 398 };
    const sl_instance_range dragged = { 0, 1 };
    const sl_options options = { .ignore = &dragged, .ignore_count = 1 };
    sl_snap_def def = { 0 };
    sl_snap snap;
    assert_true(sl_snap_at(made.scene, &view, xy, &def, NULL, &snap));
    def.options = &options;
    assert_false(sl_snap_at(made.scene, &view, xy, &def, &snap, &snap));
    assert_int_equal(snap.kind, SL_SNAP_NONE);
}

/* ---- Steady ---- */

/* What was best stays as long as no two distances have changed by more than the margin together. */
TEST(a_mouse_that_moves_by_less_than_half_the_margin_changes_nothing)
{
    size_t kept = 0;
    for (int round = 0; round < 300; round++) {
        test_random random = { SEED + (uint64_t)round };
        UNDONE(world_destroy) world_case world;
        double middle[2];
        sl_snap_def def = { 0 };
        sl_snap snap = { .kind = SL_SNAP_NONE };
        def.kinds = SL_SNAP_VERTEX | SL_SNAP_MIDPOINT | SL_SNAP_EDGE;
        def.radius = 60;
        def.hold = 40;
        def.margin = 2 + 8 * test_random_unit(&random);
        def.hidden = true; /* what comes into view is no border */
        memset(def.rank, 1, sizeof def.rank);
        world_make(&world, WORLD_PLAIN, 4, false, &random);
        const sl_view view = pictures_view(world.scene, &random);
        pictures_position(world.scene, &view, &random, middle);
        for (int move = 0; move < 40; move++) {
            const double reach = 0.17 * (double)def.margin; /* two points are 0.48 margins apart */
            const double xy[2] = { middle[0] + reach * (double)test_random_in(&random, -1, 1),
                                   middle[1] + reach * (double)test_random_in(&random, -1, 1) };
            const sl_snap before = snap;
            if (sl_snap_at(world.scene, &view, xy, &def, &snap, &snap) &&
                before.kind != SL_SNAP_NONE) {
                kept += snap.kept;
                assert_true(snap.kept && snap.target == before.target);
            }
        }
    }
    print_message("kept %zu\n", kept);
    assert_true(kept > 5000);
}

/* Between two corners that are a pixel apart from the mouse, to and fro: it changes each time the
 * mouse has moved by more than the margin, and never before. */
TEST(two_targets_change_places_only_beyond_the_margin)
{
    static const float pair[9] = { -0.1f, 0, 0, 0.1f, 0, 0, 0, -3, 0 };
    UNDONE(flat_free) flat made = flat_of(pair, 1);
    const sl_view view = from_above();
    sl_snap_def def = { .kinds = SL_SNAP_VERTEX, .radius = 30, .margin = 6 };
    for (int wide = 0; wide < 2; wide++) {
        sl_snap snap = { .kind = SL_SNAP_NONE };
        int flips = 0;
        for (int i = 0; i < 50; i++) {
            const double far = wide == 1 ? 3.1 : 2.9;
            const double xy[2] = { 400 + (i % 2 == 0 ? far : -far), 300 };
            const uint64_t before = snap.target;
            assert_true(sl_snap_at(made.scene, &view, xy, &def, &snap, &snap));
            flips += i > 0 && snap.target != before;
        }
        assert_int_equal(flips, wide == 1 ? 49 : 0);
    }
}

TEST(what_is_left_and_found_again_is_hold_pixels_away)
{
    UNDONE(flat_free) flat made = flat_of(two, 2);
    const sl_view view = from_above();
    sl_snap_def def = { 0 };
    sl_snap snap = { .kind = SL_SNAP_NONE };
    int flips = 0;
    /* Out of the radius of a corner and back, by a pixel at a time within the hold. */
    for (int i = 0; i < 60; i++) {
        const double xy[2] = { 309 + 4 * (double)(i % 2), 400 };
        const uint64_t before = snap.target;
        assert_true(sl_snap_at(made.scene, &view, xy, &def, &snap, &snap));
        flips += i > 0 && snap.target != before;
        assert_int_equal(snap.kind, SL_SNAP_VERTEX);
    }
    assert_int_equal(flips, 0);
    const double away[2] = { 320, 400 };
    assert_true(sl_snap_at(made.scene, &view, away, &def, &snap, &snap));
    assert_int_equal(snap.kind, SL_SNAP_EDGE);
}

/* ---- No sense ---- */

TEST(hostile_questions_have_no_answer)
{
    UNDONE(flat_free) flat made = flat_of(two, 2);
    const sl_view view = from_above();
    sl_view bad = view;
    const double xy[2] = { 303, 398 };
    const double numbers[] = { NAN, INFINITY, -INFINITY };
    sl_snap_def def = { 0 };
    sl_snap snap;
    bad.camera.width = 0;
    for (int i = 0; i < 3; i++) {
        const double at[2] = { numbers[i], 1 };
        snap.kind = 77;
        assert_false(sl_snap_at(made.scene, &view, at, &def, NULL, &snap));
        assert_int_equal(snap.kind, SL_SNAP_NONE);
        def.margin = (float)numbers[i % 2]; /* a negative one means none */
        assert_false(sl_snap_at(made.scene, &view, xy, &def, NULL, &snap));
        def = (sl_snap_def){ 0 };
        def.lock = SL_SNAP_LINE;
        def.lock_at[1] = numbers[i];
        assert_false(sl_snap_at(made.scene, &view, xy, &def, NULL, &snap));
        def = (sl_snap_def){ 0 };
    }
    assert_false(sl_snap_at(made.scene, &bad, xy, &def, NULL, &snap));
    def.radius = -1;
    assert_false(sl_snap_at(made.scene, &view, xy, &def, NULL, &snap));
    def = (sl_snap_def){ .lock = SL_SNAP_PLANE }; /* without a direction */
    assert_false(sl_snap_at(made.scene, &view, xy, &def, NULL, &snap));
    assert_false(sl_snap_at(NULL, &view, xy, NULL, NULL, &snap));
}

TEST(any_previous_snap_does)
{
    UNDONE(flat_free) flat made = flat_of(two, 2);
    const sl_view view = from_above();
    test_random random = { SEED };
    for (int i = 0; i < 20000; i++) {
        sl_snap_def def = { 0 };
        const sl_snap_grid grid = { .x = { 1, 0, 0 }, .y = { 0, 1, 0 } };
        sl_snap snap;
        uint32_t words[sizeof snap / 4 + 1];
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            const uint64_t word = test_random_u64(&random);
            words[k] = (uint32_t)word & ((word >> 40 & 1) != 0 ? 3u : UINT32_MAX);
        }
        memcpy(&snap, words, offsetof(sl_snap, kept));
        snap.kept = false;
        snap.kind = 1u << test_random_below(&random, 12);
        const double xy[2] = { 300 + 200 * (double)test_random_unit(&random), 350 };
        def.kinds = ALL_KINDS;
        def.grid = &grid;
        (void)sl_snap_at(made.scene, &view, xy, &def, &snap, &snap);
    }
}

/* ---- What a call takes ---- */

typedef struct asked {
    world_case world;
    sl_marks *marks;
    sl_snap_def def;
    sl_snap_grid grid;
    sl_view views[12];
    double xy[12][2];
    uint64_t hash;
} asked;

static asked all;

static void make_all(void)
{
    test_random random = { SEED };
    sl_mark marks[MARKS];
    world_make(&all.world, WORLD_PLAIN, 30, true, &random);
    for (uint32_t i = 0; i < MARKS; i++) {
        const double p[3] = { (double)test_random_in(&random, -5, 5), 0.1 * i, 1 }, q[3] = { 0 };
        marks[i] = i % 2 != 0 ? sl_mark_point(p, 3, i) : sl_mark_wire(p, q, 1, i);
    }
    assert_int_equal(sl_marks_build(marks, MARKS, NULL, &all.marks, NULL), SL_OK);
    all.grid = (sl_snap_grid){ .x = { 1, 0, 0 }, .y = { 0, 1, 0 } };
    all.def = (sl_snap_def){ 0 };
    all.def.kinds = ALL_KINDS;
    all.def.radius = 40;
    all.def.has_from = true;
    all.def.marks = all.marks;
    all.def.grid = &all.grid;
    for (int i = 0; i < 12; i++) {
        all.views[i] = pictures_view(all.world.scene, &random);
        pictures_position(all.world.scene, &all.views[i], &random, all.xy[i]);
    }
}

static void free_all(void)
{
    sl_marks_destroy(all.marks);
    world_destroy(&all.world);
}

static void query_all(void)
{
    all.hash = TEST_HASH_NOTHING;
    for (int i = 0; i < 12; i++) {
        sl_snap snap = { .kind = SL_SNAP_NONE };
        sl_pick picks[8];
        memset(picks, 0, sizeof picks);
        for (int k = 0; k <= SL_SNAP_KINDS; k++) {
            all.def.kinds = k < SL_SNAP_KINDS ? 1u << k : ALL_KINDS;
            (void)sl_snap_at(all.world.scene, &all.views[i], all.xy[i], &all.def, &snap, &snap);
            all.hash = test_hash(all.hash, snap.point, sizeof snap.point, 8);
            all.hash = test_hash(all.hash, &snap.target, sizeof snap.target, 8);
        }
        (void)sl_marks_pick_all(all.marks, all.world.scene, &all.views[i], all.xy[i], NULL, picks,
                                8);
        all.hash = test_hash(all.hash, picks[0].point, sizeof picks[0].point, 8);
    }
}

TEST(nothing_is_allocated)
{
    make_all();
    no_memory_begin();
    query_all();
    assert_int_equal(no_memory_end(), 0);
    free_all();
}

TEST(kernels_give_the_same_answers)
{
    make_all();
    query_all();
    const uint64_t hash = all.hash;
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        all.world.scene->kernels = sli_kernels_at(k);
        query_all();
        assert_true(all.hash == hash);
    }
    free_all();
}

static void run_on_stack(painted_stack *stack, void *context)
{
    (void)context;
    (void)painted_stack_depth(stack);
    query_all();
    painted_stack_note(stack);
}

TEST(the_stack_stays_small)
{
    make_all();
    painted_stack_expect(512 * 1024, LIMIT, run_on_stack, NULL);
    free_all();
}
