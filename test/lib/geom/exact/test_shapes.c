/* Makers and validity of shapes: what is taken as it is, what is put in order, what is refused. */
#include "lib/geom/exact/valid.h"
#include "test/support/test.h"
#include "test/support/volume.h"

static void assert_box(const sl_aabb *box, const float min[3], const float max[3])
{
    for (int axis = 0; axis < 3; axis++) {
        assert_true(box->min[axis] == min[axis]);
        assert_true(box->max[axis] == max[axis]);
    }
}

TEST(a_made_ray_starts_at_zero_and_never_ends)
{
    const sl_ray ray = sl_ray_make((float[3]){ 1, 2, 3 }, (float[3]){ 4, 5, 6 });
    assert_true(ray.tmin == 0 && ray.tmax == INFINITY);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(ray.origin[axis] == (float)(1 + axis));
        assert_true(ray.dir[axis] == (float)(4 + axis));
    }
    assert_true(sli_ray_is_valid(&ray));
}

TEST(rays_with_a_bad_number_anywhere_are_not_valid)
{
    const sl_ray good = sl_ray_make((float[3]){ 1, 2, 3 }, (float[3]){ 0, 0, 0 });
    assert_true(sli_ray_is_valid(&good)); /* a point */
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            sl_ray ray = good;
            ray.origin[axis] = bad[i];
            assert_false(sli_ray_is_valid(&ray));
            ray = good;
            ray.dir[axis] = bad[i];
            assert_false(sli_ray_is_valid(&ray));
        }
    }
    sl_ray ray = good;
    ray.tmin = NAN;
    assert_false(sli_ray_is_valid(&ray));
    ray = good;
    ray.tmax = NAN;
    assert_false(sli_ray_is_valid(&ray));
    ray.tmin = 2;
    ray.tmax = 1;
    assert_false(sli_ray_is_valid(&ray));
    ray.tmax = 2;
    assert_true(sli_ray_is_valid(&ray));
    ray.tmin = -INFINITY;
    assert_true(sli_ray_is_valid(&ray));
}

TEST(segments_lines_and_triangles_are_valid_when_all_is_finite)
{
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    for (int at = 0; at < 9; at++) {
        for (int i = 0; i < 3; i++) {
            sl_segment segment = { { 0, 0, 0 }, { 0, 0, 0 } };
            sl_line line = {
                .origin = { 0, 0, 0 }, .head = { 0, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
            };
            sl_triangle triangle = { { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } } };
            const sl_line whole = sl_line_of_segment(&segment);
            assert_true(sli_line_is_valid(&whole));
            assert_true(sli_line_is_valid(&line));
            assert_true(sl_volume_is_valid(AS_TRIANGLE(&triangle)));
            triangle.v[at / 3][at % 3] = bad[i];
            assert_false(sl_volume_is_valid(AS_TRIANGLE(&triangle)));
            if (at < 6) {
                *(at < 3 ? &segment.p[at] : &segment.q[at - 3]) = bad[i];
                *(at < 3 ? &line.origin[at] : &line.head[at - 3]) = bad[i];
                const sl_line broken = sl_line_of_segment(&segment);
                assert_false(sli_line_is_valid(&broken));
                assert_false(sli_line_is_valid(&line));
            }
        }
    }
}

/* The document's box from a centre and a scale, which its scene may mirror. */
static sl_aabb document_bounds(const float centre[3], const float scale[3])
{
    sl_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = centre[axis] - scale[axis] / 2;
        box.max[axis] = centre[axis] + scale[axis] / 2;
    }
    return box;
}

TEST(case_02_boxes_come_in_two_forms_and_negative_sizes_are_put_right)
{
    const float centre[3] = { 1, 2, 3 }, size[3] = { 2, 4, 6 }, mirrored[3] = { -2, 4, -6 };
    const float min[3] = { 0, 0, 0 }, max[3] = { 2, 4, 6 };
    const sl_aabb document = document_bounds(centre, mirrored);
    assert_true(document.min[0] > document.max[0]); /* inside out: the document's box */
    assert_true(sl_aabb_is_empty(&document));
    sl_aabb box = sl_aabb_from_centre(centre, mirrored);
    assert_box(&box, min, max);
    box = sl_aabb_from_centre(centre, size);
    assert_box(&box, min, max);
    box = sl_aabb_from_corners(min, max);
    assert_box(&box, min, max);
    assert_true(sl_volume_is_valid(AS_AABB(&box)));
    assert_false(sl_aabb_is_empty(&box));
}

