/* fit_soup.c: the place of the camera from which the triangles of a mesh just fill the picture.
 *
 * sl_camera_fit frames a box, and a mesh often leaves much of its box empty.  Here the four side
 * planes of the view are moved until they touch triangles.  With x to the right and z towards the
 * eye, a corner is on the inner side of the right plane if x + r z <= eye.x + r eye.z, where r is
 * the tangent of half the angle: so the largest x + r z of all corners places that plane, and the
 * largest -x + r z the left one.  Together they give the eye's x and the least z from which both
 * are met. */
#include "lib/base/error.h"
#include "lib/geom/camera/camera.h"
#include "lib/geom/exact/arithmetic/tangent.h"

#include <sightline/closest.h>

#include <math.h>

enum { RIGHT = 0, UP = 1, BACK = 2 };

/* How much wider the view is than the triangles. */
static const double margin = 1.03;

typedef struct outline {
    sli_camera_framing box;
    double slope[2];        /* tangents of the half angles, less the margin: RIGHT, UP */
    double high[3], low[3]; /* the largest c + slope z and -c + slope z of each axis; of BACK z
                                   * and -z */
} outline;

static sl_aabb bounds_of(const sl_soup *soup)
{
    sl_aabb box = sl_aabb_empty();
    for (size_t i = 0; i < 3 * soup->triangle_count; i++) {
        if (soup->indices[i] != SL_NONE) {
            box = sl_aabb_grow(&box, soup->xyz + 3 * (size_t)soup->indices[i]);
        }
    }
    return box;
}

static void take_corner(const float point[3], outline *o)
{
    double at[3] = { 0, 0, 0 };
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            at[i] += o->box.axes[i][axis] * ((double)point[axis] - o->box.centre[axis]);
        }
    }
    for (int i = 0; i < 3; i++) {
        const double shift = i == BACK ? 0 : o->slope[i] * at[BACK];
        o->high[i] = fmax(o->high[i], at[i] + shift);
        o->low[i] = fmax(o->low[i], -at[i] + shift);
    }
}

static void take_triangles(const sl_soup *soup, outline *o)
{
    for (size_t i = 0; i < 3 * soup->triangle_count; i++) {
        if (soup->indices[i] != SL_NONE) {
            take_corner(soup->xyz + 3 * (size_t)soup->indices[i], o);
        }
    }
}

/* Half of what is seen along an axis, at the eye's own depth. */
static double half_of(const outline *o, int axis)
{
    return (o->high[axis] + o->low[axis]) / 2 + 2 * o->box.slack;
}

/* The eye goes where both pairs of side planes are symmetrical, the target in front of it. */
static void stand_back(const outline *o, double distance, sl_camera_def *def)
{
    for (int axis = 0; axis < 3; axis++) {
        double across = o->box.centre[axis];
        for (int i = RIGHT; i <= UP; i++) {
            across += (o->high[i] - o->low[i]) / 2 * o->box.axes[i][axis];
        }
        def->target[axis] = (float)across;
        def->eye[axis] = (float)(across + distance * o->box.axes[BACK][axis]);
    }
    def->off_centre = false;
}

static void stand_orthographic(const outline *o, sl_camera_def *def)
{
    const double scratch = o->box.radius + o->box.slack, distance = o->high[BACK] + 2 * scratch;
    const double aspect = (double)def->width / def->height;
    const double half = fmax(half_of(o, UP), half_of(o, RIGHT) / aspect);
    def->ortho_height = (float)(2 * margin * fmax(half, o->box.radius * 0.01));
    def->near_distance = (float)scratch;
    def->far_distance = (float)(distance + o->low[BACK] + scratch);
    stand_back(o, distance, def);
}

static void stand_perspective(const outline *o, sl_camera_def *def)
{
    const double across = fmax(half_of(o, RIGHT) / o->slope[RIGHT], half_of(o, UP) / o->slope[UP]);
    const double distance = fmax(across, o->high[BACK] + o->box.radius * 0.1 + o->box.slack);
    def->near_distance = (float)((distance - o->high[BACK]) / 2);
    def->far_distance = INFINITY;
    stand_back(o, distance, def);
}

sl_result sli_camera_fit_soup(const sl_soup *soup, const float towards_eye[3], sl_camera_def *def,
                              sl_error *error)
{
    outline o = { .high = { -INFINITY, -INFINITY, -INFINITY },
                  .low = { -INFINITY, -INFINITY, -INFINITY } };
    sl_camera_def framed;
    const sl_aabb box = bounds_of(soup);
    SLI_TRY(sli_camera_fit_check(&box, towards_eye, def, &framed, &o.box, error));
    if (def->orthographic) {
        take_triangles(soup, &o);
        stand_orthographic(&o, &framed);
    } else {
        o.slope[UP] = sli_half_angle_tangent(framed.fov_y_rad) / margin;
        o.slope[RIGHT] = o.slope[UP] * framed.width / framed.height;
        take_triangles(soup, &o);
        stand_perspective(&o, &framed);
    }
    sl_camera camera;
    sl_result result = sli_camera_make(&framed, &camera, error);
    if (result == SL_OK) {
        *def = framed;
    }
    return result;
}
