/* ask/answer.c: elements in blocks, asked and written. */
#include "tools/ask/ask.h"

#include "tools/cli/report.h"

#include <string.h>

/* A list of triangles may be as long as the world, and is asked for again where it is longer than
 * those before. */
static int answer_list(ask_run *run)
{
    ask_block *block = &run->block;
    const ask_world *w = &run->world;
    const bool brute = run->options->verify.brute;
    for (bool again = true; again;) {
        block->totals[0] = brute
                               ? ask_world_in_turn(w, &w->soup, block, 0, block->rows, block->keep)
                               : ask_world_one(w, ASK_ALL, block, 0, block->rows, block->keep);
        again = block->totals[0] > block->keep;
        if (again && !ask_block_grow(block, (size_t)block->totals[0])) {
            return report_memory();
        }
    }
    return EXIT_DONE;
}

void ask_tally(const ask_query *query, const ask_block *block, uint64_t sums[PART_SUMS])
{
    for (size_t i = 0; i < block->count; i++) {
        if (query->tally != NULL) {
            query->tally(block, i, sums);
        } else {
            sums[0] += block->totals[i] > 0;
        }
    }
}

int ask_block_answer(ask_run *run)
{
    const ask_options *o = run->options;
    ask_block *block = &run->block;
    const double started = common_seconds();
    int status = EXIT_DONE;
    if (block->kind == ASK_VOLUMES && run->plan.mode == ASK_ALL) {
        status = answer_list(run);
    } else {
        for (uint64_t i = 0; i < (o->repeat > 0 ? o->repeat : 1); i++) {
            ask_world_block(&run->world, run->plan.mode, o->verify.brute, block);
        }
    }
    run->seconds += common_seconds() - started;
    if (status == EXIT_DONE) {
        ask_tally(run->query, block, run->sums);
    }
    return status;
}

static double answered_fraction(const ask_run *run)
{
    return run->in_parts           ? part_out_fraction(&run->part)
           : run->source.count > 0 ? (double)run->next / (double)run->source.count
                                   : -1;
}

static int answer_and_write(ask_run *run, bool *written)
{
    const int status = ask_block_answer(run);
    *written = status == EXIT_DONE && ask_out_write(run);
    progress_show(&run->world.in.bar, run->query->doing, answered_fraction(run));
    return status;
}

/* What was read: at once, or volume by volume. */
static int answer_read(ask_run *run, const ask_block *read, bool *written)
{
    if (read == &run->block) {
        return answer_and_write(run, written);
    }
    int status = EXIT_DONE;
    for (size_t i = 0; i < read->count && status == EXIT_DONE && *written; i++) {
        *(sl_volume *)run->block.elements = *(const sl_volume *)ask_block_element(read, i);
        run->block.count = 1;
        status = answer_and_write(run, written);
    }
    return status;
}

/* Where elements are read to. */
static ask_block *block_read(ask_run *run)
{
    return run->volumes.capacity > 0 ? &run->volumes : &run->block;
}

/* filled: the first block has been read. */
static int answer_blocks(ask_run *run, bool filled)
{
    progress *bar = &run->world.in.bar;
    ask_block *read = block_read(run);
    bool written = true;
    progress_begin(bar, run->options->common.quiet);
    int status = filled ? EXIT_DONE : ask_source_fill(&run->source, read);
    while (status == EXIT_DONE && written && read->count > 0) {
        status = answer_read(run, read, &written);
        status = status == EXIT_DONE && written ? ask_source_fill(&run->source, read) : status;
    }
    progress_end(bar);
    return status;
}

int ask_open_elements(ask_run *run)
{
    const ask_plan *plan = &run->plan;
    const int status = ask_source_open(&run->source, run->call, &run->world, run->query->kind,
                                       run->options->generate.kind);
    const ask_block def = { .kind = run->source.kind,
                            .type = plan->type,
                            .doubles = plan->doubles,
                            .capacity = plan->capacity,
                            .keep = plan->keep };
    const ask_block volumes = { .kind = ASK_VOLUMES, .type = plan->type, .capacity = 1024 };
    const bool one_by_one = def.kind == ASK_VOLUMES && plan->mode == ASK_ALL;
    return status != EXIT_DONE || (ask_block_make(&run->block, &def, plan->has_limits) &&
                                   (!one_by_one || ask_block_make(&run->volumes, &volumes, false)))
               ? status
               : report_memory();
}

int ask_begin_part(ask_run *run, uint64_t hash)
{
    const ask_options *o = run->options;
    part_out *part = &run->part;
    if (!run->in_parts) {
        return EXIT_DONE;
    }
    const part_question query = { .call = run->call,
                                  .options = &o->parts,
                                  .out = o->out,
                                  .in = &run->world.in,
                                  .total = run->source.count,
                                  .hash = hash,
                                  .quiet = o->common.quiet };
    const int status = part_out_start(part, &query);
    if (status != EXIT_DONE || part->complete) {
        return status;
    }
    run->next = part->first + part->done;
    memcpy(run->sums, part->sums, sizeof run->sums);
    if (run->is_npy && run->plan.form == ASK_FORM_LISTS) {
        npy_list_go_on(&run->list, part);
    } else if (run->column_count > 0 && run->next > 0) {
        output_rows_before(&run->text);
    }
    return ask_source_share(&run->source, run->next, part->count - part->done);
}

static int open_answers(ask_run *run)
{
    const ask_options *o = run->options;
    const output_format format = o->common.json          ? OUTPUT_JSON
                                 : o->summary && !o->csv ? OUTPUT_TEXT
                                                         : OUTPUT_CSV;
    const int status = ask_out_open(run, format, run->source.count);
    if (status == EXIT_DONE && o->common.json && run->query->modes != NULL) {
        output_field(&run->text, "mode", value_text(run->query->modes[o->mode]));
    }
    if (status == EXIT_DONE && !run->is_npy && !o->summary) {
        ask_out_table(run);
    }
    return status;
}

int ask_answer(ask_run *run)
{
    uint64_t hash = 0;
    int status = ask_open_elements(run);
    if (status == EXIT_DONE && run->in_parts) {
        status = ask_source_measure(&run->source, &hash);
    }
    /* No header where the input is refused at once. */
    const bool filled = status == EXIT_DONE && !run->in_parts;
    status = filled ? ask_source_fill(&run->source, block_read(run)) : status;
    status = status == EXIT_DONE ? open_answers(run) : status;
    status = status == EXIT_DONE ? ask_begin_part(run, hash) : status;
    if (status == EXIT_DONE && run->part.complete) {
        return run->part.status;
    }
    status = status == EXIT_DONE ? answer_blocks(run, filled) : status;
    return status == EXIT_DONE ? ask_out_close(run) : status;
}
