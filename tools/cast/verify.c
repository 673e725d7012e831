/* cast/verify.c: 'sightline cast --verify': a row for each kind of ray, and what differs. */
#include "tools/cast/cast.h"
#include "tools/cli/output.h"
#include "tools/cli/report.h"
#include "tools/verify/ray.h"

#include <stdio.h>

static const out_column kind_columns[] = {
    { "kind", 10 },         { "rays", 12 },        { "pairs", 15 },
    { "hits", 12 },         { "hit_share", 10 },   { "float_stage", 14 },
    { "double_stage", 13 }, { "exact_stage", 12 }, { "differences", 11 },
};
static void print_sums(output *out, const char *kind, const ray_sums *sums)
{
    const double share = sums->rays > 0 ? (double)sums->hits / (double)sums->rays : 0;
    const out_value values[] = {
        value_text(kind),
        value_count(sums->rays),
        value_count(sums->pairs),
        value_count(sums->hits),
        value_rounded(share, 4),
        value_count(sums->stats.float_stage),
        value_count(sums->stats.double_stage),
        value_count(sums->stats.exact_stage),
        value_count(sums->differences),
    };
    output_row(out, values);
}

/* So many that progress shows, and so few that memory stays small. */
static size_t block_room(size_t triangles)
{
    const size_t capacity = 20000000 / (triangles > 0 ? triangles : 1);
    return capacity < 64 ? 64 : capacity > 4096 ? 4096 : capacity;
}

static int verify_source(cast_job *job, ray_verifier *v, ray_source *source, ray_sums *sums)
{
    const size_t capacity = block_room(sl_mesh_triangle_count(job->mesh.mesh));
    ray_batch block = { 0 };
    int status = EXIT_DONE;
    if (!ray_batch_make(&block, source->are_segments, capacity, RAY_VERIFY_HITS) ||
        !ray_verifier_make(v, &job->target, source->are_segments, capacity)) {
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

/* All kinds that were asked for, a row for each; *differences over all. */
static int verify_kinds(cast_job *job, ray_verifier *v, output *out, ray_sums *all)
{
    const cast_options *o = job->options;
    const bool every = o->rays == NULL && o->segments == NULL && o->generate.kind == RAY_KIND_COUNT;
    const int first = every ? 0 : o->generate.kind;
    const int last = every ? RAY_KIND_COUNT - 1 : o->generate.kind;
    for (int kind = first; kind <= last; kind++) {
        ray_source source;
        ray_sums sums = { 0 };
        int status = cast_open_source(job, kind, &source);
        if (status == EXIT_DONE) {
            status = verify_source(job, v, &source, &sums);
        }
        ray_source_close(&source);
        if (status != EXIT_DONE) {
            return status;
        }
        print_sums(out, source.name, &sums);
        fflush(out->file.stream);
        all->rays += sums.rays;
        all->pairs += sums.pairs;
        all->hits += sums.hits;
        all->differences += sums.differences;
        all->stats.float_stage += sums.stats.float_stage;
        all->stats.double_stage += sums.stats.double_stage;
        all->stats.exact_stage += sums.stats.exact_stage;
    }
    if (every) {
        print_sums(out, "all", all);
    }
    return EXIT_DONE;
}

int cast_verify(cast_job *job)
{
    const cast_options *o = job->options;
    output out;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    int status = output_open(&out, o->out, format, "cast", common_use_color(&o->common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    ray_verifier v = { 0 };
    ray_sums all = { 0 };
    output_table_begin(&out, "kinds", kind_columns, sizeof kind_columns / sizeof kind_columns[0]);
    status = verify_kinds(job, &v, &out, &all);
    if (status != EXIT_DONE) {
        output_discard(&out);
        return status;
    }
    output_table_end(&out);
    differences_put(&out, &v.found);
    status = output_close(&out);
    return status == EXIT_DONE && all.differences > 0 ? EXIT_NO : status;
}
