/* ref_heap.h: the lowest references by (instance, prim), kept in the caller's array as a heap and
 * sorted at the end: as hits are (lib/geom/intersect/hit_heap.h). */
#pragma once

#include <sightline/intersect.h>

/* Adds a reference; total is how many were added before it. */
void sli_ref_heap_add(sl_triangle_ref *refs, size_t capacity, uint64_t total,
                      const sl_triangle_ref *ref);

/* Sorts the min(total, capacity) that were kept. */
void sli_ref_heap_sort(sl_triangle_ref *refs, size_t capacity, uint64_t total);
