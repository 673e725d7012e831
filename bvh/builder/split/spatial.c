/* The split of Stich, Friedrich and Dietrich, Spatial Splits in Bounding Volume Hierarchies (2009),
 * for range.c: triangles are chopped into bins to find a plane, and references clipped at it. */
#include "bvh/builder/split/spatial.h"

#include <math.h>

/* Of half the extent, as in binned.c: the scale neither overflows nor underflows. */
static const float smallest_extent = 0x1p-120f;

static sli_lanes spatial_half(sli_lanes point)
{
    return point * 0.5f;
}

sli_spatial_planes sli_spatial_planes_make(const sli_box *bounds)
{
    sli_spatial_planes planes;
    memset(&planes, 0, sizeof planes);
    const sli_lanes low = spatial_half(bounds->min), extent = spatial_half(bounds->max) - low;
    for (int axis = 0; axis < 3; axis++) {
        planes.origin[axis] = low[axis];
        planes.usable[axis] = extent[axis] >= smallest_extent;
        planes.scale[axis] = planes.usable[axis] ? (float)SLI_SPATIAL_BINS / extent[axis] : 0.0f;
        for (int k = 0; k <= SLI_SPATIAL_BINS; k++) {
            const double from = (double)bounds->min[axis], to = (double)bounds->max[axis];
            planes.plane[axis][k] = (float)(from + (to - from) * k / (double)SLI_SPATIAL_BINS);
        }
    }
    return planes;
}

/* The bin of a point on each axis; 0 before the first one, SLI_SPATIAL_BINS - 1 after the last. */
static inline sli_lanes_i32 bins_of(const sli_spatial_planes *planes, sli_lanes point)
{
    const sli_lanes at = (spatial_half(point) - planes->origin) * planes->scale;
    const sli_lanes within =
        sli_lanes_min(sli_lanes_max(at, sli_lanes_all(0)), sli_lanes_all(SLI_SPATIAL_BINS - 1));
    return __builtin_convertvector(within, sli_lanes_i32);
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

/* A triangle's corners in their order along an axis. */
typedef struct sorted_corners {
    sli_lanes low, middle, high;
} sorted_corners;

static sorted_corners sort_corners(const sli_lanes corner[3], int axis)
{
    int low = 0, middle = 1, high = 2;
    if (corner[low][axis] > corner[middle][axis]) {
        low = 1;
        middle = 0;
    }
    if (corner[middle][axis] > corner[high][axis]) {
        high = middle;
        middle = 2;
        if (corner[low][axis] > corner[middle][axis]) {
            middle = low;
            low = 2;
        }
    }
    return (sorted_corners){ corner[low], corner[middle], corner[high] };
}

/* Half the point between a and b (halves too) where half the coordinate is `at`; halves, since a
 * difference of floats may overflow.  Where the edge does not reach `at`, or is level: a point of
 * no meaning, or a NaN. */
static sli_lanes spatial_cross(sli_lanes a, sli_lanes b, int axis, float at)
{
    const float share = (at - a[axis]) / (b[axis] - a[axis]);
    return a + (b - a) * sli_lanes_all(share);
}

/* The box of what a plane cuts out of the triangle, all in halves. */
static sli_box cross_section(const sorted_corners *half, int axis, float at)
{
    const bool is_low = at < half->middle[axis];
    const sli_lanes a = spatial_cross(half->low, half->high, axis, at);
    const sli_lanes b = spatial_cross(is_low ? half->low : half->middle,
                                      is_low ? half->middle : half->high, axis, at);
    return (sli_box){ sli_lanes_min(a, b), sli_lanes_max(a, b) };
}

/* Joins to each bin from first to last the part of the triangle between the planes of the bin: the
 * box of the cross-sections there and of the corners in between.  corner: halves.  A coordinate
 * that is a NaN, or beyond the box of the reference, becomes a face of that box. */
static void spatial_chop(sli_spatial_bins *bins, const sli_spatial_planes *planes,
                         const sli_lanes corner[3], const sli_box *box, int axis, int first,
                         int last)
{
    const sorted_corners half = sort_corners(corner, axis);
    static const sli_lanes_i32 only[3] = { { -1, 0, 0, 0 }, { 0, -1, 0, 0 }, { 0, 0, -1, 0 } };
    const sli_lanes_i32 along = only[axis];
    const float *plane = planes->plane[axis];
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
        sli_box_join(&bins->box[axis][k], &part);
    }
}

static void spatial_clear(sli_spatial_bins *bins)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < SLI_SPATIAL_BINS; k++) {
            bins->box[axis][k] = sli_box_empty();
            bins->enter[axis][k] = bins->leave[axis][k] = 0;
        }
    }
}

