/* The split of Stich, Friedrich and Dietrich, Spatial Splits in Bounding Volume Hierarchies (2009),
 * for range.c: triangles are chopped into bins to find a plane; spatial_cut.c cuts there. */
#include "bvh/builder/split/spatial.h"
#include "lib/base/inline.h"

#include <math.h>

/* Of half the extent, as in binned.c: the scale neither overflows nor underflows. */
static const float smallest_extent = 0x1p-120f;

/* For fewer references half of the bins are enough: SAH costs are 0.3 % higher, 0.7 % at most. */
enum { ALL_BINS_MIN = 2048 };

static sli_lanes spatial_half(sli_lanes point)
{
    return point * 0.5f;
}

sli_spatial_planes sli_spatial_planes_make(const sli_box *bounds, size_t count)
{
    sli_spatial_planes planes;
    memset(&planes, 0, sizeof planes);
    planes.bins = count < ALL_BINS_MIN ? SLI_SPATIAL_BINS / 2 : SLI_SPATIAL_BINS;
    const sli_lanes low = spatial_half(bounds->min), extent = spatial_half(bounds->max) - low;
    for (int axis = 0; axis < 3; axis++) {
        planes.origin[axis] = low[axis];
        planes.usable[axis] = extent[axis] >= smallest_extent;
        planes.scale[axis] = planes.usable[axis] ? (float)planes.bins / extent[axis] : 0.0f;
        for (int k = 0; k <= planes.bins; k++) {
            const double from = (double)bounds->min[axis], to = (double)bounds->max[axis];
            planes.plane[axis][k] = (float)(from + (to - from) * k / planes.bins);
        }
    }
    return planes;
}

/* 0 before the first bin, the last bin after it. */
static inline int bin_of(const sli_spatial_planes *planes, int axis, float x)
{
    const float at = sli_spatial_position(planes, axis, x), last = (float)(planes->bins - 1);
    return at > 0 ? (int)(at < last ? at : last) : 0;
}

static void load_halves(const sli_triangles *mesh, uint32_t prim, sli_lanes out[3])
{
    for (int corner = 0; corner < 3; corner++) {
        const float *at = sli_triangle_corner(mesh, prim, corner);
        out[corner] = spatial_half((sli_lanes){ at[0], at[1], at[2], 0 });
    }
}

/* The reference's box with zeros in lane 3. */
static sli_box clean_box(const sli_ref *ref)
{
    sli_box box = sli_ref_box(ref);
    box.min[3] = box.max[3] = 0;
    return box;
}

/* A triangle's corners in their order along an axis, and the step of each edge for one along it. */
typedef struct sorted_corners {
    sli_lanes low, middle, high;
    sli_lanes low_middle, middle_high, low_high;
} sorted_corners;

static const sli_lanes_i32 along_axis[3] = { { -1, 0, 0, 0 }, { 0, -1, 0, 0 }, { 0, 0, -1, 0 } };

static SLI_FORCE_INLINE sli_lanes spread(sli_lanes point, int axis)
{
    return sli_lanes_all(point[axis]);
}

/* By masks: branches on the order of corners are mispredicted half the time. */
static SLI_FORCE_INLINE void sort_two(sli_lanes *low, sli_lanes *high, int axis)
{
    const sli_lanes_i32 swapped = spread(*low, axis) > spread(*high, axis);
    const sli_lanes a = *low, b = *high;
    *low = sli_lanes_pick(swapped, b, a);
    *high = sli_lanes_pick(swapped, a, b);
}

/* Of a level edge: infinities and NaNs. */
static SLI_FORCE_INLINE sli_lanes step_of(sli_lanes from, sli_lanes to, int axis)
{
    const sli_lanes edge = to - from;
    return edge / spread(edge, axis);
}

static SLI_FORCE_INLINE sorted_corners sort_corners(const sli_lanes corner[3], int axis)
{
    sli_lanes low = corner[0], middle = corner[1], high = corner[2];
    sort_two(&low, &middle, axis);
    sort_two(&middle, &high, axis);
    sort_two(&low, &middle, axis);
    return (sorted_corners){ .low = low,
                             .middle = middle,
                             .high = high,
                             .low_middle = step_of(low, middle, axis),
                             .middle_high = step_of(middle, high, axis),
                             .low_high = step_of(low, high, axis) };
}

/* Half the point of an edge where half the coordinate is `at`; halves, since a difference of floats
 * may overflow.  Where the edge is level, or the step infinite: a point of no meaning, or a NaN. */
static SLI_FORCE_INLINE sli_lanes spatial_cross(sli_lanes from, sli_lanes step, int axis,
                                                sli_lanes at)
{
    return from + step * (at - spread(from, axis));
}

