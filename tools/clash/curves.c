/* clash/curves.c: where the surfaces of two meshes cross: points of polylines, and the triangles
 * that each of their segments lies on. */
#include "tools/clash/clash.h"
#include "tools/cli/report.h"

#include <math.h>

static double curves_length(const sl_curves *curves)
{
    double length = 0;
    for (size_t curve = 0; curve < curves->curve_count; curve++) {
        for (size_t k = curves->starts[curve]; k + 1 < curves->starts[curve + 1]; k++) {
            const double *p = curves->points[k], *q = curves->points[k + 1];
            length += sqrt((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]) +
                           (q[2] - p[2]) * (q[2] - p[2]));
        }
    }
    return length;
}

/* The last point of a curve begins no segment. */
static void curves_row(output *out, const sl_curves *curves, size_t curve, size_t k)
{
    const sl_clash_pair *pair = &curves->pairs[k];
    const bool last = k + 1 == curves->starts[curve + 1];
    const out_value row[] = {
        value_count(curve),
        value_double(curves->points[k][0]),
        value_double(curves->points[k][1]),
        value_double(curves->points[k][2]),
        last ? value_nothing() : value_count(pair->a.instance),
        last ? value_nothing() : value_count(pair->a.prim),
        last ? value_nothing() : value_count(pair->b.instance),
        last ? value_nothing() : value_count(pair->b.prim),
    };
    output_row(out, row);
}

static void curves_table(clash_run *run, const sl_curves *curves)
{
    static const out_column columns[] = {
        { "curve", 6 },       { "x", 12 },     { "y", 12 },          { "z", 12 },
        { "instance_a", 10 }, { "prim_a", 9 }, { "instance_b", 10 }, { "prim_b", 9 },
    };
    uint64_t left = run->out.format == OUTPUT_TEXT ? run->options->limit : UINT64_MAX;
    if (left == 0 || (run->out.format == OUTPUT_TEXT && curves->curve_count == 0)) {
        return;
    }
    output_table_begin(&run->out, "points", columns, sizeof columns / sizeof columns[0]);
    for (size_t curve = 0; curve < curves->curve_count; curve++) {
        for (size_t k = curves->starts[curve]; k < curves->starts[curve + 1] && left > 0; k++) {
            curves_row(&run->out, curves, curve, k);
            left--;
        }
    }
    output_table_end(&run->out);
}

int clash_curves(clash_run *run)
{
    const sl_hooks hooks = { .progress = progress_hook(&run->in[0].bar) };
    sl_curves *curves = NULL;
    sl_error error;
    const sl_result result =
        sl_bvh_clash_curves(run->in[0].bvh, run->in[1].bvh, &run->clash, &hooks, &curves, &error);
    progress_end(&run->in[0].bar);
    if (result != SL_OK) {
        return report_error(&error);
    }
    run->is_no = curves->curve_count == 0;
    output_field(&run->out, "curve_count", value_count(curves->curve_count));
    output_field(&run->out, "length", value_rounded(curves_length(curves), 9));
    curves_table(run, curves);
    sl_curves_destroy(curves);
    return EXIT_DONE;
}
