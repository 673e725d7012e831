/* main.c: the table of subcommands; one row makes a subcommand. */
#include "tools/cli/hints.h"
#include "tools/cli/options_help.h"
#include "tools/cli/report.h"
#include "tools/cli/spelling.h"
#include "tools/output/file.h"

#include <stdlib.h>
#include <string.h>

#define COMMANDS(X)                                                                                \
    X(info)                                                                                        \
    X(check)                                                                                       \
    X(build)                                                                                       \
    X(cast)                                                                                        \
    X(los)                                                                                         \
    X(overlap)                                                                                     \
    X(nearest)                                                                                     \
    X(within)                                                                                      \
    X(inside)                                                                                      \
    X(clash)                                                                                       \
    X(distance)                                                                                    \
    X(sweep)                                                                                       \
    X(merge)                                                                                       \
    X(bake)                                                                                        \
    X(render)                                                                                      \
    X(pick)                                                                                        \
    X(select)                                                                                      \
    X(explain)                                                                                     \
    X(verify)                                                                                      \
    X(bench)                                                                                       \
    X(completion)

#define DECLARE(name) extern const subcommand command_##name;
COMMANDS(DECLARE)
#define ROW(name) &command_##name,
const subcommand *const subcommands[] = { COMMANDS(ROW) NULL };
enum { COMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] - 1 };

static void print_version(FILE *to)
{
    fprintf(to, "sightline %d.%d.%d\n", SL_VERSION_MAJOR, SL_VERSION_MINOR, SL_VERSION_PATCH);
}

static void print_help(FILE *to)
{
    fputs("sightline: ray queries on triangle meshes\n\n"
          "Usage: sightline SUBCOMMAND [OPTION...]\n\n",
          to);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(to, "  %-10s %s\n", subcommands[i]->name, subcommands[i]->line);
    }
    fputs("\n'sightline SUBCOMMAND -h' shows the most used options of a subcommand, --help all of "
          "them.\n"
          "'sightline --version', or -V, prints the version, behind a subcommand, too.\n"
          "Results go to stdout, progress and errors to stderr.\n"
          "Exit status: 0 done, 1 the answer is no, 2 usage, 3 bad or missing input, 4 anything\n"
          "else, 141 the reader of stdout has gone.\n",
          to);
}

/* Prints to stdout, of a command or without one, and makes sure that it arrived. */
static int print_checked(void (*print)(FILE *),
                         void (*print_of)(const subcommand *command, FILE *to),
                         const subcommand *command)
{
    out_file file;
    if (out_file_open(&file, NULL) != EXIT_DONE) {
        return EXIT_FAILED;
    }
    if (print_of != NULL) {
        print_of(command, file.stream);
    } else {
        print(file.stream);
    }
    return out_file_close(&file);
}

static int run_command(const subcommand *command, int word_count, char **words)
{
    void *options = calloc(1, command->options_size);
    if (options == NULL) {
        return report_memory();
    }
    invocation call;
    int status = EXIT_USAGE;
    switch (options_parse(command, word_count, words, options, &call)) {
    case OPTIONS_RUN:
        status = command->run(&call);
        break;
    case OPTIONS_HELP:
        status = print_checked(NULL, options_help, command);
        break;
    case OPTIONS_SHORT_HELP:
        status = print_checked(NULL, options_short_help, command);
        break;
    case OPTIONS_VERSION:
        status = print_checked(print_version, NULL, NULL);
        break;
    case OPTIONS_BAD:
        break;
    }
    free(options);
    return status;
}

static const subcommand *find_command(const char *word)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(subcommands[i]->name, word) == 0) {
            return subcommands[i];
        }
    }
    return NULL;
}

static int report_unknown(const char *word)
{
    const char *words[COMMAND_COUNT + 1] = { NULL };
    char names[200];
    spelling best = spelling_start(word, strlen(word));
    for (int i = 0; i < COMMAND_COUNT; i++) {
        words[i] = subcommands[i]->name;
        spelling_try(&best, words[i]);
    }
    report_list(names, sizeof names, words, "", " and ");
    const char *hint = hint_of_subcommand(word);
    if (hint != NULL) {
        return report_usage(NULL, "there is no subcommand '%s'; %s", word, hint);
    }
    if (word[0] == '-') {
        return report_usage(NULL, "'%s' stands in front of a subcommand; options come behind it",
                            word);
    }
    if (strpbrk(word, "./\\") != NULL) {
        return report_usage(NULL,
                            "'%s' stands where a subcommand is expected, such as 'sightline "
                            "info %s'",
                            word, word);
    }
    if (best.closest != NULL) {
        return report_usage(NULL, "there is no subcommand '%s'; did you mean %s?", word,
                            best.closest);
    }
    return report_usage(NULL, "there is no subcommand '%s'; there are %s", word, names);
}

int main(int argc, char **argv)
{
    out_file_guard();
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    const subcommand *command = find_command(word);
    if (command != NULL) {
        return run_command(command, argc - 2, argv + 2);
    }
    if (strcmp(word, "help") == 0 && argc > 2) {
        command = find_command(argv[2]);
        return command != NULL ? print_checked(NULL, options_help, command)
                               : report_unknown(argv[2]);
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        return print_checked(print_help, NULL, NULL);
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 || strcmp(word, "version") == 0) {
        return print_checked(print_version, NULL, NULL);
    }
    return report_unknown(word);
}
