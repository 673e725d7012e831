#include "tools/volume_in.h"

#include "tools/numbers.h"
#include "tools/report.h"

#include <math.h>
#include <string.h>

#define PLACE(member) .offset = offsetof(volume_options, member)

const option_row volume_rows[] = {
    { .name = "aabb",
      .kind = OPTION_REALS,
      PLACE(aabb),
      .length = 6,
      .value = "X0,Y0,Z0,X1,Y1,Z1",
      .help = "the box between two opposite corners, given in any order" },
    { .name = "sphere",
      .kind = OPTION_REALS,
      PLACE(sphere),
      .length = 4,
      .value = "X,Y,Z,R",
      .help = "the sphere around x, y, z" },
    { .name = "obb",
      .kind = OPTION_REALS,
      PLACE(obb),
      .length = 15,
      .value = "C,U,V,W,H",
      .help =
          "a box of any orientation, five times three numbers: its centre, its axes u, v and w, "
          "and how far it reaches along each of them, in units of the axis" },
    { .name = "capsule",
      .kind = OPTION_REALS,
      PLACE(capsule),
      .length = 7,
      .value = "PX,PY,PZ,QX,QY,QZ,R",
      .help = "all within R of the segment from p to q" },
    { .name = "triangle",
      .kind = OPTION_REALS,
      PLACE(triangle),
      .length = 9,
      .value = "A,B,C",
      .help = "a triangle, three times three numbers" },
    { .name = "planes",
      .kind = OPTION_TEXT,
      PLACE(planes),
      .value = "NX,NY,NZ,D,...",
      .help = "all that lies behind or on up to 8 planes n . x = d, whose normals point outwards" },
    { .name = "frustum", .kind = OPTION_FLAG, PLACE(frustum), .help = "all that the camera sees" },
    { .name = "rectangle",
      .kind = OPTION_REALS,
      PLACE(rectangle),
      .length = 4,
      .value = "X0,Y0,X1,Y1",
      .help = "of --frustum only what lies in this rectangle of the picture, in pixels; the middle "
              "of the top-left pixel is 0.5,0.5; without it the whole picture" },
    { .name = NULL },
};

static const char *const words[] = { "aabb", "sphere", "obb", "capsule", "frustum", "triangle" };

const char *volume_in_word(const sl_volume *volume)
{
    return words[volume->kind];
}

static int make_planes(const invocation *call, const char *text, sl_frustum *out)
{
    float numbers[4 * SL_FRUSTUM_PLANES];
    const int count = numbers_parse(text, numbers, 4 * SL_FRUSTUM_PLANES);
    bool good = count > 0 && count % 4 == 0;
    for (int i = 0; good && i < count / 4; i++) {
        const float *plane = numbers + 4 * i;
        memcpy(out->plane[i].normal, plane, sizeof out->plane[i].normal);
        out->plane[i].offset = plane[3];
        good = isfinite(plane[0]) && isfinite(plane[1]) && isfinite(plane[2]) &&
               isfinite(plane[3]) && (plane[0] != 0 || plane[1] != 0 || plane[2] != 0);
    }
    out->count = good ? (uint32_t)count / 4 : 0;
    return good
               ? EXIT_DONE
               : report_usage(call->command,
                              "--planes is '%s'; it must be nx,ny,nz,d for each of 1 to %d planes, "
                              "finite, with normals that are not zero",
                              text, (int)SL_FRUSTUM_PLANES);
}

static int make_frustum(const invocation *call, const volume_options *o, const sl_aabb *bounds,
                        sl_frustum *out)
{
    camera_in camera;
    const int status = camera_in_make(&camera, call, &o->camera, bounds);
    if (status != EXIT_DONE) {
        return status;
    }
    const float all[4] = { 0, 0, (float)camera.camera.width, (float)camera.camera.height };
    const float *rectangle = options_given(call, "rectangle") ? o->rectangle : all;
    if (rectangle[0] == rectangle[2] || rectangle[1] == rectangle[3]) {
        return report_usage(call->command, "--rectangle has no area; its sides must be apart");
    }
    if (!frustum_in_make(&camera.camera, rectangle, out)) {
        return report_usage(call->command, "this camera sends no rays through the rectangle");
    }
    return camera_in_save(&camera, &o->camera);
}

/* Which one was given; an error for none or two. */
static int find_kind(const invocation *call, const char **name)
{
    static const char *const names[] = { "aabb",     "sphere", "obb",    "capsule",
                                         "triangle", "planes", "frustum" };
    *name = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!options_given(call, names[i])) {
            continue;
        }
        if (*name != NULL) {
            return report_usage(call->command, "--%s and --%s exclude each other", *name, names[i]);
        }
        *name = names[i];
    }
    return *name != NULL
               ? EXIT_DONE
               : report_usage(call->command, "there is no volume; name --aabb, --sphere, --obb, "
                                             "--capsule, --triangle, --planes or --frustum");
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

static int check_not_negative(const invocation *call, const char *name, const float *numbers,
                              int count)
{
    for (int i = 0; i < count; i++) {
        if (numbers[i] < 0) {
            return report_usage(call->command, "--%s reaches %.9g; it must be 0 or more", name,
                                (double)numbers[i]);
        }
    }
    return EXIT_DONE;
}

int volume_in_make(const invocation *call, const volume_options *o, const sl_aabb *bounds,
                   sl_volume *volume)
{
    const char *name;
    int status = find_kind(call, &name);
    if (status == EXIT_DONE) {
        status = check_camera(call, strcmp(name, "frustum") == 0);
    }
    if (status != EXIT_DONE) {
        return status;
    }
    *volume = (sl_volume){ .kind = SL_VOLUME_AABB };
    if (strcmp(name, "aabb") == 0) {
        volume->shape.aabb = sl_aabb_from_corners(o->aabb, o->aabb + 3);
    } else if (strcmp(name, "sphere") == 0) {
        volume->kind = SL_VOLUME_SPHERE;
        memcpy(&volume->shape.sphere, o->sphere, sizeof o->sphere);
        status = check_not_negative(call, name, o->sphere + 3, 1);
    } else if (strcmp(name, "obb") == 0) {
        volume->kind = SL_VOLUME_OBB;
        memcpy(&volume->shape.obb, o->obb, sizeof o->obb);
        status = check_not_negative(call, name, o->obb + 12, 3);
    } else if (strcmp(name, "capsule") == 0) {
        volume->kind = SL_VOLUME_CAPSULE;
        memcpy(&volume->shape.capsule, o->capsule, sizeof o->capsule);
        status = check_not_negative(call, name, o->capsule + 6, 1);
    } else if (strcmp(name, "triangle") == 0) {
        volume->kind = SL_VOLUME_TRIANGLE;
        memcpy(&volume->shape.triangle, o->triangle, sizeof o->triangle);
    } else {
        volume->kind = SL_VOLUME_FRUSTUM;
        status = o->planes != NULL ? make_planes(call, o->planes, &volume->shape.frustum)
                                   : make_frustum(call, o, bounds, &volume->shape.frustum);
    }
    return status;
}

_Static_assert(sizeof(sl_sphere) == 4 * sizeof(float), "numbers in the order of the fields");
_Static_assert(sizeof(sl_obb) == 15 * sizeof(float), "numbers in the order of the fields");
_Static_assert(sizeof(sl_capsule) == 7 * sizeof(float), "numbers in the order of the fields");
_Static_assert(sizeof(sl_triangle) == 9 * sizeof(float), "numbers in the order of the fields");
