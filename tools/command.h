/* command.h: what a subcommand is, and what its exit status means.
 *
 * A subcommand x is tools/x.c or tools/x/command.c, which defines `const subcommand command_x`, and
 * one row in the table of main.c. */
#pragma once

#include "tools/cli/options.h"

enum {
    EXIT_DONE = 0,
    EXIT_NO = 1,    /* the answer is no: a single pick, ray or pair; differences from --verify */
    EXIT_USAGE = 2, /* wrong options or arguments */
    EXIT_BAD_INPUT = 3,  /* a file that is not there or does not hold what it should */
    EXIT_FAILED = 4,     /* input or output, memory, threads: whatever else stopped the work */
    EXIT_NO_READER = 141 /* stdout is a pipe that is read no more; what shells say of SIGPIPE */
};

enum { COMMAND_GROUPS_MAX = 14 };

struct subcommand {
    const char *name;
    const char *line;     /* one line for the list of subcommands */
    const char *usage;    /* what comes after the name: "MESH --rays FILE [OPTION...]" */
    const char *about;    /* one paragraph; help wraps it */
    const char *examples; /* whole lines, indented by two blanks */
    const char *no;       /* what exit status 1 means here; NULL where there is none */
    bool takes_scenes;    /* where it takes a mesh */
    size_t argument_min, argument_max; /* how many arguments that are not options */
    size_t options_size;               /* of the struct that the groups fill */
    option_group groups[COMMAND_GROUPS_MAX];
    const void *query;                  /* what run needs to know besides; NULL: nothing */
    int (*run)(const invocation *call); /* returns the exit status; has reported errors itself */
};

/* All of them, then NULL; the table of main.c. */
extern const subcommand *const subcommands[];
