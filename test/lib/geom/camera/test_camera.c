/* Cameras: matrices, rays through pixels, and the way back, for every kind of volume and clip
 * space. */
#include "test/support/environment/callers_env.h"
#include "test/support/test.h"

#include <cglm/cglm.h>

static const sl_clip_space clips[4] = { SL_CLIP_SPACE_GL, SL_CLIP_SPACE_D3D, SL_CLIP_SPACE_VULKAN,
                                        SL_CLIP_SPACE_REVERSED };
static const float near_depths[4] = { -1, 0, 0, 1 }, far_depths[4] = { 1, 1, 1, 0 };

/* The kinds of volume. */
enum { PERSPECTIVE, ENDLESS, OFF_CENTRE, ORTHOGRAPHIC, WINDOW, KINDS };

/* From (1, 2, 3) towards the origin, near 0.5, far 20, 800 x 600. */
static sl_camera_def def_of(int kind, sl_clip_space clip)
{
    sl_camera_def def = { 0 };
    const float eye[3] = { 1, 2, 3 }, window[4] = { -0.25f, 0.5f, -0.125f, 0.25f };
    memcpy(def.eye, eye, sizeof eye);
    memcpy(def.window, window, sizeof window);
    def.near_distance = 0.5f;
    def.far_distance = kind == ENDLESS ? INFINITY : 20;
    def.orthographic = kind == ORTHOGRAPHIC || kind == WINDOW;
    def.off_centre = kind == OFF_CENTRE || kind == WINDOW;
    def.ortho_height = 5;
    def.clip = clip;
    return def;
}

static sl_camera make(const sl_camera_def *def)
{
    sl_camera camera;
    sl_error error;
    assert_int_equal(sl_camera_make(def, &camera, &error), SL_OK);
    return camera;
}

/* At the origin, looking along -z, so that the world is the eye's space. */
static sl_camera_def plain_def(void)
{
    return (sl_camera_def){ .target = { 0, 0, -1 } };
}

static void assert_near(float got, double expected, double within)
{
    if (!(fabs((double)got - expected) <= within)) {
        print_message("got %.9g, expected %.9g, off by %g\n", (double)got, expected,
                      (double)got - expected);
    }
    assert_true(fabs((double)got - expected) <= within);
}

TEST(case_37_orthographic_rays_are_parallel_and_start_on_the_near_plane)
{
    for (int i = 0; i < 4; i++) {
        sl_camera_def def = plain_def();
        def.orthographic = true;
        def.ortho_height = 6; /* so 8 wide at 800 x 600, and 100 pixels for one unit */
        def.near_distance = 2;
        def.far_distance = 10;
        def.clip = clips[i];
        const sl_camera camera = make(&def);
        for (int x = 0; x <= 800; x += 100) {
            for (int y = 0; y <= 600; y += 100) {
                sl_ray ray;
                assert_true(sl_camera_ray(&camera, (float)x, (float)y, &ray));
                assert_near(ray.origin[0], x / 100 - 4, 1e-6);
                assert_near(ray.origin[1], 3 - y / 100, 1e-6);
                assert_near(ray.origin[2], -2, 1e-6);
                assert_near(ray.dir[2], -8, 1e-6); /* t = 1 on the far plane */
                assert_true(ray.dir[0] == 0 && ray.dir[1] == 0);
                assert_true(ray.tmin == 0 && ray.tmax == 1);
            }
        }
        /* x and y do not depend on z. */
        float at_near[2], at_far[2];
        assert_true(sl_camera_project(&camera, (float[3]){ 1, 2, -2 }, at_near, NULL));
        assert_true(sl_camera_project(&camera, (float[3]){ 1, 2, -10 }, at_far, NULL));
        assert_memory_equal(at_near, at_far, sizeof at_near);
    }
}

TEST(case_37_an_orthographic_volume_has_to_end)
{
    sl_camera_def def = plain_def();
    def.orthographic = true;
    sl_camera camera;
    sl_error error;
    assert_int_equal(sl_camera_make(&def, &camera, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "far_distance"));
    def.near_distance = -3; /* may begin behind the eye */
    def.far_distance = 5;
    camera = make(&def);
    sl_ray ray;
    assert_true(sl_camera_ray(&camera, 400, 300, &ray));
    assert_near(ray.origin[2], 3, 1e-6);
    assert_near(ray.dir[2], -8, 1e-6);
}

