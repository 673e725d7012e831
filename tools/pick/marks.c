/* pick/marks.c: points and wires from a text file, a line for each. */
#include "tools/cli/numbers.h"
#include "tools/cli/report.h"
#include "tools/input/lines.h"
#include "tools/pick/pick.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 7 };

/* X,Y,Z of a point or of both ends of a wire, and its tolerance or nothing. */
static bool parse_mark(const char *line, uint32_t id, sl_mark *out)
{
    double at[NUMBERS_MAX];
    const int count = numbers_parse_d(line, at, NUMBERS_MAX);
    const int places = count == 3 || count == 4 ? 3 : count == 6 || count == 7 ? 6 : 0;
    for (int i = 0; i < places; i++) {
        if (!(fabs(at[i]) <= (double)FLT_MAX)) {
            return false;
        }
    }
    const double tolerance = places > 0 && count > places ? at[places] : 0;
    if (places == 0 || !(tolerance >= 0 && tolerance <= (double)FLT_MAX)) {
        return false;
    }
    *out = places == 3 ? sl_mark_point(at, (float)tolerance, id)
                       : sl_mark_wire(at, at + 3, (float)tolerance, id);
    return true;
}

static int read_lines(lines_in *in, sl_mark **marks, size_t *count)
{
    size_t capacity = 0;
    for (bool end = false; !end;) {
        char line[LINE_MAX_SIZE];
        const int status = lines_next(in, line, &end);
        if (status != EXIT_DONE) {
            return status;
        }
        if (end || line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        sl_mark *more = scene_in_grow(*marks, *count, &capacity, sizeof *more);
        if (more == NULL) {
            return EXIT_FAILED;
        }
        *marks = more;
        if (!parse_mark(line, (uint32_t)*count, *marks + *count)) {
            return report_input(in->name, in->line,
                                "not a mark; expected X,Y,Z of a point, or X0,Y0,Z0,X1,Y1,Z1 of "
                                "a wire, and behind that a tolerance of 0 or more pixels, or "
                                "nothing");
        }
        ++*count;
    }
    return EXIT_DONE;
}

int pick_marks_read(pick_run *run)
{
    lines_in in;
    sl_mark *marks = NULL;
    size_t count = 0;
    sl_error error;
    int status = lines_open(&in, run->options->marks, "mark");
    status = status == EXIT_DONE ? read_lines(&in, &marks, &count) : status;
    if (status == EXIT_DONE && count == 0) {
        status = report_input(in.name, 0,
                              "there are no marks; expected a line for each: X,Y,Z of a point, or "
                              "X0,Y0,Z0,X1,Y1,Z1 of a wire");
    }
    if (status == EXIT_DONE && sl_marks_build(marks, count, NULL, &run->marks, &error) != SL_OK) {
        status = report_error(&error);
    }
    lines_close(&in);
    free(marks);
    return status;
}
