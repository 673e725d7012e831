/* parts/options.h: --part and --resume, which 'cast', 'los', 'nearest', 'within' and 'inside'
 * share. */
#pragma once

#include "tools/cli/options.h"

typedef struct parts_options {
    const char *part; /* "I/N"; NULL: all in one run */
    bool resume;
} parts_options;

extern const option_row parts_rows[];

/* struct x { ...; parts_options parts; } and PARTS_GROUP(struct x). */
#define PARTS_GROUP(type)                                                                          \
    { .title = "Many machines", .rows = parts_rows, .offset = offsetof(type, parts) }

/* Whether the answers go to a part file first. */
bool parts_wanted(const parts_options *options);

/* The numbers of "I/N", from 1 on; 1 and 1 where there is no --part.  False where it is none. */
bool parts_parse(const char *part, uint64_t *index, uint64_t *of);

/* The rules between these options and others; out: --out; questions: the file that is asked about,
 * or NULL; json: answers are JSON.  EXIT_DONE or EXIT_USAGE. */
int parts_check(const invocation *call, const parts_options *options, const char *out,
                const char *questions, bool json);

/* Which of `total` questions are share `index` of `of`: contiguous, none left out. */
uint64_t parts_begin_of(uint64_t index, uint64_t of, uint64_t total);
