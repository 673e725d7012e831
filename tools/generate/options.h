/* generate/options.h: how many queries to generate, and from which seed; what 'cast', 'overlap',
 * 'nearest', 'within' and 'inside' share.  The row --generate, which names a kind, is theirs. */
#pragma once

#include "tools/cli/options.h"

typedef struct generate_options {
    int kind; /* index into the words of --generate; the last one stands for all kinds */
    uint64_t number, seed;
} generate_options;

extern const option_row generate_rows[]; /* --number and --seed */

/* Behind the group with --generate: struct x { ...; generate_options generate; ... } and
 * GENERATE_GROUP(struct x, generate). */
#define GENERATE_GROUP(type, member) { .rows = generate_rows, .offset = offsetof(type, member) }

/* The rules between these options and file, the value of --what, which names a file to read (NULL:
 * none): one of both unless optional, all kinds only to verify.  EXIT_DONE or EXIT_USAGE. */
int generate_check(const invocation *call, const generate_options *options, int all_kinds,
                   const char *what, const char *file, bool optional);
