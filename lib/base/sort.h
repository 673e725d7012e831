/* sort.h: sorting items of a few 32-bit words, in linear time whatever the words are.
 * Source   Knuth, The Art of Computer Programming, vol. 3 (1998), 5.2.5: radix sort, least
 *          significant digit first. */
#pragma once

#include "lib/base/hooks.h"

#include <stddef.h>
#include <stdint.h>

/* Sorts order[0 .. count), which holds numbers of items, so that the items ascend, compared word by
 * word from the first; equal ones stay in the order they were in.  Item i is the words
 * items[i * words .. (i + 1) * words).  scratch has a capacity of count numbers.  A stage that was
 * stopped leaves the same numbers in any order; NULL: none. */
void sli_sort_words(const uint32_t *items, size_t words, uint32_t *order, uint32_t *scratch,
                    size_t count, sli_stage *stage);

/* Items of a few words each, and the order they come in: order[0 .. count) are numbers of items. */
typedef struct sli_table {
    uint32_t *items, *order, *scratch;
    size_t words, capacity, count;
} sli_table;

/* A table of capacity items; false, with nothing to free, when out of memory. */
bool sli_table_alloc(const sl_allocator *allocator, size_t capacity, size_t words, sli_table *out);
void sli_table_free(const sl_allocator *allocator, sli_table *table);

/* A stage that was stopped leaves any order. */
void sli_table_sort(sli_table *table, sli_stage *stage);

/* Whether the item at this rank of the order equals the one before it. */
bool sli_table_repeats(const sli_table *table, size_t rank);
