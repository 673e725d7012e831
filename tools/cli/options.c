#include "tools/cli/options.h"

#include "tools/cli/report.h"
#include "tools/command.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_range(const option_row *row)
{
    return row->min != 0 || row->max != 0;
}

/* The whole of text as a number of its own; words like nan are none. */
static bool parse_real(const option_row *row, const char *text, float *out)
{
    char *end;
    const float number = strtof(text, &end);
    if (end == text || *end != '\0' || isnan(number) || (isinf(number) && !row->infinite)) {
        return false;
    }
    *out = number;
    return !has_range(row) || ((double)number >= row->min && (double)number <= row->max);
}

/* Digits; or, up to 2^53, any way to write a whole number: 5e9 is easier to read than 5000000000.
 */
static bool parse_count(const option_row *row, const char *text, uint64_t *out)
{
    if (text[0] < '0' || text[0] > '9') {
        return false; /* strtoull takes signs and blanks */
    }
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    if (*end != '\0') {
        const double number = strtod(text, &end);
        if (*end != '\0' || !(number <= 0x1p53) || number != floor(number)) {
            return false;
        }
        *out = (uint64_t)number;
    } else if (errno != 0) {
        return false;
    }
    return !has_range(row) || ((double)*out >= row->min && (double)*out <= row->max);
}

static bool parse_reals(const option_row *row, const char *text, float *out)
{
    char part[64];
    for (int i = 0; i < row->length; i++) {
        const size_t size = strcspn(text, ",");
        if (size >= sizeof part) {
            return false;
        }
        memcpy(part, text, size);
        part[size] = '\0';
        const bool last = i + 1 == row->length;
        if (!parse_real(row, part, &out[i]) || (text[size] == '\0') != last) {
            return false;
        }
        text += last ? size : size + 1;
    }
    return true;
}

static bool parse_choice(const option_row *row, const char *text, int *out)
{
    for (int i = 0; row->choices[i] != NULL; i++) {
        if (strcmp(row->choices[i], text) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

static bool store(const option_row *row, const char *text, void *place)
{
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)place = true;
        return true;
    case OPTION_COUNT:
        return parse_count(row, text, place);
    case OPTION_REAL:
        return parse_real(row, text, place);
    case OPTION_REALS:
        return parse_reals(row, text, place);
    case OPTION_TEXT:
        *(const char **)place = text;
        return true;
    case OPTION_CHOICE:
        return parse_choice(row, text, place);
    }
    return false;
}

/* What a value may be, in words: "a whole number from 0 to 1024", "closest, any or count". */
static void describe(const option_row *row, char *to, size_t size)
{
    size_t used = 0;
    switch (row->kind) {
    case OPTION_CHOICE:
        to[0] = '\0';
        for (int i = 0; row->choices[i] != NULL && used < size; i++) {
            const char *between = i == 0 ? "" : row->choices[i + 1] == NULL ? " or " : ", ";
            used += (size_t)snprintf(to + used, size - used, "%s%s", between, row->choices[i]);
        }
        return;
    case OPTION_COUNT:
        used = (size_t)snprintf(to, size, "a whole number");
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
    if (has_range(row) && used < size) {
        snprintf(to + used, size - used, " from %.10g to %.10g", row->min, row->max);
    }
}

static void *place_of(const option_group *group, const option_row *row, void *options)
{
    return (char *)options + group->offset + row->offset;
}

static void set_defaults(const subcommand *command, void *options)
{
    memset(options, 0, command->options_size);
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            if (row->fallback != NULL) {
                store(row, row->fallback, place_of(group, row, options));
            }
        }
    }
}

/* How many letters must be changed, added or removed, both ways of looking at it: for "did you
 * mean".  Names are short; longer ones are not alike. */
static size_t letters_apart(const char *a, size_t a_size, const char *b)
{
    enum { LONGEST = 24 };
    const size_t b_size = strlen(b);
    if (a_size > LONGEST || b_size > LONGEST) {
        return LONGEST;
    }
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= b_size; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_size; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            best = row[j] + 1 < best ? row[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[b_size];
}

static void report_unknown(const subcommand *command, const char *word, size_t size)
{
    /* Of equally distant names the one with the same first letter. */
    const char *closest = NULL;
    size_t distance = 6;
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            const size_t apart =
                2 * letters_apart(word, size, row->name) + (row->name[0] != word[0]);
            if (apart < distance) {
                distance = apart;
                closest = row->name;
            }
        }
    }
    if (closest != NULL) {
        report_usage(command, "there is no option --%.*s; did you mean --%s?", (int)size, word,
                     closest);
    } else {
        report_usage(command, "there is no option --%.*s", (int)size, word);
    }
}

