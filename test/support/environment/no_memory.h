/* no_memory.h: a section of a test in which every allocation fails.
 * For programs that are linked with --wrap for each of the calls that test/CMakeLists.txt lists. */
#pragma once

#include <stddef.h>

/* From now on malloc and its kin fail, on every thread, and are counted; so is qsort, which may
 * take memory of its own. */
void no_memory_begin(void);

/* Memory again; how many calls there were. */
size_t no_memory_end(void);
