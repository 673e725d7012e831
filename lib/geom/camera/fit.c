/* Moves a camera back until all of a box is seen: sl_camera_fit. */
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/geom/camera/camera.h"
#include "lib/geom/exact/arithmetic/tangent.h"
#include "lib/geom/exact/valid.h"

#include <math.h>

enum { RIGHT = 0, UP = 1, BACK = 2 };

/* The box as the camera sees it: extents along the axes of the camera, from the centre of the box.
 */
typedef struct outline {
    sli_camera_framing box;
    double corner[8][3];
    double across[3];          /* the largest |coordinate| along each axis */
    double back_min, back_max; /* along BACK */
} outline;

static void fit_measure(const sl_aabb *box, outline *o)
{
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) {
            o->corner[i][k] = 0;
            for (int axis = 0; axis < 3; axis++) {
                const double side = ((i >> axis) & 1) != 0 ? box->max[axis] : box->min[axis];
                o->corner[i][k] += o->box.axes[k][axis] * (side - o->box.centre[axis]);
            }
            o->across[k] = fmax(o->across[k], fabs(o->corner[i][k]) + o->box.slack);
        }
        o->back_min = fmin(o->back_min, o->corner[i][BACK]);
        o->back_max = fmax(o->back_max, o->corner[i][BACK]);
    }
}

/* The distance of the eye from the centre at which every vertex is within the angle, with a margin.
 */
static double distance_for_angle(const outline *o, const sl_camera_def *def)
{
    const double up = sli_half_angle_tangent(def->fov_y_rad);
    const double right = up * def->width / def->height;
    double distance = o->back_max + o->box.radius * 0.1 + o->box.slack;
    for (int i = 0; i < 8; i++) {
        const double for_up = (fabs(o->corner[i][UP]) + o->box.slack) / up;
        const double for_right = (fabs(o->corner[i][RIGHT]) + o->box.slack) / right;
        distance = fmax(distance, 1.05 * fmax(for_up, for_right) + o->corner[i][BACK]);
    }
    return distance;
}

static sl_result fit_check(const sl_aabb *box, const sl_camera_def *def, sl_error *error)
{
    if (sl_aabb_is_empty(box) || !sli_finite(box->min, 3) || !sli_finite(box->max, 3)) {
        return sli_refuse(error, "the box to frame is empty or not finite; a valid one is needed");
    }
    if (def->width == 0 || def->height == 0 ||
        (!def->orthographic && !(def->fov_y_rad > 0 && def->fov_y_rad < 3.14159265f))) {
        return sli_refuse(error,
                          "the camera def has %u x %u pixels and an angle of %g; both sides "
                          "must be 1 or more, the angle between 0 and pi",
                          def->width, def->height, (double)def->fov_y_rad);
    }
    return SL_OK;
}

/* The axes; if def->up is parallel to the direction, up is replaced by a coordinate axis. */
static bool choose_axes(const float towards_eye[3], sl_camera_def *def, double axes[3][3])
{
    const double towards[3] = { towards_eye[0], towards_eye[1], towards_eye[2] };
    if (sli_camera_axes(towards, def->up, axes)) {
        return true;
    }
    for (int axis = 2; axis >= 0; axis--) {
        const float up[3] = { axis == 0, axis == 1, axis == 2 };
        if (sli_camera_axes(towards, up, axes)) {
            for (int i = 0; i < 3; i++) {
                def->up[i] = up[i];
            }
            return true;
        }
    }
    return false;
}

static void measure_box(const sl_aabb *box, sli_camera_framing *out)
{
    double largest = 0, square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double low = box->min[axis], high = box->max[axis];
        out->centre[axis] = low / 2 + high / 2;
        largest = fmax(largest, fmax(fabs(low), fabs(high)));
        square += (high - low) * (high - low) / 4;
    }
    out->slack = largest * 0x1p-20;
    out->radius = sqrt(square) > out->slack ? sqrt(square) : largest > 0 ? largest * 0x1p-10 : 1;
}

sl_result sli_camera_fit_check(const sl_aabb *box, const float towards_eye[3],
                               const sl_camera_def *def, sl_camera_def *framed,
                               sli_camera_framing *framing, sl_error *error)
{
    sli_camera_def_take(def, framed);
    SLI_TRY(fit_check(box, framed, error));
    if (choose_axes(towards_eye, framed, framing->axes)) {
        measure_box(box, framing);
        return SL_OK;
    }
    return sli_refuse(error,
                      "the direction towards the eye is (%g, %g, %g); it must be finite and not "
                      "zero",
                      (double)towards_eye[0], (double)towards_eye[1], (double)towards_eye[2]);
}

static void stand_back(const outline *o, double distance, sl_camera_def *def)
{
    for (int axis = 0; axis < 3; axis++) {
        def->target[axis] = (float)o->box.centre[axis];
        def->eye[axis] = (float)(o->box.centre[axis] + distance * o->box.axes[BACK][axis]);
    }
    def->off_centre = false;
}

static SLI_NOINLINE sl_result fit_frame(const sl_aabb *box, const float towards_eye[3],
                                        sl_camera_def *def, sl_error *error)
{
    outline o = { .back_min = 0 };
    sl_camera_def framed;
    SLI_TRY(sli_camera_fit_check(box, towards_eye, def, &framed, &o.box, error));
    fit_measure(box, &o);
    if (def->orthographic) {
        const double margin = o.box.radius + o.box.slack, distance = o.back_max + 2 * margin;
        const double aspect = (double)framed.width / framed.height;
        framed.ortho_height =
            (float)(2.1 * fmax(fmax(o.across[UP], o.across[RIGHT] / aspect), o.box.radius * 0.01));
        framed.near_distance = (float)margin;
        framed.far_distance = (float)(distance - o.back_min + margin);
        stand_back(&o, distance, &framed);
    } else {
        const double distance = distance_for_angle(&o, &framed);
        framed.near_distance = (float)((distance - o.back_max) / 2);
        framed.far_distance = INFINITY;
        stand_back(&o, distance, &framed);
    }
    sl_camera camera;
    const sl_result result = sli_camera_make(&framed, &camera, error);
    if (result == SL_OK) {
        *def = framed;
    }
    return result;
}

sl_result sl_camera_fit(const sl_aabb *box, const sl_soup *soup, const float towards_eye[3],
                        sl_camera_def *def, sl_error *error)
{
    return SLI_IN_FPENV(soup != NULL ? sli_camera_fit_soup(soup, towards_eye, def, error)
                                     : fit_frame(box, towards_eye, def, error));
}
