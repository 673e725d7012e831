/* verify/options.h: the tree against every triangle in turn; options that 'cast', 'overlap',
 * 'nearest', 'within' and 'inside' share. */
#pragma once

#include "tools/cli/options.h"

typedef struct verify_options {
    bool box_filter; /* only where the subcommand has it */
    bool verify, brute;
    uint64_t snap; /* 0: vertices stay where they are */
} verify_options;

/* --box-filter comes first, so that VERIFY_GROUP can leave it out. */
extern const option_row verify_rows[];

#define VERIFY_TITLE "To verify, and for sightline's own tests"

/* The group to list last: struct x { ...; verify_options verify; } and VERIFY_GROUP(struct x,
 * verify); or FILTERED_VERIFY_GROUP, with --box-filter. */
#define VERIFY_GROUP(type, member)                                                                 \
    { .title = VERIFY_TITLE, .rows = verify_rows + 1, .offset = offsetof(type, member) }
#define FILTERED_VERIFY_GROUP(type, member)                                                        \
    { .title = VERIFY_TITLE, .rows = verify_rows, .offset = offsetof(type, member) }

/* The rules between these options; skip: --skip, which a box filter does not know.  EXIT_DONE or
 * EXIT_USAGE. */
int verify_check(const invocation *call, const verify_options *options, const char *out,
                 const char *skip);
