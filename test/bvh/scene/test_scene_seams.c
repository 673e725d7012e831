/* sl_bvh_find_seams against all pairs of corners; and that rays do not pass between pieces that
 * it finds nothing about.  SIGHTLINE_TEST_SCALE=5000 tries 100,000,000 rays. */
#include "bvh/scene/corners.h"
#include "lib/base/memory.h"
#include "test/support/input/solids.h"
#include "test/support/test.h"

enum { SEED = 20261126, SIDE = 4, PATCHES = 6 };

/* ---- Against all pairs ---- */

typedef struct corner {
    double x[3];
    sl_seam_corner at;
} corner;

static bool is_equal(const corner *a, const corner *b)
{
    return memcmp(a->x, b->x, sizeof a->x) == 0;
}

/* The different corners of each instance, the lowest triangle and vertex of each. */
static corner *list_corners(const sl_bvh *scene, const uint32_t *prims, size_t instances,
                            size_t *count)
{
    size_t all = 0;
    for (size_t i = 0; i < instances; i++) {
        all += 3 * prims[i];
    }
    corner *corners = made_zeros(all + 1, sizeof *corners);
    *count = 0;
    for (uint32_t i = 0; i < instances; i++) {
        const size_t first = *count;
        for (uint32_t prim = 0; prim < prims[i]; prim++) {
            double x[3][3];
            assert_true(sl_bvh_triangle(scene, (sl_triangle_ref){ i, prim }, x));
            for (uint32_t vertex = 0; vertex < 3; vertex++) {
                corner c = { .at = { { i, prim }, vertex } };
                memcpy(c.x, x[vertex], sizeof c.x);
                bool known = false;
                for (size_t k = first; k < *count && !known; k++) {
                    known = is_equal(&corners[k], &c);
                }
                if (!known) {
                    corners[(*count)++] = c;
                }
            }
        }
    }
    return corners;
}

static bool has_equal(const corner *corners, size_t count, const corner *c, uint32_t instance)
{
    for (size_t i = 0; i < count; i++) {
        if (corners[i].at.triangle.instance == instance && is_equal(&corners[i], c)) {
            return true;
        }
    }
    return false;
}

static double distance_of(const corner *a, const corner *b)
{
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        most = fmax(most, fabs(a->x[axis] - b->x[axis]));
    }
    return most;
}

/* Corners come in the order of seams. */
static void check_all_pairs(const sl_bvh *scene, const uint32_t *prims, size_t instances,
                            double tolerance, size_t capacity, sl_seams_report *report)
{
    sl_seams_def def = { .tolerance = tolerance };
    FREED sl_seam *seams = made_zeros(capacity + 1, sizeof *seams);
    assert_int_equal(sl_bvh_find_seams(scene, &def, seams, capacity, report, NULL), SL_OK);
    size_t corner_count;
    FREED corner *corners = list_corners(scene, prims, instances, &corner_count);
    uint64_t found = 0;
    double worst = 0;
    for (size_t i = 0; i < corner_count; i++) {
        for (size_t k = i + 1; k < corner_count; k++) {
            const corner *a = &corners[i], *b = &corners[k];
            const uint32_t in_a = a->at.triangle.instance, in_b = b->at.triangle.instance;
            const double distance = distance_of(a, b);
            if (in_a == in_b || is_equal(a, b) || distance > tolerance ||
                (has_equal(corners, corner_count, a, in_b) &&
                 has_equal(corners, corner_count, b, in_a))) {
                continue;
            }
            if (found < capacity) {
                assert_memory_equal(&seams[found].a, &a->at, sizeof a->at);
                assert_memory_equal(&seams[found].b, &b->at, sizeof b->at);
                assert_true(seams[found].distance == distance);
            }
            found++;
            worst = fmax(worst, distance);
        }
    }
    assert_int_equal(report->corners, corner_count);
    assert_int_equal(report->count, found);
    assert_true(report->worst == worst && report->tolerance == tolerance);
}

/* Pieces at random whose corners crowd: on a lattice of the size of the tolerance and between,
 * several in one place, finer than the tolerance. */
