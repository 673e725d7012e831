/* Handles: how large a gizmo is, which handle is under the mouse, and what drag it asks for. */
#include "lib/base/fpenv.h"
#include "lib/geom/gizmo/drag.h"
#include "lib/geom/gizmo/turn.h"

#include <string.h>

#define FACE_ON 0.995 /* the cosine of some 6 degrees */
#define BEHIND  0.01  /* of the size */

#define SIDES 64

/* A search for the handle under the mouse. */
typedef struct search {
    sl_gizmo gizmo;
    sli_view view;
    sli_drag_seen seen; /* the centre */
    const double *mouse;
    double size;
    double radius;
    sl_handle best;
} search;

/* With the defaults of what is 0. */
static sl_gizmo gizmo_of(const sl_gizmo *given)
{
    sl_gizmo gizmo = *given;
    bool turned = false;
    for (int i = 0; i < 9; i++) {
        turned = turned || gizmo.axes[i / 3][i % 3] != 0;
    }
    for (int i = 0; i < 3 && !turned; i++) {
        gizmo.axes[i][i] = 1;
    }
    gizmo.pixels = gizmo.pixels != 0 ? gizmo.pixels : 90;
    gizmo.handles = gizmo.handles != 0 ? gizmo.handles : SL_HANDLE_ALL_MOVE;
    return gizmo;
}

static bool open_gizmo(const sl_gizmo *given, const sl_view *view, search *out)
{
    const sl_gizmo *gizmo = &out->gizmo;
    out->gizmo = gizmo_of(given);
    if (!sli_are_finite(gizmo->centre, 3) || !sli_are_finite(gizmo->axes[0], 9) ||
        !(gizmo->pixels > 0) || !sli_view_open(view, &out->view) ||
        !sli_seen_at(&out->view, gizmo->centre, &out->seen)) {
        return false;
    }
    out->size = gizmo->pixels * out->seen.pixel;
    return isfinite(out->size);
}

static SLI_NOINLINE bool size_of(const sl_gizmo *gizmo, const sl_view *view, double *out)
{
    search s;
    if (!open_gizmo(gizmo, view, &s)) {
        return false;
    }
    *out = s.size;
    return true;
}

bool sl_gizmo_size(const sl_gizmo *gizmo, const sl_view *view, double *out)
{
    return SLI_IN_FPENV(size_of(gizmo, view, out));
}

/* The point at the given parts of the size along two axes. */
static void point_at(const search *s, int i, double a, int j, double b, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = s->gizmo.centre[k] + s->size * (a * s->gizmo.axes[i][k] + b * s->gizmo.axes[j][k]);
    }
}

/* What is tried later counts if it is nearer. */
static void pick_try(search *s, uint32_t handle, double pixels, const double point[3])
{
    if (pixels <= s->radius && isfinite(pixels) &&
        (s->best.handle == 0 || pixels < s->best.pixels)) {
        s->best.handle = handle;
        s->best.pixels = pixels;
        memcpy(s->best.point, point, sizeof s->best.point);
    }
}

static double pick_distance2(const double a[2], const double b[2])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

static void try_point(search *s, uint32_t handle, const double point[3])
{
    double xy[2];
    if (sli_view_project(&s->view, point, xy, NULL)) {
        pick_try(s, handle, pick_distance2(xy, s->mouse), point);
    }
}

static void try_segment(search *s, uint32_t handle, const double from[3], const double to[3])
{
    double clip[2][4], a[2], b[2], at[2], point[3];
    sli_view_clip(&s->view, from, clip[0]);
    sli_view_clip(&s->view, to, clip[1]);
    if (!sli_view_picture(&s->view, clip[0], a, NULL) ||
        !sli_view_picture(&s->view, clip[1], b, NULL)) {
        return;
    }
    const double x = b[0] - a[0], y = b[1] - a[1], square = x * x + y * y;
    const double along = (s->mouse[0] - a[0]) * x + (s->mouse[1] - a[1]) * y;
    const double free_part = square > 0 ? along / square : 0;
    const double part = !(free_part > 0) ? 0 : free_part < 1 ? free_part : 1;
    at[0] = a[0] + part * x;
    at[1] = a[1] + part * y;
    /* Where that is in the world: weights of the ends, each divided by its w. */
    const double far = part * clip[0][3], near = (1 - part) * clip[1][3];
    for (int i = 0; i < 3; i++) {
        point[i] = from[i] + (to[i] - from[i]) * (far / (far + near));
    }
    pick_try(s, handle, pick_distance2(at, s->mouse), point);
}

static bool pick_has(const search *s, uint32_t handle)
{
    return (s->gizmo.handles & handle) != 0;
}

static void try_ring(search *s, int axis)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    sl_ray_d sight;
    double from[3], to[3], sine, cosine, dir[3];
    if (!sli_view_ray(&s->view, s->seen.xy, &sight) || !sli_unit(sight.dir, dir)) {
        return;
    }
    const bool face_on = fabs(sli_dot(dir, s->gizmo.axes[axis])) > FACE_ON;
    point_at(s, j, 1, k, 0, from);
    for (int side = 1; side <= SIDES; side++) {
        sli_sine_cosine(side * (2 * 3.14159265358979323846 / (double)SIDES), &sine, &cosine);
        point_at(s, j, cosine, k, sine, to);
        double behind = -INFINITY;
        for (int end = 0; end < 2; end++) {
            double arm[3];
            sli_subtract(end == 0 ? from : to, s->gizmo.centre, arm);
            behind = fmax(behind, sli_dot(arm, dir));
        }
        if (face_on || behind <= BEHIND * s->size) {
            try_segment(s, (uint32_t)SL_HANDLE_RING_X << axis, from, to);
        }
        memcpy(from, to, sizeof from);
    }
}

