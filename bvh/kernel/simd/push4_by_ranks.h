/* push4_by_ranks.h: simd_push4 of simd.h by six comparisons, which tell each of the four its
 * place: for instruction sets without permutations by variables. */
#pragma once

static inline uint32_t simd_push4(uint32_t *refs, float *nears, const uint32_t *number,
                                  uint32_t kind, uint32_t met, f4 by, uint32_t rising)
{
    float near[4];
    int32_t key[4];
    f4_store(near, by);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t bits;
        memcpy(&bits, &near[i], sizeof bits);
        bits = rising != 0 ? ~bits : bits;
        key[i] = (int32_t)((bits & 0x7FFFFFFC) | i | ((met >> i & 1) - 1));
    }
    const uint32_t a = key[1] > key[0], b = key[2] > key[0], c = key[3] > key[0],
                   d = key[2] > key[1], e = key[3] > key[1], f = key[3] > key[2];
    const uint32_t rank[4] = { a + b + c, 1 - a + d + e, 2 - b - d + f, 3 - c - e - f };
    for (uint32_t i = 0; i < 4; i++) {
        refs[rank[i]] = kind | number[i];
        if (nears != NULL) {
            nears[rank[i]] = near[i];
        }
    }
    return (uint32_t)__builtin_popcount(met);
}
