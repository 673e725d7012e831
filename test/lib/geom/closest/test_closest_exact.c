/* Closest points and distances against fractions, where they are hard: on the surface, degenerate,
 * of all sizes.  The oracle looks at every face, edge and vertex, solves for the projection by the
 * normal equations, and takes the nearest.  SIGHTLINE_TEST_SCALE=20 tries 200,000 cases a pair and
 * more. */
#include "lib/geom/closest/point_triangle.h"
#include "test/support/hard/floats.h"
#include "test/support/oracle/fraction.h"
#include "test/support/test.h"
#include "test/support/volume.h"

static const size_t ROUNDS = 10000;

typedef struct oracle {
    bool found;
    fraction square;
    fraction3 point;
    fraction x[3]; /* of the flat that won */
    int flat;
} oracle;

/* Takes base + sum x_i axis_i for the projection, if every x_i lies in low .. high (and for a
 * triangle their sum is at most 1) and if it is nearer. */
static void try_flat(oracle *best, int flat, fraction3 p, fraction3 base, int n,
                     const fraction3 *axis, fraction low, fraction high, bool triangle)
{
    fraction m[3][3], y[3], x[3] = { fraction_of(0), fraction_of(0), fraction_of(0) };
    fraction3 w = fraction3_sub(p, base), projection = base;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            m[i][j] = fraction3_dot(axis[i], axis[j]);
        }
        y[i] = fraction3_dot(axis[i], w);
    }
    if (n > 0 && !fraction_solve(n, m, y, x)) {
        return;
    }
    fraction sum = fraction_of(0);
    for (int i = 0; i < n; i++) {
        if (fraction_compare(x[i], low) < 0 || fraction_compare(x[i], high) > 0) {
            return;
        }
        sum = fraction_add(sum, x[i]);
        projection = fraction3_add(projection, fraction3_mul(axis[i], x[i]));
    }
    if (triangle && fraction_compare(sum, fraction_of(1)) > 0) {
        return;
    }
    fraction3 away = fraction3_sub(p, projection);
    fraction square = fraction3_dot(away, away);
    if (!best->found || fraction_compare(square, best->square) < 0) {
        *best = (oracle){ .found = true, .square = square, .point = projection, .flat = flat };
        memcpy(best->x, x, sizeof x);
    }
}

static oracle nearest_on_segment(const float a[3], const float b[3], const float point[3])
{
    oracle best = { .found = false };
    fraction3 p = fraction3_of(point), from = fraction3_of(a), to = fraction3_of(b);
    fraction3 side = fraction3_sub(to, from);
    fraction zero = fraction_of(0), one = fraction_of(1);
    try_flat(&best, 0, p, from, 0, NULL, zero, one, false);
    try_flat(&best, 1, p, to, 0, NULL, zero, one, false);
    try_flat(&best, 2, p, from, 1, &side, zero, one, false);
    return best;
}

static oracle nearest_on_triangle(const sl_triangle *t, const float point[3])
{
    oracle best = { .found = false };
    fraction3 p = fraction3_of(point), v[3];
    fraction zero = fraction_of(0), one = fraction_of(1);
    for (int i = 0; i < 3; i++) {
        v[i] = fraction3_of(t->v[i]);
    }
    for (int i = 0; i < 3; i++) {
        const fraction3 side = fraction3_sub(v[(i + 1) % 3], v[i]);
        try_flat(&best, 4 + i, p, v[i], 0, NULL, zero, one, false);
        try_flat(&best, 1 + i, p, v[i], 1, &side, zero, one, false);
    }
    const fraction3 sides[2] = { fraction3_sub(v[1], v[0]), fraction3_sub(v[2], v[0]) };
    try_flat(&best, 0, p, v[0], 2, sides, zero, one, true);
    return best;
}