TEST(seams_are_those_of_all_pairs)
{
    test_random random = { SEED };
    sl_bvh *trees[2] = { made_bvh_alone(solid_cube(1), NULL), made_bvh_alone(solid_cube(2), NULL) };
    static const uint32_t triangles[2] = { 12, 48 };
    uint64_t found = 0, shared = 0;
    for (int i = 0; i < 60; i++) {
        enum { COUNT = 10 };
        sl_instance instances[COUNT];
        uint32_t prims[COUNT];
        const double size = i % 3 == 0 ? 0.25 : 1;
        const double far = i % 4 == 0 ? -4096 : 0; /* across 0, and not */
        for (int k = 0; k < COUNT; k++) {
            const uint32_t which = test_random_below(&random, 2);
            instances[k] = sl_instance_of(trees[which]);
            prims[k] = triangles[which];
            const uint32_t off = test_random_below(&random, 6); /* the axis, if it is one */
            for (uint32_t axis = 0; axis < 3; axis++) {
                const double by = axis == off ? 0x1p-8 * (1 + test_random_below(&random, 2)) : 0;
                sl_transform *transform = &instances[k].transform;
                transform->m[axis][axis] = size;
                transform->m[axis][3] = far + (double)test_random_below(&random, 3) / 2 - 1 + by;
            }
        }
        OWN(sl_bvh) scene = made_scene(instances, COUNT, NULL);
        const double tolerance = i % 5 == 0 ? 0.25 : i % 2 == 0 ? 0x1p-8 : 0x1p-7;
        sl_seams_report report;
        check_all_pairs(scene, prims, COUNT, tolerance, i % 7 == 0 ? 5 : 100000, &report);
        found += report.count;
        shared += report.shared;
    }
    assert_true(found > 1000 && shared > 1000);
    sl_bvh_destroy(trees[0]);
    sl_bvh_destroy(trees[1]);
}

/* ---- Pieces of a ground ---- */

/* A patch of SIDE x SIDE squares whose border is level, on a lattice of 2^-8; lifted: one vertex of
 * the border is so much higher. */
static sl_bvh *make_patch(test_random *random, float lifted)
{
    float xyz[(SIDE + 1) * (SIDE + 1)][3];
    uint32_t indices[2 * SIDE * SIDE][3];
    for (uint32_t i = 0; i < (SIDE + 1) * (SIDE + 1); i++) {
        const uint32_t x = i % (SIDE + 1), y = i / (SIDE + 1);
        const bool inner = x > 0 && x < SIDE && y > 0 && y < SIDE;
        xyz[i][0] = (float)x - SIDE / 2;
        xyz[i][1] = (float)y - SIDE / 2;
        xyz[i][2] = inner ? (float)test_random_below(random, 128) * 0x1p-8f : 0;
    }
    xyz[1][2] = lifted;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t at = i % SIDE + i / SIDE * (SIDE + 1), up = at + SIDE + 1;
        const uint32_t square[6] = { at, at + 1, up + 1, at, up + 1, up };
        memcpy(indices[2 * i], square, sizeof square);
    }
    sl_mesh *mesh = made_mesh(&xyz[0][0], (SIDE + 1) * (SIDE + 1), indices, 2 * SIDE * SIDE, NULL);
    return made_bvh_alone(mesh, NULL);
}

typedef struct ground {
    sl_bvh *patches[3];
    sl_transform whole; /* of the level ground */
    sl_instance instances[PATCHES * PATCHES];
    sl_bvh *scene;
} ground;

/* PATCHES x PATCHES patches, turned by quarter turns, then all of it by whole. */
static void make_ground(ground *g, const sl_transform *whole, double grid, float lifted,
                        test_random *random)
{
    g->whole = *whole;
    for (int i = 0; i < 3; i++) {
        g->patches[i] = make_patch(random, i == 0 ? lifted : 0);
    }
    for (uint32_t i = 0; i < PATCHES * PATCHES; i++) {
        static const double turns[4][4] = {
            { 0, 0, 0, 1 }, { 0, 0, 1, 1 }, { 0, 0, 1, 0 }, { 0, 0, -1, 1 }
        };
        const double at[3] = { (double)(SIDE * (i % PATCHES)), (double)(SIDE * (i / PATCHES)), 0 };
        sl_transform level;
        g->instances[i] = sl_instance_of(g->patches[i == 14 ? 0 : 1 + i % 2]);
        assert_true(sl_transform_from_trs(at, turns[test_random_below(random, 4)], NULL, &level));
        assert_true(sl_transform_product(whole, &level, &g->instances[i].transform));
        g->instances[i].grid = grid;
    }
    g->scene = made_scene(g->instances, PATCHES * PATCHES, NULL);
}

