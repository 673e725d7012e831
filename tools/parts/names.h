/* parts/names.h: the names of part files, of unfinished ones and of what else stands beside OUT. */
#pragma once

#include <stdint.h>

/* All from malloc; NULL after a report that there is no memory. */
char *parts_name(const char *out, uint64_t index, uint64_t of); /* OUT.3-of-7.part */
char *parts_name_with(const char *name, const char *ending);    /* NAME and the ending */

/* OUT.3-of-7.partial of a part, OUT.partial of a run that is all of it. */
char *parts_unfinished(const char *out, const char *part, uint64_t index, uint64_t of);

/* Into how many parts OUT is cut, by the names of the files beside it; 0 where there is none.
 * EXIT_DONE, or the status of a reported error: of two different numbers, too. */
int parts_find(const char *out, uint64_t *of);
