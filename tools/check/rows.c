/* check/rows.c: prints single faults as rows, in the order in which check finds them. */
#include "tools/check/check.h"

#include <math.h>

const char *const check_words[CHECK_KINDS + 1] = {
    [SL_FAULT_LEFT_OUT] = "left-out",
    [SL_FAULT_NOT_FINITE] = "not-finite",
    [SL_FAULT_UNUSED_VERTEX] = "unused-vertex",
    [SL_FAULT_DUPLICATE] = "duplicate",
    [SL_FAULT_ZERO_AREA] = "zero-area",
    [SL_FAULT_OPEN_EDGE] = "open-edge",
    [SL_FAULT_NONMANIFOLD_EDGE] = "nonmanifold-edge",
    [SL_FAULT_MISORIENTED_EDGE] = "misoriented-edge",
    [CHECK_INTERSECTION] = "intersection",
    [CHECK_NO_TRIANGLES] = "no-triangles",
    [CHECK_NOTE] = "note",
};

static const out_column columns[] = {
    { "fault", 17 }, { "prim", 9 }, { "face", 9 }, { "other", 9 }, { "vertex", 9 },
    { "to", 9 },     { "uses", 5 }, { "x", 12 },   { "y", 12 },    { "z", 12 },
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void begin_table(check_rows *rows)
{
    if (!rows->begun) {
        output_table_begin(rows->out, "faults", columns, COLUMNS);
        rows->begun = true;
    }
}

/* In text no heading stands over nothing. */
void check_rows_begin(check_rows *rows, output *out, const sl_mesh *mesh, uint64_t limit)
{
    *rows = (check_rows){ .out = out, .mesh = mesh, .limit = limit };
    if (out->format != OUTPUT_TEXT) {
        begin_table(rows);
    }
}

void check_rows_end(check_rows *rows)
{
    if (rows->begun) {
        output_table_end(rows->out);
    }
}

uint64_t check_rows_left(const check_rows *rows, int kind)
{
    return rows->limit - rows->written[kind];
}

bool check_place(const sl_mesh *mesh, const sl_fault *fault, double place[3])
{
    const float *xyz = sl_mesh_soup(mesh).xyz;
    sl_triangle triangle;
    if (fault->vertex[0] != SL_NONE) {
        for (size_t axis = 0; axis < 3; axis++) {
            place[axis] = ((double)xyz[3 * (size_t)fault->vertex[0] + axis] +
                           (double)xyz[3 * (size_t)fault->vertex[1] + axis]) /
                          2;
        }
    } else if (sl_mesh_triangle(mesh, fault->prim, &triangle)) {
        for (size_t axis = 0; axis < 3; axis++) {
            place[axis] = ((double)triangle.v[0][axis] + (double)triangle.v[1][axis] +
                           (double)triangle.v[2][axis]) /
                          3;
        }
    } else {
        return false;
    }
    return isfinite(place[0]) && isfinite(place[1]) && isfinite(place[2]);
}

void check_rows_put(check_rows *rows, int kind, const sl_fault *fault)
{
    if (check_rows_left(rows, kind) == 0) {
        return;
    }
    rows->written[kind]++;
    begin_table(rows);
    const bool is_vertex = fault->prim == SL_NONE;
    double place[3];
    const bool somewhere = check_place(rows->mesh, fault, place);
    const out_value values[COLUMNS] = {
        value_text(check_words[kind]),
        value_number(fault->prim),
        is_vertex ? value_nothing() : value_count(sl_mesh_face(rows->mesh, fault->prim)),
        value_number(fault->other),
        value_number(fault->vertex[0]),
        is_vertex ? value_nothing() : value_number(fault->vertex[1]),
        fault->uses > 0 ? value_count(fault->uses) : value_nothing(),
        somewhere ? value_rounded(place[0], 9) : value_nothing(),
        somewhere ? value_rounded(place[1], 9) : value_nothing(),
        somewhere ? value_rounded(place[2], 9) : value_nothing(),
    };
    output_row(rows->out, values);
}
