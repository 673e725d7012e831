/* parts/options.c: the options of runs that are cut into parts, or go on where they were stopped.
 */
#include "tools/parts/options.h"

#include "tools/cli/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const option_row parts_rows[] = {
    OPTION_ROW(
        TEXT, "part", parts_options, part, "I/N",
        "answer only the I-th of N shares of the questions, I from 1 to N, and write a part "
        "file, OUT.I-of-N.part, where OUT is what --out names; 'sightline merge -o OUT' puts "
        "N of them together, to the bytes of one run",
        .not_names = "share shard chunk"),
    OPTION_FLAG_ROW(
        "resume", parts_options, resume,
        "keep what is answered in a file beside --out whose name ends in .partial, and go on "
        "there after an interrupt, a crash or a full disk; where all is done, do nothing",
        .not_names = "continue restart"),
    { .name = NULL },
};

bool parts_wanted(const parts_options *options)
{
    return options->part != NULL || options->resume;
}

/* Digits alone, from 1 to 10^9. */
static bool parse_number(const char *text, char end, uint64_t *number, const char **behind)
{
    char *stop;
    errno = 0;
    *number = strtoull(text, &stop, 10);
    *behind = stop + 1;
    return text[0] >= '0' && text[0] <= '9' && errno == 0 && *stop == end && *number >= 1 &&
           *number <= 1000000000;
}

bool parts_parse(const char *part, uint64_t *index, uint64_t *of)
{
    const char *at;
    *index = *of = 1;
    return part == NULL || (parse_number(part, '/', index, &at) &&
                            parse_number(at, '\0', of, &at) && *index <= *of);
}

int parts_check(const invocation *call, const parts_options *options, const char *out,
                const char *questions, bool json)
{
    uint64_t index, of;
    if (!parts_wanted(options)) {
        return EXIT_DONE;
    }
    const char *name = options->resume ? "resume" : "part";
    if (!parts_parse(options->part, &index, &of)) {
        return report_usage(call->command,
                            "--part is '%s'; it must be I/N, whole numbers with 1 <= I <= N <= 1e9",
                            options->part);
    }
    if (out == NULL || strcmp(out, "-") == 0) {
        return report_usage(call->command,
                            "--%s needs a file to write; name the one that all parts make together "
                            "with --out",
                            name);
    }
    if (options->resume && questions != NULL && strcmp(questions, "-") == 0) {
        return report_usage(call->command, "--resume cannot read stdin again; name a file");
    }
    if (json && options_given(call, "stats")) {
        return report_usage(call->command,
                            "--stats in JSON tells the time of one run; leave it out with --%s",
                            name);
    }
    if (options_given(call, "verify")) {
        return report_usage(call->command, "--verify and --%s exclude each other", name);
    }
    return EXIT_DONE;
}

uint64_t parts_begin_of(uint64_t index, uint64_t of, uint64_t total)
{
    /* total * index / of without overflow: of is 10^9 at most. */
    const uint64_t whole = total / of, rest = total % of;
    return whole * index + rest * index / of;
}