TEST(case_38_a_window_of_the_pictures_size_makes_pixels_units)
{
    const float windows[2][4] = { { 0, 1024, 0, 768 }, { 0, 1024, 768, 0 } }; /* y up, y down */
    for (int down = 0; down < 2; down++) {
        sl_camera_def def = plain_def();
        def.orthographic = def.off_centre = true;
        memcpy(def.window, windows[down], sizeof def.window);
        def.width = 1024;
        def.height = 768;
        def.near_distance = 0;
        def.far_distance = 1;
        const sl_camera camera = make(&def);
        for (int i = 0; i < 100; i++) {
            const float x = (float)i * 10.25f, y = (float)i * 7.5f;
            sl_ray ray;
            float xy[2];
            assert_true(sl_camera_ray(&camera, x, y, &ray));
            assert_near(ray.origin[0], (double)x, 1e-4);
            assert_near(ray.origin[1], (double)(down != 0 ? y : 768 - y), 1e-4);
            assert_true(sl_camera_project(&camera, ray.origin, xy, NULL));
            assert_near(xy[0], (double)x, 1e-4);
            assert_near(xy[1], (double)y, 1e-4);
        }
    }
}

TEST(case_38_a_perspective_window_may_be_off_centre)
{
    sl_camera_def def = plain_def();
    def.off_centre = true;
    const float window[4] = { -1, 3, -2, 1 };
    memcpy(def.window, window, sizeof window);
    def.near_distance = 2;
    const sl_camera camera = make(&def);
    sl_ray ray;
    assert_true(sl_camera_ray(&camera, 0, 0, &ray)); /* top left */
    assert_near(ray.origin[0], -1, 1e-6);
    assert_near(ray.origin[1], 1, 1e-6);
    assert_near(ray.origin[2], -2, 1e-6);
    assert_true(sl_camera_ray(&camera, 800, 600, &ray)); /* bottom right */
    assert_near(ray.origin[0], 3, 1e-6);
    assert_near(ray.origin[1], -2, 1e-6);
    /* The eye is at the origin, so the direction is that of the place: (3, -2, -2) / sqrt(17). */
    assert_near(ray.dir[0], 3 / sqrt(17), 1e-6);
    assert_near(ray.dir[2], -2 / sqrt(17), 1e-6);
}

/* The document's map as written: the lower edge to 0, then scaled by 2 / (t - b). */
static float document_y(float y, float b, float t)
{
    return (y - b) * (2 / (t - b));
}

TEST(case_39_the_window_maps_to_minus_one_and_one)
{
    const float l = -2, r = 6, b = 1, t = 5;
    assert_true(document_y(b, b, t) == 0 && document_y(t, b, t) == 2); /* not the cube's -1 .. 1 */
    sl_camera_def def = plain_def();
    def.orthographic = def.off_centre = true;
    const float window[4] = { l, r, b, t };
    memcpy(def.window, window, sizeof window);
    def.far_distance = 20;
    const sl_camera camera = make(&def);
    const float *m = camera.projection;
    assert_true(m[5] * b + m[13] == -1 && m[5] * t + m[13] == 1 && m[5] * 3 + m[13] == 0);
    assert_true(m[0] * l + m[12] == -1 && m[0] * r + m[12] == 1 && m[0] * 2 + m[12] == 0);
    /* y' = 2 y / (t - b) - (t + b) / (t - b) = y / 2 - 3 / 2 */
    assert_true(m[5] == 0.5f && m[13] == -1.5f);
}

