/* numbers.h: the numbers in one word of the command line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { NUMBERS_BAD = -1 };

/* How many there are, with blanks or commas between, of which the first capacity are kept; inf and
 * nan are numbers.  NUMBERS_BAD for anything else. */
int numbers_parse(const char *text, float *out, int capacity);
int numbers_parse_d(const char *text, double *out, int capacity);

bool numbers_are_finite(const double *numbers, size_t count);
