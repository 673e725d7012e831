/* merge/command.c: puts the part files of other subcommands together. */
#include "tools/cli/common.h"
#include "tools/cli/report.h"
#include "tools/parts/merge.h"
#include "tools/parts/names.h"

#include <stdlib.h>
#include <string.h>

typedef struct merge_options {
    const char *out;
} merge_options;

static const option_row rows[] = {
    OPTION_ROW(TEXT, "out", merge_options, out, "OUT",
               "write there instead of stdout; without PARTS those that --part made for this name: "
               "OUT.1-of-N.part and so on, in its folder",
               .file = OPTION_WRITTEN, .letter = 'o', .main = true),
    { .name = NULL },
};

/* The parts that are named after what they make; all of them are asked for, there or not. */
static int merge_found(const char *out)
{
    uint64_t of;
    int status = parts_find(out, &of);
    if (status == EXIT_DONE && of == 0) {
        status = report_input(out, 0,
                              "there is no part of it, a file named like it with "
                              ".1-of-N.part behind; make parts with --part, or name them");
    }
    char **names = status == EXIT_DONE ? calloc((size_t)of, sizeof *names) : NULL;
    status = status == EXIT_DONE && names == NULL ? report_memory() : status;
    for (uint64_t i = 0; status == EXIT_DONE && i < of; i++) {
        names[i] = parts_name(out, i + 1, of);
        status = names[i] != NULL ? EXIT_DONE : EXIT_FAILED;
    }
    status =
        status == EXIT_DONE ? parts_merge((const char *const *)names, (size_t)of, out) : status;
    for (uint64_t i = 0; names != NULL && i < of; i++) {
        free(names[i]);
    }
    free(names);
    return status;
}

static int merge_run(const invocation *call)
{
    const merge_options *o = call->options;
    if (call->argument_count > 0) {
        return parts_merge((const char *const *)call->arguments, call->argument_count, o->out);
    }
    if (o->out == NULL || strcmp(o->out, "-") == 0) {
        return report_usage(call->command, "there are no parts; name them, or what they make with "
                                           "--out");
    }
    return merge_found(o->out);
}

const subcommand command_merge = {
    .name = "merge",
    .line = "parts of a run, made by --part, into what one run would write",
    .usage = "[PARTS...] [-o OUT]",
    .about = "Puts together the part files that cast, los, nearest, within and inside write with "
             "--part: exactly the bytes that one run without it would write. PARTS may be named in "
             "any order; without them, those of OUT are found by their names. A part that is "
             "missing, named twice, cut off, damaged, unfinished or of another mesh, of other "
             "questions or options is an error that names it. Memory does not grow with the parts.",
    .examples = "  sightline merge -o hits.npy\n"
                "  sightline merge hits.csv.*.part -o hits.csv\n",
    .no = "there was one question, and the answer is no",
    .argument_max = SIZE_MAX,
    .options_size = sizeof(merge_options),
    .groups = { { .title = "Merging", .rows = rows } },
    .run = merge_run,
};
