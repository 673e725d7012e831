/* Wald, On fast Construction of SAH-based Bounding Volume Hierarchies (2007): the centres are put
 * into bins along each axis in one pass, and the planes between bins are the candidates. */
#include "bvh/build/sah.h"
#include "bvh/build/split.h"

#include <string.h>

/* Below this the scale would overflow, and differences lose their bits: flat. */
static const float smallest_extent = 0x1p-120f;

sli_planes sli_planes_place(const sli_box *centres)
{
    sli_planes planes = { .origin = centres->min };
    for (int axis = 0; axis < 3; axis++) {
        /* No overflow: see sli_ref_centre. */
        const float extent = centres->max[axis] - centres->min[axis];
        planes.usable[axis] = extent >= smallest_extent;
        planes.scale[axis] = planes.usable[axis] ? (float)SLI_BINS / extent : 0.0f;
    }
    planes.origin[3] = planes.scale[3] = 0.0f;
    return planes;
}

/* The smallest centre falls into bin 0 and the largest, whose product is within a few ulps of
 * SLI_BINS, into the last one: along a usable axis neither side of every plane is empty. */
static inline sli_lanes_i32 bins_of(const sli_planes *planes, const sli_ref *ref)
{
    const sli_lanes position = (sli_ref_centre(ref) - planes->origin) * planes->scale;
    return __builtin_convertvector(sli_lanes_min(position, sli_lanes_all(SLI_BINS - 1)),
                                   sli_lanes_i32);
}

void sli_bins_fill(sli_bins *bins, const sli_planes *planes, const sli_ref *refs, size_t count)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int bin = 0; bin < SLI_BINS; bin++) {
            bins->box[axis][bin] = sli_box_empty();
            bins->count[axis][bin] = 0;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const sli_box box = sli_ref_box(&refs[i]);
        const sli_lanes_i32 bin = bins_of(planes, &refs[i]);
        for (int axis = 0; axis < 3; axis++) {
            sli_box_join(&bins->box[axis][bin[axis]], &box);
            bins->count[axis][bin[axis]]++;
        }
    }
}

void sli_bins_join(sli_bins *bins, const sli_bins *other)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int bin = 0; bin < SLI_BINS; bin++) {
            sli_box_join(&bins->box[axis][bin], &other->box[axis][bin]);
            bins->count[axis][bin] += other->count[axis][bin];
        }
    }
}

/* The best plane of one axis, if it is better than *best. */
static void choose_on_axis(const sli_bins *bins, int axis, size_t count, size_t most,
                           sli_cost *best, sli_cut *out)
{
    double right_area[SLI_BINS]; /* of everything in bin k and above */
    sli_box box = sli_box_empty();
    size_t right = 0;
    for (int bin = SLI_BINS - 1; bin > 0; bin--) {
        right += bins->count[axis][bin];
        sli_box_join(&box, &bins->box[axis][bin]);
        right_area[bin] = right > 0 ? sli_box_half_area(&box) : 0.0;
    }
    box = sli_box_empty();
    size_t left = 0;
    for (int bin = 1; bin < SLI_BINS; bin++) {
        left += bins->count[axis][bin - 1];
        sli_box_join(&box, &bins->box[axis][bin - 1]);
        right = count - left;
        if (left == 0 || right == 0 || left > most || right > most) {
            continue;
        }
        const sli_cost cost =
            sli_cost_of_cut(sli_box_half_area(&box), left, right_area[bin], right);
        if (sli_cost_less(cost, *best)) {
            *best = cost;
            *out = (sli_cut){ .axis = axis, .bin = bin, .left_count = left, .bounds[0] = box };
        }
    }
}

bool sli_bins_choose(const sli_bins *bins, const sli_planes *planes, size_t count, size_t most,
                     sli_cut *out)
{
    sli_cost best = sli_cost_none();
    for (int axis = 0; axis < 3; axis++) {
        if (planes->usable[axis]) {
            choose_on_axis(bins, axis, count, most, &best, out);
        }
    }
    if (best.larger == sli_cost_none().larger) {
        return false;
    }
    out->bounds[1] = sli_box_empty();
    for (int bin = out->bin; bin < SLI_BINS; bin++) {
        sli_box_join(&out->bounds[1], &bins->box[out->axis][bin]);
    }
    return true;
}

size_t sli_bins_left_count(const sli_bins *bins, const sli_cut *cut)
{
    size_t left = 0;
    for (int bin = 0; bin < cut->bin; bin++) {
        left += bins->count[cut->axis][bin];
    }
    return left;
}

void sli_cut_move(const sli_cut *cut, const sli_planes *planes, const sli_ref *refs, size_t count,
                  sli_ref *left, sli_ref *right, sli_box centres[2])
{
    sli_ref *to[2] = { left, right };
    centres[0] = centres[1] = sli_box_empty();
    for (size_t i = 0; i < count; i++) {
        const int side = bins_of(planes, &refs[i])[cut->axis] >= cut->bin;
        *to[side]++ = refs[i];
        sli_box_add(&centres[side], sli_ref_centre(&refs[i]));
    }
}

bool sli_split_binned(const sli_ref *from, sli_ref *to, size_t count, const sli_box *centres,
                      size_t most, sli_split *out)
{
    const sli_planes planes = sli_planes_place(centres);
    sli_bins bins;
    sli_bins_fill(&bins, &planes, from, count);
    sli_cut cut;
    if (!sli_bins_choose(&bins, &planes, count, most, &cut)) {
        return false;
    }
    sli_cut_move(&cut, &planes, from, count, to, to + cut.left_count, out->centres);
    out->left_count = cut.left_count;
    out->bounds[0] = cut.bounds[0];
    out->bounds[1] = cut.bounds[1];
    return true;
}
