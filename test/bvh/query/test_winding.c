/* Winding numbers of meshes that are not closed, against the sum of all solid angles in long double
 * (Van Oosterom and Strackee, The Solid Angle of a Plane Triangle, 1983), which knows neither rays
 * nor boundaries. */
#include "lib/geom/closest/boundary_winding.h"
#include "test/support/environment/callers_env.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/hard/rays.h"
#include "test/support/input/open_mesh.h"
#include "test/support/input/solids.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20260806, POINTS = 900 };

#define GOLDEN 0x7E90245A3CA64D5Eu

typedef enum damage { HOLES, TURNED, DOUBLED, ONE_LEFT } damage;

/* A closed mesh of which random triangles are missing, turned or there twice, or only one is left.
 */
static sl_mesh *damaged(solid_kind kind, damage how, test_random *random)
{
    OWN(sl_mesh) whole = solid_make(kind);
    const size_t count = sl_mesh_soup(whole).triangle_count;
    FREED uint32_t *indices = malloc(2 * count * 3 * sizeof *indices);
    size_t n = 0;
    for (size_t prim = 0; prim < count; prim++) {
        const bool hit = how == ONE_LEFT ? prim > 0 : test_random_below(random, 8) == 0;
        const size_t times = !hit                              ? 1
                             : how == HOLES || how == ONE_LEFT ? 0
                             : how == DOUBLED                  ? 2
                                                               : 1;
        for (size_t k = 0; k < times; k++, n++) {
            const bool turn = hit && how == TURNED;
            for (size_t i = 0; i < 3; i++) {
                indices[3 * n + i] = sl_mesh_soup(whole).indices[3 * prim + (turn ? 2 - i : i)];
            }
        }
    }
    sl_mesh *mesh =
        made_mesh(sl_mesh_soup(whole).xyz, sl_mesh_soup(whole).vertex_count, indices, n, NULL);
    return mesh;
}

typedef struct reference {
    long double winding, slack; /* slack: what this sum itself may be off by */
} reference;

