/* pick/begin.c: what reports of picks begin with, however they were found. */
#include "tools/pick/pick.h"

int pick_print_begin(const pick_run *run, bool found, output *out, bool *table)
{
    const pick_options *options = run->options;
    const common_options *common = &options->common;
    const output_format format = common->json   ? OUTPUT_JSON
                                 : options->csv ? OUTPUT_CSV
                                                : OUTPUT_TEXT;
    const int status = output_open(out, NULL, format, "pick", common_use_color(common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    *table = options->all || format == OUTPUT_CSV;
    const out_value at[2] = { value_float(run->x), value_float(run->y) };
    if (format == OUTPUT_JSON || !*table) {
        output_fields(out, "at", at, 2);
        output_field(out, "hit", value_bool(found));
    }
    return EXIT_DONE;
}
