/* The closest point on a segment, a triangle and a plane: signs of degree 2 and 4 in the given
 * floats tell which part of the shape it is on; it is then the projection on that part.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1. */
#include "lib/base/fpenv.h"
#include "lib/geom/closest/projection.h"
#include "lib/geom/exact/arithmetic/round_root.h"
#include "lib/geom/exact/valid.h"

#include <sightline/closest.h>

static void closest_point_finish(const sli_projection *projection, sl_closest *out, bool *unsure)
{
    sli_projection_point(projection, out->point, unsure);
    out->distance = sli_projection_distance(projection, unsure);
}

static void on_segment(const void *shape, const float point[3], bool exact, sl_closest *out,
                       bool *unsure)
{
    const sl_segment *segment = shape;
    sli_number dir[3], base[3], w[3], along;
    sli_projection projection;
    sli_number_diff3(segment->q, segment->p, exact, dir);
    sli_number_diff3(point, segment->p, exact, w);
    sli_number_dot(w, dir, &along);
    sli_number_set3(segment->p, exact, base);
    *out = (sl_closest){ .u = 0 };
    if (sli_number_sign(&along, unsure) <= 0) {
        sli_projection_on_point(base, w, exact, &projection);
        closest_point_finish(&projection, out, unsure);
        return;
    }
    sli_number v[3], beyond;
    sli_number_diff3(point, segment->q, exact, v);
    sli_number_dot(v, dir, &beyond);
    if (sli_number_sign(&beyond, unsure) >= 0) {
        sli_number_set3(segment->q, exact, base);
        sli_projection_on_point(base, v, exact, &projection);
        out->u = 1;
    } else {
        sli_projection_on_line(base, w, dir, &along, &projection);
        out->u = sli_number_round_ratio(&along, &projection.bottom, unsure);
    }
    closest_point_finish(&projection, out, unsure);
}

/* A triangle as seen by a point.  Side i runs from vertex i to vertex i + 1. */
typedef struct view {
    bool exact;
    sli_number vertex[3][3], side[3][3];
    sli_number to[3][3];      /* from vertex i to the point */
    sli_number weight[3];     /* of the vertex opposite side i, times the squared normal */
    int before[3], behind[3]; /* signs of to[i] . side[i] and to[i + 1] . side[i] */
    sli_number normal[3];
} view;

static void make_view(const sl_triangle *triangle, const float point[3], view *out, bool *unsure)
{
    sli_number x, cross[3];
    for (int i = 0; i < 3; i++) {
        sli_number_set3(triangle->v[i], out->exact, out->vertex[i]);
        sli_number_diff3(triangle->v[(i + 1) % 3], triangle->v[i], out->exact, out->side[i]);
        sli_number_diff3(point, triangle->v[i], out->exact, out->to[i]);
    }
    sli_number_cross(out->side[0], out->side[1], out->normal);
    for (int i = 0; i < 3; i++) {
        sli_number_dot(out->to[i], out->side[i], &x);
        out->before[i] = sli_number_sign(&x, unsure);
        sli_number_dot(out->to[(i + 1) % 3], out->side[i], &x);
        out->behind[i] = sli_number_sign(&x, unsure);
        sli_number_cross(out->side[i], out->to[i], cross);
        sli_number_dot(out->normal, cross, &out->weight[i]);
    }
}

static void on_face(const view *seen, const float point[3], sl_closest *out, bool *unsure)
{
    sli_number height, from[3];
    sli_projection projection;
    sli_number_dot(seen->to[0], seen->normal, &height);
    sli_number_set3(point, seen->exact, from);
    sli_projection_on_plane(from, &height, seen->normal, &projection);
    out->u = sli_number_round_ratio(&seen->weight[2], &projection.over, unsure);
    out->v = sli_number_round_ratio(&seen->weight[0], &projection.over, unsure);
    closest_point_finish(&projection, out, unsure);
}

static void on_side(const view *seen, int i, sl_closest *out, bool *unsure)
{
    sli_number along, rest;
    sli_projection projection;
    sli_projection_on_line(seen->vertex[i], seen->to[i], seen->side[i], &along, &projection);
    sli_number_sub(&projection.bottom, &along, &rest);
    float weight[3] = { 0, 0, 0 };
    weight[i] = sli_number_round_ratio(&rest, &projection.bottom, unsure);
    weight[(i + 1) % 3] = sli_number_round_ratio(&along, &projection.bottom, unsure);
    out->u = weight[1];
    out->v = weight[2];
    closest_point_finish(&projection, out, unsure);
}

static void on_vertex(const view *seen, int i, sl_closest *out, bool *unsure)
{
    sli_projection projection;
    sli_projection_on_point(seen->vertex[i], seen->to[i], seen->exact, &projection);
    out->u = i == 1 ? 1.0f : 0.0f;
    out->v = i == 2 ? 1.0f : 0.0f;
    closest_point_finish(&projection, out, unsure);
}

