/* The groups of a frustum (packet/frustum.inl): boxes of the slopes, of delta and of the moments of
 * sixteen lines each, laid out for what nodes and leaves ask of them; and single lines, prepared
 * for boxes that are hardly wider than a group. */
#pragma once

#include "bvh/kernel/packet/frustum.inl"

/* The minimum, or the maximum, of each of eight consecutive rows of sixteen. */
static SLI_FORCE_INLINE f8 frustum_row_end(const float *rows, bool most)
{
    f8 row[8];
    for (int i = 0; i < 8; i++) {
        const f8 one = f8_load(rows + i * PACKET_LANES), two = f8_load(rows + i * PACKET_LANES + 8);
        row[i] = most ? f8_max(one, two) : f8_min(one, two);
    }
    f8_transpose(row);
    for (int half = 4; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            row[i] = most ? f8_max(row[i], row[i + half]) : f8_min(row[i], row[i + half]);
        }
    }
    return row[0];
}

/* Makes 1 / slope for one end of each box, with the sign of the octant.  A slope below WALK_TINY, 0
 * included, counts as that. */
static void frustum_make_steps(frustum *p, int end, f8 slope)
{
    float steps[2 * FRUSTUM_GROUPS];
    f8_store(steps, f8_div(f8_splat(1), f8_max(f8_abs(slope), f8_splat(WALK_TINY))));
    for (int i = 0; i < 2; i++) {
        const bool negative = p->near_side[p->axis[i]] % NODE_AXIS != 0;
        for (int group = 0; group < FRUSTUM_GROUPS; group++) {
            f8_store(p->steps[group / 2].step[i][end] + 8 * (group % 2),
                     f8_splat((negative ? -1.0f : 1.0f) * steps[i * FRUSTUM_GROUPS + group]));
        }
    }
}

/* Makes the box of slopes of each group.  False: the slopes of the rays differ too much. */
static bool frustum_make_groups(frustum *p)
{
    float middles[2 * FRUSTUM_GROUPS], extents[2 * FRUSTUM_GROUPS]; /* [axis][group] */
    float lows[2 * FRUSTUM_GROUPS], highs[2 * FRUSTUM_GROUPS];
    const f8 low = frustum_row_end(p->slope[0], false), high = frustum_row_end(p->slope[0], true);
    const f8 middle = f8_mul(f8_add(low, high), f8_splat(0.5f));
    const f8 extent = f8_max(f8_sub(high, middle), f8_sub(middle, low));
    frustum_make_steps(p, 0, low);
    frustum_make_steps(p, 1, high);
    f8_store(middles, middle);
    f8_store(extents, f8_mul(extent, f8_splat(1 + 2 * WALK_U)));
    f8_store(lows, low);
    f8_store(highs, high);
    bool narrow = true;
    for (int i = 0; i < 2; i++) {
        p->width[i][0] = p->width[i][1] = 0;
        float least = INFINITY, most = -INFINITY;
        for (int group = 0; group < FRUSTUM_GROUPS; group++) {
            const int k = i * FRUSTUM_GROUPS + group;
            f4_store(p->middle[i] + 4 * group, f4_splat(middles[k]));
            f4_store(p->extent[i] + 4 * group, f4_splat(extents[k]));
            p->width[i][0] = float_max(FRUSTUM_BOX_MIN * 2 * extents[k], p->width[i][0]);
            f4_store(p->slopes[i][0] + 4 * group, f4_splat(lows[k]));
            f4_store(p->slopes[i][1] + 4 * group, f4_splat(highs[k]));
            least = lows[k] < least ? lows[k] : least;
            most = highs[k] > most ? highs[k] : most;
        }
        narrow = narrow && most - least <= FRUSTUM_SLOPES_MAX;
    }
    return narrow;
}

/* Sets the hull of delta along an axis, or of the moment, of one group. */
static void frustum_make_hull(frustum *p, int i, int group, float low, float high)
{
    const float middle = 0.5f * (low + high);
    const float extent = float_max(high - middle, middle - low) * (1 + 2 * WALK_U);
    f4_store(p->middle_delta[i] + 4 * group, f4_splat(middle));
    f4_store(p->extent_delta[i] + 4 * group, f4_splat(extent));
    if (i < 2) {
        p->width[i][1] = float_max(2 * extent, p->width[i][1]);
        const bool negative = p->near_side[p->axis[i]] % NODE_AXIS != 0;
        frustum_steps *steps = &p->steps[group / 2];
        f4_store(p->deltas[i][0] + 4 * group, f4_splat(low));
        f4_store(p->deltas[i][1] + 4 * group, f4_splat(high));
        f8_store(steps->delta[i][0] + 8 * (group % 2), f8_splat(negative ? low : high));
        f8_store(steps->delta[i][1] + 8 * (group % 2), f8_splat(negative ? high : low));
    }
}

/* Makes the hulls of delta and of the moment of each group. */
static void frustum_make_deltas(frustum *p)
{
    float lows[2 * FRUSTUM_GROUPS], highs[2 * FRUSTUM_GROUPS]; /* [axis][group] */
    f8_store(lows, frustum_row_end(p->delta[0], false));
    f8_store(highs, frustum_row_end(p->delta[0], true));
    for (int group = 0; group < FRUSTUM_GROUPS; group++) {
        for (int i = 0; i < 2; i++) {
            const int k = i * FRUSTUM_GROUPS + group;
            frustum_make_hull(p, i, group, lows[k], highs[k]);
        }
        const f16 moment = f16_load(p->moment + group * PACKET_LANES);
        frustum_make_hull(p, 2, group, f16_least(moment), f16_most(moment));
    }
}

/* Prepares lines for being tested against boxes one by one. */
static SLI_NOINLINE void frustum_make_lines(frustum *p)
{
    p->by_line = true;
    const f16 zero = f16_splat(0);
    for (int i = 0; i < 2; i++) {
        const bool negative = p->near_side[p->axis[i]] % NODE_AXIS != 0;
        const f16 one = f16_splat(negative ? -1.0f : 1.0f);
        for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
            const f16 slope = f16_abs(f16_load(p->slope[i] + ray));
            const f16 inverse = f16_div(one, f16_max(slope, f16_splat(WALK_TINY)));
            f16_store(p->inverse[i] + ray, inverse);
            f16_store(p->offset[i] + ray,
                      p->spread ? f16_mul(f16_sub(zero, f16_load(p->delta[i] + ray)), inverse)
                                : zero);
        }
    }
}
