/* pick/edit_print.c: what editors pick, printed. */
#include "tools/pick/pick.h"

#include <string.h>

/* One row, in the order of the columns below; the last two only of a scene. */
enum { FACE_AT = 5, POINT_AT = 13, NAMES_AT = 18, COLUMNS = NAMES_AT + PICK_NAMES };
static const out_column columns[COLUMNS] = {
    { "kind", 6 },     { "prim", 8 },      { "corner", 6 }, { "edge", 8 },     { "vertex", 8 },
    { "face", 8 },     { "pixels", 20 },   { "x", 20 },     { "y", 20 },       { "along", 20 },
    { "u", 12 },       { "v", 12 },        { "side", 5 },   { "point_x", 20 }, { "point_y", 20 },
    { "point_z", 20 }, { "distance", 20 }, { "hidden", 6 }, { "part", 12 },    { "material", 12 },
    { "node", 12 },    { "instance", 8 },  { "name", 12 },
};

static size_t own_count(const pick_run *run)
{
    return NAMES_AT + (run->in.scene != NULL ? PICK_NAMES : PICK_NAMES_OF_MESH);
}

static out_value number_or_nothing(uint32_t number)
{
    return number != SL_NONE ? value_count(number) : value_nothing();
}

static const char *kind_name(uint32_t kind)
{
    return kind == SL_PICK_FACE   ? "face"
           : kind == SL_PICK_EDGE ? "edge"
           : kind == SL_PICK_MARK ? "mark"
                                  : "vertex";
}

static void fill_row(const pick_run *run, const sl_pick *pick, out_value row[COLUMNS])
{
    const bool is_face = pick->kind == SL_PICK_FACE, is_mark = pick->kind == SL_PICK_MARK;
    for (int i = 0; i < COLUMNS; i++) {
        row[i] = value_nothing();
    }
    row[0] = value_text(kind_name(pick->kind));
    row[1] = value_count(pick->prim);
    row[2] = is_face || is_mark ? value_nothing() : value_count(pick->corner);
    row[3] = number_or_nothing(pick->edge);
    row[4] = number_or_nothing(pick->vertex);
    row[6] = value_double(pick->pixels);
    row[7] = value_double(pick->xy[0]);
    row[8] = value_double(pick->xy[1]);
    if (is_mark || pick->kind == SL_PICK_EDGE) {
        row[9] = value_double(pick->along);
    }
    if (is_face) {
        row[12] = value_text((pick->flags & SL_HIT_BACK) != 0 ? "back" : "front");
    }
    for (int axis = 0; axis < 3; axis++) {
        row[POINT_AT + axis] = value_double(pick->point[axis]);
    }
    row[16] = value_double(pick->distance);
    row[17] = value_bool((pick->flags & SL_PICK_HIDDEN) != 0);
    if (!is_mark) {
        row[10] = value_float(pick->u);
        row[11] = value_float(pick->v);
        pick_names(run, pick->instance, pick->prim, &row[FACE_AT], &row[NAMES_AT]);
    }
}

static sl_hit hit_of(const sl_pick *pick)
{
    return (sl_hit){ .u = pick->u, .v = pick->v, .prim = pick->prim, .instance = pick->instance };
}

/* The same as fields, vectors together. */
static void print_pick(output *out, const pick_run *run)
{
    out_value row[COLUMNS];
    fill_row(run, &run->picks[0], row);
    for (size_t i = 0; i < own_count(run); i++) {
        if (i == 7) {
            output_fields(out, "place", &row[i], 2);
            i += 1;
        } else if (i == POINT_AT) {
            output_fields(out, "point", &row[i], 3);
            i += 2;
        } else {
            output_field(out, columns[i].name, row[i]);
        }
    }
    const sl_hit hit = hit_of(&run->picks[0]);
    if (run->picks[0].kind != SL_PICK_MARK) {
        pick_attribute_fields(run, &hit, out);
    }
}

static void print_table(output *out, const pick_run *run)
{
    out_column all[COLUMNS + PICK_ATTRIBUTES];
    const size_t own = own_count(run);
    memcpy(all, columns, sizeof columns);
    const size_t count = own + pick_attribute_columns(run, all + own);
    output_table_begin(out, "picks", all, count);
    for (size_t i = 0; i < run->pick_count; i++) {
        out_value row[COLUMNS + PICK_ATTRIBUTES];
        const sl_hit hit = hit_of(&run->picks[i]);
        fill_row(run, &run->picks[i], row);
        if (run->picks[i].kind == SL_PICK_MARK) {
            for (size_t k = own; k < count; k++) {
                row[k] = value_nothing();
            }
        } else {
            pick_attribute_values(run, &hit, row + own);
        }
        output_row(out, row);
    }
    output_table_end(out);
}

int pick_edit_print(const pick_run *run)
{
    output out;
    bool table;
    const int status = pick_print_begin(run, run->pick_count > 0, &out, &table);
    if (status != EXIT_DONE) {
        return status;
    }
    if (run->options->common.json || run->cut_short) {
        output_field(&out, "cut_short", value_bool(run->cut_short));
    }
    if (table) {
        print_table(&out, run);
    } else if (run->pick_count > 0) {
        print_pick(&out, run);
    }
    return output_close(&out);
}