TEST(case_40_opengl_depth_runs_from_minus_one_to_one)
{
    for (int kind = 0; kind < 2; kind++) {
        sl_camera_def def = plain_def();
        def.orthographic = kind == 1;
        def.near_distance = 2;
        def.far_distance = 10;
        const sl_camera camera = make(&def);
        const float z_and_depth[2][3][2] = {
            /* Perspective: (a z + b) / -z with a = -12 / 8 and b = -40 / 8: -0.5 at 3 1/3. */
            { { -2, -1 }, { -10, 1 }, { -5, 0.5f } },
            /* -2 z / 8 - 12 / 8: 0 in the middle */
            { { -2, -1 }, { -10, 1 }, { -6, 0 } },
        };
        for (int i = 0; i < 3; i++) {
            const float *pair = z_and_depth[kind][i];
            float depth;
            assert_true(sl_camera_project(&camera, (float[3]){ 0, 0, pair[0] }, NULL, &depth));
            assert_near(depth, (double)pair[1], 1e-6);
        }
    }
}

TEST(case_41_the_other_clip_spaces)
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < 4; i++) {
            sl_camera_def def = def_of(kind, clips[i]);
            const sl_camera camera = make(&def);
            sl_ray ray;
            float depth, xy[2], end[3];
            assert_true(sl_camera_ray(&camera, 200, 100, &ray));
            assert_int_equal(ray.tmax == INFINITY, kind == ENDLESS);
            assert_true(sl_camera_project(&camera, ray.origin, xy, &depth));
            assert_near(depth, (double)near_depths[i], 2e-6);
            for (int axis = 0; axis < 3; axis++) {
                const float t = kind == ENDLESS ? 1e7f : 1;
                end[axis] = ray.origin[axis] + t * ray.dir[axis];
            }
            assert_true(sl_camera_project(&camera, end, xy, &depth));
            assert_near(depth, (double)far_depths[i], 2e-6);
            assert_near(xy[0], 200, 1e-3);
            assert_near(xy[1], 100, 1e-3);
            /* y: up in clip space, and down for Vulkan, where only that row differs from Direct3D.
             */
            def.clip = SL_CLIP_SPACE_D3D;
            const sl_camera d3d = make(&def);
            for (int j = 0; j < 16 && clips[i] == SL_CLIP_SPACE_VULKAN; j++) {
                const float sign = j % 4 == 1 ? -1.0f : 1.0f;
                assert_true(camera.projection[j] == sign * d3d.projection[j]);
            }
        }
    }
}

/* Everything that a pixel and a depth name comes back to them, but for the rounding of the world
 * point between: half a step of 2^-23 at a coordinate of 3, seen from 0.5 away with 520 pixels of
 * focal length; and in the narrow window, where a unit is 1067 pixels, half a step of 2^-20 at 16.
 */
TEST(case_40_projecting_undoes_unprojecting_for_every_kind_and_clip)
{
    test_random random = { 40 };
    for (int kind = 0; kind < KINDS; kind++) {
        double worst_pixel = 0, worst_depth = 0;
        for (int i = 0; i < 4 * 2000; i++) {
            const sl_camera_def def = def_of(kind, clips[i % 4]);
            const sl_camera camera = make(&def);
            const float x = test_random_in(&random, 0, 800), y = test_random_in(&random, 0, 600);
            const float s = test_random_in(&random, 0, kind == ENDLESS ? 0.95f : 1);
            const float depth = near_depths[i % 4] + s * (far_depths[i % 4] - near_depths[i % 4]);
            float point[3], xy[2], again;
            assert_true(sl_camera_unproject(&camera, x, y, depth, point));
            assert_true(sl_camera_project(&camera, point, xy, &again));
            worst_pixel = fmax(worst_pixel, fabs((double)xy[0] - (double)x));
            worst_pixel = fmax(worst_pixel, fabs((double)xy[1] - (double)y));
            worst_depth = fmax(worst_depth, fabs((double)again - (double)depth));
        }
        print_message("kind %d: off by %.1f ulp of the width, %.1f ulp of depth 1\n", kind,
                      worst_pixel / 0x1p-14, worst_depth / 0x1p-23);
        assert_true(worst_pixel <= (kind == WINDOW ? 24 : 4) * 0x1p-14);
        assert_true(worst_depth <= 6 * 0x1p-23);
    }
}

/* The other way.  What projecting rounds away of x, y and depth is all that may be missing: half a
 * step of each, at the rate at which the point moves with it. */
