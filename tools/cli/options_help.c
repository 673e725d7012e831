/* options_help.c: the texts of --help and -h of a subcommand, from its tables of options. */
#include "tools/cli/options_help.h"

#include "tools/cli/report.h"

#include <string.h>

bool option_has_range(const option_row *row)
{
    return row->min != 0 || row->max != 0;
}

bool option_is_size(const option_row *row)
{
    return row->value != NULL && strcmp(row->value, "BYTES") == 0;
}

/* What a value may be, in words: "a whole number from 0 to 1024", "closest, any or count". */
void option_describe(const option_row *row, char *to, size_t size)
{
    size_t used = 0;
    switch (row->kind) {
    case OPTION_CHOICE:
        report_list(to, size, row->choices, "", " or ");
        return;
    case OPTION_COUNT:
        used = (size_t)snprintf(to, size, "a whole number%s",
                                option_is_size(row) ? ", such as 500M or 2G," : "");
        break;
    case OPTION_REALS:
        used = (size_t)snprintf(to, size, "%d numbers with commas between", row->length);
        break;
    case OPTION_REAL:
        used = (size_t)snprintf(to, size, "a number%s", row->infinite ? " (inf is one)" : "");
        break;
    case OPTION_FLAG:
    case OPTION_TEXT:
        snprintf(to, size, "text");
        return;
    }
    if (option_has_range(row) && used < size) {
        snprintf(to + used, size - used, " from %.10g to %.10g", row->min, row->max);
    }
}

/* Words of text, wrapped before the 80th column; the cursor stands at column already. */
static void options_help_wrap(FILE *to, const char *text, size_t indent, size_t column)
{
    while (*text != '\0') {
        const size_t size = strcspn(text, " ");
        if (column > indent && column + 1 + size > 79) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', to);
            column++;
        }
        fwrite(text, 1, size, to);
        column += size;
        text += size;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

enum { INDENT = 26 };

/* "  -o, --out FILE", up to the column of the help. */
static void put_left(const option_row *row, FILE *to)
{
    char left[64];
    char letter[8] = "";
    if (row->letter != 0) {
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    }
    const char *value = row->kind == OPTION_FLAG     ? ""
                        : row->kind == OPTION_CHOICE ? " WORD"
                        : row->value != NULL         ? row->value
                                                     : "N";
    const char *blank = row->kind == OPTION_FLAG || row->kind == OPTION_CHOICE ? "" : " ";
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, row->name, blank, value);
    fprintf(to, "%-*s", INDENT, left);
    if (strlen(left) >= INDENT) {
        fprintf(to, "\n%*s", INDENT, "");
    }
}

static void put_row(const option_row *row, FILE *to)
{
    char wanted[200];
    char text[700];
    put_left(row, to);
    option_describe(row, wanted, sizeof wanted);
    int used = snprintf(text, sizeof text, "%s", row->help);
    const bool says_what = row->kind == OPTION_CHOICE || option_has_range(row);
    if (says_what && used < (int)sizeof text) {
        used += snprintf(text + used, sizeof text - (size_t)used, ": %s", wanted);
    }
    if (row->fallback != NULL && used < (int)sizeof text) {
        snprintf(text + used, sizeof text - (size_t)used, " (default %s)", row->fallback);
    }
    options_help_wrap(to, text, INDENT, INDENT);
}

/* The first part of the help, up to a colon or a semicolon, and the choices. */
static void put_short_row(const option_row *row, FILE *to)
{
    char wanted[200];
    char text[400];
    const char *help = row->help;
    const char *colon = strstr(help, ": ");
    if (strncmp(help, "for --", 6) == 0 && colon != NULL) {
        help = colon + 2; /* "for --mode all: keep ..." */
    }
    put_left(row, to);
    option_describe(row, wanted, sizeof wanted);
    const bool has_choices = row->kind == OPTION_CHOICE;
    snprintf(text, sizeof text, "%.*s%s%s", (int)strcspn(help, ":;"), help, has_choices ? ": " : "",
             has_choices ? wanted : "");
    options_help_wrap(to, text, INDENT, INDENT);
}

/* How many options there are, and how many -h shows. */
static void count_rows(const subcommand *command, int *all, int *shown)
{
    *all = *shown = 0;
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            *all += 1;
            *shown += row->main;
        }
    }
}

void options_short_help(const subcommand *command, FILE *to)
{
    enum { OWN_MAX = 10 }; /* of the first group, where a subcommand marks none of its own */
    int all, shown;
    count_rows(command, &all, &shown);
    fprintf(to, "sightline %s: %s\n\nUsage: sightline %s %s\n\n", command->name, command->line,
            command->name, command->usage);
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        int left = shown == 0 && group == command->groups ? OWN_MAX : 0;
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            if (row->main || left-- > 0) {
                put_short_row(row, to);
            }
        }
    }
    fprintf(to, "\n%.*s\n", (int)strcspn(command->examples, "\n"), command->examples);
    fprintf(to, "\n'sightline %s --help' explains all %d options.\n", command->name, all);
}

void options_help(const subcommand *command, FILE *to)
{
    fprintf(to, "sightline %s: %s\n\nUsage: sightline %s %s\n\n", command->name, command->line,
            command->name, command->usage);
    options_help_wrap(to, command->about, 0, 0);
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        if (group->title != NULL) {
            fprintf(to, "\n%s\n", group->title);
        }
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            put_row(row, to);
        }
    }
    fprintf(to, "\nHelp\n"
                "  --help                  this text\n"
                "  -h                      the most used options\n"
                "  -V, --version           the version\n");
    fprintf(to, "\nExamples\n%s\nExit status\n  0  done\n", command->examples);
    if (command->no != NULL) {
        fprintf(to, "  1  %s\n", command->no);
    }
    fprintf(to, "  2  wrong options or arguments\n"
                "  3  a file to read is not there, or does not hold what it should\n"
                "  4  anything else: reading, writing, memory\n");
}
