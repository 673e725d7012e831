/* ask/volume_lines.c: the files of --volumes and --sweeps. */
#include "tools/ask/source.h"

#include "tools/cli/numbers.h"
#include "tools/cli/report.h"

#include <math.h>
#include <string.h>

/* The most numbers of a line: of a hull, and of its motion. */
enum { LINE_NUMBERS_MAX = VOLUME_SPEC_NUMBERS_MAX + 3 };

/* dir: NULL of a volume that stands; else the last three numbers. */
static int parse_volume(const lines_in *in, char *line, float numbers[LINE_NUMBERS_MAX],
                        sl_volume *to, float *dir)
{
    const size_t word_size = strcspn(line, ", \t\r");
    char *behind = line + word_size;
    if (*behind != '\0') {
        *behind++ = '\0';
    }
    behind += strspn(behind, " \t\r");
    behind += *behind == ',';
    char what[VOLUME_SPEC_MESSAGE_MAX];
    int count = numbers_parse(behind, numbers, LINE_NUMBERS_MAX);
    if (dir != NULL) {
        if (strcmp(line, "planes") == 0) {
            return report_input(in->name, in->line,
                                "planes do not move; write aabb, sphere, obb, capsule, triangle or "
                                "hull");
        }
        const int end = count < LINE_NUMBERS_MAX ? count : LINE_NUMBERS_MAX;
        if (end < 3 || !(isfinite(numbers[end - 3]) && isfinite(numbers[end - 2]) &&
                         isfinite(numbers[end - 1]))) {
            return report_input(in->name, in->line,
                                "a sweep is a volume and the three finite numbers of its motion");
        }
        count -= 3;
        memcpy(dir, numbers + end - 3, 3 * sizeof *dir);
    }
    return volume_spec_fill(to, line, numbers, count, dir != NULL, what, sizeof what)
               ? EXIT_DONE
               : report_input(in->name, in->line, "%s%s", what,
                              dir != NULL ? " (the last three numbers are the motion)" : "");
}

/* The next line that is not blank, or the end. */
static int next_volume(lines_in *in, char line[LINE_MAX_SIZE], char **at, bool *end)
{
    int status;
    do {
        status = lines_next(in, line, end);
        *at = line + strspn(line, " \t\r");
    } while (status == EXIT_DONE && !*end && **at == '\0');
    return status;
}

/* volumes or sweeps is NULL. */
static int lines_fill(lines_in *in, float points[VOLUME_LINES_POINTS], sl_volume *volumes,
                      sl_sweep *sweeps, size_t capacity, size_t *count)
{
    char line[LINE_MAX_SIZE], *at;
    float *const behind = points + VOLUME_LINES_POINTS;
    bool end = false;
    *count = 0;
    while (*count < capacity && behind - points >= LINE_NUMBERS_MAX &&
           (*count == 0 || lines_ready(in))) {
        sl_volume *to = sweeps == NULL ? &volumes[*count] : &sweeps[*count].volume;
        int status = next_volume(in, line, &at, &end);
        if (status == EXIT_DONE && !end) {
            status = parse_volume(in, at, points, to, sweeps == NULL ? NULL : sweeps[*count].dir);
        }
        if (status != EXIT_DONE || end) {
            return status;
        }
        points += to->kind == SL_VOLUME_HULL ? 3 * to->shape.hull.count : 0;
        (*count)++;
    }
    return EXIT_DONE;
}

int volume_lines_fill(lines_in *in, float points[VOLUME_LINES_POINTS], sl_volume *to,
                      size_t capacity, size_t *count)
{
    return lines_fill(in, points, to, NULL, capacity, count);
}

int sweep_lines_fill(lines_in *in, float points[VOLUME_LINES_POINTS], sl_sweep *to, size_t capacity,
                     size_t *count)
{
    return lines_fill(in, points, NULL, to, capacity, count);
}
