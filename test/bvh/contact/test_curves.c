/* Where the surfaces of two trees cross: curves of known number and length, against the segments of
 * all pairs, on solids and worlds of many kinds; whatever the tree; failing memory, cancelling.
 * SIGHTLINE_TEST_SCALE=10 tries 400 pairs of trees. */
#include "test/support/environment/watch.h"
#include "test/support/input/solids.h"
#include "test/support/input/world.h"
#include "test/support/query/world_soup.h"
#include "test/support/test.h"

#include <sightline/clash.h>

static void own_sl_curves(sl_curves **curves)
{
    sl_curves_destroy(*curves);
}

static sl_curves *find_curves(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash)
{
    sl_curves *curves = NULL;
    sl_error error;
    assert_int_equal(sl_bvh_clash_curves(a, b, clash, NULL, &curves, &error), SL_OK);
    return curves;
}

static bool is_closed(const sl_curves *curves, size_t i)
{
    const size_t first = curves->starts[i], last = curves->starts[i + 1] - 1;
    return last > first + 1 &&
           memcmp(curves->points[first], curves->points[last], sizeof curves->points[0]) == 0;
}

static size_t closed_count(const sl_curves *curves)
{
    size_t count = 0;
    for (size_t i = 0; i < curves->curve_count; i++) {
        count += is_closed(curves, i);
    }
    return count;
}

static double length_of(const sl_curves *curves, size_t i)
{
    double length = 0;
    for (size_t k = curves->starts[i]; k + 1 < curves->starts[i + 1]; k++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double d = curves->points[k + 1][axis] - curves->points[k][axis];
            square += d * d;
        }
        length += sqrt(square);
    }
    return length;
}

static void assert_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance)) {
        fail_msg("%.17g instead of %.17g", got, expected);
    }
}

static void assert_equal(const sl_curves *x, const sl_curves *y)
{
    assert_int_equal(x->curve_count, y->curve_count);
    assert_int_equal(x->point_count, y->point_count);
    assert_memory_equal(x->starts, y->starts, (x->curve_count + 1) * sizeof *x->starts);
    assert_memory_equal(x->points, y->points, x->point_count * sizeof *x->points);
    assert_memory_equal(x->pairs, y->pairs, x->point_count * sizeof *x->pairs);
}

/* Two triangles that make the square from -size to size, at a height, facing up. */
static sl_bvh *floor_at(float height, float size)
{
    const float xyz[12] = { -size, -size, height, size,  -size, height,
                            size,  size,  height, -size, size,  height };
    const uint32_t indices[6] = { 0, 1, 2, 0, 2, 3 };
    return made_bvh_alone(made_mesh(xyz, 4, indices, 2, NULL), NULL);
}

/* The cube [0, n]^3 times scale, moved. */
static sl_bvh *cube_at(int n, float x, float y, float z, float scale)
{
    OWN(sl_mesh) cube = solid_cube(n);
    const float scales[3] = { scale, scale, scale }, offset[3] = { x, y, z };
    return made_bvh_alone(solid_placed(cube, scales, offset, false), NULL);
}

/* The sphere's radius is 1: at a height of 0.25 the circle's is sqrt(15/16), and its length within
 * 0.1 % of that of the polygon.  Seen from above, n_a x n_b, with a upwards, runs clockwise. */
TEST(a_plane_cuts_a_sphere_in_a_circle)
{
    OWN(sl_bvh) sphere = made_bvh_alone(made_sphere(64), NULL);
    OWN(sl_bvh) floor = floor_at(0.25f, 2);
    UNDONE(own_sl_curves) sl_curves *cut = find_curves(sphere, floor, NULL);
    UNDONE(own_sl_curves) sl_curves *turned = find_curves(floor, sphere, NULL);
    assert_int_equal(cut->curve_count, 1);
    assert_int_equal(closed_count(cut), 1);
    assert_near(length_of(cut, 0), 2 * 3.14159265358979 * sqrt(15.0 / 16), 0.006);
    assert_int_equal(turned->point_count, cut->point_count);
    double area = 0;
    for (size_t k = 0; k + 1 < cut->point_count; k++) {
        const double *p = cut->points[k], *q = cut->points[k + 1];
        assert_true(p[2] == 0.25);
        area += (p[0] * q[1] - p[1] * q[0]) / 2;
    }
    assert_near(area, -3.14159265358979 * 15 / 16, 0.01);
}

