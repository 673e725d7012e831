#include "bvh/builder/split/spatial.h"

#include <math.h>

/* As in split/binned.c, of half the extent. */
static const float smallest_extent = 0x1p-120f;

static sli_lanes half(sli_lanes point)
{
    return point * 0.5f;
}

sli_space sli_space_place(const sli_box *bounds)
{
    sli_space space;
    memset(&space, 0, sizeof space);
    const sli_lanes low = half(bounds->min), extent = half(bounds->max) - low;
    for (int axis = 0; axis < 3; axis++) {
        space.origin[axis] = low[axis];
        space.usable[axis] = extent[axis] >= smallest_extent;
        space.scale[axis] = space.usable[axis] ? (float)SLI_SLABS / extent[axis] : 0.0f;
        for (int k = 0; k <= SLI_SLABS; k++) {
            const double from = (double)bounds->min[axis], to = (double)bounds->max[axis];
            space.plane[axis][k] = (float)(from + (to - from) * k / (double)SLI_SLABS);
        }
    }
    return space;
}

/* Before the first slab: 0; after the last: SLI_SLABS - 1. */
static inline sli_lanes_i32 slabs_of(const sli_space *space, sli_lanes point)
{
    const sli_lanes at = (half(point) - space->origin) * space->scale;
    const sli_lanes within =
        sli_lanes_min(sli_lanes_max(at, sli_lanes_all(0)), sli_lanes_all(SLI_SLABS - 1));
    return __builtin_convertvector(within, sli_lanes_i32);
}

static void load_halves(const sli_triangles *mesh, uint32_t prim, sli_lanes out[3])
{
    for (int corner = 0; corner < 3; corner++) {
        const float *at = sli_triangle_corner(mesh, prim, corner);
        out[corner] = half((sli_lanes){ at[0], at[1], at[2], 0 });
    }
}

/* The reference's box without what stands in lane 3. */
static sli_box clean_box(const sli_ref *ref)
{
    sli_box box = sli_ref_box(ref);
    box.min[3] = box.max[3] = 0;
    return box;
}

/* A triangle's corners in their order along an axis. */
typedef struct ladder {
    sli_lanes low, middle, high;
} ladder;

static ladder climb(const sli_lanes corner[3], int axis)
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
    return (ladder){ corner[low], corner[middle], corner[high] };
}

/* Half of the point between a and b where the coordinate is twice `at`; halves, since a difference
 * of floats may overflow.  Beyond a or b, or where they are level: any point of theirs, or a
 * NaN. */
static sli_lanes cross(sli_lanes a, sli_lanes b, int axis, float at)
{
    const float share = (at - a[axis]) / (b[axis] - a[axis]);
    return a + (b - a) * sli_lanes_all(share);
}

/* The box of what a plane cuts out of the triangle, all in halves. */
static sli_box cross_section(const ladder *half, int axis, float at)
{
    const bool is_low = at < half->middle[axis];
    const sli_lanes a = cross(half->low, half->high, axis, at);
    const sli_lanes b =
        cross(is_low ? half->low : half->middle, is_low ? half->middle : half->high, axis, at);
    return (sli_box){ sli_lanes_min(a, b), sli_lanes_max(a, b) };
}

/* Joins the part of the triangle, of half the corners, in each slab, from first to last, between
 * the planes beside it: the box of the cross-sections there and of the corners in between.  What is
 * no number, or beyond the box of the reference, becomes a face of that. */
static void chop(sli_slabs *slabs, const sli_space *space, const sli_lanes corner[3],
                 const sli_box *box, int axis, int first, int last)
{
    const ladder half = climb(corner, axis);
    static const sli_lanes_i32 only[3] = { { -1, 0, 0, 0 }, { 0, -1, 0, 0 }, { 0, 0, -1, 0 } };
    const sli_lanes_i32 along = only[axis];
    const float *plane = space->plane[axis];
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
        /* Lanes are picked: whoever writes one waits long for the four. */
        const sli_box limit = {
            sli_lanes_pick(along & -(k > first), sli_lanes_all(plane[k]), box->min),
            sli_lanes_pick(along & -(k < last), sli_lanes_all(plane[k + 1]), box->max)
        };
        part.min = sli_lanes_min(sli_lanes_max(part.min + part.min, limit.min), limit.max);
        part.max = sli_lanes_max(sli_lanes_min(part.max + part.max, limit.max), limit.min);
        sli_box_join(&slabs->box[axis][k], &part);
    }
}

static void clear(sli_slabs *slabs)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < SLI_SLABS; k++) {
            slabs->box[axis][k] = sli_box_empty();
            slabs->enter[axis][k] = slabs->leave[axis][k] = 0;
        }
    }
}

void sli_slabs_fill(sli_slabs *slabs, const sli_space *space, const sli_triangles *mesh,
                    const sli_ref *refs, size_t count)
{
    clear(slabs);
    for (size_t i = 0; i < count; i++) {
        const sli_box box = clean_box(&refs[i]);
        const sli_lanes_i32 first = slabs_of(space, box.min), last = slabs_of(space, box.max);
        const sli_lanes_i32 same = first == last;
        sli_lanes corner[3];
        if (!(same[0] & same[1] & same[2])) {
            load_halves(mesh, refs[i].prim, corner);
        }
        for (int axis = 0; axis < 3; axis++) {
            if (!space->usable[axis]) {
                continue;
            }
            slabs->enter[axis][first[axis]]++;
            slabs->leave[axis][last[axis]]++;
            if (same[axis]) {
                sli_box_join(&slabs->box[axis][first[axis]], &box);
            } else {
                chop(slabs, space, corner, &box, axis, first[axis], last[axis]);
            }
        }
    }
}

