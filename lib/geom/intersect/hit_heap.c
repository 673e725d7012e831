/* The k nearest hits, for the queries for all hits of soups and trees: a binary heap,
 * once for each type of hit. */
#include "lib/geom/intersect/hit_heap.h"

bool sli_hit_before(const sl_hit *a, const sl_hit *b)
{
    if (a->t != b->t) {
        return a->t < b->t;
    }
    return a->instance != b->instance ? a->instance < b->instance : a->prim < b->prim;
}

#define HIT           sl_hit
#define HIT_BEFORE    sli_hit_before
#define HIT_HEAP_ADD  sli_hit_heap_add
#define HIT_HEAP_SORT sli_hit_heap_sort
#include "lib/geom/intersect/hit_heap.inl"
