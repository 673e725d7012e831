/* input/camera.c: the options of a camera, for check, render, pick and overlap. */
#include "tools/input/camera.h"

#include "tools/cli/numbers.h"
#include "tools/cli/report.h"
#include "tools/input/mesh.h"
#include "tools/input/scene.h"
#include "tools/output/npy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

float camera_in_radians(double degrees)
{
    return (float)(degrees * (3.14159265358979323846 / 180));
}

/* Along one of the picture's axes, from the eye. */
static double camera_along(const double axis[4], const double point[3])
{
    double sum = axis[3];
    for (int i = 0; i < 3; i++) {
        sum += axis[i] * point[i];
    }
    return sum;
}

double camera_in_distance(const camera_in *in, const double point[3])
{
    return camera_along(in->axes[CAMERA_FORWARD], point);
}

/* The rows of the view matrix, made unit; forward is whichever way the rays go, since engines that
 * look along +z exist. */
static void find_axes(camera_in *in)
{
    const float *view = in->camera.view;
    for (int axis = 0; axis < 3; axis++) {
        double square = 0;
        for (int i = 0; i < 3; i++) {
            square += (double)view[4 * i + axis] * view[4 * i + axis];
        }
        const double length = square > 0 ? sqrt(square) : 1;
        for (int i = 0; i < 4; i++) {
            in->axes[axis][i] = view[4 * i + axis] / length;
        }
    }
    sl_ray ray;
    double *forward = in->axes[CAMERA_FORWARD];
    double towards = -1;
    if (sl_camera_ray(&in->camera, (float)in->camera.width / 2, (float)in->camera.height / 2,
                      &ray)) {
        towards = 0;
        for (int i = 0; i < 3; i++) {
            towards += forward[i] * (double)ray.dir[i];
        }
    }
    for (int i = 0; i < 4; i++) {
        forward[i] = towards < 0 ? -forward[i] : forward[i];
    }
}

int camera_in_size(const invocation *call, const char *text, uint32_t *width, uint32_t *height)
{
    enum { MAX_SIDE = 1000000, MAX_PIXELS = 1 << 28 };
    unsigned long long sides[2] = { 0, 0 };
    const char *from = text;
    bool good = true;
    for (int i = 0; i < 2; i++) {
        char *end;
        good = good && from[0] >= '0' && from[0] <= '9'; /* strtoull takes signs and blanks */
        sides[i] = good ? strtoull(from, &end, 10) : 0;
        good = good && *end == (i == 0 ? 'x' : '\0');
        from = good ? end + 1 : from;
        good = good && sides[i] >= 1 && sides[i] <= MAX_SIDE;
    }
    if (!good || sides[0] * sides[1] > MAX_PIXELS) {
        return report_usage(call->command,
                            "--size is '%s'; it must be like 800x600, of %d pixels at most", text,
                            (int)MAX_PIXELS);
    }
    *width = (uint32_t)sides[0];
    *height = (uint32_t)sides[1];
    return EXIT_DONE;
}

/* 16 numbers, in the order in which matrices lie in memory. */
static int parse_matrix(const invocation *call, const char *name, const char *text, float out[16])
{
    bool good = numbers_parse(text, out, 16) == 16;
    for (int i = 0; good && i < 16; i++) {
        good = isfinite(out[i]);
    }
    return good ? EXIT_DONE
                : report_usage(call->command,
                               "--%s is '%s'; it must be a .npy file or 16 finite numbers", name,
                               text);
}

/* NumPy shows a matrix row by row, so that its translation is m[:3, 3]; ours go column by column.
 */
static int load_matrix(const invocation *call, const char *name, const char *text, float out[16])
{
    if (!npy_is_name(text)) {
        return parse_matrix(call, name, text, out);
    }
    float *numbers = NULL;
    size_t rows = 0;
    const int status = npy_load_floats(text, 4, &numbers, &rows);
    if (status != EXIT_DONE) {
        return status;
    }
    if (rows != 4) {
        free(numbers);
        return report_input(text, 0, "%zu rows of 4; a matrix of 4 rows and 4 columns is needed",
                            rows);
    }
    for (int i = 0; i < 16; i++) {
        out[i] = numbers[i % 4 * 4 + i / 4];
    }
    free(numbers);
    return EXIT_DONE;
}

