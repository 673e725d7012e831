#include "bvh/query/hint.h"

void sli_blocked_by_hint(const sli_kernel_batch *batch, size_t begin, size_t end, uint8_t *blocked,
                         uint32_t *hint, sl_stats *stats)
{
    sli_kernel_batch guessed = *batch;
    guessed.guessed = true;
    batch->tree->kernels->any_many(&guessed, begin, end, blocked, hint, stats);
}
