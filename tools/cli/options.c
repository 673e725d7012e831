/* options.c: parses the command line of a subcommand by its tables of options, for main.c. */
#include "tools/cli/options.h"

#include "tools/cli/hints.h"
#include "tools/cli/options_help.h"
#include "tools/cli/report.h"
#include "tools/cli/spelling.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All of text as one number; NaN is none. */
static bool parse_real(const option_row *row, const char *text, float *out)
{
    char *end;
    const float number = strtof(text, &end);
    if (end == text || *end != '\0' || isnan(number) || (isinf(number) && !row->infinite)) {
        return false;
    }
    *out = number;
    return !option_has_range(row) || ((double)number >= row->min && (double)number <= row->max);
}

/* What k, M, G or T behind a number stands for, and B and iB behind that in sizes, whose steps are
 * 1024; 1 and the same place where there is none. */
static double parse_unit(const option_row *row, const char *text, char **end)
{
    static const char letters[] = "kMGT";
    const bool bytes = option_is_size(row);
    const char *letter = *text == 'K' ? letters : *text != '\0' ? strchr(letters, *text) : NULL;
    *end = (char *)text;
    if (letter == NULL) {
        return 1;
    }
    ++*end;
    if (bytes && (*end)[0] == 'i' && (*end)[1] == 'B') {
        *end += 2;
    } else if (bytes && **end == 'B') {
        ++*end;
    }
    double unit = 1;
    for (const char *at = letters; at <= letter; at++) {
        unit *= bytes ? 1024 : 1000;
    }
    return unit;
}

/* Digits; or, up to 2^53, any way to write a whole number, such as 5e9, 2G or 1.5k. */
static bool parse_count(const option_row *row, const char *text, uint64_t *out)
{
    if (text[0] < '0' || text[0] > '9') {
        return false; /* strtoull takes signs and blanks */
    }
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    if (*end != '\0') {
        double number = strtod(text, &end);
        number *= parse_unit(row, end, &end);
        if (*end != '\0' || !(number <= 0x1p53) || number != floor(number)) {
            return false;
        }
        *out = (uint64_t)number;
    } else if (errno != 0) {
        return false;
    }
    return !option_has_range(row) || ((double)*out >= row->min && (double)*out <= row->max);
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

enum { ENDING_SIZE = 16 };

static bool options_store(const option_row *row, const char *text, void *place)
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
                options_store(row, row->fallback, place_of(group, row, options));
            }
        }
    }
}

/* Whether the word is an option of runs in parts; the subcommand has none of those. */
static bool is_of_parts(const char *word, size_t size)
{
    return (size == 4 && memcmp(word, "part", 4) == 0) ||
           (size == 6 && memcmp(word, "resume", 6) == 0);
}

static void report_unknown(const subcommand *command, const char *word, size_t size)
{
    const char *hint = hint_of_option(command->name, word, size);
    if (is_of_parts(word, size)) {
        report_usage(command,
                     "there is no option --%.*s: it answers in one run; cast, los, nearest, within "
                     "and inside can be cut into parts",
                     (int)size, word);
        return;
    }
    spelling best = spelling_start(word, size);
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            spelling_try(&best, row->name);
            if (spelling_is_in(row->not_names, word, size)) {
                spelling_take(&best, row->name);
            }
        }
    }
    if (best.closest != NULL && (hint == NULL || best.distance == 0)) {
        report_usage(command, "there is no option --%.*s; did you mean --%s?", (int)size, word,
                     best.closest);
    } else if (hint != NULL) {
        report_usage(command, "there is no option --%.*s; %s", (int)size, word, hint);
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
    for (size_t i = 0; i < call->given_count && row->once; i++) {
        if (call->given[i] == row) {
            report_usage(command, "--%s is given twice; give it once", row->name);
            return false;
        }
    }
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
    if (!options_store(row, text, place_of(group, row, options))) {
        char wanted[200];
        option_describe(row, wanted, sizeof wanted);
        report_usage(command, "--%s is '%s'; it must be %s", row->name, text, wanted);
        return false;
    }
    if (call->given_count < OPTIONS_GIVEN_MAX) {
        call->given[call->given_count++] = row;
    }
    return true;
}

/* The ending of a file's name, in small letters and without the dot; "" where there is none. */
static void ending_of(const char *path, char to[ENDING_SIZE])
{
    const char *dot = strrchr(path, '.');
    to[0] = '\0';
    if (dot == NULL || strpbrk(dot, "/\\") != NULL || strlen(dot + 1) >= ENDING_SIZE) {
        return;
    }
    for (size_t i = 0; i <= strlen(dot + 1); i++) {
        to[i] = (char)tolower((unsigned char)dot[1 + i]);
    }
}

static bool is_in(const char *word, const char *const *words)
{
    while (*words != NULL && strcmp(*words, word) != 0) {
        words++;
    }
    return *words != NULL;
}

/* Endings that promise something else than rows, for which no rows are written. */
static const char *const other_endings[] = { "npz", "ply",  "obj", "stl", "off",     "glb", "gltf",
                                             "png", "svg",  "jpg", "xml", "parquet", "h5",  "hdf5",
                                             "xls", "xlsx", "gz",  "zip", "npy",     NULL };

/* A name that ends in .json or .csv is as good as --json or --csv. */
static bool apply_file_name(const subcommand *command, const option_row *row, const char *path,
                            void *options)
{
    char ending[ENDING_SIZE];
    ending_of(path, ending);
    if (!is_in(ending, row->endings)) {
        char possible[100];
        if (!is_in(ending, other_endings)) {
            return true;
        }
        report_list(possible, sizeof possible, row->endings, ".", " or ");
        report_usage(command,
                     "--%s is '%s', and .%s cannot be written; name a file that ends in %s",
                     row->name, path, ending, possible);
        return false;
    }
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        for (const option_row *flag = group->rows; flag->name != NULL; flag++) {
            if (flag->kind == OPTION_FLAG && strcmp(flag->name, ending) == 0) {
                options_store(flag, NULL, place_of(group, flag, options));
            }
        }
    }
    return true;
}

static bool apply_file_names(const subcommand *command, void *options, const invocation *call)
{
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            if (row->endings != NULL && options_given(call, row->name) &&
                !apply_file_name(command, row, *(const char **)place_of(group, row, options),
                                 options)) {
                return false;
            }
        }
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
        if (strcmp(words[i], "--help") == 0) {
            return OPTIONS_HELP;
        }
        if (strcmp(words[i], "-h") == 0) {
            return OPTIONS_SHORT_HELP;
        }
        if (strcmp(words[i], "--version") == 0 || strcmp(words[i], "-V") == 0) {
            return OPTIONS_VERSION;
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
    return apply_file_names(command, options, call) ? OPTIONS_RUN : OPTIONS_BAD;
}

const char *options_text(const invocation *call, const option_group *group, const option_row *row)
{
    return *(const char *const *)((const char *)call->options + group->offset + row->offset);
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

const char *options_first_given(const invocation *call, const char *const *names)
{
    while (*names != NULL && !options_given(call, *names)) {
        names++;
    }
    return *names;
}
