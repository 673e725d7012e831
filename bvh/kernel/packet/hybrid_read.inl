/* Reads and prepares the rays of a hybrid packet (packet/hybrid.inl), sixteen at a time, and sets
 * what they have in common: the middle from which they and boxes count, the box around them, and
 * how far slabs may be off (docs/notes/filters.md, "Hybrid packets").
 *
 * A packet needs less of a ray than slots do (filter/ray8.inl); rays that leave it are prepared for
 * these by stream/resume.inl. */
#pragma once

#include "bvh/kernel/packet/hybrid_state.inl"
#include "bvh/kernel/plain/ray.inl"

/* Where the origins of the rays lie, from the middle, and where the rays end. */
typedef struct hybrid_around {
    f16 low[3], high[3];
} hybrid_around;

static void hybrid_around_begin(hybrid_around *all)
{
    for (int axis = 0; axis < 3; axis++) {
        all->low[axis] = all->high[axis] = f16_splat(0);
    }
}

/* Widens it by a coordinate of these lanes. */
static SLI_FORCE_INLINE void hybrid_around_add(hybrid_around *all, int axis, uint32_t lanes, f16 at,
                                               f16 error)
{
    const f16 zero = f16_splat(0);
    const f16 low = f16_where(lanes, f16_sub(at, error), zero);
    const f16 high = f16_where(lanes, f16_add(at, error), zero);
    all->low[axis] = f16_min(low, all->low[axis]);
    all->high[axis] = f16_max(high, all->high[axis]);
}

/* Sixteen rays as they are read. */
typedef struct hybrid_input {
    f16 origin[3], dir[3], tmin, tmax, power;
    uint32_t valid, together; /* together: those that the float filters hold for, ahead of tmin */
} hybrid_input;

static SLI_FORCE_INLINE void hybrid_read_sixteen(const hybrid *h, int ray, hybrid_input *out)
{
    ray8_input half[2];
    f8 longest[2];
    out->valid = out->together = 0;
    for (int i = 0; i < 2; i++) {
        const size_t at = (size_t)(ray + 8 * i);
        const uint32_t valid = ray8_read(h->batch, h->first + at, h->left - at, &half[i]);
        longest[i] = ray8_largest3(half[i].dir);
        out->valid |= valid << (8 * i);
        out->together |=
            (valid & f8_bits_le(half[i].reach, f8_splat(WALK_MOST / 2)) &
             f8_bits_le(f8_splat(0x1p-126f), longest[i]) &
             f8_bits_le(longest[i], f8_splat(0x1p126f)) & f8_bits_le(f8_splat(0), half[i].tmin))
            << (8 * i);
    }
    for (int axis = 0; axis < 3; axis++) {
        out->origin[axis] = f16_pair(half[0].origin[axis], half[1].origin[axis]);
        out->dir[axis] = f16_pair(half[0].dir[axis], half[1].dir[axis]);
    }
    out->tmin = f16_pair(half[0].tmin, half[1].tmin);
    out->tmax = f16_pair(half[0].tmax, half[1].tmax);
    out->power = f16_pair(f8_exponent(longest[0]), f8_exponent(longest[1]));
}

/* Prepares sixteen rays, of which those in lanes widen where all origins lie. */
static SLI_FORCE_INLINE void hybrid_prepare(hybrid *h, int ray, const hybrid_input *in,
                                            uint32_t lanes, hybrid_around *all)
{
    const f16 one = f16_splat(1), zero = f16_splat(0), tiny = f16_splat(RAY_T_TINY);
    const f16 shrink = f16_div(one, in->power);
    f16 length = zero;
    for (int axis = 0; axis < 3; axis++) {
        const f16 dir = f16_mul(in->dir[axis], shrink), size = f16_abs(dir);
        const f16 positive = f16_div(one, f16_max(size, f16_splat(WALK_TINY)));
        const f16 inverse = f16_flip(positive, dir);
        const f16 away = f16_sub(in->origin[axis], f16_splat(h->middle[axis]));
        length = f16_add(length, size);
        hybrid_around_add(all, axis, lanes, away, zero);
        f16_store(h->origin[axis] + ray, in->origin[axis]);
        f16_store(h->dir[axis] + ray, dir);
        f16_store(h->inverse[axis] + ray, inverse);
        f16_store(h->offset[axis] + ray, f16_sub(zero, f16_mul(away, inverse)));
    }
    f16_store(h->dir_error + ray, f16_mul(length, f16_splat(TRI_FLOAT_DET_ERROR)));
    f16_store(h->from + ray, f16_max(f16_sub(f16_mul(in->tmin, in->power), tiny), zero));
    f16_store(h->to + ray, f16_add(f16_mul(in->tmax, in->power), tiny));
}