/* What two matrices leave no room for. */
static int refuse_beside_matrices(const invocation *call)
{
    static const char *const replaced[] = { "eye",    "target", "up",  "from",    "fov", "ortho",
                                            "window", "near",   "far", "up-axis", NULL };
    const char *other = options_first_given(call, replaced);
    return other == NULL ? EXIT_DONE
                         : report_usage(call->command,
                                        "--%s cannot change a camera given as two matrices", other);
}

static int take_matrices(camera_in *in, const invocation *call, const camera_options *options)
{
    in->matrices = true;
    const int status = load_matrix(call, "view", options->view, in->camera.view);
    return status != EXIT_DONE
               ? status
               : load_matrix(call, "projection", options->projection, in->camera.projection);
}

/* Two matrices, as far as they are no files. */
static int check_matrices(const invocation *call, const camera_options *options)
{
    const char *const names[] = { "view", "projection" },
                      *texts[] = { options->view, options->projection };
    float numbers[16];
    if (options->view == NULL || options->projection == NULL) {
        return report_usage(call->command, "--view and --projection are needed together");
    }
    if (options->camera != NULL) {
        return report_usage(call->command, "--camera and --view exclude each other");
    }
    int status = refuse_beside_matrices(call);
    for (int i = 0; i < 2 && status == EXIT_DONE; i++) {
        status =
            npy_is_name(texts[i]) ? EXIT_DONE : parse_matrix(call, names[i], texts[i], numbers);
    }
    return status;
}

int camera_in_check(const invocation *call, const camera_options *options)
{
    static const char *const pairs[][2] = {
        { "fov", "ortho" }, { "fov", "window" }, { "from", "camera" }, { "from", "eye" }
    };
    uint32_t width, height;
    if (options->view != NULL || options->projection != NULL) {
        const int status = check_matrices(call, options);
        if (status != EXIT_DONE) {
            return status;
        }
    }
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (options_given(call, pairs[i][0]) && options_given(call, pairs[i][1])) {
            return report_usage(call->command, "--%s and --%s exclude each other", pairs[i][0],
                                pairs[i][1]);
        }
    }
    if (options_given(call, "target") && options->camera == NULL && !options_given(call, "eye")) {
        return report_usage(call->command, "--target needs --eye");
    }
    return options->size == NULL ? EXIT_DONE : camera_in_size(call, options->size, &width, &height);
}

/* The view volume: whichever of angle, height and window was given. */
static void take_volume(camera_in *in, const invocation *call, const camera_options *options)
{
    static const char *const heights[] = { "fov", "ortho", NULL };
    sl_camera_def *def = &in->def;
    if (options_first_given(call, heights) != NULL || options->camera == NULL) {
        def->orthographic = options_given(call, "ortho");
        def->off_centre = false;
        in->fov_deg = (double)options->fov;
        def->fov_y_rad = camera_in_radians(in->fov_deg);
        if (options->ortho > 0) {
            def->ortho_height = options->ortho;
        }
    }
    if (options_given(call, "window")) {
        def->off_centre = true;
        memcpy(def->window, options->window, sizeof def->window);
    }
}

static void take_up(sl_camera_def *def, const camera_options *options, const float towards[3])
{
    const int axis = options->up_axis == 0 ? 1 : 2;
    memset(def->up, 0, sizeof def->up);
    def->up[axis] = 1;
    const float across = fmaxf(fabsf(towards[0]), fabsf(towards[3 - axis]));
    if (across <= 1e-6f * fabsf(towards[axis])) { /* seen from above or below: north is up */
        def->up[axis] = 0;
        def->up[3 - axis] = axis == 1 ? -1.0f : 1.0f;
    }
}

/* What is looked at. */
typedef struct scenery {
    const sl_aabb *bounds;
    const sl_mesh *mesh; /* NULL: the bounds are framed */
} scenery;

