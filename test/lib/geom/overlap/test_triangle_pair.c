/* Triangles that have points in common beyond the vertices that they share.
 * SIGHTLINE_TEST_SCALE=100 tries 300,000 pairs and more. */
#include "lib/geom/overlap/triangle_pair.h"
#include "test/support/hard/bodies.h"
#include "test/support/oracle/triangle_pair_oracle.h"
#include "test/support/test.h"

static sl_triangle turned(const sl_triangle *t, int turn)
{
    sl_triangle out;
    for (int i = 0; i < 3; i++) { /* three rotations, then three of the other winding */
        const int from = turn < 3 ? (i + turn) % 3 : (6 + turn - i) % 3;
        memcpy(out.v[i], t->v[from], sizeof out.v[i]);
    }
    return out;
}

/* Whichever is first, and whichever corner of each. */
static bool meet(sl_triangle a, sl_triangle b)
{
    const bool answer = sli_triangle_pair_meets(&a, &b);
    for (int i = 0; i < 36; i++) {
        const sl_triangle p = turned(&a, i % 6), q = turned(&b, i / 6);
        assert_int_equal(sli_triangle_pair_meets(&p, &q), answer);
        assert_int_equal(sli_triangle_pair_meets(&q, &p), answer);
    }
    return answer;
}

#define TRIANGLE(...)                                                                              \
    (sl_triangle)                                                                                  \
    {                                                                                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const sl_triangle base = { { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } } };

TEST(neighbours_across_an_edge_do_not_meet)
{
    assert_false(meet(base, TRIANGLE({ 4, 0, 0 }, { 0, 4, 0 }, { 4, 4, 0 }))); /* flat */
    assert_false(meet(base, TRIANGLE({ 4, 0, 0 }, { 0, 4, 0 }, { 4, 4, 1 }))); /* bent */
    assert_false(meet(base, TRIANGLE({ 4, 0, 0 }, { 0, 4, 0 }, { 0, 0, 0x1p-149f })));
}

/* Folded over its neighbour, it covers a part of it. */
TEST(folded_over_an_edge_they_meet)
{
    assert_true(meet(base, TRIANGLE({ 4, 0, 0 }, { 0, 4, 0 }, { 1, 1, 0 })));
    assert_true(meet(base, TRIANGLE({ 4, 0, 0 }, { 0, 4, 0 }, { -9, 3, 0 })));
}

TEST(neighbours_at_a_corner_do_not_meet)
{
    assert_false(meet(base, TRIANGLE({ 0, 0, 0 }, { -1, 0, 0 }, { 0, -1, 0 })));
    assert_false(meet(base, TRIANGLE({ 0, 0, 0 }, { 1, 1, 1 }, { 2, 1, 1 })));
    assert_false(meet(base, TRIANGLE({ 0, 0, 0 }, { -1, -1, 1 }, { -1, -1, -1 })));
    assert_false(meet(base, TRIANGLE({ 0, 0, 0 }, { -1, 2, 1 }, { -1, 2, -1 })));
}

/* Through the other from the corner on; along a side of it; touching it with a corner. */
TEST(beyond_a_shared_corner_they_meet)
{
    assert_true(meet(base, TRIANGLE({ 0, 0, 0 }, { 1, 1, 1 }, { 1, 1, -1 })));
    assert_true(meet(base, TRIANGLE({ 0, 0, 0 }, { 9, 9, 1 }, { 9, 9, -1 })));
    assert_true(meet(base, TRIANGLE({ 0, 0, 0 }, { 2, 0, 0 }, { 0, 0, 5 })));
    assert_true(meet(base, TRIANGLE({ 0, 0, 0 }, { 7, 0, 0 }, { 0, -1, 0 })));
    assert_true(meet(base, TRIANGLE({ 0, 0, 0 }, { 1, 1, 0 }, { 0, 0, 5 })));
    assert_true(meet(base, TRIANGLE({ 0, 0, 0 }, { 1, 1, 0 }, { -1, -2, 0 })));
}

TEST(equal_triangles_do_not_meet_elsewhere)
{
    assert_false(meet(base, base));
    const sl_triangle flat = { { { 0, 0, 0 }, { 1, 1, 1 }, { 3, 3, 3 } } };
    const sl_triangle dot = { { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 } } };
    assert_false(meet(flat, flat));
    assert_false(meet(dot, dot));
    assert_false(meet(dot, flat)); /* one of its corners */
}