TEST(case_40_unprojecting_undoes_projecting_for_every_kind_and_clip)
{
    test_random random = { 41 };
    for (int i = 0; i < 4 * KINDS * 1000; i++) {
        const sl_camera_def def = def_of(i / 4 % KINDS, clips[i % 4]);
        const sl_camera camera = make(&def);
        sl_ray ray;
        assert_true(sl_camera_ray(&camera, test_random_in(&random, 0, 800),
                                  test_random_in(&random, 0, 600), &ray));
        const float t = test_random_unit(&random) * (ray.tmax == 1 ? 1.0f : 20.0f);
        float point[3], xy[2], depth, again[3], moved[3][3];
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = ray.origin[axis] + t * ray.dir[axis];
        }
        assert_true(sl_camera_project(&camera, point, xy, &depth));
        assert_true(sl_camera_unproject(&camera, xy[0], xy[1], depth, again));
        const float step = fabsf(depth) * 0x1p-24f + 0x1p-60f;
        const float towards_near = near_depths[i % 4] < far_depths[i % 4] ? -1.0f : 1.0f;
        assert_true(sl_camera_unproject(&camera, xy[0] + 1, xy[1], depth, moved[0]));
        assert_true(sl_camera_unproject(&camera, xy[0], xy[1] + 1, depth, moved[1]));
        assert_true(sl_camera_unproject(&camera, xy[0], xy[1], depth + 4096 * towards_near * step,
                                        moved[2]));
        for (int axis = 0; axis < 3; axis++) {
            double within = fabs((double)point[axis]) * 0x1p-22 + 1e-7;
            for (int j = 0; j < 3; j++) {
                const double rate = fabs((double)moved[j][axis] - (double)again[axis]);
                within += rate * (j < 2 ? 0x1p-14 : 0x1p-10);
            }
            assert_near(again[axis], (double)point[axis], within);
        }
    }
}

static void assert_matrix_near(const float got[16], mat4 expected)
{
    for (int i = 0; i < 16; i++) {
        const double x = (double)expected[i / 4][i % 4];
        assert_near(got[i], x, fabs(x) * 4e-7 + 1e-7);
    }
}

TEST(matrices_are_those_of_cglm_where_it_is_right)
{
    mat4 m;
    const float aspect = 800.0f / 600.0f, fov = 1.04719755f;
    sl_camera_def def = def_of(PERSPECTIVE, SL_CLIP_SPACE_GL);
    sl_camera camera = make(&def);
    glm_perspective_rh_no(fov, aspect, 0.5f, 20, m);
    assert_matrix_near(camera.projection, m);
    vec3 eye = { 1, 2, 3 }, target = { 0, 0, 0 }, up = { 0, 1, 0 };
    glm_lookat_rh(eye, target, up, m);
    assert_matrix_near(camera.view, m);
    def = def_of(OFF_CENTRE, SL_CLIP_SPACE_GL);
    camera = make(&def);
    glm_frustum_rh_no(-0.25f, 0.5f, -0.125f, 0.25f, 0.5f, 20, m);
    assert_matrix_near(camera.projection, m);
    def = def_of(WINDOW, SL_CLIP_SPACE_GL);
    camera = make(&def);
    glm_ortho_rh_no(-0.25f, 0.5f, -0.125f, 0.25f, 0.5f, 20, m);
    assert_matrix_near(camera.projection, m);
    def = def_of(ORTHOGRAPHIC, SL_CLIP_SPACE_GL);
    camera = make(&def);
    glm_ortho_rh_no(-2.5f * aspect, 2.5f * aspect, -2.5f, 2.5f, 0.5f, 20, m);
    assert_matrix_near(camera.projection, m);
}

TEST(a_far_eye_keeps_its_place)
{
    sl_camera_def def = { 0 };
    const float eye[3] = { 654321.25f, 4.5f, -123456.75f }, target[3] = { 654330, 0, -123400 };
    memcpy(def.eye, eye, sizeof eye);
    memcpy(def.target, target, sizeof target);
    const sl_camera camera = make(&def);
    sl_ray ray;
    assert_true(sl_camera_ray(&camera, 400, 300, &ray));
    for (int axis = 0; axis < 3; axis++) {
        assert_near(ray.origin[axis], (double)(eye[axis] + 0.01f * ray.dir[axis]), 0.13);
    }
}