static long double length_of(const long double a[3])
{
    return sqrtl(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static long double dot(const long double a[3], const long double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Without what is moved by an infinitely small amount: for points off the surface. */
static reference solid_angles(const sl_mesh *mesh, const float point[3])
{
    reference sum = { 0, 0 };
    for (size_t prim = 0; prim < sl_mesh_soup(mesh).triangle_count; prim++) {
        sl_triangle t;
        long double v[3][3], det = 0;
        assert_true(sl_mesh_triangle(mesh, (uint32_t)prim, &t));
        for (int i = 0; i < 9; i++) {
            v[i / 3][i % 3] = (long double)t.v[i / 3][i % 3] - (long double)point[i % 3];
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            det += v[0][i] * (v[1][j] * v[2][k] - v[1][k] * v[2][j]);
        }
        const long double a = length_of(v[0]), b = length_of(v[1]), c = length_of(v[2]);
        const long double along =
            a * b * c + dot(v[0], v[1]) * c + dot(v[1], v[2]) * a + dot(v[2], v[0]) * b;
        sum.winding += atan2l(det, along);
        sum.slack += 0x1p-61L * a * b * c / hypotl(det, along);
    }
    const long double two_pi = 6.283185307179586476925286766559005768L;
    return (reference){ sum.winding / two_pi, sum.slack };
}

/* What points.h promises: 2^-50 an edge, over the cosine of half the angle it is seen under.
 */
static double promised(const sl_boundary *boundary, const float point[3])
{
    double sum = 0;
    for (size_t i = 0; i < boundary->info.edge_count; i++) {
        const sli_boundary_edge *edge = &boundary->edges[i];
        long double a[3], b[3], across = 0;
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = (long double)edge->from[axis] - (long double)point[axis];
            b[axis] = (long double)edge->to[axis] - (long double)point[axis];
        }
        for (int k = 0; k < 3; k++) {
            const long double c = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
            across += c * c;
        }
        const long double angle = atan2l(sqrtl(across), dot(a, b));
        sum += edge->count * 0x1p-50 / fmax(0, (double)cosl(angle / 2));
    }
    return sum;
}

typedef struct tally {
    size_t asked, inside;
    double worst; /* share of what is promised */
} tally;

static void check_point(const open_mesh *o, const float point[3], tally *t)
{
    sl_inside found, in_turn;
    const sl_soup soup = sl_mesh_soup(o->mesh);
    const bool inside = winding_of_one(o->bvh, o->boundary, point, NULL, &found);
    assert_int_equal(sl_soup_inside(&soup, o->boundary, point, NULL, &in_turn), inside);
    assert_memory_equal(&found.winding, &in_turn.winding, sizeof found.winding);
    assert_int_equal(found.crossings, in_turn.crossings);
    assert_int_equal(found.on_surface, in_turn.on_surface);
    const reference truth = solid_angles(o->mesh, point);
    const double bound = promised(o->boundary, point);
    if (found.on_surface || !(truth.slack < 1e-12L) || !(bound < 0.1)) {
        return;
    }
    const double error = fabs((double)((long double)found.winding - truth.winding));
    if (!(error <= bound + (double)truth.slack)) {
        fail_msg("%a %a %a: %.17g instead of %.17Lg; bound %g", (double)point[0], (double)point[1],
                 (double)point[2], found.winding, truth.winding, bound);
    }
    if (fabsl(fabsl(truth.winding) - 0.5L) > (long double)bound + truth.slack) {
        assert_int_equal(found.by_winding, fabsl(truth.winding) > 0.5L);
    }
    const bool even = sl_boundary_get_info(o->boundary).odd_count == 0;
    assert_int_equal(found.inside, even ? found.by_parity : found.by_winding);
    assert_int_equal(found.differ, found.by_parity != found.by_winding);
    t->asked++;
    t->inside += inside;
    t->worst = fmax(t->worst, (error - (double)truth.slack) / bound);
}

/* Anywhere about; straight under a vertex or an edge; each coordinate of another vertex; a step
 * beside a vertex. */
static void make_point(const sl_mesh *mesh, size_t i, test_random *random, float point[3])
{
    const hard_ray to = hard_ray_make(mesh, i % 4 == 1 ? HARD_EDGE : HARD_BESIDE, random);
    hard_point(mesh, random, point);
    switch (i % 4) {
    case 0:
        break;
    case 1:
        memcpy(point + 1, to.segment.q + 1, 2 * sizeof *point);
        break;
    case 2:
        for (int axis = 0; axis < 3; axis++) {
            const sl_triangle of = hard_triangle(mesh, random);
            point[axis] = of.v[0][axis];
        }
        break;
    default:
        memcpy(point, to.segment.q, 3 * sizeof *point);
        break;
    }
}

static void check_mesh(const char *name, sl_mesh *mesh, test_random *random)
{
    UNDONE(open_close) open_mesh o = open_of(mesh);
    tally t = { 0 };
    const size_t count = POINTS * test_scale();
    for (size_t i = 0; i < count; i++) {
        float point[3];
        make_point(o.mesh, i, random, point);
        check_point(&o, point, &t);
    }
    print_message("%-10s %6zu edges: %6zu points compared, %6zu inside, error %.3f of the bound\n",
                  name, sl_boundary_get_info(o.boundary).edge_count, t.asked, t.inside, t.worst);
    assert_true(t.asked > count / 4);
}

TEST(open_meshes_have_the_sum_of_their_solid_angles)
{
    test_random random = { SEED };
    for (int kind = 0; kind < SOLID_KINDS; kind++) {
        if (kind != SOLID_SPONGE) {
            check_mesh(solid_names[kind], damaged((solid_kind)kind, HOLES, &random), &random);
        }
    }
    check_mesh("one", damaged(SOLID_SPHERE, ONE_LEFT, &random), &random);
    sl_mesh *mesh = made_grid(12, 12, 1, 3);
    check_mesh("grid", mesh, &random);
    mesh = made_soup(150, 0.4f, 3);
    check_mesh("soup", mesh, &random);
}

TEST(turned_and_doubled_triangles_count_as_they_are_wound)
{
    test_random random = { SEED + 1 };
    check_mesh("turned", damaged(SOLID_SPHERE, TURNED, &random), &random);
    check_mesh("doubled", damaged(SOLID_CUBE, DOUBLED, &random), &random);
}

/* The lowest of three cubes in a row: half of the sphere around the middle of the open top is
 * covered. */
TEST(a_box_without_its_lid_is_half_around_the_middle_of_it)
{
    sl_mesh *cube = solid_cube(2);
    uint32_t indices[48 * 3];
    size_t n = 0;
    for (uint32_t prim = 0; prim < sl_mesh_soup(cube).triangle_count; prim++) {
        sl_triangle t;
        assert_true(sl_mesh_triangle(cube, prim, &t));
        if (t.v[0][2] < 2 || t.v[1][2] < 2 || t.v[2][2] < 2) {
            memcpy(indices + 3 * n++, sl_mesh_soup(cube).indices + 3 * (size_t)prim, 12);
        }
    }
    sl_mesh *box =
        made_mesh(sl_mesh_soup(cube).xyz, sl_mesh_soup(cube).vertex_count, indices, n, NULL);
    sl_mesh_destroy(cube);
    UNDONE(open_close) open_mesh o = open_of(box);
    sl_inside found;
    assert_int_equal(sl_boundary_get_info(o.boundary).edge_count, 8);
    winding_of_one(o.bvh, o.boundary, (const float[3]){ 1, 1, 2 }, NULL, &found);
    assert_true(fabs(found.winding - 0.5) < 1e-15);
    assert_true(winding_of_one(o.bvh, o.boundary, (const float[3]){ 1, 1, 1.5f }, NULL, &found));
    assert_true(found.winding > 0.6 && found.winding < 0.9);
    assert_false(winding_of_one(o.bvh, o.boundary, (const float[3]){ 1, 1, 2.5f }, NULL, &found));
    /* A ray along +x from here meets no triangle but the far wall's: parity alone is wrong. */
    assert_false(winding_of_one(o.bvh, o.boundary, (const float[3]){ 1, 1, 7 }, NULL, &found));
    assert_true(fabs(found.winding) < 0.1);
}

/* By winding everything is inside or not as half the triangles say; by parity it is as it was. */
TEST(a_closed_mesh_wound_both_ways_is_judged_by_parity)
{
    test_random random = { SEED + 2 };
    UNDONE(open_close) open_mesh o = open_of(damaged(SOLID_CUBE, TURNED, &random));
    const sl_boundary_info info = sl_boundary_get_info(o.boundary);
    assert_true(info.edge_count > 0);
    assert_int_equal(info.odd_count, 0);
    for (int i = 0; i < POINTS; i++) {
        float point[3];
        bool inside = true;
        hard_point(o.mesh, &random, point);
        for (int axis = 0; axis < 3; axis++) {
            inside = inside && point[axis] > 0 && point[axis] < 4;
        }
        assert_int_equal(winding_of_one(o.bvh, o.boundary, point, NULL, NULL), inside);
    }
}

TEST(an_empty_boundary_is_as_good_as_none)
{
    test_random random = { SEED + 3 };
    UNDONE(open_close) open_mesh o = open_of(solid_make(SOLID_SHELLS));
    for (int i = 0; i < POINTS; i++) {
        float point[3];
        sl_inside with, without;
        make_point(o.mesh, (size_t)i, &random, point);
        memset(&with, 0, sizeof with);
        memset(&without, 0, sizeof without);
        winding_of_one(o.bvh, o.boundary, point, NULL, &with);
        winding_of_one(o.bvh, NULL, point, NULL, &without);
        assert_memory_equal(&with, &without, sizeof with);
    }
}

/* Of two spheres one is masked out: for what is left, its own boundary tells. */
TEST(a_boundary_goes_with_the_options_it_was_made_with)
{
    test_random random = { SEED + 4 };
    OWN(sl_mesh) part = damaged(SOLID_SPHERE, HOLES, &random);
    OWN(sl_mesh) torus = solid_make(SOLID_TORUS);
    OWN(sl_mesh) both = solid_join(part, torus);
    const size_t count = sl_mesh_soup(both).triangle_count,
                 first = sl_mesh_soup(part).triangle_count;
    FREED uint32_t *masks = malloc(count * sizeof *masks);
    for (size_t i = 0; i < count; i++) {
        masks[i] = i < first ? 1 : 2;
    }
    sl_build_def def = { .masks = masks };
    OWN(sl_bvh) bvh = made_bvh(both, &def);
    const sl_mesh *parts[2] = { part, torus };
    for (uint32_t k = 0; k < 2; k++) {
        const sl_options options = { .mask = k + 1 };
        sl_soup soup = sl_mesh_soup(both);
        soup.masks = masks;
        OWN(sl_boundary) boundary = NULL;
        assert_int_equal(sl_boundary_create(&soup, &options, NULL, &boundary, NULL), SL_OK);
        for (int i = 0; i < 300; i++) {
            float point[3];
            sl_inside found;
            hard_point(both, &random, point);
            winding_of_one(bvh, boundary, point, &options, &found);
            const reference truth = solid_angles(parts[k], point);
            assert_true(fabsl((long double)found.winding - truth.winding) < 1e-10L);
        }
    }
}

TEST(nowhere_is_outside)
{
    test_random random = { SEED + 5 };
    UNDONE(open_close) open_mesh o = open_of(damaged(SOLID_SPHERE, HOLES, &random));
    const float nowhere[3][3] = { { NAN, 0, 0 }, { 0, INFINITY, 0 }, { 0, 0, -INFINITY } };
    const sl_soup soup = sl_mesh_soup(o.mesh);
    for (int i = 0; i < 3; i++) {
        sl_inside found;
        assert_false(winding_of_one(o.bvh, o.boundary, nowhere[i], NULL, &found));
        assert_true(found.winding == 0 && !found.by_parity && !found.by_winding);
        assert_false(sl_soup_inside(&soup, o.boundary, nowhere[i], NULL, NULL));
    }
    /* As far away as floats go the sphere is too small to turn around anything. */
    sl_inside far;
    assert_false(
        winding_of_one(o.bvh, o.boundary, (const float[3]){ 3e38f, -3e38f, 3e38f }, NULL, &far));
    assert_true(fabs(far.winding) < 1e-12);
}

/* FNV-1a. */
static uint64_t hash(uint64_t h, const void *bytes, size_t size)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < size; i++) {
        h = (h ^ b[i]) * 0x100000001B3u;
    }
    return h;
}

