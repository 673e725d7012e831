/* test_view.c: cameras in worlds of doubles: rays are those of the camera in floats before they are
 * rounded; positions in the picture are those of fractions, but for some roundings; lines of sight,
 * rays and sizes of pixels belong together, wherever in the world the camera stands. */
#include "lib/geom/exact/valid.h"
#include "test/support/environment/callers_env.h"
#include "test/support/oracle/fraction.h"
#include "test/support/test.h"

static const sl_clip_space clips[4] = { SL_CLIP_SPACE_GL, SL_CLIP_SPACE_D3D, SL_CLIP_SPACE_VULKAN,
                                        SL_CLIP_SPACE_REVERSED };

/* The kinds of volume; the last one's near plane stands askew, as engines place it for mirrors. */
enum { PERSPECTIVE, ENDLESS, OFF_CENTRE, ORTHOGRAPHIC, WINDOW, ASKEW, KINDS };

/* Replaces the row of depths of an OpenGL matrix, so that the near plane is this plane of the eye's
 * space (Lengyel, Oblique View Frustum Depth Projection and Clipping, 2005); the far plane then
 * meets the picture in a line, or lies behind the eye. */
static void set_askew(float projection[16], const double plane[4])
{
    const double corner[4] = { 1 / (double)projection[0], 1 / (double)projection[5], -1,
                               (1 + (double)projection[10]) / (double)projection[14] };
    double along = 0;
    for (int i = 0; i < 4; i++) {
        along += plane[i] * corner[i];
    }
    for (int i = 0; i < 4; i++) {
        projection[4 * i + 2] = (float)(plane[i] * 2 / along + (i == 2 ? 1 : 0));
    }
}

/* A camera anywhere within 10 of the origin, looking somewhere. */
static sl_camera camera_of(test_random *random, int kind, sl_clip_space clip)
{
    sl_camera_def def = { 0 };
    sl_camera camera;
    do {
        for (int axis = 0; axis < 3; axis++) {
            def.eye[axis] = test_random_in(random, -10, 10);
            def.target[axis] = test_random_in(random, -10, 10);
        }
        def.near_distance = test_random_in(random, 0.01f, 1);
        def.far_distance = kind == ENDLESS ? INFINITY : test_random_in(random, 30, 3000);
        def.orthographic = kind == ORTHOGRAPHIC || kind == WINDOW;
        def.off_centre = kind == OFF_CENTRE || kind == WINDOW;
        def.ortho_height = test_random_in(random, 1, 40);
        const float left = test_random_in(random, -2, 1), bottom = test_random_in(random, -2, 1);
        def.window[0] = left;
        def.window[1] = left + test_random_in(random, 0.1f, 3);
        def.window[2] = bottom;
        def.window[3] = bottom + test_random_in(random, 0.1f, 3);
        def.clip = kind == ASKEW ? SL_CLIP_SPACE_GL : clip;
        def.width = 1 + test_random_below(random, 4000);
        def.height = 1 + test_random_below(random, 4000);
    } while (sl_camera_make(&def, &camera, NULL) != SL_OK);
    if (kind == ASKEW) {
        const double plane[4] = { test_random_in_d(random, -0.3, 0.3),
                                  test_random_in_d(random, -0.3, 0.3), -1,
                                  -test_random_in_d(random, 0.1, 2) };
        set_askew(camera.projection, plane);
    }
    return camera;
}

