/* volume_spec.c: a volume from options or from a line of text, and back, for overlap. */
#include "tools/input/volume_spec.h"

#include "tools/cli/numbers.h"
#include "tools/cli/report.h"
#include "tools/input/mesh.h"
#include "tools/output/file_conflicts.h"

#include <sightline/io.h>
#include <sightline/mesh_repair.h>

#include <math.h>
#include <string.h>

/* clang-format off */
#define SOLID_ROWS                                                                                 \
    OPTION_ROW(REALS, "aabb", volume_options, aabb, "X0,Y0,Z0,X1,Y1,Z1",                           \
               "the box between two opposite corners, given in any order", .main = true,           \
               .length = 6),                                                                       \
    OPTION_ROW(REALS, "sphere", volume_options, sphere, "X,Y,Z,R", "the sphere around x, y, z",    \
               .main = true, .length = 4),                                                         \
    OPTION_ROW(REALS, "obb", volume_options, obb, "C,U,V,W,H",                                     \
               "a box of any orientation, five times three numbers: its centre, its axes u, v "    \
               "and w, and how far it reaches along each of them, in units of the axis",           \
               .main = true, .length = 15),                                                        \
    OPTION_ROW(REALS, "capsule", volume_options, capsule, "PX,PY,PZ,QX,QY,QZ,R",                   \
               "all within R of the segment from p to q", .main = true, .length = 7),              \
    OPTION_ROW(REALS, "triangle", volume_options, triangle, "A,B,C",                               \
               "a triangle, three times three numbers", .main = true, .length = 9),                \
    OPTION_ROW(TEXT, "hull", volume_options, hull, "X,Y,Z,...",                                    \
               "the convex hull of up to 256 points, three numbers for each; or @ and the name "   \
               "of a mesh file, whose corners are the points", .main = true,                       \
               .not_names = "convex convex-hull")
/* clang-format on */

const option_row moving_volume_rows[] = { SOLID_ROWS, { .name = NULL } };

const option_row volume_rows[] = {
    SOLID_ROWS,
    OPTION_ROW(TEXT, "planes", volume_options, planes, "NX,NY,NZ,D,...",
               "all that lies behind or on up to 8 planes n . x = d, whose normals point outwards",
               .main = true),
    OPTION_FLAG_ROW("frustum", volume_options, frustum, "all that the camera sees"),
    OPTION_ROW(
        REALS, "rectangle", volume_options, rectangle, "X0,Y0,X1,Y1",
        "of --frustum only what lies in this rectangle of the picture, in pixels; the middle "
        "of the top-left pixel is 0.5,0.5; without it the whole picture",
        .length = 4),
    { .name = NULL },
};

static const char *const words[] = { "aabb",    "sphere",   "obb", "capsule",
                                     "frustum", "triangle", "hull" };

const char *volume_spec_word(const sl_volume *volume)
{
    return words[volume->kind];
}

