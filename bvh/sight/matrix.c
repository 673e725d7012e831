/* Lines of sight from all eyes to all targets, as rows of bits; with cones in front of them, the
 * sensors.  Work is cut into tiles of about a thousand lines: several rows, or part of one. */
#include "bvh/sight/cone.h"
#include "bvh/sight/lines.h"
#include "bvh/sight/mirror.h"

#include <math.h>
#include <string.h>

enum { TILE = 3 * SLI_LINES };
_Static_assert(TILE % 64 == 0, "whole words of bits: workers share none");

typedef struct matrix_job {
    const sl_bvh *bvh;
    sl_sight_ends ends; /* targets are never NULL */
    const sl_sight_cone *cones;
    const sl_sight *sight;
    uint64_t *seen;
    size_t row_words;
    bool half; /* only what is on the diagonal or right of it */
    size_t tile_rows, tile_columns, tiles_across;
} matrix_job;

static void matrix_take(void *context, const size_t *numbers, const uint8_t *occluded,
                        const sl_triangle_ref *occluders, size_t count)
{
    const matrix_job *job = *(const matrix_job **)context;
    (void)occluders;
    for (size_t i = 0; i < count; i++) {
        const size_t row = numbers[i] / job->ends.target_count;
        const size_t column = numbers[i] % job->ends.target_count;
        job->seen[row * job->row_words + column / 64] |= (uint64_t)(occluded[i] == 0)
                                                         << column % 64;
    }
}

static void matrix_point(const sl_sight_end *end, bool doubles, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sli_sight_number(end->at[axis], doubles);
    }
}

/* Adds the lines of one row. */
static void matrix_add_row(const matrix_job *job, sli_lines *lines, size_t row, size_t begin,
                           size_t end)
{
    const sl_sight_end *eye = &job->ends.eyes[row];
    double at[3];
    sli_cone cone;
    if (job->cones != NULL) {
        matrix_point(eye, lines->doubles, at);
        cone = sli_cone_make(at, &job->cones[row]);
    }
    for (size_t column = job->half && begin < row ? row : begin; column < end; column++) {
        const sl_sight_end *target = &job->ends.targets[column];
        if (job->cones != NULL) {
            matrix_point(target, lines->doubles, at);
            if (!sli_cone_has(&cone, at)) {
                continue;
            }
        }
        sli_lines_add(lines, eye, target, target->at, row * job->ends.target_count + column, NULL);
    }
}

static void matrix_tile(const void *context, size_t at)
{
    const matrix_job *job = context;
    const size_t first = at / job->tiles_across * job->tile_rows;
    const size_t begin = at % job->tiles_across * job->tile_columns;
    const size_t rows =
        job->ends.eye_count - first < job->tile_rows ? job->ends.eye_count - first : job->tile_rows;
    const size_t left = job->ends.target_count - begin;
    const size_t columns = left < job->tile_columns ? left : job->tile_columns;
    sli_lines lines;
    sli_lines_scratch scratch;
    sli_lines_begin(&lines, scratch.bytes, sizeof scratch.bytes, job->bvh, job->sight, false,
                    matrix_take, &job);
    lines.only_seen = true;
    if (job->ends.targets == job->ends.eyes) {
        sli_lines_of_one_list(&lines);
    }
    for (size_t row = first; row < first + rows; row++) {
        memset(job->seen + row * job->row_words + begin / 64, 0,
               (columns + 63) / 64 * sizeof *job->seen);
        matrix_add_row(job, &lines, row, begin, begin + columns);
    }
    sli_lines_end(&lines);
}

static size_t matrix_run(matrix_job *job, const sl_tasks *tasks)
{
    size_t total = 0;
    const size_t eyes = job->ends.eye_count, targets = job->ends.target_count;
    if (eyes == 0 || targets == 0) {
        return 0;
    }
    if (job->row_words == 0) {
        job->row_words = (targets + 63) / 64;
    }
    job->tile_columns = targets < TILE ? targets : TILE;
    job->tile_rows = targets < TILE ? TILE / targets : 1;
    job->tiles_across = (targets + TILE - 1) / TILE;
    sli_sight_run(job->sight, (eyes + job->tile_rows - 1) / job->tile_rows * job->tiles_across,
                  matrix_tile, job, tasks);
    if (job->half) {
        sli_mirror_bits(job->seen, eyes, job->row_words, tasks);
    }
    for (size_t row = 0; row < eyes; row++) {
        total += sli_sight_count_bits(job->seen + row * job->row_words, (targets + 63) / 64);
    }
    return total;
}

size_t sl_sight_sensors(const sl_bvh *bvh, const sl_sight_ends *ends, const sl_sight_cone *cones,
                        const sl_sight *sight, uint64_t *seen, size_t row_words,
                        const sl_tasks *tasks)
{
    matrix_job job = { .bvh = bvh,
                       .ends = sli_sight_both(ends),
                       .cones = cones,
                       .sight = sight,
                       .seen = seen,
                       .row_words = row_words,
                       .half = cones == NULL && ends->targets == NULL };
    return matrix_run(&job, tasks);
}

size_t sl_sight_matrix(const sl_bvh *bvh, const sl_sight_ends *ends, const sl_sight *sight,
                       uint64_t *seen, size_t row_words, const sl_tasks *tasks)
{
    return sl_sight_sensors(bvh, ends, NULL, sight, seen, row_words, tasks);
}