static sl_result fit_mesh(const sl_mesh *mesh, const float from[3], sl_camera_def *def,
                          sl_error *error)
{
    const sl_soup soup = sl_mesh_soup(mesh);
    return sl_camera_fit(NULL, &soup, from, def, error);
}

/* Where no eye was given: all of the mesh, from --from. */
static int camera_frame(camera_in *in, const invocation *call, const camera_options *options,
                        const scenery *shown)
{
    static const float three_quarters[2][3] = { { 1, 0.6f, 1.6f }, { 1, -1.6f, 0.6f } };
    static const sl_aabb unit = { .min = { -1, -1, -1 }, .max = { 1, 1, 1 } };
    sl_camera_def *def = &in->def;
    const float *from =
        options_given(call, "from") ? options->from : three_quarters[options->up_axis];
    if (options_given(call, "up")) {
        memcpy(def->up, options->up, sizeof def->up);
    } else {
        take_up(def, options, from);
    }
    const bool empty = !(shown->bounds->min[0] <= shown->bounds->max[0]);
    const float height = def->ortho_height;
    const bool off_centre = def->off_centre;
    sl_error error;
    def->off_centre = false;
    const sl_result result =
        shown->mesh != NULL && !empty
            ? fit_mesh(shown->mesh, from, def, &error)
            : sl_camera_fit(empty ? &unit : shown->bounds, NULL, from, def, &error);
    if (result != SL_OK) {
        return report_usage(call->command, "%s", error.message);
    }
    def->off_centre = off_centre;
    if (options->ortho > 0) {
        def->ortho_height = height;
    }
    return EXIT_DONE;
}

/* Where an eye was given: the rest of its place, and a volume that fits the mesh. */
static void camera_stand(camera_in *in, const invocation *call, const camera_options *options,
                         const sl_aabb *bounds)
{
    sl_camera_def *def = &in->def;
    const bool fresh = options->camera == NULL;
    if (options_given(call, "eye")) {
        memcpy(def->eye, options->eye, sizeof def->eye);
    }
    float towards[3];
    for (int axis = 0; axis < 3; axis++) {
        if (options_given(call, "target")) {
            def->target[axis] = options->target[axis];
        } else if (fresh) {
            def->target[axis] = bounds->min[0] <= bounds->max[0]
                                    ? bounds->min[axis] / 2 + bounds->max[axis] / 2
                                    : 0;
        }
        towards[axis] = def->eye[axis] - def->target[axis];
    }
    if (options_given(call, "up")) {
        memcpy(def->up, options->up, sizeof def->up);
    } else if (fresh || options_given(call, "up-axis")) {
        take_up(def, options, towards);
    }
    if (!fresh) {
        return;
    }
    const double size = mesh_in_diagonal(bounds);
    double reach = 0; /* no point of the mesh is farther from the eye */
    for (int axis = 0; axis < 3; axis++) {
        reach += fabs((double)def->eye[axis] - def->target[axis]);
    }
    reach += size > 0 ? size : 1;
    if (def->orthographic) {
        def->near_distance = 0;
        def->far_distance = (float)fmin(2 * reach, 3e38);
    } else {
        def->near_distance = (float)fmax(1e-4 * (size > 0 ? size : 100), 1e-30);
        def->far_distance = INFINITY;
    }
}

static int camera_place(camera_in *in, const invocation *call, const camera_options *options,
                        const scenery *shown)
{
    int status = EXIT_DONE;
    take_volume(in, call, options);
    if (options->camera == NULL && !options_given(call, "eye")) {
        status = camera_frame(in, call, options, shown);
    } else {
        camera_stand(in, call, options, shown->bounds);
    }
    if (options_given(call, "near")) {
        in->def.near_distance = options->near_distance;
    }
    if (options_given(call, "far")) {
        in->def.far_distance = options->far_distance;
    }
    return status;
}