/* Exactly one region contains the point, except on borders, where either gives the same.  If the
 * triangle has no area, all weights are 0, and all sides and vertices that pass are equally near.
 */
static void on_triangle(const void *shape, const float point[3], bool exact, sl_closest *out,
                        bool *unsure)
{
    const sl_triangle *triangle = shape;
    view seen;
    seen.exact = exact;
    make_view(triangle, point, &seen, unsure);
    sli_number area;
    sli_number_dot(seen.normal, seen.normal, &area);
    int sign[3];
    bool inside = sli_number_sign(&area, unsure) > 0;
    for (int i = 0; i < 3; i++) {
        sign[i] = sli_number_sign(&seen.weight[i], unsure);
        inside = inside && sign[i] >= 0;
    }
    if (inside) {
        on_face(&seen, point, out, unsure);
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (seen.before[i] > 0 && seen.behind[i] < 0 && sign[i] <= 0) {
            on_side(&seen, i, out, unsure);
            return;
        }
    }
    int nearest = 0;
    for (int i = 1; i < 3; i++) {
        nearest = seen.before[i] <= 0 && seen.behind[i - 1] >= 0 ? i : nearest;
    }
    nearest = seen.before[0] <= 0 && seen.behind[2] >= 0 ? 0 : nearest;
    on_vertex(&seen, nearest, out, unsure);
}

static void on_plane(const void *shape, const float point[3], bool exact, sl_closest *out,
                     bool *unsure)
{
    const sl_plane *plane = shape;
    sli_number normal[3], from[3], height;
    sli_projection projection;
    sli_number_set3(plane->normal, exact, normal);
    sli_number_set3(point, exact, from);
    sli_plane_height(plane, normal, point, exact, &height);
    sli_projection_on_plane(from, &height, normal, &projection);
    *out = (sl_closest){ .u = 0 };
    closest_point_finish(&projection, out, unsure);
}

static void on_obb(const void *shape, const float point[3], bool exact, sl_closest *out,
                   bool *unsure)
{
    sli_projection projection;
    *out = (sl_closest){ .u = 0 };
    if (sli_obb_projection(shape, point, exact, &projection, unsure)) {
        for (int axis = 0; axis < 3; axis++) {
            out->point[axis] = point[axis] + 0.0f;
        }
    } else if (!*unsure) {
        closest_point_finish(&projection, out, unsure);
    }
}

static float signed_distance(const sl_plane *plane, const float point[3], bool exact, bool *unsure)
{
    sli_number normal[3], height, over;
    sli_number_set3(plane->normal, exact, normal);
    sli_plane_height(plane, normal, point, exact, &height);
    sli_number_dot(normal, normal, &over);
    const float distance = sli_round_height(&height, &over, unsure);
    return sli_number_sign(&height, unsure) < 0 && distance != 0 ? -distance : distance;
}

typedef void closest_point_fn(const void *shape, const float point[3], bool exact, sl_closest *out,
                              bool *unsure);

/* In doubles, and again exactly where these leave anything undecided. */
static SLI_NOINLINE void find_closest(closest_point_fn *find, const void *shape,
                                      const float point[3], sl_closest *out)
{
    bool unsure = false;
    find(shape, point, false, out, &unsure);
    if (unsure) {
        unsure = false;
        find(shape, point, true, out, &unsure);
    }
}

static SLI_NOINLINE float plane_distance(const sl_plane *plane, const float point[3])
{
    if (!sli_plane_is_valid(plane) || !sli_finite(point, 3)) {
        return NAN;
    }
    bool unsure = false;
    const float distance = signed_distance(plane, point, false, &unsure);
    return unsure ? signed_distance(plane, point, true, &unsure) : distance;
}

/* Of a valid shape; false where the point is not finite. */
static bool find_finite(closest_point_fn *find, const void *shape, const float point[3],
                        sl_closest *out)
{
    if (!sli_finite(point, 3)) {
        return false;
    }
    SLI_DO_IN_FPENV(find_closest(find, shape, point, out));
    return true;
}

bool sl_segment_closest(const sl_segment *segment, const float point[3], sl_closest *out)
{
    return sli_segment_is_valid(segment) && find_finite(on_segment, segment, point, out);
}

bool sl_triangle_closest(const sl_triangle *triangle, const float point[3], sl_closest *out)
{
    return sli_triangle_is_valid(triangle) && find_finite(on_triangle, triangle, point, out);
}

bool sl_plane_closest(const sl_plane *plane, const float point[3], sl_closest *out)
{
    return sli_plane_is_valid(plane) && find_finite(on_plane, plane, point, out);
}

bool sl_obb_closest(const sl_obb *box, const float point[3], sl_closest *out)
{
    return sli_obb_is_valid(box) && find_finite(on_obb, box, point, out);
}

float sl_plane_distance(const sl_plane *plane, const float point[3])
{
    return SLI_IN_FPENV(plane_distance(plane, point));
}
