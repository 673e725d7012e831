/* simd/list_lanes.h: u64_store_lanes of simd.h, for instruction sets that cannot compress lanes. */
#ifndef SLI_KERNEL_SIMD_LIST_H
#define SLI_KERNEL_SIMD_LIST_H

#include <stdint.h>

static inline void u64_store_lanes(uint64_t *to, uint64_t first, uint32_t lanes)
{
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < 4; lane++) {
        to[count] = first + lane;
        count += lanes >> lane & 1;
    }
}

#endif
