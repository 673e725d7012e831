/* output/file_name.h: what the ending of an output's name promises. */
#pragma once

#include "tools/cli/options.h"

/* Whether a name ends in ending (".ply"), in letters of either case; path may be NULL. */
bool file_name_ends(const char *path, const char *ending);

/* Refuses a name whose ending stands for a format that option does not write.  possible has those
 * that it writes (".ply .obj"); endings that stand for no format we know of pass, as in "out.tmp".
 * EXIT_DONE, or EXIT_USAGE after a report; a path of NULL passes. */
int file_name_check(const invocation *call, const char *option, const char *path,
                    const char *possible);
