/* Drags on the surface of a scene. */
#include "lib/base/fpenv.h"
#include "lib/geom/gizmo/drag.h"

#include <sightline/instances.h>
#include <sightline/rays.h>

#include <math.h>
#include <string.h>

static void move_put(const sli_dragged *dragged, const double point[3], sl_drag_move *out)
{
    for (int i = 0; i < 3; i++) {
        out->point[i] = point[i];
        out->translation[i] = point[i] - dragged->drag->point[i];
    }
}

/* At the depth of a point, under the position. */
static sl_drag_answer move_at_depth(const sli_dragged *dragged, const double pixel[2],
                                    const double point[3], sl_drag_move *out)
{
    double depth, there[4], clip[4], eye[4];
    if (!sli_view_project(&dragged->view, point, NULL, &depth)) {
        return SL_DRAG_BEHIND;
    }
    const sl_camera *camera = &dragged->view.camera;
    clip[0] = pixel[0] / camera->width * 2 - 1;
    clip[1] = (1 - pixel[1] / camera->height * 2) * dragged->view.y_sign;
    clip[2] = depth;
    clip[3] = 1;
    sli_transform(dragged->view.back.eye_from_clip, clip, eye);
    sli_transform(dragged->view.back.world_from_eye, eye, there);
    double moved[3];
    for (int i = 0; i < 3; i++) {
        moved[i] = there[i] / there[3] + dragged->view.origin[i];
    }
    if (!(there[3] > 0)) {
        return SL_DRAG_OUT_OF_RANGE;
    }
    move_put(dragged, moved, out);
    out->flags |= SL_DRAG_OFF_SURFACE;
    return SL_DRAG_MOVED;
}

static sl_drag_answer move_on_surface(const sl_bvh *bvh, const sli_dragged *dragged,
                                      const sl_options *options, const sl_drag_move *last,
                                      sl_drag_move *out)
{
    const double pixel[2] = { dragged->seen.xy[0] + dragged->d[0],
                              dragged->seen.xy[1] + dragged->d[1] };
    sl_ray_d ray;
    sl_hit_d hit;
    sl_surface surface;
    if (!sli_view_ray(&dragged->view, pixel, &ray)) {
        return SL_DRAG_OUT_OF_RANGE;
    }
    if (!sl_bvh_closest_d(bvh, &ray, options, &hit) ||
        !sl_bvh_surface(bvh, (sl_triangle_ref){ hit.instance, hit.prim }, hit.u, hit.v, SL_DOUBLE,
                        &surface)) {
        return last != NULL ? move_at_depth(dragged, pixel, last->point, out) : SL_DRAG_NOTHING;
    }
    move_put(dragged, surface.point, out);
    memcpy(out->normal, surface.normal, sizeof out->normal);
    out->instance = hit.instance;
    out->prim = hit.prim;
    return SL_DRAG_MOVED;
}

static SLI_NOINLINE sl_drag_answer drag_to(const sl_bvh *bvh, const sl_drag *drag,
                                           const sl_view *view, const double xy[2],
                                           const sl_options *options, const sl_drag_move *last,
                                           sl_drag_move *out)
{
    sli_dragged dragged;
    sl_drag_move move;
    sl_drag_answer answer = sli_drag_open(drag, view, xy, &dragged);
    if (answer != SL_DRAG_MOVED) {
        return answer;
    }
    if (drag->kind != SL_DRAG_SURFACE) {
        return SL_DRAG_BAD_DRAG;
    }
    sli_drag_still(&dragged, &move);
    if (!dragged.still) {
        answer = move_on_surface(bvh, &dragged, options, last, &move);
    }
    if (answer == SL_DRAG_MOVED &&
        !(sli_are_finite(move.point, 3) && sli_are_finite(move.translation, 3))) {
        answer = SL_DRAG_OUT_OF_RANGE;
    }
    if (answer == SL_DRAG_MOVED) {
        *out = move;
    }
    return answer;
}

sl_drag_answer sl_drag_on_surface(const sl_bvh *bvh, const sl_drag *drag, const sl_view *view,
                                  const double xy[2], const sl_options *options,
                                  const sl_drag_move *last, sl_drag_move *out)
{
    return SLI_IN_FPENV(drag_to(bvh, drag, view, xy, options, last, out));
}
