/* generate/options.c: --number and --seed, for every subcommand that has --generate. */
#include "tools/generate/options.h"

#include "tools/cli/report.h"

#include <string.h>

const option_row generate_rows[] = {
    OPTION_ROW(COUNT, "number", generate_options, number, "N",
               "for --generate: how many to generate of each kind", .fallback = "1000", .min = 1,
               .max = 1e12, .not_names = "count n samples"),
    OPTION_ROW(COUNT, "seed", generate_options, seed, "S",
               "for --generate: the start of the random numbers; another seed gives other queries",
               .fallback = "1"),
    { .name = NULL },
};

int generate_check(const invocation *call, const generate_options *o, int all_kinds,
                   const char *what, const char *file, bool optional)
{
    const bool generates = options_given(call, "generate");
    if (!generates && file == NULL && !optional) {
        return report_usage(call->command, "there are no %s; name --%s, --%.*s or --generate", what,
                            what, (int)strlen(what) - 1, what);
    }
    if (generates && o->kind == all_kinds && !options_given(call, "verify")) {
        return report_usage(call->command, "--generate all needs --verify; else name one kind");
    }
    if (!generates && (options_given(call, "number") || options_given(call, "seed"))) {
        return report_usage(call->command, "--number and --seed need --generate");
    }
    return EXIT_DONE;
}
