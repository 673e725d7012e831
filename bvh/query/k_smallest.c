#include "bvh/query/k_smallest.h"

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

void sli_lowest_add(sli_lowest *lowest, uint32_t number)
{
    const size_t capacity = lowest->capacity, at = lowest->total++;
    if (at < capacity) {
        lowest->numbers[at] = number;
    } else if (capacity > 0) {
        if (at == capacity) {
            make_heap(lowest->numbers, capacity);
        }
        if (number < lowest->numbers[0]) {
            sift_down(lowest->numbers, capacity, 0, number);
        }
    }
}

void sli_lowest_sort(sli_lowest *lowest)
{
    uint32_t *heap = lowest->numbers;
    size_t count = lowest->total < lowest->capacity ? lowest->total : lowest->capacity;
    make_heap(heap, count);
    for (; count > 1; count--) {
        const uint32_t last = heap[count - 1];
        heap[count - 1] = heap[0];
        sift_down(heap, count - 1, 0, last);
    }
}
