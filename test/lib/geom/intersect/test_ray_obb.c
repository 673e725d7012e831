/* Rays, segments and lines against boxes of any orientation, in both forms: the classical cases,
 * flat ones, bad input.  test_ray_obb_exact.c has the random ones. */
#include "test/support/oracle/convex_oracle.h"
#include "test/support/test.h"

static const sl_obb unit = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 1, 1, 1 } };

static void assert_vector(const float got[3], float x, float y, float z)
{
    assert_true(got[0] == x && got[1] == y && got[2] == z);
}

static sl_segment segment_of(float ax, float ay, float az, float bx, float by, float bz)
{
    return (sl_segment){ { ax, ay, az }, { bx, by, bz } };
}

/* Columns x, y, z and the shift. */
static void set_matrix(float m[16], const float x[3], const float y[3], const float z[3],
                       const float shift[3])
{
    const float *columns[4] = { x, y, z, shift };
    for (int i = 0; i < 4; i++) {
        memcpy(&m[4 * i], columns[i], 3 * sizeof *m);
        m[4 * i + 3] = i == 3;
    }
}

static void multiply(const float m[16], const float p[3], float out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i];
    }
}

/* The document's HitTest. */
static bool document_hit_test(const float b0[3], const float b1[3], const float s0[3],
                              const float s1[3])
{
    float t_min = 0, t_max = 1;
    for (int i = 0; i < 3; i++) {
        const float sv = s1[i] - s0[i];
        float low = 0, high = 1;
        if (sv == 0) {
            if (s0[i] < b0[i] || s0[i] > b1[i]) {
                return false;
            }
        } else {
            const float x = (b0[i] - s0[i]) / sv, y = (b1[i] - s0[i]) / sv;
            low = fminf(x, y);
            high = fmaxf(x, y);
            if (high < 0 || low > 1) {
                return false;
            }
        }
        if (t_min > high || t_max < low) {
            return false;
        }
        t_min = fmaxf(t_min, low);
        t_max = fminf(t_max, high);
    }
    return t_min <= 1 && t_max >= 0;
}

/* The document's program: even the corners go out and back. */
static bool document_obb(const float matrix[16], const float inverse[16], const sl_segment *segment)
{
    const float corners[2][3] = { { -0.5f, -0.5f, -0.5f }, { 0.5f, 0.5f, 0.5f } };
    float out[3], back[2][3], s[2][3];
    for (int i = 0; i < 2; i++) {
        multiply(matrix, corners[i], out);
        multiply(inverse, out, back[i]);
        multiply(inverse, i == 0 ? segment->p : segment->q, s[i]);
    }
    return document_hit_test(back[0], back[1], s[0], s[1]);
}

TEST(case_62_a_box_is_a_matrix_and_its_inverse)
{
    /* Twice as long along x, turned a quarter about z (x becomes y), then moved to (10, 0, 0):
     * T R S, by hand.  The box is 9.5 .. 10.5, -1 .. 1, -0.5 .. 0.5. */
    float matrix[16], inverse[16], twice[16];
    set_matrix(matrix, (float[3]){ 0, 2, 0 }, (float[3]){ -1, 0, 0 }, (float[3]){ 0, 0, 1 },
               (float[3]){ 10, 0, 0 });
    assert_true(sl_matrix_inverse(matrix, inverse));
    /* The inverse: x' = y / 2, y' = 10 - x, z' = z. */
    const float expected[16] = { 0, -1, 0, 0, 0.5f, 0, 0, 0, 0, 0, 1, 0, 0, 10, 0, 1 };
    assert_memory_equal(inverse, expected, sizeof inverse);
    assert_true(sl_matrix_inverse(inverse, twice));
    assert_memory_equal(twice, matrix, sizeof matrix);
    sl_obb box;
    assert_true(sl_obb_from_matrix(matrix, &box));
    const sl_segment segment = segment_of(0, 0.75f, 0, 20, 0.75f, 0);
    sl_obb_hit a, b;
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, &a));
    assert_true(sl_line_unit_cube(sl_line_of_segment(&segment), inverse, SL_INSIDE_SOLID, &b));
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(a.t0 == 0.475f && a.t1 == 0.525f && a.point[0] == 9.5f);
    assert_int_equal(a.entry, SL_BOX_FACE_MAX_Y); /* the box's y points to -x */
    assert_vector(a.normal, -1, 0, 0);
}

