/* Cuts a set at a plane that spatial.c has chosen, for range.c: references on one side go there,
 * and those on both are clipped, or go to one side uncut.  spatial.h names the source. */
#include "bvh/builder/split/spatial.h"
#include "lib/base/inline.h"

static double grown_area(const sli_box *box, const sli_box *by)
{
    sli_box joined = *box;
    sli_box_join(&joined, by);
    return sli_box_area(&joined);
}

/* Unsplitting: the side that a reference on both sides of the plane goes to uncut, 0 left or 1
 * right; 2 where it is cheaper to cut it. */
static int spatial_unsplit(const sli_spatial_cut *cut, const sli_ref *ref)
{
    const sli_box box = sli_ref_box(ref);
    const double left = (double)cut->count[0], right = (double)cut->count[1];
    const double both = cut->area[0] * left + cut->area[1] * right;
    const double cost_left = grown_area(&cut->bounds[0], &box) * left + cut->area[1] * (right - 1);
    const double cost_right = cut->area[0] * (left - 1) + grown_area(&cut->bounds[1], &box) * right;
    if (both < cost_left && both < cost_right) {
        return 2;
    }
    return cost_left <= cost_right ? 0 : 1;
}

/* The sides that a reference reaches: one or both. */
typedef struct reach {
    bool below, above;
} reach;

static SLI_FORCE_INLINE reach reach_of(const sli_spatial_cut *cut, const sli_spatial_planes *planes,
                                       const sli_ref *ref)
{
    const float bin = (float)cut->bin;
    return (reach){ sli_spatial_position(planes, cut->axis, ref->min[cut->axis]) < bin,
                    sli_spatial_position(planes, cut->axis, ref->max[cut->axis]) >= bin };
}

/* The part that comes to each side, of a reference on both. */
static SLI_NOINLINE void spatial_divide(const sli_spatial_cut *cut, const sli_triangles *mesh,
                                        const sli_ref *ref, sli_ref parts[2], bool exists[2])
{
    const int side = spatial_unsplit(cut, ref);
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
    size_t left = 0, right = 0;
    for (size_t i = 0; i < count; i++) {
        const reach at = reach_of(cut, planes, &refs[i]);
        if (at.below && at.above) {
            sli_ref parts[2];
            bool exists[2];
            spatial_divide(cut, mesh, &refs[i], parts, exists);
            left += exists[0];
            right += exists[1];
        } else {
            left += at.below;
            right += at.above;
        }
    }
    counts[0] = left;
    counts[1] = right;
}

static SLI_FORCE_INLINE void add_unless(sli_lanes_i32 not, sli_lanes low, sli_lanes high,
                                        sli_box *box)
{
    box->min = sli_lanes_min((sli_lanes)((sli_lanes_i32)low | not), box->min);
    box->max = sli_lanes_max((sli_lanes)((sli_lanes_i32)high | not), box->max);
}

/* What has come to a side. */
typedef struct side {
    sli_ref *to;
    sli_box bounds, centres;
} side;

static SLI_NOINLINE void move_parts(const sli_spatial_cut *cut, const sli_triangles *mesh,
                                    const sli_ref *ref, side sides[2])
{
    sli_ref parts[2];
    bool exists[2];
    spatial_divide(cut, mesh, ref, parts, exists);
    for (int k = 0; k < 2; k++) {
        if (exists[k]) {
            const sli_box box = sli_ref_box(&parts[k]);
            sli_box_join(&sides[k].bounds, &box);
            sli_box_add(&sides[k].centres, sli_ref_centre(&parts[k]));
            *sides[k].to++ = parts[k];
        }
    }
}

/* A reference on one side goes there by masks, as in binned.c. */
static SLI_FORCE_INLINE void move_whole(const sli_ref *ref, bool goes_right, side *left,
                                        side *right)
{
    const ptrdiff_t is_right = -(ptrdiff_t)goes_right;
    const sli_lanes_i32 mask = sli_lanes_all_i32((int32_t)is_right);
    const sli_box box = sli_ref_box(ref);
    const sli_lanes centre = sli_box_centre(&box);
    left->to[(right->to - left->to) & is_right] = *ref;
    right->to -= is_right;
    left->to += 1 + is_right;
    add_unless(mask, box.min, box.max, &left->bounds);
    add_unless(~mask, box.min, box.max, &right->bounds);
    add_unless(mask, centre, centre, &left->centres);
    add_unless(~mask, centre, centre, &right->centres);
}

void sli_spatial_cut_move(const sli_spatial_cut *cut, const sli_spatial_planes *planes,
                          const sli_triangles *mesh, const sli_ref *refs, size_t count,
                          sli_ref *left, sli_ref *right, sli_split *out)
{
    const sli_box empty = sli_box_empty();
    side at[2] = { { left, empty, empty }, { right, empty, empty } }; /* in registers, mostly */
    for (size_t i = 0; i < count; i++) {
        const reach sides = reach_of(cut, planes, &refs[i]);
        if (sides.below && sides.above) {
            side moved[2] = { at[0], at[1] };
            move_parts(cut, mesh, &refs[i], moved);
            at[0] = moved[0];
            at[1] = moved[1];
        } else {
            move_whole(&refs[i], sides.above, &at[0], &at[1]);
        }
    }
    out->count[0] = (size_t)(at[0].to - left);
    out->count[1] = (size_t)(at[1].to - right);
    for (int k = 0; k < 2; k++) {
        out->bounds[k] = at[k].bounds;
        out->centres[k] = at[k].centres;
    }
}
