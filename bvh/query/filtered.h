/* filtered.h: the closest and any hits that a hit filter accepts, of many items of an array; for
 * ask.c. */
#ifndef SLI_QUERY_FILTERED_H
#define SLI_QUERY_FILTERED_H

#include "bvh/query/ask.h"

/* Items begin .. end - 1 of a question about the closest hit, of an array, with a hit filter. */
void sli_filtered_closest(const sli_question *q, size_t begin, size_t end, sl_stats *stats);

/* The same about any hit.  Hints are written, but not tried first. */
void sli_filtered_any(const sli_question *q, size_t begin, size_t end, sl_stats *stats);

#endif
