/* hints.h: what is here for words that other programs have; for options.c and main.c. */
#pragma once

#include <stddef.h>

/* What to do instead; NULL where the word is not known. */
const char *hint_of_subcommand(const char *word);
const char *hint_of_option(const char *command, const char *word, size_t size);
