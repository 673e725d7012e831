/* The samples of a side. */
#include "bvh/select/samples.h"

#include "bvh/pick/candidate.h"

static double depth_in_front(const sli_view *view, const double clip[4])
{
    const double inner = clip[2] - view->near_depth * clip[3];
    return view->far_depth > view->near_depth ? inner : -inner;
}

/* Fills in s and w, and the positions in the picture of what is in front of the near plane. */
static bool side_cut_near(const sli_view *view, sli_samples *out, double xy[2][2])
{
    double clip[2][4], depth[2];
    for (int end = 0; end < 2; end++) {
        sli_view_clip(view, out->end[end], clip[end]);
        depth[end] = depth_in_front(view, clip[end]);
    }
    for (int end = 0; end < 2; end++) {
        double at[4];
        memcpy(at, clip[end], sizeof at);
        out->s[end] = end;
        if (!(depth[end] >= 0)) {
            if (!(depth[!end] >= 0)) {
                return false;
            }
            const double t = depth[!end] / (depth[!end] - depth[end]);
            for (int i = 0; i < 4; i++) {
                at[i] = clip[!end][i] + t * (clip[end][i] - clip[!end][i]);
            }
            out->s[end] = end == 1 ? t : 1 - t;
        }
        out->w[end] = at[3];
        if (!sli_view_picture(view, at, xy[end], NULL)) {
            return false;
        }
    }
    return true;
}

/* The first and the last pixel whose centre is not less than low and not more than high. */
static void pixel_centres(double low, double high, double count, double *first, double *last)
{
    *first = low > 0.5 ? ceil(low - 0.5) : 0;
    *last = high < count ? floor(high - 0.5) : count - 1;
    *first += *first + 0.5 < low;
    *last -= *last + 0.5 > high;
}

bool sli_samples_open(const sli_view *view, const double a[3], const double b[3], sli_samples *out)
{
    double xy[2][2];
    const bool swap = sli_corner_is_lower(b, a);
    memcpy(out->end[0], swap ? b : a, sizeof out->end[0]);
    memcpy(out->end[1], swap ? a : b, sizeof out->end[1]);
    if (!side_cut_near(view, out, xy)) {
        return false;
    }
    const int axis = fabs(xy[1][1] - xy[0][1]) > fabs(xy[1][0] - xy[0][0]);
    out->at[0] = xy[0][axis];
    out->at[1] = xy[1][axis];
    pixel_centres(fmin(out->at[0], out->at[1]), fmax(out->at[0], out->at[1]),
                  axis == 0 ? view->camera.width : view->camera.height, &out->next, &out->last);
    out->middle = !(out->at[0] != out->at[1]) || !(out->next <= out->last);
    if (out->middle) {
        out->next = out->last = 0;
    }
    return true;
}

void sli_samples_open_corner(const double corner[3], sli_samples *out)
{
    memcpy(out->end[0], corner, sizeof out->end[0]);
    memcpy(out->end[1], corner, sizeof out->end[1]);
    out->s[0] = out->s[1] = 0;
    out->w[0] = out->w[1] = 1;
    out->next = out->last = 0;
    out->middle = true;
}

void sli_samples_take(sli_samples *samples, double out[3])
{
    const double *from = samples->at;
    const double f = samples->middle ? 0.5 : (samples->next + 0.5 - from[0]) / (from[1] - from[0]);
    const double down = (1 - f) * samples->w[1] + f * samples->w[0];
    const double along = samples->s[0] + f * samples->w[0] / down * (samples->s[1] - samples->s[0]);
    for (int axis = 0; axis < 3; axis++) {
        const double a = samples->end[0][axis], b = samples->end[1][axis];
        out[axis] = a + along * (b - a);
    }
    samples->next++;
}
