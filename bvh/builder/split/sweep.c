/* The split of small sets, for range.c: every position along each axis, as in MacDonald and Booth,
 * Heuristics for Ray Tracing Using Space Subdivision (1990). */
#include "bvh/builder/split/sah.h"
#include "bvh/builder/split/split.h"
#include "lib/base/assert.h"

enum { COUNT_MAX = SLI_SWEEP_MAX };

_Static_assert((COUNT_MAX & (COUNT_MAX - 1)) == 0,
               "the number of a reference takes the last bits of a key");

/* Numbers of the references along an axis, in the order of their centres. */
typedef struct order {
    uint8_t at[COUNT_MAX];
} order;

/* A key for each reference along each axis, in the order of the centres; all differ.  The distance
 * of a centre from the lowest is not negative, and such floats have the order of their bits; the
 * last bits are replaced by the reference's number. */
static void make_keys(const sli_ref *refs, size_t count, sli_lanes_i32 keys[COUNT_MAX])
{
    sli_lanes lowest = sli_lanes_all(FLT_MAX);
    for (size_t i = 0; i < count; i++) {
        lowest = sli_lanes_min(sli_ref_centre(&refs[i]), lowest);
    }
    for (size_t i = 0; i < count; i++) {
        /* inf - inf is no number. */
        const sli_lanes distance =
            sli_lanes_min(sli_ref_centre(&refs[i]) - lowest, sli_lanes_all(FLT_MAX));
        keys[i] = ((sli_lanes_i32)distance & ~(COUNT_MAX - 1)) | (int32_t)i;
    }
}

/* The position of a key is the number of lower ones: for 16 keys at most nothing is faster. */
static void sweep_sort(const sli_lanes_i32 keys[COUNT_MAX], size_t count, order orders[3])
{
    for (size_t i = 0; i < count; i++) {
        const sli_lanes_i32 mine = keys[i];
        sli_lanes_i32 lower = sli_lanes_all_i32(0);
        for (size_t k = 0; k < count; k++) {
            lower -= keys[k] < mine;
        }
        for (int axis = 0; axis < 3; axis++) {
            orders[axis].at[lower[axis]] = (uint8_t)i;
        }
    }
}

/* The extents of the boxes left and right of each position along an axis. */
typedef struct sides {
    sli_lanes left[COUNT_MAX], right[COUNT_MAX];
} sides;

static void measure_sides(const sli_ref *refs, const order *sorted, size_t count, sides *out)
{
    sli_box box = sli_box_empty();
    for (size_t i = 1; i < count; i++) {
        const sli_box added = sli_ref_box(&refs[sorted->at[i - 1]]);
        sli_box_join(&box, &added);
        out->left[i] = box.max - box.min;
    }
    box = sli_box_empty();
    for (size_t i = count - 1; i > 0; i--) {
        const sli_box added = sli_ref_box(&refs[sorted->at[i]]);
        sli_box_join(&box, &added);
        out->right[i] = box.max - box.min;
    }
}

/* The axis of the best cut; *left becomes the references on its left side. */
static int sweep_choose(const sli_ref *refs, const order orders[3], const sli_ref_set *set,
                        size_t *left)
{
    const size_t count = set->count;
    sides x, y, z;
    measure_sides(refs, &orders[0], count, &x);
    measure_sides(refs, &orders[1], count, &y);
    measure_sides(refs, &orders[2], count, &z);
    const int32_t side_max = set->side_max < count ? (int32_t)set->side_max : (int32_t)count;
    const float scale = sli_box_scale(&set->bounds);
    sli_best best = sli_best_none();
    for (int32_t i = 1; i < (int32_t)count; i++) {
        const sli_cuts cuts = { .left = sli_lanes_all_i32(i),
                                .right = sli_lanes_all_i32((int32_t)count - i),
                                .left_area = sli_half_areas(x.left[i], y.left[i], z.left[i], scale),
                                .right_area =
                                    sli_half_areas(x.right[i], y.right[i], z.right[i], scale) };
        sli_best_update(&best, &cuts, i, side_max);
    }
    /* Areas that overflow make no best cut. */
    const int axis = sli_best_axis(&best);
    *left = axis < 0 ? count / 2 : (size_t)best.where[axis];
    return axis < 0 ? 0 : axis;
}

void sli_split_in_order(const sli_ref *from, const uint8_t *numbers, size_t left, size_t count,
                        sli_ref *to, sli_split *out)
{
    out->count[0] = left;
    out->count[1] = count - left;
    out->bounds[0] = out->bounds[1] = sli_box_empty();
    for (size_t i = 0; i < count; i++) {
        to[i] = from[numbers[i]];
        const sli_box box = sli_ref_box(&to[i]);
        sli_box_join(&out->bounds[i >= left], &box);
    }
}

void sli_split_sweep(const sli_ref *from, sli_ref *to, const sli_ref_set *set, sli_split *out)
{
    const size_t count = set->count;
    SL_ASSERT(count >= 2 && count <= COUNT_MAX && set->side_max >= (count + 1) / 2);
    sli_lanes_i32 keys[COUNT_MAX];
    order orders[3];
    size_t left;
    make_keys(from, count, keys);
    sweep_sort(keys, count, orders);
    const uint8_t *sorted = orders[sweep_choose(from, orders, set, &left)].at;
    sli_split_in_order(from, sorted, left, count, to, out);
}
