/* k_smallest.h: the smallest of many numbers, kept in the caller's array and sorted at the end: for
 * queries whose answer is a list of numbers (bvh/query/volume, bvh/query/points.c, topologies).
 * Source   a binary heap of the kept numbers, the largest on top; Williams, Algorithm 232: Heapsort
 *          (1964). */
#pragma once

#include <sightline/intersect.h>

typedef struct sli_k_smallest {
    uint32_t *numbers; /* in the order of arrival until capacity of them have come, then a heap */
    size_t capacity;
    size_t total; /* how many numbers have come */
} sli_k_smallest;

/* Keeps prims in the memory of a row of references, which has twice the space that they need. */
sli_k_smallest sli_k_smallest_in(sl_triangle_ref *row, size_t capacity);

/* Of an sli_k_smallest, for visitors whose context it is. */
void sli_k_smallest_add(void *smallest, uint32_t number);

/* Puts the min(total, capacity) numbers that were kept into rising order. */
void sli_k_smallest_sort(sli_k_smallest *smallest);

/* The same, and makes them references, in the row that they were kept in; returns the total. */
size_t sli_k_smallest_finish(sli_k_smallest *smallest, sl_triangle_ref *row);
