/* ask/volume_lines.c: the file of --volumes. */
#include "tools/ask/source.h"

#include "tools/cli/numbers.h"
#include "tools/cli/report.h"

#include <string.h>

static int parse_volume(const lines_in *in, char *line, sl_volume *to)
{
    enum { MOST = 4 * SL_FRUSTUM_PLANES_MAX };
    float numbers[MOST];
    const size_t word_size = strcspn(line, ", \t\r");
    char *behind = line + word_size;
    if (*behind != '\0') {
        *behind++ = '\0';
    }
    behind += strspn(behind, " \t\r");
    behind += *behind == ',';
    char what[VOLUME_SPEC_MESSAGE_MAX];
    const int count = numbers_parse(behind, numbers, MOST);
    return volume_spec_fill(to, line, numbers, count, what, sizeof what)
               ? EXIT_DONE
               : report_input(in->name, in->line, "%s", what);
}

int volume_lines_fill(lines_in *in, sl_volume *to, size_t capacity, size_t *count)
{
    char line[LINE_MAX_SIZE];
    bool end = false;
    *count = 0;
    while (*count < capacity && (*count == 0 || lines_ready(in))) {
        int status = lines_next(in, line, &end);
        if (status != EXIT_DONE || end) {
            return status;
        }
        char *at = line + strspn(line, " \t\r");
        if (*at == '\0') {
            continue;
        }
        status = parse_volume(in, at, &to[*count]);
        if (status != EXIT_DONE) {
            return status;
        }
        (*count)++;
    }
    return EXIT_DONE;
}
