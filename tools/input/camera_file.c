/* Cameras as JSON:
 *   { "schema": 1, "command": "camera", "size": [w, h], "depth": "gl", and either
 *     "eye", "target", "up": [x, y, z], "near": n, "far": f or "inf",
 *     "projection": "perspective" with "fov" (degrees) or "orthographic" with "height", or either
 *     with "window": [left, right, bottom, top]
 *   or
 *     "view_matrix", "projection_matrix": [16 numbers, column by column] }
 * Numbers are written so that the same floats are read back. */
#include "tools/cli/report.h"
#include "tools/input/camera.h"
#include "tools/output/file_conflicts.h"
#include "tools/output/output.h"

#include <errno.h>
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* A file on its way in: the first complaint is kept. */
typedef struct reader {
    const char *path;
    json_t *root;
    int status;
} reader;

static void camera_file_complain(reader *r, const char *key, const char *wanted)
{
    if (r->status == EXIT_DONE) {
        const char *is = json_object_get(r->root, key) == NULL ? "missing" : "wrong";
        r->status = report_input(r->path, 0, "\"%s\" is %s; it must be %s", key, is, wanted);
    }
}

static bool camera_file_has(const reader *r, const char *key)
{
    return json_object_get(r->root, key) != NULL;
}

/* A number that fits a float. */
static bool to_float(const json_t *json, float *out)
{
    if (!json_is_number(json) || !(fabs(json_number_value(json)) <= (double)FLT_MAX)) {
        return false;
    }
    *out = (float)json_number_value(json);
    return true;
}

static void read_floats(reader *r, const char *key, float *out, size_t count, const char *wanted)
{
    const json_t *array = json_object_get(r->root, key);
    bool good = json_array_size(array) == count;
    for (size_t i = 0; good && i < count; i++) {
        good = to_float(json_array_get(array, i), &out[i]);
    }
    if (!good) {
        camera_file_complain(r, key, wanted);
    }
}

static void read_vector(reader *r, const char *key, float out[3])
{
    read_floats(r, key, out, 3, "[x, y, z], three numbers");
}

static void read_float(reader *r, const char *key, float *out)
{
    if (!to_float(json_object_get(r->root, key), out)) {
        camera_file_complain(r, key, "a number");
    }
}

/* Far planes may be infinite, which JSON has no number for. */
static void read_far(reader *r, float *out)
{
    const char *word = json_string_value(json_object_get(r->root, "far"));
    if (word != NULL && strcmp(word, "inf") == 0) {
        *out = INFINITY;
    } else if (!to_float(json_object_get(r->root, "far"), out)) {
        camera_file_complain(r, "far", "a number or \"inf\"");
    }
}

static void read_picture(reader *r, sl_camera_def *def)
{
    const json_t *size = json_object_get(r->root, "size");
    uint32_t *const sides[2] = { &def->width, &def->height };
    bool good = json_array_size(size) == 2;
    for (size_t i = 0; good && i < 2; i++) {
        const json_int_t side = json_integer_value(json_array_get(size, i));
        good = side >= 1 && side <= 1000000;
        *sides[i] = good ? (uint32_t)side : 1;
    }
    if (!good || (uint64_t)def->width * def->height > 1u << 28) {
        camera_file_complain(r, "size",
                             "[width, height], whole numbers of pixels, 2^28 of them at most");
    }
    const char *word = json_string_value(json_object_get(r->root, "depth"));
    int clip = 0;
    while (camera_depth_words[clip] != NULL &&
           (word == NULL || strcmp(word, camera_depth_words[clip]) != 0)) {
        clip++;
    }
    if (camera_depth_words[clip] == NULL) {
        camera_file_complain(r, "depth", "\"gl\", \"d3d\", \"vulkan\" or \"reversed\"");
    }
    def->clip = (sl_clip_space)clip;
}

static void read_volume(reader *r, camera_in *in)
{
    sl_camera_def *def = &in->def;
    const char *word = json_string_value(json_object_get(r->root, "projection"));
    def->orthographic = word != NULL && strcmp(word, "orthographic") == 0;
    if (!def->orthographic && (word == NULL || strcmp(word, "perspective") != 0)) {
        camera_file_complain(r, "projection", "\"perspective\" or \"orthographic\"");
    }
    def->off_centre = camera_file_has(r, "window");
    if (def->off_centre) {
        read_floats(r, "window", def->window, 4, "[left, right, bottom, top], four numbers");
    } else if (def->orthographic) {
        read_float(r, "height", &def->ortho_height);
    } else {
        float checked;
        read_float(r, "fov", &checked);
        in->fov_deg = json_number_value(json_object_get(r->root, "fov"));
        def->fov_y_rad = camera_in_radians(r->status == EXIT_DONE ? in->fov_deg : 0);
    }
}