/* A vertex in the middle of another's edge is not shared. */
TEST(a_t_junction_meets)
{
    assert_true(meet(base, TRIANGLE({ 2, 0, 0 }, { 3, -1, 0 }, { 1, -1, 0 })));
    assert_true(meet(base, TRIANGLE({ 0, 0, 0 }, { 2, 0, 0 }, { 1, -1, 0 })));
    assert_false(meet(base, TRIANGLE({ 2, -0x1p-149f, 0 }, { 3, -1, 0 }, { 1, -1, 0 })));
}

TEST(zeros_of_either_sign_are_one_position)
{
    assert_false(meet(base, TRIANGLE({ 4, -0.0f, 0 }, { -0.0f, 4, -0.0f }, { 4, 4, 1 })));
}

/* What fills the crack of a T-junction has no area: it meets the halves in their edges only, and
 * the whole in its edge. */
TEST(without_area_they_are_segments)
{
    const sl_triangle filler = { { { 0, 0, 0 }, { 2, 0, 0 }, { 4, 0, 0 } } };
    assert_false(meet(filler, base));
    assert_false(meet(filler, TRIANGLE({ 0, 0, 0 }, { 2, 0, 0 }, { 1, -1, 0 })));
    assert_false(meet(filler, TRIANGLE({ 4, 0, 0 }, { 2, 0, 0 }, { 3, -1, 0 })));
    assert_true(meet(filler, TRIANGLE({ 0, 0, 0 }, { 3, 0, 0 }, { 1, -1, 0 })));
    assert_true(meet(filler, TRIANGLE({ 2, 0, 0 }, { 3, 0, 0 }, { 1, -1, 0 })));
    assert_false(meet(filler, TRIANGLE({ 2, 0, 0 }, { 3, 1, 0 }, { 1, 1, 0 })));
    assert_true(meet(filler, TRIANGLE({ 1, 0, 0 }, { 3, 1, 0 }, { 1, 1, 0 })));
}

/* Corners of a small lattice, so that many are shared, in line and in one plane; nudge: some are
 * moved by what no double can carry beside a whole number. */
static sl_triangle lattice_triangle(test_random *random, uint32_t side, bool nudge)
{
    sl_triangle t;
    for (int i = 0; i < 9; i++) {
        const float x = (float)test_random_below(random, side);
        t.v[i / 3][i % 3] = nudge && x == 0 && test_random_below(random, 3) == 0 ? 0x1p-100f : x;
    }
    return t;
}

static void fractions_agree(const sl_triangle *a, const sl_triangle *b, size_t counts[2])
{
    const bool truth = oracle_meet_elsewhere(a, b);
    if (sli_triangle_pair_meets(a, b) != truth || sli_triangle_pair_meets(b, a) != truth) {
        for (int i = 0; i < 18; i++) {
            const sl_triangle *t = i < 9 ? a : b;
            print_message("%a%s", (double)t->v[i % 9 / 3][i % 3], i % 9 == 8 ? "\n" : ", ");
        }
        fail_msg("fractions say %d", truth);
    }
    counts[truth]++;
}

/* On a lattice, and of every kind of hard numbers, with 0, 1 or 2 corners shared. */
TEST(as_fractions_say)
{
    for (int hard = 0; hard < 2; hard++) {
        test_random random = { 7101 + (uint64_t)hard };
        size_t counts[2] = { 0, 0 };
        for (size_t i = 0; i < 1500 * test_scale(); i++) {
            const uint32_t side = 2 + (uint32_t)(i % 3);
            hard_body a, b;
            if (hard) {
                hard_body_triangle(&random, (hard_numbers)(i % HARD_NUMBERS), &a);
                hard_body_triangle(&random, (hard_numbers)(i % HARD_NUMBERS), &b);
            } else {
                a.triangle = lattice_triangle(&random, side, i % 2 == 0);
                b.triangle = lattice_triangle(&random, side, i % 2 == 0);
            }
            for (uint32_t k = test_random_below(&random, 3); k > 0; k--) {
                memcpy(b.triangle.v[k], a.triangle.v[hard ? k : test_random_below(&random, 3)],
                       sizeof a.triangle.v[k]);
            }
            fractions_agree(&a.triangle, &b.triangle, counts);
        }
        print_message("%zu meet elsewhere, %zu do not\n", counts[1], counts[0]);
        assert_true(counts[0] > 150 && counts[1] > 150);
    }
}
