/* Drags that turn: rings that are followed around or pulled, and balls that roll. */
#include "lib/geom/exact/arithmetic/arctangent.h"
#include "lib/geom/gizmo/drag.h"
#include "lib/geom/gizmo/turn.h"

#include <string.h>

#define PI 3.14159265358979323846

/* Around a ring of radius r, the point in its plane moves by at most STRETCH |A| for a pixel; two
 * points no nearer than h to the centre, s apart, are at angles that differ by at most
 * 2 asin(s / 2h) <= pi s / 2h.  That is limit / r for h = NEAREST |A| r / limit.  |A| is held below
 * limit / EDGE, so h is always below r / 4. */
#define STRETCH 1.5
#define NEAREST (PI / 2 * STRETCH)
#define EDGE    9.5

/* A tangent that is seen at less than this much of its length is not pulled. */
#define LEAST_SEEN 0.5

#define ANGLE_MAX 1e6

/* The ring of the grabbed point: its radius, and unit vectors to the point and along the ring. */
static bool ring_of(const sli_dragged *dragged, double *radius, double out[3], double along[3])
{
    const sl_drag *drag = dragged->drag;
    double arm[3];
    sli_subtract(drag->point, drag->centre, arm);
    const double height = sli_dot(arm, dragged->axis), size = sli_length(arm);
    for (int i = 0; i < 3; i++) {
        arm[i] -= height * dragged->axis[i];
    }
    *radius = sli_length(arm);
    if (!(*radius > 0x1p-40 * size) || !sli_unit(arm, out)) {
        return false;
    }
    sli_cross(dragged->axis, out, along);
    return true;
}

/* How long a direction is in the picture, beside one that lies in its plane; about. */
static double seen_length(const sli_dragged *dragged, const double dir[3])
{
    double rate[2], fade;
    sli_seen_rate(&dragged->view, &dragged->seen, dir, rate, &fade);
    return sqrt(rate[0] * rate[0] + rate[1] * rate[1]) * dragged->seen.pixel;
}

sl_drag_answer sli_drag_ring_begin(const sli_dragged *dragged, sl_drag *drag)
{
    double radius, out[3], along[3];
    sli_slide_plane plane;
    drag->pull[0] = drag->pull[1] = drag->pull[2] = 0;
    if (!ring_of(dragged, &radius, out, along)) {
        return SL_DRAG_BAD_DRAG;
    }
    sli_drag_plane(dragged, out, along, dragged->limit / EDGE, &plane);
    if (drag->ring == SL_RING_AROUND || (drag->ring == SL_RING_AUTO && !plane.clamped)) {
        return SL_DRAG_MOVED;
    }
    memcpy(drag->pull, along, sizeof along);
    sl_ray_d ray;
    double front[3];
    if (seen_length(dragged, along) < LEAST_SEEN &&
        sli_view_ray(&dragged->view, dragged->seen.xy, &ray)) {
        /* The tangent where the ring is nearest to the eye. */
        sli_cross(ray.dir, dragged->axis, front);
        if (sli_unit(front, front) && seen_length(dragged, front) > seen_length(dragged, along)) {
            memcpy(drag->pull, front, sizeof front);
        }
    }
    return SL_DRAG_MOVED;
}

static double in_range(double x)
{
    return fabs(x) < 0x1p-900 ? 0 : x;
}

/* The angle of the point that is asked for, in (-pi, pi]. */
static sl_drag_answer angle_around(const sli_dragged *dragged, double radius, const double out[3],
                                   const double along[3], double *angle, bool *clamped)
{
    double steps[2];
    sli_slide_plane plane;
    sli_drag_plane(dragged, out, along, dragged->limit / EDGE, &plane);
    sli_slide_in_plane(&plane, STRETCH, false, dragged->d, steps, clamped);
    const double x = 1 + steps[0] / radius, y = steps[1] / radius;
    if (!(fabs(x) < 0x1p500) || !(fabs(y) < 0x1p500)) {
        return SL_DRAG_OUT_OF_RANGE;
    }
    if (sqrt(x * x + y * y) < NEAREST * plane.norm / dragged->limit) {
        return SL_DRAG_AT_CENTRE;
    }
    *angle = sli_arctangent(in_range(y), in_range(x)) + 0.0;
    return SL_DRAG_MOVED;
}