/* All 27 flats of a parallelepiped, scaled so that coordinates run from -1 to 1. */
static oracle nearest_on_obb(const sl_obb *box, const float point[3])
{
    oracle best = { .found = false };
    fraction3 p = fraction3_of(point), centre = fraction3_of(box->centre), arm[3];
    fraction low = fraction_of(-1), high = fraction_of(1);
    for (int i = 0; i < 3; i++) {
        arm[i] = fraction3_mul(fraction3_of(box->axis[i]), fraction_of(box->half[i]));
    }
    for (int code = 0; code < 27; code++) {
        const int at[3] = { code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1 };
        fraction3 base = centre, free[3];
        int n = 0;
        for (int i = 0; i < 3; i++) {
            if (at[i] == 0) {
                free[n++] = arm[i];
            } else {
                base = fraction3_add(base, fraction3_mul(arm[i], fraction_of(at[i])));
            }
        }
        try_flat(&best, code, p, base, n, free, low, high, false);
    }
    return best;
}

static void print_floats(const char *what, const float *x, int count)
{
    print_message("%s", what);
    for (int i = 0; i < count; i++) {
        print_message(" %a", (double)x[i]);
    }
    print_message("\n");
}

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Each coordinate and the distance, to the bit. */
static bool is_right(const sl_closest *got, oracle right)
{
    bool ok = fraction_is_root(got->distance, right.square);
    for (int axis = 0; axis < 3; axis++) {
        ok = ok && same_bits(got->point[axis], fraction_round(right.point.x[axis]));
    }
    return ok;
}

static void report(const char *what, size_t cases, size_t touching)
{
    print_message("%s: %zu cases, %zu of them touching\n", what, cases, touching);
    assert_true(touching > cases / 200);
}

TEST(segments)
{
    test_random random = { 301 };
    size_t touching = 0;
    const size_t rounds = test_count(2 * ROUNDS);
    for (size_t i = 0; i < rounds; i++) {
        float x[9];
        hard_floats(&random, i, x, 9);
        sl_segment segment;
        memcpy(&segment, x, sizeof segment);
        sl_closest got;
        fraction_reset();
        const oracle right = nearest_on_segment(x, x + 3, x + 6);
        assert_true(sl_segment_closest(&segment, x + 6, &got));
        float u = right.flat == 2 ? fraction_round(right.x[0]) : (float)right.flat;
        u = memcmp(x, x + 3, 12) == 0 ? 0 : u;
        if (!is_right(&got, right) || !same_bits(got.u, u)) {
            print_floats("segment, point", x, 9);
            fail();
        }
        touching += fraction_sign(right.square) == 0;
    }
    report("seed 301, segments", rounds, touching);
}

/* A third of the points are moved onto the triangle, if that can be done without rounding. */
static void make_triangle_case(test_random *random, size_t i, sl_triangle *triangle, float point[3])
{
    float x[12];
    hard_floats(random, i, x, 12);
    memcpy(triangle, x, sizeof *triangle);
    memcpy(point, x + 9, 12);
    if (i % 3 != 0) {
        return;
    }
    const int a = (int)test_random_below(random, 5), b = (int)test_random_below(random, 5);
    for (int axis = 0; axis < 3; axis++) {
        const float *v[3] = { triangle->v[0], triangle->v[1], triangle->v[2] };
        const int c = 4 - a - b < 0 ? 0 : 4 - a - b;
        point[axis] = ((float)c * v[0][axis] + (float)a * v[1][axis] + (float)b * v[2][axis]) / 4;
        if (!isfinite(point[axis])) {
            point[axis] = v[0][axis];
        }
    }
}

static void check_weights(const sl_closest *got, oracle right, bool degenerate)
{
    if (degenerate) {
        return; /* several weights give the same point */
    }
    float u = right.flat == 5 ? 1.0f : 0.0f, v = right.flat == 6 ? 1.0f : 0.0f;
    fraction one = fraction_of(1);
    switch (right.flat) {
    case 0:
        u = fraction_round(right.x[0]);
        v = fraction_round(right.x[1]);
        break;
    case 1:
        u = fraction_round(right.x[0]);
        break;
    case 2:
        u = fraction_round(fraction_sub(one, right.x[0]));
        v = fraction_round(right.x[0]);
        break;
    case 3:
        v = fraction_round(fraction_sub(one, right.x[0]));
        break;
    default:
        break;
    }
    assert_true(same_bits(got->u, u));
    assert_true(same_bits(got->v, v));
}

