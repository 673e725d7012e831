/* Cameras to JSON and back: the same bits; and files that are no cameras. */
#include "test/support/test.h"
#include "tools/input/camera.h"
#include "tools/output/file_conflicts.h"

#include <unistd.h>

static char path[64];

TEST_BEFORE_ALL
{
    snprintf(path, sizeof path, "/tmp/sightline_camera_XXXXXX");
    const int file = mkstemp(path);
    assert_int_equal(close(file), 0);
}

TEST_AFTER_ALL
{
    assert_int_equal(unlink(path), 0);
}

static void random_vector(test_random *random, float *out, int count)
{
    for (int i = 0; i < count; i++) {
        const float scale = ldexpf(1, (int)test_random_below(random, 60) - 30);
        out[i] = test_random_in(random, -1, 1) * scale;
    }
}

static camera_in random_camera(test_random *random)
{
    camera_in in = { 0 };
    sl_camera_def *def = &in.def;
    random_vector(random, def->eye, 3);
    random_vector(random, def->target, 3);
    random_vector(random, def->up, 3);
    def->orthographic = test_random_below(random, 2) == 0;
    def->off_centre = test_random_below(random, 3) == 0;
    in.fov_deg = (double)test_random_in(random, 1, 170);
    if (def->off_centre) {
        random_vector(random, def->window, 4);
    } else if (def->orthographic) {
        random_vector(random, &def->ortho_height, 1);
    } else {
        def->fov_y_rad = camera_in_radians(in.fov_deg);
    }
    random_vector(random, &def->near_distance, 1);
    def->far_distance = INFINITY;
    if (test_random_below(random, 2) == 0) {
        random_vector(random, &def->far_distance, 1);
    }
    def->clip = (sl_clip_space)test_random_below(random, 4);
    in.camera.width = def->width = 1 + test_random_below(random, 5000);
    in.camera.height = def->height = 1 + test_random_below(random, 5000);
    in.camera.clip = def->clip;
    return in;
}

/* Each as a run of its own. */
static int write_anew(const camera_in *in, const char *to)
{
    file_conflicts_forget();
    return camera_file_write(in, to);
}

static int read_anew(camera_in *in, const char *from)
{
    file_conflicts_forget();
    return camera_file_read(in, from);
}

TEST(placed_cameras_come_back_bit_for_bit)
{
    test_random random = { 11 };
    for (int i = 0; i < 100; i++) {
        const camera_in written = random_camera(&random);
        camera_in read = { 0 };
        assert_int_equal(write_anew(&written, path), EXIT_DONE);
        assert_int_equal(read_anew(&read, path), EXIT_DONE);
        assert_false(read.matrices);
        const sl_camera_def *a = &written.def, *b = &read.def;
        assert_memory_equal(a->eye, b->eye, sizeof a->eye);
        assert_memory_equal(a->target, b->target, sizeof a->target);
        assert_memory_equal(a->up, b->up, sizeof a->up);
        assert_memory_equal(a->window, b->window, sizeof a->window);
        assert_int_equal(a->orthographic, b->orthographic);
        assert_int_equal(a->off_centre, b->off_centre);
        assert_true(a->fov_y_rad == b->fov_y_rad && a->ortho_height == b->ortho_height);
        assert_true(a->near_distance == b->near_distance && a->far_distance == b->far_distance);
        assert_int_equal(a->clip, b->clip);
        assert_int_equal(a->width, b->width);
        assert_int_equal(a->height, b->height);
    }
}

TEST(matrices_come_back_bit_for_bit)
{
    test_random random = { 12 };
    camera_in written = { .matrices = true };
    camera_in read = { 0 };
    random_vector(&random, written.camera.view, 16);
    random_vector(&random, written.camera.projection, 16);
    written.camera.width = 640;
    written.camera.height = 480;
    written.camera.clip = SL_CLIP_SPACE_VULKAN;
    assert_int_equal(write_anew(&written, path), EXIT_DONE);
    assert_int_equal(read_anew(&read, path), EXIT_DONE);
    assert_true(read.matrices);
    assert_memory_equal(read.camera.view, written.camera.view, sizeof read.camera.view);
    assert_memory_equal(read.camera.projection, written.camera.projection,
                        sizeof read.camera.projection);
    assert_int_equal(read.def.clip, SL_CLIP_SPACE_VULKAN);
    assert_int_equal(read.def.width, 640);
}

static int read_text(const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    camera_in in = { 0 };
    return read_anew(&in, path);
}

#define REST                                                                                       \
    "\"target\": [0, 0, 0], \"up\": [0, 1, 0], \"projection\": \"perspective\", \"fov\": 40, "     \
    "\"near\": 1, \"far\": \"inf\""
#define HEAD "\"schema\": 1, \"size\": [80, 60], \"depth\": \"gl\", "

TEST(files_that_are_no_cameras_are_bad_input)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "7",
        "{",
        "{ " HEAD "\"eye\": [0, 0], " REST " }",
        "{ " HEAD "\"eye\": [0, 0, 1, 2], " REST " }",
        "{ " HEAD "\"eye\": [0, 0, \"1\"], " REST " }",
        "{ " HEAD "\"eye\": [0, 0, 1e39], " REST " }",
        "{ " HEAD "\"eye\": [0, 0, 1e999], " REST " }",
        "{ " HEAD "\"eye\": [0, 0, NaN], " REST " }",
        "{ " HEAD "\"eye\": 3, " REST " }",
        "{ " HEAD REST " }",
        "{ " HEAD "\"eye\": [0, 0, 1], \"eye\": [0, 0, 1], " REST " }",
        "{ " HEAD "\"eye\": [0, 0, 1], \"aye\": 1, " REST " }",
        "{ " HEAD "\"eye\": [0, 0, 1], " REST " } x",
        "{ \"schema\": 2, \"size\": [80, 60], \"depth\": \"gl\", \"eye\": [0, 0, 1], " REST " }",
        "{ \"schema\": 1, \"size\": [80, 0], \"depth\": \"gl\", \"eye\": [0, 0, 1], " REST " }",
        "{ \"schema\": 1, \"size\": [-8, 6], \"depth\": \"gl\", \"eye\": [0, 0, 1], " REST " }",
        "{ \"schema\": 1, \"size\": [1000000, 1000000], \"depth\": \"gl\", \"eye\": [0, 0, "
        "1], " REST " }",
        "{ \"schema\": 1, \"size\": [80, 60], \"depth\": \"gx\", \"eye\": [0, 0, 1], " REST " }",
        "{ \"schema\": 1, \"size\": [80, 60], \"eye\": [0, 0, 1], " REST " }",
        "{ " HEAD "\"view_matrix\": [1, 2, 3] }",
        "{ " HEAD "\"view_matrix\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }",
    };
    assert_int_equal(read_text("{ " HEAD "\"eye\": [0, 0, 1], " REST " }"), EXIT_DONE);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (read_text(bad[i]) != EXIT_BAD_INPUT) {
            fail_msg("this was taken for a camera: %s", bad[i]);
        }
    }
}

TEST(a_deep_file_is_refused_without_harm)
{
    enum { DEEP = 100000 };
    FREED char *text = malloc(DEEP + 1);
    memset(text, '[', DEEP);
    text[DEEP] = '\0';
    assert_int_equal(read_text(text), EXIT_BAD_INPUT);
}

TEST(a_file_that_is_not_there_is_bad_input)
{
    camera_in in = { 0 };
    assert_int_equal(read_anew(&in, "/nonexistent/camera.json"), EXIT_BAD_INPUT);
}
