/* The binned split, for range.c: Wald, On fast Construction of SAH-based Bounding Volume
 * Hierarchies (2007).  References are put into bins by their centres, along each axis, in one pass,
 * and the planes between bins are the candidates. */
#include "bvh/builder/split/sah.h"
#include "bvh/builder/split/split.h"
#include "lib/base/inline.h"

/* Between these the scale neither overflows nor underflows, and centres along an axis differ. */
static const float smallest_extent = 0x1p-118f, largest_extent = 0x1p126f;

/* For few references few bins are enough, and cost less to search. */
static int bins_for(size_t count)
{
    return count < 64 ? SLI_BINS / 4 : count < 256 ? SLI_BINS / 2 : SLI_BINS;
}

/* From this many references on two sets of bins are filled in turn. */
enum { TWO_SETS_MIN = 256 };

static const int32_t count_zero = 0x3F800000; /* 1.0f */

sli_planes sli_planes_make(const sli_ref_set *set)
{
    const sli_box *centres = &set->centres;
    sli_planes planes = { .origin = centres->min, .bins = bins_for(set->count) };
    /* A little less, so that the highest centre stays in the last bin. */
    const float bins = (float)planes.bins * (1 - 0x1p-20f);
    for (int axis = 0; axis < 3; axis++) {
        const float extent = centres->max[axis] - centres->min[axis];
        planes.scale[axis] = extent >= smallest_extent ? bins / extent : 0.0f;
        if (!(extent <= largest_extent)) {
            return (sli_planes){ .bins = 0 };
        }
    }
    planes.origin[3] = 1;
    planes.scale[3] = 0;
    return planes;
}

static void binned_clear(sli_bins *bins, const sli_planes *planes)
{
    const sli_lanes_i32 zero = { 0, 0, 0, count_zero };
    const sli_lanes_i32 count = { 0, 0, 0, -1 };
    sli_box empty = sli_box_empty();
    empty.max = sli_lanes_pick(count, (sli_lanes)zero, empty.max);
    for (int axis = 0; axis < 3; axis++) {
        for (int bin = 0; bin < planes->bins; bin++) {
            bins->at[axis][bin] = empty;
        }
    }
}

static inline void add_to_bin(sli_box *bin, const sli_box *box, sli_lanes_i32 counted)
{
    bin->min = sli_lanes_min(bin->min, box->min);
    bin->max = (sli_lanes)((sli_lanes_i32)sli_lanes_max(bin->max, box->max) + counted);
}

/* The smallest centre falls into bin 0 and the largest into the last one: along an axis with a
 * scale neither side of every plane is empty. */
static inline void fill_one(sli_bins *bins, const sli_planes *planes, const sli_ref *ref,
                            bool weighted)
{
    const sli_box box = sli_ref_box(ref);
    const sli_lanes position = sli_planes_position(planes, sli_box_centre(&box));
    const sli_lanes_u32 bin = (sli_lanes_u32) __builtin_convertvector(position, sli_lanes_i32);
    const sli_lanes_u32 offset = bin * (uint32_t)sizeof(sli_box);
    const sli_lanes_i32 one = { 0, 0, 0, 1 }, lane = { 0, 0, 0, -1 };
    const sli_lanes_i32 counted = weighted ? (sli_lanes_i32)box.max & lane : one;
    for (int axis = 0; axis < 3; axis++) {
        add_to_bin((sli_box *)((char *)bins->at[axis] + offset[axis]), &box, counted);
    }
}

/* Neighbours tend to fall into the same bin, and each update would wait for the one before: so they
 * alternate between two sets of bins. */
static void fill_in_turn(sli_bins *bins, const sli_planes *planes, const sli_ref *refs,
                         size_t count)
{
    const sli_planes at = *planes;
    sli_bins second;
    binned_clear(&second, planes);
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        fill_one(bins, &at, &refs[i], false);
        fill_one(&second, &at, &refs[i + 1], false);
    }
    if (i < count) {
        fill_one(bins, &at, &refs[i], false);
    }
    sli_bins_join(bins, &second, planes);
}

