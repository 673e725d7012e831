/* los/sight.c: the options of 'los --matrix', all points of a file with all of another, and of 'los
 * --viewshed', what is seen from a point of the ground or of a plane. */
#include "tools/los/sight.h"

#include "tools/cli/report.h"
#include "tools/output/file_name.h"

#include <string.h>

static const char *const axis_words[] = { "y", "z", NULL };

const option_row sight_matrix_rows[] = {
    OPTION_ROW(
        TEXT, "matrix", sight_options, matrix, "FILE",
        "instead of pairs: each of these points with each of --targets, one a line: x y z, or "
        "CSV whose header names these, or .npy, (N, 3); '-' is stdin. A row of 0 and 1 for "
        "each, in CSV; -o NAME.npy writes bool (N, M), -o NAME.png a picture, a pixel for "
        "each pair, light for those that see each other",
        .file = OPTION_READ, .main = true),
    OPTION_ROW(TEXT, "targets", sight_options, targets, "FILE",
               "the other points of --matrix; without it those of --matrix themselves",
               .file = OPTION_READ, .main = true),
    { .name = NULL },
};

const option_row sight_view_rows[] = {
    OPTION_ROW(
        REALS, "viewshed", sight_options, viewshed, "X,Y,Z",
        "instead of pairs: what is seen from this point, of the ground all over MESH, looked "
        "at from above. A number for each cell, 1 seen, 0 not, 2 where there is no ground, in "
        "CSV; -o NAME.npy writes uint8 (H, W), -o NAME.png a picture",
        .length = 3, .main = true),
    OPTION_ROW(TEXT, "size", sight_options, size, "WxH", "cells of --viewshed",
               .fallback = "256x256"),
    OPTION_ROW(REAL, "rise", sight_options, rise, "UNITS",
               "how far above the ground --viewshed looks, such as 1.7 for heads; 0: a thousandth "
               "of the size of MESH",
               .fallback = "0", .min = 0, .max = 3e38),
    OPTION_ROW(REAL, "plane", sight_options, plane, "HEIGHT",
               "look at a plane at this height instead of the ground", .min = -3e38, .max = 3e38),
    OPTION_CHOICE_ROW("up-axis", sight_options, up_axis, axis_words,
                      "the axis that points up, for --viewshed", .fallback = "y"),
    { .name = NULL },
};

int sight_check(const invocation *call)
{
    const sight_options *o = &((const los_options *)call->options)->sight;
    const ask_options *ask = call->options;
    const bool view = options_given(call, "viewshed");
    static const char *const of_view[] = { "size", "rise", "plane", "up-axis", NULL };
    static const char *const of_pairs[] = { "segments", "segment", "proxy", "stats", NULL };
    if (o->matrix == NULL && o->targets != NULL) {
        return report_usage(call->command, "--targets needs --matrix, the points that look");
    }
    const char *other = options_first_given(call, of_view);
    if (other != NULL && !view) {
        return report_usage(call->command, "--%s is for --viewshed", other);
    }
    if (o->matrix == NULL && !view) {
        return EXIT_DONE;
    }
    if (o->matrix != NULL && view) {
        return report_usage(call->command, "--matrix and --viewshed exclude each other");
    }
    other = options_first_given(call, of_pairs);
    if (other != NULL) {
        return report_usage(call->command, "--%s and --%s exclude each other",
                            view ? "viewshed" : "matrix", other);
    }
    if (options_given(call, "rise") && options_given(call, "plane")) {
        return report_usage(call->command, "--rise is above the ground, and --plane has none");
    }
    if (ask->common.json && !ask->summary) {
        return report_usage(call->command, "--json is for --summary here; cells are CSV, .npy or "
                                           ".png");
    }
    uint32_t sides[2];
    int status = file_name_check(call, "out", ask->out, ".csv .npy .png");
    status = status == EXIT_DONE ? camera_in_size(call, o->size, &sides[0], &sides[1]) : status;
    if (status == EXIT_DONE && parts_wanted(&ask->parts) && file_name_ends(ask->out, ".png")) {
        status = report_usage(call->command,
                              "a picture is not made of parts; choose .csv or .npy with --%s",
                              ask->parts.resume ? "resume" : "part");
    }
    const bool piped = o->targets != NULL && strcmp(o->targets, "-") == 0;
    const char *queries = piped ? o->targets : o->matrix;
    return status == EXIT_DONE ? parts_check(call, &ask->parts, ask->out, queries, ask->common.json)
                               : status;
}

static int check_stdin(const invocation *call)
{
    const sight_options *o = &((const los_options *)call->options)->sight;
    const int status = mesh_in_check_stdin(call, "matrix", o->matrix);
    return status == EXIT_DONE ? mesh_in_check_stdin(call, "targets", o->targets) : status;
}

static int answer_sight(ask_run *run)
{
    const los_options *o = run->call->options;
    return o->sight.matrix != NULL ? sight_matrix(run) : sight_viewshed(run);
}

const ask_query ask_query_sight = { .check = check_stdin, .answer = answer_sight };
