/* Drags that scale: in all directions, and along an axis. */
#include "lib/geom/gizmo/drag.h"
#include "lib/geom/gizmo/turn.h"

static double scale_length2(double x, double y)
{
    return sqrt(x * x + y * y);
}

/* What the distance of the grabbed point from the centre is multiplied by.  What is no number stays
 * none, and has no answer. */
static void put_factor(const sl_drag *drag, double free_factor, bool clamped, sl_drag_move *out)
{
    const double factor = 1 + sli_drag_rounded(free_factor - 1, drag->step);
    out->factor = factor < drag->factor_min ? drag->factor_min : factor;
    out->flags |= clamped || factor < drag->factor_min ? SL_DRAG_CLAMPED : 0;
}

sl_drag_answer sli_drag_scale(const sli_dragged *dragged, sl_drag_move *out)
{
    const sl_drag *drag = dragged->drag;
    double arm[3], centre[2];
    sli_subtract(drag->point, drag->centre, arm);
    if (!sli_view_project(&dragged->view, drag->centre, centre, NULL)) {
        return SL_DRAG_BEHIND;
    }
    const double x = dragged->seen.xy[0] - centre[0], y = dragged->seen.xy[1] - centre[1];
    const double was = scale_length2(x, y),
                 is = scale_length2(x + dragged->d[0], y + dragged->d[1]);
    const double least = fmax(sli_length(arm) / dragged->limit, drag->radius / dragged->seen.pixel);
    const double whole = fmax(was, least);
    if (!(whole > 0)) {
        return SL_DRAG_BAD_DRAG;
    }
    put_factor(drag, 1 + (is - was) / whole, was < least, out);
    for (int i = 0; i < 3; i++) {
        out->point[i] = drag->point[i] + (out->factor - 1) * arm[i];
    }
    return SL_DRAG_MOVED;
}

sl_drag_answer sli_drag_stretch(const sli_dragged *dragged, sl_drag_move *out)
{
    const sl_drag *drag = dragged->drag;
    double arm[3], rate[2], fade;
    bool clamped = false;
    sli_subtract(drag->point, drag->centre, arm);
    const double height = sli_dot(arm, dragged->axis), least = fmax(fabs(height), drag->radius);
    const double whole = height < 0 ? -least : least;
    if (!(least > 0)) {
        return SL_DRAG_BAD_DRAG;
    }
    sli_seen_rate(&dragged->view, &dragged->seen, dragged->axis, rate, &fade);
    const double moved = sli_slide_line(rate, fade, dragged->limit, dragged->d, &clamped);
    put_factor(drag, 1 + moved / whole, clamped || fabs(height) < least, out);
    for (int i = 0; i < 3; i++) {
        out->point[i] = drag->point[i] + (out->factor - 1) * height * dragged->axis[i];
    }
    return SL_DRAG_MOVED;
}
