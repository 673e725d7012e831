/* verify/driver.c: the outline of --verify, for cast, nearest, within, overlap and inside. */
#include "tools/verify/driver.h"

#include <assert.h>
#include <string.h>

static void put_row(const char *name, const out_value cells[VERIFY_CELLS_MAX], output *out)
{
    out_value values[1 + VERIFY_CELLS_MAX] = { value_text(name) };
    memcpy(values + 1, cells, VERIFY_CELLS_MAX * sizeof *cells);
    output_row(out, values);
    fflush(out->file.stream);
}

static int drive(const verify_driver *d, output *out)
{
    const bool every = d->kind == d->kind_count;
    const int first = every ? 0 : d->kind;
    const size_t count = every ? (size_t)d->kind_count : 1;
    const char *names[VERIFY_KINDS_MAX];
    time_by_size times[VERIFY_KINDS_MAX];
    assert(count <= VERIFY_KINDS_MAX && d->column_count <= 1 + VERIFY_CELLS_MAX);
    output_table_begin(out, "kinds", d->columns, d->column_count);
    for (size_t i = 0; i < count; i++) {
        verify_row row = { .name = "" };
        const int status = d->check(d->context, first + (int)i, &row);
        if (status != EXIT_DONE) {
            return status;
        }
        put_row(row.name, row.cells, out);
        names[i] = row.name;
        times[i] = row.times;
    }
    if (every) {
        out_value cells[VERIFY_CELLS_MAX] = { value_nothing() };
        d->sum(d->context, cells);
        put_row("all", cells, out);
    }
    output_table_end(out);
    if (d->note != NULL && out->format != OUTPUT_CSV) {
        d->note(d->context, out);
    }
    differences_put(out, d->found);
    if (d->times) {
        time_by_size_put(out, times, names, count);
    }
    return EXIT_DONE;
}

int verify_drive(const verify_driver *d, const char *path, const common_options *common, bool csv)
{
    const output_format format = common->json ? OUTPUT_JSON : csv ? OUTPUT_CSV : OUTPUT_TEXT;
    output out;
    int status = output_open(&out, path, format, d->command, common_use_color(common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    status = drive(d, &out);
    if (status == EXIT_DONE) {
        status = output_close(&out);
    }
    output_discard(&out);
    return status == EXIT_DONE && d->found->count > 0 ? EXIT_NO : status;
}
