/* How two triangles lie to one another, and what they share.
 * SIGHTLINE_TEST_SCALE=50 tries 1,000,000 pairs. */
#include "lib/geom/contact/relation.h"
#include "test/support/hard/triangle_pairs.h"
#include "test/support/oracle/triangles_oracle.h"
#include "test/support/test.h"

#include <sightline/contact.h>

/* 0, 4 x; 0, 4 y: in the plane z = 0, its front above. */
static const sl_triangle_d base = { { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } } };

#define TRIANGLE(...)                                                                              \
    (sl_triangle_d)                                                                                \
    {                                                                                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* What base shares with b, point by point. */
static void assert_shares(sl_triangle_d b, sl_relation relation, uint32_t count, double point[][3])
{
    sl_triangle_contact got;
    assert_int_equal(sl_triangle_triangle(&base, &b, &got), relation);
    assert_int_equal(sl_triangle_triangle(&base, &b, NULL), relation);
    assert_int_equal(got.relation, relation);
    assert_int_equal(got.count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_memory_equal(got.point[i], point[i], sizeof point[i]);
    }
}

TEST(crossing_is_where_the_insides_share_a_segment)
{
    /* x = 1, from z = -1 to 1: along y from 1 to the slanted edge, x + y = 4. */
    assert_shares(TRIANGLE({ 1, 1, -1 }, { 1, 1, 1 }, { 1, 9, 0 }), SL_CROSSING, 2,
                  (double[][3]){ { 1, 1, 0 }, { 1, 3, 0 } });
    /* Within base: y from 1 to 2. */
    assert_shares(TRIANGLE({ 1, 1, -1 }, { 1, 1, 1 }, { 1, 2, 0 }), SL_CROSSING, 2,
                  (double[][3]){ { 1, 1, 0 }, { 1, 2, 0 } });
}

TEST(touching_is_an_edge_or_a_point)
{
    /* A corner in the face; an edge in it; a corner at a corner; an edge across an edge. */
    assert_shares(TRIANGLE({ 1, 1, 0 }, { 1, 1, 5 }, { 2, 1, 5 }), SL_TOUCHING, 1,
                  (double[][3]){ { 1, 1, 0 } });
    assert_shares(TRIANGLE({ 2, 1, 0 }, { 1, 1, 0 }, { 2, 1, 5 }), SL_TOUCHING, 2,
                  (double[][3]){ { 1, 1, 0 }, { 2, 1, 0 } });
    assert_shares(TRIANGLE({ 4, 0, 0 }, { 4, 0, 5 }, { 5, 0, 5 }), SL_TOUCHING, 1,
                  (double[][3]){ { 4, 0, 0 } });
    assert_shares(TRIANGLE({ 4, 4, 3 }, { 0, 0, -3 }, { 9, 9, -3 }), SL_TOUCHING, 1,
                  (double[][3]){ { 2, 2, 0 } });
    /* It goes through the edge y = 0 from x = 1 to 3, but only along it. */
    assert_shares(TRIANGLE({ 1, 0, -1 }, { 1, 0, 1 }, { 3, 0, 0 }), SL_TOUCHING, 2,
                  (double[][3]){ { 1, 0, 0 }, { 3, 0, 0 } });
    /* In the same plane along the slanted edge, and at a corner. */
    assert_shares(TRIANGLE({ 3, 1, 0 }, { 1, 3, 0 }, { 4, 4, 0 }), SL_TOUCHING, 2,
                  (double[][3]){ { 1, 3, 0 }, { 3, 1, 0 } });
    assert_shares(TRIANGLE({ 4, 0, 0 }, { 5, 0, 0 }, { 5, 1, 0 }), SL_TOUCHING, 1,
                  (double[][3]){ { 4, 0, 0 } });
}

TEST(coplanar_shares_a_polygon)
{
    assert_shares(base, SL_COPLANAR_SAME, 3,
                  (double[][3]){ { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } });
    assert_shares(TRIANGLE({ 1, 1, 0 }, { 1, 2, 0 }, { 2, 1, 0 }), SL_COPLANAR_OPPOSITE, 3,
                  (double[][3]){ { 1, 1, 0 }, { 2, 1, 0 }, { 1, 2, 0 } });
    /* x + y >= 1, x <= 3, y <= 3 of base. */
    assert_shares(
        TRIANGLE({ 3, -2, 0 }, { 3, 3, 0 }, { -2, 3, 0 }), SL_COPLANAR_SAME, 6,
        (double[][3]){
            { 0, 1, 0 }, { 1, 0, 0 }, { 3, 0, 0 }, { 3, 1, 0 }, { 1, 3, 0 }, { 0, 3, 0 } });
}

TEST(without_area_they_touch)
{
    assert_shares(TRIANGLE({ 1, 1, -1 }, { 1, 1, 1 }, { 1, 1, 3 }), SL_TOUCHING, 1,
                  (double[][3]){ { 1, 1, 0 } });
    assert_shares(TRIANGLE({ 9, 1, 0 }, { 1, 1, 0 }, { 3, 1, 0 }), SL_TOUCHING, 2,
                  (double[][3]){ { 1, 1, 0 }, { 3, 1, 0 } });
    assert_shares(TRIANGLE({ 1, 1, 0 }, { 1, 1, 0 }, { 1, 1, 0 }), SL_TOUCHING, 1,
                  (double[][3]){ { 1, 1, 0 } });
    assert_shares(TRIANGLE({ 1, 1, 2 }, { 1, 1, 1 }, { 1, 1, 3 }), SL_APART, 0, NULL);
}

TEST(what_is_not_finite_is_apart)
{
    const double bad[3] = { NAN, INFINITY, 0x1p128 };
    for (int i = 0; i < 27; i++) {
        sl_triangle_d broken = base;
        broken.v[i % 9 / 3][i % 3] = bad[i / 9];
        assert_shares(broken, SL_APART, 0, NULL);
        assert_int_equal(sl_triangle_triangle(&broken, &base, NULL), SL_APART);
    }
}

/* A third is not a double: (1/3, 1/3, 0), rounded. */
TEST(points_are_rounded_once)
{
    assert_shares(TRIANGLE({ 1, 1, 2 }, { 0, 0, -1 }, { 0, 1, -1 }), SL_CROSSING, 2,
                  (double[][3]){ { 1.0 / 3, 1.0 / 3, 0 }, { 1.0 / 3, 1, 0 } });
}

static sl_triangle_d renumbered(const sl_triangle_d *t, int turn)
{
    sl_triangle_d out;
    for (int i = 0; i < 3; i++) { /* three rotations, then three of the other winding */
        const int from = turn < 3 ? (i + turn) % 3 : (6 + turn - i) % 3;
        memcpy(out.v[i], t->v[from], sizeof out.v[i]);
    }
    return out;
}

/* Both segments of the first test lie along +y, and the fronts face +z and +x: z x x = y. */
TEST(common_segments_run_along_the_cross_product_of_the_fronts)
{
    const sl_triangle_d wall = TRIANGLE({ 1, 1, -1 }, { 1, 2, 0 }, { 1, 1, 1 });
    for (int turn = 0; turn < 36; turn++) {
        const sl_triangle_d a = renumbered(&base, turn % 6), b = renumbered(&wall, turn / 6);
        const bool up = (turn % 6 < 3) == (turn / 6 < 3);
        double from[3], to[3];
        sli_common common;
        assert_int_equal(sli_triangles_common(&a, &b, &common), SL_CROSSING);
        sli_common_round(&a, &b, common.at[0], from);
        sli_common_round(&a, &b, common.at[1], to);
        assert_true((from[1] < to[1]) == up);
    }
}

/* An edge of one through the others' shared edge, and through either of them; and points of other
 * names: (1, 1, 0) is where an edge crosses base, and a corner. */
TEST(the_same_point_has_several_names)
{
    const sl_triangle_d next = TRIANGLE({ 4, 0, 0 }, { 4, 4, 1 }, { 0, 4, 0 });
    const sl_triangle_d wall = TRIANGLE({ 2, 2, -1 }, { 2, 2, 1 }, { 9, 9, 1 });
    const sl_triangle_d near = TRIANGLE({ 2, 0x1.0000000000001p+1, -1 }, { 2, 2, 1 }, { 9, 9, 1 });
    const sli_common_of on_base = { base, wall, { 6, 3 } }, on_next = { next, wall, { 5, 3 } };
    const sli_common_of beside = { base, near, { 7, 3 } };
    assert_true(sli_is_same_common(&on_base, &on_next));
    assert_false(sli_is_same_common(&on_base, &beside));
    const sl_triangle_d through = TRIANGLE({ 1, 1, -2 }, { 1, 1, 1 }, { 5, 1, 1 });
    const sl_triangle_d corner = TRIANGLE({ 1, 1, 0 }, { 1, 2, 3 }, { 2, 1, 3 });
    const sli_common_of crossed = { base, through, { 7, 3 } }, held = { base, corner, { 7, 1 } };
    const sli_common_of other = { base, wall, { 6, 3 } };
    assert_true(sli_is_same_common(&crossed, &held));
    assert_true(sli_is_same_common(&held, &crossed));
    assert_false(sli_is_same_common(&other, &held));
    uint32_t residue[4][3];
    assert_true(sli_common_residues(&on_base, residue[0]) &&
                sli_common_residues(&on_next, residue[1]) &&
                sli_common_residues(&beside, residue[2]) && sli_common_residues(&held, residue[3]));
    for (int axis = 0; axis < 3; axis++) { /* (2, 2, 0) and (1, 1, 0) */
        assert_int_equal(residue[0][axis], axis == 2 ? 0 : 2);
        assert_int_equal(residue[1][axis], axis == 2 ? 0 : 2);
        assert_int_equal(residue[3][axis], axis == 2 ? 0 : 1);
    }
    assert_int_not_equal(residue[2][1], 2);
}

static sl_relation turned_over(sl_relation relation)
{
    return relation == SL_COPLANAR_SAME       ? SL_COPLANAR_OPPOSITE
           : relation == SL_COPLANAR_OPPOSITE ? SL_COPLANAR_SAME
                                              : relation;
}

static bool has_point(const sl_triangle_contact *contact, const double point[3])
{
    for (uint32_t i = 0; i < contact->count; i++) {
        if (memcmp(contact->point[i], point, sizeof contact->point[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Whatever the numbering, and whichever is first. */
static void assert_symmetric(const sl_triangle_d *a, const sl_triangle_d *b,
                             const sl_triangle_contact *right, int turn)
{
    const sl_triangle_d p = renumbered(a, turn % 6), q = renumbered(b, turn / 6);
    const bool over = (turn % 6 < 3) != (turn / 6 < 3);
    sl_triangle_contact got, back;
    (void)sl_triangle_triangle(&p, &q, &got);
    (void)sl_triangle_triangle(&q, &p, &back);
    assert_int_equal(got.relation, over ? turned_over(right->relation) : right->relation);
    assert_int_equal(back.relation, got.relation);
    assert_int_equal(got.count, right->count);
    assert_int_equal(back.count, right->count);
    for (uint32_t i = 0; i < right->count; i++) {
        assert_true(has_point(&got, right->point[i]));
        assert_true(has_point(&back, right->point[i]));
    }
    if (turn % 6 < 3) {
        assert_memory_equal(got.point, right->point, sizeof got.point);
    }
}

/* Each point is the same as one of the other numbering, and as no other; so are its residues. */
static void assert_same_points(const sl_triangle_d *a, const sl_triangle_d *b, int turn)
{
    sli_common_of one = { .a = *a, .b = *b };
    sli_common_of other = { .a = renumbered(a, turn % 6), .b = renumbered(b, turn / 6) };
    sli_common of_one, of_other;
    (void)sli_triangles_common(&one.a, &one.b, &of_one);
    (void)sli_triangles_common(&other.a, &other.b, &of_other);
    for (int i = 0; i < of_one.count; i++) {
        uint32_t residue[2][3];
        int same = 0, alike = 0;
        one.at = of_one.at[i];
        assert_true(sli_common_residues(&one, residue[0]));
        for (int k = 0; k < of_other.count; k++) {
            other.at = of_other.at[k];
            assert_true(sli_common_residues(&other, residue[1]));
            same += sli_is_same_common(&one, &other);
            alike += memcmp(residue[0], residue[1], sizeof residue[0]) == 0;
        }
        assert_int_equal(same, 1);
        assert_int_equal(alike, 1);
    }
}

TEST(as_fractions_say)
{
    test_random random = { 1701 };
    size_t seen[5] = { 0 }, sides[7] = { 0 };
    const size_t count = test_count(20000);
    for (size_t i = 0; i < count; i++) {
        sl_triangle_d a, b;
        sl_triangle_contact right, got;
        hard_triangle_pair(&random, i, &a, &b);
        triangles_oracle(&a, &b, &right);
        memset(&got, 0xFF, sizeof got);
        (void)sl_triangle_triangle(&a, &b, &got);
        if (got.relation != right.relation || got.count != right.count ||
            memcmp(got.point, right.point, sizeof got.point) != 0) {
            print_error("pair %zu: relation %d of %u points instead of %d of %u\n", i,
                        (int)got.relation, got.count, (int)right.relation, right.count);
            for (int k = 0; k < 18; k++) {
                print_error("%a%s", k < 9 ? a.v[k / 3][k % 3] : b.v[k / 3 - 3][k % 3],
                            k % 3 == 2 ? "\n" : ", ");
            }
            fail();
        }
        assert_symmetric(&a, &b, &right, (int)(i % 36));
        assert_same_points(&a, &b, (int)(i % 36));
        seen[right.relation]++;
        sides[right.count]++;
    }
    print_message("%zu pairs: %zu apart, %zu touching, %zu coplanar, %zu crossing\n", count,
                  seen[SL_APART], seen[SL_TOUCHING],
                  seen[SL_COPLANAR_SAME] + seen[SL_COPLANAR_OPPOSITE], seen[SL_CROSSING]);
    for (int i = 0; i < 5; i++) {
        assert_true(seen[i] * 30 > count);
    }
    for (int i = 1; i < 7; i++) {
        assert_true(sides[i] * 1000 > count);
    }
}
