/* verify/differences.c: what --verify reports beside its table. */
#include "tools/verify/differences.h"

#include <inttypes.h>

static const out_column columns[] = {
    { "kind", 0 }, { "index", 0 }, { "question", 0 }, { "tree", 0 }, { "brute", 0 }, { "asked", 0 },
};

difference *differences_add(differences *d, const char *kind, uint64_t index, const char *question)
{
    d->count++;
    if (d->shown_count == DIFFERENCES_SHOWN) {
        return NULL;
    }
    difference *shown = &d->shown[d->shown_count++];
    *shown = (difference){ .kind = kind, .index = index, .question = question };
    return shown;
}

static void put_rows(output *out, const differences *d)
{
    output_table_begin(out, "differences", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < d->shown_count; i++) {
        const difference *one = &d->shown[i];
        const out_value values[] = { value_text(one->kind),     value_count(one->index),
                                     value_text(one->question), value_text(one->tree),
                                     value_text(one->brute),    value_text(one->asked) };
        output_row(out, values);
    }
    output_table_end(out);
    output_field(out, "difference_count", value_count(d->count));
}

void differences_put(output *out, const differences *d)
{
    if (out->format == OUTPUT_JSON) {
        put_rows(out, d);
        return;
    }
    FILE *to = out->format == OUTPUT_CSV ? stderr : out->file.stream;
    for (size_t i = 0; i < d->shown_count; i++) {
        const difference *one = &d->shown[i];
        fprintf(to,
                "%s %" PRIu64 ", %s: the tree says %s, every triangle in turn says %s; it is %s\n",
                one->kind, one->index, one->question, one->tree, one->brute, one->asked);
    }
    if (d->count > d->shown_count) {
        fprintf(to, "and %" PRIu64 " more differences\n", d->count - d->shown_count);
    }
}
