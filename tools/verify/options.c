/* verify/options.c: --verify and what goes with it, for every subcommand that asks a tree. */
#include "tools/verify/options.h"

#include "tools/cli/report.h"
#include "tools/output/npy.h"

const option_row verify_rows[] = {
    OPTION_FLAG_ROW(
        "box-filter", verify_options, box_filter,
        "for --verify of large meshes: test exactly only the triangles whose bounds come "
        "near"),
    OPTION_FLAG_ROW(
        "verify", verify_options, verify,
        "instead of answers, put every question that there is to the tree, compare bit for "
        "bit with every triangle in turn, and report differences"),
    OPTION_FLAG_ROW("brute", verify_options, brute,
                    "answer without the tree, from every triangle in turn"),
    OPTION_ROW(COUNT, "snap", verify_options, snap, "BITS",
               "first move vertices to a lattice of 2^BITS steps across the mesh, so that touching "
               "and equal distances are frequent",
               .min = 2, .max = 20),
    { .name = NULL },
};

int verify_check(const invocation *call, const verify_options *o, const char *out, const char *skip)
{
    if (o->verify && npy_is_name(out)) {
        return report_usage(call->command, "--verify reports in words, CSV or JSON; not in .npy");
    }
    if (o->verify && o->brute) {
        return report_usage(call->command, "--verify asks both ways; leave --brute out");
    }
    if (o->box_filter && (!o->verify || skip != NULL)) {
        return report_usage(call->command, "--box-filter is for --verify, without --skip");
    }
    return EXIT_DONE;
}
