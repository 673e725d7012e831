/* Every position along each axis, as in MacDonald and Booth (1990). */
#include "bvh/build/sah.h"
#include "bvh/build/split.h"
#include "lib/base/assert.h"

enum { MOST = SLI_SWEEP_MOST, LANES = 4, INDEX_BITS = 4 };

_Static_assert(MOST == 1 << INDEX_BITS, "the number of a reference fits into its key");

/* A number for each reference along each axis, of the order of the centres; all differ.  The
 * distance of a centre from the lowest is not negative, and such floats have the order of their
 * bits; its last bits give way to the reference's number. */
typedef struct keys {
    int32_t at[3][MOST];
} keys;

/* Numbers of the references in the order of their centres. */
typedef struct orders {
    uint8_t at[3][MOST];
} orders;

static void make_keys(const sli_ref *refs, const sli_whole *whole, keys *out)
{
    sli_lanes lowest = sli_lanes_all(FLT_MAX);
    for (size_t i = 0; i < whole->count; i++) {
        lowest = sli_lanes_min(lowest, sli_ref_centre(&refs[i]));
    }
    for (int32_t i = 0; i < MOST; i++) {
        sli_lanes_i32 key = sli_lanes_all_i32(INT32_MAX);
        if ((size_t)i < whole->count) {
            const sli_lanes distance = sli_ref_centre(&refs[i]) - lowest;
            const sli_lanes above = sli_lanes_min(distance, sli_lanes_all(FLT_MAX));
            key = ((sli_lanes_i32)above & ~(MOST - 1)) | i;
        }
        for (int axis = 0; axis < 3; axis++) {
            out->at[axis][i] = key[axis];
        }
    }
}

/* The position of a key is the number of lower ones. */
static void sort_along(const int32_t sort[MOST], size_t count, uint8_t order[MOST])
{
    for (size_t first = 0; first < count; first += LANES) {
        sli_lanes_i32 mine, rank = sli_lanes_all_i32(0);
        memcpy(&mine, sort + first, sizeof mine);
        for (size_t i = 0; i < count; i++) {
            rank -= sli_lanes_all_i32(sort[i]) < mine;
        }
        for (size_t lane = 0; lane < LANES && first + lane < count; lane++) {
            order[rank[lane]] = (uint8_t)(first + lane);
        }
    }
}

/* Adds the n-th reference along each axis to the box of that axis. */
static inline void join_nth(sli_box boxes[3], const sli_ref *refs, const orders *sorted, size_t n)
{
    for (int axis = 0; axis < 3; axis++) {
        const sli_box box = sli_ref_box(&refs[sorted->at[axis][n]]);
        sli_box_join(&boxes[axis], &box);
    }
}

static inline void set_empty(sli_box boxes[3])
{
    for (int axis = 0; axis < 3; axis++) {
        boxes[axis] = sli_box_empty();
    }
}

/* The axis of the best cut; out->left_count is set. */
static int choose(const sli_ref *refs, const orders *sorted, const sli_whole *whole, sli_split *out)
{
    const size_t count = whole->count;
    const int32_t most = whole->most < count ? (int32_t)whole->most : (int32_t)count;
    const float scale = sli_box_scale(&whole->bounds);
    sli_lanes right_area[MOST];
    sli_box boxes[3];
    set_empty(boxes);
    for (size_t i = count - 1; i > 0; i--) {
        join_nth(boxes, refs, sorted, i);
        right_area[i] = sli_half_areas(boxes, scale);
    }
    sli_best best = sli_best_none();
    set_empty(boxes);
    for (int32_t left = 1; left < (int32_t)count; left++) {
        join_nth(boxes, refs, sorted, (size_t)left - 1);
        const sli_cuts cuts = { .left = sli_lanes_all_i32(left),
                                .right = sli_lanes_all_i32((int32_t)count - left),
                                .left_area = sli_half_areas(boxes, scale),
                                .right_area = right_area[left] };
        sli_best_update(&best, &cuts, left, most);
    }
    /* Areas that overflow make no best cut. */
    const int axis = sli_best_axis(&best);
    out->left_count = axis < 0 ? count / 2 : (size_t)best.where[axis];
    return axis < 0 ? 0 : axis;
}

void sli_split_sweep(const sli_ref *from, sli_ref *to, const sli_whole *whole, sli_split *out)
{
    const size_t count = whole->count;
    SL_ASSERT(count >= 2 && count <= MOST && whole->most >= (count + 1) / 2);
    keys sort;
    orders sorted;
    make_keys(from, whole, &sort);
    for (int axis = 0; axis < 3; axis++) {
        sort_along(sort.at[axis], count, sorted.at[axis]);
    }
    const int axis = choose(from, &sorted, whole, out);
    out->bounds[0] = out->bounds[1] = sli_box_empty();
    for (size_t i = 0; i < count; i++) {
        to[i] = from[sorted.at[axis][i]];
        const sli_box box = sli_ref_box(&to[i]);
        sli_box_join(&out->bounds[i >= out->left_count], &box);
    }
}