TEST(a_tiny_scene_is_as_good_as_any)
{
    sl_camera_def def = { 0 };
    def.eye[2] = 1e-20f; /* squares of this are no floats */
    def.near_distance = 1e-22f;
    const sl_camera camera = make(&def);
    float xy[2];
    assert_true(sl_camera_project(&camera, (float[3]){ 0, 0, 0 }, xy, NULL));
    assert_near(xy[0], 400, 1e-4);
    assert_near(xy[1], 300, 1e-4);
}

static void refuse(const sl_camera_def *def, const char *word)
{
    sl_camera camera, before;
    sl_error error;
    memset(&camera, 0x5A, sizeof camera);
    before = camera;
    assert_int_equal(sl_camera_make(def, &camera, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(error.code, SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, word));
    assert_memory_equal(&camera, &before, sizeof camera);
    assert_int_equal(sl_camera_make(def, &camera, NULL), SL_INVALID_ARGUMENT);
}

TEST(a_def_that_shows_nothing_is_refused_with_its_reason)
{
    const sl_camera_def good = { .window = { -1, 1, -1, 1 } };
    sl_camera_def def = good;
    def.width = 640; /* but no height */
    refuse(&def, "pixels");
    def = good;
    def.clip = (sl_clip_space)7;
    refuse(&def, "clip is 7");
    const float angles[4] = { -0x1p-149f, -1, 3.2f, NAN };
    const float nears[4] = { -0x1p-149f, -1, NAN, INFINITY };
    const float fars[4] = { 0.01f, 0x1p-149f, NAN, -INFINITY };
    for (int i = 0; i < 4; i++) {
        def = good;
        def.fov_y_rad = angles[i];
        refuse(&def, "fov_y_rad");
        def = good;
        def.near_distance = nears[i];
        refuse(&def, "near_distance");
        def = good;
        def.far_distance = fars[i];
        refuse(&def, "far_distance");
        def = good;
        def.orthographic = true;
        def.far_distance = 10;
        def.ortho_height = i == 3 ? INFINITY : nears[i];
        refuse(&def, "ortho_height");
        def = good;
        def.off_centre = true;
        def.window[i] = i == 3 ? NAN : def.window[i ^ 1];
        refuse(&def, "window");
    }
    def = good;
    def.eye[0] = def.target[0] = 3;
    refuse(&def, "eye");
    def = good;
    def.eye[1] = NAN;
    refuse(&def, "finite");
    def = good;
    const float parallel[3] = { 0, 0, -7 };
    memcpy(def.up, parallel, sizeof parallel);
    refuse(&def, "up");
    def = good;
    def.off_centre = true;
    def.window[0] = 0;
    def.window[1] = 0x1p-149f; /* a scale beyond floats */
    refuse(&def, "finite");
}

TEST(a_camera_without_a_def_is_the_default_one)
{
    sl_camera camera = made_camera(NULL);
    const sl_camera_def def = { 0 };
    const sl_camera same = make(&def);
    assert_memory_equal(&camera, &same, sizeof same);
}

TEST(an_engines_matrices_are_taken_as_they_are)
{
    /* Left-handed, looking along +z from (0, 0, -5); 0 .. 1 depth. */
    const float view[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1 };
    const float n = 1, f = 9, scale = f / (f - n);
    const float projection[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, scale, 1, 0, 0, -n * scale, 0 };
    sl_camera camera;
    sl_error error;
    assert_int_equal(
        sl_camera_from_matrices(view, projection, 100, 100, SL_CLIP_SPACE_D3D, &camera, &error),
        SL_OK);
    sl_ray ray;
    assert_true(sl_camera_ray(&camera, 75, 50, &ray)); /* half way to the right edge */
    assert_near(ray.origin[0], 0.5, 1e-6);
    assert_near(ray.origin[2], -4, 1e-6);
    assert_near(ray.dir[0], 4, 1e-5); /* to (4.5, 0, 4) */
    assert_near(ray.dir[2], 8, 1e-5);
    assert_true(ray.tmax == 1);
    assert_false(sl_camera_project(&camera, (float[3]){ 0, 0, -6 }, NULL, NULL)); /* behind */
    /* What cannot be inverted, is not finite or shows nothing is refused, and out left alone. */
    float broken[16];
    const sl_camera before = camera;
    memcpy(broken, projection, sizeof broken);
    broken[0] = 0;
    assert_int_equal(
        sl_camera_from_matrices(view, broken, 100, 100, SL_CLIP_SPACE_D3D, &camera, &error),
        SL_INVALID_ARGUMENT);
    broken[0] = NAN;
    assert_int_equal(
        sl_camera_from_matrices(view, broken, 100, 100, SL_CLIP_SPACE_D3D, &camera, &error),
        SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "projection"));
    assert_int_equal(
        sl_camera_from_matrices(broken, view, 100, 100, SL_CLIP_SPACE_D3D, &camera, &error),
        SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "view"));
    for (int i = 0; i < 16; i++) {
        broken[i] = -projection[i]; /* the same map, but w is negative in front */
    }
    assert_int_equal(
        sl_camera_from_matrices(view, broken, 100, 100, SL_CLIP_SPACE_D3D, &camera, &error),
        SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "in front"));
    assert_int_equal(
        sl_camera_from_matrices(view, projection, 100, 0, SL_CLIP_SPACE_D3D, &camera, &error),
        SL_INVALID_ARGUMENT);
    assert_memory_equal(&camera, &before, sizeof camera);
}

