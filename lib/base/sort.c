/* sort.c: sorts by several 32-bit words in linear time, least significant digit first; for
 * positions, edges and triangles of inspect, weld and boundaries. */
#include "lib/base/sort.h"

#include <string.h>

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, DIGITS_PER_WORD = 32 / DIGIT_BITS };

static uint32_t digit_of(uint32_t word, int position)
{
    return word >> (position * DIGIT_BITS) & (DIGITS - 1);
}

/* How often each digit occurs at each position of one word. */
static void count_digits(const uint32_t *items, size_t words, size_t word, const uint32_t *order,
                         size_t count, size_t counts[DIGITS_PER_WORD][DIGITS])
{
    memset(counts, 0, sizeof(size_t) * DIGITS_PER_WORD * DIGITS);
    for (size_t i = 0; i < count; i++) {
        const uint32_t value = items[order[i] * words + word];
        for (int position = 0; position < DIGITS_PER_WORD; position++) {
            counts[position][digit_of(value, position)]++;
        }
    }
}

void sli_sort_words(const uint32_t *items, size_t words, uint32_t *order, uint32_t *scratch,
                    size_t count)
{
    uint32_t *from = order, *to = scratch;
    for (size_t word = words; count > 1 && word-- > 0;) {
        size_t counts[DIGITS_PER_WORD][DIGITS];
        count_digits(items, words, word, from, count, counts);
        for (int position = 0; position < DIGITS_PER_WORD; position++) {
            if (counts[position][digit_of(items[from[0] * words + word], position)] == count) {
                continue; /* all the same here */
            }
            size_t start = 0;
            for (int digit = 0; digit < DIGITS; digit++) {
                const size_t here = counts[position][digit];
                counts[position][digit] = start;
                start += here;
            }
            for (size_t i = 0; i < count; i++) {
                const uint32_t value = items[from[i] * words + word];
                to[counts[position][digit_of(value, position)]++] = from[i];
            }
            uint32_t *swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != order) {
        memcpy(order, from, count * sizeof *order);
    }
}
