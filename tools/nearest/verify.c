/* nearest/verify.c: --verify of 'nearest' and 'within': a row for each kind of point, and what
 * differs. */
#include "tools/cli/report.h"
#include "tools/nearest/nearest.h"
#include "tools/verify/driver.h"
#include "tools/verify/point.h"

static const out_column columns[] = {
    { "kind", 10 }, { "points", 12 }, { "pairs", 15 },
    { "near", 12 }, { "found", 15 },  { "differences", 11 },
};

enum { BLOCK_POINTS = 1024, BLOCK_ROWS = 1 << 16 };

/* What verifying owns, and the sums over all kinds. */
typedef struct nearest_verification {
    nearest_job *job;
    point_verifier verifier;
    nearest_block block;
    point_sums all;
} nearest_verification;

static void put_cells(const point_sums *sums, out_value *cells)
{
    cells[0] = value_count(sums->points);
    cells[1] = value_count(sums->pairs);
    cells[2] = value_count(sums->near);
    cells[3] = value_count(sums->found);
    cells[4] = value_count(sums->differences);
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

static int check_kind(void *context, int kind, verify_row *row)
{
    nearest_verification *v = context;
    nearest_job *job = v->job;
    point_source source;
    point_sums sums = { .points = 0 };
    int status = point_source_open(&source, &job->options->from, kind, job->in.mesh, job->in.bvh,
                                   job->in.tasks);
    if (status == EXIT_DONE) {
        status = verify_source(job, &v->verifier, &source, &v->block, &sums);
    }
    point_source_close(&source);
    progress_end(&job->in.bar);
    row->name = source.name;
    row->times = sums.times;
    put_cells(&sums, row->cells);
    v->all.points += sums.points;
    v->all.pairs += sums.pairs;
    v->all.near += sums.near;
    v->all.found += sums.found;
    v->all.differences += sums.differences;
    return status;
}

static void sum_kinds(void *context, out_value *cells)
{
    const nearest_verification *v = context;
    put_cells(&v->all, cells);
}

int nearest_verify(nearest_job *job)
{
    const nearest_options *o = job->options;
    const bool within = job->kind == NEAREST_WITHIN;
    const query_target target = {
        .bvh = job->in.bvh, .soup = job->soup, .query = job->query, .tasks = job->in.tasks
    };
    const size_t kept = (size_t)o->max_found, most = BLOCK_ROWS / kept;
    const size_t capacity = most == 0 ? 1 : most < BLOCK_POINTS ? most : BLOCK_POINTS;
    nearest_verification v = { .job = job };
    const verify_driver driver = { .command = within ? "within" : "nearest",
                                   .columns = columns,
                                   .column_count = sizeof columns / sizeof columns[0],
                                   .kind = o->from.points != NULL ? 0 : o->from.generate.kind,
                                   .kind_count = POINT_KIND_COUNT,
                                   .context = &v,
                                   .check = check_kind,
                                   .sum = sum_kinds,
                                   .found = &v.verifier.found,
                                   .times = o->stats };
    int status = EXIT_DONE;
    if (!nearest_block_make(&v.block, capacity, 0, job->own_limits) ||
        !point_verifier_make(&v.verifier, &target, within, kept, capacity, o->verify.box_filter)) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        status = verify_drive(&driver, o->out, &o->common, o->csv);
    }
    point_verifier_free(&v.verifier);
    nearest_block_free(&v.block);
    return status;
}