TEST(case_62_a_scale_of_zero_has_no_inverse_and_is_a_flat_box)
{
    float matrix[16], inverse[16] = { 7 };
    set_matrix(matrix, (float[3]){ 2, 0, 0 }, (float[3]){ 0, 0, 0 }, (float[3]){ 0, 0, 2 },
               (float[3]){ 0, 3, 0 });
    assert_false(sl_matrix_inverse(matrix, inverse));
    assert_true(inverse[0] == 7); /* left alone */
    sl_obb box;
    assert_true(sl_obb_from_matrix(matrix, &box));
    sl_obb_hit hit;
    /* Down through the square at y = 3; at its edge; beside. */
    sl_segment segment = segment_of(0.5f, 5, 0, 0.5f, 1, 0);
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.5f && hit.t1 == 0.5f && hit.point[1] == 3 && !hit.inside);
    /* The zero axis' faces; max is to the side of cross(z, x) = +y. */
    assert_int_equal(hit.entry, SL_BOX_FACE_MAX_Y);
    assert_int_equal(hit.exit, SL_BOX_FACE_MIN_Y);
    assert_vector(hit.normal, 0, 1, 0);
    segment = segment_of(1, 5, 1, 1, 1, 1);
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, NULL));
    segment.q[0] = nextafterf(1, 2); /* x is beyond 1 wherever t > 0 */
    assert_false(sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, NULL));
    /* In the plane: the rim; -1 and 1 of -4 .. 4. */
    segment = segment_of(-4, 3, 0, 4, 3, 0);
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.375f && hit.t1 == 0.625f);
    assert_int_equal(hit.entry, SL_BOX_FACE_MIN_X);
    assert_int_equal(hit.exit, SL_BOX_FACE_MAX_X);
    assert_vector(hit.normal, -1, 0, 0);
    segment = segment_of(0, 3, 4, 0, 3, -4);
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, &hit));
    assert_int_equal(hit.entry, SL_BOX_FACE_MAX_Z);
    assert_vector(hit.normal, 0, 0, 1);
    /* Starting in it: a hit at once, inside of nothing. */
    segment = segment_of(0, 3, 0, 4, 3, 0);
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_IGNORE, &hit));
    assert_true(hit.t == 0 && !hit.inside && hit.face == SL_BOX_FACE_NONE);
    /* A singular matrix without a zero in it: rank 2, as a third column says nothing new. */
    set_matrix(matrix, (float[3]){ 1, 2, 3 }, (float[3]){ 4, 5, 6 }, (float[3]){ 5, 7, 9 },
               (float[3]){ 0, 0, 0 });
    assert_false(sl_matrix_inverse(matrix, inverse));
    matrix[10] = nextafterf(9, 10);
    assert_true(sl_matrix_inverse(matrix, inverse));
}

TEST(case_63_segments_are_carried_back_and_t_stays)
{
    /* Scales and quarter turns that floats can do exactly: the box form, the cube and the AABB test
     * on carried ends give the same t. */
    float matrix[16], inverse[16];
    set_matrix(matrix, (float[3]){ 0, 0, 4 }, (float[3]){ 0.5f, 0, 0 }, (float[3]){ 0, -2, 0 },
               (float[3]){ 1, -2, 3 });
    assert_true(sl_matrix_inverse(matrix, inverse));
    const sl_aabb cube = { { -0.5f, -0.5f, -0.5f }, { 0.5f, 0.5f, 0.5f } };
    sl_obb box;
    assert_true(sl_obb_from_matrix(matrix, &box));
    test_random random = { 63 };
    int hits = 0;
    for (int i = 0; i < 5000; i++) {
        sl_segment segment, carried;
        for (int axis = 0; axis < 3; axis++) {
            segment.p[axis] = (float)test_random_below(&random, 64) / 8 - 4 + matrix[12 + axis];
            segment.q[axis] = (float)test_random_below(&random, 64) / 8 - 4 + matrix[12 + axis];
        }
        multiply(inverse, segment.p, carried.p);
        multiply(inverse, segment.q, carried.q);
        sl_obb_hit a, b;
        sl_aabb_hit c;
        const bool expected =
            sl_line_aabb(sl_line_of_segment(&carried), &cube, SL_INSIDE_HOLLOW, &c);
        assert_int_equal(
            sl_line_unit_cube(sl_line_of_segment(&segment), inverse, SL_INSIDE_HOLLOW, &a),
            expected);
        assert_int_equal(sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_HOLLOW, &b),
                         expected);
        if (expected) {
            assert_memory_equal(&a, &b, sizeof a);
            assert_true(a.t == c.t && a.t0 == c.t0 && a.t1 == c.t1 && a.inside == c.inside);
            assert_true(a.entry == c.entry && a.exit == c.exit && a.face == c.face);
            hits++;
        }
    }
    assert_in_range(hits, 500, 4500);
}

