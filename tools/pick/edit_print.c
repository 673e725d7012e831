/* pick/edit_print.c: what editors pick, printed. */
#include "tools/pick/pick.h"

static const out_column columns[] = {
    { "kind", 6 },     { "prim", 8 },      { "corner", 6 }, { "edge", 8 },     { "vertex", 8 },
    { "face", 8 },     { "pixels", 20 },   { "x", 20 },     { "y", 20 },       { "along", 20 },
    { "u", 12 },       { "v", 12 },        { "side", 5 },   { "point_x", 20 }, { "point_y", 20 },
    { "point_z", 20 }, { "distance", 20 }, { "hidden", 6 },
};
enum { FACE_AT = 5, POINT_AT = 13, NAMES_AT = sizeof columns / sizeof columns[0] };

static const char *kind_name(uint32_t kind)
{
    return kind == SL_PICK_FACE   ? "face"
           : kind == SL_PICK_EDGE ? "edge"
           : kind == SL_PICK_MARK ? "mark"
                                  : "vertex";
}

static sl_hit fill_row(const pick_run *run, size_t at, out_value *row)
{
    const sl_pick *pick = &run->picks[at];
    const bool is_face = pick->kind == SL_PICK_FACE, is_mark = pick->kind == SL_PICK_MARK;
    row[0] = value_text(kind_name(pick->kind));
    row[1] = value_count(pick->prim);
    row[2] = is_face || is_mark ? value_nothing() : value_count(pick->corner);
    row[3] = value_number(pick->edge);
    row[4] = value_number(pick->vertex);
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
    if (is_mark) {
        return (sl_hit){ .prim = SL_NONE };
    }
    row[10] = value_float(pick->u);
    row[11] = value_float(pick->v);
    pick_names(run, pick->instance, pick->prim, &row[FACE_AT], &row[NAMES_AT]);
    return (sl_hit){ .u = pick->u, .v = pick->v, .prim = pick->prim, .instance = pick->instance };
}

const pick_form pick_edit_form = { .key = "picks",
                                   .columns = columns,
                                   .names_at = NAMES_AT,
                                   .vectors = { { "place", 7, 2 }, { "point", POINT_AT, 3 } },
                                   .says_cut_short = true,
                                   .fill = fill_row };
