/* ask/verify_run.c: --verify: a row for each kind of element, then the differences. */
#include "tools/ask/verify.h"
#include "tools/cli/report.h"

enum { KINDS_MAX = 16, CELLS_MAX = 9 };

static out_value cell_of(verify_cell cell, const char *name, const verify_sums *sums)
{
    const double share = sums->elements > 0 ? (double)sums->found[0] / (double)sums->elements : 0;
    const out_value cells[] = {
        [VERIFY_KIND] = value_text(name),
        [VERIFY_ELEMENTS] = value_count(sums->elements),
        [VERIFY_PAIRS] = value_count(sums->pairs),
        [VERIFY_FOUND] = value_count(sums->found[0]),
        [VERIFY_SHARE] = value_rounded(share, 4),
        [VERIFY_ROWS] = value_count(sums->rows),
        [VERIFY_DIFFER] = value_count(sums->found[2]),
        [VERIFY_ON_SURFACE] = value_count(sums->found[1]),
        [VERIFY_FLOAT] = value_count(sums->stats.float_stage),
        [VERIFY_DOUBLE] = value_count(sums->stats.double_stage),
        [VERIFY_EXACT] = value_count(sums->stats.exact_stage),
        [VERIFY_DIFFERENCES] = value_count(sums->differences),
    };
    return cells[cell];
}

static void put_row(const verify_column *columns, const char *name, const verify_sums *sums,
                    output *out)
{
    out_value values[CELLS_MAX];
    for (size_t i = 0; columns[i].is.name != NULL; i++) {
        values[i] = cell_of(columns[i].cell, name, sums);
    }
    output_row(out, values);
    fflush(out->file.stream);
}

static void add_sums(verify_sums *all, const verify_sums *sums)
{
    all->elements += sums->elements;
    all->pairs += sums->pairs;
    all->rows += sums->rows;
    all->differences += sums->differences;
    for (int i = 0; i < PART_SUMS; i++) {
        all->found[i] += sums->found[i];
    }
    all->stats.float_stage += sums->stats.float_stage;
    all->stats.double_stage += sums->stats.double_stage;
    all->stats.exact_stage += sums->stats.exact_stage;
}

/* Few enough elements for progress to show and for memory to stay small. */
static size_t block_capacity(const ask_run *run, size_t keep)
{
    const verify_family *family = run->query->verify;
    const uint64_t triangles = ask_world_triangles(&run->world);
    const uint64_t together = 20000000 / (triangles > 0 ? triangles : 1), rows = 65536 / keep;
    const uint64_t most = rows < family->most ? rows : family->most;
    const uint64_t capacity = together < family->least ? family->least : together;
    return capacity < most ? (size_t)capacity : most > 0 ? (size_t)most : 1;
}

static int check_source(ask_run *run, verifier *v, verify_sums *sums)
{
    const ask_options *o = run->options;
    const ask_source *source = &run->source;
    progress *bar = &run->world.in.bar;
    const size_t keep = run->query->verify->keep > 0 ? run->query->verify->keep : (size_t)o->keep;
    const ask_block def = { .kind = source->kind,
                            .type = run->plan.type,
                            .doubles = run->plan.doubles,
                            .keep = keep,
                            .capacity = block_capacity(run, keep) };
    int status = EXIT_DONE;
    v->within = run->plan.mode == ASK_ALL || run->plan.mode == ASK_COUNT;
    run->source.half_unlimited = !v->within;
    if (!verifier_make(v, &run->world, run->query->verify, &def, run->plan.has_limits,
                       o->verify.box_filter)) {
        status = report_memory();
    }
    progress_begin(bar, o->common.quiet);
    while (status == EXIT_DONE) {
        status = ask_source_fill(&run->source, &v->block);
        if (status != EXIT_DONE || v->block.count == 0) {
            break;
        }
        verifier_check(v, run->query, source->name, sums->elements, sums);
        progress_show(bar, source->name,
                      source->count > 0 ? (double)sums->elements / (double)source->count : -1);
    }
    progress_end(bar);
    return status;
}

static int check_kind(ask_run *run, verifier *v, int kind, verify_sums *sums)
{
    int status = ask_source_open(&run->source, run->call, &run->world, run->query->kind, kind);
    status = status == EXIT_DONE ? check_source(run, v, sums) : status;
    verifier_free(v);
    ask_source_close(&run->source);
    return status;
}

static int open_report(const ask_run *run, output *out)
{
    const ask_options *o = run->options;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    return output_open(out, o->out, format, run->call->command->name,
                       common_use_color(&o->common, stdout));
}

static int check_kinds(ask_run *run, verifier *v, output *out)
{
    const ask_query *query = run->query;
    const verify_column *columns = query->verify->columns;
    const int kind = run->options->generate.kind;
    const bool every = kind == query->kind_count;
    const size_t count = every ? (size_t)query->kind_count : 1;
    const char *names[KINDS_MAX];
    time_by_size times[KINDS_MAX];
    verify_sums all = { .elements = 0 };
    out_column shown[CELLS_MAX];
    size_t column_count = 0;
    for (; columns[column_count].is.name != NULL; column_count++) {
        shown[column_count] = columns[column_count].is;
    }
    for (size_t i = 0; i < count; i++) {
        verify_sums sums = { .elements = 0 };
        int status = check_kind(run, v, every ? (int)i : kind, &sums);
        if (status == EXIT_DONE && i == 0) { /* no header where the input is refused */
            status = open_report(run, out);
        }
        if (status != EXIT_DONE) {
            return status;
        }
        if (i == 0) {
            output_table_begin(out, "kinds", shown, column_count);
        }
        names[i] = run->source.name;
        times[i] = sums.times;
        put_row(columns, names[i], &sums, out);
        add_sums(&all, &sums);
    }
    if (every) {
        put_row(columns, "all", &all, out);
    }
    output_table_end(out);
    if (query->note != NULL && out->format != OUTPUT_CSV) {
        query->note(&run->world, out);
    }
    differences_put(out, &v->found);
    if (query->verify->times && run->options->stats) {
        time_by_size_put(out, times, names, count);
    }
    return EXIT_DONE;
}

int ask_verify(ask_run *run)
{
    output out = { .failed = false };
    verifier v = { .found = { .count = 0 } };
    /* The only volume there is may be none. */
    int status = run->plan.is_many
                     ? EXIT_DONE
                     : ask_source_open(&run->source, run->call, &run->world, run->query->kind, 0);
    status = status == EXIT_DONE ? check_kinds(run, &v, &out) : status;
    status = status == EXIT_DONE ? output_close(&out) : status;
    output_discard(&out);
    return status == EXIT_DONE && v.found.count > 0 ? EXIT_NO : status;
}
