/* sets/plain.c: sets of elements as they are: counted, listed, inverted; and their boundary. */
#include "lib/mesh/sets/bits.h"

#include <string.h>

size_t sli_set_capacity(const sl_topology *topology, sl_element kind)
{
    switch (kind) {
    case SL_VERTICES:
        return topology->info.vertex_count;
    case SL_EDGES:
        return topology->info.edge_count;
    case SL_TRIANGLES:
        return topology->info.triangle_count;
    case SL_FACES:
        return topology->info.face_count;
    case SL_PARTS:
        return topology->info.part_count;
    default:
        return 0;
    }
}

size_t sl_set_words(const sl_topology *topology, sl_element kind)
{
    return sli_bit_words(sli_set_capacity(topology, kind));
}

static uint32_t bits_of(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (uint32_t)(word * 0x0101010101010101u >> 56);
}

/* A word without bits that stand for nothing. */
static uint64_t word_of(const sl_topology *t, sl_element kind, const uint64_t *set, size_t index,
                        size_t count)
{
    uint64_t word = sli_set_word(set != NULL ? set[index] : UINT64_MAX, index, count);
    for (uint64_t left = kind == SL_TRIANGLES && t->left_out > 0 ? word : 0; left != 0;
         left &= left - 1) {
        if (sli_is_left_out(t, 64 * index + sli_lowest_bit(left))) {
            word &= ~(left & (0 - left));
        }
    }
    return word;
}

void sli_set_copy(const sl_topology *topology, sl_element kind, const uint64_t *set, uint64_t *out)
{
    const size_t count = sli_set_capacity(topology, kind), words = sli_bit_words(count);
    for (size_t i = 0; i < words; i++) {
        out[i] = word_of(topology, kind, set, i, count);
    }
}

bool sli_set_is_sparse(const sl_topology *topology, sl_element kind, const uint64_t *set,
                       size_t share)
{
    const size_t count = sli_set_capacity(topology, kind), words = sli_bit_words(count);
    size_t found = 0;
    for (size_t i = 0; i < words && found <= count / share; i++) {
        found += bits_of(set[i]);
    }
    return found <= count / share;
}

size_t sl_set_list(const sl_topology *topology, sl_element kind, const uint64_t *set,
                   uint32_t *elements, size_t capacity)
{
    const size_t count = sli_set_capacity(topology, kind), words = sli_bit_words(count);
    size_t found = 0;
    for (size_t i = 0; i < words; i++) {
        uint64_t word = word_of(topology, kind, set, i, count);
        if (found >= capacity) {
            found += bits_of(word);
            continue;
        }
        for (; word != 0; word &= word - 1) {
            if (found < capacity) {
                elements[found] = (uint32_t)(64 * i) + sli_lowest_bit(word);
            }
            found++;
        }
    }
    return found;
}

void sl_set_from_list(const sl_topology *topology, sl_element kind, const uint32_t *elements,
                      size_t count, uint64_t *out)
{
    const size_t capacity = sli_set_capacity(topology, kind);
    memset(out, 0, sli_bit_words(capacity) * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        if (elements[i] < capacity &&
            (kind != SL_TRIANGLES || !sli_is_left_out(topology, elements[i]))) {
            sli_set_put(out, elements[i]);
        }
    }
}

void sl_set_invert(const sl_topology *topology, sl_element kind, const uint64_t *set, uint64_t *out)
{
    const size_t count = sli_set_capacity(topology, kind), words = sli_bit_words(count);
    for (size_t i = 0; i < words; i++) {
        const uint64_t all = word_of(topology, kind, NULL, i, count);
        out[i] = set != NULL ? all & ~set[i] : all;
    }
}
