/* sort.c: sorts by several 32-bit words in linear time, least significant digit first; for
 * positions, edges and triangles of meshes, and for pairs that meet. */
#include "lib/base/sort.h"
#include "lib/base/memory.h"

#include <string.h>

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, DIGITS_PER_WORD = 32 / DIGIT_BITS };

static uint32_t digit_of(uint32_t word, int position)
{
    return word >> (position * DIGIT_BITS) & (DIGITS - 1);
}

/* Adds how often each digit occurs at each position of one word. */
static void count_digits(const uint32_t *items, size_t words, const uint32_t *order, size_t count,
                         size_t counts[DIGITS_PER_WORD][DIGITS])
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t value = items[order[i] * words];
        for (int position = 0; position < DIGITS_PER_WORD; position++) {
            counts[position][digit_of(value, position)]++;
        }
    }
}

/* Puts items where those with their digit go on: starts[digit]. */
static void deal_items(const uint32_t *items, size_t words, int position, const uint32_t *from,
                       size_t count, uint32_t *to, size_t starts[DIGITS])
{
    for (size_t i = 0; i < count; i++) {
        to[starts[digit_of(items[from[i] * words], position)]++] = from[i];
    }
}

static size_t sort_step(size_t left)
{
    return left < SLI_STAGE_ITEMS ? left : SLI_STAGE_ITEMS;
}

void sli_sort_words(const uint32_t *items, size_t words, uint32_t *order, uint32_t *scratch,
                    size_t count, sli_stage *stage)
{
    uint32_t *from = order, *to = scratch;
    for (size_t word = words; count > 1 && word-- > 0;) {
        size_t counts[DIGITS_PER_WORD][DIGITS] = { 0 };
        const uint32_t *values = items + word;
        for (size_t at = 0; at < count && !sli_stage_stops(stage); at += SLI_STAGE_ITEMS) {
            count_digits(values, words, from + at, sort_step(count - at), counts);
        }
        for (int position = 0; position < DIGITS_PER_WORD; position++) {
            size_t *starts = counts[position], start = 0;
            if (starts[digit_of(values[from[0] * words], position)] == count) {
                continue; /* all the same here */
            }
            for (int digit = 0; digit < DIGITS; digit++) {
                const size_t here = starts[digit];
                starts[digit] = start;
                start += here;
            }
            for (size_t at = 0; at < count && !sli_stage_stops(stage); at += SLI_STAGE_ITEMS) {
                deal_items(values, words, position, from + at, sort_step(count - at), to, starts);
            }
            if (stage == NULL || !stage->stopped) {
                uint32_t *swap = from;
                from = to;
                to = swap;
            }
        }
    }
    if (from != order) {
        memcpy(order, from, count * sizeof *order);
    }
}

void sli_table_free(const sl_allocator *allocator, sli_table *table)
{
    sli_free_array(allocator, table->items, table->capacity, table->words * sizeof(uint32_t));
    sli_free_array(allocator, table->order, table->capacity, sizeof(uint32_t));
    sli_free_array(allocator, table->scratch, table->capacity, sizeof(uint32_t));
}

bool sli_table_alloc(const sl_allocator *allocator, size_t capacity, size_t words, sli_table *out)
{
    *out = (sli_table){ .words = words, .capacity = capacity };
    out->items = sli_alloc_array(allocator, capacity, words * sizeof(uint32_t));
    out->order = sli_alloc_array(allocator, capacity, sizeof(uint32_t));
    out->scratch = sli_alloc_array(allocator, capacity, sizeof(uint32_t));
    if (out->items != NULL && out->order != NULL && out->scratch != NULL) {
        return true;
    }
    sli_table_free(allocator, out);
    return false;
}

void sli_table_sort(sli_table *table, sli_stage *stage)
{
    sli_sort_words(table->items, table->words, table->order, table->scratch, table->count, stage);
}

bool sli_table_repeats(const sli_table *table, size_t rank)
{
    return rank > 0 && memcmp(table->items + table->order[rank] * table->words,
                              table->items + table->order[rank - 1] * table->words,
                              table->words * sizeof(uint32_t)) == 0;
}
