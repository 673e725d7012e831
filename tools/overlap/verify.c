/* overlap/verify.c: 'sightline overlap --verify': a row for each kind of volume, and what differs.
 */
#include "tools/cli/report.h"
#include "tools/overlap/overlap.h"
#include "tools/verify/volume.h"

#include <stdlib.h>

static const out_column columns[] = {
    { "kind", 10 },     { "volumes", 12 }, { "pairs", 15 },
    { "touching", 12 }, { "touched", 12 }, { "differences", 11 },
};

enum { BLOCK = 256 };

static void put_sums(output *out, const char *kind, const volume_sums *sums)
{
    const out_value values[] = {
        value_text(kind),           value_count(sums->volumes),
        value_count(sums->pairs),   value_count(sums->touching),
        value_count(sums->touched), value_count(sums->differences),
    };
    output_row(out, values);
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

/* All kinds that were asked for, a row for each. */
static int verify_kinds(overlap_job *job, volume_verifier *v, sl_volume *block, output *out)
{
    const overlap_options *o = job->options;
    const bool every = job->generates && o->many.generate.kind == VOLUME_KIND_COUNT;
    const int first = every ? 0 : o->many.generate.kind;
    const int last = every ? VOLUME_KIND_COUNT - 1 : first;
    const char *names[VOLUME_KIND_COUNT];
    time_by_size by_kind[VOLUME_KIND_COUNT];
    volume_sums all = { .volumes = 0 };
    output_table_begin(out, "kinds", columns, sizeof columns / sizeof columns[0]);
    for (int kind = first; kind <= last; kind++) {
        volume_source source;
        volume_sums sums = { .volumes = 0 };
        int status = overlap_open_source(job, kind, &source);
        if (status == EXIT_DONE) {
            status = verify_source(job, v, &source, block, &sums);
        }
        volume_source_close(&source);
        progress_end(&job->in.bar);
        if (status != EXIT_DONE) {
            return status;
        }
        put_sums(out, source.name, &sums);
        fflush(out->file.stream);
        all.volumes += sums.volumes;
        all.pairs += sums.pairs;
        all.touching += sums.touching;
        all.touched += sums.touched;
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

int overlap_verify(overlap_job *job)
{
    const overlap_options *o = job->options;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    volume_verifier v = { .target = NULL };
    sl_volume *block = calloc(BLOCK, sizeof *block);
    output out = { .format = OUTPUT_TEXT };
    int status = EXIT_DONE;
    if (!volume_verifier_make(&v, &job->target, BLOCK, o->verify.box_filter) || block == NULL) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        status = output_open(&out, o->out, format, "overlap", false);
    }
    if (status == EXIT_DONE) {
        progress_begin(&job->in.bar, o->common.quiet);
        status = verify_kinds(job, &v, block, &out);
        status = status == EXIT_DONE ? output_close(&out) : status;
    }
    output_discard(&out);
    volume_verifier_free(&v);
    free(block);
    return status == EXIT_DONE && v.found.count > 0 ? EXIT_NO : status;
}
