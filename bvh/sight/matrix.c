/* Lines of sight from all eyes to all targets, as rows of bits; with cones in front of them, the
 * sensors.  Work is cut into tiles of about a thousand lines: several rows, or part of one. */
#include "bvh/query/query.h"
#include "bvh/sight/cone.h"
#include "bvh/sight/lines.h"
#include "bvh/sight/mirror.h"

#include <math.h>
#include <string.h>

enum { TILE = 3 * SLI_LINES };
_Static_assert(TILE % 64 == 0, "whole words of bits: workers share none");

typedef struct matrix_job {
    const sl_scene *scene;
    sl_sight_ends ends; /* targets are never NULL */
    const sl_sight_cone *cones;
    const sl_sight *sight;
    uint64_t *seen;
    size_t row_words;
    bool half; /* only what is on the diagonal or right of it */
    size_t tile_rows, tile_columns, tiles_across;
    size_t *on_diagonal, *elsewhere; /* bits that are set */
} matrix_job;

/* A tile, and where its answers go. */
typedef struct matrix_tile {
    const matrix_job *job;
    size_t on_diagonal, elsewhere;
} matrix_tile;

static void take(void *context, const size_t *numbers, const uint8_t *blocked,
                 const sl_triangle_ref *blockers, size_t count)
{
    matrix_tile *tile = context;
    const matrix_job *job = tile->job;
    (void)blockers;
    for (size_t i = 0; i < count; i++) {
        const size_t row = numbers[i] / job->ends.target_count;
        const size_t column = numbers[i] % job->ends.target_count;
        const uint64_t is_seen = blocked[i] == 0;
        job->seen[row * job->row_words + column / 64] |= is_seen << column % 64;
        if (row == column) {
            tile->on_diagonal += is_seen;
        } else {
            tile->elsewhere += is_seen;
        }
    }
}

/* Adds the lines of one row. */
static void add_row(const matrix_job *job, sli_lines *lines, size_t row, size_t begin, size_t end)
{
    const sl_sight_end *eye = &job->ends.eyes[row];
    const bool doubles = lines->doubles;
    sli_cone cone;
    if (job->cones != NULL) {
        double at[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = sli_sight_number(eye->at[axis], doubles);
        }
        cone = sli_cone_make(at, &job->cones[row]);
    }
    for (size_t column = job->half && begin < row ? row : begin; column < end; column++) {
        const sl_sight_end *target = &job->ends.targets[column];
        if (job->cones != NULL) {
            double at[3];
            for (int axis = 0; axis < 3; axis++) {
                at[axis] = sli_sight_number(target->at[axis], doubles);
            }
            if (!sli_cone_has(&cone, at)) {
                continue;
            }
        }
        sli_lines_add(lines, eye, target, target->at, row * job->ends.target_count + column, NULL);
    }
}

static void run_tile(const matrix_job *job, size_t at)
{
    const size_t first = at / job->tiles_across * job->tile_rows;
    const size_t begin = at % job->tiles_across * job->tile_columns;
    const size_t rows =
        job->ends.eye_count - first < job->tile_rows ? job->ends.eye_count - first : job->tile_rows;
    const size_t left = job->ends.target_count - begin;
    const size_t columns = left < job->tile_columns ? left : job->tile_columns;
    matrix_tile tile = { .job = job };
    sli_lines lines;
    sli_lines_room room;
    sli_lines_begin(&lines, room.bytes, sizeof room.bytes, job->scene, job->sight, false, take,
                    &tile);
    lines.only_seen = true;
    if (job->ends.targets == job->ends.eyes) {
        sli_lines_of_one_list(&lines);
    }
    for (size_t row = first; row < first + rows; row++) {
        memset(job->seen + row * job->row_words + begin / 64, 0,
               (columns + 63) / 64 * sizeof *job->seen);
    }
    for (size_t row = first; row < first + rows; row++) {
        add_row(job, &lines, row, begin, begin + columns);
    }
    sli_lines_end(&lines);
    (void)sli_atomic_fetch_add_size(job->on_diagonal, tile.on_diagonal);
    (void)sli_atomic_fetch_add_size(job->elsewhere, tile.elsewhere);
}

static void run_tiles(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    (void)stats;
    for (size_t at = begin; at < end; at++) {
        run_tile(context, at);
    }
}

static size_t run(matrix_job *job, const sl_tasks *tasks)
{
    size_t on_diagonal = 0, elsewhere = 0;
    const size_t eyes = job->ends.eye_count, targets = job->ends.target_count;
    if (eyes == 0 || targets == 0) {
        return 0;
    }
    if (job->row_words == 0) {
        job->row_words = (targets + 63) / 64;
    }
    job->on_diagonal = &on_diagonal;
    job->elsewhere = &elsewhere;
    job->tile_columns = targets < TILE ? targets : TILE;
    job->tile_rows = targets < TILE ? TILE / targets : 1;
    job->tiles_across = (targets + TILE - 1) / TILE;
    sli_sight_begin(job->sight);
    sli_run_blocks_of(1, (eyes + job->tile_rows - 1) / job->tile_rows * job->tiles_across,
                      run_tiles, job, NULL, tasks);
    if (job->half) {
        sli_mirror_bits(job->seen, eyes, job->row_words, tasks);
        elsewhere *= 2;
    }
    return on_diagonal + elsewhere;
}

size_t sl_sight_matrix(const sl_scene *scene, const sl_sight_ends *ends, const sl_sight *sight,
                       uint64_t *seen, size_t row_words, const sl_tasks *tasks)
{
    matrix_job job = { .scene = scene,
                       .ends = sli_sight_both(ends),
                       .sight = sight,
                       .seen = seen,
                       .row_words = row_words,
                       .half = ends->targets == NULL };
    return run(&job, tasks);
}

size_t sl_sight_sensors(const sl_scene *scene, const sl_sight_ends *ends,
                        const sl_sight_cone *cones, const sl_sight *sight, uint64_t *seen,
                        size_t row_words, const sl_tasks *tasks)
{
    matrix_job job = { .scene = scene,
                       .ends = sli_sight_both(ends),
                       .cones = cones,
                       .sight = sight,
                       .seen = seen,
                       .row_words = row_words };
    return run(&job, tasks);
}
