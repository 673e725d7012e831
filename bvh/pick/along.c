/* The point of a segment that is nearest to a position of the picture: along.h. */
#include "bvh/pick/along.h"

#include <math.h>
#include <string.h>

static double along_distance(const double a[2], const double b[2])
{
    const double x = a[0] - b[0], y = a[1] - b[1];
    return sqrt(x * x + y * y);
}

bool sli_along_point(const sli_view *view, const double xy[2], const double point[3],
                     sli_along *out)
{
    sli_along at = { .s = 0 };
    memcpy(at.point, point, sizeof at.point);
    if (!sli_view_project(view, point, at.xy, NULL)) {
        return false;
    }
    at.pixels = along_distance(at.xy, xy);
    *out = at;
    return true;
}

typedef struct end {
    double clip[4], front, s;
} end;

static void end_make(const sli_view *view, const double point[3], double s, end *out)
{
    const double depth = view->near_depth;
    sli_view_clip(view, point, out->clip);
    out->front = out->clip[2] - depth * out->clip[3];
    if (view->far_depth < depth) {
        out->front = -out->front;
    }
    out->s = s;
}

/* Moves an end that is behind the near plane to it. */
static void end_clip(end *moved, const end *a, const end *b)
{
    const double s = a->front / (a->front - b->front);
    for (int k = 0; k < 4; k++) {
        moved->clip[k] = a->clip[k] + s * (b->clip[k] - a->clip[k]);
    }
    moved->s = s;
}

static double nearest_between(const double p[2], const double a[2], const double b[2])
{
    const double x = b[0] - a[0], y = b[1] - a[1];
    const double square = x * x + y * y;
    const double r = square > 0 ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / square : 0;
    return r > 0 ? (r < 1 ? r : 1) : 0;
}

bool sli_along_part_of(const sli_view *view, const double a[3], const double b[3],
                       sli_along_part *out)
{
    end given[2], moved;
    end_make(view, a, 0, &given[0]);
    end_make(view, b, 1, &given[1]);
    if (!(given[0].front >= 0 || given[1].front >= 0)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        moved = given[i];
        if (given[i].front < 0) {
            end_clip(&moved, &given[0], &given[1]);
        }
        if (!sli_view_picture(view, moved.clip, out->xy[i], NULL)) {
            return false;
        }
        out->s[i] = moved.s;
        out->w[i] = moved.clip[3];
    }
    return true;
}

double sli_along_share(const sli_along_part *part, double r)
{
    const double t = r * part->w[0] / ((1 - r) * part->w[1] + r * part->w[0]);
    return part->s[0] + t * (part->s[1] - part->s[0]);
}

void sli_along_at(const double a[3], const double b[3], double s, double point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = s == 0 ? a[axis] : s == 1 ? b[axis] : a[axis] + s * (b[axis] - a[axis]);
    }
}

bool sli_along_segment(const sli_view *view, const double xy[2], const double a[3],
                       const double b[3], sli_along *out)
{
    sli_along_part part;
    double point[3];
    if (!sli_along_part_of(view, a, b, &part)) {
        return false;
    }
    const double s = sli_along_share(&part, nearest_between(xy, part.xy[0], part.xy[1]));
    sli_along_at(a, b, s, point);
    if (!sli_along_point(view, xy, point, out)) {
        return false;
    }
    out->s = s;
    return true;
}

bool sli_along_inwards(const sli_view *view, const double xy[2], const double a[3],
                       const double b[3], sli_along *at, sl_segment_d *sight)
{
    static const double steps[] = { 0x1p-44, 0x1p-36, 0x1p-28, 0x1p-20 };
    sli_along_part part;
    const double s = at->s;
    if (!sli_along_part_of(view, a, b, &part)) {
        return false;
    }
    const bool first = s == part.s[0] && part.s[0] > 0;
    if (!first && !(s == sli_along_share(&part, 1) && part.s[1] < 1)) {
        return false;
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        double point[3];
        const double moved = s + steps[i] * ((first ? 1 : 0) - s);
        sli_along_at(a, b, moved, point);
        if (sli_along_point(view, xy, point, at) && sli_view_sight(view, point, sight)) {
            at->s = moved;
            return true;
        }
    }
    return false;
}

double sli_along_length(const sl_segment_d *sight)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double d = sight->q[axis] - sight->p[axis];
        square += d * d;
    }
    return sqrt(square);
}

bool sli_along_occluded(const sl_bvh *bvh, const sl_segment_d *sight, const sl_options *options,
                        sl_triangle_ref *hint)
{
    uint8_t occluded;
    sl_bvh_any_many(bvh, sl_segments_of_d(sight, 1), options, &occluded, hint, NULL, NULL);
    return occluded != 0;
}
