/* The k nearest hits, for the queries for all hits of soups and trees: a binary heap. */
#include "lib/geom/intersect/hit_heap.h"

bool sli_hit_before(const sl_hit *a, const sl_hit *b)
{
    if (a->t != b->t) {
        return a->t < b->t;
    }
    return a->instance != b->instance ? a->instance < b->instance : a->prim < b->prim;
}

/* Puts hit into a heap of count entries, at the hole or below it. */
static void sift_down(sl_hit *hits, size_t count, size_t hole, const sl_hit *hit)
{
    for (size_t child = 2 * hole + 1; child < count; child = 2 * hole + 1) {
        if (child + 1 < count && sli_hit_before(&hits[child], &hits[child + 1])) {
            child++;
        }
        if (!sli_hit_before(hit, &hits[child])) {
            break;
        }
        hits[hole] = hits[child];
        hole = child;
    }
    hits[hole] = *hit;
}

static void sift_up(sl_hit *hits, size_t hole, const sl_hit *hit)
{
    while (hole > 0 && sli_hit_before(&hits[(hole - 1) / 2], hit)) {
        hits[hole] = hits[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    hits[hole] = *hit;
}

void sli_hit_heap_add(sl_hit *hits, size_t capacity, size_t total, const sl_hit *hit)
{
    const sl_hit copy = *hit;
    if (total < capacity) {
        sift_up(hits, total, &copy);
    } else if (capacity > 0 && sli_hit_before(&copy, &hits[0])) {
        sift_down(hits, capacity, 0, &copy);
    }
}

void sli_hit_heap_sort(sl_hit *hits, size_t capacity, size_t total)
{
    for (size_t count = total < capacity ? total : capacity; count > 1; count--) {
        const sl_hit last = hits[count - 1];
        hits[count - 1] = hits[0];
        sift_down(hits, count - 1, 0, &last);
    }
}
