/* walk/boxes.h: eight boxes against one of eight others: which meet, and how far apart they are
 * at least. */
#pragma once

#include "bvh/contact/walk/carry.h"
#include "bvh/contact/walk/lanes.h"

/* How far a box is from another one along an axis: below 0 where they overlap, and 0 where they
 * touch; the sign is exact. */
static inline float sli_box_gap(const float bounds[2][SLI_WIDTH], int lane, float low, float high)
{
    const float below = low - bounds[1][lane], above = bounds[0][lane] - high;
    return below > above ? below : above;
}

/* Bit i: box i meets this one. */
static inline uint32_t sli_boxes_meet(const sli_boxes *boxes, const sli_boxes *others,
                                      uint32_t other)
{
    float gaps[SLI_WIDTH];
    uint32_t met = 0;
    const float low[3] = { others->at[0][0][other], others->at[1][0][other],
                           others->at[2][0][other] };
    const float high[3] = { others->at[0][1][other], others->at[1][1][other],
                            others->at[2][1][other] };
    SLI_LANES(lane, SLI_WIDTH)
    {
        const float x = sli_box_gap(boxes->at[0], lane, low[0], high[0]);
        const float y = sli_box_gap(boxes->at[1], lane, low[1], high[1]);
        const float z = sli_box_gap(boxes->at[2], lane, low[2], high[2]);
        const float most = x > y ? x : y;
        gaps[lane] = most > z ? most : z;
    }
    for (int lane = 0; lane < SLI_WIDTH; lane++) {
        met |= (uint32_t)(gaps[lane] <= 0) << lane;
    }
    return met;
}

/* Squares of distances, of lengths times scale: too large by a few roundings at most, or infinite.
 */
static inline void sli_boxes_gaps(const sli_boxes *boxes, const sli_boxes *others, uint32_t other,
                                  float scale, float out[SLI_WIDTH])
{
    SLI_LANES(lane, SLI_WIDTH)
    {
        float sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            const float most = sli_box_gap(boxes->at[axis], lane, others->at[axis][0][other],
                                           others->at[axis][1][other]);
            const float gap = (most > 0 ? most : 0) * scale;
            sum += gap * gap;
        }
        out[lane] = sum;
    }
}
