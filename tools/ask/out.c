/* ask/out.c: answers on their way out: as CSV, JSON or counts, as arrays, or in a part of them. */
#include "tools/ask/ask.h"

#include <string.h>

static int open_array(ask_run *run, uint64_t rows)
{
    const ask_plan *plan = &run->plan;
    if (plan->form == ASK_FORM_LISTS) {
        return run->in_parts ? npy_list_open_part(&run->list, &run->part, plan->npy)
                             : npy_list_open(&run->list, run->options->out, plan->npy);
    }
    return run->in_parts
               ? npy_out_open_part(&run->array, &run->part, plan->npy, plan->npy_columns)
               : npy_out_open(&run->array, run->options->out, plan->npy, plan->npy_columns, rows);
}

int ask_out_open(ask_run *run, output_format format, uint64_t rows)
{
    const char *command = run->call->command->name;
    run->is_npy = npy_is_name(run->options->out);
    return run->is_npy     ? open_array(run, rows)
           : run->in_parts ? output_open_part(&run->text, &run->part, format, command)
                           : output_open(&run->text, run->options->out, format, command, false);
}

void ask_out_table(ask_run *run)
{
    ask_columns_make(run);
    output_table_begin(&run->text, run->plan.key, run->columns, run->column_count);
}

/* The triangles of a mesh are numbers alone. */
static void keep_prims(const ask_block *block)
{
    const sl_triangle_ref *refs = block->rows;
    uint32_t *prims = block->rows;
    for (size_t i = 0; i < block->totals[0]; i++) {
        prims[i] = refs[i].prim;
    }
}

static bool write_array(ask_run *run)
{
    const ask_block *block = &run->block;
    if (block->type == ASK_REFS && run->plan.npy == NPY_OUT_U4) {
        keep_prims(block);
    }
    switch (run->plan.form) {
    case ASK_FORM_LISTS:
        return npy_list_write(&run->list, block->rows, block->keep, block->totals, block->count);
    case ASK_FORM_LIST:
        return npy_out_write(&run->array, block->rows, (size_t)block->totals[0]);
    case ASK_FORM_YES:
        return npy_out_write(&run->array, block->yes, block->count);
    case ASK_FORM_TOTALS:
        return npy_out_write(&run->array, block->totals, block->count);
    case ASK_FORM_ROWS:
        break;
    }
    return npy_out_write(&run->array, block->rows, block->count);
}

bool ask_out_write(ask_run *run)
{
    const ask_block *block = &run->block;
    bool written;
    if (run->is_npy) {
        written = write_array(run);
    } else {
        for (size_t i = 0; i < block->count && run->column_count > 0; i++) {
            ask_columns_put(run, i);
        }
        written = !ferror(run->text.file.stream);
    }
    return written && ask_out_block(run, block->count);
}

bool ask_out_block(ask_run *run, uint64_t count)
{
    run->next += count;
    if (!run->in_parts) {
        return true;
    }
    memcpy(run->part.sums, run->sums, sizeof run->sums);
    return part_out_block(&run->part, count);
}

static void end_text(ask_run *run)
{
    output *text = &run->text;
    const ask_query *query = run->query;
    const bool summary = run->options->summary, csv = text->format == OUTPUT_CSV;
    if (!summary) {
        output_table_end(text);
    }
    if (query->summarise == NULL || (!summary && text->format != OUTPUT_JSON)) {
        return;
    }
    if (csv) {
        output_record_begin(text, "count");
    }
    query->summarise(run, text);
    if (query->note != NULL) {
        query->note(&run->world, text);
    }
    if (csv) {
        output_record_end(text);
    }
}

static int close_file(ask_run *run)
{
    if (!run->is_npy) {
        return output_close(&run->text);
    }
    return run->plan.form == ASK_FORM_LISTS ? npy_list_close(&run->list)
                                            : npy_out_close(&run->array);
}

int ask_out_close(ask_run *run)
{
    if (!run->is_npy && run->column_count + run->options->summary > 0) {
        end_text(run);
    }
    if (run->options->stats) {
        ask_stats_put(run);
    }
    const int status = close_file(run);
    return status == EXIT_DONE && run->in_parts ? part_out_close(&run->part) : status;
}

void ask_out_discard(ask_run *run)
{
    output_discard(&run->text);
    npy_out_discard(&run->array);
    npy_list_discard(&run->list);
    part_out_discard(&run->part);
}
