/* fuzz_command.c: any words as a command line, one word in each line: refused, or run in a folder
 * of its own on a small mesh.  Nothing is run that names another folder; what the user may ask
 * much of (rays, pixels, threads) is cut to a little, and bench is parsed only. */
#include "test/fuzz/fuzz.h"
#include "test/fuzz/scratch.h"

/* The table of subcommands is its own. */
int command_main(int argc, char **argv);
#define main command_main
#include "tools/main.c"
#undef main

#include <unistd.h>

enum { MOST_WORDS = 64 };

static const uint64_t most_of_anything = 16;

/* Each line a word, ended by a zero; returns how many. */
static int split(char *text, char **words)
{
    int count = 0;
    for (char *word = text; word != NULL && count < MOST_WORDS;) {
        words[count++] = word;
        word = strchr(word, '\n');
        if (word != NULL) {
            *word++ = '\0';
        }
    }
    return count;
}

static void cut_option(const option_row *row, void *place)
{
    if (row->kind == OPTION_COUNT && strcmp(row->name, "threads") == 0) {
        *(uint64_t *)place = 1;
    } else if (row->kind == OPTION_COUNT && *(uint64_t *)place > most_of_anything &&
               row->min <= (double)most_of_anything && strcmp(row->name, "max-memory") != 0 &&
               strcmp(row->name, "build-limit") != 0) {
        *(uint64_t *)place = most_of_anything;
    } else if (row->kind == OPTION_TEXT && strcmp(row->name, "size") == 0) {
        const char **size = place;
        *size = *size == NULL || strlen(*size) > sizeof "99x99" - 1 ? "9x8" : *size;
    }
}

static void cut_options(const subcommand *command, void *options)
{
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            cut_option(row, (char *)options + group->offset + row->offset);
        }
    }
}

static void run_here(const subcommand *command, int count, char **words, bool stays)
{
    FREED void *options = calloc(1, command->options_size);
    invocation call;
    int status = EXIT_USAGE;
    const options_result parsed = options_parse(command, count, words, options, &call);
    if (parsed == OPTIONS_RUN && stays && command != &command_bench) {
        cut_options(command, options);
        status = command->run(&call);
        unsetenv("SIGHTLINE_ISA");
        scratch_clean();
    }
    if (status < EXIT_DONE || status > EXIT_FAILED) {
        fuzz_fail("a status that has no meaning");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool entered;
    static char name[] = "sightline";
    char *words[MOST_WORDS + 2] = { name };
    if (!entered) {
        entered = true;
        scratch_enter();
        if (freopen("/dev/null", "rb", stdin) == NULL) {
            fuzz_fail("no /dev/null");
        }
    }
    FREED char *text = calloc(size + 1, 1);
    memcpy(text, data, size);
    const bool stays = strchr(text, '/') == NULL;
    const int count = split(text, words + 1);
    const subcommand *command = find_command(words[1]);
    if (command != NULL) {
        run_here(command, count - 1, words + 2, stays);
    } else {
        (void)command_main(1 + count, words);
    }
    return 0;
}