/* Two circles, of 3 +- sqrt(1 - 0.09), around the hole and outside. */
TEST(a_plane_cuts_a_torus_in_two_circles)
{
    OWN(sl_bvh) torus = made_bvh_alone(made_torus(400, 200, 3, 1), NULL);
    OWN(sl_bvh) floor = floor_at(0.3f, 9);
    UNDONE(own_sl_curves) sl_curves *cut = find_curves(torus, floor, NULL);
    assert_int_equal(cut->curve_count, 2);
    assert_int_equal(closed_count(cut), 2);
    assert_near(length_of(cut, 0) + length_of(cut, 1), 2 * 3.14159265358979 * 6, 0.01);
}

/* Through its edges and corners: the octahedron's square, each side of which two faces have. */
TEST(an_edge_in_a_plane_is_there_once)
{
    OWN(sl_bvh) octahedron = made_bvh_alone(made_sphere(1), NULL);
    OWN(sl_bvh) floor = floor_at(0, 4);
    UNDONE(own_sl_curves) sl_curves *cut = find_curves(octahedron, floor, NULL);
    assert_int_equal(cut->curve_count, 1);
    assert_int_equal(closed_count(cut), 1);
    assert_near(length_of(cut, 0), 4 * sqrt(2), 1e-12);
    for (size_t k = 0; k < cut->point_count; k++) {
        assert_int_equal(cut->pairs[k].relation, SL_TOUCHING);
        assert_true(cut->pairs[k].a.prim < 7); /* eight faces; the lower one of two */
    }
}

/* Slabs that touch share a rectangle, whatever their triangles are: 1 x 2 of 3 x 3 and 6 x 6
 * squares. */
TEST(shared_area_has_an_outline)
{
    OWN(sl_bvh) below = cube_at(3, 0, 0, 0, 1);
    OWN(sl_bvh) above = cube_at(6, 2, 1, 3, 0.5f);
    UNDONE(own_sl_curves) sl_curves *outline = find_curves(below, above, NULL);
    assert_int_equal(outline->curve_count, 1);
    assert_int_equal(closed_count(outline), 1);
    assert_near(length_of(outline, 0), 6, 1e-12);
}

TEST(equal_surfaces_have_no_outline)
{
    OWN(sl_bvh) cube = cube_at(4, 0, 0, 0, 1);
    OWN(sl_bvh) sphere = made_bvh_alone(made_sphere(20), NULL);
    UNDONE(own_sl_curves) sl_curves *none = find_curves(cube, cube, NULL);
    assert_int_equal(none->curve_count, 0);
    assert_int_equal(none->point_count, 0);
    UNDONE(own_sl_curves) sl_curves *neither = find_curves(sphere, sphere, NULL);
    assert_int_equal(neither->curve_count, 0);
}

/* Four walls that share an edge, x = y = 0: their arms meet the floor from the middle on. */
TEST(curves_end_where_more_than_two_segments_meet)
{
    const float xyz[] = { 0, 0, -1, 0, 0, 1, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0 };
    const uint32_t indices[] = { 0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 1, 5 };
    OWN(sl_bvh) walls = made_bvh_alone(made_mesh(xyz, 6, indices, 4, NULL), NULL);
    OWN(sl_bvh) floor = floor_at(0, 2);
    UNDONE(own_sl_curves) sl_curves *cut = find_curves(walls, floor, NULL);
    assert_int_equal(cut->curve_count, 4);
    assert_int_equal(closed_count(cut), 0);
    for (size_t i = 0; i < 4; i++) {
        assert_near(length_of(cut, i), 1, 0);
        assert_int_equal(cut->pairs[cut->starts[i]].a.prim, i);
    }
}

