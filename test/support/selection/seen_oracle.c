#include "test/support/selection/seen_oracle.h"
#include "test/support/query/of_one.h"

#include "test/support/oracle/region_oracle.h"

#include <math.h>
#include <string.h>

enum { HITS = 1 << 14 };

static bool has_both(double v[3][3], const double a[3], const double b[3])
{
    bool has_a = false, has_b = false;
    for (int i = 0; i < 3; i++) {
        has_a |= v[i][0] == a[0] && v[i][1] == a[1] && v[i][2] == a[2];
        has_b |= v[i][0] == b[0] && v[i][1] == b[1] && v[i][2] == b[2];
    }
    return has_a && has_b;
}

bool seen_oracle_point(const sl_bvh *scene, const sl_view *view, const sl_options *options,
                       const double at[3], const double a[3], const double b[3])
{
    static sl_hit_d hits[HITS];
    sl_options open = *options;
    sl_segment_d sight;
    open.flags |= SL_OPEN_END;
    if (!sl_view_sight(view, at, &sight)) {
        return false;
    }
    const size_t count =
        all_of_one(scene, sl_segments_of_d(&sight, 1), &open, sl_hits_of_d(hits), HITS, NULL);
    for (size_t i = 0; i < count && i < HITS; i++) {
        double v[3][3];
        const sl_triangle_ref ref = { hits[i].instance, hits[i].prim };
        if (!sl_bvh_triangle(scene, ref, v) || !has_both(v, a, b)) {
            return false;
        }
    }
    return true;
}

static double depth_of(const sl_view *view, const double at[3], double clip[4])
{
    double from[4] = { at[0] - view->origin[0], at[1] - view->origin[1], at[2] - view->origin[2],
                       1 };
    for (int pass = 0; pass < 2; pass++) {
        const float *m = pass == 0 ? view->camera.view : view->camera.projection;
        for (int row = 0; row < 4; row++) {
            clip[row] = 0;
            for (int k = 0; k < 4; k++) {
                clip[row] += (double)m[4 * k + row] * from[k];
            }
        }
        memcpy(from, clip, sizeof from);
    }
    const sl_clip_space space = view->camera.clip;
    return space == SL_CLIP_SPACE_GL         ? clip[2] + clip[3]
           : space == SL_CLIP_SPACE_REVERSED ? clip[3] - clip[2]
                                             : clip[2];
}

static void place_of(const sl_view *view, const double clip[4], double xy[2])
{
    const double up = view->camera.clip == SL_CLIP_SPACE_VULKAN ? -1 : 1;
    xy[0] = (clip[0] / clip[3] + 1) / 2 * view->camera.width;
    xy[1] = (1 - clip[1] / clip[3] * up) / 2 * view->camera.height;
}

bool seen_oracle_side(const sl_bvh *scene, const sl_view *view, const sl_options *options,
                      const sl_region *region, double ends[2][3])
{
    double clip[2][4], cut[2][4], depth[2], s[2] = { 0, 1 }, at[2][2];
    const bool inside = region_oracle_selects(view, region, ends, 2, true);
    const double *a = ends[0], *b = ends[1];
    for (int axis = 2; axis >= 0; axis--) {
        if (ends[0][axis] != ends[1][axis]) {
            a = ends[ends[1][axis] < ends[0][axis]];
            b = ends[ends[1][axis] > ends[0][axis]];
        }
    }
    depth[0] = depth_of(view, a, clip[0]);
    depth[1] = depth_of(view, b, clip[1]);
    memcpy(cut, clip, sizeof cut);
    for (int end = 0; end < 2; end++) {
        if (depth[end] < 0) {
            const double t = depth[1 - end] / (depth[1 - end] - depth[end]);
            for (int k = 0; k < 4; k++) {
                cut[end][k] = clip[1 - end][k] + t * (clip[end][k] - clip[1 - end][k]);
            }
            s[end] = end == 0 ? 1 - t : t;
        }
        place_of(view, cut[end], at[end]);
    }
    const int major = fabs(at[1][0] - at[0][0]) < fabs(at[1][1] - at[0][1]);
    const uint32_t size = major == 0 ? view->camera.width : view->camera.height;
    bool any = false;
    for (uint32_t pixel = 0; pixel <= size; pixel++) {
        double f = (pixel + 0.5 - at[0][major]) / (at[1][major] - at[0][major]);
        const double centre = pixel + 0.5;
        if (pixel == size && any) {
            continue;
        }
        if (pixel == size) {
            f = 0.5;
        } else if (centre < fmin(at[0][major], at[1][major]) ||
                   centre > fmax(at[0][major], at[1][major]) || at[0][major] == at[1][major]) {
            continue;
        }
        any = true;
        double sample[3], xy[1][2];
        const double place =
            s[0] + f * cut[0][3] / ((1 - f) * cut[1][3] + f * cut[0][3]) * (s[1] - s[0]);
        for (int axis = 0; axis < 3; axis++) {
            sample[axis] = a[axis] + place * (b[axis] - a[axis]);
        }
        if (sl_view_project(view, sample, xy[0], NULL) &&
            (inside || region_oracle_holds(region, (const double(*)[2])xy, 1)) &&
            seen_oracle_point(scene, view, options, sample, a, b)) {
            return true;
        }
    }
    return false;
}
