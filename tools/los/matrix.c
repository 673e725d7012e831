/* los/matrix.c: 'los --matrix': which points of one file see which of another. */
#include "tools/cli/report.h"
#include "tools/los/rows.h"
#include "tools/output/checksum.h"

#include <sightline/visibility.h>

#include <stdlib.h>
#include <string.h>

typedef struct end_list {
    sl_sight_end *ends; /* from malloc */
    size_t count, capacity;
} end_list;

static int read_ends(const char *path, end_list *to)
{
    enum { BLOCK = 1024 };
    double points[3 * BLOCK];
    rays_in in;
    size_t count = 0;
    int status = rays_in_open(&in, path, RAYS_IN_POINTS, 0);
    in.doubles = true;
    while (status == EXIT_DONE) {
        status = rays_in_fill(&in, points, BLOCK, &count);
        if (status != EXIT_DONE || count == 0) {
            break;
        }
        while (status == EXIT_DONE && to->count + count > to->capacity) {
            sl_sight_end *more =
                scene_in_grow(to->ends, to->capacity, &to->capacity, sizeof *to->ends);
            status = more != NULL ? EXIT_DONE : EXIT_FAILED;
            to->ends = more != NULL ? more : to->ends;
        }
        for (size_t i = 0; status == EXIT_DONE && i < count; i++) {
            sl_sight_end *end = &to->ends[to->count];
            *end = (sl_sight_end){ .id = (uint32_t)to->count };
            memcpy(end->at, points + 3 * i, sizeof end->at);
            to->count++;
        }
    }
    rays_in_close(&in);
    return status;
}

/* A hash of the points, whatever file they came from; never 0. */
static uint64_t hash_ends(const end_list *eyes, const end_list *targets)
{
    const end_list *const lists[] = { eyes, targets };
    checksum sum = checksum_begin(0);
    for (int k = 0; k < 2; k++) {
        checksum_add_count(&sum, lists[k]->count);
        for (size_t i = 0; i < lists[k]->count; i++) {
            checksum_add(&sum, lists[k]->ends[i].at, sizeof lists[k]->ends[i].at);
        }
    }
    const uint64_t hash = checksum_end(&sum);
    return hash != 0 ? hash : 1;
}

typedef struct matrix_work {
    ask_run *run;
    const sight_options *options;
    end_list eyes, others;
    const end_list *targets; /* one of these */
    bool mirrored;           /* all rows are asked at once, and half of the lines are traced */
    size_t words;            /* of a row of bits */
    uint64_t *bits;          /* of count rows, from row first on */
    uint64_t first;
    size_t count, step;
} matrix_work;

/* Where lines are the same both ways, half of them says all.  Bits are kept for all rows then, up
 * to 256 MiB. */
static bool is_mirrored(const matrix_work *w)
{
    const sl_options *options = &w->run->world.query;
    const bool open_start = (options->flags & SL_OPEN_START) != 0;
    const bool open_end = (options->flags & SL_OPEN_END) != 0;
    const size_t row = 8 * (w->words > 0 ? w->words : 1);
    return w->options->targets == NULL && !w->run->in_parts && options->cull == SL_CULL_NONE &&
           open_start == open_end && w->eyes.count <= ((size_t)1 << 28) / row;
}

/* The bits of the rows from first on. */
static void find_bits(matrix_work *w, uint64_t first, size_t count)
{
    const ask_world *world = &w->run->world;
    const sl_sight sight = { .flags = w->run->options->doubles ? SL_SIGHT_DOUBLES : 0,
                             .options = &world->query };
    w->first = w->mirrored ? 0 : first;
    w->count = w->mirrored ? w->eyes.count : count;
    const sl_sight_ends ends = { .eyes = w->eyes.ends + w->first,
                                 .eye_count = w->count,
                                 .targets = w->mirrored ? NULL : w->targets->ends,
                                 .target_count = w->targets->count };
    if (w->words > 0) { /* without targets there is no array, which would stand for the eyes */
        (void)sl_sight_matrix(world->in.bvh, &ends, &sight, w->bits, 0, world->tasks);
    }
}

static void matrix_ask(void *context, uint64_t first, size_t count, uint8_t *cells)
{
    matrix_work *w = context;
    const size_t width = w->targets->count;
    if (first < w->first || first + count > w->first + w->count) {
        find_bits(w, first, count);
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t *bits = w->bits + (size_t)(first + i - w->first) * w->words;
        for (size_t k = 0; k < width; k++) {
            cells[i * width + k] = bits[k / 64] >> k % 64 & 1;
        }
    }
}

static int ask_matrix(matrix_work *w)
{
    w->targets = w->options->targets != NULL ? &w->others : &w->eyes;
    w->words = (w->targets->count + 63) / 64;
    w->step = sight_rows_step(w->eyes.count, w->targets->count);
    w->mirrored = is_mirrored(w);
    const size_t rows = w->mirrored ? w->eyes.count : w->step;
    w->bits = malloc((rows * w->words + 1) * sizeof *w->bits);
    if (w->bits == NULL) {
        return report_memory();
    }
    const sight_rows asked = { .run = w->run,
                               .count = w->eyes.count,
                               .width = w->targets->count,
                               .step = w->step,
                               .type = NPY_OUT_B1,
                               .hash = hash_ends(&w->eyes, w->targets),
                               .fields = { { "eye_count", SIGHT_ROWS },
                                           { "target_count", SIGHT_COLUMNS },
                                           { "seen_count", SIGHT_SEEN } },
                               .ask = matrix_ask,
                               .context = w,
                               .may_be_no = true };
    return sight_rows_run(&asked);
}

int sight_matrix(ask_run *run)
{
    const sight_options *o = &((const los_options *)run->call->options)->sight;
    matrix_work w = { .run = run, .options = o };
    int status = read_ends(o->matrix, &w.eyes);
    status = status == EXIT_DONE && o->targets != NULL ? read_ends(o->targets, &w.others) : status;
    status = status == EXIT_DONE ? ask_matrix(&w) : status;
    free(w.eyes.ends);
    free(w.others.ends);
    free(w.bits);
    return status;
}
