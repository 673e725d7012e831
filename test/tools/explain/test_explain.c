/* Reasons why a ray hits or misses, held against rational arithmetic (GMP) on hard rays. */
#include "test/support/hard/rays.h"
#include "test/support/oracle/brute_force.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"
#include "tools/explain/big_integer.h"
#include "tools/explain/explain.h"

static const sl_triangle_ref first = { .prim = 0 };
static const sl_triangle corner = { .v = { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } } };

/* A mesh of this one triangle, seen from +z at its front, with a tree. */
typedef struct fixture {
    sl_mesh *mesh;
    sl_bvh *bvh;
    explain_query query;
} fixture;

static fixture open_triangle(const sl_triangle *triangle)
{
    fixture f;
    assert_int_equal(sl_mesh_from_arrays(triangle->v[0], 3, NULL, 1, NULL, &f.mesh, NULL), SL_OK);
    assert_int_equal(sl_bvh_build(f.mesh, NULL, &f.bvh, NULL), SL_OK);
    f.query = (explain_query){ .in = { .mesh = f.mesh, .bvh = f.bvh } };
    return f;
}

static void close_fixture(fixture *f)
{
    unmake_bvh(f->bvh, f->mesh);
}

static explanation explain_ray(const sl_triangle *triangle, float ox, float oy, float oz, float dx,
                               float dy, float dz, float tmin, float tmax,
                               const sl_options *options)
{
    UNDONE(close_fixture) fixture f = open_triangle(triangle);
    f.query.ray = sl_ray_d_from_ray(
        &(sl_ray){ .origin = { ox, oy, oz }, .dir = { dx, dy, dz }, .tmin = tmin, .tmax = tmax });
    if (options != NULL) {
        f.query.query = *options;
    }
    explanation e;
    explain_triangle(&f.query, first, &e);
    assert_false(e.contradicted);
    return e;
}

/* Exactly the reasons of the list, which ends with REASON_COUNT. */
static void assert_reasons(const explanation *e, const explain_reason *expected)
{
    bool wanted[REASON_COUNT] = { false };
    for (; *expected != REASON_COUNT; expected++) {
        wanted[*expected] = true;
    }
    bool any = false;
    for (int i = 0; i < REASON_COUNT; i++) {
        assert_int_equal(e->reasons[i], wanted[i]);
        any = any || wanted[i];
    }
    assert_int_equal(e->hit, !any);
}

TEST(a_plain_hit_has_no_reason_against_it)
{
    const explanation e = explain_ray(&corner, 1, 2, 8, 0, 0, -2, 0, INFINITY, NULL);
    assert_reasons(&e, (explain_reason[]){ REASON_COUNT });
    assert_int_equal(e.facing, 1);
    assert_true(e.t == 4); /* from z 8 in steps of 2 */
    /* (1, 2) is 1/4 of vertex 1 and 2/4 of vertex 2. */
    assert_true(e.weights[0] == 0.25 && e.weights[1] == 0.25 && e.weights[2] == 0.5);
    assert_true(e.distance == 0);
    assert_true(e.at.prim == 0 && e.at.t == 4);
}

TEST(a_missed_edge_is_named_by_the_vertex_across)
{
    /* x + y = 7 is beyond the edge 1-2 (x + y = 4): weights 1 - 7/4, 3/4, 1.  In the plane the
     * point is 3 / sqrt 2 from that edge; its foot (1.5, 2.5) lies on it. */
    const explanation e = explain_ray(&corner, 3, 4, 1, 0, 0, -1, 0, INFINITY, NULL);
    assert_reasons(&e, (explain_reason[]){ REASON_MISSED, REASON_COUNT });
    assert_true(e.missed[0] && !e.missed[1] && !e.missed[2]);
    assert_true(e.weights[0] == -0.75 && e.weights[1] == 0.75 && e.weights[2] == 1);
    assert_true(fabs(e.distance - 3 / sqrt(2.0)) < 1e-12);
}

TEST(every_reason_is_given_at_once)
{
    uint32_t masks[] = { 1 };
    fixture f = open_triangle(&corner);
    f.query.in.masks = masks;
    f.query.query = (sl_options){
        .mask = 2, .skip = &(sl_triangle_ref){ 0, 0 }, .skip_count = 1, .cull = SL_CULL_FRONT
    };
    f.query.ray = sl_ray_d_make((double[]){ -1, 1, 1 }, (double[]){ 0, 0, -1 });
    explanation e;
    explain_triangle(&f.query, first, &e);
    close_fixture(&f);
    assert_reasons(&e, (explain_reason[]){ REASON_SKIPPED, REASON_MASKED, REASON_CULLED,
                                           REASON_MISSED, REASON_COUNT });
    assert_true(e.distance == 1);
}

