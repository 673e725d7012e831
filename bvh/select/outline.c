/* Outlines: cut at the near and the far plane in clip space, then taken to the picture. */
#include "bvh/select/outline.h"

#include "bvh/select/region/planar.h"

#include <string.h>

typedef struct clipped {
    int count;
    double at[SLI_OUTLINE_MAX][4];
} clipped;

/* How far a point is on the inner side of a plane of constant depth. */
static double depth_inside(const sli_view *view, const double clip[4], bool far)
{
    const double inner =
        far ? view->far_depth * clip[3] - clip[2] : clip[2] - view->near_depth * clip[3];
    return view->far_depth > view->near_depth ? inner : -inner;
}

static void clipped_add_crossing(const double a[4], double a_inside, const double b[4],
                                 double b_inside, clipped *out)
{
    double *to = out->at[out->count++];
    const double t = a_inside / (a_inside - b_inside);
    for (int i = 0; i < 4; i++) {
        to[i] = a[i] + t * (b[i] - a[i]);
    }
}

/* True where something was cut away. */
static bool clipped_cut(const sli_view *view, const clipped *from, bool far, clipped *out)
{
    double inside[SLI_OUTLINE_MAX];
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
            clipped_add_crossing(from->at[a], inside[a], from->at[b], inside[b], out);
        }
    }
    return true;
}

void sli_outline_make(const sli_view *view, const double (*clip)[4], int count, sli_outline *out)
{
    clipped whole, front, both;
    whole.count = count;
    memcpy(whole.at, clip, (size_t)count * sizeof whole.at[0]);
    out->cut = clipped_cut(view, &whole, false, &front);
    const clipped *left = &front;
    if (view->has_far) {
        out->cut |= clipped_cut(view, &front, true, &both);
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

bool sli_outline_touches(const sli_outline *outline, const sli_region *region)
{
    if (outline->count <= 3) {
        return outline->count > 0 &&
               sli_region_touches(region, (const double(*)[2])outline->at, outline->count);
    }
    for (int i = 1; i + 1 < outline->count; i++) {
        const double *a = outline->at[0], *b = outline->at[i], *c = outline->at[i + 1];
        const double part[3][2] = { { a[0], a[1] }, { b[0], b[1] }, { c[0], c[1] } };
        if (sli_region_touches(region, part, 3)) {
            return true;
        }
    }
    return false;
}

bool sli_outline_is_inside(const sli_outline *outline, const sli_region *region)
{
    return outline->count > 0 && !outline->cut &&
           sli_region_holds(region, (const double(*)[2])outline->at, outline->count);
}
