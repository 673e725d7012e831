/* sl_camera_frustum: what is in it is what the camera shows. */
#include "test/support/test.h"
#include "test/support/volume.h"

#include <fenv.h>

enum { SEED = 20260822, CAMERAS = 400, POINTS = 200 };

static sl_camera make_camera(test_random *random, sl_clip_space clip, bool orthographic)
{
    sl_camera_def def = { 0 };
    for (int axis = 0; axis < 3; axis++) {
        def.eye[axis] = test_random_in(random, -5, 5);
        def.target[axis] = test_random_in(random, -1, 1);
    }
    def.orthographic = orthographic;
    def.fov_y_rad = test_random_in(random, 0.2f, 2);
    def.ortho_height = test_random_in(random, 1, 4);
    def.near_distance = test_random_in(random, 0.1f, 2);
    def.far_distance =
        orthographic || test_random_below(random, 2) ? test_random_in(random, 4, 9) : INFINITY;
    def.clip = clip;
    if (test_random_below(random, 4) == 0) {
        const float window[4] = { 1, -0.5f, -0.25f, 0.75f }; /* mirrored, beside the middle */
        def.off_centre = true;
        memcpy(def.window, window, sizeof window);
    }
    def.width = 200;
    def.height = 150;
    return made_camera(&def);
}

/* Yes, no, or too near to the border to tell: within a thousandth of a pixel, or of the depth. */
typedef enum answer { NO, YES, UNSURE } answer;

static answer between(float x, float low, float high, float margin)
{
    return x > low + margin && x < high - margin   ? YES
           : x < low - margin || x > high + margin ? NO
                                                   : UNSURE;
}

static answer is_shown(const sl_camera *camera, const float rectangle[4], const float point[3])
{
    float xy[2], depth;
    if (!sl_camera_project(camera, point, xy, &depth)) {
        return NO;
    }
    const answer answers[3] = { between(xy[0], rectangle[0], rectangle[2], 1e-2f),
                                between(xy[1], rectangle[1], rectangle[3], 1e-2f),
                                between(depth, camera->clip == SL_CLIP_SPACE_GL ? -1 : 0, 1,
                                        1e-4f) };
    answer all = YES;
    for (int i = 0; i < 3; i++) {
        all = answers[i] == NO || all == NO ? NO : answers[i] == UNSURE ? UNSURE : all;
    }
    return all;
}

/* Every clip space, perspective and orthographic, whole pictures and rectangles of them. */
TEST(what_is_in_it_is_what_is_shown)
{
    test_random random = { SEED };
    size_t in = 0, beside = 0;
    for (size_t i = 0; i < CAMERAS * test_scale(); i++) {
        const sl_camera camera = make_camera(&random, (sl_clip_space)(i % 4), i % 8 > 3);
        const float all[4] = { 0, 0, 200, 150 };
        const float part[4] = { 30, 20, 120, 90 }, turned[4] = { 120, 90, 30, 20 };
        const bool whole = i % 3 == 0;
        sl_frustum frustum;
        assert_true(sl_camera_frustum(&camera,
                                      whole        ? NULL
                                      : i % 3 == 1 ? part
                                                   : turned,
                                      &frustum));
        assert_true(sl_volume_is_valid(AS_FRUSTUM(&frustum)));
        for (int n = 0; n < POINTS; n++) {
            float point[3];
            for (int axis = 0; axis < 3; axis++) {
                point[axis] = test_random_in(&random, -6, 6);
            }
            const answer shown = is_shown(&camera, whole ? all : part, point);
            if (shown != UNSURE) {
                const bool within = sl_volume_contains_point(AS_FRUSTUM(&frustum), point);
                assert_int_equal(within, shown == YES);
                in += within;
                beside += !within;
            }
        }
    }
    print_message("seed %d: %zu points in view, %zu not\n", SEED, in, beside);
    assert_true(in > CAMERAS && beside > CAMERAS);
}

/* From (0, 0, 5) with 90 degrees a square picture has sides at 45 degrees, each through the eye. */
TEST(a_right_angle_has_its_sides_at_45_degrees)
{
    sl_camera_def def = { 0 };
    def.eye[2] = 5;
    def.fov_y_rad = (float)acos(0);
    def.near_distance = 1;
    def.far_distance = 9;
    def.width = def.height = 100;
    sl_frustum frustum;
    sl_camera camera = made_camera(&def);
    assert_true(sl_camera_frustum(&camera, NULL, &frustum));
    assert_int_equal(frustum.count, 6);
    static const float inside[][3] = {
        { 0, 0, 3.99f }, { 0, 0, -3.99f }, { 4.99f, 0, 0 }, { -4.99f, 4.99f, 0 }, { 0, -4.99f, 0 }
    };
    static const float outside[][3] = {
        { 0, 0, 4.01f }, { 0, 0, -4.01f }, { 5.01f, 0, 0 }, { -5.01f, 0, 0 }, { 0, -5.01f, 0 }
    };
    for (int i = 0; i < 5; i++) {
        assert_true(sl_volume_contains_point(AS_FRUSTUM(&frustum), inside[i]));
        assert_false(sl_volume_contains_point(AS_FRUSTUM(&frustum), outside[i]));
    }
    def.far_distance = INFINITY;
    camera = made_camera(&def);
    assert_true(sl_camera_frustum(&camera, NULL, &frustum));
    assert_int_equal(frustum.count, 5);
    assert_true(sl_volume_contains_point(AS_FRUSTUM(&frustum), (const float[3]){ 0, 0, -1e6f }));
}

TEST(what_has_no_area_leaves_the_frustum_alone)
{
    test_random random = { SEED };
    const sl_camera camera = make_camera(&random, SL_CLIP_SPACE_GL, false);
    static const float none[][4] = {
        { 10, 10, 10, 90 }, { 10, 10, 90, 10 }, { NAN, 0, 1, 1 }, { 0, 0, INFINITY, 1 }
    };
    for (int i = 0; i < 4; i++) {
        sl_frustum frustum = { .count = 77 };
        assert_false(sl_camera_frustum(&camera, none[i], &frustum));
        assert_int_equal(frustum.count, 77);
    }
    sl_camera flat = camera;
    memset(flat.projection, 0, sizeof flat.projection);
    sl_frustum frustum = { .count = 77 };
    assert_false(sl_camera_frustum(&flat, NULL, &frustum));
    assert_int_equal(frustum.count, 77);
}

TEST(the_callers_rounding_does_not_matter)
{
    test_random random = { SEED };
    const sl_camera camera = make_camera(&random, SL_CLIP_SPACE_VULKAN, false);
    sl_frustum usual = { .count = 0 }, other = { .count = 0 };
    assert_true(sl_camera_frustum(&camera, NULL, &usual));
    fesetround(FE_UPWARD);
    const bool made = sl_camera_frustum(&camera, NULL, &other);
    fesetround(FE_TONEAREST);
    assert_true(made);
    assert_memory_equal(&usual, &other, sizeof usual);
}