static void destroy_ground(ground *g)
{
    sl_bvh_destroy(g->scene);
    for (int i = 0; i < 3; i++) {
        sl_bvh_destroy(g->patches[i]);
    }
}

static sl_seams_report seams_of(const sl_bvh *scene, sl_seam *first)
{
    sl_seams_report report;
    assert_int_equal(sl_bvh_find_seams(scene, NULL, first, first != NULL ? 1 : 0, &report, NULL),
                     SL_OK);
    return report;
}

static sl_transform turned(double x, double y, double z)
{
    const double rotation[4] = { 0.31, -0.52, 0.13, 0.77 }, translation[3] = { x, y, z };
    sl_transform transform;
    assert_true(sl_transform_from_trs(translation, rotation, NULL, &transform));
    return transform;
}

TEST(pieces_that_match_have_none)
{
    test_random random = { SEED + 1 };
    const sl_transform level = sl_transform_identity();
    UNDONE(destroy_ground) ground g;
    make_ground(&g, &level, 0, 0, &random);
    const sl_seams_report report = seams_of(g.scene, NULL);
    assert_true(report.count == 0 && report.worst == 0);
    assert_true(report.corners == PATCHES * PATCHES * (SIDE + 1) * (SIDE + 1));
    assert_true(report.shared > 0);
    assert_true(report.tolerance == 22 * 0x1p-20); /* of the largest coordinate */
}

TEST(one_corner_that_does_not_match_is_found)
{
    test_random random = { SEED + 2 };
    const sl_transform level = sl_transform_identity();
    UNDONE(destroy_ground) ground g;
    make_ground(&g, &level, 0, 0x1p-17f, &random);
    sl_seam seam;
    const sl_seams_report report = seams_of(g.scene, &seam);
    assert_true(report.count == 1 && report.worst == 0x1p-17);
    assert_true(seam.a.triangle.instance == 14 || seam.b.triangle.instance == 14);
    double corners[2][3][3];
    assert_true(sl_bvh_triangle(g.scene, seam.a.triangle, corners[0]));
    assert_true(sl_bvh_triangle(g.scene, seam.b.triangle, corners[1]));
    const double *a = corners[0][seam.a.vertex], *b = corners[1][seam.b.vertex];
    assert_true(a[0] == b[0] && a[1] == b[1] && fabs(a[2] - b[2]) == 0x1p-17);
}

/* Turned, corners differ in their last digits; a grid makes them equal. */
TEST(a_grid_closes_seams)
{
    const sl_transform whole = turned(1000, -200, 77);
    for (int i = 0; i < 2; i++) {
        test_random random = { SEED + 3 };
        UNDONE(destroy_ground) ground g;
        make_ground(&g, &whole, i == 0 ? 0 : 0x1p-20, 0, &random);
        const sl_seams_report report = seams_of(g.scene, NULL);
        if (i == 0) {
            assert_true(report.count > 100 && report.worst > 0 && report.worst < 1e-11);
        } else {
            assert_true(report.count == 0 && report.shared > 100);
        }
    }
}

/* ---- Leaks ---- */

/* A point of the border between two patches, a vertex or on an edge, as the level ground has it;
 * not near the rim, where rays rounded to floats may pass by. */
static void seam_point(test_random *random, double out[3])
{
    const int along = (int)test_random_below(random, 2);
    const uint32_t line = 1 + test_random_below(random, PATCHES - 1);
    const double step = 2 + (double)test_random_below(random, SIDE * PATCHES - 3);
    out[along] = step - (double)SIDE / 2;
    out[1 - along] = (double)SIDE * (double)line - (double)SIDE / 2;
    out[2] = 0;
    if (test_random_below(random, 4) > 0) {
        out[along] -= (double)test_random_unit(random);
    }
}

static void to_world(const sl_transform *transform, const double x[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double *row = transform->m[axis];
        out[axis] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3];
    }
}

