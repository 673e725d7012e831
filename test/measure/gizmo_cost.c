/* gizmo_cost: nanoseconds of a call of view.h and gizmo.h: a perspective view, an object before it,
 * positions of the mouse all over it.  The least of the rounds.
 *
 *     gizmo_cost [ROUNDS]      default 15 */
#include "test/measure/program.h"

#include <math.h>
#include <string.h>

enum { CALLS = 20000, DRAGS = 7, GIZMOS = 3, VIEWS = 3, CALL_KINDS = DRAGS + GIZMOS + VIEWS };

static const char *const names[CALL_KINDS][2] = {
    { "sl_drag_to", "axis" },     { "sl_drag_to", "plane" },   { "sl_drag_to", "screen" },
    { "sl_drag_to", "ring" },     { "sl_drag_to", "roll" },    { "sl_drag_to", "scale" },
    { "sl_drag_to", "stretch" },  { "sl_gizmo_pick", "move" }, { "sl_gizmo_pick", "turn" },
    { "sl_gizmo_pick", "scale" }, { "sl_view_", "ray" },       { "sl_view_", "project" },
    { "sl_view_", "pixel_size" },
};

typedef struct called {
    sl_view view;
    sl_drag drags[DRAGS];
    sl_gizmo gizmos[GIZMOS];
    double sum; /* so that nothing is left out */
} called;

/* One call at a position of the mouse. */
static void call_once(called *c, int kind, const double mouse[2])
{
    const double point[3] = { 0.1, 0.2, mouse[0] / 1000 };
    double xy[2], pixel;
    sl_drag_move move;
    sl_handle handle;
    sl_ray_d ray;
    if (kind < DRAGS) {
        c->sum += sl_drag_to(&c->drags[kind], &c->view, mouse, NULL, &move) == SL_DRAG_MOVED
                      ? move.factor
                      : 0;
    } else if (kind < DRAGS + GIZMOS) {
        c->sum += sl_gizmo_pick(&c->gizmos[kind - DRAGS], &c->view, mouse, 8, &handle)
                      ? handle.pixels
                      : 0;
    } else if (kind == DRAGS + GIZMOS) {
        c->sum += sl_view_ray(&c->view, mouse, &ray) ? ray.dir[0] : 0;
    } else if (kind == DRAGS + GIZMOS + 1) {
        c->sum += sl_view_project(&c->view, point, xy, NULL) ? xy[0] : 0;
    } else {
        c->sum += sl_view_pixel_size(&c->view, point, &pixel) ? pixel : 0;
    }
}

static called make_called(void)
{
    static const double point[3] = { 0.5, 0.2, 0 }, axis[3] = { 0.3, 0.9, 0.2 };
    static const uint32_t handles[GIZMOS] = { SL_HANDLE_ALL_MOVE, SL_HANDLE_ALL_TURN,
                                              SL_HANDLE_ALL_SCALE };
    const double start[2] = { 960, 540 };
    sl_camera_def def = { 0 };
    def.eye[0] = 3;
    def.eye[1] = 4;
    def.eye[2] = 8;
    called c = { .view = view_of(def) };
    for (int kind = 0; kind < DRAGS; kind++) {
        c.drags[kind] = (sl_drag){ 0 };
        c.drags[kind].kind = (sl_drag_kind)kind;
        memcpy(c.drags[kind].point, point, sizeof point);
        memcpy(c.drags[kind].axis, axis, sizeof axis);
        must(sl_drag_begin(&c.drags[kind], &c.view, start) == SL_DRAG_MOVED, "no drag");
    }
    for (int i = 0; i < GIZMOS; i++) {
        c.gizmos[i] = (sl_gizmo){ 0 };
        c.gizmos[i].handles = handles[i];
    }
    return c;
}

int main(int argc, char **argv)
{
    const int rounds = (int)number_at(argc, argv, 1, 15);
    called c = make_called();
    for (int kind = 0; kind < CALL_KINDS; kind++) {
        double least = INFINITY;
        for (int round = 0; round < rounds; round++) {
            const double start = bench_cpu_seconds();
            for (int i = 0; i < CALLS; i++) {
                const double mouse[2] = { 910 + i % 200, 490 + i % 90 };
                call_once(&c, kind, mouse);
            }
            least = fmin(least, bench_cpu_seconds() - start);
        }
        printf("%-14s %-10s %6.0f ns\n", names[kind][0], names[kind][1],
               least / (double)CALLS * 1e9);
    }
    return c.sum > 0 ? 0 : 1;
}
