/* Shapes that move against one shape that stands: sl_sweep_volume, and hulls in the functions of
 * overlap.h, which are the same without motion. */
#include "test/support/environment/painted_stack.h"
#include "test/support/hard/sweeps.h"
#include "test/support/oracle/fraction.h"
#include "test/support/oracle/sweep_oracle.h"
#include "test/support/oracle/volume_oracle.h"
#include "test/support/test.h"

#include <sightline/contact.h>

static const sl_volume_kind polytopes[] = { SL_VOLUME_AABB, SL_VOLUME_OBB, SL_VOLUME_TRIANGLE,
                                            SL_VOLUME_HULL };

/* What stands is a hard mover of other numbers, or of the same ones. */
static void make_pair(test_random *random, sl_volume_kind mover, sl_volume_kind obstacle,
                      hard_sweep *a, hard_sweep *b)
{
    const test_random before = *random;
    hard_sweep_make(random, mover, 1 + (int)test_random_below(random, 8), a);
    test_random same = { before.state };
    hard_sweep_make(&same, obstacle, 8, b);
}

TEST(polytopes_against_boxes_are_as_linear_programs_say)
{
    static hard_sweep a, b;
    test_random random = { test_seed(11) };
    size_t met = 0, later = 0;
    for (size_t i = 0; i < test_count(4000); i++) {
        make_pair(&random, polytopes[i % 4], polytopes[i / 4 % 3], &a, &b);
        for (int axis = 0; axis < 3; axis++) { /* so that they are not mostly in one place */
            a.sweep.dir[axis] *= i % 3 == 0 ? 2 : 1;
        }
        sl_contact got;
        const sweep_answer want = sweep_oracle(&a.sweep, &b.sweep.volume);
        assert_int_equal(sl_sweep_volume(&a.sweep, &b.sweep.volume, &got), want.met);
        assert_int_equal(got.prim == SL_NONE, !want.met);
        assert_true(!want.met ||
                    (got.t == want.t && got.t_safe == want.t_safe && got.start == want.start));
        met += want.met;
        later += want.met && want.t > 0;
    }
    print_message("%zu met, %zu of them later\n", met, later);
    assert_true(met > later);
}

/* The square of the distance of a point that moves from a box, at t, minus the radius's. */
static fraction gap_at(const double at[3], const double dir[3], double t, const sl_aabb_d *box,
                       double radius)
{
    fraction sum = fraction_of(0);
    for (int axis = 0; axis < 3; axis++) {
        const fraction x = fraction_add(fraction_of(at[axis]),
                                        fraction_mul(fraction_of(t), fraction_of(dir[axis])));
        const fraction below = fraction_sub(fraction_of(box->min[axis]), x);
        const fraction above = fraction_sub(x, fraction_of(box->max[axis]));
        const fraction out = fraction_sign(below) > 0   ? below
                             : fraction_sign(above) > 0 ? above
                                                        : fraction_of(0);
        sum = fraction_add(sum, fraction_mul(out, out));
    }
    return fraction_sub(sum, fraction_mul(fraction_of(radius), fraction_of(radius)));
}

/* The distance is convex in t: where it is still at least the radius at t_safe, and no more than
 * that one double later, it has been more before. */
static void hold_sphere(const sl_sphere_d *sphere, const double dir[3], const sl_aabb_d *box,
                        bool met, const sl_contact *got)
{
    const double *c = sphere->centre, r = sphere->radius;
    const int start = fraction_sign(gap_at(c, dir, 0, box, r));
    if (start <= 0) {
        assert_true(met && got->t == 0 && got->t_safe == 0);
        assert_int_equal(got->start == SL_START_OVERLAPPING, start < 0);
    } else if (met) {
        const double next = nextafter(got->t_safe, INFINITY);
        assert_true(got->start == SL_START_APART && got->t <= 1);
        assert_true(got->t == got->t_safe || got->t == next);
        assert_true(fraction_sign(gap_at(c, dir, got->t_safe, box, r)) >= 0);
        const double after = mpq_get_d(gap_at(c, dir, next, box, r));
        const double step =
            (next - got->t_safe) * fmax(fabs(dir[0]), fmax(fabs(dir[1]), fabs(dir[2])));
        /* Where it grazes the box it is hardly nearer. */
        assert_true(after <= 0x1p-40 * r * r || !(step < 0x1p-48 * r));
    } else {
        for (int i = 1; i <= 64; i++) {
            assert_true(fraction_sign(gap_at(c, dir, i / 64.0, box, r)) > 0);
        }
    }
    fraction_reset();
}