/* The same picture from an engine whose eyes look along +z. */
static sl_camera left_handed(const sl_camera *camera)
{
    sl_camera out = *camera;
    for (int i = 0; i < 4; i++) {
        out.view[4 * i + 2] = -out.view[4 * i + 2];
        out.projection[8 + i] = -out.projection[8 + i];
    }
    sl_camera made;
    assert_int_equal(sl_camera_from_matrices(out.view, out.projection, out.width, out.height,
                                             out.clip, &made, NULL),
                     SL_OK);
    return made;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double distance(const double a[3], const double b[3])
{
    return length((double[3]){ a[0] - b[0], a[1] - b[1], a[2] - b[2] });
}

/* A random view, and a point on a random ray of it between the planes. */
typedef struct seen_case {
    sl_view view;
    double xy[2], point[3];
    sl_ray_d ray;
} seen_case;

static seen_case case_of(test_random *random, int kind, int clip, const double origin[3])
{
    seen_case c;
    do {
        const sl_camera camera = camera_of(random, kind, clips[clip]);
        c.view = (sl_view){ .camera = camera };
        memcpy(c.view.origin, origin, sizeof c.view.origin);
        c.xy[0] = test_random_in_d(random, 0, camera.width);
        c.xy[1] = test_random_in_d(random, 0, camera.height);
    } while (!sl_view_ray(&c.view, c.xy, &c.ray));
    const double t = c.ray.tmax == 1 ? test_random_in_d(random, 0.001, 0.999)
                                     : test_random_in_d(random, 0.1, 1000);
    for (int axis = 0; axis < 3; axis++) {
        c.point[axis] = c.ray.origin[axis] + t * c.ray.dir[axis];
    }
    return c;
}

/* ---- Rays */

TEST(rays_rounded_to_floats_are_those_of_the_camera)
{
    test_random random = { 1 };
    size_t endless = 0, reaching = 0;
    for (int i = 0; i < 4 * KINDS * 500; i++) {
        const sl_camera camera = camera_of(&random, i % KINDS, clips[i / KINDS % 4]);
        const sl_view view = (sl_view){ .camera = camera };
        const float x = test_random_in(&random, -100, 4000), y = test_random_in(&random, -9, 4000);
        sl_ray narrow;
        sl_ray_d wide;
        const bool found = sl_camera_ray(&camera, x, y, &narrow);
        assert_int_equal(sl_view_ray(&view, (double[2]){ (double)x, (double)y }, &wide), found);
        if (!found) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            assert_true((float)wide.origin[axis] == narrow.origin[axis]);
            assert_true((float)wide.dir[axis] == narrow.dir[axis]);
        }
        assert_true(wide.tmin == 0 && wide.tmax == (double)narrow.tmax);
        endless += wide.tmax > 1;
        reaching += wide.tmax == 1;
        if (wide.tmax > 1) {
            assert_true(fabs(length(wide.dir) - 1) < 1e-15);
        }
    }
    assert_true(endless > 1000 && reaching > 1000);
}

/* Where the far plane stands askew, part of the picture sees it, and part never does. */
TEST(a_far_plane_askew_is_reached_where_it_is_seen)
{
    test_random random = { 2 };
    size_t both = 0;
    for (int i = 0; i < 300; i++) {
        const sl_camera camera = camera_of(&random, ASKEW, SL_CLIP_SPACE_GL);
        const sl_view view = (sl_view){ .camera = camera };
        bool reached = false, endless = false;
        for (int pixel = 0; pixel < 25; pixel++) {
            const double xy[2] = { camera.width / 4.0 * (pixel % 5),
                                   camera.height / 4.0 * floor(pixel / 5.0) };
            sl_ray_d ray;
            if (!sl_view_ray(&view, xy, &ray)) {
                continue;
            }
            double far[3], middle[3], at[2], depth;
            const double end = ray.tmax == 1 ? 1 : 1e12;
            for (int axis = 0; axis < 3; axis++) {
                far[axis] = ray.origin[axis] + end * ray.dir[axis];
                middle[axis] = ray.origin[axis] + end / 1024 * ray.dir[axis];
            }
            assert_true(sl_view_project(&view, middle, at, &depth));
            assert_true(depth >= -1 && depth < 1);
            assert_true(hypot(at[0] - xy[0], at[1] - xy[1]) < 1e-6);
            assert_true(sl_view_project(&view, far, NULL, &depth));
            assert_true(ray.tmax == 1 ? fabs(depth - 1) < 1e-6 : depth < 1);
            reached = reached || ray.tmax == 1;
            endless = endless || ray.tmax > 1;
        }
        both += reached && endless;
    }
    assert_true(both > 20);
}