/* Where the picture's size and clip space come from: the options, else the file, else defaults. */
static int take_picture(camera_in *in, const invocation *call, const camera_options *options)
{
    if (options->camera == NULL || options_given(call, "depth")) {
        in->def.clip = (sl_clip_space)options->depth;
    }
    return options->size == NULL
               ? EXIT_DONE
               : camera_in_size(call, options->size, &in->def.width, &in->def.height);
}

/* The name of a number that was given as 0, which would mean a default to the library; NULL: there
 * is none. */
static const char *zero_of(const sl_camera_def *def)
{
    bool up = false, sight = false;
    for (int axis = 0; axis < 3; axis++) {
        up = up || def->up[axis] != 0;
        sight = sight || def->eye[axis] != 0 || def->target[axis] != 0;
    }
    return !up                                           ? "up"
           : !sight                                      ? "the distance from eye to target"
           : def->orthographic && def->ortho_height == 0 ? "the height"
           : def->orthographic                           ? NULL
           : def->fov_y_rad == 0                         ? "the angle"
           : def->near_distance == 0                     ? "the near distance"
           : def->far_distance == 0                      ? "the far distance"
                                                         : NULL;
}

static sl_result make_placed(const sl_camera_def *def, sl_camera *out, sl_error *error)
{
    const char *zero = zero_of(def);
    if (zero != NULL) {
        snprintf(error->message, sizeof error->message, "%s is 0; give another number", zero);
        return SL_INVALID_ARGUMENT;
    }
    return sl_camera_make(def, out, error);
}

static int camera_make(camera_in *in, const invocation *call, const camera_options *options,
                       const scenery *shown)
{
    *in = (camera_in){ .def = { .eye = { 0, 0, 1 },
                                .up = { 0, 1, 0 },
                                .ortho_height = 2,
                                .near_distance = 0.01f,
                                .far_distance = INFINITY,
                                .width = 800,
                                .height = 600 } };
    int status = EXIT_DONE;
    if (options->view != NULL) {
        status = take_matrices(in, call, options);
    } else if (options->camera != NULL) {
        status = mesh_in_check_stdin(call, "camera", options->camera);
        status = status == EXIT_DONE ? camera_file_read(in, options->camera) : status;
    }
    status = status == EXIT_DONE ? take_picture(in, call, options) : status;
    if (status == EXIT_DONE) {
        status =
            in->matrices ? refuse_beside_matrices(call) : camera_place(in, call, options, shown);
    }
    if (status != EXIT_DONE) {
        return status;
    }
    sl_error error;
    const sl_camera_def *def = &in->def;
    const sl_camera given = in->camera;
    const sl_result result =
        in->matrices ? sl_camera_from_matrices(given.view, given.projection, def->width,
                                               def->height, def->clip, &in->camera, &error)
                     : make_placed(def, &in->camera, &error);
    if (result == SL_OK) {
        find_axes(in);
        return EXIT_DONE;
    }
    return options->camera != NULL ? report_input(options->camera, 0, "%s", error.message)
                                   : report_usage(call->command, "%s", error.message);
}

int camera_in_make(camera_in *in, const invocation *call, const camera_options *options,
                   const sl_aabb *bounds)
{
    const scenery shown = { .bounds = bounds };
    return camera_make(in, call, options, &shown);
}

int camera_in_make_of(camera_in *in, const invocation *call, const camera_options *options,
                      const sl_mesh *mesh)
{
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    const sl_aabb bounds = info.bounds;
    const scenery shown = { .bounds = &bounds, .mesh = mesh };
    return camera_make(in, call, options, &shown);
}

int camera_in_frame(camera_in *in, const invocation *call, const camera_options *options,
                    const mesh_in *shown)
{
    if (shown->scene == NULL) {
        return camera_in_make_of(in, call, options, shown->mesh);
    }
    const sl_aabb bounds = mesh_in_bounds(shown->bvh);
    return camera_in_make(in, call, options, &bounds);
}

int camera_in_save(const camera_in *in, const camera_options *options)
{
    return options->save == NULL ? EXIT_DONE : camera_file_write(in, options->save);
}
