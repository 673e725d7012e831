/* Rays, segments and lines against boxes: the classical cases, one by one.  The box is -1 .. 1 on
 * all axes unless a test says otherwise.  test_ray_aabb_exact.c has the random ones. */
#include "test/support/oracle/document_box.h"
#include "test/support/test.h"
#include "test/support/volume.h"

static const sl_aabb unit = { { -1, -1, -1 }, { 1, 1, 1 } };

static void assert_point(const float got[3], float x, float y, float z)
{
    assert_true(got[0] == x && got[1] == y && got[2] == z);
}

static bool span_of(sl_line line, const sl_aabb *box, float *t0, float *t1)
{
    sl_aabb_hit hit = { .t0 = 7, .t1 = 7 };
    const bool found = sl_line_aabb(line, box, SL_INSIDE_SOLID, &hit);
    *t0 = hit.t0;
    *t1 = hit.t1;
    return found;
}

TEST(case_01_a_segment_ends_at_its_target_a_ray_and_a_line_do_not)
{
    const sl_segment segment = { { -4, 0, 0 }, { -2, 0, 0 } }; /* stops before the box */
    const sl_ray ray = sl_ray_make((float[3]){ -4, 0, 0 }, (float[3]){ 2, 0, 0 });
    const sl_ray away = sl_ray_make((float[3]){ -4, 0, 0 }, (float[3]){ -2, 0, 0 });
    const sl_line line = {
        .origin = { -4, 0, 0 }, .head = { -2, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    float t0 = 7, t1 = 7;
    assert_false(span_of(sl_line_of_segment(&segment), &unit, &t0, &t1));
    assert_true(t0 == 7 && t1 == 7); /* left alone */
    /* From -4 to the faces at -1 and 1, at 2 units of length for each of t. */
    assert_true(span_of(sl_line_of_ray(&ray), &unit, &t0, &t1));
    assert_true(t0 == 1.5f && t1 == 2.5f);
    assert_false(span_of(sl_line_of_ray(&away), &unit, &t0, &t1));
    assert_true(span_of(line, &unit, &t0, &t1));
    assert_true(t0 == -2.5f && t1 == -1.5f);
    sl_aabb_hit hit;
    assert_true(sl_line_aabb(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID,
                             &hit)); /* the surface it touches */
    assert_int_equal(hit.face, SL_BOX_FACE_MIN_X);
    assert_point(hit.point, -1, 0, 0);
    assert_point(hit.normal, -1, 0, 0);
}

TEST(case_06_edges_corners_and_coplanar_faces_are_touched_in_one_answer)
{
    float t0, t1;
    /* Past the corner (1, 1, 1) only: x + y = 2 in the plane z = 1. */
    const sl_segment corner = { { 0, 2, 1 }, { 2, 0, 1 } };
    assert_true(span_of(sl_line_of_segment(&corner), &unit, &t0, &t1));
    assert_true(t0 == 0.5f && t1 == 0.5f);
    const sl_segment beside = { { 0, 2, 1 }, { 2, nextafterf(0, 1), 1 } };
    assert_false(span_of(sl_line_of_segment(&beside), &unit, &t0, &t1));
    const sl_segment edge = { { 0, 2, 0 }, { 2, 0, 0 } };
    assert_true(span_of(sl_line_of_segment(&edge), &unit, &t0, &t1));
    assert_true(t0 == 0.5f && t1 == 0.5f);
    /* In the plane of the face x = 1, along y: from y = -2, one unit of t is 4. */
    const sl_segment coplanar = { { 1, -2, 0 }, { 1, 2, 0 } };
    assert_true(span_of(sl_line_of_segment(&coplanar), &unit, &t0, &t1));
    assert_true(t0 == 0.25f && t1 == 0.75f);
    const sl_segment outside = { { nextafterf(1, 2), -2, 0 }, { nextafterf(1, 2), 2, 0 } };
    assert_false(span_of(sl_line_of_segment(&outside), &unit, &t0, &t1));
    /* Along an edge. */
    const sl_segment along = { { 1, -2, -1 }, { 1, 2, -1 } };
    assert_true(span_of(sl_line_of_segment(&along), &unit, &t0, &t1));
    assert_true(t0 == 0.25f && t1 == 0.75f);
}

TEST(case_07_an_axis_without_movement_has_no_entry_face)
{
    /* Straight down z, in the plane of the face at max x, where the document would pick that face.
     */
    const sl_ray ray = sl_ray_make((float[3]){ 1, 0.5f, 3 }, (float[3]){ 0, 0, -1 });
    sl_aabb_hit hit;
    assert_true(sl_line_aabb(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, &hit));
    assert_int_equal(hit.entry, SL_BOX_FACE_MAX_Z);
    assert_int_equal(hit.exit, SL_BOX_FACE_MIN_Z);
    assert_point(hit.normal, 0, 0, 1);
    assert_true(hit.t0 == 2 && hit.t1 == 4);
    /* Starting on that face and sliding along it: a hit at once, entered through nothing. */
    const sl_ray sliding = sl_ray_make((float[3]){ 1, 0.5f, 0 }, (float[3]){ 0, 0, -1 });
    for (int policy = SL_INSIDE_SOLID; policy <= SL_INSIDE_IGNORE; policy++) {
        assert_true(sl_line_aabb(sl_line_of_ray(&sliding), &unit, (sl_start_inside)policy, &hit));
        assert_int_equal(hit.face, SL_BOX_FACE_NONE);
        assert_false(hit.inside);
        assert_true(hit.t == 0 && hit.t1 == 1);
        assert_point(hit.normal, 0, 0, 0);
    }
}

TEST(case_08_what_meets_an_edge_is_never_lost_to_rounding)
{
    test_random random = { 8 };
    int lost = 0;
    for (int i = 0; i < 20000; i++) {
        /* Through the point (-1, 1, z) of an edge, in whole steps: the exact crossing. */
        const int before = 1 + (int)test_random_below(&random, 40);
        const int after = 1 + (int)test_random_below(&random, 40);
        const int step[3] = { 1 + (int)test_random_below(&random, 9),
                              1 + (int)test_random_below(&random, 9),
                              (int)test_random_below(&random, 3) - 1 };
        const int edge[3] = { -1, 1, 0 };
        sl_segment segment;
        for (int axis = 0; axis < 3; axis++) {
            segment.p[axis] = (float)(edge[axis] - before * step[axis]);
            segment.q[axis] = (float)(edge[axis] + after * step[axis]);
        }
        float contact[3], t0, t1;
        lost += !document_raycast(segment.p, segment.q, &unit, true, contact);
        assert_true(span_of(sl_line_of_segment(&segment), &unit, &t0, &t1));
        assert_true(t0 == t1); /* it climbs out where it comes in */
    }
    print_message("the document loses %d of 20000\n", lost);
    assert_true(lost > 100);
}

TEST(case_09_the_first_plane_is_not_taken_for_the_entry)
{
    /* From inside towards +x +y, three times as far along y.  The document asks x = -1 first and
     * finds (-1, -3): not in the face; then y = -1, (-1/3, -1): taken, behind the start. */
    const float a[3] = { 0, 0, 0 }, b[3] = { 3, 9, 0 };
    float contact[3];
    assert_true(document_raycast(a, b, &unit, true, contact));
    assert_true(contact[1] == -1 && contact[0] < 0);
    const sl_segment segment = { { 0, 0, 0 }, { 3, 9, 0 } };
    sl_aabb_hit hit;
    assert_true(sl_line_aabb(sl_line_of_segment(&segment), &unit, SL_INSIDE_HOLLOW, &hit));
    assert_int_equal(hit.face, SL_BOX_FACE_MAX_Y);
    assert_point(hit.normal, 0, 1, 0);
    assert_point(hit.point, 1.0f / 3, 1, 0);
    assert_true(hit.t == 1.0f / 9);
}

TEST(case_09_ties_go_to_the_lowest_axis_in_any_direction)
{
    for (int corner = 0; corner < 8; corner++) {
        for (int axes = 1; axes < 8; axes++) { /* which axes the movement is along */
            sl_segment segment;
            int lowest = -1;
            for (int axis = 2; axis >= 0; axis--) {
                const float side = ((corner >> axis) & 1) != 0 ? 1.0f : -1.0f;
                const bool moving = ((axes >> axis) & 1) != 0;
                segment.p[axis] = moving ? 2 * side : 0;
                segment.q[axis] = moving ? -2 * side : 0;
                lowest = moving ? axis : lowest;
            }
            const int max = (corner >> lowest) & 1;
            sl_aabb_hit hit;
            assert_true(sl_line_aabb(sl_line_of_segment(&segment), &unit, SL_INSIDE_SOLID, &hit));
            assert_int_equal(hit.entry, 2 * lowest + max);
            assert_int_equal(hit.exit, 2 * lowest + (1 - max));
            assert_true(hit.t0 == 0.25f && hit.t1 == 0.75f);
        }
    }
}

TEST(case_10_a_component_of_zero_asks_for_containment_only)
{
    const float zeros[2] = { 0.0f, -0.0f };
    for (int sign = 0; sign < 2; sign++) {
        for (int axis = 0; axis < 3; axis++) {
            for (int steps = -1; steps <= 1; steps++) {
                sl_ray ray = sl_ray_make((float[3]){ -3, -3, -3 }, (float[3]){ 1, 1, 1 });
                ray.dir[axis] = zeros[sign];
                ray.origin[axis] = steps == 0 ? 1 : nextafterf(1, steps < 0 ? 0.0f : 2.0f);
                float t0, t1;
                const bool hit = span_of(sl_line_of_ray(&ray), &unit, &t0, &t1);
                assert_int_equal(hit, steps <= 0);
                assert_true(!hit || (t0 == 2 && t1 == 4));
            }
        }
    }
    /* Nor does it matter that the box has no end there. */
    const sl_aabb column = { { -1, -INFINITY, -1 }, { 1, INFINITY, 1 } };
    sl_ray ray = sl_ray_make((float[3]){ -3, 5, 0 }, (float[3]){ 1, 0, 0 });
    float t0, t1;
    assert_true(span_of(sl_line_of_ray(&ray), &column, &t0, &t1));
    assert_true(t0 == 2 && t1 == 4);
    ray.dir[1] = -100;
    assert_true(span_of(sl_line_of_ray(&ray), &column, &t0, &t1));
    assert_true(t0 == 2 && t1 == 4);
    const sl_ray inside = sl_ray_make((float[3]){ 0, 5, 0 }, (float[3]){ 0, 1, 0 });
    assert_true(span_of(sl_line_of_ray(&inside), &column, &t0, &t1));
    assert_true(t0 == 0 && t1 == INFINITY);
}

TEST(case_11_starting_inside_is_a_policy_and_never_a_hit_behind)
{
    const float a[3] = { 0, 0, 0 }, b[3] = { 5, 0, 0 };
    float contact[3];
    assert_true(document_raycast(a, b, &unit, true, contact));
    assert_point(contact, -1, 0, 0); /* the document: behind the start */
    const sl_segment segment = { { 0, 0, 0 }, { 5, 0, 0 } };
    sl_aabb_hit hit;
    assert_true(sl_line_aabb(sl_line_of_segment(&segment), &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.inside && hit.t == 0 && hit.face == SL_BOX_FACE_NONE);
    assert_point(hit.point, 0, 0, 0);
    assert_true(sl_line_aabb(sl_line_of_segment(&segment), &unit, SL_INSIDE_HOLLOW, &hit));
    assert_true(hit.inside && hit.t == 0.2f && hit.face == SL_BOX_FACE_MAX_X);
    assert_point(hit.point, 1, 0, 0);
    assert_point(hit.normal, 1, 0, 0);
    assert_false(sl_line_aabb(sl_line_of_segment(&segment), &unit, SL_INSIDE_IGNORE, &hit));
    assert_false(sl_line_aabb(sl_line_of_segment(&segment), &unit, SL_INSIDE_IGNORE_LEAVING, &hit));
    /* A segment that ends inside has met no surface. */
    const sl_segment within = { { 0, 0, 0 }, { 0.5f, 0, 0 } };
    assert_true(sl_line_aabb(sl_line_of_segment(&within), &unit, SL_INSIDE_SOLID, &hit));
    assert_false(sl_line_aabb(sl_line_of_segment(&within), &unit, SL_INSIDE_HOLLOW, &hit));
    const sl_segment to_the_wall = { { 0, 0, 0 }, { 1, 0, 0 } };
    assert_true(sl_line_aabb(sl_line_of_segment(&to_the_wall), &unit, SL_INSIDE_HOLLOW, &hit));
    assert_true(hit.t == 1 && hit.face == SL_BOX_FACE_MAX_X);
}

TEST(case_11_who_starts_on_the_surface_hits_it_at_once)
{
    const sl_ray inwards = sl_ray_make((float[3]){ -1, 0, 0 }, (float[3]){ 1, 0, 0 });
    const sl_ray outwards = sl_ray_make((float[3]){ -1, 0, 0 }, (float[3]){ -1, 0, 0 });
    for (int policy = SL_INSIDE_SOLID; policy <= SL_INSIDE_IGNORE_LEAVING; policy++) {
        sl_aabb_hit hit;
        assert_true(sl_line_aabb(sl_line_of_ray(&inwards), &unit, (sl_start_inside)policy, &hit));
        assert_true(hit.t == 0 && !hit.inside && hit.face == SL_BOX_FACE_MIN_X && hit.t1 == 2);
        assert_true(sl_line_aabb(sl_line_of_ray(&outwards), &unit, (sl_start_inside)policy, &hit));
        assert_true(hit.t == 0 && !hit.inside && hit.face == SL_BOX_FACE_NONE);
        assert_true(hit.exit == SL_BOX_FACE_MIN_X && hit.t1 == 0);
    }
    /* A flat box is all surface. */
    const sl_aabb flat = { { -1, 0, -1 }, { 1, 0, 1 } };
    const sl_ray in_it = sl_ray_make((float[3]){ 0, 0, 0 }, (float[3]){ 1, 0, 0 });
    assert_true(sl_line_aabb(sl_line_of_ray(&in_it), &flat, SL_INSIDE_IGNORE, NULL));
}

TEST(case_12_a_box_behind_the_origin_is_missed)
{
    const float a[3] = { 3, 0, 0 }, b[3] = { 10, 0, 0 };
    float contact[3];
    assert_true(document_raycast(a, b, &unit, true, contact));
    assert_point(contact, -1, 0, 0); /* the document: 4 away, which is less than 7 */
    const sl_segment segment = { { 3, 0, 0 }, { 10, 0, 0 } };
    const sl_ray ray = sl_ray_make((float[3]){ 3, 0, 0 }, (float[3]){ 7, 0, 0 });
    assert_false(sl_line_aabb(sl_line_of_segment(&segment), &unit, SL_INSIDE_SOLID, NULL));
    assert_false(sl_line_aabb(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, NULL));
}

TEST(case_13_limits_are_limits_of_t_and_belong_to_it)
{
    const sl_segment up_to = { { -3, 0, 0 }, { -1, 0, 0 } };
    float t0, t1;
    assert_true(span_of(sl_line_of_segment(&up_to), &unit, &t0, &t1));
    assert_true(t0 == 1 && t1 == 1);
    const sl_segment short_of = { { -3, 0, 0 }, { nextafterf(-1, -2), 0, 0 } };
    assert_false(sl_line_aabb(sl_line_of_segment(&short_of), &unit, SL_INSIDE_SOLID, NULL));
    /* The face at x = -1 is met at t = 1/3, between two floats. */
    const float below = 0x1.555554p-2f, above = 0x1.555556p-2f;
    sl_ray ray = { { -2, 0, 0 }, 0, { 3, 0, 0 }, below };
    assert_false(sl_line_aabb(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, NULL));
    ray.tmax = above;
    sl_aabb_hit hit;
    assert_true(sl_line_aabb(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == above && hit.entry == SL_BOX_FACE_MIN_X && hit.exit == SL_BOX_FACE_NONE);
    /* It leaves at t = 1: a ray that starts there touches, one that starts later does not. */
    ray.tmin = 1;
    ray.tmax = INFINITY;
    assert_true(span_of(sl_line_of_ray(&ray), &unit, &t0, &t1));
    assert_true(t0 == 1 && t1 == 1);
    ray.tmin = nextafterf(1, 2);
    assert_false(sl_line_aabb(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, NULL));
    ray.tmin = -INFINITY;
    assert_true(span_of(sl_line_of_ray(&ray), &unit, &t0, &t1));
    assert_true(t0 == above);
    ray.tmin = INFINITY; /* no finite t is left */
    assert_false(sl_line_aabb(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, NULL));
    ray.tmin = ray.tmax = -INFINITY;
    assert_false(sl_line_aabb(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, NULL));
    ray.dir[0] = 0; /* a point inside, but never */
    ray.origin[0] = 0;
    assert_false(sl_line_aabb(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, NULL));
}

TEST(case_14_the_endless_line_is_a_question_of_its_own)
{
    const float before[3] = { -3, 0, 0 }, short_of[3] = { -2, 0, 0 };
    const float past[3] = { 3, 0, 0 }, further[3] = { 10, 0, 0 };
    float contact[3];
    assert_true(document_raycast(before, short_of, &unit, false, contact));
    assert_point(contact, -1, 0, 0); /* the document: after B */
    assert_true(document_raycast(past, further, &unit, false, contact));
    assert_point(contact, -1, 0, 0); /* the document: before A, and not even the nearer side */
    const sl_segment segments[2] = { { { -3, 0, 0 }, { -2, 0, 0 } },
                                     { { 3, 0, 0 }, { 10, 0, 0 } } };
    const sl_line lines[2] = { { { -3, 0, 0 }, { 0 }, { 1, 0, 0 }, -INFINITY, INFINITY },
                               { { 3, 0, 0 }, { 0 }, { 7, 0, 0 }, -INFINITY, INFINITY } };
    for (int i = 0; i < 2; i++) {
        assert_false(sl_line_aabb(sl_line_of_segment(&segments[i]), &unit, SL_INSIDE_SOLID, NULL));
        sl_aabb_hit hit;
        assert_true(sl_line_aabb(lines[i], &unit, SL_INSIDE_SOLID, &hit));
        assert_point(hit.point, -1, 0, 0);
        assert_true(hit.t0 == (i == 0 ? 2 : -4.0f / 7) && hit.t1 == (i == 0 ? 4 : -2.0f / 7));
        assert_false(hit.inside); /* a line starts nowhere */
    }
    const sl_line through_inside = {
        .origin = { 0, 0, 0 }, .head = { 1, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    sl_aabb_hit hit;
    assert_true(sl_line_aabb(through_inside, &unit, SL_INSIDE_IGNORE, &hit));
    assert_true(hit.t0 == -1 && hit.t1 == 1 && !hit.inside);
}

TEST(case_15_without_length_it_is_a_point)
{
    const float inside[3] = { 0.5f, 0, 0 };
    float contact[3];
    assert_false(document_raycast(inside, inside, &unit, true, contact)); /* the document: 0 / 0 */
    const sl_segment segment = { { 0.5f, 0, 0 }, { 0.5f, 0, 0 } };
    sl_aabb_hit hit;
    assert_true(sl_line_aabb(sl_line_of_segment(&segment), &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == 0 && hit.inside && hit.face == SL_BOX_FACE_NONE);
    assert_point(hit.point, 0.5f, 0, 0);
    assert_false(sl_line_aabb(sl_line_of_segment(&segment), &unit, SL_INSIDE_HOLLOW, &hit));
    assert_false(sl_line_aabb(sl_line_of_segment(&segment), &unit, SL_INSIDE_IGNORE, &hit));
    const sl_ray ray = sl_ray_make((float[3]){ 1, 1, 1 }, (float[3]){ 0, 0, 0 });
    assert_true(
        sl_line_aabb(sl_line_of_ray(&ray), &unit, SL_INSIDE_HOLLOW, &hit)); /* on the surface */
    assert_true(hit.t == 0 && hit.t1 == INFINITY && !hit.inside);
    const sl_line line = { .origin = { 1, 1, nextafterf(1, 2) },
                           .head = { 0, 0, 0 },
                           .tmin = -INFINITY,
                           .tmax = INFINITY };
    assert_false(sl_line_aabb(line, &unit, SL_INSIDE_SOLID, NULL));
    const sl_line point = {
        .origin = { 0.5f, 0, 1 }, .head = { 0, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_true(sl_line_aabb(point, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == 0 && hit.t0 == -INFINITY && hit.t1 == INFINITY);
    assert_point(hit.point, 0.5f, 0, 1);
}

TEST(case_55_the_documents_slabs_give_the_same_spans)
{
    test_random random = { 55 };
    int hits = 0;
    for (int i = 0; i < 50000; i++) {
        /* Whole coordinates and movements by powers of two: the document does not round. */
        static const float moves[9] = { 0, 1, 2, 4, 8, -1, -2, -4, -8 };
        sl_segment segment;
        float low[3], high[3];
        for (int axis = 0; axis < 3; axis++) {
            segment.p[axis] = (float)test_random_below(&random, 9) - 4;
            segment.q[axis] = segment.p[axis] + moves[test_random_below(&random, 9)];
            low[axis] = (float)test_random_below(&random, 7) - 3;
            high[axis] = (float)test_random_below(&random, 7) - 3;
        }
        const sl_aabb box = sl_aabb_from_corners(low, high);
        float expected0, expected1, t0, t1;
        const bool expected = document_slabs(segment.p, segment.q, &box, &expected0, &expected1);
        assert_int_equal(span_of(sl_line_of_segment(&segment), &box, &t0, &t1), expected);
        assert_true(!expected || (t0 == expected0 && t1 == expected1));
        /* Case 57: a segment that passes the three slabs is within [0, 1] already. */
        assert_true(!expected || (t0 >= 0 && t0 <= t1 && t1 <= 1));
        hits += expected;
    }
    assert_true(hits > 3000 && hits < 47000);
}

TEST(case_57_a_span_lies_within_the_limits_without_a_last_check)
{
    test_random random = { 57 };
    int hits = 0;
    for (int i = 0; i < 20000; i++) {
        sl_ray ray;
        for (int axis = 0; axis < 3; axis++) {
            ray.origin[axis] = test_random_in(&random, -2, 2);
            ray.dir[axis] = test_random_in(&random, -2, 2);
        }
        ray.tmin = test_random_in(&random, -1, 1);
        ray.tmax = ray.tmin + test_random_unit(&random);
        float t0, t1;
        if (span_of(sl_line_of_ray(&ray), &unit, &t0, &t1)) {
            assert_true(ray.tmin <= t0 && t0 <= t1 && t1 <= ray.tmax);
            hits++;
        }
    }
    assert_true(hits > 1000);
}

TEST(case_58_inside_gives_the_whole_span_and_says_so)
{
    const sl_segment within = { { -0.5f, 0, 0 }, { 0.5f, 0.25f, 0 } };
    sl_aabb_hit hit;
    assert_true(sl_line_aabb(sl_line_of_segment(&within), &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0 && hit.t1 == 1 && hit.inside);
    assert_true(hit.entry == SL_BOX_FACE_NONE && hit.exit == SL_BOX_FACE_NONE);
    const sl_segment leaving = { { 0, 0, 0 }, { 0, 0, -4 } };
    assert_true(sl_line_aabb(sl_line_of_segment(&leaving), &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0 && hit.t1 == 0.25f && hit.inside && hit.exit == SL_BOX_FACE_MIN_Z);
    const sl_segment entering = { { 0, 0, -4 }, { 0, 0, 0 } };
    assert_true(sl_line_aabb(sl_line_of_segment(&entering), &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.75f && hit.t1 == 1 && !hit.inside && hit.exit == SL_BOX_FACE_NONE);
}

TEST(case_59_a_segment_without_length_is_in_where_its_point_is)
{
    for (int i = 0; i < 125; i++) {
        const float p[3] = { (float)(i % 5 - 2), (float)(i / 5 % 5 - 2), (float)(i / 25 - 2) };
        const sl_segment segment = { { p[0], p[1], p[2] }, { p[0], p[1], p[2] } };
        float t0, t1;
        const bool inside = span_of(sl_line_of_segment(&segment), &unit, &t0, &t1);
        assert_int_equal(inside, sl_volume_contains_point(AS_AABB(&unit), p));
        assert_true(!inside || (t0 == 0 && t1 == 1));
    }
}

TEST(case_60_touching_counts_and_nan_never_does)
{
    /* A segment that ends on each of the 26 faces, edges and corners, from outside. */
    for (int i = 0; i < 27; i++) {
        const int n[3] = { i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1 };
        sl_segment segment;
        for (int axis = 0; axis < 3; axis++) {
            segment.p[axis] = 3 * (float)n[axis];
            segment.q[axis] = (float)n[axis];
        }
        assert_true(sl_line_aabb(sl_line_of_segment(&segment), &unit, SL_INSIDE_SOLID, NULL));
    }
    for (int at = 0; at < 12; at++) {
        float x[12] = { -2, 0, 0, 2, 0, 0, -1, -1, -1, 1, 1, 1 };
        x[at] = NAN;
        const sl_segment segment = { { x[0], x[1], x[2] }, { x[3], x[4], x[5] } };
        const sl_ray ray = sl_ray_make(segment.p, segment.q);
        const sl_line line = { .origin = { x[0], x[1], x[2] },
                               .head = { x[3], x[4], x[5] },
                               .tmin = -INFINITY,
                               .tmax = INFINITY };
        const sl_aabb box = { { x[6], x[7], x[8] }, { x[9], x[10], x[11] } };
        assert_false(sl_line_aabb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, NULL));
        assert_false(sl_line_aabb(sl_line_of_ray(&ray), &box, SL_INSIDE_SOLID, NULL));
        assert_false(sl_line_aabb(line, &box, SL_INSIDE_SOLID, NULL));
    }
    const sl_aabb empty = sl_aabb_empty(), inverted = { { -1, 1, -1 }, { 1, -1, 1 } };
    const sl_line line = {
        .origin = { 0, 0, 0 }, .head = { 1, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_false(sl_line_aabb(line, &empty, SL_INSIDE_SOLID, NULL));
    assert_false(sl_line_aabb(line, &inverted, SL_INSIDE_SOLID, NULL));
}

TEST(an_unbounded_box_ends_nothing)
{
    const sl_aabb all = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
    const sl_line line = {
        .origin = { 1, 2, 3 }, .head = { 4, 5, 6 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    sl_aabb_hit hit;
    assert_true(sl_line_aabb(line, &all, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == -INFINITY && hit.t1 == INFINITY && hit.t == 0 && hit.inside);
    assert_point(hit.point, 1, 2, 3);
    const sl_aabb below = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, -1 } };
    assert_true(sl_line_aabb(line, &below, SL_INSIDE_SOLID, &hit));
    /* z = -1 at 3 + 6 t = -1: t = -2/3; from -inf to there, nearest to 0 is the end. */
    assert_true(hit.t0 == -INFINITY && hit.t1 == -2.0f / 3 && hit.t == hit.t1);
    assert_true(hit.point[2] == -1);
    const sl_aabb nowhere = { { -1, -1, INFINITY }, { 1, 1, INFINITY } };
    const sl_line up = {
        .origin = { 0, 0, 0 }, .head = { 0, 0, 1 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_false(sl_line_aabb(up, &nowhere, SL_INSIDE_SOLID, NULL)); /* no t is infinite */
}