TEST(a_far_plane_beyond_infinity_is_infinitely_far)
{
    /* An engine's infinite projection with a little epsilon against rounding: w at depth 1 is < 0.
     */
    sl_camera_def def = plain_def();
    sl_camera camera = make(&def);
    sl_ray ray, moved;
    assert_true(sl_camera_ray(&camera, 10, 20, &ray));
    camera.projection[10] = -1 + 0x1p-20f;
    assert_true(sl_camera_ray(&camera, 10, 20, &moved));
    assert_true(ray.tmax == INFINITY && moved.tmax == INFINITY);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(moved.dir[axis], (double)ray.dir[axis], 1e-6);
    }
}

TEST(what_is_not_there_is_not_seen)
{
    const sl_camera_def def = plain_def();
    const sl_camera camera = make(&def);
    sl_ray ray = { .tmin = 77 };
    float xy[2] = { 77, 77 }, depth = 77, point[3] = { 77, 77, 77 };
    assert_false(sl_camera_ray(&camera, NAN, 0, &ray));
    assert_false(sl_camera_ray(&camera, 0, INFINITY, &ray));
    assert_true(ray.tmin == 77);
    assert_false(sl_camera_project(&camera, (float[3]){ 0, 0, 1 }, xy, &depth));
    assert_false(sl_camera_project(&camera, (float[3]){ 0, 0, 0 }, xy, &depth)); /* in the eye */
    assert_false(sl_camera_project(&camera, (float[3]){ NAN, 0, -1 }, xy, &depth));
    assert_true(xy[0] == 77 && depth == 77);
    assert_false(sl_camera_unproject(&camera, 1, 1, 1, point)); /* infinitely far */
    assert_false(sl_camera_unproject(&camera, 1, 1, 2, point)); /* and beyond */
    assert_false(sl_camera_unproject(&camera, 1, NAN, 0, point));
    assert_true(point[0] == 77);
    const sl_camera zeroed = { .width = 0 };
    assert_false(sl_camera_ray(&zeroed, 1, 1, &ray));
    assert_false(sl_camera_project(&zeroed, (float[3]){ 0, 0, -1 }, xy, &depth));
}

