/* The smallest of many numbers: a heap in the caller's array. */
#include "lib/geom/intersect/k_smallest.h"

sli_k_smallest sli_k_smallest_in(sl_triangle_ref *row, size_t capacity)
{
    return (sli_k_smallest){ .numbers = (uint32_t *)(void *)row, .capacity = capacity };
}

/* Puts number into the hole in a heap of count places. */
static void sift_down(uint32_t *heap, size_t count, size_t hole, uint32_t number)
{
    for (size_t child = 2 * hole + 1; child < count; child = 2 * hole + 1) {
        if (child + 1 < count && heap[child + 1] > heap[child]) {
            child++;
        }
        if (heap[child] <= number) {
            break;
        }
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = number;
}

static void make_heap(uint32_t *numbers, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        sift_down(numbers, count, i, numbers[i]);
    }
}

void sli_k_smallest_add(void *context, uint32_t number)
{
    sli_k_smallest *smallest = context;
    const size_t capacity = smallest->capacity, at = smallest->total++;
    if (at < capacity) {
        smallest->numbers[at] = number;
    } else if (capacity > 0) {
        if (at == capacity) {
            make_heap(smallest->numbers, capacity);
        }
        if (number < smallest->numbers[0]) {
            sift_down(smallest->numbers, capacity, 0, number);
        }
    }
}

void sli_k_smallest_sort(sli_k_smallest *smallest)
{
    uint32_t *heap = smallest->numbers;
    size_t count = smallest->total < smallest->capacity ? smallest->total : smallest->capacity;
    make_heap(heap, count);
    for (; count > 1; count--) {
        const uint32_t last = heap[count - 1];
        heap[count - 1] = heap[0];
        sift_down(heap, count - 1, 0, last);
    }
}

/* From the last one on: a reference is written behind the numbers that are still to be read. */
size_t sli_k_smallest_finish(sli_k_smallest *smallest, sl_triangle_ref *row)
{
    sli_k_smallest_sort(smallest);
    const size_t kept = smallest->total < smallest->capacity ? smallest->total : smallest->capacity;
    for (size_t i = kept; i-- > 0;) {
        const uint32_t prim = smallest->numbers[i];
        row[i] = (sl_triangle_ref){ .prim = prim };
    }
    return smallest->total;
}