static void try_square(search *s, int axis)
{
    static const double at[4][2] = { { SL_GIZMO_SQUARE_START, SL_GIZMO_SQUARE_START },
                                     { SL_GIZMO_SQUARE_END, SL_GIZMO_SQUARE_START },
                                     { SL_GIZMO_SQUARE_END, SL_GIZMO_SQUARE_END },
                                     { SL_GIZMO_SQUARE_START, SL_GIZMO_SQUARE_END } };
    const uint32_t handle = (uint32_t)SL_HANDLE_SQUARE_X << axis;
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    double corner[4][3], xy[4][2], middle[3];
    int left = 0, right = 0;
    for (int i = 0; i < 4; i++) {
        point_at(s, j, at[i][0], k, at[i][1], corner[i]);
        if (!sli_view_project(&s->view, corner[i], xy[i], NULL)) {
            return;
        }
    }
    point_at(s, j, (SL_GIZMO_SQUARE_START + SL_GIZMO_SQUARE_END) / 2, k,
             (SL_GIZMO_SQUARE_START + SL_GIZMO_SQUARE_END) / 2, middle);
    for (int i = 0; i < 4; i++) {
        const double *a = xy[i], *b = xy[(i + 1) % 4];
        const double cross =
            (b[0] - a[0]) * (s->mouse[1] - a[1]) - (b[1] - a[1]) * (s->mouse[0] - a[0]);
        left += cross > 0;
        right += cross < 0;
        try_segment(s, handle, corner[i], corner[(i + 1) % 4]);
    }
    if ((left == 0) != (right == 0)) {
        pick_try(s, handle, 0, middle);
    }
}

static SLI_NOINLINE bool pick_run(const sl_gizmo *gizmo, const sl_view *view, const double xy[2],
                                  double radius, sl_handle *out)
{
    search s = { .mouse = xy, .radius = radius };
    double from[3], to[3];
    if (!sli_are_finite(xy, 2) || !(radius >= 0) || !open_gizmo(gizmo, view, &s)) {
        return false;
    }
    s.best.size = s.size;
    if (pick_has(&s, SL_HANDLE_MIDDLE)) {
        try_point(&s, SL_HANDLE_MIDDLE, gizmo->centre);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (pick_has(&s, (uint32_t)SL_HANDLE_BOX_X << axis)) {
            point_at(&s, axis, SL_GIZMO_BOX_AT, axis, 0, to);
            try_point(&s, (uint32_t)SL_HANDLE_BOX_X << axis, to);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        if (pick_has(&s, (uint32_t)SL_HANDLE_ARROW_X << axis)) {
            point_at(&s, axis, SL_GIZMO_ARROW_START, axis, 0, from);
            point_at(&s, axis, 1, axis, 0, to);
            try_segment(&s, (uint32_t)SL_HANDLE_ARROW_X << axis, from, to);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        if (pick_has(&s, (uint32_t)SL_HANDLE_RING_X << axis)) {
            try_ring(&s, axis);
        }
    }
    const bool found = s.best.handle != 0;
    for (int axis = 0; axis < 3 && !found; axis++) {
        if (pick_has(&s, (uint32_t)SL_HANDLE_SQUARE_X << axis)) {
            try_square(&s, axis);
        }
    }
    if (s.best.handle == 0) {
        return false;
    }
    *out = s.best;
    return true;
}

bool sl_gizmo_pick(const sl_gizmo *gizmo, const sl_view *view, const double xy[2], double radius,
                   sl_handle *out)
{
    return SLI_IN_FPENV(pick_run(gizmo, view, xy, radius, out));
}

static SLI_NOINLINE bool drag_of(const sl_gizmo *given, const sl_handle *handle, sl_drag *drag)
{
    const sl_gizmo gizmo = gizmo_of(given);
    const uint32_t boxes = SL_HANDLE_BOX_X | SL_HANDLE_BOX_Y | SL_HANDLE_BOX_Z;
    static const sl_drag_kind kinds[4] = { SL_DRAG_AXIS, SL_DRAG_PLANE, SL_DRAG_RING,
                                           SL_DRAG_STRETCH };
    int number = 0;
    while (number < 13 && handle->handle != (uint32_t)1 << number) {
        number++;
    }
    if (number == 13 || (gizmo.handles & handle->handle) == 0) {
        return false;
    }
    memcpy(drag->point, handle->point, sizeof drag->point);
    memcpy(drag->centre, gizmo.centre, sizeof drag->centre);
    if (handle->handle == SL_HANDLE_MIDDLE) {
        drag->kind = (gizmo.handles & boxes) != 0 ? SL_DRAG_SCALE : SL_DRAG_SCREEN;
        drag->radius = handle->size;
        return true;
    }
    drag->kind = kinds[number / 3];
    drag->radius = 0;
    memcpy(drag->axis, gizmo.axes[number % 3], sizeof drag->axis);
    memcpy(drag->tangent, gizmo.axes[(number + 1) % 3], sizeof drag->tangent);
    return true;
}

bool sl_gizmo_drag(const sl_gizmo *gizmo, const sl_handle *handle, sl_drag *drag)
{
    return SLI_IN_FPENV(drag_of(gizmo, handle, drag));
}
