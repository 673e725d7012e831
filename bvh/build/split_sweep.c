/* Every position along each axis, as in MacDonald and Booth (1990). */
#include "bvh/build/sah.h"
#include "bvh/build/split.h"
#include "lib/base/assert.h"

/* Numbers of the references in the order of their centres; of equal ones, as they come. */
static void sort_along(const sli_ref *refs, int axis, size_t count, uint64_t *sorted)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = (uint64_t)sli_ref_key(&refs[i], axis) << 32 | i;
        size_t at = i;
        for (; at > 0 && sorted[at - 1] > key; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = key;
    }
}

static const sli_ref *nth(const sli_ref *refs, const uint64_t *sorted, size_t n)
{
    return &refs[sorted[n] & 0xFFFFFFFFu];
}

/* The best position in this order, if it is better than *best: how many go left, else 0. */
static size_t choose_in_order(const sli_ref *refs, const uint64_t *sorted, size_t count,
                              size_t most, sli_cost *best)
{
    double right_area[SLI_SWEEP_MOST];
    sli_box side = sli_box_empty();
    for (size_t i = count - 1; i > 0; i--) {
        const sli_box box = sli_ref_box(nth(refs, sorted, i));
        sli_box_join(&side, &box);
        right_area[i] = sli_box_half_area(&side);
    }
    side = sli_box_empty();
    size_t found = 0;
    for (size_t left = 1; left < count; left++) {
        const sli_box box = sli_ref_box(nth(refs, sorted, left - 1));
        sli_box_join(&side, &box);
        const sli_cost cost =
            sli_cost_of_cut(sli_box_half_area(&side), left, right_area[left], count - left);
        if (cost.larger <= most && sli_cost_less(cost, *best)) {
            *best = cost;
            found = left;
        }
    }
    return found;
}

void sli_split_sweep(const sli_ref *from, sli_ref *to, size_t count, size_t most, sli_split *out)
{
    SL_ASSERT(count >= 2 && count <= SLI_SWEEP_MOST && most >= (count + 1) / 2);
    uint64_t sorted[3][SLI_SWEEP_MOST];
    sli_cost best = sli_cost_none();
    int axis = 0;
    for (int a = 0; a < 3; a++) {
        sort_along(from, a, count, sorted[a]);
        const size_t left = choose_in_order(from, sorted[a], count, most, &best);
        if (left > 0) {
            axis = a;
            out->left_count = left;
        }
    }
    out->bounds[0] = out->bounds[1] = sli_box_empty();
    for (size_t i = 0; i < count; i++) {
        to[i] = *nth(from, sorted[axis], i);
        const sli_box box = sli_ref_box(&to[i]);
        sli_box_join(&out->bounds[i >= out->left_count], &box);
    }
}