TEST(triangles)
{
    test_random random = { 302 };
    size_t touching = 0;
    const size_t rounds = test_count(ROUNDS);
    for (size_t i = 0; i < rounds; i++) {
        sl_triangle triangle;
        float point[3];
        make_triangle_case(&random, i, &triangle, point);
        sl_closest got;
        fraction_reset();
        const oracle right = nearest_on_triangle(&triangle, point);
        assert_true(sl_triangle_closest(&triangle, point, &got));
        if (!is_right(&got, right)) {
            print_floats("triangle", &triangle.v[0][0], 9);
            print_floats("point", point, 3);
            fail();
        }
        check_weights(&got, right, sli_zero_area(triangle.v[0], triangle.v[1], triangle.v[2]));
        touching += fraction_sign(right.square) == 0;
    }
    report("seed 302, triangles", rounds, touching);
}

static bool is_at_most(fraction square, float limit)
{
    if (isinf(limit)) {
        return true;
    }
    fraction x = fraction_of(limit);
    return fraction_compare(square, fraction_mul(x, x)) <= 0;
}

/* The tree's own: with limits at the distance, just below and just above. */
TEST(distances_within_limits)
{
    test_random random = { 303 };
    size_t touching = 0, exact = 0, refused = 0;
    const size_t rounds = test_count(2 * ROUNDS);
    for (size_t i = 0; i < rounds; i++) {
        sl_triangle t;
        float point[3];
        make_triangle_case(&random, i, &t, point);
        const double p[3] = { point[0], point[1], point[2] };
        fraction_reset();
        const oracle right = nearest_on_triangle(&t, point);
        sli_nearest_point got;
        bool ok = sli_point_triangle(p, t.v[0], t.v[1], t.v[2], INFINITY, INFINITY, &got) &&
                  fraction_is_root(got.distance, right.square);
        const float distance = got.distance;
        exact += got.stage == SLI_STAGE_EXACT;
        const float limits[4] = { distance, nextafterf(distance, 0), nextafterf(distance, INFINITY),
                                  hard_float_wild(&random, distance) };
        for (int j = 0; j < 4 && ok; j++) {
            const float limit = fabsf(limits[j]);
            const bool within = is_at_most(right.square, limit);
            ok = sli_point_triangle(p, t.v[0], t.v[1], t.v[2], limit, INFINITY, &got) == within;
            ok = ok && (!within || same_bits(got.distance, distance));
            refused += !within;
        }
        /* A bound on the rounded distance, met exactly, refuses nothing. */
        ok = ok && sli_point_triangle(p, t.v[0], t.v[1], t.v[2], INFINITY, distance, &got) &&
             same_bits(got.distance, distance);
        if (!ok) {
            print_floats("triangle", &t.v[0][0], 9);
            print_floats("point", point, 3);
            fail();
        }
        touching += fraction_sign(right.square) == 0;
    }
    print_message("exact stage: %zu; refused: %zu\n", exact, refused);
    assert_true(exact > rounds / 10 && refused > rounds / 4);
    report("seed 303, limits", rounds, touching);
}

TEST(planes)
{
    test_random random = { 304 };
    size_t touching = 0;
    const size_t rounds = test_count(2 * ROUNDS);
    for (size_t i = 0; i < rounds; i++) {
        float x[7];
        hard_floats(&random, i, x, 7);
        const sl_plane plane = { { x[0], x[1], x[2] }, x[3] };
        sl_closest got;
        if (x[0] == 0 && x[1] == 0 && x[2] == 0) {
            assert_false(sl_plane_closest(&plane, x + 4, &got));
            assert_true(isnan(sl_plane_distance(&plane, x + 4)));
            continue;
        }
        fraction_reset();
        fraction3 n = fraction3_of(x), p = fraction3_of(x + 4);
        fraction height = fraction_sub(fraction3_dot(n, p), fraction_of(x[3]));
        fraction ratio = fraction_div(height, fraction3_dot(n, n));
        oracle right = { .square = fraction_mul(height, ratio) };
        right.point = fraction3_sub(p, fraction3_mul(n, ratio));
        const float distance = sl_plane_distance(&plane, x + 4);
        assert_true(sl_plane_closest(&plane, x + 4, &got));
        const bool ok =
            is_right(&got, right) &&
            same_bits(distance, fraction_sign(height) < 0 && got.distance != 0 ? -got.distance
                                                                               : got.distance);
        if (!ok) {
            print_floats("plane, point", x, 7);
            fail();
        }
        touching += fraction_sign(height) == 0;
    }
    report("seed 304, planes", rounds, touching);
}