/* The grabbed point, turned. */
static void put_turned(const sli_dragged *dragged, sl_drag_move *out)
{
    double arm[3];
    sl_transform turn;
    sli_subtract(dragged->drag->point, dragged->drag->centre, arm);
    if (!sl_transform_from_trs(NULL, out->rotation, NULL, &turn)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        out->point[i] = dragged->drag->point[i] + (sli_dot(turn.m[i], arm) - arm[i]);
    }
}

sl_drag_answer sli_drag_ring(const sli_dragged *dragged, const sl_drag_move *last,
                             sl_drag_move *out)
{
    const sl_drag *drag = dragged->drag;
    double radius, arm[3], along[3], angle = 0;
    bool clamped = false;
    if (!ring_of(dragged, &radius, arm, along)) {
        return SL_DRAG_BAD_DRAG;
    }
    const bool pulled = drag->pull[0] != 0 || drag->pull[1] != 0 || drag->pull[2] != 0;
    if (pulled) {
        double pull[3], rate[2], fade;
        if (!sli_unit(drag->pull, pull)) {
            return SL_DRAG_BAD_DRAG;
        }
        sli_seen_rate(&dragged->view, &dragged->seen, pull, rate, &fade);
        angle = sli_slide_line(rate, fade, dragged->limit, dragged->d, &clamped) / radius;
    } else if (!dragged->still) {
        const sl_drag_answer answer = angle_around(dragged, radius, arm, along, &angle, &clamped);
        if (answer != SL_DRAG_MOVED) {
            return answer;
        }
    }
    if (!pulled && last != NULL) {
        angle += 2 * PI * floor((last->free_angle - angle) / (2 * PI) + 0.5);
    }
    out->free_angle = angle + 0.0;
    out->angle = sli_drag_rounded(out->free_angle, drag->step);
    out->flags |= clamped ? SL_DRAG_CLAMPED : 0;
    if (!(fabs(out->angle) <= ANGLE_MAX)) {
        return SL_DRAG_OUT_OF_RANGE;
    }
    sli_turn(dragged->axis, out->angle, out->rotation);
    put_turned(dragged, out);
    return SL_DRAG_MOVED;
}

sl_drag_answer sli_drag_roll(const sli_dragged *dragged, sl_drag_move *out)
{
    const sl_drag *drag = dragged->drag;
    double n[3], u[3], v[3], arm[3], steps[2], moved[3], about[3];
    bool clamped = false;
    sli_subtract(drag->point, drag->centre, arm);
    const double radius = drag->radius > 0 ? drag->radius : sli_length(arm);
    if (!(radius > 0)) {
        return SL_DRAG_BAD_DRAG;
    }
    if (!sli_drag_towards_eye(dragged, n)) {
        return SL_DRAG_BAD_VIEW;
    }
    sli_perpendicular(n, u);
    sli_cross(n, u, v);
    sli_drag_steps(dragged, u, v, steps, &clamped);
    for (int i = 0; i < 3; i++) {
        moved[i] = steps[0] * u[i] + steps[1] * v[i];
    }
    sli_cross(n, moved, about);
    const double angle = sli_length(about) / radius;
    out->flags |= clamped ? SL_DRAG_CLAMPED : 0;
    if (!(angle <= ANGLE_MAX)) {
        return SL_DRAG_OUT_OF_RANGE;
    }
    if (sli_unit(about, about)) {
        out->angle = angle;
        sli_turn(about, angle, out->rotation);
        put_turned(dragged, out);
    }
    return SL_DRAG_MOVED;
}