/* The row that a word names, and the value that the same word holds: --name=value, -xvalue. */
static const option_row *find_row(const subcommand *command, const char *word,
                                  const option_group **group, const char **value)
{
    const bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    const size_t size = is_long ? strcspn(name, "=") : 1;
    *value = is_long && name[size] == '=' ? name + size + 1 : NULL;
    if (!is_long && name[1] != '\0') {
        *value = name + 1;
    }
    for (*group = command->groups; (*group)->rows != NULL; (*group)++) {
        for (const option_row *row = (*group)->rows; row->name != NULL; row++) {
            if (is_long ? strncmp(row->name, name, size) == 0 && row->name[size] == '\0'
                        : row->letter == name[0]) {
                return row;
            }
        }
    }
    if (is_long) {
        report_unknown(command, name, size);
    } else {
        report_usage(command, "there is no option -%c", name[0]);
    }
    return NULL;
}

/* One option, with its value from the same word or the next one; *used is how many words. */
static bool parse_option(const subcommand *command, int word_count, char **words, void *options,
                         invocation *call, int *used)
{
    const option_group *group;
    const char *text;
    const option_row *row = find_row(command, words[0], &group, &text);
    if (row == NULL) {
        return false;
    }
    *used = 1;
    if (row->kind == OPTION_FLAG) {
        if (text != NULL) {
            report_usage(command, "--%s takes no value", row->name);
            return false;
        }
    } else if (text == NULL) {
        if (word_count < 2) {
            report_usage(command, "--%s needs a value", row->name);
            return false;
        }
        text = words[1];
        *used = 2;
    }
    if (!store(row, text, place_of(group, row, options))) {
        char wanted[200];
        describe(row, wanted, sizeof wanted);
        report_usage(command, "--%s is '%s'; it must be %s", row->name, text, wanted);
        return false;
    }
    if (call->given_count < OPTIONS_GIVEN_MAX) {
        call->given[call->given_count++] = row;
    }
    return true;
}

/* "-", and negative numbers, are arguments. */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && word[1] != '.' &&
           !(word[1] >= '0' && word[1] <= '9');
}

options_result options_parse(const subcommand *command, int word_count, char **words, void *options,
                             invocation *call)
{
    *call = (invocation){ .command = command, .options = options, .arguments = words };
    set_defaults(command, options);
    bool only_arguments = false;
    for (int i = 0; i < word_count;) {
        if (only_arguments || !is_option(words[i])) {
            call->arguments[call->argument_count++] = words[i++];
            continue;
        }
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) {
            return OPTIONS_HELP;
        }
        int used = 1;
        if (strcmp(words[i], "--") == 0) {
            only_arguments = true;
        } else if (!parse_option(command, word_count - i, words + i, options, call, &used)) {
            return OPTIONS_BAD;
        }
        i += used;
    }
    if (call->argument_count < command->argument_min) {
        report_usage(command, "an argument is missing; usage: sightline %s %s", command->name,
                     command->usage);
        return OPTIONS_BAD;
    }
    if (call->argument_count > command->argument_max) {
        report_usage(command, "'%s' is one argument too many",
                     call->arguments[command->argument_max]);
        return OPTIONS_BAD;
    }
    return OPTIONS_RUN;
}

bool options_given(const invocation *call, const char *name)
{
    for (size_t i = 0; i < call->given_count; i++) {
        if (strcmp(call->given[i]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Words of text, wrapped before the 80th column; the cursor stands at column already. */
static void wrap(FILE *to, const char *text, size_t indent, size_t column)
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

static void help_row(const option_row *row, FILE *to)
{
    enum { INDENT = 26 };
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
    char wanted[200];
    char text[600];
    describe(row, wanted, sizeof wanted);
    int used = snprintf(text, sizeof text, "%s", row->help);
    const bool says_what = row->kind == OPTION_CHOICE || has_range(row);
    if (says_what && used < (int)sizeof text) {
        used += snprintf(text + used, sizeof text - (size_t)used, ": %s", wanted);
    }
    if (row->fallback != NULL && used < (int)sizeof text) {
        snprintf(text + used, sizeof text - (size_t)used, " (default %s)", row->fallback);
    }
    wrap(to, text, INDENT, INDENT);
}

void options_help(const subcommand *command, FILE *to)
{
    fprintf(to, "sightline %s: %s\n\nUsage: sightline %s %s\n\n", command->name, command->line,
            command->name, command->usage);
    wrap(to, command->about, 0, 0);
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        fprintf(to, "\n%s\n", group->title);
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            help_row(row, to);
        }
    }
    fprintf(to, "  -h, --help              this text\n");
    fprintf(to, "\nExamples\n%s\nExit status\n  0  done\n", command->examples);
    if (command->no != NULL) {
        fprintf(to, "  1  %s\n", command->no);
    }
    fprintf(to, "  2  wrong options or arguments\n"
                "  3  a file to read is not there, or does not hold what it should\n"
                "  4  anything else: reading, writing, memory\n");
}
