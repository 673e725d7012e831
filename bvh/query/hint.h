/* hint.h: segments with a guess for each of who blocks it. */
#ifndef SLI_QUERY_HINT_H
#define SLI_QUERY_HINT_H

#include "bvh/query/query.h"

/* Segments begin .. end - 1 of the batch: blocked[i] is 1 or 0, and hint[i], in: whom to try first,
 * out: somebody who blocks, or as it was. */
void sli_blocked_by_hint(const sli_kernel_batch *batch, size_t begin, size_t end, uint8_t *blocked,
                         uint32_t *hint, sl_stats *stats);

#endif
