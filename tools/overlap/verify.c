/* overlap/verify.c: 'sightline overlap --verify': a row for each kind of volume, and what differs.
 */
#include "tools/cli/report.h"
#include "tools/overlap/overlap.h"
#include "tools/verify/driver.h"
#include "tools/verify/volume.h"

#include <stdlib.h>

static const out_column columns[] = {
    { "kind", 10 },     { "volumes", 12 }, { "pairs", 15 },
    { "touching", 12 }, { "touched", 12 }, { "differences", 11 },
};

enum { BLOCK = 256 };

/* What verifying owns, and the sums over all kinds. */
typedef struct overlap_verification {
    overlap_job *job;
    volume_verifier verifier;
    sl_volume *block;
    volume_sums all;
} overlap_verification;

static void put_cells(const volume_sums *sums, out_value *cells)
{
    cells[0] = value_count(sums->volumes);
    cells[1] = value_count(sums->pairs);
    cells[2] = value_count(sums->touching);
    cells[3] = value_count(sums->touched);
    cells[4] = value_count(sums->differences);
}

static int verify_source(overlap_job *job, volume_verifier *v, volume_source *source,
                         sl_volume *block, volume_sums *sums)
{
    const size_t triangles = v->triangles > 0 ? v->triangles : 1;
    const size_t capacity = 20000000 / triangles < 8 ? 8 : 20000000 / triangles;
    int status = EXIT_DONE;
    for (;;) {
        size_t count = 0;
        status = volume_source_fill(source, block, capacity < BLOCK ? capacity : BLOCK, &count);
        if (status != EXIT_DONE || count == 0) {
            return status;
        }
        volume_verifier_check(v, block, count, source->name, sums->volumes, sums);
        const double all = (double)source->random.count;
        progress_show(&job->in.bar, source->name, all > 0 ? (double)sums->volumes / all : -1);
    }
}

static int check_kind(void *context, int kind, verify_row *row)
{
    overlap_verification *v = context;
    volume_source source;
    volume_sums sums = { .volumes = 0 };
    int status = overlap_open_source(v->job, kind, &source);
    if (status == EXIT_DONE) {
        status = verify_source(v->job, &v->verifier, &source, v->block, &sums);
    }
    volume_source_close(&source);
    progress_end(&v->job->in.bar);
    row->name = source.name;
    row->times = sums.times;
    put_cells(&sums, row->cells);
    v->all.volumes += sums.volumes;
    v->all.pairs += sums.pairs;
    v->all.touching += sums.touching;
    v->all.touched += sums.touched;
    v->all.differences += sums.differences;
    return status;
}

static void sum_kinds(void *context, out_value *cells)
{
    const overlap_verification *v = context;
    put_cells(&v->all, cells);
}

int overlap_verify(overlap_job *job)
{
    const overlap_options *o = job->options;
    overlap_verification v = { .job = job, .block = calloc(BLOCK, sizeof *v.block) };
    const verify_driver driver = { .command = "overlap",
                                   .columns = columns,
                                   .column_count = sizeof columns / sizeof columns[0],
                                   .kind = job->generates ? o->many.generate.kind : 0,
                                   .kind_count = VOLUME_KIND_COUNT,
                                   .context = &v,
                                   .check = check_kind,
                                   .sum = sum_kinds,
                                   .found = &v.verifier.found,
                                   .times = o->stats };
    int status = EXIT_DONE;
    if (!volume_verifier_make(&v.verifier, &job->target, BLOCK, o->verify.box_filter) ||
        v.block == NULL) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        progress_begin(&job->in.bar, o->common.quiet);
        status = verify_drive(&driver, o->out, &o->common, o->csv);
    }
    volume_verifier_free(&v.verifier);
    free(v.block);
    return status;
}
