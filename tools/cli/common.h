/* common.h: the options that every subcommand has, and what follows from them. */
#pragma once

#include "tools/command.h"

#include <sightline/base.h>

#include <stdio.h>

typedef struct common_options {
    bool json, quiet;
    uint64_t threads; /* 0: one for each processor */
    const char *isa;  /* NULL: the best */
    int color;        /* 0 auto, 1 always, 2 never */
} common_options;

extern const option_row common_rows[];

/* The group to list last: struct x { ...; common_options common; } and COMMON_GROUP(struct x). */
#define COMMON_GROUP(type)                                                                         \
    { .title = "For every subcommand", .rows = common_rows, .offset = offsetof(type, common) }

/* Makes the library use the instruction set that --isa names; call it before a tree is built.
 * EXIT_DONE, or the status of the error that it reported. */
int common_apply_isa(const invocation *call, const common_options *common);

/* A pool of --threads workers.  Destroy it with sl_pool_destroy. */
int common_make_pool(const common_options *common, sl_pool **pool);

/* Whether to colour what goes to a stream: --color, else NO_COLOR, else whether it is a terminal.
 */
bool common_use_color(const common_options *common, FILE *stream);

/* Words with commas between: sets chosen by their places among those of a list that ends with NULL.
 * names NULL: none.  EXIT_DONE or EXIT_USAGE. */
int common_parse_words(const invocation *call, const char *option, const char *names,
                       const char *const *words, bool *chosen);

/* Seconds on a clock that never goes back. */
double common_seconds(void);
