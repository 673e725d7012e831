/* inside/verify.c: --verify of 'inside': a row for each kind of point, and what differs. */
#include "tools/cli/report.h"
#include "tools/inside/inside.h"
#include "tools/verify/driver.h"

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
    inside_sums all; /* over all kinds */
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

static void put_cells(const verifier *v, const inside_sums *sums, uint64_t wrong, out_value *cells)
{
    cells[0] = value_count(sums->points);
    cells[1] = value_count(sums->points * v->job->soup.triangle_count);
    cells[2] = value_count(sums->inside);
    cells[3] = value_count(sums->differ);
    cells[4] = value_count(sums->on_surface);
    cells[5] = value_count(wrong);
}

static int check_kind(void *context, int kind, verify_row *row)
{
    verifier *v = context;
    inside_job *job = v->job;
    point_source source;
    inside_sums sums = { .points = 0 };
    const uint64_t before = v->found.count;
    int status = point_source_open(&source, &job->options->from, kind, job->in.mesh, job->in.bvh,
                                   job->in.tasks);
    if (status == EXIT_DONE) {
        status = verify_source(v, &source, &sums);
    }
    point_source_close(&source);
    progress_end(&job->in.bar);
    row->name = source.name;
    put_cells(v, &sums, v->found.count - before, row->cells);
    v->all.points += sums.points;
    v->all.inside += sums.inside;
    v->all.differ += sums.differ;
    v->all.on_surface += sums.on_surface;
    return status;
}

static void sum_kinds(void *context, out_value *cells)
{
    const verifier *v = context;
    put_cells(v, &v->all, v->found.count, cells);
}

static void note_judged(void *context, output *out)
{
    const verifier *v = context;
    inside_judged_put(out, v->job->boundary);
}

int inside_verify(inside_job *job)
{
    const inside_options *o = job->options;
    verifier v = { .job = job };
    const verify_driver driver = { .command = "inside",
                                   .columns = columns,
                                   .column_count = sizeof columns / sizeof columns[0],
                                   .kind = o->from.points != NULL ? 0 : o->from.generate.kind,
                                   .kind_count = POINT_KIND_COUNT,
                                   .context = &v,
                                   .check = check_kind,
                                   .sum = sum_kinds,
                                   .note = note_judged,
                                   .found = &v.found };
    int status = EXIT_DONE;
    v.single = calloc(BLOCK_POINTS, sizeof *v.single);
    v.truth = calloc(BLOCK_POINTS, sizeof *v.truth);
    if (!inside_block_make(&v.block, BLOCK_POINTS) || v.single == NULL || v.truth == NULL) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        status = verify_drive(&driver, o->out, &o->common, o->csv);
    }
    inside_block_free(&v.block);
    free(v.single);
    free(v.truth);
    return status;
}
