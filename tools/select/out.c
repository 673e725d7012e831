/* select/out.c: what is selected, as a list or as counts. */
#include "tools/cli/report.h"
#include "tools/output/npy.h"
#include "tools/select/select.h"

enum { CELLS = 3 };

/* One of what a unit has. */
static const char *const names_of_one[] = {
    "instance", "part", "face", "triangle", "edge", "vertex"
};

typedef struct list_out {
    const select_run *run;
    output text;
    npy_out array;
    bool is_npy;
    out_column columns[CELLS];
    size_t column_count;
} list_out;

/* instance, the element's number unless it is the instance, and in a scene with names the name. */
static void begin_table(list_out *out)
{
    const select_run *run = out->run;
    size_t count = 0;
    out->columns[count++] = (out_column){ "instance", 0 };
    if (select_unit(run->options) != SL_SELECT_INSTANCES) {
        out->columns[count++] = (out_column){ names_of_one[run->options->of], 0 };
    }
    if (run->in.scene != NULL && run->in.scene->has_names) {
        out->columns[count++] = (out_column){ "name", 0 };
    }
    out->column_count = count;
    output_table_begin(&out->text, "selection", out->columns, count);
}

static void put_selected(void *context, sl_selected selected)
{
    list_out *out = context;
    const select_run *run = out->run;
    if (out->is_npy) {
        npy_out_write(&out->array, &selected, 1);
        return;
    }
    out_value values[CELLS];
    size_t used = 0;
    values[used++] = value_count(selected.instance);
    if (select_unit(run->options) != SL_SELECT_INSTANCES) {
        values[used++] = value_count(selected.element);
    }
    if (used < out->column_count) {
        values[used++] = value_text(scene_in_name(run->in.scene, selected.instance));
    }
    output_row(&out->text, values);
}

static void put_counts(const select_run *run, output *text)
{
    uint64_t elements = 0;
    for (size_t i = 0; i < run->instance_count; i++) {
        elements += sl_selection_of(run->selection, (uint32_t)i).bit_count;
    }
    output_field(text, "mode", value_text(select_modes[run->options->mode]));
    output_field(text, "of", value_text(select_units[run->options->of]));
    output_field(text, "selected", value_count(run->selected));
    output_field(text, "there_are", value_count(elements));
    if (run->options->budget > 0) {
        output_field(text, "pending", value_count(run->pending));
    }
}

static int print_text(list_out *out, output_format format)
{
    const select_run *run = out->run;
    const int status = output_open(&out->text, run->options->out, format, "select",
                                   common_use_color(&run->options->common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    if (format != OUTPUT_CSV) {
        put_counts(run, &out->text);
    }
    if (!run->options->count) {
        begin_table(out);
        select_each(run, put_selected, out);
        output_table_end(&out->text);
    }
    return output_close(&out->text);
}

int select_print(const select_run *run)
{
    const select_options *o = run->options;
    list_out out = { .run = run, .is_npy = npy_is_name(o->out) };
    if (out.is_npy) {
        const int status = npy_out_open(&out.array, o->out, NPY_OUT_SELECTED, 0, run->selected);
        if (status != EXIT_DONE) {
            return status;
        }
        select_each(run, put_selected, &out);
        return npy_out_close(&out.array);
    }
    return print_text(&out, o->common.json ? OUTPUT_JSON : o->count ? OUTPUT_TEXT : OUTPUT_CSV);
}
