/* Drags that move: along an axis, in a plane, in the plane of the picture. */
#include "lib/geom/gizmo/drag.h"
#include "lib/geom/gizmo/turn.h"

/* Of the limit L, half is for what a plane asks at the start and beyond its bounds, and sqrt(3) / 2
 * for what it asks within them: the squares add up to L^2. */
#define WITHIN 0.8660254037844386

double sli_drag_rounded(double value, double step)
{
    return step > 0 ? step * floor(value / step + 0.5) + 0.0 : value;
}

/* A length along a direction: a multiple of the step, or one that makes the new point's coordinate
 * such. */
static double step_along(const sl_drag *drag, const double dir[3], double length)
{
    if (!drag->absolute || !(drag->step > 0)) {
        return sli_drag_rounded(length, drag->step);
    }
    double from_grid[3];
    sli_subtract(drag->point, drag->grid, from_grid);
    const double start = sli_dot(from_grid, dir);
    return sli_drag_rounded(start + length, drag->step) - start;
}

static void translate_put(const sli_dragged *dragged, const double translation[3], bool clamped,
                          sl_drag_move *out)
{
    for (int i = 0; i < 3; i++) {
        out->translation[i] = translation[i] + 0.0;
        out->point[i] = dragged->drag->point[i] + out->translation[i];
    }
    out->flags |= clamped ? SL_DRAG_CLAMPED : 0;
}

void sli_drag_along_axis(const sli_dragged *dragged, sl_drag_move *out)
{
    double rate[2], fade, moved[3];
    bool clamped = false;
    sli_seen_rate(&dragged->view, &dragged->seen, dragged->axis, rate, &fade);
    const double free_length = sli_slide_line(rate, fade, dragged->limit, dragged->d, &clamped);
    const double length = step_along(dragged->drag, dragged->axis, free_length);
    for (int i = 0; i < 3; i++) {
        moved[i] = length * dragged->axis[i];
    }
    translate_put(dragged, moved, clamped, out);
}

void sli_drag_plane(const sli_dragged *dragged, const double u[3], const double v[3], double first,
                    sli_slide_plane *out)
{
    double rate[2][2], fade[2];
    sli_seen_rate(&dragged->view, &dragged->seen, u, rate[0], &fade[0]);
    sli_seen_rate(&dragged->view, &dragged->seen, v, rate[1], &fade[1]);
    sli_slide_plane_make((const double(*)[2])rate, fade, first, out);
}

void sli_drag_steps(const sli_dragged *dragged, const double u[3], const double v[3],
                    double steps[2], bool *clamped)
{
    sli_slide_plane plane;
    sli_drag_plane(dragged, u, v, dragged->limit / 2, &plane);
    sli_slide_in_plane(&plane, WITHIN * dragged->limit / plane.norm, true, dragged->d, steps,
                       clamped);
}

void sli_drag_in_plane(const sli_dragged *dragged, sl_drag_move *out)
{
    const double *n = dragged->axis, *tangent = dragged->drag->tangent;
    double u[3], v[3], flat[3], steps[2], moved[3];
    bool clamped = false;
    const double along = sli_dot(tangent, n), size = sli_length(tangent);
    for (int i = 0; i < 3; i++) {
        flat[i] = tangent[i] - along * n[i];
    }
    if (!(sli_length(flat) > 0x1p-40 * size) || !sli_unit(flat, u)) {
        sli_perpendicular(n, u);
    }
    sli_cross(n, u, v);
    sli_drag_steps(dragged, u, v, steps, &clamped);
    const double a = step_along(dragged->drag, u, steps[0]);
    const double b = step_along(dragged->drag, v, steps[1]);
    for (int i = 0; i < 3; i++) {
        moved[i] = a * u[i] + b * v[i];
    }
    translate_put(dragged, moved, clamped, out);
}

bool sli_drag_towards_eye(const sli_dragged *dragged, double normal[3])
{
    const sli_view *view = &dragged->view;
    sl_ray_d ray;
    double gradient[2][3]; /* of w, of depth */
    if (!sli_view_ray(view, dragged->seen.xy, &ray)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const double dir[4] = { i == 0, i == 1, i == 2, 0 };
        double eye[4], clip[4];
        sli_transform(view->view, dir, eye);
        sli_transform(view->projection, eye, clip);
        gradient[0][i] = clip[3];
        gradient[1][i] = clip[2];
    }
    if (!sli_unit(gradient[0], normal) && !sli_unit(gradient[1], normal)) {
        return false;
    }
    const double away = sli_dot(normal, ray.dir);
    for (int i = 0; i < 3; i++) {
        normal[i] = (away > 0 ? -normal[i] : normal[i]) + 0.0;
    }
    return away != 0;
}

void sli_drag_on_screen(const sli_dragged *dragged, sl_drag_move *out)
{
    const sl_drag *drag = dragged->drag;
    double n[3], u[3], v[3], steps[2], moved[3];
    bool clamped = false;
    if (!sli_drag_towards_eye(dragged, n)) {
        out->flags |= SL_DRAG_CLAMPED;
        return;
    }
    sli_perpendicular(n, u);
    sli_cross(n, u, v);
    sli_drag_steps(dragged, u, v, steps, &clamped);
    for (int i = 0; i < 3; i++) {
        const double axis[3] = { i == 0, i == 1, i == 2 };
        moved[i] = step_along(drag, axis, steps[0] * u[i] + steps[1] * v[i]);
    }
    translate_put(dragged, moved, clamped, out);
}