/* With depth reversed floats do hold such a plane; a ray that reached it would be none. */
TEST(a_far_plane_beyond_what_a_ray_can_say_is_endless)
{
    sl_camera_def def = { .clip = SL_CLIP_SPACE_REVERSED,
                          .near_distance = 1e10f,
                          .far_distance = FLT_MAX,
                          .off_centre = true };
    memcpy(def.window, (float[4]){ -1e10f, 1e10f, -1e10f, 1e10f }, sizeof def.window);
    sl_camera camera = made_camera(&def);
    const sl_view view = (sl_view){ .camera = camera };
    for (int i = 0; i < 9; i++) {
        sl_ray_d ray;
        assert_true(sl_view_ray(&view, (double[2]){ 100.0 * i, 75.0 * i }, &ray));
        assert_true(sli_ray_d_is_valid(&ray));
    }
}

/* ---- Positions in the picture */

/* out[row] = the sum over the columns; sizes: the sum of the magnitudes of its terms. */
static void transform(const float m[16], const fraction v[4], const double v_sizes[4],
                      fraction out[4], double sizes[4])
{
    for (int row = 0; row < 4; row++) {
        out[row] = fraction_of(0);
        sizes[row] = 0;
        for (int column = 0; column < 4; column++) {
            const double weight = (double)m[4 * column + row];
            out[row] = fraction_add(out[row], fraction_mul(fraction_of(weight), v[column]));
            sizes[row] += fabs(weight) * v_sizes[column];
        }
    }
}

/* |got - exact| <= bound */
static bool is_within(double got, fraction exact, double bound)
{
    const fraction off = fraction_abs(fraction_sub(fraction_of(got), exact));
    return fraction_compare(off, fraction_of(bound)) <= 0;
}

/* In units of 2^-53 of the terms that are added up.  Each of the two products of a matrix and a
 * vector rounds a term at most 4 times, the division and what makes pixels of it 4 times; but they
 * seldom round the same way. */
TEST(positions_are_those_of_fractions_within_six_roundings)
{
    test_random random = { 3 };
    for (int i = 0; i < 4 * KINDS * 50; i++) {
        const double far = i % 2 == 0 ? 0 : 1e7;
        const double origin[3] = { far * test_random_in_d(&random, -1, 1), far, -far / 3 };
        const seen_case c = case_of(&random, i % KINDS, i / KINDS % 4, origin);
        const sl_camera *camera = &c.view.camera;
        double xy[2], depth, sizes[4] = { 0, 0, 0, 1 }, eye_sizes[4], clip_sizes[4];
        assert_true(sl_view_project(&c.view, c.point, xy, &depth));
        fraction seen[4], eye[4], clip[4];
        for (int axis = 0; axis < 3; axis++) {
            seen[axis] = fraction_sub(fraction_of(c.point[axis]), fraction_of(origin[axis]));
            sizes[axis] = fabs(c.point[axis] - origin[axis]);
        }
        seen[3] = fraction_of(1);
        transform(camera->view, seen, sizes, eye, eye_sizes);
        transform(camera->projection, eye, eye_sizes, clip, clip_sizes);
        const double w = mpq_get_d(clip[3]);
        const double sides[2] = { camera->width, camera->height };
        for (int axis = 0; axis < 3; axis++) {
            fraction at = fraction_div(clip[axis], clip[3]);
            double unit = (clip_sizes[axis] + clip_sizes[3] * fabs(mpq_get_d(at))) / w + 1;
            double got = depth;
            if (axis < 2) {
                const double up = axis == 0 || camera->clip == SL_CLIP_SPACE_VULKAN ? 1 : -1;
                at = fraction_add(fraction_mul(at, fraction_of(up)), fraction_of(1));
                at = fraction_mul(at, fraction_of(sides[axis] / 2));
                unit *= sides[axis] / 2;
                got = xy[axis];
            }
            assert_true(is_within(got, at, 6 * 0x1p-53 * unit));
        }
        fraction_reset();
    }
}

