/* simd/words_by_tables.h: the operations of simd.h that move lanes about, for instruction sets that
 * look bytes up in a register: NEON and WebAssembly.  Needed first: f8 and its comparisons, and
 *     simd_words                  eight words, or where their bytes come from in another eight
 *     simd_words_load(p)  simd_words_store(p, a)  simd_words_of(f8)  simd_floats_of(a)
 *     simd_ranks(order, shift)    the indices of a node's children, by rank
 *     simd_indices_set(bits)      those of the lanes whose bits are set, one after the other
 *     simd_pick(a, indices)       the words of a that the indices name */
#pragma once

#include <stddef.h>
#include <stdint.h>

static inline void u8_store_some(uint32_t *p, const uint32_t *from, uint32_t bits)
{
    simd_words_store(p, simd_pick(simd_words_load(from), simd_indices_set(bits)));
}

static inline void f8_store_some(float *p, f8 a, uint32_t bits)
{
    f8_store(p, simd_floats_of(simd_pick(simd_words_of(a), simd_indices_set(bits))));
}

static inline uint32_t simd_push(uint32_t *refs, float *nears, const uint32_t *child,
                                 const uint32_t *order, uint32_t shift, f8 from, f8 to)
{
    const simd_words ranks = simd_ranks(order, shift);
    const simd_words children = simd_pick(simd_words_load(child), ranks);
    const simd_words near = simd_pick(simd_words_of(from), ranks);
    const uint32_t met =
        f8_bits_le(simd_floats_of(near), simd_floats_of(simd_pick(simd_words_of(to), ranks)));
    const simd_words indices = simd_indices_set(met);
    simd_words_store(refs, simd_pick(children, indices));
    if (nears != NULL) {
        f8_store(nears, simd_floats_of(simd_pick(near, indices)));
    }
    return (uint32_t)__builtin_popcount(met);
}

static inline uint32_t simd_by_rank(const uint32_t *child, const uint32_t *order, uint32_t shift,
                                    f8 from, f8 to, uint32_t *ref, f8 *near)
{
    const simd_words ranks = simd_ranks(order, shift);
    simd_words_store(ref, simd_pick(simd_words_load(child), ranks));
    *near = simd_floats_of(simd_pick(simd_words_of(from), ranks));
    return f8_bits_le_plus(*near, simd_floats_of(simd_pick(simd_words_of(to), ranks)));
}

static inline uint32_t simd_keep(uint32_t *refs, float *nears, uint32_t count, float bound)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i += 8) {
        const simd_words r = simd_words_load(refs + i);
        const f8 n = f8_load(nears + i);
        const uint32_t live = count - i >= 8 ? 0xFF : (1u << (count - i)) - 1;
        const uint32_t near = f8_bits_le(n, f8_splat(bound)) & live;
        const simd_words indices = simd_indices_set(near);
        simd_words_store(refs + kept, simd_pick(r, indices));
        f8_store(nears + kept, simd_floats_of(simd_pick(simd_words_of(n), indices)));
        kept += (uint32_t)__builtin_popcount(near);
    }
    return kept;
}