TEST(spheres_and_boxes_along_the_axes_meet_at_the_radius)
{
    static hard_sweep a;
    test_random random = { test_seed(12) };
    size_t met = 0, later = 0;
    for (size_t i = 0; i < test_count(3000); i++) {
        hard_sweep_make(&random, SL_VOLUME_AABB, 0, &a);
        a.sweep.touching = a.sweep.overlapping = SL_START_REPORT;
        a.sweep.ignore_grazing = false;
        const sl_aabb_d box = a.sweep.volume.shape.aabb;
        const double width = box.max[0] - box.min[0];
        const int parts = width < 0x1p-100 ? 1 : 1 << test_random_below(&random, 3);
        sl_sphere_d ball = { .radius = fmin(width, 0x1p120) / parts };
        memcpy(ball.centre, a.corners[0], sizeof ball.centre);
        if (ball.radius == 0) {
            continue;
        }
        sl_contact got;
        const sl_volume_d sphere = { SL_VOLUME_SPHERE, { .sphere = ball } };
        const sl_volume_d obstacle = { SL_VOLUME_AABB, { .aabb = box } };
        sl_sweep_d sweep = a.sweep;
        sweep.volume = sphere;
        bool found = sl_sweep_volume(&sweep, &obstacle, &got);
        hold_sphere(&ball, sweep.dir, &box, found, &got);
        met += found;
        later += found && got.t > 0;
        const bool flat =
            box.min[0] == box.max[0] || box.min[1] == box.max[1] || box.min[2] == box.max[2];
        if (!flat) { /* the other way around the box moves back */
            found = sl_sweep_volume(&a.sweep, &sphere, &got);
            const double back[3] = { -a.sweep.dir[0], -a.sweep.dir[1], -a.sweep.dir[2] };
            hold_sphere(&ball, back, &box, found, &got);
        }
    }
    print_message("%zu met, %zu of them later\n", met, later);
    assert_true(later > 0 && met > later);
}

/* A ball of radius 2 at the origin moves to x = 10; a ball of radius 1 stands at x = 7, so that
 * they touch at x = 4.  One without a radius, or a box of such a corner, likewise. */
TEST(spheres_meet_spheres)
{
    const sl_sweep_d sweep = { .volume = { SL_VOLUME_SPHERE, { .sphere = { { 0 }, 2 } } },
                               .dir = { 10, 0, 0 } };
    const sl_volume_d ball = { SL_VOLUME_SPHERE, { .sphere = { { 7, 0, 0 }, 1 } } };
    sl_contact got;
    assert_true(sl_sweep_volume(&sweep, &ball, &got));
    assert_true(got.t == 0.4 && got.start == SL_START_APART && got.prim == 0);
    assert_true(got.point[0] == 6 && got.normal[0] == -1);
    const sl_sweep_d point = { .volume = { SL_VOLUME_SPHERE, { .sphere = { { 0 }, 0 } } },
                               .dir = { 12, 0, 0 } };
    assert_true(sl_sweep_volume(&point, &ball, &got));
    assert_true(got.t == 0.5 && got.point[0] == 6 && got.normal[0] == -1);
    const sl_volume_d small = { SL_VOLUME_SPHERE, { .sphere = { { 7, 0, 0 }, 0 } } };
    assert_true(sl_sweep_volume(&sweep, &small, &got));
    assert_true(got.t == 0.5 && got.point[0] == 7 && got.normal[0] == -1);
}

/* A cube of side 2 at the origin moves up by 8 to a floor's triangle at z = 5, which it meets at 4
 * of 8 with all of its upper face; what they share is that face. */
