/* drag_axis.c: an object is dragged along the x axis by its gizmo.
 *
 *     drag_axis
 *
 * The mouse takes the arrow, goes on in steps, beyond the vanishing point of the axis and back. */
#include <sightline/sightline.h>

#include <stdio.h>

int main(void)
{
    sl_camera_def def = { 0 }; /* 800 x 600, 60 degrees */
    sl_camera camera;
    sl_error error;
    def.eye[0] = -8;
    def.eye[1] = 2;
    def.eye[2] = 5;
    if (sl_camera_make(&def, &camera, &error) != SL_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const sl_view view = (sl_view){ .camera = camera };

    /* The button goes down: which handle is under the mouse? */
    const double start[2] = { 438, 292 };
    sl_gizmo gizmo = { 0 };
    sl_handle handle;
    sl_drag drag = { 0 };
    if (!sl_gizmo_pick(&gizmo, &view, start, 8, &handle) ||
        !sl_gizmo_drag(&gizmo, &handle, &drag) ||
        sl_drag_begin(&drag, &view, start) != SL_DRAG_MOVED) {
        printf("nothing to drag there\n");
        return 0;
    }
    printf("handle %u, %.1f pixels from the mouse\n", handle.handle, handle.pixels);

    /* The mouse moves: the place follows from the start, not from the last place. */
    const sl_transform place = sl_transform_identity();
    const double moves[6] = { 10, 40, 100, 400, 100, 0 };
    for (int i = 0; i < 6; i++) {
        const double mouse[2] = { start[0] + moves[i], start[1] };
        sl_drag_move move;
        sl_transform now;
        if (sl_drag_to(&drag, &view, mouse, NULL, &move) == SL_DRAG_MOVED &&
            sl_drag_transform(&drag, &move, &place, &now)) {
            printf("%3.0f pixels: x = %.4f%s\n", moves[i], now.m[0][3],
                   move.flags & SL_DRAG_CLAMPED ? " (clamped)" : "");
        }
    }
    return 0;
}
