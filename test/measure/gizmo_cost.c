/* gizmo_cost: nanoseconds of a call of view.h and gizmo.h: a perspective view, an object before it,
 * positions of the mouse all over it.  The least of the rounds.
 *
 *     gizmo_cost [ROUNDS]      default 15 */
#include "test/measure/timing.h"

#include <sightline/gizmo.h>

#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 20000, KINDS = 7 };

/* One call at a position of the mouse, of the which-th thing that is measured. */
typedef struct asked {
    sl_view view;
    sl_drag drags[KINDS];
    sl_gizmo gizmos[3];
    double sum; /* so that nothing is left out */
} asked;

static const char *const drag_names[KINDS] = { "axis", "plane", "screen", "ring",
                                               "roll", "scale", "stretch" };

static void drag_to(asked *a, int which, const double mouse[2])
{
    sl_drag_move move;
    if (sl_drag_to(&a->drags[which], &a->view, mouse, NULL, &move) == SL_DRAG_MOVED) {
        a->sum += move.factor;
    }
}

static void pick(asked *a, int which, const double mouse[2])
{
    sl_handle handle;
    if (sl_gizmo_pick(&a->gizmos[which], &a->view, mouse, 8, &handle)) {
        a->sum += handle.pixels;
    }
}

static void ask_view(asked *a, int which, const double mouse[2])
{
    const double point[3] = { 0.1, 0.2, mouse[0] / 1000 };
    double xy[2], pixel;
    sl_ray_d ray;
    if (which == 0 && sl_view_ray(&a->view, mouse, &ray)) {
        a->sum += ray.dir[0];
    }
    if (which == 1 && sl_view_project(&a->view, point, xy, NULL)) {
        a->sum += xy[0];
    }
    if (which == 2 && sl_view_pixel_size(&a->view, point, &pixel)) {
        a->sum += pixel;
    }
}

static void measure(asked *a, void (*ask)(asked *, int, const double[2]), int which, int rounds,
                    const char *call, const char *name)
{
    double best = 1e9;
    for (int round = 0; round < rounds; round++) {
        const double start = timing_seconds();
        for (int i = 0; i < CALLS; i++) {
            const double mouse[2] = { 350 + i % 200, 250 + i % 90 };
            ask(a, which, mouse);
        }
        const double seconds = timing_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    printf("%-14s %-10s %6.0f ns\n", call, name, best / (double)CALLS * 1e9);
}

static void make(asked *a)
{
    static const double point[3] = { 0.5, 0.2, 0 }, axis[3] = { 0.3, 0.9, 0.2 };
    static const uint32_t handles[3] = { SL_HANDLE_ALL_MOVE, SL_HANDLE_ALL_TURN,
                                         SL_HANDLE_ALL_SCALE };
    const double start[2] = { 400, 300 };
    sl_camera_def def = sl_default_camera_def();
    sl_camera camera;
    def.eye[0] = 3;
    def.eye[1] = 4;
    def.eye[2] = 8;
    if (sl_camera_make(&def, &camera, NULL) != SL_OK) {
        exit(1);
    }
    *a = (asked){ .view = sl_view_of(&camera) };
    for (int kind = 0; kind < KINDS; kind++) {
        sl_drag *drag = &a->drags[kind];
        *drag = sl_default_drag();
        drag->kind = (sl_drag_kind)kind;
        for (int i = 0; i < 3; i++) {
            drag->point[i] = point[i];
            drag->axis[i] = axis[i];
        }
        if (sl_drag_begin(drag, &a->view, start) != SL_DRAG_MOVED) {
            exit(1);
        }
    }
    for (int i = 0; i < 3; i++) {
        a->gizmos[i] = sl_default_gizmo();
        a->gizmos[i].handles = handles[i];
    }
}

int main(int argc, char **argv)
{
    static const char *const gizmo_names[3] = { "move", "turn", "scale" };
    static const char *const view_names[3] = { "ray", "project", "pixel_size" };
    const int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 15;
    asked a;
    make(&a);
    for (int i = 0; i < KINDS; i++) {
        measure(&a, drag_to, i, rounds, "sl_drag_to", drag_names[i]);
    }
    for (int i = 0; i < 3; i++) {
        measure(&a, pick, i, rounds, "sl_gizmo_pick", gizmo_names[i]);
    }
    for (int i = 0; i < 3; i++) {
        measure(&a, ask_view, i, rounds, "sl_view_", view_names[i]);
    }
    return a.sum > 0 ? 0 : 1;
}