TEST(limits_are_told_apart)
{
    explanation e = explain_ray(&corner, 1, 1, 5, 0, 0, -1, 6, 9, NULL);
    assert_reasons(&e, (explain_reason[]){ REASON_BEFORE, REASON_COUNT });
    assert_true(e.t == 5 && e.distance == 1); /* at t 6 it is 1 below */
    e = explain_ray(&corner, 1, 1, 5, 0, 0, -1, 0, 3, NULL);
    assert_reasons(&e, (explain_reason[]){ REASON_BEYOND, REASON_COUNT });
    assert_true(e.distance == 2); /* at t 3 it is 2 above */
    e = explain_ray(&corner, 1, 1, 5, 0, 0, -1, 5, 5, NULL);
    assert_reasons(&e, (explain_reason[]){ REASON_COUNT }); /* limits count themselves */
    e = explain_ray(&corner, 1, 1, 5, 0, 0, -1, -INFINITY, -1, NULL);
    assert_reasons(&e, (explain_reason[]){ REASON_BEYOND, REASON_COUNT });
}

TEST(planes_and_degenerate_triangles_are_told_apart)
{
    const sl_triangle line = { .v = { { 0, 0, 0 }, { 1, 0, 0 }, { 3, 0, 0 } } };
    explanation e = explain_ray(&corner, -1, 1, 0, 1, 0, 0, 0, INFINITY, NULL);
    assert_reasons(&e, (explain_reason[]){ REASON_IN_PLANE, REASON_COUNT });
    e = explain_ray(&corner, -1, 1, 2, 1, 0, 0, 0, INFINITY, NULL);
    assert_reasons(&e, (explain_reason[]){ REASON_PARALLEL, REASON_COUNT });
    assert_true(e.distance == 2);
    e = explain_ray(&line, 1, 0, 2, 0, 0, -1, 0, INFINITY, NULL);
    assert_reasons(&e, (explain_reason[]){ REASON_ZERO_AREA, REASON_COUNT });
}

