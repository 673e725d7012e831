/* verify/time_by_size.c: the table of --verify --stats, for nearest, within and overlap. */
#include "tools/verify/time_by_size.h"

static const char *const size_words[TIME_SIZES] = {
    "0",         "1 to 10",   "11 to 100", "101 to 1000", "1001 to 1e4", "up to 1e5",
    "up to 1e6", "up to 1e7", "up to 1e8", "up to 1e9",   "more",
};

static const out_column columns[] = {
    { "kind", 10 },    { "answer", 12 },   { "questions", 10 },
    { "tree_us", 12 }, { "brute_us", 12 }, { "ratio", 10 },
};

double time_by_size_best(int round, double so_far, double seconds)
{
    return round == 0 || seconds < so_far ? seconds : so_far;
}

void time_by_size_add(time_by_size *s, uint64_t size, double tree, double brute)
{
    int bin = 0;
    for (uint64_t most = 1; bin + 1 < TIME_SIZES && size >= most; bin++) {
        most = bin == 0 ? 11 : (most - 1) * 10 + 1;
    }
    s->size[bin].questions++;
    s->size[bin].tree += tree;
    s->size[bin].brute += brute;
}

static void put_rows(output *out, const time_by_size *s, const char *kind)
{
    for (int i = 0; i < TIME_SIZES; i++) {
        const double n = (double)s->size[i].questions;
        if (n == 0) {
            continue;
        }
        const double tree = s->size[i].tree, brute = s->size[i].brute;
        const out_value values[] = {
            value_text(kind),
            value_text(size_words[i]),
            value_count(s->size[i].questions),
            value_rounded(tree / n * 1e6, 4),
            value_rounded(brute / n * 1e6, 4),
            value_rounded(tree > 0 ? brute / tree : 0, 4),
        };
        output_row(out, values);
    }
}

void time_by_size_put(output *out, const time_by_size *s, const char *const *kinds, size_t count)
{
    output beside = { .format = OUTPUT_TEXT, .file.stream = stderr };
    output *to = out->format == OUTPUT_JSON ? out : &beside;
    time_by_size all = { .size = { { 0, 0, 0 } } };
    output_table_begin(to, "time_by_size", columns, sizeof columns / sizeof columns[0]);
    for (size_t kind = 0; kind < count; kind++) {
        put_rows(to, &s[kind], kinds[kind]);
        for (int i = 0; i < TIME_SIZES; i++) {
            all.size[i].questions += s[kind].size[i].questions;
            all.size[i].tree += s[kind].size[i].tree;
            all.size[i].brute += s[kind].size[i].brute;
        }
    }
    if (count > 1) {
        put_rows(to, &all, "all");
    }
    output_table_end(to);
}
