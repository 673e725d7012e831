/* los/out.c: the answers of 'los' as CSV, JSON, counts or an array of blockers. */
#include "tools/los/out.h"

#include "tools/command.h"
#include "tools/input/scene.h"
#include "tools/output/stats.h"

#include <assert.h>
#include <string.h>

/* Of a scene also the instance, and its names where it has any; the part where there are parts. */
static const out_column columns[] = {
    { "pair", 0 }, { "visible", 0 }, { "t", 0 }, { "prim", 0 }, { "u", 0 }, { "v", 0 },
};
enum { OWN_COLUMNS = sizeof columns / sizeof columns[0] };
static_assert((int)OWN_COLUMNS + 3 <= (int)LOS_COLUMNS_MAX, "los_out has space for a row");

static void begin_table(los_out *out)
{
    const scene_in *scene = out->in->scene;
    size_t count = OWN_COLUMNS;
    memcpy(out->columns, columns, sizeof columns);
    out->has_names = scene != NULL && scene->has_names;
    out->has_parts = scene != NULL ? scene->has_parts : sl_mesh_part_count(out->in->mesh) > 0;
    if (scene != NULL) {
        out->columns[count++] = (out_column){ "instance", 0 };
    }
    if (out->has_names) {
        out->columns[count++] = (out_column){ "name", 0 };
    }
    if (out->has_parts) {
        out->columns[count++] = (out_column){ "part", 0 };
    }
    output_table_begin(&out->text, "pairs", out->columns, count);
}

int los_out_open(los_out *out, const los_options *o, const mesh_in *in, uint64_t pair_count)
{
    *out = (los_out){
        .in = in, .is_npy = npy_is_name(o->out), .only_count = o->summary, .doubles = o->doubles
    };
    const npy_out_type type = o->doubles ? NPY_OUT_HITS_D : NPY_OUT_HITS;
    const bool in_parts = parts_wanted(&o->parts);
    if (out->is_npy) {
        return in_parts ? npy_out_open_part(&out->array, &out->part, type, 0)
                        : npy_out_open(&out->array, o->out, type, 0, pair_count);
    }
    const output_format format = o->common.json          ? OUTPUT_JSON
                                 : o->summary && !o->csv ? OUTPUT_TEXT
                                                         : OUTPUT_CSV;
    const int status = in_parts ? output_open_part(&out->text, &out->part, format, "los")
                                : output_open(&out->text, o->out, format, "los", false);
    if (status == EXIT_DONE && !o->summary) {
        begin_table(out);
    }
    return status;
}

static void put_pair(los_out *out, const sl_hit_d *hit)
{
    const bool visible = hit->prim == SL_NONE;
    const scene_in *scene = out->in->scene;
    out_value values[LOS_COLUMNS_MAX];
    for (int i = 0; i < LOS_COLUMNS_MAX; i++) {
        values[i] = value_nothing();
    }
    values[0] = value_count(out->pairs);
    values[1] = value_bool(visible);
    if (!visible) {
        const scene_mesh *of = scene != NULL ? scene_in_mesh(scene, hit->instance) : NULL;
        const sl_mesh *mesh = scene == NULL ? out->in->mesh : of != NULL ? of->mesh : NULL;
        int used = OWN_COLUMNS;
        values[2] = out->doubles ? value_double(hit->t) : value_float((float)hit->t);
        values[3] = value_count(hit->prim);
        values[4] = value_float(hit->u);
        values[5] = value_float(hit->v);
        if (scene != NULL) {
            values[used++] = value_count(hit->instance);
        }
        if (out->has_names) {
            const char *name = scene_in_name(out->in->scene, hit->instance);
            values[used++] = name != NULL ? value_text(name) : value_nothing();
        }
        if (out->has_parts && mesh != NULL) {
            values[used++] = mesh_in_part(mesh, hit->prim);
        }
    }
    output_row(&out->text, values);
}

/* A block of answers, whatever the format. */
static bool write_rows(los_out *out, const ray_batch *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const sl_hit_d hit = ray_batch_hit(block, i);
        const bool visible = out->only_count ? block->yes[i] == 0 : hit.prim == SL_NONE;
        if (!out->only_count && !out->is_npy) {
            put_pair(out, &hit);
        }
        out->pairs++;
        out->visible += visible;
    }
    if (out->is_npy) {
        return npy_out_write(
            &out->array, block->doubles ? (const void *)block->hits_d : (const void *)block->hits,
            block->count);
    }
    return !ferror(out->text.file.stream);
}

bool los_out_write(los_out *out, const los_options *o, const ray_batch *block)
{
    bool written = write_rows(out, block);
    if (written && parts_wanted(&o->parts)) {
        out->part.sums[0] = out->visible;
        written = part_out_block(&out->part, block->count);
    }
    return written;
}

static void put_counts(los_out *out)
{
    const bool csv = out->text.format == OUTPUT_CSV;
    if (csv) {
        output_record_begin(&out->text, "count");
    }
    const uint64_t pairs = out->pairs - out->part.first;
    output_field(&out->text, "pair_count", value_sum(pairs));
    output_field(&out->text, "visible_count", value_sum(out->visible));
    output_field(&out->text, "blocked_count", value_sum(pairs - out->visible));
    if (csv) {
        output_record_end(&out->text);
    }
}

static int close_file(los_out *out, const los_options *o)
{
    const stats_out stats = { .what = "pairs",
                              .asked = out->pairs - out->part.first,
                              .stats = &out->stats,
                              .proxies = o->proxy.proxy != NULL,
                              .seconds = out->seconds };
    if (out->is_npy) {
        if (o->stats) {
            stats_out_put(NULL, &stats);
        }
        return npy_out_close(&out->array);
    }
    if (!out->only_count) {
        output_table_end(&out->text);
    }
    if (out->only_count || out->text.format == OUTPUT_JSON) {
        put_counts(out);
    }
    if (o->stats) {
        stats_out_put(&out->text, &stats);
    }
    return output_close(&out->text);
}

int los_out_close(los_out *out, const los_options *o)
{
    const int status = close_file(out, o);
    return status == EXIT_DONE && parts_wanted(&o->parts) ? part_out_close(&out->part) : status;
}

void los_out_discard(los_out *out)
{
    if (out->is_npy) {
        npy_out_discard(&out->array);
    } else {
        output_discard(&out->text);
    }
    part_out_discard(&out->part);
}

/* A part, or a run that can go on: which pairs are to be asked. */
int los_out_begin_part(los_out *out, const invocation *call, ray_source *source, uint64_t hash)
{
    const los_options *o = call->options;
    part_out *part = &out->part;
    const part_question question = { .call = call,
                                     .options = &o->parts,
                                     .out = o->out,
                                     .in = out->in,
                                     .total = source->count,
                                     .hash = hash,
                                     .quiet = o->common.quiet };
    const int status = part_out_start(part, &question);
    if (status != EXIT_DONE || part->complete) {
        return status;
    }
    out->pairs = part->first + part->done;
    out->visible = part->sums[0];
    if (!out->is_npy && !out->only_count && out->pairs > 0) {
        output_rows_before(&out->text);
    }
    return ray_source_share(source, out->pairs, part->count - part->done);
}