TEST(faults_of_rays_are_named)
{
    static const struct {
        sl_ray ray;
        bool faults[FAULT_COUNT];
    } rows[] = {
        { { .origin = { NAN, 0, 0 }, .dir = { 0, 0, 1 } }, { true, false, false, false, false } },
        { { .dir = { 0, INFINITY, 1 } }, { true, false, false, false, false } },
        { { .tmax = 1 }, { false, false, true, false, false } },
        { { .dir = { 1, 0, 0 }, .tmin = NAN }, { false, false, false, true, false } },
        { { .dir = { 1, 0, 0 }, .tmax = -1 }, { false, false, false, false, true } },
        { { .origin = { 0, 0, NAN }, .tmin = 2, .tmax = 1 }, { true, false, true, false, true } },
        { { .dir = { 0, 0, -1e-45f } }, { false, false, false, false, false } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const explain_query q = { .ray = sl_ray_d_from_ray(&rows[i].ray) };
        bool faults[FAULT_COUNT];
        explain_faults(&q, faults);
        assert_memory_equal(faults, rows[i].faults, sizeof faults);
    }
}

TEST(open_ends_are_a_reason)
{
    UNDONE(close_fixture) fixture f = open_triangle(&corner);
    f.query.is_segment = true;
    f.query.segment = (sl_segment_d){ .p = { 1, 1, 3 }, .q = { 1, 1, 0 } };
    explanation e;
    explain_triangle(&f.query, first, &e);
    assert_reasons(&e, (explain_reason[]){ REASON_COUNT });
    f.query.query.flags = SL_OPEN_START;
    explain_triangle(&f.query, first, &e);
    assert_reasons(&e, (explain_reason[]){ REASON_COUNT });
    f.query.query.flags = SL_OPEN_END;
    explain_triangle(&f.query, first, &e);
    assert_reasons(&e, (explain_reason[]){ REASON_OPEN_END, REASON_COUNT });
}

/* What the oracle's signs mean in words, with cull beside. */
static void expect(const oracle_line *line, const sl_triangle *triangle, sl_cull cull,
                   bool reasons[REASON_COUNT])
{
    const oracle_answer a = oracle_triangle(line, triangle, SL_CULL_NONE);
    const bool missed = a.weights[0] < 0 || a.weights[1] < 0 || a.weights[2] < 0;
    const bool zero_area = oracle_zero_area(triangle);
    reasons[REASON_ZERO_AREA] = zero_area;
    reasons[REASON_CULLED] =
        (cull == SL_CULL_BACK && a.determinant < 0) || (cull == SL_CULL_FRONT && a.determinant > 0);
    if (a.determinant != 0) {
        reasons[REASON_MISSED] = missed;
        reasons[REASON_BEFORE] = !missed && a.from_min < 0;
        reasons[REASON_BEYOND] = !missed && a.to_max < 0;
        reasons[REASON_OPEN_END] =
            !missed && ((line->open_start && a.from_min == 0) || (line->open_end && a.to_max == 0));
    } else if (!zero_area) {
        double v[3][3];
        for (int i = 0; i < 9; i++) {
            v[i / 3][i % 3] = (double)triangle->v[i / 3][i % 3];
        }
        const int side = oracle_orient3d(v[0], v[1], v[2], line->origin);
        reasons[side == 0 ? REASON_IN_PLANE : REASON_PARALLEL] = true;
    }
}

static void check_pair(const explain_query *q, const hard_ray *hard, uint32_t prim,
                       const uint64_t seed)
{
    sl_triangle triangle;
    explanation e;
    bool reasons[REASON_COUNT] = { false };
    assert_true(sl_mesh_triangle(q->in.mesh, prim, &triangle));
    explain_triangle(q, (sl_triangle_ref){ .prim = prim }, &e);
    if (explain_is_valid(q)) {
        const oracle_line line =
            q->is_segment ? oracle_segment(&hard->segment, q->query.flags) : oracle_ray(&hard->ray);
        expect(&line, &triangle, q->query.cull, reasons);
    } else {
        reasons[REASON_INVALID] = true;
    }
    for (int i = 0; i < REASON_COUNT; i++) {
        if (e.reasons[i] != reasons[i] || e.contradicted) {
            fail_msg("seed %llu: triangle %u, reason %s: %d, the oracle says %d; contradicted %d",
                     (unsigned long long)seed, (unsigned)prim, explain_reason_words[i],
                     e.reasons[i], reasons[i], e.contradicted);
        }
    }
}

static void check_mesh(sl_mesh *mesh, uint64_t seed, int count)
{
    test_random random = { seed };
    sl_bvh *bvh = made_bvh(mesh, NULL);
    const uint32_t triangles = (uint32_t)sl_mesh_soup(mesh).triangle_count;
    for (int i = 0; i < count; i++) {
        const hard_ray hard = hard_ray_make(mesh, (hard_kind)(i % HARD_KINDS), &random);
        explain_query q = { .is_segment = hard.is_segment,
                            .ray = sl_ray_d_from_ray(&hard.ray),
                            .segment = sl_segment_d_from_segment(&hard.segment),
                            .in = { .mesh = mesh, .bvh = bvh } };
        q.query.cull = (sl_cull)test_random_below(&random, 3);
        if (hard.is_segment) {
            q.query.flags = test_random_below(&random, 4) * SL_OPEN_START;
        }
        /* The one that it hits, where it does, and others. */
        sl_hit hit = { .prim = SL_NONE };
        closest_of_one(bvh, hard_ray_alone(&hard), NULL, sl_hits_of(&hit));
        check_pair(&q, &hard, hit.prim != SL_NONE ? hit.prim : 0, seed);
        check_pair(&q, &hard, test_random_below(&random, triangles), seed);
    }
    unmake_bvh(bvh, mesh);
}

TEST(reasons_are_those_of_rational_arithmetic)
{
    sl_mesh *mesh = made_sphere(3);
    check_mesh(mesh, 1, 700);
    mesh = made_grid(4, 4, 0, 7); /* flat */
    check_mesh(mesh, 2, 700);
    mesh = made_soup(40, 0.5f, 3);
    check_mesh(mesh, 3, 700);
}

/* Random products and sums of small floats, which doubles have exactly. */
TEST(big_integers_compute)
{
    test_random random = { 4 };
    for (int i = 0; i < 2000; i++) {
        float x[4];
        big_integer w[4];
        for (int k = 0; k < 4; k++) {
            x[k] = (float)((int)test_random_below(&random, 4001) - 2000) / 8;
            w[k] = big_integer_from_double((double)x[k]);
        }
        const double expected =
            (double)x[0] * (double)x[1] - ((double)x[2] + (double)x[3]) * (double)x[0];
        const big_integer one = big_integer_multiply(&w[0], &w[1]);
        const big_integer sum = big_integer_add(&w[2], &w[3]);
        const big_integer two = big_integer_multiply(&sum, &w[0]);
        const big_integer result = big_integer_subtract(&one, &two);
        assert_int_equal(big_integer_sign(&result), (expected > 0) - (expected < 0));
        assert_true(big_integer_to_double(&result) ==
                    ldexp(expected, 298)); /* two factors of 2^149 */
    }
}

TEST(big_integers_reach_from_the_least_float_to_the_greatest)
{
    const float ends[] = { 0x1p-149f, 0x1.8p-148f, 0x1p-126f, 0x1.fffffep-127f, 0x1.fffffep127f };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const big_integer w = big_integer_from_double(-(double)ends[i]);
        assert_true(big_integer_to_double(&w) == ldexp(-(double)ends[i], 149));
    }
    /* (2^128 - 2^104 + 2^-149)^3 - (2^128 - 2^104)^3 > 0: one part in 2^277 is not lost. */
    const big_integer most = big_integer_from_double(0x1.fffffep127),
                      least = big_integer_from_double(0x1p-149);
    const big_integer more = big_integer_add(&most, &least);
    big_integer a = big_integer_multiply(&more, &more), b = big_integer_multiply(&most, &most);
    a = big_integer_multiply(&a, &more);
    b = big_integer_multiply(&b, &most);
    const big_integer difference = big_integer_subtract(&a, &b),
                      back = big_integer_subtract(&b, &a);
    assert_int_equal(big_integer_sign(&difference), 1);
    assert_int_equal(big_integer_sign(&back), -1);
}

