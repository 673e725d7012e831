/* los/viewshed.c: 'los --viewshed': what is seen from a point of the ground or of a plane. */
#include "tools/cli/report.h"
#include "tools/los/rows.h"

#include <sightline/visibility.h>

#include <math.h>

/* Cells all over the bounds, looked at from above; the picture's first row is the farthest along
 * the axis that runs up in it: -z where y is up, y where z is. */
static sl_sight_grid make_grid(const ask_run *run, uint32_t width, uint32_t height)
{
    const sight_options *o = &((const los_options *)run->call->options)->sight;
    const int up = o->up_axis == 0 ? 1 : 2, across = 0, along = o->up_axis == 0 ? 2 : 1;
    const sl_aabb_d bounds = sl_bvh_bounds(run->world.in.bvh);
    sl_sight_grid grid = { .width = width, .height = height };
    double low[3], side[3], most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const bool empty = !(bounds.min[axis] <= bounds.max[axis]);
        low[axis] = empty ? 0 : bounds.min[axis];
        side[axis] = empty ? 1 : bounds.max[axis] - bounds.min[axis];
        most = fmax(most, side[axis]);
    }
    const double step_x = side[across] / width, step_y = side[along] / height;
    const bool downwards = along == 1; /* y is up in the picture */
    grid.origin[across] = low[across] + 0.5 * step_x;
    grid.origin[along] =
        downwards ? low[along] + side[along] - 0.5 * step_y : low[along] + 0.5 * step_y;
    grid.step_x[across] = step_x;
    grid.step_y[along] = downwards ? -step_y : step_y;
    if (options_given(run->call, "plane")) {
        grid.origin[up] = (double)o->plane;
    } else {
        const double margin = 0.01 * most;
        grid.origin[up] = low[up] + side[up] + margin;
        grid.down[up] = -(side[up] + 2 * margin);
        grid.rise[up] = o->rise > 0 ? (double)o->rise : most / 1000;
    }
    return grid;
}

typedef struct view_work {
    const ask_run *run;
    sl_sight_end eye;
    sl_sight_grid grid;
} view_work;

static void viewshed_ask(void *context, uint64_t first, size_t count, uint8_t *cells)
{
    const view_work *w = context;
    const ask_world *world = &w->run->world;
    const sl_sight sight = { .flags = w->run->options->doubles ? SL_SIGHT_DOUBLES : 0,
                             .options = &world->query };
    (void)sl_sight_viewshed(world->in.bvh, &w->eye, &w->grid, (size_t)first, count, &sight, cells,
                            world->tasks);
}

int sight_viewshed(ask_run *run)
{
    enum { TILE = 32 }; /* rows that are looked at together */
    const sight_options *o = &((const los_options *)run->call->options)->sight;
    uint32_t width, height;
    const int status = camera_in_size(run->call, o->size, &width, &height);
    if (status != EXIT_DONE) {
        return status;
    }
    view_work w = { .run = run,
                    .eye = (sl_sight_end){ .at = { o->viewshed[0], o->viewshed[1], o->viewshed[2] },
                                           .id = 0 },
                    .grid = make_grid(run, width, height) };
    const size_t step = sight_rows_step(height, width);
    const sight_rows asked = { .run = run,
                               .count = height,
                               .width = width,
                               .step = step > TILE ? step / TILE * TILE : step,
                               .type = NPY_OUT_U1,
                               .fields = { { "cell_count", SIGHT_CELLS },
                                           { "seen_count", SIGHT_SEEN },
                                           { "no_ground_count", SIGHT_NO_GROUND } },
                               .ask = viewshed_ask,
                               .context = &w };
    return sight_rows_run(&asked);
}
