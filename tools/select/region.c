/* select/region.c: the region that the options name. */
#include "tools/cli/numbers.h"
#include "tools/cli/report.h"
#include "tools/input/lines.h"
#include "tools/select/select.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_CORNERS_MAX = 4096 };

/* Numbers of one option: count of them; or with count 0 any even number, at least two. */
static int bad_numbers(const select_run *run, const char *option, const char *text,
                       const char *expected)
{
    return report_usage(run->call->command, "--%s is '%s'; it must be %s, in pixels", option, text,
                        expected);
}

static int make_rectangle(select_run *run, const char *text)
{
    double at[4];
    if (numbers_parse_d(text, at, 4) != 4 || !numbers_are_finite(at, 4)) {
        return bad_numbers(run, "rect", text, "X0,Y0,X1,Y1");
    }
    run->region = sl_region_rectangle(at, at + 2);
    return EXIT_DONE;
}

static int make_brush(select_run *run, const char *text)
{
    double at[5];
    const int count = numbers_parse_d(text, at, 5);
    if ((count != 3 && count != 5) || !numbers_are_finite(at, (size_t)count) ||
        !(at[count - 1] >= 0)) {
        return bad_numbers(run, "brush", text,
                           "X,Y,R, or for a stroke X0,Y0,X1,Y1,R, with a radius of 0 or more");
    }
    run->region = sl_region_brush(at, count == 3 ? at : at + 2, at[count - 1]);
    return EXIT_DONE;
}

/* Corners of a file: a line for each. */
static int read_corners(select_run *run, const char *path, size_t *count)
{
    lines_in in;
    size_t capacity = 0;
    int status = lines_open(&in, path, "corner");
    for (bool end = false; status == EXIT_DONE && !end;) {
        char line[LINE_MAX_SIZE];
        double at[2];
        status = lines_next(&in, line, &end);
        if (status != EXIT_DONE || end || line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        if (numbers_parse_d(line, at, 2) != 2 || !numbers_are_finite(at, 2)) {
            status = report_input(in.name, in.line, "not a corner; expected X,Y in pixels");
            continue;
        }
        double *more = scene_in_grow(run->corners, *count, &capacity, sizeof at);
        status = more != NULL ? EXIT_DONE : EXIT_FAILED;
        if (more != NULL) {
            run->corners = more;
            memcpy(run->corners + 2 * (*count)++, at, sizeof at);
        }
    }
    lines_close(&in);
    return status;
}

static int make_lasso(select_run *run, const char *text)
{
    size_t count = 0;
    if (text[0] == '@') {
        int status = mesh_in_check_stdin(run->call, "lasso", text + 1);
        status = status == EXIT_DONE ? read_corners(run, text + 1, &count) : status;
        if (status == EXIT_DONE && count == 0) {
            status =
                report_input(text + 1, 0, "there are no corners; expected a line X,Y for each");
        }
        run->region =
            (sl_region){ .kind = SL_REGION_LASSO, .corners = run->corners, .corner_count = count };
        return status;
    }
    run->corners = malloc(2 * TEXT_CORNERS_MAX * sizeof *run->corners);
    if (run->corners == NULL) {
        return report_memory();
    }
    const int numbers = numbers_parse_d(text, run->corners, 2 * TEXT_CORNERS_MAX);
    if (numbers <= 0 || numbers > 2 * TEXT_CORNERS_MAX || numbers % 2 != 0 ||
        !numbers_are_finite(run->corners, (size_t)numbers)) {
        return bad_numbers(run, "lasso", text,
                           "X,Y,X,Y and so on, or @ and the name of a file with a line for each");
    }
    run->region = (sl_region){ .kind = SL_REGION_LASSO,
                               .corners = run->corners,
                               .corner_count = (size_t)numbers / 2 };
    return EXIT_DONE;
}

int select_region(select_run *run)
{
    const select_options *o = run->options;
    if ((o->rect != NULL) + (o->lasso != NULL) + (o->brush != NULL) != 1) {
        return report_usage(run->call->command,
                            "there must be one region: --rect, --lasso or --brush");
    }
    return o->rect != NULL    ? make_rectangle(run, o->rect)
           : o->lasso != NULL ? make_lasso(run, o->lasso)
                              : make_brush(run, o->brush);
}
