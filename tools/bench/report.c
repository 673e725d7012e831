/* bench/report.c: prints the rows of bench as text, CSV or JSON, and their geometric means. */
#include "tools/bench/report.h"

#include "tools/cli/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The last ones are for a peer: its best call, and our ratio to it; to its MEDIUM and HIGH trees, to
 * its calls with packing, to its robust trees. */
static const out_column text_columns[] = {
    { .name = "row", .width = 12 },   { .name = "count", .width = 8 },
    { .name = "hits", .width = 6 },   { .name = "unit", .width = 5 },
    { .name = "ours", .width = 7 },   { .name = "min", .width = 7 },
    { .name = "max", .width = 7 },    { .name = "over 1", .width = 6 },
    { .name = "peer", .width = 7 },   { .name = "ratio", .width = 6 },
    { .name = "min", .width = 6 },    { .name = "max", .width = 6 },
    { .name = "medium", .width = 6 }, { .name = "high", .width = 6 },
    { .name = "packed", .width = 6 }, { .name = "robust", .width = 6 },
    { .name = "agree", .width = 8 },  { .name = "best call", .width = 18 },
};
enum { TEXT_COLUMNS = sizeof text_columns / sizeof text_columns[0], TEXT_COLUMNS_ALONE = 8 };

static void print_all(output *out, const bench_row *row)
{
    out_value values[BENCH_COLUMNS];
    bench_row_values(row, values);
    output_row(out, values);
}

static out_value short_value(bool there, double value, int digits)
{
    return there && !isnan(value) ? value_rounded(value, digits) : value_nothing();
}

static out_value ratio_value(const bench_beside *beside)
{
    return short_value(beside->there, beside->ratio.median, 3);
}

static void print_text(output *out, const bench_row *row)
{
    const bool peer = row->peer.there;
    const out_value values[TEXT_COLUMNS] = {
        value_text(row->row),
        value_count(row->count),
        short_value(true, row->hits, 3),
        value_text(row->unit),
        short_value(true, row->ours.median, 3),
        short_value(true, row->ours.min, 3),
        short_value(true, row->ours.max, 3),
        short_value(row->has_single, row->over_single.median, 3),
        short_value(peer, row->peer.value.median, 3),
        ratio_value(&row->peer),
        short_value(peer, row->peer.ratio.min, 3),
        short_value(peer, row->peer.ratio.max, 3),
        ratio_value(&row->medium),
        ratio_value(&row->high),
        ratio_value(&row->packed),
        ratio_value(&row->robust),
        short_value(peer, row->agree, 6),
        peer ? value_text(row->peer.call) : value_nothing(),
    };
    output_row(out, values);
}

static bool is_same_scene(const bench_row *a, const bench_row *b)
{
    return strcmp(a->scene, b->scene) == 0 && strcmp(a->quality, b->quality) == 0 &&
           strcmp(a->kernel, b->kernel) == 0 && a->triangles == b->triangles;
}

static void print_scene(bench_report *report, const bench_row *row)
{
    char title[160];
    snprintf(title, sizeof title, "%s%s: %" PRIu64 " triangles, quality %s, %s kernels",
             report->count > 0 ? "\n" : "", row->scene, row->triangles, row->quality, row->kernel);
    output_line(&report->out, title);
    output_table_begin(&report->out, "", text_columns,
                       report->has_peer ? TEXT_COLUMNS : TEXT_COLUMNS_ALONE);
}

int bench_report_open(bench_report *report, const char *path, output_format format, bool color,
                      bool has_peer)
{
    *report = (bench_report){ .has_peer = has_peer };
    const int status = output_open(&report->out, path, format, "bench", color);
    if (status == EXIT_DONE && format != OUTPUT_TEXT) {
        output_table_begin(&report->out, "rows", bench_columns, BENCH_COLUMNS);
    }
    return status;
}

int bench_report_add(bench_report *report, const bench_row *row)
{
    if (report->count == report->capacity) {
        const size_t capacity = report->capacity == 0 ? 64 : 2 * report->capacity;
        bench_row *rows = realloc(report->rows, capacity * sizeof *rows);
        if (rows == NULL) {
            return report_memory();
        }
        report->rows = rows;
        report->capacity = capacity;
    }
    output *out = &report->out;
    if (out->format != OUTPUT_TEXT) {
        print_all(out, row);
    } else {
        if (report->count == 0 || !is_same_scene(row, &report->rows[report->count - 1])) {
            print_scene(report, row);
        }
        print_text(out, row);
        fflush(out->file.stream);
    }
    report->rows[report->count++] = *row;
    return EXIT_DONE;
}

static const out_column mean_columns[] = {
    { .name = "row", .width = 12 },   { .name = "quality", .width = 8 },
    { .name = "scenes", .width = 6 }, { .name = "ratio", .width = 6 },
    { .name = "worst", .width = 6 },  { .name = "best", .width = 6 },
    { .name = "robust", .width = 6 },
};
enum { MEAN_COLUMNS = sizeof mean_columns / sizeof mean_columns[0] };

static bool is_alike(const bench_row *a, const bench_row *b)
{
    return strcmp(a->row, b->row) == 0 && strcmp(a->quality, b->quality) == 0;
}

/* The geometric mean over all scenes of the ratio in rows like the first. */
static void print_mean(bench_report *report, size_t first)
{
    size_t scenes = 0, robust_scenes = 0;
    double sum = 0, robust = 0, worst = INFINITY, best = 0;
    for (size_t i = first; i < report->count; i++) {
        const bench_row *row = &report->rows[i];
        if (!row->peer.there || !is_alike(row, &report->rows[first])) {
            continue;
        }
        scenes++;
        sum += log(row->peer.ratio.median);
        worst = fmin(worst, row->peer.ratio.median);
        best = fmax(best, row->peer.ratio.median);
        if (row->robust.there) {
            robust_scenes++;
            robust += log(row->robust.ratio.median);
        }
    }
    const out_value values[MEAN_COLUMNS] = {
        value_text(report->rows[first].row),
        value_text(report->rows[first].quality),
        value_count(scenes),
        value_rounded(exp(sum / (double)scenes), 3),
        value_rounded(worst, 3),
        value_rounded(best, 3),
        robust_scenes > 0 ? value_rounded(exp(robust / (double)robust_scenes), 3) : value_nothing(),
    };
    output_row(&report->out, values);
}

static bool is_first_of_its_kind(const bench_report *report, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (report->rows[i].peer.there && is_alike(&report->rows[i], &report->rows[index])) {
            return false;
        }
    }
    return report->rows[index].peer.there;
}

int bench_report_close(bench_report *report)
{
    output *out = &report->out;
    if (out->format != OUTPUT_TEXT) {
        output_table_end(out);
    }
    if (report->has_peer && out->format != OUTPUT_CSV) {
        output_line(out, "\ngeometric means of the ratios over all scenes");
        output_table_begin(out, "means", mean_columns, MEAN_COLUMNS);
        for (size_t i = 0; i < report->count; i++) {
            if (is_first_of_its_kind(report, i)) {
                print_mean(report, i);
            }
        }
        output_table_end(out);
    }
    free(report->rows);
    report->rows = NULL;
    return output_close(out);
}

void bench_report_discard(bench_report *report)
{
    free(report->rows);
    output_discard(&report->out);
    *report = (bench_report){ 0 };
}