/* The least distance between many points of both is never below the true one, and comes near it. */
TEST(near_misses_are_as_near_as_points_come)
{
    const int steps = 60;
    test_random random = { 5 };
    for (int round = 0; round < 200; round++) {
        sl_triangle triangle;
        sl_triangle_d in_doubles;
        sl_segment s;
        do {
            for (int i = 0; i < 9; i++) {
                triangle.v[i / 3][i % 3] = test_random_in(&random, -1, 1);
            }
            for (int axis = 0; axis < 3; axis++) {
                s.p[axis] = test_random_in(&random, -2, 2);
                s.q[axis] = test_random_in(&random, -2, 2);
            }
        } while (sl_segment_triangle(&s, &triangle, NULL, NULL));
        double origin[3], dir[3], least = INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            origin[axis] = (double)s.p[axis];
            dir[axis] = (double)s.q[axis] - (double)s.p[axis];
        }
        for (int i = 0; i < 9; i++) {
            in_doubles.v[i / 3][i % 3] = (double)triangle.v[i / 3][i % 3];
        }
        const double distance = explain_miss_distance(origin, dir, 0, 1, &in_doubles);
        for (int k = 0; k <= steps; k++) {
            for (int i = 0; i <= steps; i++) {
                for (int j = 0; i + j <= steps; j++) {
                    double square = 0;
                    for (int axis = 0; axis < 3; axis++) {
                        const double on =
                            ((double)triangle.v[0][axis] * (steps - i - j) +
                             (double)triangle.v[1][axis] * i + (double)triangle.v[2][axis] * j) /
                            steps;
                        const double apart = origin[axis] + dir[axis] * k / steps - on;
                        square += apart * apart;
                    }
                    least = fmin(least, sqrt(square));
                }
            }
        }
        assert_true(distance <= least + 1e-12);
        assert_true(distance >= least - 0.15); /* steps of at most 7 / 60 units on either side */
    }
}

TEST(the_nearest_triangle_is_found)
{
    /* Three triangles side by side along x, at x 0, 10 and 20; the ray runs down at (10.5, -1). */
    float xyz[27];
    for (int i = 0; i < 9; i++) {
        memcpy(xyz + 3 * i, corner.v[i % 3], sizeof corner.v[0]);
        xyz[3 * i] += (float)(i / 3 * 10);
    }
    OWN(sl_mesh) mesh = NULL;
    OWN(sl_bvh) bvh = NULL;
    assert_int_equal(sl_mesh_from_arrays(xyz, 9, NULL, 3, NULL, &mesh, NULL), SL_OK);
    assert_int_equal(sl_bvh_build(mesh, NULL, &bvh, NULL), SL_OK);
    explain_query q = { .in = { .mesh = mesh, .bvh = bvh },
                        .ray = {
                            .origin = { 10.5, -1, 4 }, .dir = { 0, 0, -1 }, .tmax = INFINITY } };
    assert_int_equal(explain_nearest(&q).prim, 1);
    q.ray.origin[0] = 15.5; /* 1.5 + the slant from the second, 4.5 from the third */
    assert_int_equal(explain_nearest(&q).prim, 1);
    q.ray.origin[0] = 19.5;
    assert_int_equal(explain_nearest(&q).prim, 2);
    q.ray.dir[2] = 0;
    assert_int_equal(explain_nearest(&q).prim, SL_NONE);
}