/* A ray's point projects to where the ray was asked for, in pixels. */
TEST(a_ray_leads_to_what_appears_at_its_place)
{
    test_random random = { 4 };
    double worst = 0;
    for (int i = 0; i < 4 * KINDS * 300; i++) {
        const double origin[3] = { 0, 0, 0 };
        const seen_case c = case_of(&random, i % KINDS, i / KINDS % 4, origin);
        double xy[2];
        assert_true(sl_view_project(&c.view, c.point, xy, NULL));
        worst = fmax(worst, fmax(fabs(xy[0] - c.xy[0]), fabs(xy[1] - c.xy[1])));
    }
    print_message("off by at most %.3g pixels\n", worst);
    assert_true(worst < 1e-8);
}

/* ---- Lines of sight */

TEST(sights_start_where_rays_do_and_end_in_their_points)
{
    test_random random = { 5 };
    for (int i = 0; i < 4 * KINDS * 300; i++) {
        const double origin[3] = { 0, 0, 0 };
        const seen_case c = case_of(&random, i % KINDS, i / KINDS % 4, origin);
        double xy[2];
        sl_segment_d sight;
        sl_ray_d ray;
        assert_true(sl_view_sight(&c.view, c.point, &sight));
        assert_memory_equal(sight.q, c.point, sizeof sight.q);
        assert_true(sl_view_project(&c.view, c.point, xy, NULL));
        assert_true(sl_view_ray(&c.view, xy, &ray));
        const double reach = 1 + distance(sight.p, sight.q);
        assert_true(distance(sight.p, ray.origin) < 1e-11 * reach);
        /* Across the ray the point is off by nothing. */
        double along = 0, off[3];
        for (int axis = 0; axis < 3; axis++) {
            along += (c.point[axis] - ray.origin[axis]) * ray.dir[axis];
        }
        along /= length(ray.dir) * length(ray.dir);
        for (int axis = 0; axis < 3; axis++) {
            off[axis] = ray.origin[axis] + along * ray.dir[axis] - c.point[axis];
        }
        assert_true(length(off) < 1e-11 * reach);
    }
}

/* At the origin, looking along -z: near 1, far 3 or none, all exact in floats. */
static sl_view plain_view(bool orthographic, bool endless, sl_clip_space clip)
{
    sl_camera_def def = { .target = { 0, 0, -1 }, .window = { -1, 1, -1, 1 } };
    def.orthographic = orthographic;
    def.off_centre = true;
    def.near_distance = 1;
    def.far_distance = endless ? INFINITY : 3;
    def.clip = clip;
    def.width = def.height = 256;
    sl_camera camera = made_camera(&def);
    return (sl_view){ .camera = camera };
}

TEST(planes_are_part_of_what_is_between_them)
{
    for (int i = 0; i < 12; i++) {
        const sl_view view = plain_view(i / 4 == 1, i / 4 == 2, clips[i % 4]);
        sl_segment_d sight;
        const double on_near[3] = { 0.25, -0.5, -1 };
        assert_true(sl_view_sight(&view, on_near, &sight));
        assert_true(distance(sight.p, on_near) < 1e-15);
        assert_false(sl_view_sight(&view, (double[3]){ 0, 0, -0.999999 }, &sight));
        assert_false(sl_view_sight(&view, (double[3]){ 0, 0, 1 }, &sight));
        const double beyond[3] = { 0, 0, -3.000001 }, on_far[3] = { 0, 0, -3 };
        assert_int_equal(sl_view_sight(&view, beyond, &sight), i / 4 == 2);
        assert_true(sl_view_sight(&view, on_far, &sight));
        if (i / 4 == 2) {
            assert_true(sl_view_sight(&view, (double[3]){ 0, 0, -1e30 }, &sight));
        }
    }
}

