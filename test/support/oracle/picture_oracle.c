#include "test/support/oracle/picture_oracle.h"

#include <math.h>
#include <string.h>

/* Clip coordinates, row by row. */
static void clip_of(const sl_view *view, const double point[3], double clip[4])
{
    double eye[4];
    const float *m = view->camera.view, *p = view->camera.projection;
    const double x = point[0] - view->origin[0], y = point[1] - view->origin[1],
                 z = point[2] - view->origin[2];
    for (int i = 0; i < 4; i++) {
        eye[i] = (((double)m[i] * x + (double)m[4 + i] * y) + (double)m[8 + i] * z) +
                 (double)m[12 + i] * 1;
    }
    for (int i = 0; i < 4; i++) {
        clip[i] =
            (((double)p[i] * eye[0] + (double)p[4 + i] * eye[1]) + (double)p[8 + i] * eye[2]) +
            (double)p[12 + i] * eye[3];
    }
}

static bool pixel_of(const sl_view *view, const double clip[4], double xy[2])
{
    const bool down = view->camera.clip == SL_CLIP_SPACE_VULKAN;
    if (!(clip[3] > 0)) {
        return false;
    }
    const double y = clip[1] / clip[3];
    xy[0] = (clip[0] / clip[3] + 1) / 2 * view->camera.width;
    xy[1] = (1 - (down ? -y : y)) / 2 * view->camera.height;
    return isfinite(xy[0]) && isfinite(xy[1]) && isfinite(clip[2] / clip[3]);
}

bool picture_part(const sl_view *view, const double a[3], const double b[3], double at[2][2],
                  double s[2], double w[2])
{
    static const double nears[] = { -1, 0, 0, 1 };
    const double near = nears[view->camera.clip], sign = near == 1 ? -1 : 1;
    double c[2][4], n[2];
    clip_of(view, a, c[0]);
    clip_of(view, b, c[1]);
    for (int i = 0; i < 2; i++) {
        n[i] = sign * (c[i][2] - near * c[i][3]);
    }
    if (n[0] < 0 && n[1] < 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        double clipped[4];
        s[i] = n[i] < 0 ? n[0] / (n[0] - n[1]) : i;
        for (int k = 0; k < 4; k++) {
            clipped[k] = n[i] < 0 ? c[0][k] + s[i] * (c[1][k] - c[0][k]) : c[i][k];
        }
        w[i] = clipped[3];
        if (!pixel_of(view, clipped, at[i])) {
            return false;
        }
    }
    return true;
}

static bool find_share(const sl_view *view, const double xy[2], const double a[3],
                       const double b[3], double *share)
{
    double s[2], at[2][2], w[2];
    if (!picture_part(view, a, b, at, s, w)) {
        return false;
    }
    const double x = at[1][0] - at[0][0], y = at[1][1] - at[0][1];
    double r = 0;
    if (x * x + y * y > 0) {
        r = ((xy[0] - at[0][0]) * x + (xy[1] - at[0][1]) * y) / (x * x + y * y);
    }
    r = r > 1 ? 1 : r > 0 ? r : 0;
    const double t = r * w[0] / ((1 - r) * w[1] + r * w[0]);
    *share = s[0] + t * (s[1] - s[0]);
    return true;
}

bool picture_nearest(const sl_view *view, const double xy[2], const double a[3], const double b[3],
                     picture_point *out)
{
    picture_point found = { .s = 0 };
    memcpy(found.point, a, sizeof found.point);
    if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2]) {
        if (!find_share(view, xy, a, b, &found.s)) {
            return false;
        }
        for (int axis = 0; axis < 3; axis++) {
            found.point[axis] = found.s == 0   ? a[axis]
                                : found.s == 1 ? b[axis]
                                               : a[axis] + found.s * (b[axis] - a[axis]);
        }
    }
    if (!sl_view_project(view, found.point, found.xy, NULL)) {
        return false;
    }
    const double dx = found.xy[0] - xy[0], dy = found.xy[1] - xy[1];
    found.pixels = sqrt(dx * dx + dy * dy);
    *out = found;
    return true;
}