/* From above through the seam, steeply: it has to meet the ground. */
static void seam_ray(const ground *g, test_random *random, sl_ray_d *out)
{
    double through[3], from[3], to[3], world[2][3];
    seam_point(random, through);
    for (int axis = 0; axis < 3; axis++) {
        const double tilt = axis < 2 ? (double)test_random_in(random, -0.4f, 0.4f) : 1;
        from[axis] = through[axis] + tilt;
        to[axis] = through[axis] - tilt;
    }
    to_world(&g->whole, from, world[0]);
    to_world(&g->whole, to, world[1]);
    *out = (sl_ray_d){ .tmin = 0, .tmax = 1 };
    for (int axis = 0; axis < 3; axis++) {
        out->origin[axis] = world[0][axis];
        out->dir[axis] = world[1][axis] - world[0][axis];
    }
}

/* How many of the rays get through the ground, in doubles, and rounded to floats. */
static void count_leaks(const ground *g, size_t count, test_random *random, size_t leaks[2])
{
    enum { BATCH = 2000 };
    static sl_ray_d rays_d[BATCH];
    static sl_ray rays[BATCH];
    static uint8_t any[BATCH];
    leaks[0] = leaks[1] = 0;
    for (size_t done = 0; done < count; done += BATCH) {
        for (int i = 0; i < BATCH; i++) {
            seam_ray(g, random, &rays_d[i]);
            rays[i] = (sl_ray){ .tmin = 0, .tmax = 1 };
            for (int axis = 0; axis < 3; axis++) {
                rays[i].origin[axis] = (float)rays_d[i].origin[axis];
                rays[i].dir[axis] = (float)rays_d[i].dir[axis];
            }
        }
        sl_bvh_any_many(g->scene, sl_rays_of_d(rays_d, BATCH), NULL, any, NULL, NULL, NULL);
        for (int i = 0; i < BATCH; i++) {
            leaks[0] += any[i] == 0;
        }
        sl_bvh_any_many(g->scene, sl_rays_of(rays, BATCH), NULL, any, NULL, NULL, NULL);
        for (int i = 0; i < BATCH; i++) {
            leaks[1] += any[i] == 0;
        }
    }
}

/* Half of the rays in doubles, half in floats. */
TEST(seams_that_are_closed_do_not_leak)
{
    const sl_transform wholes[4] = { sl_transform_identity(), turned(0, 0, 0), turned(90, -30, 50),
                                     turned(-3000, 1000, 20) };
    const size_t count = test_is_brief() ? 2000 : 2500 * test_scale();
    test_random random = { test_seed(SEED + 4) };
    size_t tried = 0;
    for (int i = 0; i < 4; i++) {
        UNDONE(destroy_ground) ground g;
        size_t leaks[2];
        make_ground(&g, &wholes[i], i == 0 ? 0 : 0x1p-20, 0, &random);
        assert_int_equal(seams_of(g.scene, NULL).count, 0);
        count_leaks(&g, count, &random, leaks);
        tried += 2 * count;
        assert_int_equal(leaks[0], 0);
        assert_int_equal(leaks[1], 0);
    }
    print_message("%zu rays through seams, cases without a leak\n", tried);
}

/* The same rays find seams that are open. */
TEST(seams_that_are_open_leak)
{
    test_random random = { SEED + 5 };
    const sl_transform whole = turned(90, -30, 50);
    UNDONE(destroy_ground) ground g;
    size_t leaks[2];
    make_ground(&g, &whole, 0, 0, &random);
    assert_true(seams_of(g.scene, NULL).count > 0);
    count_leaks(&g, 40000, &random, leaks);
    assert_true(leaks[0] > 0);
}

/* ---- The hash grid ---- */

/* Cells whose numbers are even, as on a lattice, spread over all chains. */
TEST(chains_stay_short_on_a_lattice)
{
    enum { COUNT = 64, LONGEST = 12 };
    sl_mesh *grid = made_grid(32, 32, 0, 1);
    OWN(sl_bvh) bvh = made_bvh_alone(grid, NULL);
    sl_instance instances[COUNT];
    for (int i = 0; i < COUNT; i++) {
        instances[i] = sl_instance_of(bvh);
        instances[i].transform.m[0][3] = 32 * (double)(i % 8);
        instances[i].transform.m[1][3] = 32 * (double)(i / 8);
    }
    OWN(sl_bvh) scene = made_scene(instances, COUNT, NULL);
    const sl_allocator allocator = sli_allocator(NULL);
    for (int exponent = 0; exponent <= 24; exponent += 4) {
        UNDONE(sli_corners_free) sli_corners corners;
        assert_int_equal(sli_corners_make(scene, &allocator, ldexp(1, -exponent), &corners, NULL),
                         SL_OK);
        assert_int_equal(corners.location_count, 257 * 257);
        size_t longest = 0;
        for (size_t i = 0; i < corners.head_count; i++) {
            size_t length = 0;
            for (uint32_t at = corners.heads[i]; at != SLI_NO_CORNER;
                 at = corners.locations[at].next) {
                length++;
            }
            longest = length > longest ? length : longest;
        }
        assert_true(longest <= LONGEST);
    }
}

