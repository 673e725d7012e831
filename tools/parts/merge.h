/* parts/merge.h: puts part files together. */
#pragma once

#include <stddef.h>

/* Part files in any order, all those of one question, to out (NULL or "-": stdout): the bytes that
 * one run would write.  Every part is checked, and out appears whole.  Memory does not grow with
 * them.  EXIT_DONE; EXIT_NO where there was one question and the answer is no; or a status after a
 * report. */
int parts_merge(const char *const *paths, size_t count, const char *out);
