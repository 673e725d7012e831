/* los/rows.c: rows of cells, or counts of them, to a file or to a part of one. */
#include "tools/los/rows.h"

#include "tools/cli/report.h"

#include <stdlib.h>

enum { CELLS_TOGETHER = 1 << 20 };

/* What the sums of a run are here.  Merging takes a run of one query of which nothing was found
 * for the answer no. */
enum { NOT_NO, SEEN, NO_GROUND };

size_t sight_rows_step(uint64_t count, uint64_t width)
{
    const uint64_t rows = width > 0 ? CELLS_TOGETHER / width : CELLS_TOGETHER;
    return (size_t)(rows < 1 ? 1 : rows < count ? rows : count);
}

static int open_out(const sight_rows *rows, cells_out *cells)
{
    ask_run *run = rows->run;
    const ask_options *o = run->options;
    if (o->summary) {
        const output_format format = o->common.json ? OUTPUT_JSON
                                     : o->csv       ? OUTPUT_CSV
                                                    : OUTPUT_TEXT;
        return run->in_parts ? output_open_part(&run->text, &run->part, format, "los")
                             : output_open(&run->text, o->out, format, "los", false);
    }
    return run->in_parts ? cells_out_open_part(cells, &run->part, o->out, rows->type, rows->width)
                         : cells_out_open(cells, o->out, rows->type, rows->width, rows->count);
}

/* A block of rows.  False when writing has failed; closing says why. */
static bool put_rows(const sight_rows *rows, cells_out *out, const uint8_t *cells, size_t count)
{
    ask_run *run = rows->run;
    const size_t width = (size_t)rows->width;
    bool written = true;
    for (size_t i = 0; i < count * width; i++) {
        run->sums[SEEN] += cells[i] == 1;
        run->sums[NO_GROUND] += cells[i] == 2;
    }
    for (size_t i = 0; i < count && written && !run->options->summary; i++) {
        written = cells_out_row(out, cells + i * width);
    }
    const bool no = rows->may_be_no && width == 1 && run->sums[SEEN] == 0;
    run->sums[NOT_NO] += no ? 0 : count;
    return written && ask_out_block(run, count);
}

static int ask_rows(const sight_rows *rows, cells_out *out)
{
    ask_run *run = rows->run;
    progress *bar = &run->world.in.bar;
    const uint64_t first = run->source.next, end = run->source.end;
    const double asked = end > first ? (double)(end - first) : 1;
    bool written = true;
    uint8_t *cells = malloc(rows->step * (size_t)rows->width + 1);
    if (cells == NULL) {
        return report_memory();
    }
    progress_begin(bar, run->options->common.quiet);
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

static void put_counts(const sight_rows *rows)
{
    ask_run *run = rows->run;
    output *counts = &run->text;
    if (counts->format == OUTPUT_CSV) {
        output_record_begin(counts, "count");
    }
    for (int i = 0; i < SIGHT_FIELDS; i++) {
        const sight_field *field = &rows->fields[i];
        const out_value values[] = {
            [SIGHT_ROWS] = value_count(rows->count),
            [SIGHT_COLUMNS] = value_count(rows->width),
            [SIGHT_CELLS] = value_count(rows->count * rows->width),
            [SIGHT_SEEN] = value_sum(run->sums[SEEN]),
            [SIGHT_NO_GROUND] = value_sum(run->sums[NO_GROUND]),
        };
        output_field(counts, field->key, values[field->what]);
    }
    if (counts->format == OUTPUT_CSV) {
        output_record_end(counts);
    }
}

static int close_out(const sight_rows *rows, cells_out *cells)
{
    ask_run *run = rows->run;
    int status;
    if (run->options->summary) {
        put_counts(rows);
        status = output_close(&run->text);
    } else {
        status = cells_out_close(cells);
    }
    return status == EXIT_DONE && run->in_parts ? part_out_close(&run->part) : status;
}

int sight_rows_run(const sight_rows *rows)
{
    ask_run *run = rows->run;
    cells_out cells = { .row = 0 };
    int status = open_out(rows, &cells);
    run->source.count = run->source.end = rows->count;
    status = status == EXIT_DONE ? ask_begin_part(run, rows->hash) : status;
    if (status == EXIT_DONE && run->part.complete) {
        status = run->part.status;
    } else if (status == EXIT_DONE) {
        status = ask_rows(rows, &cells);
        status = status == EXIT_DONE ? close_out(rows, &cells) : status;
    }
    cells_out_discard(&cells);
    return status;
}
