/* What is seen of a grid of cells from a point.  Cells are taken in tiles, part of a tile at a
 * time: where the ground is, then the lines of sight.  What occludes a cell is looked at first for
 * the cells below it. */
#include "bvh/query/ray_query.h"
#include "bvh/sight/lines.h"

enum {
    TILE = 32,     /* cells along each side */
    PART_ROWS = 3, /* so that cells and a batch of closest hits fit on the stack */
    PART = TILE * PART_ROWS,
    FEW = 32 /* cells that are traced in doubles at a time */
};

typedef struct view_job {
    const sl_bvh *bvh;
    const sl_sight_end *eye;
    const sl_sight_grid *grid;
    const sl_sight *sight;
    uint8_t *view;
    size_t first_row, end_row;
    bool on_ground;
    size_t tiles_across;
    size_t *total;
} view_job;

/* Some cells of a tile. */
typedef struct view_part {
    size_t count;
    size_t number[PART]; /* y * width + x */
    double at[PART][3];  /* what is looked at */
    bool there[PART];    /* there is ground */
} view_part;

/* Where the answers of a tile go. */
typedef struct view_out {
    uint8_t *view;
    size_t first_number; /* of the cell that view begins with */
    size_t width, first_column, total;
    sl_triangle_ref occluder[TILE]; /* the last one in each column */
} view_out;

static void view_take(void *context, const size_t *numbers, const uint8_t *occluded,
                      const sl_triangle_ref *occluders, size_t count)
{
    view_out *out = context;
    for (size_t i = 0; i < count; i++) {
        out->view[numbers[i] - out->first_number] =
            occluded[i] != 0 ? SL_VIEW_UNSEEN : SL_VIEW_SEEN;
        out->total += occluded[i] == 0;
        if (occluded[i] != 0) {
            out->occluder[numbers[i] % out->width - out->first_column] = occluders[i];
        }
    }
}

static void view_list_cells(const sl_sight_grid *grid, size_t x0, size_t x1, size_t y0, size_t y1,
                            view_part *part)
{
    part->count = 0;
    for (size_t y = y0; y < y1; y++) {
        for (size_t x = x0; x < x1; x++) {
            double *at = part->at[part->count];
            for (int axis = 0; axis < 3; axis++) {
                at[axis] = (grid->origin[axis] + (double)x * grid->step_x[axis]) +
                           (double)y * grid->step_y[axis];
            }
            part->number[part->count++] = y * grid->width + x;
        }
    }
}

/* Asks for the ground, in floats or in doubles: the t of each cell, negative where there is none.
 * */
static SLI_NOINLINE void ground_in_floats(const sli_ray_query *model, const double down[3],
                                          view_part *part, double *t)
{
    sl_segment segments[PART];
    sl_hit hits[PART];
    sli_ray_query query = *model;
    for (size_t i = 0; i < part->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            segments[i].p[axis] = (float)part->at[i][axis];
            segments[i].q[axis] = (float)(part->at[i][axis] + down[axis]);
        }
    }
    query.items.segments = segments;
    query.hits.floats = hits;
    sli_world_query(&query, part->count, NULL);
    for (size_t i = 0; i < part->count; i++) {
        t[i] = hits[i].prim != SL_NONE ? (double)hits[i].t : -1;
    }
}

static SLI_NOINLINE void ground_in_doubles(const sli_ray_query *model, const double down[3],
                                           view_part *part, sli_sight_filter *filter, double *t)
{
    for (size_t begin = 0; begin < part->count; begin += FEW) {
        sl_segment_d segments[FEW];
        sl_hit_d hits[FEW];
        sli_ray_query query = *model;
        const size_t count = part->count - begin < FEW ? part->count - begin : FEW;
        for (size_t i = 0; i < count; i++) {
            for (int axis = 0; axis < 3; axis++) {
                segments[i].p[axis] = part->at[begin + i][axis];
                segments[i].q[axis] = part->at[begin + i][axis] + down[axis];
            }
        }
        filter->number = part->number + begin;
        query.items.segments_d = segments;
        query.hits.doubles = hits;
        sli_world_query(&query, count, NULL);
        for (size_t i = 0; i < count; i++) {
            t[begin + i] = hits[i].prim != SL_NONE ? hits[i].t : -1;
        }
    }
}

