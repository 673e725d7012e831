/* VISIBLE of edges and vertices: lines of sight to corners, and to samples of sides (select.h,
 * Samples).  What all of lies in the region is asked once; of a side at its border, the samples
 * that the region has now. */
#include "bvh/kernel/scene/decide.h"
#include "bvh/select/planar.h"
#include "bvh/select/selection.h"

#include <math.h>
#include <string.h>

/* A side or a corner. */
typedef struct item {
    uint32_t instance, prim, k;
    uint64_t number;
} item;

static bool corners_of(const sl_selection *s, const item *it, double v[3][3])
{
    return sl_scene_triangle(s->scene, (sl_triangle_ref){ it->instance, it->prim }, v);
}

static bool is_equal(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Whether a triangle has a point among its corners. */
static bool has_corner(double v[3][3], const double x[3])
{
    return is_equal(v[0], x) || is_equal(v[1], x) || is_equal(v[2], x);
}

/* Whether nothing is in the way but triangles that have both a and b. */
static bool is_seen(sl_selection *s, const double at[3], const double a[3], const double b[3])
{
    sl_segment_d sight;
    sl_hit_d hit;
    sl_query query = s->query;
    query.flags |= SL_OPEN_END;
    if (!sli_view_sight(&s->screen.view, at, &sight)) {
        return false;
    }
    s->info.asked++;
    bool found = sl_scene_closest_segment_d(s->scene, &sight, &query, &hit);
    while (found) {
        double v[3][3];
        const sl_triangle_ref ref = { hit.instance, hit.prim };
        if (!sl_scene_triangle(s->scene, ref, v) || !has_corner(v, a) || !has_corner(v, b)) {
            return false;
        }
        const sl_hit_d previous = hit;
        found = sl_scene_next_segment_d(s->scene, &sight, &query, &previous, &hit);
    }
    return true;
}

static bool see_corner(sl_selection *s, const item *it)
{
    double v[3][3];
    return corners_of(s, it, v) && is_seen(s, v[it->k], v[it->k], v[it->k]);
}

/* ---- Sides ---- */

/* What of a side is in front of the near plane: where it begins and ends along it, and in the
 * picture. */
typedef struct part {
    double s[2], w[2], at[2][2];
} part;

static double in_front(const sli_view *view, const double clip[4])
{
    const double inner = clip[2] - view->near_depth * clip[3];
    return view->far_depth > view->near_depth ? inner : -inner;
}

static bool cut_near(const sli_view *view, const double a[3], const double b[3], part *out)
{
    double clip[2][4], depth[2];
    sli_view_clip(view, a, clip[0]);
    sli_view_clip(view, b, clip[1]);
    depth[0] = in_front(view, clip[0]);
    depth[1] = in_front(view, clip[1]);
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
        if (!sli_view_picture(view, at, out->at[end], NULL)) {
            return false;
        }
    }
    return true;
}

/* Whether the sample at a fraction of the way in the picture lies in the region, and is seen. */
static bool see_sample(sl_selection *s, const part *p, double f, const double a[3],
                       const double b[3], bool anywhere)
{
    const double down = (1 - f) * p->w[1] + f * p->w[0];
    const double along = p->s[0] + f * p->w[0] / down * (p->s[1] - p->s[0]);
    double at[3], xy[1][2];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = a[axis] + along * (b[axis] - a[axis]);
    }
    if (!sli_view_project(&s->screen.view, at, xy[0], NULL)) {
        return false;
    }
    xy[0][0] = sli_planar_number(xy[0][0]);
    xy[0][1] = sli_planar_number(xy[0][1]);
    return (anywhere || sli_region_holds(&s->regions[s->current], (const double(*)[2])xy, 1)) &&
           is_seen(s, at, a, b);
}

/* The first and the last pixel whose centre is not less than low and not more than high. */
static void centres(double low, double high, double count, double out[2])
{
    out[0] = low > 0.5 ? ceil(low - 0.5) : 0;
    out[1] = high < count ? floor(high - 0.5) : count - 1;
    out[0] += out[0] + 0.5 < low;
    out[1] -= out[1] + 0.5 > high;
}

