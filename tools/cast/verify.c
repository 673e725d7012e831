/* cast/verify.c: 'sightline cast --verify': a row for each kind of ray, and what differs. */
#include "tools/cast/cast.h"
#include "tools/cli/report.h"
#include "tools/verify/driver.h"
#include "tools/verify/ray.h"

static const out_column kind_columns[] = {
    { "kind", 10 },         { "rays", 12 },        { "pairs", 15 },
    { "hits", 12 },         { "hit_share", 10 },   { "float_stage", 14 },
    { "double_stage", 13 }, { "exact_stage", 12 }, { "differences", 11 },
};
/* What verifying owns, and the sums over all kinds. */
typedef struct cast_verification {
    cast_job *job;
    ray_verifier verifier;
    ray_sums all;
} cast_verification;

static void put_cells(const ray_sums *sums, out_value *cells)
{
    const double share = sums->rays > 0 ? (double)sums->hits / (double)sums->rays : 0;
    cells[0] = value_count(sums->rays);
    cells[1] = value_count(sums->pairs);
    cells[2] = value_count(sums->hits);
    cells[3] = value_rounded(share, 4);
    cells[4] = value_count(sums->stats.float_stage);
    cells[5] = value_count(sums->stats.double_stage);
    cells[6] = value_count(sums->stats.exact_stage);
    cells[7] = value_count(sums->differences);
}

/* Rays of a block: few enough for progress to show and for memory to stay small. */
static size_t block_room(size_t triangles)
{
    const size_t capacity = 20000000 / (triangles > 0 ? triangles : 1);
    return capacity < 64 ? 64 : capacity > 4096 ? 4096 : capacity;
}

static int verify_source(cast_job *job, ray_verifier *v, ray_source *source, ray_sums *sums)
{
    const size_t capacity = block_room((size_t)mesh_in_triangles(&job->mesh));
    ray_batch block = { 0 };
    int status = EXIT_DONE;
    if (!ray_batch_make(&block, source->are_segments, job->options->doubles, capacity,
                        RAY_VERIFY_HITS) ||
        !ray_verifier_make(v, &job->target, source->are_segments, job->options->doubles,
                           capacity)) {
        status = report_memory();
    }
    progress_begin(&job->mesh.bar, job->options->common.quiet);
    while (status == EXIT_DONE) {
        status = ray_source_fill(source, &block);
        if (status != EXIT_DONE || block.count == 0) {
            break;
        }
        ray_verifier_check(v, &block, source->name, sums->rays, sums);
        progress_show(&job->mesh.bar, source->name,
                      source->count > 0 ? (double)sums->rays / (double)source->count : -1);
    }
    progress_end(&job->mesh.bar);
    ray_verifier_free(v);
    ray_batch_free(&block);
    return status;
}

static int check_kind(void *context, int kind, verify_row *row)
{
    cast_verification *v = context;
    ray_source source;
    ray_sums sums = { 0 };
    int status = cast_open_source(v->job, kind, &source);
    if (status == EXIT_DONE) {
        status = verify_source(v->job, &v->verifier, &source, &sums);
    }
    ray_source_close(&source);
    row->name = source.name;
    put_cells(&sums, row->cells);
    v->all.rays += sums.rays;
    v->all.pairs += sums.pairs;
    v->all.hits += sums.hits;
    v->all.differences += sums.differences;
    v->all.stats.float_stage += sums.stats.float_stage;
    v->all.stats.double_stage += sums.stats.double_stage;
    v->all.stats.exact_stage += sums.stats.exact_stage;
    return status;
}

static void sum_kinds(void *context, out_value *cells)
{
    const cast_verification *v = context;
    put_cells(&v->all, cells);
}

int cast_verify(cast_job *job)
{
    const cast_options *o = job->options;
    const bool is_file = o->rays != NULL || o->segments != NULL;
    cast_verification v = { .job = job };
    const verify_driver driver = { .command = "cast",
                                   .columns = kind_columns,
                                   .column_count = sizeof kind_columns / sizeof kind_columns[0],
                                   .kind = is_file ? 0 : o->generate.kind,
                                   .kind_count = RAY_KIND_COUNT,
                                   .context = &v,
                                   .check = check_kind,
                                   .sum = sum_kinds,
                                   .found = &v.verifier.found };
    return verify_drive(&driver, o->out, &o->common, o->csv);
}