void sli_bins_fill(sli_bins *bins, const sli_planes *planes, const sli_ref *refs, size_t count)
{
    const sli_planes at = *planes;
    if (at.bins == 0) {
        return;
    }
    binned_clear(bins, planes);
    if (count >= TWO_SETS_MIN) {
        fill_in_turn(bins, planes, refs, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        fill_one(bins, &at, &refs[i], false);
    }
}

void sli_bins_fill_weighted(sli_bins *bins, const sli_planes *planes, const sli_ref *refs,
                            size_t count)
{
    const sli_planes at = *planes;
    if (at.bins == 0) {
        return;
    }
    binned_clear(bins, planes);
    for (size_t i = 0; i < count; i++) {
        fill_one(bins, &at, &refs[i], true);
    }
}

static int32_t count_of(const sli_box *bin)
{
    return ((sli_lanes_i32)bin->max)[3] - count_zero;
}

/* The counts of the bins of one number on all three axes. */
static inline sli_lanes_i32 counts_of(const sli_bins *bins, int bin)
{
    const sli_lanes xy =
        __builtin_shufflevector(bins->at[0][bin].max, bins->at[1][bin].max, 3, 7, 3, 7);
    const sli_lanes xyz = __builtin_shufflevector(xy, bins->at[2][bin].max, 0, 1, 7, 7);
    return (sli_lanes_i32)xyz - count_zero;
}

void sli_bins_join(sli_bins *bins, const sli_bins *other, const sli_planes *planes)
{
    const sli_lanes_i32 lane = { 0, 0, 0, -1 };
    for (int axis = 0; axis < 3; axis++) {
        for (int bin = 0; bin < planes->bins; bin++) {
            sli_box *at = &bins->at[axis][bin];
            const sli_box *from = &other->at[axis][bin];
            /* Unsigned, so that the other lanes may overflow. */
            const sli_lanes_u32 sum =
                (sli_lanes_u32)at->max + (sli_lanes_u32)from->max - (uint32_t)count_zero;
            sli_box_join(at, from);
            at->max = sli_lanes_pick(lane, (sli_lanes)sum, at->max);
        }
    }
}

static sli_box join_bins(const sli_box *at, int begin, int end)
{
    sli_box box = sli_box_empty();
    for (int bin = begin; bin < end; bin++) {
        sli_box_join(&box, &at[bin]);
    }
    return box;
}

static void bound_sides(const sli_bins *bins, const sli_planes *planes, sli_cut *cut)
{
    cut->left_count = sli_bins_left_count(bins, cut);
    cut->bounds[0] = join_bins(bins->at[cut->axis], 0, cut->bin);
    cut->bounds[1] = join_bins(bins->at[cut->axis], cut->bin, planes->bins);
}

/* The extents of the boxes below and above each plane of an axis. */
typedef struct sides {
    sli_lanes below[SLI_BINS], above[SLI_BINS];
} sides;

static void measure_sides(const sli_box *at, int bins, sides *out)
{
    sli_box box = sli_box_empty();
    for (int bin = 1; bin < bins; bin++) {
        sli_box_join(&box, &at[bin - 1]);
        out->below[bin] = box.max - box.min;
    }
    box = sli_box_empty();
    for (int bin = bins - 1; bin > 0; bin--) {
        sli_box_join(&box, &at[bin]);
        out->above[bin] = box.max - box.min;
    }
}

static sli_best best_planes(const sli_bins *bins, const sli_planes *planes, const sli_ref_set *set)
{
    sides x, y, z;
    measure_sides(bins->at[0], planes->bins, &x);
    measure_sides(bins->at[1], planes->bins, &y);
    measure_sides(bins->at[2], planes->bins, &z);
    const float scale = sli_box_scale(&set->bounds);
    const int32_t side_max = set->side_max < INT32_MAX ? (int32_t)set->side_max : INT32_MAX;
    sli_best best = sli_best_none();
    sli_cuts cuts = { .left = sli_lanes_all_i32(0),
                      .right = sli_lanes_all_i32((int32_t)set->count) };
    for (int bin = 1; bin < planes->bins; bin++) {
        const sli_lanes_i32 counts = counts_of(bins, bin - 1);
        cuts.left += counts;
        cuts.right -= counts;
        cuts.left_area = sli_half_areas(x.below[bin], y.below[bin], z.below[bin], scale);
        cuts.right_area = sli_half_areas(x.above[bin], y.above[bin], z.above[bin], scale);
        sli_best_update(&best, &cuts, bin, side_max);
    }
    return best;
}

bool sli_bins_choose(const sli_bins *bins, const sli_planes *planes, const sli_ref_set *set,
                     sli_cut *out)
{
    const sli_best best = best_planes(bins, planes, set);
    out->axis = sli_best_axis(&best);
    if (out->axis < 0) {
        return false;
    }
    out->bin = best.where[out->axis];
    bound_sides(bins, planes, out);
    return true;
}

void sli_bins_choose_disjoint(const sli_bins *bins, const sli_planes *planes,
                              const sli_ref_set *set, sli_cut out[3])
{
    const sli_best best = best_planes(bins, planes, set);
    for (int axis = 0; axis < 3; axis++) {
        sli_cut *cut = &out[axis];
        cut->axis = best.larger[axis] < INT32_MAX ? axis : -1;
        if (cut->axis < 0) {
            continue;
        }
        cut->bin = best.where[axis];
        bound_sides(bins, planes, cut);
        const float low = cut->bounds[1].min[axis], high = cut->bounds[0].max[axis];
        if (low < high) {
            cut->bounds[0].max[axis] = cut->bounds[1].min[axis] = 0.5f * low + 0.5f * high;
        }
    }
}

size_t sli_bins_left_count(const sli_bins *bins, const sli_cut *cut)
{
    size_t left = 0;
    for (int bin = 0; bin < cut->bin; bin++) {
        left += (size_t)count_of(&bins->at[cut->axis][bin]);
    }
    return left;
}

/* Adds the point, except where `not` is all ones: there it becomes a NaN, which changes nothing. */
static inline void add_unless(sli_lanes_i32 not, sli_lanes point, sli_box *box)
{
    const sli_lanes point_or_nan = (sli_lanes)((sli_lanes_i32)point | not);
    box->min = sli_lanes_min(point_or_nan, box->min);
    box->max = sli_lanes_max(point_or_nan, box->max);
}

/* axis is a constant in every call, so that each is compiled for its axis. */
static SLI_FORCE_INLINE void move_along(int axis, const sli_cut *cut, const sli_planes *planes,
                                        const sli_ref *refs, size_t count, sli_ref *left,
                                        sli_ref *right, sli_box centres[2])
{
    const sli_lanes threshold = sli_lanes_all((float)cut->bin);
    const sli_planes at = *planes;
    sli_box of_left = sli_box_empty(), of_right = of_left;
    for (size_t i = 0; i < count; i++) {
        const sli_ref ref = refs[i];
        const sli_lanes centre = sli_ref_centre(&ref);
        const sli_lanes position = sli_planes_position(&at, centre);
        const sli_lanes along = sli_lanes_all(position[axis]);
        const sli_lanes_i32 goes_right = along >= threshold;
        /* A mask instead of a branch, which on a soup would be mispredicted half the time. */
        const ptrdiff_t is_right = goes_right[0];
        left[(right - left) & is_right] = ref;
        right -= is_right;
        left += 1 + is_right;
        add_unless(goes_right, centre, &of_left);
        add_unless(~goes_right, centre, &of_right);
    }
    centres[0] = of_left;
    centres[1] = of_right;
}

void sli_cut_move(const sli_cut *cut, const sli_planes *planes, const sli_ref *refs, size_t count,
                  sli_ref *left, sli_ref *right, sli_box centres[2])
{
    switch (cut->axis) {
    case 0:
        move_along(0, cut, planes, refs, count, left, right, centres);
        break;
    case 1:
        move_along(1, cut, planes, refs, count, left, right, centres);
        break;
    default:
        move_along(2, cut, planes, refs, count, left, right, centres);
        break;
    }
}