/* Solid, by clamping in fractions; the surface, by the nearest of six faces. */
TEST(boxes)
{
    test_random random = { 305 };
    size_t touching = 0, inside = 0;
    const size_t rounds = test_count(2 * ROUNDS);
    for (size_t i = 0; i < rounds; i++) {
        float x[9];
        hard_floats(&random, i, x, 9);
        const sl_aabb box = sl_aabb_from_corners(x, x + 3);
        const float *point = x + 6;
        sl_closest got, surface;
        fraction_reset();
        fraction3 p = fraction3_of(point), low = fraction3_of(box.min),
                  high = fraction3_of(box.max);
        oracle right = { .point = p }, face = { .found = false };
        for (int axis = 0; axis < 3; axis++) {
            if (fraction_compare(p.x[axis], low.x[axis]) < 0) {
                right.point.x[axis] = low.x[axis];
            } else if (fraction_compare(p.x[axis], high.x[axis]) > 0) {
                right.point.x[axis] = high.x[axis];
            }
        }
        fraction3 away = fraction3_sub(p, right.point);
        right.square = fraction3_dot(away, away);
        for (int j = 0; j < 6; j++) { /* the point clamped to one face */
            fraction3 on = right.point;
            on.x[j / 2] = j % 2 == 0 ? low.x[j / 2] : high.x[j / 2];
            away = fraction3_sub(p, on);
            fraction square = fraction3_dot(away, away);
            if (!face.found || fraction_compare(square, face.square) < 0) {
                face = (oracle){ .found = true, .square = square, .point = on };
            }
        }
        assert_true(sl_aabb_closest(&box, point, &got));
        assert_true(sl_aabb_surface_closest(&box, point, &surface));
        if (!is_right(&got, right) || !is_right(&surface, face)) {
            print_floats("box", box.min, 6);
            print_floats("point", point, 3);
            fail();
        }
        touching += fraction_sign(face.square) == 0;
        inside += fraction_sign(right.square) == 0;
    }
    assert_true(inside > rounds / 100);
    report("seed 305, boxes", rounds, touching);
}

static void make_obb(test_random *random, size_t i, sl_obb *box, float point[3])
{
    float x[18];
    hard_floats(random, i, x, 18);
    memcpy(box->centre, x, 12);
    memcpy(box->axis, x + 3, 36);
    memcpy(point, x + 15, 12);
    if (i % 16 == 8) { /* a scaled lattice: keep sizes of products like those of coordinates */
        for (int j = 0; j < 9; j++) {
            box->axis[j / 3][j % 3] = (float)test_random_below(random, 3) - 1;
        }
    }
    if (i % 16 == 3) { /* right angles, nearly: a rotation rounded */
        const float s = test_random_in(random, -1, 1), c = sqrtf(1 - s * s);
        const sl_obb turned = { .axis = { { c, s, 0 }, { -s, c, 0 }, { 0, 0, 1 } } };
        memcpy(box->axis, turned.axis, sizeof box->axis);
    }
    for (int j = 0; j < 3; j++) {
        box->half[j] = fabsf(x[12 + j]);
    }
}

TEST(oriented_boxes)
{
    test_random random = { 306 };
    size_t touching = 0;
    const size_t rounds = test_count(ROUNDS);
    for (size_t i = 0; i < rounds; i++) {
        sl_obb box;
        float point[3];
        make_obb(&random, i, &box, point);
        sl_closest got;
        fraction_reset();
        const oracle right = nearest_on_obb(&box, point);
        assert_true(sl_obb_closest(&box, point, &got));
        const bool inside = sl_volume_contains_point(AS_OBB(&box), point);
        if (!is_right(&got, right) || inside != (fraction_sign(right.square) == 0)) {
            print_floats("box", box.centre, 15);
            print_floats("point", point, 3);
            fail();
        }
        touching += inside;
    }
    report("seed 306, oriented boxes", rounds, touching);
}
