/* nearest/verify.c: --verify of 'nearest' and 'within': a row for each kind of point, and what
 * differs. */
#include "tools/cli/report.h"
#include "tools/nearest/nearest.h"
#include "tools/verify/point.h"

static const out_column columns[] = {
    { "kind", 10 }, { "points", 12 }, { "pairs", 15 },
    { "near", 12 }, { "found", 15 },  { "differences", 11 },
};

enum { BLOCK_POINTS = 1024, BLOCK_ROWS = 1 << 16 };

static void put_sums(output *out, const char *kind, const point_sums *sums)
{
    const out_value values[] = {
        value_text(kind),        value_count(sums->points), value_count(sums->pairs),
        value_count(sums->near), value_count(sums->found),  value_count(sums->differences),
    };
    output_row(out, values);
}

static int verify_source(nearest_job *job, point_verifier *v, point_source *source,
                         nearest_block *block, point_sums *sums)
{
    for (;;) {
        const int status = nearest_fill(job, source, block);
        if (status != EXIT_DONE || block->count == 0) {
            return status;
        }
        point_verifier_check(v, block->points, block->limits, job->options->limit, block->count,
                             source->name, sums->points, sums);
        progress_show(&job->in.bar, source->name,
                      source->count > 0 ? (double)sums->points / (double)source->count : -1);
    }
}

/* All kinds that were asked for, a row for each. */
static int verify_kinds(nearest_job *job, point_verifier *v, nearest_block *block, output *out)
{
    const nearest_options *o = job->options;
    const bool every = o->from.points == NULL && o->from.generate.kind == POINT_KIND_COUNT;
    const int first = every ? 0 : o->from.generate.kind;
    const int last = every ? POINT_KIND_COUNT - 1 : first;
    const char *names[POINT_KIND_COUNT];
    time_by_size by_kind[POINT_KIND_COUNT];
    point_sums all = { .points = 0 };
    output_table_begin(out, "kinds", columns, sizeof columns / sizeof columns[0]);
    for (int kind = first; kind <= last; kind++) {
        point_source source;
        point_sums sums = { .points = 0 };
        int status =
            point_source_open(&source, &o->from, kind, job->in.mesh, job->in.bvh, job->in.tasks);
        if (status == EXIT_DONE) {
            status = verify_source(job, v, &source, block, &sums);
        }
        point_source_close(&source);
        progress_end(&job->in.bar);
        if (status != EXIT_DONE) {
            return status;
        }
        put_sums(out, source.name, &sums);
        fflush(out->file.stream);
        all.points += sums.points;
        all.pairs += sums.pairs;
        all.near += sums.near;
        all.found += sums.found;
        all.differences += sums.differences;
        names[kind - first] = source.name;
        by_kind[kind - first] = sums.times;
    }
    if (every) {
        put_sums(out, "all", &all);
    }
    output_table_end(out);
    differences_put(out, &v->found);
    if (o->stats) {
        time_by_size_put(out, by_kind, names, (size_t)(last - first) + 1);
    }
    return EXIT_DONE;
}

int nearest_verify(nearest_job *job)
{
    const nearest_options *o = job->options;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    const bool within = job->kind == NEAREST_WITHIN;
    const query_target target = {
        .bvh = job->in.bvh, .soup = job->soup, .query = job->query, .tasks = job->in.tasks
    };
    const size_t kept = (size_t)o->max_found, most = BLOCK_ROWS / kept;
    const size_t capacity = most == 0 ? 1 : most < BLOCK_POINTS ? most : BLOCK_POINTS;
    nearest_block block = { .count = 0 };
    point_verifier v = { .target = NULL };
    output out = { .format = OUTPUT_TEXT };
    int status = EXIT_DONE;
    if (!nearest_block_make(&block, capacity, 0, job->own_limits) ||
        !point_verifier_make(&v, &target, within, kept, capacity, o->verify.box_filter)) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        status = output_open(&out, o->out, format, within ? "within" : "nearest", false);
    }
    if (status == EXIT_DONE) {
        status = verify_kinds(job, &v, &block, &out);
        status = status == EXIT_DONE ? output_close(&out) : status;
    }
    output_discard(&out);
    point_verifier_free(&v);
    nearest_block_free(&block);
    return status == EXIT_DONE && v.found.count > 0 ? EXIT_NO : status;
}