static uint64_t query_all(const open_mesh *o, const float *points, sl_inside *out,
                          const sl_tasks *tasks)
{
    memset(out, 0, POINTS * sizeof *out);
    sl_bvh_winding(o->bvh, o->boundary, points, POINTS, NULL, out, tasks, NULL);
    uint64_t h = 0xCBF29CE484222325u;
    for (int i = 0; i < POINTS; i++) {
        const uint64_t flags = out[i].inside + 2u * out[i].on_surface + 4u * out[i].differ;
        h = hash(h, &out[i].winding, sizeof out[i].winding);
        h = hash(h, &out[i].crossings, sizeof out[i].crossings);
        h = hash(h, &flags, sizeof flags);
    }
    return h;
}

TEST(every_build_and_environment_gives_the_same_bits)
{
    test_random random = { SEED + 6 };
    FREED float *points = malloc(POINTS * 3 * sizeof *points);
    FREED sl_inside *out = malloc(POINTS * sizeof *out);
    UNDONE(open_close) open_mesh o = open_of(damaged(SOLID_TORUS, HOLES, &random));
    for (size_t i = 0; i < POINTS; i++) {
        make_point(o.mesh, i, &random, points + 3 * i);
    }
    const uint64_t plain = query_all(&o, points, out, NULL);
    print_message("hash %016llx\n", (unsigned long long)plain);
    assert_true(plain == GOLDEN);
    scrambled_tasks scrambled;
    assert_true(query_all(&o, points, out, scrambled_tasks_start(&scrambled, 3, SEED)) == GOLDEN);
    for (int env = 0; env < callers_env_count(); env++) {
        callers_env_set(env);
        sl_bvh_winding(o.bvh, o.boundary, points, POINTS, NULL, out, NULL, NULL);
        assert_true(callers_env_leave(env));
        uint64_t winding[2];
        sl_inside again;
        for (int i = 0; i < POINTS; i += 7) {
            winding_of_one(o.bvh, o.boundary, points + 3 * (size_t)i, NULL, &again);
            memcpy(&winding[0], &again.winding, 8);
            memcpy(&winding[1], &out[i].winding, 8);
            assert_int_equal(winding[0], winding[1]);
        }
    }
}
