/* simd/at4_from_f4.h: the rest of simd/at_from_f4.h, for instruction sets without permutations by a
 * register.  Included by these. */
#pragma once

#include "bvh/kernel/simd/at_from_f4.h"

static inline f16 f16_at16(const float *p, const uint32_t *at)
{
    return simd_at(p, at, 1, 16);
}

static inline f16 f16_at4(const float *p, const uint32_t *at)
{
    return simd_at(p, at, 16, 4);
}