void sli_spatial_bins_fill(sli_spatial_bins *bins, const sli_spatial_planes *planes,
                           const sli_triangles *mesh, const sli_ref *refs, size_t count)
{
    spatial_clear(bins);
    for (size_t i = 0; i < count; i++) {
        const sli_box box = clean_box(&refs[i]);
        const sli_lanes_i32 first = bins_of(planes, box.min), last = bins_of(planes, box.max);
        const sli_lanes_i32 same = first == last;
        sli_lanes corner[3];
        if (!(same[0] & same[1] & same[2])) {
            load_halves(mesh, refs[i].prim, corner);
        }
        for (int axis = 0; axis < 3; axis++) {
            if (!planes->usable[axis]) {
                continue;
            }
            bins->enter[axis][first[axis]]++;
            bins->leave[axis][last[axis]]++;
            if (same[axis]) {
                sli_box_join(&bins->box[axis][first[axis]], &box);
            } else {
                spatial_chop(bins, planes, corner, &box, axis, first[axis], last[axis]);
            }
        }
    }
}

void sli_spatial_bins_join(sli_spatial_bins *bins, const sli_spatial_bins *other)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < SLI_SPATIAL_BINS; k++) {
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
    for (int k = SLI_SPATIAL_BINS - 1; k > 0; k--) {
        sli_box_join(&box, &bins->box[axis][k]);
        above[k] = box;
    }
    box = sli_box_empty();
    size_t left = 0, right = count;
    for (int k = 1; k < SLI_SPATIAL_BINS; k++) {
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

static double grown_area(const sli_box *box, const sli_box *by)
{
    sli_box joined = *box;
    sli_box_join(&joined, by);
    return area_of(&joined);
}

/* Unsplitting: the side that a reference on both sides of the plane goes to uncut, 0 left or 1
 * right; 2 where it is cheaper to cut it. */
static int spatial_unsplit(const sli_spatial_cut *cut, const sli_ref *ref)
{
    const sli_box box = clean_box(ref);
    const double left = (double)cut->count[0], right = (double)cut->count[1];
    const double both = cut->area[0] * left + cut->area[1] * right;
    const double cost_left = grown_area(&cut->bounds[0], &box) * left + cut->area[1] * (right - 1);
    const double cost_right = cut->area[0] * (left - 1) + grown_area(&cut->bounds[1], &box) * right;
    if (both < cost_left && both < cost_right) {
        return 2;
    }
    return cost_left <= cost_right ? 0 : 1;
}

/* The part of a reference that comes to each side. */
static inline void spatial_divide(const sli_spatial_cut *cut, const sli_spatial_planes *planes,
                                  const sli_triangles *mesh, const sli_ref *ref, sli_ref parts[2],
                                  bool exists[2])
{
    const sli_box box = clean_box(ref);
    const bool below = bins_of(planes, box.min)[cut->axis] < cut->bin;
    const bool above = bins_of(planes, box.max)[cut->axis] >= cut->bin;
    int side = below ? 0 : 1;
    if (below && above) {
        side = spatial_unsplit(cut, ref);
    }
    if (side == 2) {
        sli_clip_reference(mesh, ref, cut->axis, cut->plane, parts, exists);
        return;
    }
    parts[side] = *ref;
    exists[side] = true;
    exists[1 - side] = false;
}

void sli_spatial_cut_count(const sli_spatial_cut *cut, const sli_spatial_planes *planes,
                           const sli_triangles *mesh, const sli_ref *refs, size_t count,
                           size_t counts[2])
{
    counts[0] = counts[1] = 0;
    for (size_t i = 0; i < count; i++) {
        sli_ref parts[2];
        bool exists[2];
        spatial_divide(cut, planes, mesh, &refs[i], parts, exists);
        counts[0] += exists[0];
        counts[1] += exists[1];
    }
}

void sli_spatial_cut_move(const sli_spatial_cut *cut, const sli_spatial_planes *planes,
                          const sli_triangles *mesh, const sli_ref *refs, size_t count,
                          sli_ref *left, sli_ref *right, sli_split *out)
{
    sli_ref *to[2] = { left, right };
    for (int side = 0; side < 2; side++) {
        out->count[side] = 0;
        out->bounds[side] = out->centres[side] = sli_box_empty();
    }
    for (size_t i = 0; i < count; i++) {
        sli_ref parts[2];
        bool exists[2];
        spatial_divide(cut, planes, mesh, &refs[i], parts, exists);
        for (int side = 0; side < 2; side++) {
            if (exists[side]) {
                const sli_box box = sli_ref_box(&parts[side]);
                sli_box_join(&out->bounds[side], &box);
                sli_box_add(&out->centres[side], sli_ref_centre(&parts[side]));
                to[side][out->count[side]++] = parts[side];
            }
        }
    }
}
