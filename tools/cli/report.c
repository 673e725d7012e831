/* report.c: error messages on stderr, one line each, for every subcommand. */
#include "tools/cli/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One line, with control characters, which names of files may contain, shown as '?'. */
REPORT_PRINTF(2, 0)
static void print_line(const char *place, const char *format, va_list arguments, const char *after)
{
    char line[2048];
    int used = snprintf(line, sizeof line, "sightline: %s", place);
    if (used > 0 && used < (int)sizeof line) {
        vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
    }
    for (char *c = line; *c != '\0'; c++) {
        if ((unsigned char)*c < 32 || *c == 127) {
            *c = '?';
        }
    }
    fprintf(stderr, "%s%s\n", line, after);
}

int report_usage(const subcommand *command, const char *format, ...)
{
    char place[64] = "";
    char after[96];
    if (command != NULL) {
        snprintf(place, sizeof place, "%s: ", command->name);
        snprintf(after, sizeof after, "; see 'sightline %s --help'", command->name);
    } else {
        snprintf(after, sizeof after, "; see 'sightline --help'");
    }
    va_list arguments;
    va_start(arguments, format);
    print_line(place, format, arguments, after);
    va_end(arguments);
    return EXIT_USAGE;
}

int report_input(const char *file, uint64_t line, const char *format, ...)
{
    char place[1100];
    if (line != 0) {
        snprintf(place, sizeof place, "%s:%" PRIu64 ": ", file, line);
    } else {
        snprintf(place, sizeof place, "%s: ", file);
    }
    va_list arguments;
    va_start(arguments, format);
    print_line(place, format, arguments, "");
    va_end(arguments);
    return EXIT_BAD_INPUT;
}

int report_failure(const char *file, const char *format, ...)
{
    char place[1100];
    snprintf(place, sizeof place, "%s%s", file != NULL ? file : "", file != NULL ? ": " : "");
    va_list arguments;
    va_start(arguments, format);
    print_line(place, format, arguments, "");
    va_end(arguments);
    return EXIT_FAILED;
}

int report_note(const char *file, const char *format, ...)
{
    char place[1100];
    snprintf(place, sizeof place, "%s: ", file);
    va_list arguments;
    va_start(arguments, format);
    print_line(place, format, arguments, "");
    va_end(arguments);
    return EXIT_DONE;
}

const char *report_why(int error)
{
    return error == ENOSPC   ? "the disk is full"
           : error == EISDIR ? "it is a directory"
                             : strerror(error);
}

int report_memory(void)
{
    return report_failure(NULL, "out of memory; close other programs or take a smaller input");
}

void report_list(char *to, size_t size, const char *const *words, const char *before,
                 const char *last)
{
    size_t used = 0;
    to[0] = '\0';
    for (size_t i = 0; words[i] != NULL && used < size; i++) {
        const char *between = i == 0 ? "" : words[i + 1] == NULL ? last : ", ";
        used += (size_t)snprintf(to + used, size - used, "%s%s%s", between, before, words[i]);
    }
}

/* What each code asks of the user, unless its message says so itself, and its exit status. */
static const struct {
    sl_result code;
    int status;
    const char *advice;
} doors[] = {
    { SL_INVALID_ARGUMENT, EXIT_BAD_INPUT, "mend the input" },
    { SL_OUT_OF_MEMORY, EXIT_FAILED, "close other programs or take a smaller input" },
    { SL_NOT_FOUND, EXIT_BAD_INPUT, "check the name" },
    { SL_IO, EXIT_FAILED, "check the file, its permissions and the disk" },
    { SL_BAD_DATA, EXIT_BAD_INPUT, "mend the file or export it anew" },
    { SL_BAD_INDEX, EXIT_BAD_INPUT, "mend the file, or use --bad leave-out" },
    { SL_NOT_FINITE, EXIT_BAD_INPUT, "mend the file, or use --bad leave-out" },
    { SL_UNSUPPORTED, EXIT_BAD_INPUT, "convert it to binary PLY" },
    { SL_TOO_LARGE, EXIT_BAD_INPUT, "cut it into parts" },
    { SL_CANCELLED, EXIT_FAILED, "start again" },
    { SL_NO_THREADS_LEFT, EXIT_FAILED, "use fewer --threads" },
};

REPORT_PRINTF(3, 4)
static int report_at(const sl_error *error, int status, const char *format, ...)
{
    char place[400];
    if (error->file[0] == '\0') {
        place[0] = '\0';
    } else if (error->line > 0) {
        snprintf(place, sizeof place, "%s:%" PRId64 ": ", error->file, error->line);
    } else if (error->byte > 0) {
        snprintf(place, sizeof place, "%s: byte %" PRId64 ": ", error->file, error->byte);
    } else {
        snprintf(place, sizeof place, "%s: ", error->file);
    }
    va_list arguments;
    va_start(arguments, format);
    print_line(place, format, arguments, "");
    va_end(arguments);
    return status;
}

int report_error(const sl_error *error)
{
    for (size_t i = 0; i < sizeof doors / sizeof doors[0]; i++) {
        if (doors[i].code == error->code) {
            const bool advises = strchr(error->message, ';') != NULL;
            return report_at(error, doors[i].status, "%s%s%s", error->message, advises ? "" : "; ",
                             advises ? "" : doors[i].advice);
        }
    }
    return report_at(error, EXIT_FAILED, "%s", error->message);
}
