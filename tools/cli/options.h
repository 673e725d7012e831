/* options.h: options are rows of a table, by which they are parsed, checked and explained.
 *
 * A subcommand keeps its options in a struct of its own; a row says where in that struct the value
 * lies.  Accepted are --name value, --name=value, -x value, -xvalue, and flags without a value;
 * "--" ends the options, and "-" alone is an argument (stdin or stdout). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,   /* bool; takes no value */
    OPTION_COUNT,  /* uint64_t, min .. max */
    OPTION_REAL,   /* float, min .. max; finite unless .infinite */
    OPTION_REALS,  /* float[.length], separated by commas; each min .. max */
    OPTION_TEXT,   /* const char *; NULL where not given and without a default */
    OPTION_CHOICE, /* int: index into .choices */
} option_kind;

/* What a text names, so that it is looked at before there is work. */
typedef enum option_file { OPTION_NO_FILE, OPTION_READ, OPTION_WRITTEN } option_file;

typedef struct option_row {
    const char *name; /* without the dashes; NULL ends a table */
    char letter;      /* 'o' for -o; 0: none */
    option_kind kind;
    size_t offset;        /* of the value, in the struct of the group */
    const char *value;    /* what help calls the value: "N", "FILE"; NULL for flags and choices */
    const char *fallback; /* the default, as one would type it; NULL: zeroed */
    const char *help;     /* what it does, without range and default: help adds them */
    double min, max;      /* both included; both 0: any */
    const char *const *choices; /* ends with NULL */
    int length;                 /* OPTION_REALS */
    bool infinite;              /* OPTION_REAL: inf and -inf are allowed */
    bool main;                  /* -h shows it, too */
    bool once;                  /* twice it is refused; of others the last one counts */
    option_file file;           /* OPTION_TEXT */
    const char *not_names;      /* wrong names for it, separated by blanks, for "did you mean" */
    /* Of the name of a file to write: the endings that are known, then NULL.  "csv" and "json"
     * set the flags of these names.  NULL: any ending. */
    const char *const *endings;
} option_row;

/* Rows by what most of them have; more fields may follow help, as in .max = 64. */
#define OPTION_ROW(kind_, name_, type_, field_, value_, ...)                                       \
    { .name = name_,                                                                               \
      .kind = OPTION_##kind_,                                                                      \
      .offset = offsetof(type_, field_),                                                           \
      .value = value_,                                                                             \
      .help = __VA_ARGS__ }
#define OPTION_FLAG_ROW(name_, type_, field_, ...)                                                 \
    OPTION_ROW(FLAG, name_, type_, field_, NULL, __VA_ARGS__)
#define OPTION_CHOICE_ROW(name_, type_, field_, choices_, ...)                                     \
    OPTION_ROW(CHOICE, name_, type_, field_, NULL, __VA_ARGS__, .choices = choices_)

#define OPTION_OUT_NOT_NAMES "output outfile out-file output-file save write"

/* --out of rows that are also an array: what follows "an array" in the help, and the endings. */
#define OPTION_OUT_ROW(type_, array_, ...)                                                         \
    OPTION_ROW(                                                                                    \
        TEXT, "out", type_, out, "FILE",                                                           \
        "write there instead of stdout, as CSV or JSON by the end of the name, or where it "       \
        "ends in .npy as an array" array_,                                                         \
        .letter = 'o', .main = true, .file = OPTION_WRITTEN, .not_names = OPTION_OUT_NOT_NAMES,    \
        .endings = (const char *const[]){ __VA_ARGS__ })

/* The same of a report. */
#define OPTION_REPORT_OUT_ROW(type_)                                                               \
    OPTION_ROW(                                                                                    \
        TEXT, "out", type_, out, "FILE",                                                           \
        "write there instead of stdout; a name that ends in .csv or .json asks for that format",   \
        .file = OPTION_WRITTEN, .letter = 'o', .not_names = OPTION_OUT_NOT_NAMES,                  \
        .endings = (const char *const[]){ "csv", "json", "txt", NULL })

/* Rows that belong together in --help, and where their struct lies in the subcommand's. */
typedef struct option_group {
    const char *title;      /* NULL: help shows the rows under the title of the group before */
    const option_row *rows; /* NULL ends the groups of a subcommand */
    size_t offset;
} option_group;

typedef struct subcommand subcommand; /* command.h */

enum { OPTIONS_GIVEN_MAX = 64 };

/* A parsed command line: what run gets. */
typedef struct invocation {
    const subcommand *command;
    const void *options; /* the subcommand's struct, filled */
    char **arguments;    /* those that are not options, in order */
    size_t argument_count;
    const option_row *given[OPTIONS_GIVEN_MAX]; /* rows that the user typed, not defaults */
    size_t given_count;
} invocation;

typedef enum options_result {
    OPTIONS_RUN,
    OPTIONS_HELP,       /* --help */
    OPTIONS_SHORT_HELP, /* -h */
    OPTIONS_VERSION,    /* --version or -V */
    OPTIONS_BAD
} options_result;

/* Fills options (zeroed first) and *call.  words are those after the subcommand's name, and are
 * reordered.  OPTIONS_BAD: the error has been reported. */
options_result options_parse(const subcommand *command, int word_count, char **words, void *options,
                             invocation *call);

/* The value of an OPTION_TEXT. */
const char *options_text(const invocation *call, const option_group *group, const option_row *row);

/* Whether the user typed this option; the first that was typed of names, which end with NULL, or
 * NULL. */
bool options_given(const invocation *call, const char *name);
const char *options_first_given(const invocation *call, const char *const *names);