/* anywhere: all of the side lies in the region. */
static bool see_side(sl_selection *s, const item *it, bool anywhere)
{
    const sli_view *view = &s->screen.view;
    double v[3][3];
    part p;
    if (!corners_of(s, it, v)) {
        return false;
    }
    const double *a = v[it->k], *b = v[(it->k + 1) % 3];
    const bool swap = b[0] != a[0] ? b[0] < a[0] : b[1] != a[1] ? b[1] < a[1] : b[2] < a[2];
    const double *low = swap ? b : a, *high = swap ? a : b;
    if (!cut_near(view, low, high, &p)) {
        return false;
    }
    const int axis = fabs(p.at[1][1] - p.at[0][1]) > fabs(p.at[1][0] - p.at[0][0]);
    const double from = p.at[0][axis], to = p.at[1][axis];
    double pixels[2];
    centres(fmin(from, to), fmax(from, to), axis == 0 ? view->camera.width : view->camera.height,
            pixels);
    if (!(from != to) || !(pixels[0] <= pixels[1])) {
        return see_sample(s, &p, 0.5, low, high, anywhere);
    }
    for (double i = pixels[0]; i <= pixels[1]; i++) {
        if (see_sample(s, &p, (i + 0.5 - from) / (to - from), low, high, anywhere)) {
            return true;
        }
    }
    return false;
}

/* ---- All items ---- */

/* Whether an item that is touched counts as seen. */
static bool see(sl_selection *s, const item *it)
{
    sli_sights *bits = &s->sights;
    const uint64_t at = s->item_offset[it->instance] * 64 + it->number;
    const bool whole = sli_bit(bits->whole, at);
    if (whole && sli_bit(bits->asked, at)) {
        return sli_bit(bits->seen, at);
    }
    const bool seen = s->unit == SL_SELECT_VERTICES ? see_corner(s, it) : see_side(s, it, whole);
    if (whole) {
        bits->asked[at / 64] |= 1ull << (at % 64);
        bits->seen[at / 64] |= (uint64_t)seen << (at % 64);
    }
    return seen;
}

static void ask_word(sl_selection *s, uint32_t instance, uint64_t word)
{
    sli_sights *bits = &s->sights;
    const uint64_t at = s->item_offset[instance] + word;
    const uint64_t touched = s->item_words[at];
    uint64_t counted = touched & bits->whole[at] & bits->asked[at] & bits->seen[at];
    for (uint64_t open = touched & ~(bits->whole[at] & bits->asked[at]); open != 0;
         open &= open - 1) {
        const uint64_t number = word * 64 + (uint64_t)__builtin_ctzll(open);
        const item it = { instance, (uint32_t)(number / 3), (uint32_t)(number % 3), number };
        counted |= (uint64_t)see(s, &it) << (number % 64);
    }
    for (int came = 1; came >= 0; came--) {
        const uint64_t changed =
            came != 0 ? counted & ~bits->counted[at] : bits->counted[at] & ~counted;
        for (uint64_t left = changed; left != 0; left &= left - 1) {
            const uint64_t number = word * 64 + (uint64_t)__builtin_ctzll(left);
            const uint32_t prim = (uint32_t)(number / 3), k = (uint32_t)(number % 3);
            sli_count_thing(s, instance, sli_thing_of(s, instance, prim, k), came != 0 ? 1 : -1);
        }
    }
    bits->counted[at] = counted;
}

void sli_select_sights(sl_selection *s)
{
    for (uint32_t instance = 0; instance < s->instance_count; instance++) {
        const uint64_t words = s->item_offset[instance + 1] - s->item_offset[instance];
        for (uint64_t word = 0; word < words; word++) {
            const uint64_t at = s->item_offset[instance] + word;
            if ((s->item_words[at] | s->sights.counted[at]) != 0) {
                ask_word(s, instance, word);
            }
        }
    }
}