TEST(a_row_is_its_pixels_one_by_one)
{
    for (int kind = 0; kind < KINDS; kind++) {
        const sl_camera_def def = def_of(kind, clips[kind % 4]);
        const sl_camera camera = make(&def);
        sl_ray row[50];
        assert_true(sl_camera_row(&camera, 123, 456, 50, row));
        for (int i = 0; i < 50; i++) {
            sl_ray ray;
            assert_true(sl_camera_ray(&camera, 123.5f + (float)i, 456.5f, &ray));
            assert_memory_equal(&ray, &row[i], sizeof ray);
        }
    }
    const sl_camera broken = { .width = 10, .height = 10 };
    sl_ray ray;
    assert_false(sl_camera_row(&broken, 0, 0, 1, &ray));
}

static void assert_all_seen(const sl_aabb *box, const sl_camera_def *def)
{
    const sl_camera camera = make(def);
    for (int corner = 0; corner < 8; corner++) {
        float point[3], xy[2], depth;
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = ((corner >> axis) & 1) != 0 ? box->max[axis] : box->min[axis];
        }
        assert_true(sl_camera_project(&camera, point, xy, &depth));
        assert_true(xy[0] >= 0 && xy[0] <= (float)def->width);
        assert_true(xy[1] >= 0 && xy[1] <= (float)def->height);
        assert_true(depth >= -1 && depth <= 1);
    }
}

/* All corners are in the picture; how much of its longer side they span. */
static float share_of_picture(const sl_soup *soup, const sl_camera_def *def)
{
    const sl_camera camera = make(def);
    const float sides[2] = { (float)def->width, (float)def->height };
    float low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (size_t i = 0; i < 3 * soup->triangle_count; i++) {
        float xy[2], depth;
        if (soup->indices[i] != SL_NONE) {
            const float *point = soup->xyz + 3 * (size_t)soup->indices[i];
            assert_true(sl_camera_project(&camera, point, xy, &depth));
            assert_true(depth >= -1 && depth <= 1);
            for (int side = 0; side < 2; side++) {
                assert_true(xy[side] >= 0 && xy[side] <= sides[side]);
                low[side] = fminf(low[side], xy[side]);
                high[side] = fmaxf(high[side], xy[side]);
            }
        }
    }
    return fmaxf((high[0] - low[0]) / sides[0], (high[1] - low[1]) / sides[1]);
}

TEST(a_framed_box_is_in_the_picture_whatever_its_size_and_place)
{
    test_random random = { 60 };
    for (int i = 0; i < 4000; i++) {
        const float size = ldexpf(1, (int)test_random_below(&random, 180) - 90);
        const float away = i % 3 == 0 ? size * ldexpf(1, (int)test_random_below(&random, 18)) : 0;
        float centre[3], sides[3], towards[3];
        for (int axis = 0; axis < 3; axis++) {
            centre[axis] = away * test_random_in(&random, -1, 1);
            sides[axis] = size * test_random_unit(&random);
            sides[axis] =
                test_random_below(&random, 4) == 0 ? 0 : sides[axis]; /* flat, or a point */
            towards[axis] = test_random_below(&random, 3) == 0 ? 0 : test_random_in(&random, -1, 1);
        }
        if (towards[0] == 0 && towards[1] == 0 && towards[2] == 0) {
            continue;
        }
        const sl_aabb box = sl_aabb_from_centre(centre, sides);
        sl_camera_def def = { 0 };
        def.orthographic = i % 2 == 1;
        def.width = 1 + test_random_below(&random, 1000);
        def.height = 1 + test_random_below(&random, 1000);
        sl_error error;
        assert_int_equal(sl_camera_fit(&box, NULL, towards, &def, &error), SL_OK);
        assert_all_seen(&box, &def);
    }
}

/* Corners of random triangles, far away and flat ones too: all are in the picture, and two opposite
 * sides are near them, unless the eye may come no nearer. */