TEST(contact_is_in_the_middle_of_what_faces_share)
{
    const sl_sweep_d sweep = {
        .volume = { SL_VOLUME_AABB, { .aabb = { { -1, -1, -1 }, { 1, 1, 1 } } } },
        .dir = { 0, 0, 8 },
    };
    sl_volume_d floor = { SL_VOLUME_TRIANGLE,
                          { .triangle = { { { -20, -20, 5 }, { 20, -20, 5 }, { 0, 20, 5 } } } } };
    sl_contact got;
    assert_true(sl_sweep_volume(&sweep, &floor, &got));
    assert_true(got.t == 0.5 && got.t_safe == 0.5);
    assert_true(got.normal[0] == 0 && got.normal[1] == 0 && got.normal[2] == -1);
    assert_true(got.point[0] == 0 && got.point[1] == 0 && got.point[2] == 5);
    assert_int_equal(got.flags, SL_HIT_BACK);
}

/* The same cube against an edge above it, along y, and against a corner. */
TEST(contact_is_on_the_edge_or_corner_that_is_met)
{
    const sl_sweep_d sweep = {
        .volume = { SL_VOLUME_AABB, { .aabb = { { -1, -1, -1 }, { 1, 1, 1 } } } },
        .dir = { 0, 0, 8 },
    };
    sl_volume_d roof = { SL_VOLUME_TRIANGLE,
                         { .triangle = { { { 0.5, -9, 5 }, { 0.5, 9, 5 }, { 0, 0, 9 } } } } };
    sl_contact got;
    assert_true(sl_sweep_volume(&sweep, &roof, &got));
    assert_true(got.t == 0.5 && got.normal[2] == -1);
    assert_int_equal(got.flags, SL_HIT_EDGE | SL_HIT_BACK);
    assert_true(got.point[0] == 0.5 && got.point[1] == 0 && got.point[2] == 5);
    roof.shape.triangle.v[1][2] = 6;
    roof.shape.triangle.v[0][1] = 0.25;
    assert_true(sl_sweep_volume(&sweep, &roof, &got));
    assert_true(got.t == 0.5 && got.point[0] == 0.5 && got.point[1] == 0.25 && got.point[2] == 5);
    assert_int_equal(got.flags & (SL_HIT_EDGE | SL_HIT_VERTEX), SL_HIT_EDGE | SL_HIT_VERTEX);
}

TEST(what_is_invalid_meets_nothing)
{
    const double points[6] = { 0, 0, 0, NAN, 0, 0 };
    const sl_volume_d all = { SL_VOLUME_AABB, { .aabb = { { -9, -9, -9 }, { 9, 9, 9 } } } };
    const sl_volume_d bad[] = {
        { SL_VOLUME_AABB, { .aabb = { { 1, 0, 0 }, { 0, 1, 1 } } } },
        { SL_VOLUME_AABB, { .aabb = { { 0, 0, NAN }, { 0, 1, 1 } } } },
        { SL_VOLUME_SPHERE, { .sphere = { { 0 }, -1 } } },
        { SL_VOLUME_HULL, { .hull = { points, 0 } } },
        { SL_VOLUME_HULL, { .hull = { points, 2 } } },
        { SL_VOLUME_HULL, { .hull = { points, SL_HULL_POINTS_MAX + 1 } } },
        { SL_VOLUME_FRUSTUM, { .frustum = { .count = 0 } } },
        { .kind = (sl_volume_kind)77 },
    };
    sl_contact got;
    sl_sweep_d sweep = { .dir = { 1, 0, 0 } };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sweep.volume = bad[i];
        assert_false(sl_sweep_volume(&sweep, &all, &got));
        assert_true(got.prim == SL_NONE && got.t == 1);
        sweep.volume = all;
        assert_false(sl_sweep_volume(&sweep, &bad[i], NULL));
    }
    assert_true(sl_sweep_volume(&sweep, &all, &got));
    assert_int_equal(got.start, SL_START_OVERLAPPING);
    sweep.dir[1] = NAN;
    assert_false(sl_sweep_volume(&sweep, &all, &got));
    sweep.dir[1] = 0x1p128;
    assert_false(sl_sweep_volume(&sweep, &all, &got));
    sweep.dir[1] = 0;
    sweep.touching = (sl_start_contact)3;
    assert_false(sl_sweep_volume(&sweep, &all, &got));
}

