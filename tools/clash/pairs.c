/* clash/pairs.c: which triangles of two meshes meet, and how. */
#include "tools/clash/clash.h"
#include "tools/cli/report.h"

#include <stdlib.h>

const char *const clash_relation_words[] = { "apart", "touching", "coplanar_same",
                                             "coplanar_opposite", "crossing" };
enum { RELATIONS = SL_CROSSING + 1 };

static void pairs_table(clash_run *run, const sl_clash_pair *pairs, size_t count)
{
    output *out = &run->out;
    const char *names[2 * MESH_IN_TOLD];
    out_column columns[2 * MESH_IN_TOLD + 2];
    const size_t told = mesh_in_told(&run->in[0], false, names);
    const size_t all = told + mesh_in_told(&run->in[1], true, names + told);
    for (size_t i = 0; i < all; i++) {
        columns[i] = (out_column){ names[i], 10 };
    }
    columns[all] = (out_column){ "relation", 17 };
    columns[all + 1] = (out_column){ "distance", 12 };
    const size_t most = out->format == OUTPUT_TEXT && run->options->limit < count
                            ? (size_t)run->options->limit
                            : count;
    if (most == 0 && out->format == OUTPUT_TEXT) {
        return;
    }
    output_table_begin(out, "pairs", columns, all + 2);
    for (size_t i = 0; i < most; i++) {
        out_value row[2 * MESH_IN_TOLD + 2];
        mesh_in_tell(&run->in[0], pairs[i].a, row);
        mesh_in_tell(&run->in[1], pairs[i].b, row + told);
        row[all] = value_text(clash_relation_words[pairs[i].relation]);
        row[all + 1] = value_float(pairs[i].distance);
        output_row(out, row);
    }
    output_table_end(out);
}

static void pairs_summary(clash_run *run, const sl_clash_pair *pairs, size_t count)
{
    uint64_t counts[RELATIONS] = { 0 };
    for (size_t i = 0; i < count; i++) {
        counts[pairs[i].relation]++;
    }
    output_field(&run->out, "pair_count", value_count(count));
    for (int i = RELATIONS - 1; i >= 0; i--) {
        if (i != SL_APART || run->options->margin > 0) {
            output_field(&run->out, i == SL_APART ? "within_margin" : clash_relation_words[i],
                         value_count(counts[i]));
        }
    }
}

const char *const clash_solid_words[] = { "apart",      "touching", "overlapping", "a_inside_b",
                                          "b_inside_a", "equal",    "open" };

static int pairs_solids(clash_run *run)
{
    const sl_solids_def def = { .hooks.progress = progress_hook(&run->in[0].bar) };
    sl_solids solids;
    sl_error error;
    const sl_result result = sl_bvh_solids(run->in[0].bvh, run->in[1].bvh, &def, &solids, &error);
    progress_end(&run->in[0].bar);
    if (result != SL_OK) {
        return report_error(&error);
    }
    output_field(&run->out, "solids", value_text(clash_solid_words[solids.relation]));
    output_field(&run->out, "open_a", value_bool(solids.open[0]));
    output_field(&run->out, "open_b", value_bool(solids.open[1]));
    output_field(&run->out, "boundaries_meet", value_bool(solids.boundaries_meet));
    run->is_no =
        run->is_no && (solids.relation == SL_SOLIDS_APART || solids.relation == SL_SOLIDS_NONE);
    return EXIT_DONE;
}

static int pairs_draw(clash_run *run, const sl_clash_pair *pairs, size_t count)
{
    static const clash_color colors[RELATIONS] = { CLASH_BLUE, CLASH_YELLOW, CLASH_ORANGE,
                                                   CLASH_ORANGE, CLASH_RED };
    static const char *const words[CLASH_COLORS] = { "CROSSING", "COPLANAR", "TOUCHING",
                                                     "WITHIN MARGIN" };
    const uint32_t offset = (uint32_t)mesh_in_instances(&run->in[0]);
    clash_mark *marks = malloc((2 * count + 1) * sizeof *marks);
    int status = marks != NULL ? clash_world_of_two(run) : report_memory();
    for (size_t i = 0; i < count && status == EXIT_DONE; i++) {
        const clash_color color = colors[pairs[i].relation];
        marks[2 * i] = (clash_mark){ pairs[i].a, color };
        marks[2 * i + 1] = (clash_mark){ pairs[i].b, color };
        marks[2 * i + 1].triangle.instance += offset;
    }
    status = status == EXIT_DONE ? clash_picture(run, marks, 2 * count, words) : status;
    free(marks);
    return status;
}

/* All pairs, in an array that grows until they fit. */
static int pairs_find(clash_run *run, sl_clash_pair **pairs, size_t *count)
{
    size_t capacity = 1 << 16;
    for (*pairs = NULL;;) {
        sl_clash_pair *more = realloc(*pairs, capacity * sizeof *more);
        if (more == NULL) {
            return report_memory();
        }
        *pairs = more;
        *count = sl_bvh_clash_all(run->in[0].bvh, run->in[1].bvh, &run->clash, more, capacity,
                                  run->in[0].tasks, NULL);
        if (*count <= capacity) {
            return EXIT_DONE;
        }
        capacity = *count;
    }
}

static int pairs_list(clash_run *run)
{
    sl_clash_pair *pairs;
    size_t count = 0;
    int status = pairs_find(run, &pairs, &count);
    run->is_no = count == 0;
    if (status == EXIT_DONE) {
        pairs_summary(run, pairs, count);
        status = run->options->solids ? pairs_solids(run) : EXIT_DONE;
        pairs_table(run, pairs, count);
    }
    if (status == EXIT_DONE && run->options->picture != NULL) {
        status = pairs_draw(run, pairs, count);
    }
    free(pairs);
    return status;
}

int clash_pairs(clash_run *run)
{
    const sl_bvh *a = run->in[0].bvh, *b = run->in[1].bvh;
    if (run->options->mode == CLASH_LIST) {
        return pairs_list(run);
    }
    const bool csv = run->out.format == OUTPUT_CSV;
    if (csv) {
        output_record_begin(&run->out, "clash");
    }
    if (run->options->mode == CLASH_ANY) {
        run->is_no = !sl_bvh_clash_any(a, b, &run->clash);
        output_field(&run->out, "clash", value_bool(!run->is_no));
    } else {
        const size_t count = sl_bvh_clash_all(a, b, &run->clash, NULL, 0, run->in[0].tasks, NULL);
        run->is_no = count == 0;
        output_field(&run->out, "pair_count", value_count(count));
    }
    const int status = run->options->solids ? pairs_solids(run) : EXIT_DONE;
    if (csv) {
        output_record_end(&run->out);
    }
    return status;
}
