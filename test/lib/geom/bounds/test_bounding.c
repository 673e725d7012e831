/* Spheres and oriented boxes around points: every point inside, exactly; and how good they are.
 * SIGHTLINE_TEST_SCALE=40 tries 200,000 cases a kind and more. */
#include "test/support/hard/floats.h"
#include "test/support/oracle/fraction.h"
#include "test/support/test.h"
#include "test/support/volume.h"

enum { MAX_POINTS = 40 };

/* The corners of a 2 x 2 x 2 cube: sqrt(3) from its centre, rounded up to hold them. */
TEST(case_53_a_cubes_sphere_touches_its_corners)
{
    float xyz[24];
    for (int i = 0; i < 8; i++) {
        for (int axis = 0; axis < 3; axis++) {
            xyz[3 * i + axis] = (float)(2 * (i >> axis & 1)) + 4;
        }
    }
    sl_sphere sphere;
    assert_true(sl_sphere_of_points(xyz, NULL, 8, &sphere));
    assert_true(sphere.centre[0] == 5 && sphere.centre[1] == 5 && sphere.centre[2] == 5);
    const double root = sqrt(3);
    assert_true((double)sphere.radius >= root);
    assert_true((double)nextafterf(sphere.radius, 0) < root);
}

/* Two points and one between: the ball over the two, though the third is far from the middle line.
 * An obtuse triangle's ball has its longest side for diameter: 10. */
TEST(case_53_the_sphere_is_the_smallest)
{
    const float obtuse[9] = { 0, 0, 0, 10, 0, 0, 4, 2, 0 };
    sl_sphere sphere;
    assert_true(sl_sphere_of_points(obtuse, NULL, 3, &sphere));
    assert_true(sphere.centre[0] == 5 && sphere.centre[1] == 0 && sphere.radius == 5);
    const float one[3] = { 7, 8, 9 };
    assert_true(sl_sphere_of_points(one, NULL, 1, &sphere));
    assert_true(sphere.centre[2] == 9 && sphere.radius == 0);
}

static bool sphere_holds(const sl_sphere *sphere, const float *point)
{
    fraction3 d = fraction3_sub(fraction3_of(point), fraction3_of(sphere->centre));
    fraction r = fraction_of(sphere->radius);
    return fraction_compare(fraction3_dot(d, d), fraction_mul(r, r)) <= 0;
}

static fraction det3(fraction3 a, fraction3 b, fraction3 c)
{
    fraction sum = fraction_of(0);
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        fraction minor = fraction_sub(fraction_mul(b.x[j], c.x[k]), fraction_mul(b.x[k], c.x[j]));
        sum = fraction_add(sum, fraction_mul(a.x[axis], minor));
    }
    return sum;
}

/* By Cramer's rule: |det with w in place of axis i| <= half i |det|. */
static bool obb_holds(const sl_obb *box, const float *point)
{
    const fraction3 w = fraction3_sub(fraction3_of(point), fraction3_of(box->centre));
    const fraction3 a[3] = { fraction3_of(box->axis[0]), fraction3_of(box->axis[1]),
                             fraction3_of(box->axis[2]) };
    fraction whole = fraction_abs(det3(a[0], a[1], a[2]));
    for (int i = 0; i < 3; i++) {
        fraction3 with[3] = { a[0], a[1], a[2] };
        with[i] = w;
        if (fraction_compare(fraction_abs(det3(with[0], with[1], with[2])),
                             fraction_mul(whole, fraction_of(box->half[i]))) > 0) {
            return false;
        }
    }
    return fraction_sign(whole) != 0;
}