/* A slab without limits along x and y rises towards a triangle, and there is no way around it. */
TEST(unbounded_boxes_move)
{
    const sl_volume_d at = { SL_VOLUME_TRIANGLE,
                             { .triangle = { { { 1e9, 3, 5 }, { 1e9, 4, 5 }, { 1e9, 4, 6 } } } } };
    sl_sweep_d sweep = { .dir = { 1, 1, 8 } };
    sweep.volume =
        (sl_volume_d){ SL_VOLUME_AABB,
                       { .aabb = { { -INFINITY, -INFINITY, 0 }, { INFINITY, INFINITY, 1 } } } };
    sl_contact got;
    assert_true(sl_sweep_volume(&sweep, &at, &got));
    assert_true(got.t == 0.5 && got.normal[2] == 1 * got.normal[2] && fabs(got.normal[2]) == 1);
    sweep.volume.shape.aabb.max[2] = INFINITY;
    assert_true(sl_sweep_volume(&sweep, &at, &got));
    assert_int_equal(got.start, SL_START_OVERLAPPING);
    const sl_volume_d ball = { SL_VOLUME_SPHERE, { .sphere = { { 7, 0, -3 }, 1 } } };
    sweep.dir[2] = -8;
    assert_true(sl_sweep_volume(&sweep, &ball, &got));
    assert_true(got.t == 0.25 && got.point[2] == -2 && got.normal[2] == 1);
}

static sl_volume narrowed(const hard_sweep *from, float (*points)[3])
{
    sl_volume out = { .kind = SL_VOLUME_HULL };
    out.shape.hull = (sl_hull){ points[0], from->sweep.volume.shape.hull.count };
    for (uint32_t i = 0; i < 3 * out.shape.hull.count; i++) {
        points[i / 3][i % 3] = (float)from->points[i / 3][i % 3];
    }
    return out;
}

static void narrow(const double *from, int count, float *to)
{
    for (int i = 0; i < count; i++) {
        to[i] = (float)from[i];
    }
}

/* A sphere meets a hull where it meets a triangle of three of its points, or its centre is
 * inside. */
static bool sphere_meets(const sl_volume_d *hull, const sl_sphere_d *sphere)
{
    const uint32_t n = hull->shape.hull.count;
    const double *xyz = hull->shape.hull.xyz, *c = sphere->centre;
    const sl_volume_d ball = { SL_VOLUME_SPHERE, { .sphere = *sphere } };
    sl_triangle_d t;
    for (int i = 0; i < 9; i++) {
        t.v[i / 3][i % 3] = c[i % 3];
    }
    if (oracle_volume_touches(hull, &t)) {
        return true;
    }
    for (uint32_t i = 0; i < n * n * n; i++) {
        const uint32_t at[3] = { i % n, i / n % n, i / n / n };
        for (int k = 0; k < 9; k++) {
            t.v[k / 3][k % 3] = xyz[3 * at[k / 3] + (uint32_t)(k % 3)];
        }
        if (at[0] <= at[1] && at[1] <= at[2] && oracle_volume_touches(&ball, &t)) {
            return true;
        }
    }
    return false;
}