/* The box of what a plane cuts out of the triangle, all in halves. */
static SLI_FORCE_INLINE sli_box cross_section(const sorted_corners *half, int axis, float plane)
{
    const sli_lanes at = sli_lanes_all(plane);
    const sli_lanes_i32 is_low = at < spread(half->middle, axis);
    const sli_lanes a = spatial_cross(half->low, half->low_high, axis, at);
    const sli_lanes b =
        spatial_cross(sli_lanes_pick(is_low, half->low, half->middle),
                      sli_lanes_pick(is_low, half->low_middle, half->middle_high), axis, at);
    return (sli_box){ sli_lanes_min(a, b), sli_lanes_max(a, b) };
}

/* The bins of one axis. */
typedef struct axis_bins {
    sli_box box[SLI_SPATIAL_BINS];
    uint32_t enter[SLI_SPATIAL_BINS], leave[SLI_SPATIAL_BINS];
} axis_bins;

/* Joins to each bin from first to last the part of the triangle between the planes of the bin: the
 * box of the cross-sections there and of the corners in between.  corner: halves.  A coordinate
 * that is a NaN, or beyond the box of the reference, becomes a face of that box. */
static SLI_FORCE_INLINE void spatial_chop(axis_bins *bins, const float *plane,
                                          const sli_lanes corner[3], const sli_box *box, int axis,
                                          int first, int last)
{
    const sorted_corners half = sort_corners(corner, axis);
    const sli_lanes_i32 along = along_axis[axis];
    const float middle = half.middle[axis];
    const bool begins_before = half.low[axis] < 0.5f * plane[first];
    sli_box below = { half.low, half.low };
    if (begins_before) {
        below = cross_section(&half, axis, 0.5f * plane[first]);
    }
    for (int k = first; k <= last; k++) {
        sli_box part = below;
        const float low = 0.5f * plane[k], high = 0.5f * plane[k + 1];
        if (high < half.high[axis]) {
            below = cross_section(&half, axis, high);
            sli_box_join(&part, &below);
        } else {
            sli_box_add(&part, half.high);
        }
        if (middle >= low && middle <= high) {
            sli_box_add(&part, half.middle);
        }
        /* Lanes are picked by masks: storing one lane and loading all four would stall. */
        const sli_box limit = {
            sli_lanes_pick(along & -(k > first), sli_lanes_all(plane[k]), box->min),
            sli_lanes_pick(along & -(k < last), sli_lanes_all(plane[k + 1]), box->max)
        };
        part.min = sli_lanes_min(sli_lanes_max(part.min + part.min, limit.min), limit.max);
        part.max = sli_lanes_max(sli_lanes_min(part.max + part.max, limit.max), limit.min);
        sli_box_join(&bins->box[k], &part);
    }
}

static void clear_axis(axis_bins *bins, int count)
{
    for (int k = 0; k < count; k++) {
        bins->box[k] = sli_box_empty();
        bins->enter[k] = bins->leave[k] = 0;
    }
}

static void join_sets(const axis_bins sets[2], int count, sli_spatial_bins *bins, int axis)
{
    for (int k = 0; k < count; k++) {
        bins->box[axis][k] = sets[0].box[k];
        sli_box_join(&bins->box[axis][k], &sets[1].box[k]);
        bins->enter[axis][k] = sets[0].enter[k] + sets[1].enter[k];
        bins->leave[axis][k] = sets[0].leave[k] + sets[1].leave[k];
    }
}

/* A reference in more than one bin. */
typedef struct straddler {
    const sli_ref *ref;
    int first, last;
} straddler;

enum { BLOCK = 256 };

/* Adds what is in one bin, and lists the others; returns their number.  Neighbours tend to fall
 * into the same bin, so they alternate between two sets, as in binned.c. */
static SLI_FORCE_INLINE size_t fill_block(axis_bins sets[2], const sli_spatial_planes *planes,
                                          int axis, const sli_ref *refs, size_t count,
                                          straddler out[BLOCK])
{
    size_t listed = 0;
    for (size_t i = 0; i < count; i++) {
        axis_bins *bins = &sets[i & 1];
        const sli_box box = clean_box(&refs[i]);
        const int first = bin_of(planes, axis, refs[i].min[axis]);
        const int last = bin_of(planes, axis, refs[i].max[axis]);
        bins->enter[first]++;
        bins->leave[last]++;
        if (first == last) {
            sli_box_join(&bins->box[first], &box);
        } else {
            out[listed++] = (straddler){ &refs[i], first, last };
        }
    }
    return listed;
}

/* Corners are anywhere in memory: first all lines of indices are fetched, then of corners. */
static SLI_FORCE_INLINE void chop_all(axis_bins sets[2], const sli_spatial_planes *planes, int axis,
                                      const sli_triangles *mesh, const straddler *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sli_triangle_prefetch(mesh, at[i].ref->prim);
    }
    for (size_t i = 0; i < count; i++) {
        sli_triangle_prefetch_corners(mesh, at[i].ref->prim);
    }
    for (size_t i = 0; i < count; i++) {
        const sli_box box = clean_box(at[i].ref);
        sli_lanes corner[3];
        load_halves(mesh, at[i].ref->prim, corner);
        spatial_chop(&sets[i & 1], planes->plane[axis], corner, &box, axis, at[i].first,
                     at[i].last);
    }
}