static bool is_orthonormal(const sl_obb *box)
{
    for (int i = 0; i < 9; i++) {
        const float *a = box->axis[i / 3], *b = box->axis[i % 3];
        const double dot =
            (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
        if (fabs(dot - (i / 3 == i % 3 ? 1 : 0)) > 0x1p-21) {
            return false;
        }
    }
    return true;
}

/* How many points, and where; some of them twice, on a line, in a plane, in one place. */
static size_t make_points(test_random *random, size_t i, float *xyz)
{
    const size_t count = 1 + test_random_below(random, MAX_POINTS);
    float line[6];
    hard_floats(random, i, xyz, (int)(3 * count));
    hard_floats(random, i, line, 6);
    for (size_t n = 0; n < count && i % 5 < 3; n++) {
        const float t = (float)test_random_below(random, 9) - 4;
        for (int axis = 0; axis < 3; axis++) {
            const float on_line = line[axis] + t * line[3 + axis];
            if (i % 5 == 0 && isfinite(on_line)) {
                xyz[3 * n + (size_t)axis] = on_line;
            }
        }
        if (i % 5 == 1) {
            xyz[3 * n + 1] = line[1];
        }
        if (i % 5 == 2 && n >= count / 2) {
            memcpy(xyz + 3 * n, xyz + 3 * (n - count / 2), 12);
        }
    }
    return count;
}

TEST(case_53_spheres_hold_every_point)
{
    test_random random = { 351 };
    size_t points = 0, too_large = 0;
    const size_t rounds = test_count(5000);
    for (size_t i = 0; i < rounds; i++) {
        float xyz[3 * MAX_POINTS];
        const size_t count = make_points(&random, i, xyz);
        sl_sphere sphere;
        if (!sl_sphere_of_points(xyz, NULL, count, &sphere)) {
            too_large++;
            continue;
        }
        const sl_sphere less = { .centre = { sphere.centre[0], sphere.centre[1], sphere.centre[2] },
                                 .radius = nextafterf(sphere.radius, 0) };
        bool tight = sphere.radius == 0;
        fraction_reset();
        for (size_t n = 0; n < count; n++) {
            assert_true(sphere_holds(&sphere, xyz + 3 * n));
            tight = tight || !sphere_holds(&less, xyz + 3 * n);
        }
        assert_true(tight);
        points += count;
    }
    print_message("seed 351: %zu points in spheres; too large: %zu\n", points, too_large);
    assert_true(points > 10 * rounds && too_large < rounds / 5);
}

TEST(case_54_oriented_boxes_hold_every_point)
{
    test_random random = { 352 };
    size_t points = 0, too_large = 0, turned = 0;
    const size_t rounds = test_count(5000);
    for (size_t i = 0; i < rounds; i++) {
        float xyz[3 * MAX_POINTS];
        const size_t count = make_points(&random, i, xyz);
        sl_obb box;
        if (!sl_obb_of_points(xyz, NULL, count, &box)) {
            too_large++;
            continue;
        }
        assert_true(is_orthonormal(&box));
        bool tight[3] = { false, false, false };
        fraction_reset();
        for (size_t n = 0; n < count; n++) {
            assert_true(obb_holds(&box, xyz + 3 * n));
            assert_true(sl_volume_contains_point(AS_OBB(&box), xyz + 3 * n));
            for (int axis = 0; axis < 3; axis++) {
                sl_obb less = box;
                less.half[axis] = nextafterf(box.half[axis], 0);
                tight[axis] = tight[axis] || box.half[axis] == 0 || !obb_holds(&less, xyz + 3 * n);
            }
        }
        assert_true(tight[0] && tight[1] && tight[2]);
        turned += box.axis[0][0] != 1;
        points += count;
    }
    print_message("seed 352: %zu points in boxes, %zu of them turned; too large: %zu\n", points,
                  turned, too_large);
    assert_true(points > 10 * rounds && too_large < rounds / 5 && turned > rounds / 10);
}

/* A board along (3,4,12)/13, 26 by 4 by 2: the sphere is 26 across; the upright box 6 by 8 by 24
 * and more; the oriented one no more than the board. */
TEST(case_54_boxes_are_tighter_than_spheres)
{
    const float along[3] = { 3, 4, 12 }, side[3] = { 0.8f, -0.6f, 0 };
    const float up[3] = { 36 / 65.0f, 48 / 65.0f, -25 / 65.0f };
    float xyz[24];
    for (int i = 0; i < 8; i++) {
        for (int axis = 0; axis < 3; axis++) {
            xyz[3 * i + axis] = (i & 1 ? along[axis] : -along[axis]) +
                                (i & 2 ? 2 : -2) * side[axis] + (i & 4 ? up[axis] : -up[axis]);
        }
    }
    sl_sphere sphere;
    sl_obb box;
    assert_true(sl_sphere_of_points(xyz, NULL, 8, &sphere) && sl_obb_of_points(xyz, NULL, 8, &box));
    assert_true(fabsf(sphere.radius - sqrtf(13 * 13 + 5)) < 1e-5f);
    assert_true(fabsf(box.half[0] - 13) < 1e-5f);
    assert_true(fabsf(box.half[1] - 2) < 1e-4f && fabsf(box.half[2] - 1) < 1e-4f);
    const float n[3] = { 3, 4, 12 };
    assert_true(fabsf(sl_obb_radius(&box, n).radius - 13) < 1e-4f);
}

TEST(upright_points_have_an_upright_box)
{
    const float xyz[12] = { 0, 0, 5, 4, 0, 5, 4, 2, 5, 0, 2, 5 };
    sl_obb box;
    assert_true(sl_obb_of_points(xyz, NULL, 4, &box));
    const sl_obb right = { { 2, 1, 5 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 2, 1, 0 } };
    assert_memory_equal(&box, &right, sizeof right);
}

TEST(points_that_cannot_be_held_are_refused)
{
    float xyz[9] = { 0, 0, 0, 1, NAN, 0, 2, 0, 0 };
    sl_sphere sphere = { .radius = 7 };
    sl_obb box = { .half = { 7, 7, 7 } };
    assert_false(sl_sphere_of_points(xyz, NULL, 0, &sphere) ||
                 sl_obb_of_points(xyz, NULL, 0, &box));
    assert_false(sl_sphere_of_points(xyz + 3, NULL, 1, &sphere) ||
                 sl_obb_of_points(xyz + 3, NULL, 1, &box));
    assert_true(sphere.radius == 7 && box.half[0] == 7);
    assert_true(sl_sphere_of_points(xyz, NULL, 3, &sphere) && sl_obb_of_points(xyz, NULL, 3, &box));
    assert_true(sphere.radius == 1 && box.half[0] == 1); /* the NaN is not there */
    xyz[4] = INFINITY;
    assert_false(sl_sphere_of_points(xyz, NULL, 3, &sphere) ||
                 sl_obb_of_points(xyz, NULL, 3, &box));
    const float corners[6] = { FLT_MAX, FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX };
    assert_false(sl_sphere_of_points(corners, NULL, 2, &sphere)); /* sqrt(3) times too far */
    assert_true(sl_obb_of_points(corners, NULL, 2, &box));        /* upright, it fits */
    assert_true(box.half[0] == FLT_MAX);
}

/* Of a soup only the corners that triangles use count. */
TEST(soups_count_what_triangles_use)
{
    const float xyz[15] = { 0, 0, 0, 4, 0, 0, 100, 100, 100, 0, 3, 0, -100, 0, 0 };
    const uint32_t indices[6] = { 0, 1, 3, SL_NONE, SL_NONE, SL_NONE };
    const sl_soup soup = { .xyz = xyz, .indices = indices, .triangle_count = 2 };
    sl_sphere sphere;
    sl_obb box;
    assert_true(sl_sphere_of_points(soup.xyz, soup.indices, 3 * soup.triangle_count, &sphere) &&
                sl_obb_of_points(soup.xyz, soup.indices, 3 * soup.triangle_count, &box));
    assert_true(sphere.radius == 2.5f && sphere.centre[0] == 2 && sphere.centre[1] == 1.5f);
    for (int i = 0; i < 3; i++) {
        assert_true(obb_holds(&box, xyz + 3 * indices[i]));
    }
}

/* A unit sphere of many vertices, all of them on the surface. */
TEST(meshes_are_held_through_their_soup)
{
    OWN(sl_mesh) mesh = made_sphere(40);
    const sl_soup soup = sl_mesh_soup(mesh);
    sl_sphere sphere;
    sl_obb box;
    assert_true(sl_sphere_of_points(soup.xyz, soup.indices, 3 * soup.triangle_count, &sphere) &&
                sl_obb_of_points(soup.xyz, soup.indices, 3 * soup.triangle_count, &box));
    assert_true(fabsf(sphere.radius - 1) < 1e-6f);
    const float *xyz = sl_mesh_soup(mesh).xyz;
    for (size_t i = 0; i < sl_mesh_soup(mesh).vertex_count; i++) {
        assert_true(sl_volume_contains_point(AS_SPHERE(&sphere), xyz + 3 * i));
        assert_true(sl_volume_contains_point(AS_OBB(&box), xyz + 3 * i));
    }
}
