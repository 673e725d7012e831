/* options_help.h: the help text of a subcommand's options. */
#pragma once

#include "tools/cli/options.h"

#include <stdio.h>

bool option_has_range(const option_row *row);

/* Whether a count is one of bytes, so that the steps of its units are 1024. */
bool option_is_size(const option_row *row);

/* What a value may be: "a whole number from 0 to 1024", "closest, any or count". */
void option_describe(const option_row *row, char *to, size_t size);

/* The text of --help: everything. */
void options_help(const subcommand *command, FILE *to);

/* The text of -h, which fits one screen: usage, the options that are marked as main, an example. */
void options_short_help(const subcommand *command, FILE *to);
