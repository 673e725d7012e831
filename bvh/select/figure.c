/* Figures: cut at the near and the far plane in clip space, then taken to the picture. */
#include "bvh/select/figure.h"

#include "bvh/select/region/planar.h"

#include <string.h>

typedef struct outline {
    int count;
    double at[SLI_FIGURE_MAX][4];
} outline;

/* How far a point is on the inner side of a plane of constant depth. */
static double depth_inside(const sli_view *view, const double clip[4], bool far)
{
    const double inner =
        far ? view->far_depth * clip[3] - clip[2] : clip[2] - view->near_depth * clip[3];
    return view->far_depth > view->near_depth ? inner : -inner;
}

static void add_crossing(const double a[4], double a_inside, const double b[4], double b_inside,
                         outline *out)
{
    double *to = out->at[out->count++];
    const double t = a_inside / (a_inside - b_inside);
    for (int i = 0; i < 4; i++) {
        to[i] = a[i] + t * (b[i] - a[i]);
    }
}

/* True where something was cut away. */
static bool cut(const sli_view *view, const outline *from, bool far, outline *out)
{
    double inside[SLI_FIGURE_MAX];
    bool all = true;
    out->count = 0;
    for (int i = 0; i < from->count; i++) {
        inside[i] = depth_inside(view, from->at[i], far);
        all = all && inside[i] >= 0;
    }
    if (all) {
        *out = *from;
        return false;
    }
    for (int i = 0; i < from->count; i++) {
        const int next = (i + 1) % from->count;
        if (inside[i] >= 0) {
            memcpy(out->at[out->count++], from->at[i], sizeof out->at[0]);
        }
        if ((inside[i] >= 0) != (inside[next] >= 0) && (from->count > 2 || i == 0)) {
            const int a = inside[i] >= 0 ? i : next, b = inside[i] >= 0 ? next : i;
            add_crossing(from->at[a], inside[a], from->at[b], inside[b], out);
        }
    }
    return true;
}

void sli_figure_make(const sli_view *view, const double (*clip)[4], int count, sli_figure *out)
{
    outline whole, front, both;
    whole.count = count;
    memcpy(whole.at, clip, (size_t)count * sizeof whole.at[0]);
    out->cut = cut(view, &whole, false, &front);
    const outline *left = &front;
    if (view->has_far) {
        out->cut |= cut(view, &front, true, &both);
        left = &both;
    }
    out->count = left->count;
    for (int i = 0; i < left->count; i++) {
        double xy[2];
        if (!sli_view_picture(view, left->at[i], xy, NULL)) {
            out->count = 0;
            return;
        }
        out->at[i][0] = sli_planar_number(xy[0]);
        out->at[i][1] = sli_planar_number(xy[1]);
    }
}

bool sli_figure_touches(const sli_figure *figure, const sli_region *region)
{
    if (figure->count <= 3) {
        return figure->count > 0 &&
               sli_region_touches(region, (const double(*)[2])figure->at, figure->count);
    }
    for (int i = 1; i + 1 < figure->count; i++) {
        const double *a = figure->at[0], *b = figure->at[i], *c = figure->at[i + 1];
        const double part[3][2] = { { a[0], a[1] }, { b[0], b[1] }, { c[0], c[1] } };
        if (sli_region_touches(region, part, 3)) {
            return true;
        }
    }
    return false;
}

bool sli_figure_is_inside(const sli_figure *figure, const sli_region *region)
{
    return figure->count > 0 && !figure->cut &&
           sli_region_holds(region, (const double(*)[2])figure->at, figure->count);
}
