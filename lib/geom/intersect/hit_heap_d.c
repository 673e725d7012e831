/* The k nearest hits of rays in doubles: a binary heap. */
#include "lib/geom/intersect/hit_heap.h"

bool sli_hit_d_before(const sl_hit_d *a, const sl_hit_d *b)
{
    if (a->t != b->t) {
        return a->t < b->t;
    }
    return a->instance != b->instance ? a->instance < b->instance : a->prim < b->prim;
}

#define HIT           sl_hit_d
#define HIT_BEFORE    sli_hit_d_before
#define HIT_HEAP_ADD  sli_hit_d_heap_add
#define HIT_HEAP_SORT sli_hit_d_heap_sort
#include "lib/geom/intersect/hit_heap.inl"
