/* inside/verify.c: --verify of 'inside': a row for each kind of point, and what differs. */
#include "tools/cli/report.h"
#include "tools/inside/inside.h"
#include "tools/verify/differences.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const out_column columns[] = {
    { "kind", 10 },   { "points", 12 },     { "pairs", 15 },       { "inside", 12 },
    { "differ", 12 }, { "on_surface", 12 }, { "differences", 11 },
};

enum { BLOCK_POINTS = 1024, QUESTIONS = 2 };
static const char *const words[QUESTIONS] = { "inside", "inside_many" };

typedef struct verifier {
    inside_job *job;
    inside_block block; /* its answers: of the function that takes an array */
    sl_inside *single, *truth;
    differences found;
} verifier;

static void describe(const sl_inside *answer, char *to, size_t size)
{
    snprintf(to, size,
             "inside %d, by parity %d, by winding %d, winding %.17g, crossings %" PRIu64
             ", on the surface %d",
             answer->inside, answer->by_parity, answer->by_winding, answer->winding,
             answer->crossings, answer->on_surface);
}

static void check_point(verifier *v, size_t i, const char *kind, uint64_t index)
{
    const sl_inside *tree[QUESTIONS] = { &v->single[i], &v->block.answers[i] };
    for (int q = 0; q < QUESTIONS; q++) {
        difference *shown = NULL;
        if (memcmp(tree[q], &v->truth[i], sizeof v->truth[i]) != 0) {
            shown = differences_add(&v->found, kind, index, words[q]);
        }
        if (shown != NULL) {
            const float *p = v->block.points + 3 * i;
            describe(tree[q], shown->tree, sizeof shown->tree);
            describe(&v->truth[i], shown->brute, sizeof shown->brute);
            snprintf(shown->asked, sizeof shown->asked, "%.9g %.9g %.9g", (double)p[0],
                     (double)p[1], (double)p[2]);
        }
    }
}

static void ask_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    verifier *v = context;
    const inside_job *job = v->job;
    for (size_t i = begin; i < end; i++) {
        sl_bvh_inside(job->in.bvh, job->boundary, v->block.points + 3 * i, &job->query,
                      &v->single[i]);
    }
}

static int verify_source(verifier *v, point_source *source, inside_sums *sums)
{
    inside_job *job = v->job;
    inside_block *block = &v->block;
    for (;;) {
        const int status =
            point_source_fill(source, block->points, NULL, block->capacity, &block->count);
        if (status != EXIT_DONE || block->count == 0) {
            return status;
        }
        inside_ask_tree(job, block);
        job->in.tasks->parallel_for(job->in.tasks->user, block->count, 64, ask_range, v);
        inside_ask_brute(job, block, v->truth);
        for (size_t i = 0; i < block->count; i++) {
            check_point(v, i, source->name, sums->points + i);
        }
        inside_sums_add(sums, v->truth, block->count);
        progress_show(&job->in.bar, source->name,
                      source->count > 0 ? (double)sums->points / (double)source->count : -1);
    }
}

static void put_sums(output *out, const char *kind, const inside_sums *sums, size_t triangles,
                     uint64_t wrong)
{
    const out_value values[] = {
        value_text(kind),          value_count(sums->points), value_count(sums->points * triangles),
        value_count(sums->inside), value_count(sums->differ), value_count(sums->on_surface),
        value_count(wrong),
    };
    output_row(out, values);
}

/* All kinds that were asked for, a row for each. */
static int verify_kinds(verifier *v, output *out)
{
    inside_job *job = v->job;
    const points_options *from = &job->options->from;
    const bool every = from->points == NULL && from->generate.kind == POINT_KIND_COUNT;
    const int first = every ? 0 : from->generate.kind;
    const int last = every ? POINT_KIND_COUNT - 1 : first;
    const size_t triangles = job->soup.triangle_count;
    inside_sums all = { .points = 0 };
    output_table_begin(out, "kinds", columns, sizeof columns / sizeof columns[0]);
    for (int kind = first; kind <= last; kind++) {
        point_source source;
        inside_sums sums = { .points = 0 };
        const uint64_t before = v->found.count;
        int status =
            point_source_open(&source, from, kind, job->in.mesh, job->in.bvh, job->in.tasks);
        if (status == EXIT_DONE) {
            status = verify_source(v, &source, &sums);
        }
        point_source_close(&source);
        progress_end(&job->in.bar);
        if (status != EXIT_DONE) {
            return status;
        }
        put_sums(out, source.name, &sums, triangles, v->found.count - before);
        fflush(out->file.stream);
        all.points += sums.points;
        all.inside += sums.inside;
        all.differ += sums.differ;
        all.on_surface += sums.on_surface;
    }
    if (every) {
        put_sums(out, "all", &all, triangles, v->found.count);
    }
    output_table_end(out);
    if (out->format != OUTPUT_CSV) {
        inside_judged_put(out, job->boundary);
    }
    differences_put(out, &v->found);
    return EXIT_DONE;
}

int inside_verify(inside_job *job)
{
    const inside_options *o = job->options;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    verifier v = { .job = job };
    output out = { .format = OUTPUT_TEXT };
    int status = EXIT_DONE;
    v.single = calloc(BLOCK_POINTS, sizeof *v.single);
    v.truth = calloc(BLOCK_POINTS, sizeof *v.truth);
    if (!inside_block_make(&v.block, BLOCK_POINTS) || v.single == NULL || v.truth == NULL) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        status = output_open(&out, o->out, format, "inside", false);
    }
    if (status == EXIT_DONE) {
        status = verify_kinds(&v, &out);
        status = status == EXIT_DONE ? output_close(&out) : status;
    }
    output_discard(&out);
    inside_block_free(&v.block);
    free(v.single);
    free(v.truth);
    return status == EXIT_DONE && v.found.count > 0 ? EXIT_NO : status;
}
