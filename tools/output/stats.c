/* output/stats.c: the table of --stats, for los, nearest, within and inside. */
#include "tools/output/stats.h"

static void put(output *out, const stats_out *o)
{
    const sl_stats *s = o->stats;
    output_field(out, o->what, value_count(o->asked));
    if (o->proxies) {
        output_field(out, "proxies_rejected", value_count(s->proxies_rejected));
    }
    output_field(out, "nodes", value_count(s->nodes));
    output_field(out, "boxes", value_count(s->boxes));
    output_field(out, "triangles", value_count(s->triangles));
    output_field(out, "float_stage", value_count(s->float_stage));
    output_field(out, "double_stage", value_count(s->double_stage));
    output_field(out, "exact_stage", value_count(s->exact_stage));
    output_field(out, "seconds", value_rounded(o->seconds, 4));
}

void stats_out_put(output *answers, const stats_out *stats)
{
    if (answers != NULL && answers->format == OUTPUT_JSON) {
        output_record_begin(answers, "stats");
        put(answers, stats);
        output_record_end(answers);
        return;
    }
    output out = { .format = OUTPUT_TEXT, .file.stream = stderr };
    put(&out, stats);
}
