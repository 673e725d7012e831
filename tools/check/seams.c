/* check/seams.c: prints corners of neighbouring instances that are close and not equal. */
#include "tools/check/check.h"
#include "tools/cli/report.h"

#include <sightline/flatten.h>

#include <stdlib.h>

static void print_seams(output *out, const mesh_in *in, const sl_seam *seams, size_t count)
{
    static const out_column columns[] = {
        { "instance_a", 10 }, { "prim_a", 9 },   { "vertex_a", 8 },  { "instance_b", 10 },
        { "prim_b", 9 },      { "vertex_b", 8 }, { "distance", 10 }, { "x", 12 },
        { "y", 12 },          { "z", 12 },
    };
    output_table_begin(out, "seams", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < count; i++) {
        const sl_seam_corner *a = &seams[i].a, *b = &seams[i].b;
        double x[3][3];
        (void)sl_bvh_triangle(in->bvh, a->triangle, x);
        const out_value values[] = {
            value_count(a->triangle.instance),
            value_count(a->triangle.prim),
            value_count(a->vertex),
            value_count(b->triangle.instance),
            value_count(b->triangle.prim),
            value_count(b->vertex),
            value_rounded(seams[i].distance, 4),
            value_double(x[a->vertex][0]),
            value_double(x[a->vertex][1]),
            value_double(x[a->vertex][2]),
        };
        output_row(out, values);
    }
    output_table_end(out);
}

int check_seams_print(output *out, mesh_in *in, double tolerance, size_t limit, bool *fine)
{
    sl_seams_def def = { 0 };
    sl_seams_report report;
    sl_error error;
    uint64_t most = 3 * mesh_in_triangles(in); /* no more rows than corners */
    most = limit < most ? limit : most;
    sl_seam *seams = malloc((size_t)(most + 1) * sizeof *seams);
    if (seams == NULL) {
        return report_memory();
    }
    def.tolerance = tolerance;
    if (sl_bvh_find_seams(in->bvh, &def, seams, (size_t)most, &report, &error) != SL_OK) {
        free(seams);
        return report_error(&error);
    }
    *fine = report.count == 0;
    if (report.count > 0 || out->format == OUTPUT_CSV) {
        print_seams(out, in, seams, (size_t)(report.count < most ? report.count : most));
    }
    free(seams);
    output_field(out, "file", value_text(in->name));
    output_field(out, "instances", value_count(in->scene->info.instance_count));
    output_field(out, "left_out", value_count(in->scene->info.left_out_count));
    output_field(out, "tolerance", value_rounded(report.tolerance, 6));
    output_field(out, "corners", value_count(report.corners));
    output_field(out, "shared_corners", value_count(report.shared));
    output_field(out, "seam_count", value_count(report.count));
    output_field(out, "widest_seam", value_rounded(report.worst, 4));
    output_field(out, "fine", value_bool(*fine));
    return EXIT_DONE;
}
