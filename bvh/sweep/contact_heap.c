/* The first contacts: a binary heap. */
#include "bvh/sweep/contact_heap.h"

static bool contact_heap_before(const sl_contact *a, const sl_contact *b)
{
    if (a->t != b->t) {
        return a->t < b->t;
    }
    return a->instance != b->instance ? a->instance < b->instance : a->prim < b->prim;
}

#define HIT           sl_contact
#define HIT_BEFORE    contact_heap_before
#define HIT_HEAP_ADD  sli_contact_heap_add
#define HIT_HEAP_SORT sli_contact_heap_sort
#include "lib/geom/intersect/hit_heap.inl"
