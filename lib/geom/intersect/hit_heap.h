/* intersect/hit_heap.h: the k nearest hits, kept in the caller's array as a heap with the farthest
 * hit at the root while hits are added, and sorted at the end.  The order is (t, instance, prim).
 * For soups and trees. */
#pragma once

#include <sightline/intersect.h>

bool sli_hit_before(const sl_hit *a, const sl_hit *b);

/* Adds a hit; total is the number of hits added before it.  It is kept if it is among the nearest
 * capacity. */
void sli_hit_heap_add(sl_hit *hits, size_t capacity, uint64_t total, const sl_hit *hit);

/* Sorts the min(total, capacity) hits that were kept; total is the number of hits added. */
void sli_hit_heap_sort(sl_hit *hits, size_t capacity, uint64_t total);

/* The same for hits in doubles. */
bool sli_hit_d_before(const sl_hit_d *a, const sl_hit_d *b);
void sli_hit_d_heap_add(sl_hit_d *hits, size_t capacity, uint64_t total, const sl_hit_d *hit);
void sli_hit_d_heap_sort(sl_hit_d *hits, size_t capacity, uint64_t total);
