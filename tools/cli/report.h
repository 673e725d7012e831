/* report.h: errors, one line each on stderr: "sightline: FILE:LINE: what; what to do".
 * Every function returns the exit status that goes with it. */
#pragma once

#include "tools/command.h"

#include <sightline/base.h>

#if defined(__MINGW32__) /* where printf means another's */
#define REPORT_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#else
#define REPORT_PRINTF(text, first) __attribute__((format(printf, text, first)))
#endif

/* Wrong options or arguments: EXIT_USAGE.  Adds where to look; command may be NULL. */
int report_usage(const subcommand *command, const char *format, ...) REPORT_PRINTF(2, 3);

/* A file does not hold what it should: EXIT_BAD_INPUT.  line 0: not known. */
int report_input(const char *file, uint64_t line, const char *format, ...) REPORT_PRINTF(3, 4);

/* Anything else: EXIT_FAILED.  file may be NULL. */
int report_failure(const char *file, const char *format, ...) REPORT_PRINTF(2, 3);

/* What is no error, but should be known: EXIT_DONE. */
int report_note(const char *file, const char *format, ...) REPORT_PRINTF(2, 3);

/* In words, what the system says by an errno. */
const char *report_why(int error);

int report_memory(void);

/* Words, which end with NULL, as a list: "a, b or c" where `last` is " or "; before: what stands in
 * front of each. */
void report_list(char *to, size_t size, const char *const *words, const char *before,
                 const char *last);

/* An error of the library, with the status that its code stands for. */
int report_error(const sl_error *error);