TEST(case_63_corners_that_go_out_and_back_are_not_the_corners)
{
    /* A turned and scaled box on the lattice: ends of segments in its faces, edges and corners. */
    float matrix[16], inverse[16];
    set_matrix(matrix, (float[3]){ 6, 2, 0 }, (float[3]){ -2, 6, 2 }, (float[3]){ 2, -4, 10 },
               (float[3]){ 1, 2, 3 });
    assert_true(sl_matrix_inverse(matrix, inverse));
    sl_obb box;
    assert_true(sl_obb_from_matrix(matrix, &box));
    test_random random = { 64 };
    int wrong = 0, hits = 0;
    for (int i = 0; i < 20000; i++) {
        /* A corner, and a way past it. */
        sl_segment segment;
        float corner[3], at[3];
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = test_random_below(&random, 2) != 0 ? 0.5f : -0.5f;
        }
        multiply(matrix, corner, at); /* exact */
        for (int axis = 0; axis < 3; axis++) {
            const float way = (float)test_random_below(&random, 15) - 7;
            segment.p[axis] = at[axis] - way;
            segment.q[axis] = at[axis] + way;
        }
        sl_obb_hit hit;
        assert_true(sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, &hit));
        wrong += !document_obb(matrix, inverse, &segment);
        hits++;
    }
    print_message("the document misses %d of %d that touch a corner\n", wrong, hits);
    assert_true(wrong > 100);
}

TEST(case_63_normals_come_back_by_the_transpose_of_the_inverse)
{
    /* Sheared: y leans towards x.  The x faces lean; their normal is (1, -1, 0), not M (1, 0, 0).
     */
    float matrix[16], inverse[16];
    set_matrix(matrix, (float[3]){ 2, 0, 0 }, (float[3]){ 2, 2, 0 }, (float[3]){ 0, 0, 2 },
               (float[3]){ 0, 0, 0 });
    assert_true(sl_matrix_inverse(matrix, inverse));
    sl_obb box;
    assert_true(sl_obb_from_matrix(matrix, &box));
    const float root = 0.70710678118654752f;
    const sl_segment segment = segment_of(8, 0, 0, -8, 0, 0);
    sl_obb_hit hit;
    for (int form = 0; form < 2; form++) {
        assert_true(
            form == 0
                ? sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, &hit)
                : sl_line_unit_cube(sl_line_of_segment(&segment), inverse, SL_INSIDE_SOLID, &hit));
        assert_true(hit.t0 == 7.0f / 16 && hit.t1 == 9.0f / 16);
        assert_int_equal(hit.entry, SL_BOX_FACE_MAX_X);
        assert_vector(hit.normal, root, -root, 0);
    }
    /* Mirrored: the box's x points to -x, and so do the normals of its max face. */
    set_matrix(matrix, (float[3]){ -2, 0, 0 }, (float[3]){ 0, 2, 0 }, (float[3]){ 0, 0, 2 },
               (float[3]){ 0, 0, 0 });
    assert_true(sl_matrix_inverse(matrix, inverse));
    assert_true(sl_obb_from_matrix(matrix, &box));
    for (int form = 0; form < 2; form++) {
        assert_true(
            form == 0
                ? sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, &hit)
                : sl_line_unit_cube(sl_line_of_segment(&segment), inverse, SL_INSIDE_SOLID, &hit));
        assert_int_equal(hit.entry, SL_BOX_FACE_MIN_X);
        assert_int_equal(hit.exit, SL_BOX_FACE_MAX_X);
        assert_vector(hit.normal, 1, 0, 0);
        assert_true(hit.t0 == 7.0f / 16);
    }
}

