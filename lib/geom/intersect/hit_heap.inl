/* The heap of the k nearest hits (hit_heap.h), for one type of hit: HIT, whose order is HIT_BEFORE;
 * the functions get the names HIT_HEAP_ADD and HIT_HEAP_SORT. */
/* Puts hit into a heap of count entries, at the hole or below it. */
static void sift_down(HIT *hits, size_t count, size_t hole, const HIT *hit)
{
    for (size_t child = 2 * hole + 1; child < count; child = 2 * hole + 1) {
        if (child + 1 < count && HIT_BEFORE(&hits[child], &hits[child + 1])) {
            child++;
        }
        if (!HIT_BEFORE(hit, &hits[child])) {
            break;
        }
        hits[hole] = hits[child];
        hole = child;
    }
    hits[hole] = *hit;
}

static void sift_up(HIT *hits, size_t hole, const HIT *hit)
{
    while (hole > 0 && HIT_BEFORE(&hits[(hole - 1) / 2], hit)) {
        hits[hole] = hits[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    hits[hole] = *hit;
}

void HIT_HEAP_ADD(HIT *hits, size_t capacity, uint64_t total, const HIT *hit)
{
    const HIT copy = *hit;
    if (total < capacity) {
        sift_up(hits, (size_t)total, &copy);
    } else if (capacity > 0 && HIT_BEFORE(&copy, &hits[0])) {
        sift_down(hits, capacity, 0, &copy);
    }
}

void HIT_HEAP_SORT(HIT *hits, size_t capacity, uint64_t total)
{
    for (size_t count = total < capacity ? (size_t)total : capacity; count > 1; count--) {
        const HIT last = hits[count - 1];
        hits[count - 1] = hits[0];
        sift_down(hits, count - 1, 0, &last);
    }
}