/* How far the tree extends from the middle, or, with all origins around it, from any of them. */
static float hybrid_extent(const hybrid *h, const sl_bvh *tree, float around[3][2])
{
    float extent = WALK_LEAST;
    for (int axis = 0; axis < 3; axis++) {
        const float below = h->middle[axis] + around[axis][1] - tree->bounds.min[axis];
        const float above = tree->bounds.max[axis] - h->middle[axis] - around[axis][0];
        extent = fmaxf(extent, fmaxf(below, above));
    }
    return extent;
}

static void hybrid_around_end(const hybrid_around *all, float out[3][2])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis][0] = f16_least(all->low[axis]);
        out[axis][1] = f16_most(all->high[axis]);
    }
}

/* Sets what depends on how far the tree extends: errors, limits and the box around the rays.  No
 * hit has a t' beyond the extent, since the longest component of the scaled direction is at least
 * 1.  Returns false for origins so far away that the filters would say little. */
static bool hybrid_enclose(hybrid *h, const sl_bvh *tree, hybrid_around *all)
{
    float around[3][2], apart = 0;
    hybrid_around_end(all, around);
    if (!(hybrid_extent(h, tree, around) <= ray8_far_from(tree))) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        h->error[axis] = fmaxf(-around[axis][0], around[axis][1]);
        apart = fmaxf(apart, h->error[axis]);
    }
    float at_middle[3][2] = { { 0 } };
    h->extent = (hybrid_extent(h, tree, at_middle) + apart) * (1 + 8 * WALK_U);
    const float still = 4 * WALK_TINY * h->extent;
    for (int axis = 0; axis < 3; axis++) {
        h->error[axis] = h->error[axis] * HYBRID_SLAB_SHARE + still;
    }
    const f16 most = f16_splat(2 * h->extent);
    for (int ray = 0; ray < HYBRID_RAYS; ray += HYBRID_LANES) {
        const uint32_t lanes = (uint32_t)(h->active >> ray) & 0xFFFF;
        const f16 to = f16_min(f16_load(h->to + ray), most);
        f16_store(h->to + ray, to);
        for (int axis = 0; axis < 3; axis++) {
            const f16 away = f16_sub(f16_load(h->origin[axis] + ray), f16_splat(h->middle[axis]));
            const f16 way = f16_mul(f16_load(h->dir[axis] + ray), to);
            const f16 size = f16_add(f16_abs(away), f16_abs(way));
            const f16 error = f16_muladd(size, f16_splat(HYBRID_SLAB_SHARE), f16_splat(still));
            hybrid_around_add(all, axis, lanes, f16_add(away, way), error);
        }
    }
    hybrid_around_end(all, around);
    memcpy(h->box, around, sizeof h->box);
    for (int axis = 0; axis < 3; axis++) {
        h->box[axis][0] -= h->error[axis];
        h->box[axis][1] += h->error[axis];
    }
    return true;
}

/* Reads and prepares the next rays around the origin of ray `first`; sets those that may go
 * together.  Returns those that are valid. */
static uint64_t hybrid_read_around(hybrid *h, uint32_t first, hybrid_around *all)
{
    uint64_t valid = 0;
    memcpy(h->middle, ray8_floats(h->batch, h->first + first), sizeof h->middle);
    h->active = 0;
    hybrid_around_begin(all);
    for (int ray = 0; ray < HYBRID_RAYS; ray += HYBRID_LANES) {
        hybrid_input in;
        hybrid_read_sixteen(h, ray, &in);
        const uint32_t lanes = in.together & (uint32_t)(h->unanswered >> ray);
        hybrid_prepare(h, ray, &in, lanes, all);
        valid |= (uint64_t)in.valid << ray;
        h->active |= (uint64_t)lanes << ray;
    }
    return valid;
}

/* Reads and prepares the next rays; returns those to answer.  Rays outside the range of the float
 * filters, and those that may begin behind their origin, go on alone from the root; none of them
 * may be the middle, which could be no number, or far from all others. */
static uint64_t hybrid_read(hybrid *h, hybrid_around *all)
{
    uint64_t valid = hybrid_read_around(h, 0, all);
    if (h->active != 0 && (h->active & 1) == 0) {
        valid = hybrid_read_around(h, (uint32_t)__builtin_ctzll(h->active), all);
    }
    return h->unanswered & valid;
}