TEST(hulls_overlap_each_shape_as_fractions_say)
{
    static hard_sweep a, b;
    static float points[SL_HULL_POINTS_MAX][3];
    static double wide_points[SL_HULL_POINTS_MAX][3];
    test_random random = { test_seed(13) };
    size_t met = 0, asked = 0;
    for (size_t i = 0; i < test_count(2000); i++) {
        const sl_volume_kind kind = polytopes[i % 3];
        make_pair(&random, SL_VOLUME_HULL, kind, &a, &b);
        const sl_volume hull = narrowed(&a, points);
        sl_sweep_d still = { .volume = { .kind = SL_VOLUME_HULL } };
        still.volume.shape.hull = (sl_hull_d){ wide_points[0], hull.shape.hull.count };
        for (uint32_t k = 0; k < 3 * hull.shape.hull.count; k++) {
            wide_points[k / 3][k % 3] = (double)points[k / 3][k % 3];
        }
        sl_volume_d other = { .kind = kind };
        sl_volume other_f = { .kind = kind };
        const int count = kind == SL_VOLUME_AABB ? 6 : kind == SL_VOLUME_OBB ? 15 : 9;
        narrow((const double *)(void *)&b.sweep.volume.shape, count,
               (float *)(void *)&other_f.shape);
        for (int k = 0; k < count; k++) {
            ((double *)(void *)&other.shape)[k] = (double)((float *)(void *)&other_f.shape)[k];
        }
        const bool want = sweep_oracle(&still, &other).met;
        const bool got =
            kind == SL_VOLUME_AABB  ? sl_volume_overlaps_aabb(&hull, &other_f.shape.aabb)
            : kind == SL_VOLUME_OBB ? sl_volume_overlaps_obb(&hull, &other_f.shape.obb)
                                    : sl_volume_overlaps_triangle(&hull, &other_f.shape.triangle);
        assert_int_equal(got, want);
        met += got;
        asked++;
        if (i % 8 == 0) {
            sl_sphere_d ball = { .radius = test_random_below(&random, 3) };
            sl_sphere ball_f = { .radius = (float)ball.radius };
            narrow(b.corners[0], 3, ball_f.centre);
            for (int axis = 0; axis < 3; axis++) {
                ball.centre[axis] = (double)ball_f.centre[axis];
            }
            assert_int_equal(sl_volume_overlaps_sphere(&hull, &ball_f),
                             sphere_meets(&still.volume, &ball));
            ball.radius = 0;
            assert_int_equal(sl_volume_contains_point(&hull, ball_f.centre),
                             sphere_meets(&still.volume, &ball));
        }
    }
    assert_true(sl_volume_is_valid(&(sl_volume){ SL_VOLUME_HULL, { .hull = { points[0], 1 } } }));
    print_message("%zu of %zu overlap\n", met, asked);
    assert_true(met > asked / 20 && met < asked);
}

/* The tetrahedron of the origin and the ends of the axes, against x + y + z = d. */
TEST(hulls_lie_on_a_side_of_a_plane)
{
    const float xyz[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    const sl_volume hull = { SL_VOLUME_HULL, { .hull = { xyz, 4 } } };
    sl_plane plane = { { 1, 1, 1 }, nextafterf(1, 2) };
    assert_int_equal(sl_plane_side_of(&plane, &hull), -1);
    plane.offset = 1;
    assert_int_equal(sl_plane_side_of(&plane, &hull), 0);
    plane.offset = 0;
    assert_int_equal(sl_plane_side_of(&plane, &hull), 0);
    plane.offset = -0x1p-149f;
    assert_int_equal(sl_plane_side_of(&plane, &hull), 1);
    const sl_volume none = { SL_VOLUME_HULL, { .hull = { xyz, 0 } } };
    assert_int_equal(sl_plane_side_of(&plane, &none), SL_PLANE_SIDE_NONE);
    assert_false(sl_volume_is_valid(&none));
}

static void sweep_on_stack(painted_stack *stack, void *context)
{
    static hard_sweep a, b;
    (void)context;
    test_random random = { 14 };
    for (int i = 0; i < 400; i++) {
        sl_contact contact;
        hard_sweep_make(&random, polytopes[i % 4], SL_HULL_POINTS_MAX, &a);
        hard_sweep_make(&random, polytopes[i / 4 % 3], 3, &b);
        if (i % 5 == 0) {
            a.sweep.volume = (sl_volume_d){ SL_VOLUME_CAPSULE, { .capsule = { .radius = 1 } } };
            memcpy(a.sweep.volume.shape.capsule.q, a.corners[0], sizeof a.corners[0]);
        }
        if (i % 7 == 0) {
            b.sweep.volume = (sl_volume_d){ SL_VOLUME_SPHERE, { .sphere = { .radius = 1 } } };
        }
        (void)sl_sweep_volume(&a.sweep, &b.sweep.volume, &contact);
        painted_stack_note(stack);
    }
}

TEST(little_stack_is_taken)
{
    painted_stack_expect(192 * 1024, 48 * 1024, sweep_on_stack, NULL);
}