/* Takes the cells down to the ground, and up to what is looked at. */
static SLI_NOINLINE void view_find_ground(const view_job *job, view_part *part)
{
    const sl_sight_grid *grid = job->grid;
    sli_sight_filter filter = { .options = NULL };
    sl_options options =
        sli_sight_query(job->sight != NULL ? job->sight->options : NULL, part->number, &filter);
    options.flags &= ~(uint32_t)(SL_OPEN_START | SL_OPEN_END);
    options.ignore = &job->eye->own;
    options.ignore_count = 1;
    const sli_ray_query query = { .bvh = job->bvh, .options = &options, .kind = SLI_QUERY_CLOSEST };
    double t[PART];
    if (sli_sight_in_doubles(job->sight)) {
        ground_in_doubles(&query, grid->down, part, &filter, t);
    } else {
        ground_in_floats(&query, grid->down, part, t);
    }
    for (size_t i = 0; i < part->count; i++) {
        part->there[i] = t[i] >= 0;
        for (int axis = 0; axis < 3; axis++) {
            part->at[i][axis] = (part->at[i][axis] + t[i] * grid->down[axis]) + grid->rise[axis];
        }
    }
}

static SLI_NOINLINE void view_look(const view_job *job, const view_part *part, view_out *out)
{
    const sl_sight_end target = { .id = 0 };
    sl_sight sight = { .flags = 0 };
    if (job->sight != NULL) {
        sight = *job->sight;
        sight.memory = NULL;
    }
    sli_lines lines;
    sli_lines_small_scratch scratch;
    sli_lines_begin(&lines, scratch.bytes, sizeof scratch.bytes, job->bvh, &sight, true, view_take,
                    out);
    for (size_t i = 0; i < part->count; i++) {
        const size_t number = part->number[i];
        if (job->on_ground && !part->there[i]) {
            job->view[number - out->first_number] = SL_VIEW_NO_GROUND;
            continue;
        }
        sli_lines_add(&lines, job->eye, &target, part->at[i], number,
                      &out->occluder[number % out->width - out->first_column]);
    }
    sli_lines_end(&lines);
}

static void view_tile(const void *context, size_t tile)
{
    const view_job *job = context;
    const size_t width = job->grid->width;
    const size_t x0 = tile % job->tiles_across * TILE;
    const size_t y0 = job->first_row + tile / job->tiles_across * TILE;
    const size_t x1 = width - x0 < TILE ? width : x0 + TILE;
    const size_t y1 = job->end_row - y0 < TILE ? job->end_row : y0 + TILE;
    view_out out = { .view = job->view,
                     .first_number = job->first_row * width,
                     .width = width,
                     .first_column = x0 };
    for (int i = 0; i < TILE; i++) {
        out.occluder[i] = (sl_triangle_ref){ .prim = SL_NONE };
    }
    for (size_t y = y0; y < y1; y += PART_ROWS) {
        view_part part;
        view_list_cells(job->grid, x0, x1, y, y1 - y < PART_ROWS ? y1 : y + PART_ROWS, &part);
        if (job->on_ground) {
            view_find_ground(job, &part);
        }
        view_look(job, &part, &out);
    }
    (void)sli_atomic_fetch_add_size(job->total, out.total);
}

/* To compare is to hold the environment: one that flushes takes a tiny step for none. */
static SLI_NOINLINE bool is_on_ground(const sl_sight_grid *grid)
{
    return grid->down[0] != 0 || grid->down[1] != 0 || grid->down[2] != 0;
}

size_t sl_sight_viewshed(const sl_bvh *bvh, const sl_sight_end *eye, const sl_sight_grid *grid,
                         size_t first, size_t count, const sl_sight *sight, uint8_t *view,
                         const sl_tasks *tasks)
{
    size_t total = 0;
    if (first >= grid->height) {
        return 0;
    }
    const bool on_ground = SLI_IN_FPENV(is_on_ground(grid));
    const size_t rows = count < grid->height - first ? count : grid->height - first;
    const size_t across = ((size_t)grid->width + TILE - 1) / TILE;
    const size_t along = rows / TILE + (rows % TILE != 0);
    const view_job job = {
        .bvh = bvh,
        .eye = eye,
        .grid = grid,
        .sight = sight,
        .view = view,
        .first_row = first,
        .end_row = first + rows,
        .on_ground = on_ground,
        .tiles_across = across,
        .total = &total,
    };
    sli_sight_run(NULL, across * along, view_tile, &job, tasks);
    return total;
}
