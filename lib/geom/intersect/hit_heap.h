/* hit_heap.h: the k nearest hits, kept in the caller's array: a heap with the farthest on top while
 * hits come in, sorted at the end.  The order is (t, instance, prim). */
#ifndef SLI_GEOM_INTERSECT_HIT_HEAP_H
#define SLI_GEOM_INTERSECT_HIT_HEAP_H

#include <sightline/intersect.h>

bool sli_hit_before(const sl_hit *a, const sl_hit *b);

/* One more hit, the total-th (from 0) of all; kept if it is among the capacity nearest. */
void sli_hit_heap_add(sl_hit *hits, size_t capacity, size_t total, const sl_hit *hit);

/* Sorts the min(total, capacity) hits that were kept. */
void sli_hit_heap_sort(sl_hit *hits, size_t capacity, size_t total);

#endif
