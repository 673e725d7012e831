/* volume_source.c: volumes from a file or generated, for overlap. */
#include "tools/generate/volume_source.h"

#include "tools/cli/numbers.h"
#include "tools/cli/report.h"
#include "tools/command.h"
#include "tools/input/volume_spec.h"

#include <stddef.h>
#include <string.h>

const option_row volumes_rows[] = {
    OPTION_ROW(TEXT, "volumes", volumes_options, volumes, "FILE",
               "volumes, one a line: aabb, sphere, obb, capsule, triangle or planes, and behind it "
               "the numbers of the option of that name, blanks or commas between; '#' begins a "
               "comment; '-' is stdin",
               .main = true),
    OPTION_CHOICE_ROW(
        "generate", volumes_options, generate.kind, volume_kind_words,
        "generate volumes instead of reading them, the same on every machine; every other one is "
        "awkward: it touches a vertex, is flat, or misses by one step of a float"),
    { .name = NULL },
};

int volume_source_open_file(volume_source *source, const char *path)
{
    *source = (volume_source){ .name = "file", .from_file = true };
    return lines_open(&source->file, path, "volume");
}

void volume_source_generate(volume_source *source, const query_random *m, sl_volume_kind kind)
{
    *source = (volume_source){ .name = volume_kind_words[kind], .random = *m, .kind = kind };
}

void volume_source_one(volume_source *source, const sl_volume *volume)
{
    *source = (volume_source){ .name = volume_spec_word(volume), .one = volume };
}

void volume_source_close(volume_source *source)
{
    lines_close(&source->file);
}

/* A word, and the numbers behind it. */
static int parse(const lines_in *in, char *line, sl_volume *to)
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
    if (count == NUMBERS_BAD) {
        return report_input(in->name, in->line, "what follows '%.20s' is not up to %d numbers",
                            line, (int)MOST);
    }
    return volume_spec_fill(to, line, numbers, count, what, sizeof what)
               ? EXIT_DONE
               : report_input(in->name, in->line, "%s", what);
}

/* *found: false at the end, or where none is there yet and need not be waited for. */
static int read_one(lines_in *in, bool wait, sl_volume *to, bool *found)
{
    char line[LINE_MAX_SIZE];
    bool end = false;
    while (wait || lines_ready(in)) {
        const int status = lines_next(in, line, &end);
        *found = status == EXIT_DONE && !end;
        if (!*found) {
            return status;
        }
        char *at = line + strspn(line, " \t\r");
        if (*at != '\0') {
            return parse(in, at, to);
        }
    }
    *found = false;
    return EXIT_DONE;
}

int volume_source_fill(volume_source *source, sl_volume *to, size_t capacity, size_t *count)
{
    const uint64_t left = (source->one != NULL ? 1 : source->random.count) - source->next;
    for (*count = 0; *count < capacity && (source->from_file || *count < left); (*count)++) {
        const uint64_t index = source->next + *count;
        if (source->from_file) {
            bool found;
            const int status = read_one(&source->file, *count == 0, &to[*count], &found);
            if (status != EXIT_DONE || !found) {
                return status;
            }
        } else {
            to[*count] = source->one != NULL
                             ? *source->one
                             : volume_kinds_make(&source->random, source->kind, index);
        }
    }
    source->next += source->from_file ? 0 : *count;
    return EXIT_DONE;
}