/* The axis of the document's slab test along which nothing moves, corners unsorted. */
static bool document_contains(float s, float b0, float b1)
{
    return !(s < b0 || s > b1);
}

TEST(case_56_corners_are_sorted_once_whatever_their_order)
{
    assert_true(document_contains(1, 0, 2));
    assert_false(document_contains(1, 2, 0)); /* the same slab, corners exchanged */
    const float min[3] = { 0, -1, 5 }, max[3] = { 2, 4, 5 };
    for (int swap = 0; swap < 8; swap++) {
        float a[3], b[3];
        for (int axis = 0; axis < 3; axis++) {
            const bool swapped = ((swap >> axis) & 1) != 0;
            a[axis] = swapped ? max[axis] : min[axis];
            b[axis] = swapped ? min[axis] : max[axis];
        }
        const sl_aabb box = sl_aabb_from_corners(a, b);
        assert_box(&box, min, max);
        /* Along z only: x and y ask for containment, and on the boundary that is given. */
        const sl_segment segment = { { 2, 4, 0 }, { 2, 4, 9 } };
        assert_true(sl_line_aabb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, NULL));
    }
}

TEST(the_empty_box_is_empty_and_so_is_a_box_with_a_nan)
{
    const sl_aabb empty = sl_aabb_empty();
    assert_true(sl_aabb_is_empty(&empty));
    assert_false(sl_volume_is_valid(AS_AABB(&empty)));
    for (int axis = 0; axis < 3; axis++) {
        float a[3] = { 0, 0, 0 };
        const float b[3] = { 1, 1, 1 };
        a[axis] = NAN;
        const sl_aabb boxes[4] = { sl_aabb_from_corners(a, b), sl_aabb_from_corners(b, a),
                                   sl_aabb_from_centre(a, b), sl_aabb_from_centre(b, a) };
        for (int i = 0; i < 4; i++) {
            assert_box(&boxes[i], empty.min, empty.max);
        }
        sl_aabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
        box.min[axis] = NAN;
        assert_true(sl_aabb_is_empty(&box));
        box.min[axis] = 2;
        assert_true(sl_aabb_is_empty(&box));
        box.min[axis] = INFINITY;
        box.max[axis] = INFINITY;
        assert_true(sl_aabb_is_empty(&box)); /* no finite point */
    }
}

TEST(an_unbounded_box_is_neither_empty_nor_valid)
{
    const sl_aabb half_space = { { -INFINITY, -INFINITY, 0 }, { INFINITY, INFINITY, INFINITY } };
    assert_false(sl_aabb_is_empty(&half_space));
    assert_true(sl_volume_is_valid(AS_AABB(&half_space)));
}

TEST(bounds_from_a_centre_are_rounded_to_nearest)
{
    /* 1 - 2^-24 is a float.  1 + 2^-24 is the tie between 1 and 1 + 2^-23: to even, 1. */
    sl_aabb box = sl_aabb_from_centre((float[3]){ 1, 1, 1 },
                                      (float[3]){ 0x1p-23f, 0x1.000002p-23f, -0x1p-22f });
    const float min[3] = { 1 - 0x1p-24f, 1 - 0x1p-24f, 1 - 0x1p-23f };
    const float max[3] = { 1, 1 + 0x1p-23f, 1 + 0x1p-23f };
    assert_box(&box, min, max);
    /* Half of the least denormal is the tie between it and 0; 3 of them halved, between 1 and 2. */
    box = sl_aabb_from_centre((float[3]){ 0, 0, 0 }, (float[3]){ 0x1p-149f, 0x3p-149f, FLT_MAX });
    assert_true(box.max[0] == 0 && box.max[1] == 0x2p-149f && box.max[2] == FLT_MAX / 2);
    /* 1 + 3/2 least denormals is the tie between 2 and 3 of them; halving the size first would make
     * it 1 + 2. */
    box = sl_aabb_from_centre((float[3]){ 0x1p-149f, 0, 0 }, (float[3]){ 0x3p-149f, 0, 0 });
    assert_true(box.min[0] == 0 && box.max[0] == 0x2p-149f);
    box = sl_aabb_from_centre((float[3]){ FLT_MAX, 0, 0 }, (float[3]){ FLT_MAX, 0, 0 });
    assert_true(box.min[0] == FLT_MAX / 2 && box.max[0] == INFINITY);
}
