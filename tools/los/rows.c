/* los/rows.c: rows of cells, or counts of them, to a file or to a part of one. */
#include "tools/los/rows.h"

#include "tools/cli/report.h"
#include "tools/los/cells.h"
#include "tools/output/output.h"
#include "tools/parts/part.h"

#include <stdlib.h>

enum { CELLS_TOGETHER = 1 << 20 };

/* Answers on their way out. */
typedef struct rows_out {
    cells_out cells;
    output counts; /* of --summary */
    part_out part; /* of --part and --resume; else zeroed */
    bool in_parts;
    uint64_t seen, no_ground; /* so far, of the rows of this part */
} rows_out;

size_t sight_rows_step(uint64_t count, uint64_t width)
{
    const uint64_t rows = width > 0 ? CELLS_TOGETHER / width : CELLS_TOGETHER;
    return (size_t)(rows < 1 ? 1 : rows < count ? rows : count);
}

static int open_out(const sight_rows *rows, rows_out *out)
{
    const sight_job *job = rows->job;
    if (job->summary) {
        const output_format format = job->json ? OUTPUT_JSON : job->csv ? OUTPUT_CSV : OUTPUT_TEXT;
        return out->in_parts ? output_open_part(&out->counts, &out->part, format, "los")
                             : output_open(&out->counts, job->out, format, "los", false);
    }
    return out->in_parts
               ? cells_out_open_part(&out->cells, &out->part, job->out, rows->type, rows->width)
               : cells_out_open(&out->cells, job->out, rows->type, rows->width, rows->count);
}

/* Which rows are to be asked: all of them, or those of the part that are not answered yet. */
static int begin(const sight_rows *rows, rows_out *out, uint64_t *first, uint64_t *end)
{
    const sight_job *job = rows->job;
    part_out *part = &out->part;
    *first = 0;
    *end = rows->count;
    if (!out->in_parts) {
        return EXIT_DONE;
    }
    const part_question question = { .call = job->call,
                                     .options = job->parts,
                                     .out = job->out,
                                     .in = job->in,
                                     .total = rows->count,
                                     .hash = rows->hash,
                                     .quiet = job->quiet };
    const int status = part_out_start(part, &question);
    *first = part->first + part->done;
    *end = part->first + part->count;
    out->seen = part->sums[1];
    out->no_ground = part->sums[2];
    return status;
}

/* A block of rows.  False when writing has failed; closing says why. */
static bool put_rows(const sight_rows *rows, rows_out *out, const uint8_t *cells, size_t count)
{
    const size_t width = (size_t)rows->width;
    bool written = true;
    for (size_t i = 0; i < count * width; i++) {
        out->seen += cells[i] == 1;
        out->no_ground += cells[i] == 2;
    }
    for (size_t i = 0; i < count && written && !rows->job->summary; i++) {
        written = cells_out_row(&out->cells, cells + i * width);
    }
    if (!written || !out->in_parts) {
        return written;
    }
    /* Merging takes a run of one question of which nothing was found for the answer no. */
    const bool no = rows->may_be_no && width == 1 && out->seen == 0;
    out->part.sums[0] += no ? 0 : count;
    out->part.sums[1] = out->seen;
    out->part.sums[2] = out->no_ground;
    return part_out_block(&out->part, count);
}

static int ask_rows(const sight_rows *rows, rows_out *out, uint64_t first, uint64_t end)
{
    progress *bar = &rows->job->in->bar;
    bool written = true;
    uint8_t *cells = malloc(rows->step * (size_t)rows->width + 1);
    if (cells == NULL) {
        return report_memory();
    }
    progress_begin(bar, rows->job->quiet);
    const double asked = end > first ? (double)(end - first) : 1;
    for (uint64_t row = first; row < end && written; row += rows->step) {
        const size_t count = end - row < rows->step ? (size_t)(end - row) : rows->step;
        progress_show(bar, "looking", (double)(row - first) / asked);
        rows->ask(rows->context, row, count, cells);
        written = put_rows(rows, out, cells, count);
    }
    progress_end(bar);
    free(cells);
    return EXIT_DONE;
}

static void put_counts(const sight_rows *rows, rows_out *out)
{
    output *counts = &out->counts;
    if (counts->format == OUTPUT_CSV) {
        output_record_begin(counts, "count");
    }
    for (int i = 0; i < SIGHT_FIELDS; i++) {
        const sight_field *field = &rows->fields[i];
        const out_value values[] = {
            [SIGHT_ROWS] = value_count(rows->count),
            [SIGHT_COLUMNS] = value_count(rows->width),
            [SIGHT_CELLS] = value_count(rows->count * rows->width),
            [SIGHT_SEEN] = value_sum(out->seen),
            [SIGHT_NO_GROUND] = value_sum(out->no_ground),
        };
        output_field(counts, field->key, values[field->what]);
    }
    if (counts->format == OUTPUT_CSV) {
        output_record_end(counts);
    }
}

static int close_out(const sight_rows *rows, rows_out *out)
{
    int status;
    if (rows->job->summary) {
        put_counts(rows, out);
        status = output_close(&out->counts);
    } else {
        status = cells_out_close(&out->cells);
    }
    return status == EXIT_DONE && out->in_parts ? part_out_close(&out->part) : status;
}

int sight_rows_run(const sight_rows *rows)
{
    rows_out out = { .in_parts = parts_wanted(rows->job->parts) };
    uint64_t first, end;
    int status = open_out(rows, &out);
    if (status == EXIT_DONE) {
        status = begin(rows, &out, &first, &end);
    }
    if (status == EXIT_DONE && out.part.complete) {
        status = out.part.status;
    } else if (status == EXIT_DONE) {
        status = ask_rows(rows, &out, first, end);
        status = status == EXIT_DONE ? close_out(rows, &out) : status;
    }
    const bool no =
        rows->may_be_no && !out.in_parts && rows->count == 1 && rows->width == 1 && out.seen == 0;
    if (rows->job->summary) {
        output_discard(&out.counts);
    } else {
        cells_out_discard(&out.cells);
    }
    part_out_discard(&out.part);
    return status == EXIT_DONE && no ? EXIT_NO : status;
}