TEST(relations_and_masks_choose)
{
    OWN(sl_bvh) octahedron = made_bvh_alone(made_sphere(1), NULL);
    OWN(sl_bvh) floor = floor_at(0, 4);
    const sl_triangle_ref first = { 0, 0 };
    const sl_options without = { .skip = &first, .skip_count = 1 };
    const sl_clash crossing = { .relations = 1u << SL_CROSSING }, half = { .b = &without };
    UNDONE(own_sl_curves) sl_curves *none = find_curves(octahedron, floor, &crossing);
    assert_int_equal(none->curve_count, 0);
    UNDONE(own_sl_curves) sl_curves *open = find_curves(octahedron, floor, &half);
    assert_int_equal(open->curve_count, 1);
    assert_int_equal(closed_count(open), 0);
    assert_near(length_of(open, 0), 2 * sqrt(2), 1e-12);
}

/* ---- Against all pairs ---- */

typedef struct piece {
    double end[2][3]; /* the lower one first */
    int outlines, rising;
    bool seen;
} piece;

typedef struct pieces {
    piece *at;
    size_t count, capacity;
} pieces;

static piece *find_piece(pieces *all, const double from[3], const double to[3], bool *rising)
{
    piece wanted = { .outlines = 0 };
    int axis = 0;
    while (axis < 2 && from[axis] == to[axis]) {
        axis++;
    }
    *rising = from[axis] < to[axis];
    memcpy(wanted.end[*rising ? 0 : 1], from, sizeof wanted.end[0]);
    memcpy(wanted.end[*rising ? 1 : 0], to, sizeof wanted.end[0]);
    for (size_t i = 0; i < all->count; i++) {
        if (memcmp(all->at[i].end, wanted.end, sizeof wanted.end) == 0) {
            return &all->at[i];
        }
    }
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 64;
        all->at = realloc(all->at, all->capacity * sizeof *all->at);
        assert_non_null(all->at);
    }
    all->at[all->count] = wanted;
    return &all->at[all->count++];
}

static void add_piece(pieces *all, const double from[3], const double to[3], bool outline)
{
    bool rising;
    piece *p = find_piece(all, from, to, &rising);
    p->outlines += outline;
    p->rising += outline && rising;
}

static pieces all_pieces(const sl_bvh *a, const sl_bvh *b)
{
    UNDONE(world_soup_free) world_soup of_a = world_soup_of(a, NULL);
    UNDONE(world_soup_free) world_soup of_b = world_soup_of(b, NULL);
    pieces all = { .count = 0 };
    for (size_t i = 0; i < of_a.count * of_b.count; i++) {
        const sl_triangle_d *s = &of_a.corners[i / of_b.count], *t = &of_b.corners[i % of_b.count];
        sl_triangle_contact c;
        if (sl_triangle_triangle(s, t, &c) != SL_APART && c.count > 1) {
            for (uint32_t k = 0; k < (c.count == 2 ? 1 : c.count); k++) {
                add_piece(&all, c.point[k], c.point[(k + 1) % c.count], c.count > 2);
            }
        }
    }
    return all;
}

/* Each segment is one of all pairs, each of them is there once, and those within shared area are
 * not. */
static size_t assert_all_pieces(const sl_bvh *a, const sl_bvh *b)
{
    UNDONE(own_sl_curves) sl_curves *curves = find_curves(a, b, NULL);
    pieces all = all_pieces(a, b);
    size_t expected = 0, found = 0;
    for (size_t i = 0; i < all.count; i++) {
        expected += all.at[i].outlines == 0 || 2 * all.at[i].rising != all.at[i].outlines;
    }
    for (size_t i = 0; i < curves->curve_count; i++) {
        for (size_t k = curves->starts[i]; k + 1 < curves->starts[i + 1]; k++, found++) {
            bool rising;
            const size_t before = all.count;
            piece *p = find_piece(&all, curves->points[k], curves->points[k + 1], &rising);
            assert_int_equal(all.count, before);
            assert_false(p->seen);
            p->seen = true;
            assert_true(p->outlines == 0 || 2 * p->rising != p->outlines);
        }
    }
    assert_int_equal(found, expected);
    free(all.at);
    return found;
}

static const float some_scales[4][3] = {
    { 1, 1, 1 }, { 0.5f, 0.5f, 0.5f }, { 1, 2, 1 }, { 0.3f, 1, 0.7f }
};