TEST(only_what_is_in_front_of_the_eye_appears)
{
    for (int i = 0; i < 12; i++) {
        const bool orthographic = i / 4 == 1;
        const sl_view view = plain_view(orthographic, i / 4 == 2, clips[i % 4]);
        double xy[2] = { 7, 7 }, depth = 7, size = 7;
        const double behind[3] = { 0, 0, 2 }, beside[3] = { 1, 0, 0 };
        assert_int_equal(sl_view_project(&view, behind, xy, &depth), orthographic);
        assert_int_equal(sl_view_pixel_size(&view, behind, &size), orthographic);
        if (!orthographic) {
            assert_true(xy[0] == 7 && xy[1] == 7 && depth == 7 && size == 7);
            assert_false(sl_view_project(&view, beside, NULL, NULL));
        }
        /* Beyond the far plane, and between the eye and the near plane, points do appear. */
        assert_true(sl_view_project(&view, (double[3]){ 1, 0, -100 }, xy, NULL));
        assert_true(xy[0] > 128 && xy[1] == 128);
        assert_true(sl_view_project(&view, (double[3]){ 0, 0.25, -0.5 }, xy, NULL));
        assert_true(xy[0] == 128 && xy[1] < 128);
    }
}

/* ---- The size of a pixel */

/* Against points of the world a hundredth of a pixel to both sides: the plane of equal depth is met
 * by the rays there. */
TEST(a_pixels_size_is_that_of_small_steps)
{
    test_random random = { 6 };
    for (int i = 0; i < 4 * ASKEW * 100; i++) {
        const double origin[3] = { 0, 0, 0 };
        const seen_case c = case_of(&random, i % ASKEW, i / ASKEW % 4, origin);
        double size, xy[2], largest = 0, axis_z[3];
        assert_true(sl_view_pixel_size(&c.view, c.point, &size));
        assert_true(sl_view_project(&c.view, c.point, xy, NULL));
        for (int axis = 0; axis < 3; axis++) {
            axis_z[axis] = (double)c.view.camera.view[4 * axis + 2];
        }
        for (int axis = 0; axis < 2; axis++) {
            double ends[2][3];
            for (int side = 0; side < 2; side++) {
                double moved[2] = { xy[0], xy[1] }, to_plane = 0, along = 0;
                sl_ray_d ray;
                moved[axis] += side == 0 ? -0.01 : 0.01;
                assert_true(sl_view_ray(&c.view, moved, &ray));
                for (int k = 0; k < 3; k++) {
                    to_plane += (c.point[k] - ray.origin[k]) * axis_z[k];
                    along += ray.dir[k] * axis_z[k];
                }
                for (int k = 0; k < 3; k++) {
                    ends[side][k] = ray.origin[k] + to_plane / along * ray.dir[k];
                }
            }
            largest = fmax(largest, distance(ends[0], ends[1]) / 0.02);
        }
        assert_true(fabs(size - largest) < 1e-6 * largest);
    }
}

TEST(a_pixels_size_far_away_is_as_good_as_near)
{
    for (int i = 0; i < 4; i++) {
        const sl_view view = plain_view(false, true, clips[i]);
        for (double far = 1; far < 1e30; far *= 10) {
            double size;
            assert_true(sl_view_pixel_size(&view, (double[3]){ 0, 0, -far }, &size));
            assert_true(fabs(size - far / 128) <= 1e-15 * far);
        }
    }
}

/* ---- Worlds */

TEST(a_left_handed_engine_sees_the_same_bits)
{
    test_random random = { 7 };
    for (int i = 0; i < 4 * KINDS * 50; i++) {
        const double origin[3] = { 1e6, -3, 0.1 };
        const seen_case c = case_of(&random, i % KINDS, i / KINDS % 4, origin);
        sl_view other = c.view;
        other.camera = left_handed(&c.view.camera);
        double xy[2], other_xy[2], size, other_size;
        sl_ray_d ray;
        sl_segment_d sight, other_sight;
        assert_true(sl_view_ray(&other, c.xy, &ray));
        assert_memory_equal(&ray, &c.ray, sizeof ray);
        assert_true(sl_view_project(&c.view, c.point, xy, NULL));
        assert_true(sl_view_project(&other, c.point, other_xy, NULL));
        assert_memory_equal(xy, other_xy, sizeof xy);
        assert_true(sl_view_pixel_size(&c.view, c.point, &size));
        assert_true(sl_view_pixel_size(&other, c.point, &other_size));
        assert_true(size == other_size);
        const bool between = sl_view_sight(&c.view, c.point, &sight);
        assert_int_equal(sl_view_sight(&other, c.point, &other_sight), between);
        assert_true(!between || memcmp(&sight, &other_sight, sizeof sight) == 0);
    }
}

