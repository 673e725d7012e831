/* ask/stats.c: the work that a run took. */
#include "tools/ask/ask.h"

static void put_fields(const ask_run *run, output *out)
{
    const sl_stats *s = &run->world.stats;
    const unsigned which = run->query->stats;
    const uint64_t asked = run->next - run->part.first;
    const bool rays = (which & ASK_STATS_RAYS) != 0, proxy = run->world.query.proxy != NULL;
    const bool stages = (which & ASK_STATS_STAGES) != 0;
    const struct {
        const char *key;
        bool wanted;
        uint64_t count;
    } fields[] = {
        { run->query->counted, (which & ASK_STATS_COUNT) != 0, asked },
        { "rays", rays, s->rays },
        { "proxies_rejected", proxy && !rays, s->proxies_rejected },
        { "nodes", true, s->nodes },
        { "boxes", true, s->boxes },
        { "triangles", true, s->triangles },
        { "float_stage", stages, s->float_stage },
        { "double_stage", stages, s->double_stage },
        { "exact_stage", stages, s->exact_stage },
        { "hits", (which & ASK_STATS_HITS) != 0, s->hits },
        { "instances", rays && run->world.wide, s->instances },
        { "proxies_rejected", proxy && rays, s->proxies_rejected },
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (fields[i].wanted) {
            output_field(out, fields[i].key, value_count(fields[i].count));
        }
    }
    output_field(out, "seconds", value_rounded(run->seconds, 4));
    if (rays) {
        const double all = (double)asked * (double)run->options->repeat;
        output_field(out, "rays_per_second",
                     value_rounded(run->seconds > 0 ? all / run->seconds : 0, 4));
    }
}

void ask_stats_put(ask_run *run)
{
    output *text = &run->text;
    if (!run->is_npy && text->format == OUTPUT_JSON) {
        output_record_begin(text, "stats");
        put_fields(run, text);
        output_record_end(text);
        return;
    }
    output out = { .format = OUTPUT_TEXT, .file.stream = stderr };
    put_fields(run, &out);
}