TEST(segments_are_those_of_all_pairs)
{
    enum { PRIMS = 400 };
    test_random random = { 20261130 };
    size_t found = 0;
    const size_t count = test_count(40);
    for (size_t i = 0; i < count; i++) {
        static const solid_kind kinds[] = { SOLID_CUBE, SOLID_CHECKERS, SOLID_SHELLS,
                                            SOLID_MIRRORED, SOLID_NEEDLES };
        OWN(sl_mesh) first =
            i % 3 == 0 ? made_sphere(1 + (uint32_t)i % 5) : solid_make(kinds[i % 5]);
        OWN(sl_mesh) second = i % 4 == 0 ? made_sphere(2) : solid_make(kinds[i / 5 % 5]);
        const float by =
            i % 2 == 0 ? (float)test_random_below(&random, 5) / 2 : test_random_in(&random, -1, 1);
        const float offset[3] = { by, by, by };
        OWN(sl_mesh) moved = solid_placed(second, some_scales[i / 2 % 4], offset, i % 7 == 0);
        OWN(sl_bvh) a = made_bvh(first, NULL);
        OWN(sl_bvh) b = made_bvh(moved, NULL);
        if (sl_mesh_get_info(first).triangle_count <= PRIMS &&
            sl_mesh_get_info(moved).triangle_count <= PRIMS) {
            found += assert_all_pieces(a, b);
        }
    }
    print_message("%zu segments\n", found);
    assert_true(found > 10 * count);
}

/* Spheres and tori at random, in general position: solids cross in closed curves. */
TEST(solids_cross_in_closed_curves)
{
    test_random random = { 1811 };
    size_t curves_found = 0;
    for (size_t i = 0; i < test_count(40); i++) {
        OWN(sl_mesh) first = i % 2 == 0 ? made_sphere(30) : made_torus(60, 30, 1, 0.4f);
        OWN(sl_mesh) second = i % 3 == 0 ? made_sphere(10) : made_torus(40, 50, 1.2f, 0.3f);
        const float scale[3] = { test_random_in(&random, 0.5f, 1), test_random_in(&random, 0.5f, 1),
                                 test_random_in(&random, 0.5f, 1) };
        const float by = test_random_in(&random, -0.7f, 0.7f), offset[3] = { by, by, by };
        OWN(sl_mesh) moved = solid_placed(second, scale, offset, false);
        OWN(sl_bvh) a = made_bvh(first, NULL);
        OWN(sl_bvh) b = made_bvh(moved, NULL);
        UNDONE(own_sl_curves) sl_curves *curves = find_curves(a, b, NULL);
        assert_int_equal(closed_count(curves), curves->curve_count);
        curves_found += curves->curve_count;
    }
    print_message("%zu curves\n", curves_found);
    assert_true(curves_found > test_count(40));
}

/* ---- Whatever the tree ---- */

TEST(they_depend_on_no_tree)
{
    OWN(sl_mesh) torus = made_torus(60, 40, 1, 0.4f);
    OWN(sl_mesh) sphere = made_sphere(20);
    OWN(sl_bvh) a = made_bvh(torus, NULL);
    OWN(sl_bvh) b = made_bvh(sphere, NULL);
    const sl_build_def high = { .quality = SL_BVH_QUALITY_HIGH, .layout = SL_BVH_LAYOUT_COMPACT };
    OWN(sl_bvh) c = made_bvh(torus, &high);
    OWN(sl_bvh) d = made_bvh(sphere, &high);
    const sl_instance here = { .bvh = d, .transform = sl_transform_identity(), .mask = UINT32_MAX };
    OWN(sl_bvh) scene = made_scene(&here, 1, NULL);
    UNDONE(own_sl_curves) sl_curves *x = find_curves(a, b, NULL);
    UNDONE(own_sl_curves) sl_curves *y = find_curves(c, d, NULL);
    UNDONE(own_sl_curves) sl_curves *z = find_curves(c, scene, NULL);
    assert_true(x->curve_count > 0);
    assert_equal(x, y);
    assert_equal(x, z);
}

TEST(worlds_of_instances)
{
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        test_random random = { 77 + (uint64_t)kind };
        UNDONE(world_destroy) world_case a;
        UNDONE(world_destroy) world_case b;
        world_make(&a, (world_kind)kind, 4, false, &random);
        world_make(&b, (world_kind)kind, 4, false, &random);
        (void)assert_all_pieces(a.scene, b.scene);
    }
}