/* The origin is an integer and the points are multiples of 2^-20, so that differences are exact. */
TEST(ten_thousand_kilometres_away_millimetres_are_as_they_are_here)
{
    test_random random = { 8 };
    const double zero[3] = { 0, 0, 0 }, away[3] = { 1e7, -2e7, 30000001 };
    for (int i = 0; i < 4 * KINDS * 50; i++) {
        const seen_case here = case_of(&random, i % KINDS, i / KINDS % 4, zero);
        sl_view there = here.view;
        memcpy(there.origin, away, sizeof away);
        for (int step = 0; step < 2; step++) {
            double near_point[3], far_point[3], xy[2], far_xy[2], depth, far_depth, size, far_size;
            for (int axis = 0; axis < 3; axis++) {
                near_point[axis] = ldexp(floor(ldexp(here.point[axis], 20)), -20) + step * 0x1p-10;
                far_point[axis] = near_point[axis] + away[axis];
            }
            const bool seen = sl_view_project(&here.view, near_point, xy, &depth);
            assert_int_equal(sl_view_project(&there, far_point, far_xy, &far_depth), seen);
            if (!seen) {
                continue;
            }
            assert_true(xy[0] == far_xy[0] && xy[1] == far_xy[1] && depth == far_depth);
            assert_true(sl_view_pixel_size(&here.view, near_point, &size));
            assert_true(sl_view_pixel_size(&there, far_point, &far_size));
            assert_true(size == far_size);
        }
        sl_ray_d ray;
        assert_true(sl_view_ray(&there, here.xy, &ray));
        assert_memory_equal(ray.dir, here.ray.dir, sizeof ray.dir);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(ray.origin[axis] == here.ray.origin[axis] + away[axis]);
        }
    }
}

/* ---- What is no view, and no point */

static void assert_shows_nothing(const sl_view *view)
{
    const double middle[2] = { 100, 100 }, point[3] = { 0, 0, -2 };
    sl_ray_d ray = { .tmin = 7 };
    sl_segment_d sight = { .p = { 7 } };
    double xy[2] = { 7, 7 }, depth = 7, size = 7;
    assert_false(sl_view_ray(view, middle, &ray));
    assert_false(sl_view_project(view, point, xy, &depth));
    assert_false(sl_view_sight(view, point, &sight));
    assert_false(sl_view_pixel_size(view, point, &size));
    assert_true(ray.tmin == 7 && sight.p[0] == 7);
    assert_true(xy[0] == 7 && xy[1] == 7 && depth == 7 && size == 7);
}

TEST(what_is_no_view_shows_nothing)
{
    const double bad[4] = { NAN, INFINITY, -INFINITY, 0 };
    const sl_view good = plain_view(false, false, SL_CLIP_SPACE_GL);
    for (int i = 0; i < 3; i++) {
        sl_view view = good;
        view.origin[i] = bad[i];
        assert_shows_nothing(&view);
        view = good;
        view.camera.view[5 * i] = (float)bad[i];
        assert_shows_nothing(&view);
        view = good;
        view.camera.projection[5 * i] = (float)bad[i];
        assert_shows_nothing(&view);
    }
    sl_view view = good;
    view.camera.width = 0;
    assert_shows_nothing(&view);
    view = good;
    view.camera.height = 0;
    assert_shows_nothing(&view);
    view = good;
    view.camera.clip = (sl_clip_space)4;
    assert_shows_nothing(&view);
    view = good;
    memset(view.camera.view, 0, sizeof view.camera.view);
    assert_shows_nothing(&view);
    view = good; /* what is in front has a negative w */
    for (int i = 0; i < 16; i++) {
        view.camera.projection[i] = -view.camera.projection[i];
    }
    assert_shows_nothing(&view);
    assert_shows_nothing(&(sl_view){ .origin = { 0, 0, 0 } });
}

