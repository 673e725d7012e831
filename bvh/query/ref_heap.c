/* The lowest references: a binary heap. */
#include "bvh/query/ref_heap.h"

static bool ref_heap_before(const sl_triangle_ref *a, const sl_triangle_ref *b)
{
    return a->instance != b->instance ? a->instance < b->instance : a->prim < b->prim;
}

#define HIT           sl_triangle_ref
#define HIT_BEFORE    ref_heap_before
#define HIT_HEAP_ADD  sli_ref_heap_add
#define HIT_HEAP_SORT sli_ref_heap_sort
#include "lib/geom/intersect/hit_heap.inl"
