#include "test/support/oracle/shown_box.h"

#include <math.h>

static const double far_off = 1e-3; /* of the largest term of W: below it, an end is too near the
                                     * plane of the eye to tell where it appears */

/* False where the corner is not well in front of the plane of the eye. */
static bool corner(const sl_view *view, const double v[3], double xy[2])
{
    const float *m = view->camera.view, *p = view->camera.projection;
    const double up = view->camera.clip == SL_CLIP_SPACE_VULKAN ? -1 : 1;
    double eye[4] = { 0, 0, 0, 1 }, clip[4], size = 0;
    for (int r = 0; r < 3; r++) {
        eye[r] = (double)m[12 + r];
        for (int k = 0; k < 3; k++) {
            eye[r] += (double)m[4 * k + r] * (v[k] - view->origin[k]);
        }
        size = fmax(size, fabs(eye[r]));
    }
    for (int r = 0; r < 4; r++) {
        clip[r] = 0;
        for (int k = 0; k < 4; k++) {
            clip[r] += (double)p[4 * k + r] * eye[k];
        }
    }
    const bool flat = p[15] != 0; /* orthographic: W is constant */
    if (!(clip[3] > 0) || (!flat && !(clip[3] > far_off * size))) {
        return false;
    }
    xy[0] = (clip[0] / clip[3] + 1) / 2 * view->camera.width;
    xy[1] = (1 - clip[1] / clip[3] * up) / 2 * view->camera.height;
    return true;
}

shown_box shown_box_of(const sl_view *view, double v[3][3])
{
    shown_box box = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
    for (int k = 0; k < 3; k++) {
        double xy[2];
        if (!corner(view, v[k], xy)) {
            return (shown_box){ { -INFINITY, -INFINITY }, { INFINITY, INFINITY } };
        }
        for (int axis = 0; axis < 2; axis++) {
            const double more = 0.25 + 1e-6 * fabs(xy[axis]);
            box.low[axis] = fmin(box.low[axis], xy[axis] - more);
            box.high[axis] = fmax(box.high[axis], xy[axis] + more);
        }
    }
    return box;
}

bool shown_box_is_near(const shown_box *box, const double xy[2], double radius)
{
    for (int axis = 0; axis < 2; axis++) {
        if (box->low[axis] > xy[axis] + radius || box->high[axis] < xy[axis] - radius) {
            return false;
        }
    }
    return true;
}
