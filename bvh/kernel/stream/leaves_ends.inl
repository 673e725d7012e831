/* Open ends of segments at leaves, for stream batches (stream/leaves.inl) and those of doubles
 * (instance/batch_leaves.inl): floats drop triangles that an end lies on for certain, which doubles
 * would be asked about otherwise.  single/leaf.inl does the same for one segment.
 *
 * A line that has an end at a vertex, bit by bit, meets the triangle there or nowhere; and so it
 * does where the triangle lies across an axis, at the same coordinate as the end
 * (filter/tri8_ends.inl).  If the end is open, it is a miss.
 */
#pragma once

#include "bvh/kernel/ray_floats.h"
#include "bvh/kernel/stream/state.inl"

enum {
    ENDS_GAIN = 2,   /* a dropped lane saves what it costs to compare the ends of two groups */
    ENDS_TRIAL = 32, /* groups for which ends are compared without any gain */
    ENDS_CREDIT_MAX = 128
};

static SLI_FORCE_INLINE leaves_ends leaves_ends_of(bool segments, uint32_t flags)
{
    const bool asked = segments && (flags & SL_CROSSINGS) == 0;
    return (leaves_ends){ asked ? flags & (SL_OPEN_START | SL_OPEN_END) : 0, ENDS_TRIAL };
}

/* Lanes of leaves that have a vertex at a point, or lie across an axis with the point in their
 * plane.  Differences of floats are 0 only if they are equal. */
static SLI_FORCE_INLINE uint32_t leaves_at(stream_slot *const *slots, const fl point[3])
{
    const fl zero = fl_splat(0);
    fl across[3] = { zero, zero, zero };
    uint32_t at = 0;
    for (int corner = 0; corner < 3; corner++) {
        fl away[3];
        for (int axis = 0; axis < 3; axis++) {
            const float *row[SIMD_LEAVES];
            for (int k = 0; k < SIMD_LEAVES; k++) {
                const char *pack = slots[k]->ray.w.at;
                row[k] = ((const sli_tri_pack *)(const void *)pack)->axis[axis].vertex[corner];
            }
            away[axis] = fl_abs(fl_sub(fl_rows(row), point[axis]));
            across[axis] = fl_add(across[axis], away[axis]);
        }
        at |= fl_bits_le(fl_add(fl_add(away[0], away[1]), away[2]), zero);
    }
    return at | fl_bits_le(fl_min(fl_min(across[0], across[1]), across[2]), zero);
}

/* The lanes left that are missed because of an open end.  segment: their floats, as sl_segment.
 * Stops comparing where segments do not end on what they are tested against. */
static SLI_FORCE_INLINE uint32_t leaves_drop_at_ends(leaves_ends *ends, stream_slot *const *slots,
                                                     const float *const segment[SIMD_LEAVES],
                                                     uint32_t left)
{
    const float *last[SIMD_LEAVES];
    fl begin[4], end[4];
    uint32_t at = 0;
    for (int k = 0; k < SIMD_LEAVES; k++) {
        last[k] = segment[k] + SEGMENT_FLOAT_Q - 1;
    }
    fl_spread(segment, begin);
    fl_spread(last, end);
    if ((ends->open & SL_OPEN_START) != 0) {
        at |= leaves_at(slots, begin);
    }
    if ((ends->open & SL_OPEN_END) != 0) {
        at |= leaves_at(slots, end + 1);
    }
    at &= left;
    const int32_t credit = ends->credit + ENDS_GAIN * __builtin_popcount(at) - 1;
    ends->credit = credit < ENDS_CREDIT_MAX ? credit : ENDS_CREDIT_MAX;
    ends->open = credit < 0 ? 0 : ends->open;
    return at;
}