/* Needles along x through (1, 1, 1), turned by steps of floats, and walls across them, that many
 * steps apart: points of one wall differ by some 2^-66.  In the middle wall all needles have the
 * same segment, up to the corner that they share. */
TEST(points_that_round_alike_are_told_apart)
{
    enum { COUNT = 40 };
    const float step = 0x1p-23f, far = 0x1p20f;
    float needles[COUNT][9], walls[COUNT][9];
    for (int i = 0; i < COUNT; i++) {
        const float by = (float)(i - COUNT / 2) * step;
        const float needle[9] = { 1 - far, 1 - by, 1, 1 + far, 1 + by, 1, 1, 1, 8 };
        const float wall[9] = { 1 + by, 0.5f, 1, 1 + by, 1.5f, 1, 1 + by, 1, 8 };
        memcpy(needles[i], needle, sizeof needle);
        memcpy(walls[i], wall, sizeof wall);
    }
    OWN(sl_bvh) a = made_bvh_alone(made_mesh(needles, 3 * COUNT, NULL, COUNT, NULL), NULL);
    OWN(sl_bvh) b = made_bvh_alone(made_mesh(walls, 3 * COUNT, NULL, COUNT, NULL), NULL);
    UNDONE(own_sl_curves) sl_curves *curves = find_curves(a, b, NULL);
    assert_int_equal(curves->curve_count, COUNT * COUNT - (COUNT - 1));
    assert_int_equal(curves->point_count, 2 * curves->curve_count);
}

TEST(nothing_meets_an_empty_tree)
{
    OWN(sl_bvh) empty = made_bvh_alone(made_mesh(NULL, 0, NULL, 0, NULL), NULL);
    OWN(sl_bvh) floor = floor_at(0, 1);
    UNDONE(own_sl_curves) sl_curves *none = find_curves(empty, floor, NULL);
    assert_int_equal(none->curve_count, 0);
    assert_int_equal(none->starts[0], 0);
}

/* ---- Failures ---- */

TEST(bad_arguments_are_refused)
{
    OWN(sl_bvh) floor = floor_at(0, 1);
    sl_curves *out = (sl_curves *)&floor;
    sl_error error;
    assert_int_equal(sl_bvh_clash_curves(NULL, floor, NULL, NULL, &out, &error),
                     SL_INVALID_ARGUMENT);
    assert_null(out);
    assert_int_equal(sl_bvh_clash_curves(floor, floor, NULL, NULL, NULL, &error),
                     SL_INVALID_ARGUMENT);
    sl_curves_destroy(NULL);
}

TEST(every_failed_allocation_is_survived)
{
    OWN(sl_bvh) sphere = made_bvh_alone(made_sphere(6), NULL);
    OWN(sl_bvh) cube = cube_at(3, 0, 0, 0, 0.25f);
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    sl_hooks hooks = { .progress = { NULL, NULL } };
    while (test_next_failure(&memory, &hooks.allocator)) {
        sl_curves *curves = NULL;
        sl_error error;
        const sl_result result = sl_bvh_clash_curves(sphere, cube, NULL, &hooks, &curves, &error);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_int_equal(curves == NULL, memory.failed);
        sl_curves_destroy(curves);
    }
}

TEST(it_reports_and_can_be_cancelled)
{
    OWN(sl_bvh) sphere = made_bvh_alone(made_sphere(60), NULL);
    OWN(sl_bvh) torus = made_bvh_alone(made_torus(80, 80, 1, 0.2f), NULL);
    int stages = 0;
    for (int stop_at = -1; stop_at < stages; stop_at++) {
        test_watch watch = { .stop_at = stop_at, .phase = "curves", .rises = true };
        sli_failing_allocator memory;
        sl_hooks hooks = { .progress = test_watch_progress(&watch) };
        hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        sl_curves *curves = NULL;
        sl_error error;
        const sl_result result = sl_bvh_clash_curves(sphere, torus, NULL, &hooks, &curves, &error);
        assert_int_equal(result, stop_at < 0 ? SL_OK : SL_CANCELLED);
        assert_int_equal(curves == NULL, stop_at >= 0);
        stages = stop_at < 0 ? watch.calls : stages;
        sl_curves_destroy(curves);
        assert_true(sli_failing_allocator_clean(&memory));
    }
    assert_true(stages >= 3);
}