/* axis is a constant in every call, so that each is compiled for its axis. */
static SLI_FORCE_INLINE void fill_along(int axis, sli_spatial_bins *bins,
                                        const sli_spatial_planes *planes, const sli_triangles *mesh,
                                        const sli_ref *refs, size_t count)
{
    axis_bins sets[2];
    straddler straddlers[BLOCK];
    clear_axis(&sets[0], planes->bins);
    clear_axis(&sets[1], planes->bins);
    for (size_t done = 0; done < count; done += BLOCK) {
        const size_t block = count - done < BLOCK ? count - done : BLOCK;
        const size_t listed = fill_block(sets, planes, axis, refs + done, block, straddlers);
        chop_all(sets, planes, axis, mesh, straddlers, listed);
    }
    join_sets(sets, planes->bins, bins, axis);
}

static void fill_x(sli_spatial_bins *bins, const sli_spatial_planes *planes,
                   const sli_triangles *mesh, const sli_ref *refs, size_t count)
{
    fill_along(0, bins, planes, mesh, refs, count);
}

static void fill_y(sli_spatial_bins *bins, const sli_spatial_planes *planes,
                   const sli_triangles *mesh, const sli_ref *refs, size_t count)
{
    fill_along(1, bins, planes, mesh, refs, count);
}

static void fill_z(sli_spatial_bins *bins, const sli_spatial_planes *planes,
                   const sli_triangles *mesh, const sli_ref *refs, size_t count)
{
    fill_along(2, bins, planes, mesh, refs, count);
}

void sli_spatial_bins_fill(sli_spatial_bins *bins, const sli_spatial_planes *planes,
                           const sli_triangles *mesh, const sli_ref *refs, size_t count)
{
    if (planes->usable[0]) {
        fill_x(bins, planes, mesh, refs, count);
    }
    if (planes->usable[1]) {
        fill_y(bins, planes, mesh, refs, count);
    }
    if (planes->usable[2]) {
        fill_z(bins, planes, mesh, refs, count);
    }
}

void sli_spatial_bins_join(sli_spatial_bins *bins, const sli_spatial_bins *other,
                           const sli_spatial_planes *planes)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; planes->usable[axis] && k < planes->bins; k++) {
            sli_box_join(&bins->box[axis][k], &other->box[axis][k]);
            bins->enter[axis][k] += other->enter[axis][k];
            bins->leave[axis][k] += other->leave[axis][k];
        }
    }
}

static double area_of(const sli_box *box)
{
    return box->min[0] <= box->max[0] ? sli_box_area(box) : 0;
}

/* The best plane of one axis, if it is better than *out. */
static void choose_on_axis(const sli_spatial_bins *bins, const sli_spatial_planes *planes, int axis,
                           const sli_ref_set *set, size_t capacity, sli_spatial_cut *out)
{
    const size_t count = set->count, side_max = set->side_max;
    sli_box above[SLI_SPATIAL_BINS];
    sli_box box = sli_box_empty();
    for (int k = planes->bins - 1; k > 0; k--) {
        sli_box_join(&box, &bins->box[axis][k]);
        above[k] = box;
    }
    box = sli_box_empty();
    size_t left = 0, right = count;
    for (int k = 1; k < planes->bins; k++) {
        sli_box_join(&box, &bins->box[axis][k - 1]);
        left += bins->enter[axis][k - 1];
        right -= bins->leave[axis][k - 1];
        if (left == 0 || right == 0 || left == count || right == count || left > side_max ||
            right > side_max || left + right > capacity) {
            continue;
        }
        const double area[2] = { area_of(&box), area_of(&above[k]) };
        const double cost = sli_split_cost(area, (const size_t[2]){ left, right });
        if (cost < out->cost) {
            *out = (sli_spatial_cut){ .axis = axis,
                                      .bin = k,
                                      .plane = planes->plane[axis][k],
                                      .area = { area[0], area[1] },
                                      .count = { left, right },
                                      .cost = cost,
                                      .bounds = { box, above[k] } };
        }
    }
}

bool sli_spatial_bins_choose(const sli_spatial_bins *bins, const sli_spatial_planes *planes,
                             const sli_ref_set *set, size_t capacity, sli_spatial_cut *out)
{
    out->cost = DBL_MAX;
    for (int axis = 0; axis < 3; axis++) {
        if (planes->usable[axis]) {
            choose_on_axis(bins, planes, axis, set, capacity, out);
        }
    }
    return out->cost < DBL_MAX;
}
