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

/* Hulls of numbers that lines have along x and y: [axis][group]. */
typedef struct frustum_hulls {
    float low[2 * FRUSTUM_GROUPS], high[2 * FRUSTUM_GROUPS];
    float middle[2 * FRUSTUM_GROUPS], extent[2 * FRUSTUM_GROUPS];
} frustum_hulls;

static SLI_FORCE_INLINE void frustum_make_hulls(float rows[2][PACKET], frustum_hulls *out)
{
    const f8 low = frustum_row_end(rows[0], false), high = frustum_row_end(rows[0], true);
    const f8 middle = f8_mul(f8_add(low, high), f8_splat(0.5f));
    const f8 extent = f8_max(f8_sub(high, middle), f8_sub(middle, low));
    f8_store(out->low, low);
    f8_store(out->high, high);
    f8_store(out->middle, middle);
    f8_store(out->extent, f8_mul(extent, f8_splat(1 + 2 * WALK_U)));
}

/* Lays numbers of groups along x and y out for four triangles each. */
static SLI_FORCE_INLINE void frustum_lay_out(float out[2][PACKET_LANES],
                                             const float of[2 * FRUSTUM_GROUPS])
{
    for (int k = 0; k < 2 * FRUSTUM_GROUPS; k++) {
        f4_store(out[k / FRUSTUM_GROUPS] + SLI_PACK * (k % FRUSTUM_GROUPS), f4_splat(of[k]));
    }
}

/* Makes the box of slopes of each group.  False: the slopes of the rays differ too much. */
static bool frustum_make_groups(frustum *p)
{
    frustum_hulls of;
    frustum_make_hulls(p->slope, &of);
    frustum_make_steps(p, 0, f8_load(of.low));
    frustum_make_steps(p, 1, f8_load(of.high));
    frustum_lay_out(p->middle, of.middle);
    frustum_lay_out(p->extent, of.extent);
    frustum_lay_out(p->slopes[0], of.low);
    frustum_lay_out(p->slopes[1], of.high);
    bool narrow = true;
    for (int i = 0; i < 2; i++) {
        p->width[i][0] = p->width[i][1] = 0;
        float least = INFINITY, most = -INFINITY;
        for (int k = i * FRUSTUM_GROUPS; k < (i + 1) * FRUSTUM_GROUPS; k++) {
            p->width[i][0] = float_max(FRUSTUM_BOX_MIN * 2 * of.extent[k], p->width[i][0]);
            least = of.low[k] < least ? of.low[k] : least;
            most = of.high[k] > most ? of.high[k] : most;
        }
        narrow = narrow && most - least <= FRUSTUM_SLOPES_MAX;
    }
    return narrow;
}

/* Makes what groups have of slopes for lines of one direction. */
static void frustum_make_direction(frustum *p)
{
    const f8 slope = f8_pair(f4_splat(p->slope[0][0]), f4_splat(p->slope[1][0]));
    frustum_make_steps(p, 0, slope);
    frustum_make_steps(p, 1, slope);
    memset(p->slopes, 0, sizeof p->slopes);
    memset(p->width, 0, sizeof p->width);
}

/* Makes the hulls of delta of each group; of parallel lines that is their place. */
static void frustum_make_deltas(frustum *p)
{
    frustum_hulls of;
    frustum_make_hulls(p->delta, &of);
    frustum_lay_out(p->parallel ? p->middle : p->middle_delta, of.middle);
    frustum_lay_out(p->parallel ? p->extent : p->extent_delta, of.extent);
    frustum_lay_out(p->deltas[0], of.low);
    frustum_lay_out(p->deltas[1], of.high);
    for (int i = 0; i < 2; i++) {
        const bool negative = p->near_side[p->axis[i]] % NODE_AXIS != 0;
        const float *near = negative ? of.low : of.high, *far = negative ? of.high : of.low;
        for (int k = i * FRUSTUM_GROUPS, pair = 0; pair < FRUSTUM_PAIRS; k += 2, pair++) {
            float(*delta)[PACKET_LANES] = p->steps[pair].delta[i];
            f16_store(delta[0], f16_pair(f8_splat(near[k]), f8_splat(near[k + 1])));
            f16_store(delta[1], f16_pair(f8_splat(far[k]), f8_splat(far[k + 1])));
            p->width[i][1] = float_max(2 * of.extent[k], p->width[i][1]);
            p->width[i][1] = float_max(2 * of.extent[k + 1], p->width[i][1]);
        }
    }
}

/* Makes the hulls of the moment of each group. */
static void frustum_make_moments(frustum *p)
{
    for (int group = 0; group < FRUSTUM_GROUPS; group++) {
        const f16 moment = f16_load(p->moment + group * PACKET_LANES);
        const float low = f16_least(moment), high = f16_most(moment), middle = 0.5f * (low + high);
        const float extent = float_max(high - middle, middle - low) * (1 + 2 * WALK_U);
        f4_store(p->middle_delta[2] + SLI_PACK * group, f4_splat(middle));
        f4_store(p->extent_delta[2] + SLI_PACK * group, f4_splat(extent));
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
                      p->apart ? f16_mul(f16_sub(zero, f16_load(p->delta[i] + ray)), inverse)
                               : zero);
        }
    }
}
