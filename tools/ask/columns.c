/* ask/columns.c: the columns of a table of answers, and the cells of each row. */
#include "tools/ask/ask.h"

static bool has_column(const ask_run *run, const ask_column *column)
{
    const scene_in *scene = run->world.in.scene;
    if (column->cell == ASK_CELL_NAME) {
        return scene != NULL && scene->has_names;
    }
    if (column->cell == ASK_CELL_PART) {
        return ask_world_has_parts(&run->world);
    }
    switch (column->when) {
    case ASK_OF_SCENES:
        return scene != NULL;
    case ASK_OF_LISTS:
        return run->plan.is_list;
    case ASK_OF_MANY:
        return run->plan.is_many;
    case ASK_ON_SURFACE:
        return run->options->surface;
    case ASK_ALWAYS:
        break;
    }
    return true;
}

void ask_columns_make(ask_run *run)
{
    run->column_count = 0;
    for (const ask_column *column = run->plan.columns; column->name != NULL; column++) {
        if (has_column(run, column)) {
            run->cells[run->column_count] = column->cell;
            run->columns[run->column_count++] = (out_column){ .name = column->name };
        }
    }
}

static out_value face_of(const ask_run *run, const ask_row *row)
{
    return mesh_in_face(mesh_in_mesh(&run->world.in, row->instance), row->prim);
}

static out_value part_of(const ask_run *run, const ask_row *row)
{
    const sl_mesh *mesh = mesh_in_mesh(&run->world.in, row->instance);
    return mesh != NULL ? mesh_in_part(mesh, row->prim) : value_nothing();
}

static out_value point_of(const ask_row *row, int axis)
{
    return !row->has_point ? value_nothing()
           : row->wide     ? value_double(row->point[axis])
                           : value_float((float)row->point[axis]);
}

/* Those of contacts are doubles. */
static out_value normal_of(const ask_run *run, const ask_row *row, int axis)
{
    return !row->has_point                   ? value_nothing()
           : run->block.type == ASK_CONTACTS ? value_double(row->normal[axis])
                                             : value_float((float)row->normal[axis]);
}

static const char *const start_words[] = { "apart", "closing", "receding", "overlapping" };

static out_value row_cell(const ask_run *run, ask_cell cell, const ask_row *row)
{
    switch (cell) {
    case ASK_CELL_T:
        return run->block.type == ASK_HITS_D || run->block.type == ASK_CONTACTS
                   ? value_double(row->t)
                   : value_float((float)row->t);
    case ASK_CELL_T_SAFE:
        return value_double(row->t_safe);
    case ASK_CELL_START:
        return value_text(start_words[row->start]);
    case ASK_CELL_U:
        return value_float(row->u);
    case ASK_CELL_V:
        return value_float(row->v);
    case ASK_CELL_PRIM:
        return value_count(row->prim);
    case ASK_CELL_INSTANCE:
        return value_count(row->instance);
    case ASK_CELL_FLAGS:
        return value_count(row->flags);
    case ASK_CELL_FACE:
        return face_of(run, row);
    case ASK_CELL_NAME:
        return value_text(scene_in_name(run->world.in.scene, row->instance));
    case ASK_CELL_PART:
        return part_of(run, row);
    case ASK_CELL_INSIDE:
        return value_bool(row->inside.inside);
    case ASK_CELL_PARITY:
        return value_bool(row->inside.by_parity);
    case ASK_CELL_WINDING:
        return value_double(row->inside.winding);
    case ASK_CELL_CROSSINGS:
        return value_count(row->inside.crossings);
    case ASK_CELL_DIFFER:
        return value_bool(row->inside.differ);
    case ASK_CELL_ON_SURFACE:
        return value_bool(row->inside.on_surface);
    default:
        break;
    }
    return cell < ASK_CELL_NORMAL ? point_of(row, (int)(cell - ASK_CELL_POINT))
                                  : normal_of(run, row, (int)(cell - ASK_CELL_NORMAL));
}

void ask_columns_put(ask_run *run, size_t i)
{
    const ask_block *block = &run->block;
    const size_t keep = run->plan.mode == ASK_CLOSEST ? 1 : block->keep;
    const uint64_t total = block->totals[i];
    const size_t kept = total < keep ? (size_t)total : keep;
    const size_t rows = kept > 0 || !run->plan.is_many ? kept : 1;
    for (size_t rank = 0; rank < rows; rank++) {
        out_value values[ASK_COLUMNS_MAX];
        ask_row row = { .prim = SL_NONE };
        if (kept > 0) {
            row = ask_block_read(block, i * keep + rank);
        }
        if (kept > 0 && run->options->surface) {
            ask_world_surface(&run->world, &row);
        }
        for (size_t k = 0; k < run->column_count; k++) {
            const ask_cell cell = run->cells[k];
            values[k] = cell == ASK_CELL_ELEMENT ? value_count(run->next + i)
                        : cell == ASK_CELL_FOUND ? value_bool(total > 0)
                        : cell == ASK_CELL_FREE  ? value_bool(total == 0)
                        : cell == ASK_CELL_TOTAL ? value_count(total)
                        : kept == 0              ? value_nothing()
                        : cell == ASK_CELL_RANK  ? value_count(rank)
                                                 : row_cell(run, cell, &row);
        }
        output_row(&run->text, values);
    }
}