TEST(case_64_no_order_of_corners_or_axes_matters)
{
    /* The document, given corners in another order, and a segment along z. */
    const float low[3] = { -0.5f, -0.5f, -0.5f }, high[3] = { 0.5f, 0.5f, 0.5f };
    const float s0[3] = { 0, 0, -2 }, s1[3] = { 0, 0, 2 };
    assert_true(document_hit_test(low, high, s0, s1));
    assert_false(document_hit_test(high, low, s0, s1));
    /* The same box by all orders and signs of its axes. */
    test_random random = { 65 };
    for (int i = 0; i < 200; i++) {
        sl_obb box;
        sl_segment segment;
        for (int k = 0; k < 3; k++) {
            box.centre[k] = test_random_in(&random, -1, 1);
            box.half[k] = test_random_in(&random, 0.5f, 2);
            segment.p[k] = test_random_in(&random, -4, 4);
            segment.q[k] = -segment.p[k];
            for (int j = 0; j < 3; j++) {
                box.axis[k][j] = test_random_in(&random, -1, 1);
            }
        }
        sl_obb_hit first, other;
        const bool hits = sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, &first);
        for (int order = 0; order < 6; order++) {
            for (int signs = 0; signs < 8; signs++) {
                sl_obb same = box;
                int from[3];
                for (int k = 0; k < 3; k++) {
                    from[k] = order < 3 ? (k + order) % 3 : (2 * k + order) % 3;
                    same.half[k] = box.half[from[k]];
                    for (int j = 0; j < 3; j++) {
                        same.axis[k][j] = box.axis[from[k]][j] * ((signs >> k & 1) != 0 ? -1 : 1);
                    }
                }
                assert_int_equal(
                    sl_line_obb(sl_line_of_segment(&segment), &same, SL_INSIDE_SOLID, &other),
                    hits);
                if (hits) {
                    assert_true(other.t0 == first.t0 && other.t1 == first.t1);
                    assert_memory_equal(other.point, first.point, sizeof first.point);
                    assert_memory_equal(other.normal, first.normal, sizeof first.normal);
                    assert_int_equal(other.inside, first.inside);
                    assert_true(other.face < 0 || from[other.face / 2] == (int)first.face / 2);
                }
            }
        }
    }
}

TEST(starting_inside_is_a_policy)
{
    sl_obb_hit hit;
    const sl_segment segment = segment_of(0, 0, 0, 0, 4, 0);
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.inside && hit.t == 0 && hit.t1 == 0.25f && hit.face == SL_BOX_FACE_NONE);
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &unit, SL_INSIDE_HOLLOW, &hit));
    assert_true(hit.t == 0.25f && hit.face == SL_BOX_FACE_MAX_Y);
    assert_vector(hit.normal, 0, 1, 0);
    assert_false(sl_line_obb(sl_line_of_segment(&segment), &unit, SL_INSIDE_IGNORE, NULL));
    assert_false(sl_line_obb(sl_line_of_segment(&segment), &unit, SL_INSIDE_IGNORE_LEAVING, NULL));
    const sl_segment on = segment_of(0, 1, 0, 0, 4, 0);
    assert_true(sl_line_obb(sl_line_of_segment(&on), &unit, SL_INSIDE_IGNORE, &hit));
    assert_true(hit.t == 0 && hit.t1 == 0 && !hit.inside);
    const sl_line point = {
        .origin = { 0, 0, 0 }, .head = { 0, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_true(sl_line_obb(point, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == 0 && hit.t0 == -INFINITY && hit.t1 == INFINITY && hit.inside);
}

TEST(boxes_of_less_than_a_plane_have_no_faces)
{
    /* Two axes on one line, as long as 1 + 2 along (1, 1, 0), the third zero. */
    const sl_obb stick = { { 0, 0, 0 }, { { 1, 1, 0 }, { -2, -2, 0 }, { 0, 0, 0 } }, { 1, 1, 5 } };
    sl_obb_hit hit;
    sl_segment segment = segment_of(3, 2, 0, 3, 4, 0); /* through its end (3, 3, 0) */
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &stick, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.5f && hit.t1 == 0.5f && hit.face == SL_BOX_FACE_NONE && !hit.inside);
    assert_vector(hit.point, 3, 3, 0);
    assert_vector(hit.normal, 0, 0, 0);
    segment = segment_of(nextafterf(3, 4), 2, 0, nextafterf(3, 4), 4, 0);
    assert_false(sl_line_obb(sl_line_of_segment(&segment), &stick, SL_INSIDE_SOLID, NULL));
    segment = segment_of(-6, -6, 0, 6, 6, 0); /* along it */
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &stick, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.25f && hit.t1 == 0.75f);
    const sl_obb point = { { 1, 2, 3 }, { { 0 } }, { 1, 1, 1 } };
    segment = segment_of(0, 0, 0, 2, 4, 6);
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &point, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.5f && hit.t1 == 0.5f);
    segment.q[0] = nextafterf(2, 3);
    assert_false(sl_line_obb(sl_line_of_segment(&segment), &point, SL_INSIDE_SOLID, NULL));
    /* Three axes in the plane z = 0: a hexagon; its corner (1 + 1, 1 + 1). */
    const sl_obb hexagon = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } }, { 1, 1, 1 } };
    segment = segment_of(2, 2, -1, 2, 2, 1);
    assert_true(sl_line_obb(sl_line_of_segment(&segment), &hexagon, SL_INSIDE_SOLID, &hit));
    assert_int_equal(hit.entry, SL_BOX_FACE_MIN_Z);
    assert_vector(hit.normal, 0, 0, -1);
    segment = segment_of(2, -1, -1, 2, -1, 1); /* cut off by the third axis' sides */
    assert_false(sl_line_obb(sl_line_of_segment(&segment), &hexagon, SL_INSIDE_SOLID, NULL));
}