/* Of two triangles, the second away from the first along x, how many seams there are. */
static uint64_t seams_apart(double first, double second, double tolerance)
{
    static const float xyz[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    sl_mesh *mesh = made_mesh(xyz, 3, NULL, 1, NULL);
    OWN(sl_bvh) bvh = made_bvh_alone(mesh, NULL);
    sl_instance two[2] = { sl_instance_of(bvh), sl_instance_of(bvh) };
    two[0].transform.m[0][3] = first;
    two[1].transform.m[0][3] = second;
    OWN(sl_bvh) scene = made_scene(two, 2, NULL);
    sl_seams_def def = { 0 };
    sl_seams_report report;
    def.tolerance = tolerance;
    assert_int_equal(sl_bvh_find_seams(scene, &def, NULL, 0, &report, NULL), SL_OK);
    return report.count;
}

TEST(a_tolerance_may_be_wider_than_the_world)
{
    assert_int_equal(seams_apart(0, 0.25, 10), 9);
    assert_int_equal(seams_apart(0, 0.25, 0x1p203), 9);
    assert_int_equal(seams_apart(0, 0.25, 1e300), 9);
}

/* Differences that are rounded to the tolerance, across the side of a cell. */
TEST(seams_do_not_depend_on_the_order)
{
    assert_int_equal(seams_apart(1, -0x1p-60, 1), 6);
    assert_int_equal(seams_apart(-0x1p-60, 1, 1), 6);
}

/* ---- What cannot be ---- */

TEST(bad_arguments_are_named)
{
    OWN(sl_bvh) cube = made_bvh_alone(solid_cube(1), NULL);
    const sl_instance instance = sl_instance_of(cube);
    OWN(sl_bvh) scene = made_scene(&instance, 1, NULL);
    OWN(sl_bvh) empty = made_scene(NULL, 0, NULL);
    sl_error error;
    assert_int_equal(sl_bvh_find_seams(NULL, NULL, NULL, 0, NULL, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_bvh_find_seams(scene, NULL, NULL, 1, NULL, &error), SL_INVALID_ARGUMENT);
    static const double bad[] = { -1, (double)NAN, (double)INFINITY };
    for (int i = 0; i < 3; i++) {
        sl_seams_def def = { .tolerance = bad[i] };
        assert_int_equal(sl_bvh_find_seams(scene, &def, NULL, 0, NULL, &error),
                         SL_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, "sl_seams_def.tolerance"));
    }
    static const double extreme[] = { 5e-324, 0x1p-149, 1e300 };
    for (int i = 0; i < 3; i++) {
        sl_seams_def def = { 0 };
        sl_seams_report report;
        def.tolerance = extreme[i];
        assert_int_equal(sl_bvh_find_seams(scene, &def, NULL, 0, &report, NULL), SL_OK);
        assert_true(report.count == 0 && report.corners == 8 && report.shared == 0);
    }
    assert_int_equal(seams_of(empty, NULL).corners, 0);
}

TEST(memory_may_fail)
{
    OWN(sl_bvh) cube = made_bvh_alone(solid_cube(12), NULL);
    sl_instance instances[2] = { sl_instance_of(cube), sl_instance_of(cube) };
    instances[1].transform.m[0][3] = 12.0001;
    OWN(sl_bvh) scene = made_scene(instances, 2, NULL);
    sl_seams_def def = { .tolerance = 0.001 };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        sl_seam seams[2] = { { .distance = 7 } };
        sl_seams_report report = { .count = 99 };
        const sl_result result = sl_bvh_find_seams(scene, &def, seams, 2, &report, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_int_equal(report.count, memory.failed ? 99 : 13 * 13);
        assert_true((seams[0].distance == 7) == memory.failed);
    }
}