/* The volumes that are a list of numbers, in the order of their fields. */
static const struct {
    const char *word;
    sl_volume_kind kind;
    int count, lengths; /* the last `lengths` numbers must not be negative */
} forms[] = {
    { "aabb", SL_VOLUME_AABB, 6, 0 },         { "sphere", SL_VOLUME_SPHERE, 4, 1 },
    { "obb", SL_VOLUME_OBB, 15, 3 },          { "capsule", SL_VOLUME_CAPSULE, 7, 1 },
    { "triangle", SL_VOLUME_TRIANGLE, 9, 0 }, { "planes", SL_VOLUME_FRUSTUM, -1, 0 },
    { "hull", SL_VOLUME_HULL, -1, 0 },
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static bool fill_planes(sl_frustum *frustum, const float *numbers, int count, char *what,
                        size_t size)
{
    *frustum = (sl_frustum){ .count = (uint32_t)count / 4 };
    bool good = count > 0 && count % 4 == 0 && count <= 4 * SL_FRUSTUM_PLANES_MAX;
    for (int i = 0; good && i < count / 4; i++) {
        memcpy(frustum->plane[i].normal, numbers + 4 * i, sizeof frustum->plane[i].normal);
        frustum->plane[i].offset = numbers[4 * i + 3];
    }
    if (!good || !sl_volume_is_valid(&(sl_volume){ SL_VOLUME_FRUSTUM, { .frustum = *frustum } })) {
        snprintf(what, size,
                 "planes must be nx,ny,nz,d for each of 1 to %d planes, finite, with normals that "
                 "are not zero",
                 (int)SL_FRUSTUM_PLANES_MAX);
        return false;
    }
    return true;
}

static bool check_count(size_t form, int count, char *what, size_t size)
{
    const bool hull = forms[form].kind == SL_VOLUME_HULL;
    if (count == NUMBERS_BAD) {
        snprintf(what, size, "what follows '%s' is not all numbers", forms[form].word);
        return false;
    }
    if (hull && (count == 0 || count % 3 != 0 || count > VOLUME_SPEC_NUMBERS_MAX)) {
        snprintf(what, size, "hull takes x,y,z for each of 1 to %d points; there are %d numbers",
                 (int)SL_HULL_POINTS_MAX, count);
        return false;
    }
    if (!hull && count != forms[form].count) {
        snprintf(what, size, "%s takes %d numbers; there are %d", forms[form].word,
                 forms[form].count, count);
        return false;
    }
    return true;
}

/* Only a box may be without end, and has its corners in any order. */
static bool check_numbers(size_t form, const float *numbers, int count, char *what, size_t size)
{
    for (int i = 0; i < count; i++) {
        const bool box = forms[form].kind == SL_VOLUME_AABB;
        if (isnan(numbers[i]) || (isinf(numbers[i]) && !box)) {
            snprintf(what, size, "%s has %.9g among its numbers; write finite ones",
                     forms[form].word, (double)numbers[i]);
            return false;
        }
        if (i >= count - forms[form].lengths && numbers[i] < 0) {
            snprintf(what, size, "%s reaches %.9g; it must be 0 or more", forms[form].word,
                     (double)numbers[i]);
            return false;
        }
    }
    return true;
}

bool volume_spec_fill(sl_volume *volume, const char *word, const float *numbers, int count,
                      bool moves, char *what, size_t size)
{
    size_t form = 0;
    while (form < FORMS && strcmp(word, forms[form].word) != 0) {
        form++;
    }
    if (form == FORMS) {
        snprintf(what, size, "'%.20s' is no volume; write aabb, sphere, obb, capsule, triangle%s",
                 word, moves ? " or hull" : ", planes or hull");
        return false;
    }
    *volume = (sl_volume){ .kind = forms[form].kind };
    if (volume->kind == SL_VOLUME_FRUSTUM) {
        return fill_planes(&volume->shape.frustum, numbers, count, what, size);
    }
    if (!check_count(form, count, what, size) || !check_numbers(form, numbers, count, what, size)) {
        return false;
    }
    if (volume->kind == SL_VOLUME_HULL) {
        volume->shape.hull = (sl_hull){ numbers, (uint32_t)count / 3 };
        return true;
    }
    memcpy(&volume->shape, numbers, (size_t)count * sizeof *numbers);
    if (volume->kind == SL_VOLUME_AABB) {
        volume->shape.aabb = sl_aabb_from_corners(numbers, numbers + 3);
    }
    return true;
}

void volume_spec_text(const sl_volume *volume, char *to, size_t size)
{
    size_t form = 0;
    while (forms[form].kind != volume->kind) {
        form++;
    }
    const bool hull = volume->kind == SL_VOLUME_HULL;
    const int count = hull                                ? 3 * (int)volume->shape.hull.count
                      : volume->kind == SL_VOLUME_FRUSTUM ? 4 * (int)volume->shape.frustum.count
                                                          : forms[form].count;
    float numbers[VOLUME_SPEC_NUMBERS_MAX];
    memcpy(numbers, hull ? (const void *)volume->shape.hull.xyz : &volume->shape,
           (size_t)count * sizeof *numbers);
    size_t used = (size_t)snprintf(to, size, "%s", forms[form].word);
    for (int i = 0; i < count && used < size; i++) {
        used += (size_t)snprintf(to + used, size - used, " %.9g", (double)numbers[i]);
    }
}

static int make_planes(const invocation *call, const char *text, sl_volume *out)
{
    float numbers[4 * SL_FRUSTUM_PLANES_MAX];
    char what[VOLUME_SPEC_MESSAGE_MAX];
    const int count = numbers_parse(text, numbers, 4 * SL_FRUSTUM_PLANES_MAX);
    return volume_spec_fill(out, "planes", numbers, count, false, what, sizeof what)
               ? EXIT_DONE
               : report_usage(call->command, "--planes is '%s'; %s", text, what);
}

/* The corners of a mesh, each once. */
static int load_points(const char *path, float points[VOLUME_SPEC_NUMBERS_MAX], sl_hull *hull)
{
    const sl_mesh_def def = { .formats = sl_io_formats(), .drop = MESH_IN_KEEP_ALL };
    sl_mesh *mesh = NULL, *welded = NULL;
    sl_error error;
    int status = file_conflicts_read(path);
    if (status == EXIT_DONE && (sl_mesh_load(path, &def, &mesh, &error) != SL_OK ||
                                sl_mesh_weld(mesh, NULL, &welded, NULL, &error) != SL_OK)) {
        status = report_error(&error);
    }
    if (status == EXIT_DONE) {
        const sl_soup soup = sl_mesh_soup(welded);
        if (soup.vertex_count == 0 || soup.vertex_count > SL_HULL_POINTS_MAX) {
            status = report_input(path, 0,
                                  "there are %zu corners that differ, and a hull is of 1 to %d "
                                  "points; simplify the mesh, or keep those of its hull alone",
                                  soup.vertex_count, (int)SL_HULL_POINTS_MAX);
        } else {
            memcpy(points, soup.xyz, 3 * soup.vertex_count * sizeof *points);
            *hull = (sl_hull){ points, (uint32_t)soup.vertex_count };
        }
    }
    sl_mesh_destroy(mesh);
    sl_mesh_destroy(welded);
    return status;
}

/* points: as for volume_spec_make. */
static int make_hull(const invocation *call, const char *text, float *points, sl_volume *out)
{
    float numbers[VOLUME_SPEC_NUMBERS_MAX];
    char what[VOLUME_SPEC_MESSAGE_MAX];
    if (text[0] == '@' && text[1] != '\0') {
        *out = (sl_volume){ .kind = SL_VOLUME_HULL };
        return points != NULL ? load_points(text + 1, points, &out->shape.hull)
                              : file_conflicts_foresee(text + 1, false);
    }
    points = points != NULL ? points : numbers;
    const int count = numbers_parse(text, points, VOLUME_SPEC_NUMBERS_MAX);
    if (count == NUMBERS_BAD) {
        return report_usage(call->command,
                            "--hull is '%s'; it must be X,Y,Z for each point, or @ and the name of "
                            "a mesh file",
                            text);
    }
    return volume_spec_fill(out, "hull", points, count, false, what, sizeof what)
               ? EXIT_DONE
               : report_usage(call->command, "--%s", what);
}

static int make_frustum(const invocation *call, const volume_options *o, const sl_aabb *bounds,
                        sl_frustum *out)
{
    camera_in camera;
    const int status = camera_in_make(&camera, call, &o->camera, bounds);
    if (status != EXIT_DONE) {
        return status;
    }
    const float *rectangle = options_given(call, "rectangle") ? o->rectangle : NULL;
    if (rectangle != NULL && (rectangle[0] == rectangle[2] || rectangle[1] == rectangle[3])) {
        return report_usage(call->command, "--rectangle has no area; its sides must be apart");
    }
    if (!sl_camera_frustum(&camera.camera, rectangle, out)) {
        return report_usage(call->command, "this camera sends no rays through the rectangle");
    }
    return camera_in_save(&camera, &o->camera);
}

static const char *const option_names[] = { "aabb",     "sphere", "obb",    "capsule",
                                            "triangle", "hull",   "planes", "frustum" };
enum { OPTION_NAMES = sizeof option_names / sizeof option_names[0] };

/* Which one was given; an error for none or two. */
static int find_kind(const invocation *call, const char **name)
{
    *name = NULL;
    for (size_t i = 0; i < OPTION_NAMES; i++) {
        if (!options_given(call, option_names[i])) {
            continue;
        }
        if (*name != NULL) {
            return report_usage(call->command, "--%s and --%s exclude each other", *name,
                                option_names[i]);
        }
        *name = option_names[i];
    }
    return *name != NULL
               ? EXIT_DONE
               : report_usage(call->command,
                              "there is no volume; name --aabb, --sphere, --obb, --capsule, "
                              "--triangle, --hull, --planes, --frustum, --volumes or "
                              "--generate");
}

/* Options of the camera have no meaning without one. */
static int check_camera(const invocation *call, bool frustum)
{
    for (size_t i = 0; !frustum && i < call->given_count; i++) {
        bool of_camera = strcmp(call->given[i]->name, "rectangle") == 0;
        for (const option_row *row = camera_rows; row->name != NULL; row++) {
            of_camera = of_camera || row == call->given[i];
        }
        if (of_camera) {
            return report_usage(call->command, "--%s needs --frustum", call->given[i]->name);
        }
    }
    return EXIT_DONE;
}

int volume_spec_check_none(const invocation *call)
{
    for (size_t i = 0; i < OPTION_NAMES; i++) {
        if (options_given(call, option_names[i])) {
            return report_usage(call->command, "--%s and --%s exclude each other", option_names[i],
                                options_given(call, "generate") ? "generate"
                                : options_given(call, "sweeps") ? "sweeps"
                                                                : "volumes");
        }
    }
    return check_camera(call, false);
}

int volume_spec_make(const invocation *call, const volume_options *o, const sl_aabb *bounds,
                     float points[VOLUME_SPEC_NUMBERS_MAX], sl_volume *volume)
{
    const char *name;
    int status = find_kind(call, &name);
    status = status == EXIT_DONE ? check_camera(call, strcmp(name, "frustum") == 0) : status;
    if (status != EXIT_DONE) {
        return status;
    }
    if (strcmp(name, "planes") == 0) {
        return make_planes(call, o->planes, volume);
    }
    if (strcmp(name, "hull") == 0) {
        return make_hull(call, o->hull, points, volume);
    }
    if (strcmp(name, "frustum") == 0) {
        *volume = (sl_volume){ .kind = SL_VOLUME_FRUSTUM };
        return make_frustum(call, o, bounds, &volume->shape.frustum);
    }
    const float *const numbers[] = { o->aabb, o->sphere, o->obb, o->capsule, o->triangle };
    size_t form = 0;
    while (strcmp(name, forms[form].word) != 0) {
        form++;
    }
    char what[VOLUME_SPEC_MESSAGE_MAX];
    return volume_spec_fill(volume, name, numbers[form], forms[form].count, false, what,
                            sizeof what)
               ? EXIT_DONE
               : report_usage(call->command, "--%s", what);
}

int volume_spec_check(const invocation *call, const volume_options *o)
{
    sl_volume volume;
    return o->frustum ? camera_in_check(call, &o->camera)
                      : volume_spec_make(call, o, NULL, NULL, &volume);
}

_Static_assert(sizeof(sl_aabb) == 6 * sizeof(float), "numbers in the order of the fields");
_Static_assert(sizeof(sl_plane) == 4 * sizeof(float), "numbers in the order of the fields");
_Static_assert(offsetof(sl_frustum, plane) == 0, "planes first");
_Static_assert(sizeof(sl_sphere) == 4 * sizeof(float), "numbers in the order of the fields");
_Static_assert(sizeof(sl_obb) == 15 * sizeof(float), "numbers in the order of the fields");
_Static_assert(sizeof(sl_capsule) == 7 * sizeof(float), "numbers in the order of the fields");
_Static_assert(sizeof(sl_triangle) == 9 * sizeof(float), "numbers in the order of the fields");
