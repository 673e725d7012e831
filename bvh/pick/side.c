/* Where corners and sides appear. */
#include "bvh/pick/side.h"

#include <math.h>
#include <string.h>

static double distance(const double a[2], const double b[2])
{
    const double x = a[0] - b[0], y = a[1] - b[1];
    return sqrt(x * x + y * y);
}

bool sli_corner_shown(const sli_view *view, const double corner[3], const double position[2],
                      sli_shown *out)
{
    if (!sli_view_project(view, corner, out->xy, NULL)) {
        return false;
    }
    memcpy(out->point, corner, sizeof out->point);
    out->pixels = distance(out->xy, position);
    out->along = 0;
    return true;
}

/* The part s[0] .. s[1] of a side that is between the near and the far plane; false: none. */
static bool clip_side(const sli_view *view, const double a[4], const double b[4], double s[2])
{
    const double inwards = view->far_depth > view->near_depth ? 1 : -1;
    s[0] = 0;
    s[1] = 1;
    for (int plane = 0; plane < (view->has_far ? 2 : 1); plane++) {
        const double depth = plane == 0 ? view->near_depth : view->far_depth;
        const double sign = plane == 0 ? inwards : -inwards;
        const double at_a = (a[2] - depth * a[3]) * sign, at_b = (b[2] - depth * b[3]) * sign;
        if (!(at_a >= 0) && !(at_b >= 0)) {
            return false;
        }
        if (at_a < 0) {
            s[0] = fmax(s[0], at_a / (at_a - at_b));
        } else if (at_b < 0) {
            s[1] = fmin(s[1], at_a / (at_a - at_b));
        }
    }
    return s[0] <= s[1];
}

static void clip_point(const double a[4], const double b[4], double s, double out[4])
{
    for (int i = 0; i < 4; i++) {
        out[i] = s == 1 ? b[i] : a[i] + s * (b[i] - a[i]);
    }
}

static double within_unit(double x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

bool sli_side_shown(const sli_view *view, const double lower[3], const double higher[3],
                    const double position[2], sli_shown *out)
{
    double a[4], b[4], s[2], first[4], last[4], from[2], to[2], dot = 0, square = 0;
    sli_view_clip(view, lower, a);
    sli_view_clip(view, higher, b);
    if (!clip_side(view, a, b, s)) {
        return false;
    }
    clip_point(a, b, s[0], first);
    clip_point(a, b, s[1], last);
    if (!sli_view_picture(view, first, from, NULL) || !sli_view_picture(view, last, to, NULL)) {
        return false;
    }
    for (int axis = 0; axis < 2; axis++) {
        dot += (position[axis] - from[axis]) * (to[axis] - from[axis]);
        square += (to[axis] - from[axis]) * (to[axis] - from[axis]);
    }
    /* The share of the picture's segment, and of the side, whose ends are first[3] and last[3]
     * deep. */
    const double share = within_unit(dot / square);
    const double part = within_unit(share * first[3] / ((1 - share) * last[3] + share * first[3]));
    const double along = part == 1 ? s[1] : s[0] + part * (s[1] - s[0]);
    for (int axis = 0; axis < 3; axis++) {
        out->point[axis] =
            along == 1 ? higher[axis] : lower[axis] + along * (higher[axis] - lower[axis]) + 0.0;
    }
    out->along = along;
    if (!sli_view_project(view, out->point, out->xy, NULL)) {
        return false;
    }
    out->pixels = distance(out->xy, position);
    return true;
}
