/* bench/report/summary.c: what the rows of several scenes come to: geometric means and the worst
 * scene of each row, and what growing costs. */
#include "tools/bench/report/report.h"

#include <math.h>
#include <string.h>

static const char torus[] = "torus"; /* the scenes of --grow */

/* The geometric mean of some figures, and the scene with the least. */
typedef struct mean {
    size_t count;
    double logs, least;
    const char *scene;
} mean;

static void add_to_mean(mean *m, bool there, double value, const char *scene)
{
    if (there && value > 0) {
        if (m->count == 0 || value < m->least) {
            m->least = value;
            m->scene = scene;
        }
        m->count++;
        m->logs += log(value);
    }
}

static out_value mean_value(const mean *m)
{
    return m->count > 0 ? value_rounded(exp(m->logs / (double)m->count), 3) : value_nothing();
}

static out_value least_value(const mean *m)
{
    return m->count > 0 ? value_rounded(m->least, 3) : value_nothing();
}

static out_value scene_value(const mean *m)
{
    return m->count > 0 ? value_text(m->scene) : value_nothing();
}

static const out_column mean_columns[] = {
    { .name = "row", .width = 12 },         { .name = "quality", .width = 8 },
    { .name = "scenes", .width = 6 },       { .name = "unit", .width = 5 },
    { .name = "ours", .width = 7 },         { .name = "over_single", .width = 11 },
    { .name = "least", .width = 6 },        { .name = "least_scene", .width = 21 },
    { .name = "ratio", .width = 6 },        { .name = "worst", .width = 6 },
    { .name = "worst_scene", .width = 21 }, { .name = "medium", .width = 6 },
    { .name = "high", .width = 6 },         { .name = "packed", .width = 6 },
    { .name = "robust", .width = 6 },
};
enum { MEAN_COLUMNS = sizeof mean_columns / sizeof mean_columns[0] };

static bool is_alike(const bench_row *a, const bench_row *b)
{
    return strcmp(a->row, b->row) == 0 && strcmp(a->quality, b->quality) == 0 &&
           strcmp(a->kernel, b->kernel) == 0 && strcmp(a->scene, torus) != 0;
}

static bool is_first_of_its_kind(const bench_row *rows, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (is_alike(&rows[i], &rows[index])) {
            return false;
        }
    }
    return strcmp(rows[index].scene, torus) != 0;
}

/* Rows of the unit x are ratios themselves: the least of them is told instead of over_single's. */
static void print_mean(output *out, const bench_row *rows, size_t count, const bench_row *like)
{
    mean ours = { 0 }, single = { 0 }, peer = { 0 };
    mean others[4] = { { 0 } };
    for (size_t i = 0; i < count; i++) {
        const bench_row *row = &rows[i];
        if (!is_alike(row, like)) {
            continue;
        }
        const bench_beside *const beside[] = { &row->medium, &row->high, &row->packed,
                                               &row->robust };
        add_to_mean(&ours, true, row->ours.median, row->scene);
        add_to_mean(&single, row->has_single, row->over_single.median, row->scene);
        add_to_mean(&peer, row->peer.there, row->peer.ratio.median, row->scene);
        for (int k = 0; k < 4; k++) {
            add_to_mean(&others[k], beside[k]->there, beside[k]->ratio.median, row->scene);
        }
    }
    const mean *times = strcmp(like->unit, "x") == 0 ? &ours : &single;
    const out_value values[MEAN_COLUMNS] = {
        value_text(like->row),  value_text(like->quality), value_count(ours.count),
        value_text(like->unit), mean_value(&ours),         mean_value(&single),
        least_value(times),     scene_value(times),        mean_value(&peer),
        least_value(&peer),     scene_value(&peer),        mean_value(&others[0]),
        mean_value(&others[1]), mean_value(&others[2]),    mean_value(&others[3]),
    };
    output_row(out, values);
}

/* Whether there are any but tori. */
static bool print_means(output *out, const bench_row *rows, size_t count)
{
    bool begun = false;
    for (size_t i = 0; i < count; i++) {
        if (is_first_of_its_kind(rows, i)) {
            if (!begun) {
                output_line(out, "geometric means over all scenes, and the worst of them");
                output_table_begin(out, "summary", mean_columns, MEAN_COLUMNS);
                begun = true;
            }
            print_mean(out, rows, count, &rows[i]);
        }
    }
    if (begun) {
        output_table_end(out);
    }
    return begun;
}

static const out_column growth_columns[] = {
    { .name = "row", .width = 12 },  { .name = "quality", .width = 8 },
    { .name = "from", .width = 9 },  { .name = "to", .width = 9 },
    { .name = "keeps", .width = 6 }, { .name = "peer", .width = 6 },
};
enum { GROWTH_COLUMNS = sizeof growth_columns / sizeof growth_columns[0] };

/* The same row of the torus that has a tenth of the triangles, or NULL. */
static const bench_row *find_tenth(const bench_row *rows, size_t count, const bench_row *large)
{
    if (strcmp(large->scene, torus) != 0 || strcmp(large->unit, "M/s") != 0) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const double share = (double)rows[i].triangles / (double)large->triangles;
        if (strcmp(rows[i].scene, torus) == 0 && strcmp(rows[i].row, large->row) == 0 &&
            strcmp(rows[i].quality, large->quality) == 0 && share > 0.09 && share < 0.11) {
            return &rows[i];
        }
    }
    return NULL;
}

/* What rates keep when a torus gets ten times the triangles. */
static void print_growth(output *out, const bench_row *rows, size_t count, bool behind_means)
{
    bool begun = false;
    for (size_t i = 0; i < count; i++) {
        const bench_row *large = &rows[i], *small = find_tenth(rows, count, large);
        if (small == NULL) {
            continue;
        }
        if (!begun) {
            if (behind_means) {
                output_line(out, "");
            }
            output_line(out, "what rates keep with ten times the triangles");
            output_table_begin(out, "growth", growth_columns, GROWTH_COLUMNS);
            begun = true;
        }
        const bool peer = large->peer.there && small->peer.there;
        const out_value values[GROWTH_COLUMNS] = {
            value_text(large->row),
            value_text(large->quality),
            value_count(small->triangles),
            value_count(large->triangles),
            value_rounded(large->ours.median / small->ours.median, 3),
            peer ? value_rounded(large->peer.value.median / small->peer.value.median, 3)
                 : value_nothing(),
        };
        output_row(out, values);
    }
    if (begun) {
        output_table_end(out);
    }
}

bool bench_summary_is_due(const bench_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (find_tenth(rows, count, &rows[i]) != NULL) {
            return true;
        }
        for (size_t j = 0; j < i; j++) {
            if (is_alike(&rows[i], &rows[j])) {
                return true;
            }
        }
    }
    return false;
}

void bench_summary_print(output *out, const bench_row *rows, size_t count)
{
    const bool means = print_means(out, rows, count);
    if (out->format != OUTPUT_CSV) {
        print_growth(out, rows, count, means);
    }
}
