/* Drags: the public calls, and what all kinds share. */
#include "lib/geom/gizmo/drag.h"

#include "lib/base/fpenv.h"
#include "lib/geom/gizmo/turn.h"

#include <string.h>

static bool is_usable(const sl_drag *drag)
{
    const double numbers[] = { drag->radius,     drag->limit,   drag->step,
                               drag->factor_min, drag->from[0], drag->from[1],
                               drag->at[0],      drag->at[1],   drag->pace };
    return (unsigned)drag->kind <= (unsigned)SL_DRAG_SURFACE &&
           (unsigned)drag->ring <= (unsigned)SL_RING_PULLED &&
           sli_are_finite(numbers, sizeof numbers / sizeof *numbers) &&
           sli_are_finite(drag->point, 3) && sli_are_finite(drag->axis, 3) &&
           sli_are_finite(drag->centre, 3) && sli_are_finite(drag->grid, 3) &&
           sli_are_finite(drag->tangent, 3) && sli_are_finite(drag->pull, 3) && drag->radius >= 0 &&
           drag->limit >= 4 && drag->step >= 0 && drag->factor_min > 0;
}

/* Everything but where the mouse asks for. */
static sl_drag_answer open_start(const sl_drag *drag, const sl_view *view, const double xy[2],
                                 sli_dragged *out)
{
    memset(out, 0, sizeof *out);
    out->drag = drag;
    if (!is_usable(drag) || !sli_unit(drag->axis, out->axis)) {
        return SL_DRAG_BAD_DRAG;
    }
    if (!sli_view_open(view, &out->view)) {
        return SL_DRAG_BAD_VIEW;
    }
    if (!sli_are_finite(xy, 2)) {
        return SL_DRAG_BAD_MOUSE;
    }
    if (!sli_seen_at(&out->view, drag->point, &out->seen)) {
        return SL_DRAG_BEHIND;
    }
    out->limit = drag->limit * out->seen.pixel;
    return isfinite(out->limit) ? SL_DRAG_MOVED : SL_DRAG_OUT_OF_RANGE;
}

sl_drag_answer sli_drag_open(const sl_drag *drag, const sl_view *view, const double xy[2],
                             sli_dragged *out)
{
    const sl_drag_answer answer = open_start(drag, view, xy, out);
    if (answer != SL_DRAG_MOVED) {
        return answer;
    }
    for (int i = 0; i < 2; i++) {
        out->d[i] = (drag->at[i] + drag->pace * (xy[i] - drag->from[i])) - out->seen.xy[i];
    }
    out->still = out->d[0] == 0 && out->d[1] == 0;
    return sli_are_finite(out->d, 2) ? SL_DRAG_MOVED : SL_DRAG_OUT_OF_RANGE;
}

void sli_drag_still(const sli_dragged *dragged, sl_drag_move *out)
{
    *out = (sl_drag_move){ .rotation = { 0, 0, 0, 1 },
                           .factor = 1,
                           .pixel = dragged->seen.pixel,
                           .instance = SL_NONE,
                           .prim = SL_NONE };
    memcpy(out->point, dragged->drag->point, sizeof out->point);
}

static sl_drag_answer move_kind(const sli_dragged *dragged, const sl_drag_move *last,
                                sl_drag_move *out)
{
    switch (dragged->drag->kind) {
    case SL_DRAG_RING:
        return sli_drag_ring(dragged, last, out);
    case SL_DRAG_ROLL:
        return sli_drag_roll(dragged, out);
    case SL_DRAG_SCALE:
        return sli_drag_scale(dragged, out);
    case SL_DRAG_STRETCH:
        return sli_drag_stretch(dragged, out);
    case SL_DRAG_AXIS:
    case SL_DRAG_PLANE:
    case SL_DRAG_SCREEN:
        break;
    case SL_DRAG_SURFACE:
    default:
        return SL_DRAG_BAD_DRAG;
    }
    if (!dragged->still) {
        (dragged->drag->kind == SL_DRAG_AXIS    ? sli_drag_along_axis
         : dragged->drag->kind == SL_DRAG_PLANE ? sli_drag_in_plane
                                                : sli_drag_on_screen)(dragged, out);
    }
    return SL_DRAG_MOVED;
}

