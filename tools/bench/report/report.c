/* bench/report/report.c: prints the rows of bench as text, CSV or JSON. */
#include "tools/bench/report/report.h"

#include "tools/cli/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The last ones are for a peer: its best call, and our ratio to it; to its MEDIUM and HIGH trees,
 * to its calls with packing, to its robust trees. */
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
             report->rows.count > 0 ? "\n" : "", row->scene, row->triangles, row->quality,
             row->kernel);
    output_line(&report->out, title);
    output_table_begin(&report->out, "", text_columns,
                       report->has_peer ? TEXT_COLUMNS : TEXT_COLUMNS_ALONE);
}

int bench_report_open(bench_report *report, const char *path, output_format format, bool color,
                      bool has_peer, bool summary)
{
    *report = (bench_report){ .has_peer = has_peer, .summary = summary };
    const int status = output_open(&report->out, path, format, "bench", color);
    if (status == EXIT_DONE && format != OUTPUT_TEXT && !summary) {
        output_table_begin(&report->out, "rows", bench_columns, BENCH_COLUMNS);
    }
    return status;
}

static void print_row(bench_report *report, const bench_row *row)
{
    output *out = &report->out;
    if (out->format != OUTPUT_TEXT) {
        print_all(out, row);
        return;
    }
    if (report->rows.count == 0 || !is_same_scene(row, &report->rows.all[report->rows.count - 1])) {
        print_scene(report, row);
    }
    print_text(out, row);
    fflush(out->file.stream);
}

int bench_report_add(bench_report *report, const bench_row *row)
{
    if (!report->summary) {
        print_row(report, row);
    }
    return bench_rows_add(&report->rows, row);
}

int bench_report_close(bench_report *report)
{
    output *out = &report->out;
    if (out->format != OUTPUT_TEXT && !report->summary) {
        output_table_end(out);
    }
    if (report->summary ||
        (out->format != OUTPUT_CSV && bench_summary_is_due(report->rows.all, report->rows.count))) {
        if (!report->summary) {
            output_line(out, "");
        }
        bench_summary_print(out, report->rows.all, report->rows.count);
    }
    free(report->rows.all);
    report->rows = (bench_rows){ NULL, 0, 0 };
    return output_close(out);
}

void bench_report_discard(bench_report *report)
{
    free(report->rows.all);
    output_discard(&report->out);
    *report = (bench_report){ 0 };
}
