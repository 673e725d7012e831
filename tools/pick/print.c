/* pick/print.c: what was found, however it was: a table, or the only one as fields. */
#include "tools/pick/pick.h"

#include <string.h>

enum { OWN_MAX = 18, COLUMNS_MAX = OWN_MAX + PICK_NAMES + PICK_ATTRIBUTES };

static const out_column names[PICK_NAMES] = {
    { "part", 12 }, { "material", 12 }, { "node", 12 }, { "instance", 8 }, { "name", 12 },
};

/* Fills columns, those of attributes last, whose number comes back. */
static size_t make_columns(const pick_run *run, const pick_form *form, out_column *columns,
                           size_t *count)
{
    const size_t named = run->in.scene != NULL ? PICK_NAMES : PICK_NAMES_OF_MESH;
    memcpy(columns, form->columns, form->names_at * sizeof *columns);
    memcpy(columns + form->names_at, names, named * sizeof *columns);
    *count = form->names_at + named;
    return pick_attribute_columns(run, columns + *count);
}

static sl_hit fill_row(const pick_run *run, const pick_form *form, size_t at, out_value *row)
{
    for (size_t i = 0; i < COLUMNS_MAX; i++) {
        row[i] = value_nothing();
    }
    return form->fill(run, at, row);
}

static void print_table(output *out, const pick_run *run, const pick_form *form, size_t found)
{
    out_column columns[COLUMNS_MAX];
    size_t own;
    const size_t attributes = make_columns(run, form, columns, &own);
    output_table_begin(out, form->key, columns, own + attributes);
    for (size_t i = 0; i < found; i++) {
        out_value row[COLUMNS_MAX];
        const sl_hit hit = fill_row(run, form, i, row);
        if (hit.prim != SL_NONE) {
            pick_attribute_values(run, &hit, row + own);
        }
        output_row(out, row);
    }
    output_table_end(out);
}

/* The first one, vectors together. */
static void print_fields(output *out, const pick_run *run, const pick_form *form)
{
    out_column columns[COLUMNS_MAX];
    out_value row[COLUMNS_MAX];
    size_t own;
    make_columns(run, form, columns, &own);
    const sl_hit hit = fill_row(run, form, 0, row);
    for (size_t i = 0, next = 0; i < own; i++) {
        const pick_vector *vector = next < PICK_VECTORS ? &form->vectors[next] : NULL;
        if (vector != NULL && vector->at == i) {
            output_fields(out, vector->name, &row[i], vector->count);
            i += vector->count - 1;
            next++;
        } else {
            output_field(out, columns[i].name, row[i]);
        }
    }
    if (hit.prim != SL_NONE) {
        pick_attribute_fields(run, &hit, out);
    }
}

int pick_print(const pick_run *run, const pick_form *form, size_t found)
{
    output out;
    const pick_options *options = run->options;
    const common_options *common = &options->common;
    const output_format format = common->json   ? OUTPUT_JSON
                                 : options->csv ? OUTPUT_CSV
                                                : OUTPUT_TEXT;
    const int status = output_open(&out, NULL, format, "pick", common_use_color(common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    const bool table = options->all || format == OUTPUT_CSV;
    const out_value at[2] = { value_float(run->x), value_float(run->y) };
    if (format == OUTPUT_JSON || !table) {
        output_fields(&out, "at", at, 2);
        output_field(&out, "hit", value_bool(found > 0));
    }
    if (form->says_cut_short && (common->json || run->cut_short)) {
        output_field(&out, "cut_short", value_bool(run->cut_short));
    }
    if (table) {
        print_table(&out, run, form, found);
    } else if (found > 0) {
        print_fields(&out, run, form);
    }
    return output_close(&out);
}