/* What the drag has become, from how it was opened. */
static sl_drag_answer move_opened(const sli_dragged *dragged, const sl_drag_move *last,
                                  sl_drag_move *out)
{
    sli_drag_still(dragged, out);
    const sl_drag_answer answer = move_kind(dragged, last, out);
    if (answer == SL_DRAG_MOVED &&
        !(sli_are_finite(out->translation, 3) && sli_are_finite(out->point, 3) &&
          sli_are_finite(out->rotation, 4) && isfinite(out->factor))) {
        return SL_DRAG_OUT_OF_RANGE;
    }
    return answer;
}

static SLI_NOINLINE sl_drag_answer drag_begin(sl_drag *drag, const sl_view *view,
                                              const double xy[2])
{
    sli_dragged dragged;
    sl_drag_move move;
    sl_drag made = *drag;
    if (made.axis[0] == 0 && made.axis[1] == 0 && made.axis[2] == 0) {
        made.axis[2] = 1;
    }
    made.limit = made.limit != 0 ? made.limit : 32;
    made.factor_min = made.factor_min != 0 ? made.factor_min : 0x1p-10;
    memset(made.pull, 0, sizeof made.pull);
    memset(made.at, 0, sizeof made.at);
    memset(made.from, 0, sizeof made.from);
    made.pace = 1;
    sl_drag_answer answer = open_start(&made, view, xy, &dragged);
    if (answer == SL_DRAG_MOVED && made.kind == SL_DRAG_RING) {
        answer = sli_drag_ring_begin(&dragged, &made);
    }
    if (answer == SL_DRAG_MOVED && made.kind != SL_DRAG_SURFACE) {
        dragged.still = true;
        answer = move_opened(&dragged, NULL, &move);
    }
    if (answer == SL_DRAG_MOVED) {
        for (int i = 0; i < 2; i++) {
            made.from[i] = xy[i];
            made.at[i] = dragged.seen.xy[i];
        }
        *drag = made;
    }
    return answer;
}

sl_drag_answer sl_drag_begin(sl_drag *drag, const sl_view *view, const double xy[2])
{
    return SLI_IN_FPENV(drag_begin(drag, view, xy));
}

static SLI_NOINLINE sl_drag_answer move_to(const sl_drag *drag, const sl_view *view,
                                           const double xy[2], const sl_drag_move *last,
                                           sl_drag_move *out)
{
    sli_dragged dragged;
    sl_drag_move move;
    sl_drag_answer answer = sli_drag_open(drag, view, xy, &dragged);
    if (answer != SL_DRAG_MOVED) {
        return answer;
    }
    if (last != NULL && !(fabs(last->free_angle) <= 1e6)) {
        last = NULL;
    }
    answer = move_opened(&dragged, last, &move);
    if (answer == SL_DRAG_MOVED) {
        *out = move;
    }
    return answer;
}

sl_drag_answer sl_drag_to(const sl_drag *drag, const sl_view *view, const double xy[2],
                          const sl_drag_move *last, sl_drag_move *out)
{
    return SLI_IN_FPENV(move_to(drag, view, xy, last, out));
}

static SLI_NOINLINE bool set_pace(sl_drag *drag, const double xy[2], double pace)
{
    double at[2];
    for (int i = 0; i < 2; i++) {
        at[i] = drag->at[i] + drag->pace * (xy[i] - drag->from[i]);
    }
    if (!sli_are_finite(at, 2) || !sli_are_finite(xy, 2) || !isfinite(pace)) {
        return false;
    }
    memcpy(drag->at, at, sizeof at);
    memcpy(drag->from, xy, sizeof drag->from);
    drag->pace = pace;
    return true;
}

bool sl_drag_pace(sl_drag *drag, const double xy[2], double pace)
{
    return SLI_IN_FPENV(set_pace(drag, xy, pace));
}