void sli_slabs_join(sli_slabs *slabs, const sli_slabs *other)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < SLI_SLABS; k++) {
            sli_box_join(&slabs->box[axis][k], &other->box[axis][k]);
            slabs->enter[axis][k] += other->enter[axis][k];
            slabs->leave[axis][k] += other->leave[axis][k];
        }
    }
}

static double area_of(const sli_box *box)
{
    return box->min[0] <= box->max[0] ? sli_box_area(box) : 0;
}

/* The best plane of one axis, if it is better than *out. */
static void choose_on_axis(const sli_slabs *slabs, const sli_space *space, int axis,
                           const sli_whole *whole, size_t room, sli_space_cut *out)
{
    const size_t count = whole->count, most = whole->most;
    sli_box above[SLI_SLABS];
    sli_box box = sli_box_empty();
    for (int k = SLI_SLABS - 1; k > 0; k--) {
        sli_box_join(&box, &slabs->box[axis][k]);
        above[k] = box;
    }
    box = sli_box_empty();
    size_t left = 0, right = count;
    for (int k = 1; k < SLI_SLABS; k++) {
        sli_box_join(&box, &slabs->box[axis][k - 1]);
        left += slabs->enter[axis][k - 1];
        right -= slabs->leave[axis][k - 1];
        if (left == 0 || right == 0 || left == count || right == count || left > most ||
            right > most || left + right > room) {
            continue;
        }
        const double area[2] = { area_of(&box), area_of(&above[k]) };
        const double cost = sli_space_cost(area, (const size_t[2]){ left, right });
        if (cost < out->cost) {
            *out = (sli_space_cut){ .axis = axis,
                                    .slab = k,
                                    .plane = space->plane[axis][k],
                                    .area = { area[0], area[1] },
                                    .count = { left, right },
                                    .cost = cost,
                                    .bounds = { box, above[k] } };
        }
    }
}

bool sli_slabs_choose(const sli_slabs *slabs, const sli_space *space, const sli_whole *whole,
                      size_t room, sli_space_cut *out)
{
    out->cost = DBL_MAX;
    for (int axis = 0; axis < 3; axis++) {
        if (space->usable[axis]) {
            choose_on_axis(slabs, space, axis, whole, room, out);
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

/* Where a reference on both sides of the plane goes as it is: 0 left, 1 right; 2: nowhere, it is
 * cheaper to cut it. */
static int unsplit(const sli_space_cut *cut, const sli_ref *ref)
{
    const sli_box box = clean_box(ref);
    const double left = (double)cut->count[0], right = (double)cut->count[1];
    const double both = cut->area[0] * left + cut->area[1] * right;
    const double whole_left = grown_area(&cut->bounds[0], &box) * left + cut->area[1] * (right - 1);
    const double whole_right =
        cut->area[0] * (left - 1) + grown_area(&cut->bounds[1], &box) * right;
    if (both < whole_left && both < whole_right) {
        return 2;
    }
    return whole_left <= whole_right ? 0 : 1;
}

/* What of a reference comes to each side. */
static inline void share(const sli_space_cut *cut, const sli_space *space,
                         const sli_triangles *mesh, const sli_ref *ref, sli_ref parts[2],
                         bool there[2])
{
    const sli_box box = clean_box(ref);
    const bool below = slabs_of(space, box.min)[cut->axis] < cut->slab;
    const bool above = slabs_of(space, box.max)[cut->axis] >= cut->slab;
    int side = below ? 0 : 1;
    if (below && above) {
        side = unsplit(cut, ref);
    }
    if (side == 2) {
        sli_fragment_cut(mesh, ref, cut->axis, cut->plane, parts, there);
        return;
    }
    parts[side] = *ref;
    there[side] = true;
    there[1 - side] = false;
}

void sli_space_count(const sli_space_cut *cut, const sli_space *space, const sli_triangles *mesh,
                     const sli_ref *refs, size_t count, size_t counts[2])
{
    counts[0] = counts[1] = 0;
    for (size_t i = 0; i < count; i++) {
        sli_ref parts[2];
        bool there[2];
        share(cut, space, mesh, &refs[i], parts, there);
        counts[0] += there[0];
        counts[1] += there[1];
    }
}

void sli_space_move(const sli_space_cut *cut, const sli_space *space, const sli_triangles *mesh,
                    const sli_ref *refs, size_t count, sli_ref *left, sli_ref *right,
                    sli_sides *out)
{
    sli_ref *to[2] = { left, right };
    for (int side = 0; side < 2; side++) {
        out->count[side] = 0;
        out->bounds[side] = out->centres[side] = sli_box_empty();
    }
    for (size_t i = 0; i < count; i++) {
        sli_ref parts[2];
        bool there[2];
        share(cut, space, mesh, &refs[i], parts, there);
        for (int side = 0; side < 2; side++) {
            if (there[side]) {
                const sli_box box = sli_ref_box(&parts[side]);
                sli_box_join(&out->bounds[side], &box);
                sli_box_add(&out->centres[side], sli_ref_centre(&parts[side]));
                to[side][out->count[side]++] = parts[side];
            }
        }
    }
}
