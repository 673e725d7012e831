/* Parts of triangles: their boxes cover what was there, and meet it. */
#include "bvh/builder/split/clip_reference.h"
#include "test/support/test.h"
#include "test/support/volume.h"

enum { SEED = 20260822, PARTS = 12, POINTS = 200 };

static const uint32_t corners[3] = { 0, 1, 2 };

typedef struct piece {
    float xyz[9];
    sli_triangles mesh;
    sli_ref parts[PARTS + 1];
    int count;
} piece;

static void begin(piece *p)
{
    p->mesh = (sli_triangles){ p->xyz, corners };
    p->count = 1;
    p->parts[0] = (sli_ref){ .prim = 0 };
    for (int axis = 0; axis < 3; axis++) {
        p->parts[0].min[axis] =
            fminf(fminf(p->xyz[axis], p->xyz[3 + axis]), p->xyz[6 + axis]) + 0.0f;
        p->parts[0].max[axis] =
            fmaxf(fmaxf(p->xyz[axis], p->xyz[3 + axis]), p->xyz[6 + axis]) + 0.0f;
    }
}

static bool holds(const sli_ref *part, const double point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!((double)part->min[axis] <= point[axis] && point[axis] <= (double)part->max[axis])) {
            return false;
        }
    }
    return true;
}

static bool meets(const piece *p, const sli_ref *part)
{
    sl_triangle triangle;
    sl_aabb box;
    memcpy(&triangle, p->xyz, sizeof triangle);
    memcpy(box.min, part->min, sizeof box.min);
    memcpy(box.max, part->max, sizeof box.max);
    return sl_volume_overlaps_aabb(AS_TRIANGLE(&triangle), &box);
}

/* Cuts a random part at a random plane, and holds its halves against it. */
static void cut(piece *p, test_random *random, float step)
{
    sli_ref *from = &p->parts[test_random_below(random, (uint32_t)p->count)];
    const int axis = (int)test_random_below(random, 3);
    const float at = test_random_in(random, from->min[axis], from->max[axis]);
    const float plane = step > 0 ? floorf(at / step) * step : at;
    if (!(from->min[axis] <= plane && plane <= from->max[axis])) {
        return;
    }
    sli_ref halves[2];
    bool there[2];
    sli_clip_reference(&p->mesh, from, axis, plane, halves, there);
    assert_true(there[0] || there[1]);
    for (int k = 0; k < 2; k++) {
        for (int a = 0; a < 3 && there[k]; a++) {
            assert_true(from->min[a] <= halves[k].min[a] && halves[k].max[a] <= from->max[a]);
            assert_false(signbit(halves[k].min[a]) && halves[k].min[a] == 0);
        }
        assert_true(!there[k] || meets(p, &halves[k]));
    }
    *from = halves[there[0] ? 0 : 1];
    if (there[0] && there[1]) {
        p->parts[p->count++] = halves[1];
    }
}

/* Points of the triangle whose coordinates doubles hold exactly: weights are whole 64ths, and
 * coordinates whole multiples of 2^-20 below 16. */
static void points_are_covered(const piece *p, test_random *random)
{
    for (int i = 0; i < POINTS; i++) {
        const uint32_t u = test_random_below(random, 65), v = test_random_below(random, 65 - u);
        double point[3];
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = ((double)p->xyz[axis] * (64 - u - v) + (double)p->xyz[3 + axis] * u +
                           (double)p->xyz[6 + axis] * v) /
                          64;
        }
        bool covered = false;
        for (int k = 0; k < p->count && !covered; k++) {
            covered = holds(&p->parts[k], point);
        }
        assert_true(covered);
    }
}

TEST(parts_cover_their_triangle_and_meet_it)
{
    test_random random = { SEED };
    for (size_t round = 0; round < 600 * test_scale(); round++) {
        static const float steps[4] = { 0x1p-20f, 0x1p-10f, 0.25f, 1 };
        const float step = steps[round % 4];
        piece p;
        for (int i = 0; i < 9; i++) {
            p.xyz[i] = floorf(test_random_in(&random, -8, 8) / step) * step;
            if (round % 3 == 0 && i >= 6) { /* a needle */
                p.xyz[i] = p.xyz[i - 3] + (float)test_random_below(&random, 3) * 0x1p-20f;
            }
        }
        begin(&p);
        for (int i = 0; i < 4 * PARTS && p.count < PARTS; i++) {
            cut(&p, &random, step);
        }
        points_are_covered(&p, &random);
    }
}

/* y = x on the slope from (0, 0) to (4, 4): left of x = 1 the triangle reaches up to y = 1. */
TEST(parts_are_as_small_as_floats_allow)
{
    piece p = { .xyz = { 0, 0, 2, 4, 0, 2, 4, 4, 2 } };
    begin(&p);
    sli_ref halves[2];
    bool there[2];
    sli_clip_reference(&p.mesh, &p.parts[0], 0, 1, halves, there);
    assert_true(there[0] && there[1]);
    const float beyond = nextafterf(1, 2), before = nextafterf(1, 0);
    const sli_ref left = { .min = { 0, 0, 2 }, .max = { beyond, beyond, 2 } };
    const sli_ref right = { .min = { before, 0, 2 }, .max = { 4, 4, 2 } };
    assert_memory_equal(&halves[0], &left, sizeof left);
    assert_memory_equal(&halves[1], &right, sizeof right);

    /* Of the right half, what is above y = 3 begins at x = 3. */
    sli_clip_reference(&p.mesh, &right, 1, 3, halves, there);
    assert_true(there[0] && there[1]);
    const sli_ref above = { .min = { nextafterf(3, 0), nextafterf(3, 0), 2 }, .max = { 4, 4, 2 } };
    assert_memory_equal(&halves[1], &above, sizeof above);
}

/* The corner of the box of the lower part that the slope cuts off. */
TEST(a_side_with_nothing_has_no_part)
{
    piece p = { .xyz = { 0, 0, 0, 4, 0, 0, 4, 4, 0 } };
    begin(&p);
    const sli_ref loose = { .min = { 0, 0, 0 }, .max = { 2, 4, 0 } };
    sli_ref halves[2];
    bool there[2];
    sli_clip_reference(&p.mesh, &loose, 1, 3, halves, there);
    assert_true(there[0]);
    assert_false(there[1]);
    sli_clip_reference(&p.mesh, &loose, 1, 2, halves, there); /* touched in (2, 2) */
    assert_true(there[0] && there[1]);
    sli_clip_reference(&p.mesh, &loose, 1, nextafterf(2, 4), halves, there);
    assert_true(there[0]);
    assert_false(there[1]);
}

/* A triangle beside the box: there is nothing to keep, but nothing may get lost either. */
TEST(a_reference_never_vanishes)
{
    piece p = { .xyz = { 0, 0, 0, 4, 0, 0, 4, 4, 0 } };
    begin(&p);
    const sli_ref beside = { .min = { 0, 2, 0 }, .max = { 1, 4, 0 } };
    sli_ref halves[2];
    bool there[2];
    sli_clip_reference(&p.mesh, &beside, 1, 3, halves, there);
    assert_true(there[0] && !there[1]);
    assert_memory_equal(&halves[0], &beside, sizeof beside);
}