TEST(framed_triangles_fill_the_picture)
{
    enum { TRIANGLES = 20 };
    test_random random = { 61 };
    int filled = 0;
    for (int i = 0; i < 2000; i++) {
        const float size = ldexpf(1, (int)test_random_below(&random, 120) - 60);
        const float away = i % 3 == 0 ? size * ldexpf(1, (int)test_random_below(&random, 8)) : 0;
        float xyz[3 * TRIANGLES][3], towards[3];
        uint32_t indices[3 * TRIANGLES];
        for (uint32_t k = 0; k < 3 * TRIANGLES; k++) {
            indices[k] = k < 3 ? SL_NONE : k; /* the first is left out, and anywhere */
            for (int axis = 0; axis < 3; axis++) {
                const float flat = axis == 2 && i % 5 == 0 ? 0 : 1;
                xyz[k][axis] = k < 3 ? NAN : away + flat * size * test_random_in(&random, -1, 1);
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            towards[axis] = test_random_in(&random, -1, 1);
        }
        const sl_soup soup = { .xyz = xyz[0], .indices = indices, .triangle_count = TRIANGLES };
        sl_camera_def def = { 0 };
        def.orthographic = i % 2 == 1;
        def.width = 50 + test_random_below(&random, 1000);
        def.height = 50 + test_random_below(&random, 1000);
        sl_error error;
        assert_int_equal(sl_camera_fit(NULL, &soup, towards, &def, &error), SL_OK);
        filled += share_of_picture(&soup, &def) > 0.96f;
    }
    assert_true(filled > 1900);
}

TEST(framing_refuses_what_it_cannot_show)
{
    const sl_aabb unit = { { -1, -1, -1 }, { 1, 1, 1 } };
    const sl_aabb empty = sl_aabb_empty(),
                  huge = { { -3e38f, -3e38f, -3e38f }, { 3e38f, 3e38f, 3e38f } };
    sl_camera_def def = { 0 };
    const sl_camera_def before = def;
    sl_error error;
    assert_int_equal(sl_camera_fit(&empty, NULL, (float[3]){ 0, 0, 1 }, &def, &error),
                     SL_INVALID_ARGUMENT);
    assert_int_equal(sl_camera_fit(&huge, NULL, (float[3]){ 0, 0, 1 }, &def, &error),
                     SL_INVALID_ARGUMENT);
    assert_int_equal(sl_camera_fit(&unit, NULL, (float[3]){ 0, 0, 0 }, &def, &error),
                     SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "direction"));
    assert_int_equal(sl_camera_fit(&unit, NULL, (float[3]){ 0, NAN, 1 }, &def, &error),
                     SL_INVALID_ARGUMENT);
    assert_memory_equal(&def, &before, sizeof def);
    const sl_soup nothing = { .triangle_count = 0 };
    assert_int_equal(sl_camera_fit(NULL, &nothing, (float[3]){ 0, 0, 1 }, &def, &error),
                     SL_INVALID_ARGUMENT);
    assert_memory_equal(&def, &before, sizeof def);
    def.width = 640; /* but no height */
    assert_int_equal(sl_camera_fit(&unit, NULL, (float[3]){ 0, 0, 1 }, &def, &error),
                     SL_INVALID_ARGUMENT);
    /* From above up is not up; another is found. */
    def = before;
    assert_int_equal(sl_camera_fit(&unit, NULL, (float[3]){ 0, 1, 0 }, &def, &error), SL_OK);
    assert_true(def.up[1] == 0);
    assert_all_seen(&unit, &def);
}

TEST(the_callers_rounding_mode_changes_nothing)
{
    const int modes = callers_env_count();
    for (int i = 0; i < modes * KINDS; i++) {
        const sl_camera_def def = def_of(i / modes, clips[i % 4]);
        const sl_camera camera = make(&def);
        sl_camera other;
        sl_ray ray, other_ray;
        float xy[2], other_xy[2];
        assert_true(sl_camera_ray(&camera, 12.3f, 45.6f, &ray));
        assert_true(sl_camera_project(&camera, ray.origin, xy, NULL));
        callers_env_set(i % modes);
        const sl_result result = sl_camera_make(&def, &other, NULL);
        const bool found = sl_camera_ray(&camera, 12.3f, 45.6f, &other_ray);
        const bool seen = sl_camera_project(&camera, ray.origin, other_xy, NULL);
        callers_env_reset();
        assert_int_equal(result, SL_OK);
        assert_true(found && seen);
        assert_memory_equal(&camera, &other, sizeof camera);
        assert_memory_equal(&ray, &other_ray, sizeof ray);
        assert_memory_equal(xy, other_xy, sizeof xy);
    }
}