/* An unknown name is probably a misspelt one, and must not be ignored silently. */
static void check_keys(reader *r, bool matrices)
{
    static const char *const place[] = { "schema", "command", "size",   "depth", "eye",
                                         "target", "up",      "near",   "far",   "projection",
                                         "fov",    "height",  "window", NULL };
    static const char *const pair[] = { "schema",      "command",           "size", "depth",
                                        "view_matrix", "projection_matrix", NULL };
    const char *key;
    json_t *ignored;
    json_object_foreach(r->root, key, ignored)
    {
        const char *const *known = matrices ? pair : place;
        while (*known != NULL && strcmp(*known, key) != 0) {
            known++;
        }
        if (*known == NULL && r->status == EXIT_DONE) {
            r->status = report_input(r->path, 0, "\"%s\" does not belong in a camera", key);
        }
    }
}

static void read_all(reader *r, camera_in *in)
{
    in->matrices = camera_file_has(r, "view_matrix") || camera_file_has(r, "projection_matrix");
    if (json_integer_value(json_object_get(r->root, "schema")) != 1) {
        camera_file_complain(r, "schema", "1; save the camera anew");
    }
    check_keys(r, in->matrices);
    read_picture(r, &in->def);
    if (in->matrices) {
        read_floats(r, "view_matrix", in->camera.view, 16, "16 numbers, column by column");
        read_floats(r, "projection_matrix", in->camera.projection, 16,
                    "16 numbers, column by column");
        return;
    }
    read_vector(r, "eye", in->def.eye);
    read_vector(r, "target", in->def.target);
    read_vector(r, "up", in->def.up);
    read_volume(r, in);
    read_float(r, "near", &in->def.near_distance);
    read_far(r, &in->def.far_distance);
}

/* What is wrong with a file that gave no JSON; number is that of a failed call, or 0. */
static int report_unread(const char *name, int number, const json_error_t *error)
{
    if (number == ENOENT) {
        return report_input(name, 0, "no such file; check the name");
    }
    if (number != 0) {
        return report_failure(name, "cannot be read: %s; check the name and the permissions",
                              report_why(number));
    }
    return report_input(name, error->line > 0 ? (uint64_t)error->line : 0,
                        "%s; a camera that --save-camera wrote is needed", error->text);
}

int camera_file_read(camera_in *in, const char *path)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    json_error_t error = { 0 };
    reader r = { .path = is_stdin ? "stdin" : path, .status = file_conflicts_read(path) };
    if (r.status != EXIT_DONE) {
        return r.status;
    }
    FILE *stream = is_stdin ? stdin : fopen(path, "rb");
    int number = stream == NULL ? errno : 0;
    if (stream != NULL) {
        errno = 0;
        r.root = json_loadf(stream, JSON_REJECT_DUPLICATES, &error);
        number = ferror(stream) ? errno : 0;
    }
    if (stream != NULL && !is_stdin) {
        fclose(stream);
    }
    if (r.root == NULL) {
        return report_unread(r.path, number, &error);
    }
    if (json_is_object(r.root)) {
        read_all(&r, in);
    } else {
        r.status = report_input(path, 0, "this is no JSON object, so it is no camera");
    }
    json_decref(r.root);
    return r.status;
}

static void write_floats(output *out, const char *key, const float *numbers, size_t count)
{
    out_value values[16];
    for (size_t i = 0; i < count; i++) {
        values[i] = value_float(numbers[i]);
    }
    output_fields(out, key, values, count);
}

static void write_place(output *out, const camera_in *in)
{
    const sl_camera_def *def = &in->def;
    write_floats(out, "eye", def->eye, 3);
    write_floats(out, "target", def->target, 3);
    write_floats(out, "up", def->up, 3);
    output_field(out, "projection", value_text(def->orthographic ? "orthographic" : "perspective"));
    if (def->off_centre) {
        write_floats(out, "window", def->window, 4);
    } else if (def->orthographic) {
        output_field(out, "height", value_float(def->ortho_height));
    } else {
        output_field(out, "fov", value_double(in->fov_deg));
    }
    output_field(out, "near", value_float(def->near_distance));
    output_field(out, "far", value_float(def->far_distance));
}

int camera_file_write(const camera_in *in, const char *path)
{
    output out;
    const int status = output_open(&out, path, OUTPUT_JSON, "camera", false);
    if (status != EXIT_DONE) {
        return status;
    }
    const out_value size[2] = { value_count(in->camera.width), value_count(in->camera.height) };
    output_fields(&out, "size", size, 2);
    output_field(&out, "depth", value_text(camera_depth_words[in->camera.clip]));
    if (in->matrices) {
        write_floats(&out, "view_matrix", in->camera.view, 16);
        write_floats(&out, "projection_matrix", in->camera.projection, 16);
    } else {
        write_place(&out, in);
    }
    return output_close(&out);
}
