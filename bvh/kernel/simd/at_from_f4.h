/* simd/at_from_f4.h: rows read at sixteen places, for instruction sets that read them one by one.
 * Needed first: f16. */
#pragma once

#include <stdint.h>
#include <string.h>

/* Lane i: p[at[i] / by % in]. */
static inline f16 simd_at(const float *p, const uint32_t *at, uint32_t by, uint32_t in)
{
    f4 four[4];
    for (int i = 0; i < 4; i++) {
        const uint32_t *k = at + 4 * i;
        four[i] =
            f4_from(p[k[0] / by % in], p[k[1] / by % in], p[k[2] / by % in], p[k[3] / by % in]);
    }
    return f16_pair(f8_pair(four[0], four[1]), f8_pair(four[2], four[3]));
}

static inline f16 f16_at(const float *p, const uint32_t *at)
{
    return simd_at(p, at, 1, 64);
}

static inline void simd_positions(uint32_t *p, uint64_t bits)
{
    memset(p, 0, 16 * sizeof *p);
    for (; bits != 0; bits &= bits - 1) {
        *p++ = (uint32_t)__builtin_ctzll(bits);
    }
}