TEST(what_is_no_point_is_not_shown)
{
    const double bad[4] = { NAN, INFINITY, -INFINITY, 1.7e308 };
    for (int i = 0; i < 24; i++) {
        const sl_view view = plain_view(i / 12 == 1, false, SL_CLIP_SPACE_GL);
        double point[3] = { 0, 0, -2 }, xy[2], depth, size;
        point[i % 3] = bad[i / 3 % 4];
        sl_ray_d ray;
        sl_segment_d sight;
        assert_false(sl_view_sight(&view, point, &sight));
        if (i / 3 % 4 < 3) {
            assert_false(sl_view_project(&view, point, xy, &depth));
            assert_false(sl_view_pixel_size(&view, point, &size));
            assert_false(sl_view_ray(&view, (double[2]){ 0, bad[i / 3 % 4] }, &ray));
        }
    }
    /* Ends that no segment can have. */
    const sl_view view = plain_view(false, true, SL_CLIP_SPACE_GL);
    sl_segment_d sight;
    assert_true(sl_view_sight(&view, (double[3]){ 0, 0, -(double)FLT_MAX }, &sight));
    assert_false(sl_view_sight(&view, (double[3]){ 0, 0, -0x1p129 }, &sight));
}

/* ---- The caller's floating-point environment */

typedef struct answers {
    sl_ray_d ray;
    sl_segment_d sight;
    double xy[2], depth, size;
    bool found[4];
} answers;

static void ask(const seen_case *c, answers *out)
{
    out->found[0] = sl_view_ray(&c->view, c->xy, &out->ray);
    out->found[1] = sl_view_project(&c->view, c->point, out->xy, &out->depth);
    out->found[2] = sl_view_sight(&c->view, c->point, &out->sight);
    out->found[3] = sl_view_pixel_size(&c->view, c->point, &out->size);
}

TEST(the_callers_environment_changes_nothing)
{
    test_random random = { 9 };
    for (int i = 0; i < 4 * KINDS * 4; i++) {
        const double origin[3] = { 1e7 / 3, 0.1, -1e-300 };
        const seen_case c = case_of(&random, i % KINDS, i / KINDS % 4, origin);
        answers expected, got;
        memset(&expected, 0, sizeof expected);
        ask(&c, &expected);
        for (int env = 0; env < callers_env_count(); env++) {
            memset(&got, 0, sizeof got);
            callers_env_set(env);
            ask(&c, &got);
            assert_true(callers_env_leave(env));
            assert_memory_equal(&got, &expected, sizeof got);
        }
    }
}

/* Numbers of every size, with NaN and infinities among them. */
TEST(numbers_of_any_size_raise_no_trap)
{
    test_random random = { 10 };
    for (int i = 0; i < 3000; i++) {
        const double origin[3] = { 0, 0, 0 };
        seen_case c = case_of(&random, i % KINDS, i / KINDS % 4, origin);
        for (int changes = 0; changes < 3; changes++) {
            const uint64_t bits = test_random_u64(&random);
            const uint32_t few = (uint32_t)bits, at = test_random_below(&random, 16);
            float *matrix = i % 2 == 0 ? c.view.camera.view : c.view.camera.projection;
            if (changes > 0) {
                memcpy(at < 8 ? &c.point[at % 3] : &c.view.origin[at % 3], &bits, sizeof bits);
            } else if (i % 3 == 0) {
                memcpy(&matrix[at], &few, sizeof few);
            }
        }
        answers expected, got;
        memset(&expected, 0, sizeof expected);
        ask(&c, &expected);
        for (int env = 0; env < callers_env_count(); env++) {
            memset(&got, 0, sizeof got);
            callers_env_set(env);
            ask(&c, &got);
            callers_env_reset();
            assert_memory_equal(&got, &expected, sizeof got);
        }
    }
}