TEST(inverses_are_rounded_once)
{
    /* 1/3 of 3, and the shift -1/3 of 1: each the nearest float. */
    float m[16] = { 3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 0, 1, 0, 0, 1 };
    assert_true(sl_matrix_inverse(m, m)); /* in place */
    assert_true(m[0] == 1.0f / 3 && m[12] == -1.0f / 3 && m[15] == 1 && m[3] == 0);
    float huge[16] = { FLT_MAX, 0, 0, 0, 0, FLT_MAX, 0, 0, 0, 0, FLT_MAX, 0, 0, 0, 0, 1 };
    assert_true(sl_matrix_inverse(huge, m));
    assert_true(m[0] == (float)(1.0 / (double)FLT_MAX));
    float tiny[16] = { 0x1p-149f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    assert_false(sl_matrix_inverse(tiny, m)); /* 2^149 is no float */
}

TEST(a_singular_inverse_is_a_box_without_end)
{
    /* Only x and y are bounded, to +-1/2. */
    const float inverse[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };
    const sl_ray across = sl_ray_make((float[3]){ -2, 0, 1e9f }, (float[3]){ 1, 0, 1 });
    const sl_line along = {
        .origin = { 0.5f, 0, 0 }, .head = { 0, 0, 1 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    sl_obb_hit hit;
    assert_true(sl_line_unit_cube(sl_line_of_ray(&across), inverse, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 1.5f && hit.t1 == 2.5f && hit.entry == SL_BOX_FACE_MIN_X);
    assert_true(sl_line_unit_cube(along, inverse, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == -INFINITY && hit.t1 == INFINITY && hit.t == 0 && !hit.inside);
    /* A shift beyond the cube leaves nothing. */
    float empty[16];
    memcpy(empty, inverse, sizeof empty);
    empty[14] = 0.75f;
    assert_false(sl_line_unit_cube(along, empty, SL_INSIDE_SOLID, NULL));
}

TEST(what_is_not_valid_misses)
{
    const sl_segment good = segment_of(-3, 0, 0, 3, 0, 0);
    assert_true(sl_line_obb(sl_line_of_segment(&good), &unit, SL_INSIDE_SOLID, NULL));
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    float matrix[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            sl_obb box = unit;
            box.centre[k] = bad[i];
            assert_false(sl_line_obb(sl_line_of_segment(&good), &box, SL_INSIDE_SOLID, NULL));
            box = unit;
            box.half[k] = i == 0 ? -0x1p-149f : bad[i];
            assert_false(sl_line_obb(sl_line_of_segment(&good), &box, SL_INSIDE_SOLID, NULL));
            box = unit;
            box.axis[k][i] = bad[i];
            assert_false(sl_line_obb(sl_line_of_segment(&good), &box, SL_INSIDE_SOLID, NULL));
        }
        sl_segment segment = good;
        segment.q[1] = bad[i];
        assert_false(sl_line_obb(sl_line_of_segment(&segment), &unit, SL_INSIDE_SOLID, NULL));
        assert_false(
            sl_line_unit_cube(sl_line_of_segment(&segment), matrix, SL_INSIDE_SOLID, NULL));
    }
    const sl_ray backwards = { { 0, 0, 0 }, 1, { 1, 0, 0 }, 0 };
    assert_false(sl_line_obb(sl_line_of_ray(&backwards), &unit, SL_INSIDE_SOLID, NULL));
    const sl_line line = {
        .origin = { 0, NAN, 0 }, .head = { 1, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_false(sl_line_obb(line, &unit, SL_INSIDE_SOLID, NULL));
    /* Matrices that are not affine, or not finite. */
    assert_true(sl_line_unit_cube(sl_line_of_segment(&good), matrix, SL_INSIDE_SOLID, NULL));
    for (int i = 0; i < 16; i++) {
        float changed[16], out[16] = { 7 };
        sl_obb box = { .half = { 7, 0, 0 } };
        memcpy(changed, matrix, sizeof changed);
        changed[i] = i % 4 == 3 ? 2 : NAN;
        assert_false(sl_line_unit_cube(sl_line_of_segment(&good), changed, SL_INSIDE_SOLID, NULL));
        assert_false(sl_matrix_inverse(changed, out));
        assert_false(sl_obb_from_matrix(changed, &box));
        assert_true(out[0] == 7 && box.half[0] == 7);
    }
}
