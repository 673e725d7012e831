/* The four triangles of a leaf for the lines of a frustum (packet/frustum.inl), in floats: what all
 * lines share of them, on which sides of them a line passes, and at what depth it meets their
 * planes.  For leaves that many lines come to (packet/frustum_leaf.inl) and those that few do
 * (packet/frustum_few.inl). */
#pragma once

#include "bvh/kernel/packet/frustum.inl"

/* What all rays share of the four triangles of a block, relative to c.  Rows of four lanes, one for
 * each corner P and the side e that begins there; z is multiplied by the sign of the directions. */
typedef struct frustum_pack {
    float side_normal[3][12]; /* P x e */
    float side_error[12];
    float plane_normal[3][12]; /* the triangle's normal, once for each corner */
    float det_error[12];
    float volume[12], volume_error[12];
    float corner[3][12]; /* P */
    float side[3][12];   /* e, x and y times the sign instead of z; only where spread */
} frustum_pack;

static SLI_FORCE_INLINE void frustum_cross(const f12 a[3], const f12 b[3], f12 out[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = f12_nmuladd(a[k], b[j], f12_mul(a[j], b[k]));
    }
}

static SLI_FORCE_INLINE f12 frustum_norm1x12(const f12 a[3])
{
    return f12_add(f12_add(f12_abs(a[0]), f12_abs(a[1])), f12_abs(a[2]));
}

/* Corners and sides of a block's triangles, their sizes, and what a normal's error grows with. */
typedef struct frustum_corners {
    f12 corner[3], side[3], of_corner, of_side;
} frustum_corners;

static SLI_FORCE_INLINE frustum_corners frustum_read_pack(const frustum *p,
                                                          const sli_tri_pack *pack)
{
    frustum_corners c;
    for (int i = 0; i < 3; i++) {
        const f12 at = f12_load(pack->axis[p->axis[i]].vertex[0]);
        c.corner[i] = f12_sub(at, f12_splat(p->apex[i]));
        c.side[i] = f12_sub(f12_turn(at), at);
    }
    c.of_corner = f12_add(frustum_norm1x12(c.corner), f12_splat(p->away));
    c.of_side = frustum_norm1x12(c.side);
    return c;
}

/* Computes what tells on which sides of a block's triangles lines pass. */
static SLI_FORCE_INLINE void frustum_make_sides(const frustum *p, const frustum_corners *c,
                                                frustum_pack *out)
{
    f12 normal[3];
    frustum_cross(c->corner, c->side, normal);
    const f12 tiny = f12_splat(FRUSTUM_TINY), sign = f12_splat(p->sign);
    const f12 off = f12_muladd(c->of_corner, f12_splat(FRUSTUM_SIDE_ERROR), f12_splat(5 * p->miss));
    f12_store(out->side_error, f12_muladd(c->of_side, off, tiny));
    for (int i = 0; i < 3; i++) {
        f12_store(out->corner[i], i < 2 ? c->corner[i] : f12_mul(c->corner[i], sign));
        f12_store(out->side_normal[i], i < 2 ? normal[i] : f12_mul(normal[i], sign));
    }
}

/* The same for lines of one direction: corners and sides go along it into the plane z = c.z, and
 * what is left of P x e is along z. */
static SLI_NOINLINE void frustum_make_sides_parallel(const frustum *p, const sli_tri_pack *pack,
                                                     frustum_pack *out)
{
    const frustum_corners corners = frustum_read_pack(p, pack), *c = &corners;
    const f12 sign = f12_splat(p->sign), depth = f12_mul(c->corner[2], sign);
    const f12 rise = f12_mul(c->side[2], sign);
    f12 at[2], side[2];
    for (int i = 0; i < 2; i++) {
        at[i] = f12_nmuladd(f12_splat(p->slope[i][0]), depth, c->corner[i]);
        side[i] = f12_mul(f12_nmuladd(f12_splat(p->slope[i][0]), rise, c->side[i]), sign);
        f12_store(out->corner[i], at[i]);
    }
    const f12 off = f12_muladd(c->of_corner, f12_splat(FRUSTUM_SIDE_ERROR), f12_splat(5 * p->miss));
    f12_store(out->side_error, f12_muladd(c->of_side, off, f12_splat(FRUSTUM_TINY)));
    f12_store(out->corner[2], depth);
    f12_store(out->side_normal[0], f12_sub(f12_splat(0), side[1]));
    f12_store(out->side_normal[1], side[0]);
    f12_store(out->side_normal[2], f12_nmuladd(at[1], side[0], f12_mul(at[0], side[1])));
}

/* Computes what tells where lines meet the planes of a block's triangles. */
static SLI_FORCE_INLINE void frustum_make_planes(const frustum *p, const frustum_corners *c,
                                                 frustum_pack *out)
{
    f12 next[3], normal[3];
    for (int i = 0; i < 3; i++) {
        next[i] = f12_turn(c->side[i]);
    }
    frustum_cross(c->side, next, normal);
    const f12 tiny = f12_splat(FRUSTUM_TINY), of_normal = f12_mul(c->of_side, f12_turn(c->of_side));
    f12_store(out->det_error, f12_muladd(of_normal, f12_splat(FRUSTUM_DET_ERROR), tiny));
    f12 volume = f12_mul(c->corner[0], normal[0]);
    volume = f12_muladd(c->corner[1], normal[1], volume);
    volume = f12_muladd(c->corner[2], normal[2], volume);
    const f12 off =
        f12_muladd(c->of_corner, f12_splat(FRUSTUM_VOLUME_ERROR), f12_splat(3 * p->miss));
    f12_store(out->volume, volume);
    f12_store(out->volume_error, f12_muladd(of_normal, off, tiny));
    for (int i = 0; i < 3; i++) {
        f12_store(out->plane_normal[i], i < 2 ? normal[i] : f12_mul(normal[i], f12_splat(p->sign)));
    }
}

/* Computes these for the triangles of a block. */
static void frustum_make_pack(const frustum *p, const sli_tri_pack *pack, frustum_pack *out)
{
    const frustum_corners c = frustum_read_pack(p, pack);
    frustum_make_planes(p, &c, out);
    if (p->parallel) {
        frustum_make_sides_parallel(p, pack, out);
        return;
    }
    frustum_make_sides(p, &c, out);
    for (int i = 0; i < 3 && p->spread; i++) {
        f12_store(out->side[i], i < 2 ? f12_mul(c.side[i], f12_splat(p->sign)) : c.side[i]);
    }
}

/* The lowest and highest depth of each triangle's corners, moved outward by their rounding, and by
 * how far lines may be off. */
static void frustum_depths(const frustum *p, const frustum_pack *tris, float low[4], float high[4])
{
    const float *depth = tris->corner[2];
    const f4 a = f4_load(depth), b = f4_load(depth + 4), c = f4_load(depth + 8);
    const f4 least = f4_min(f4_min(a, b), c), most = f4_max(f4_max(a, b), c);
    const f4 slack = f4_splat(4 * WALK_U), tiny = f4_splat(RAY_T_TINY + p->moved);
    f4_store(low, f4_sub(f4_sub(least, f4_mul(f4_abs(least), slack)), tiny));
    f4_store(high, f4_add(f4_add(most, f4_mul(f4_abs(most), slack)), tiny));
}

/* Sixteen lines, each with a triangle of a block. */
typedef struct frustum_lanes {
    f16 place[2];
    const uint32_t *at; /* of each lane: 16 times its triangle, and less than 16; or NULL */
    int lane, ray;      /* where NULL: one triangle for all, and the first line of a group */
} frustum_lanes;

static SLI_FORCE_INLINE f16 frustum_of_triangle(const frustum_lanes *l, const float *four)
{
    return l->at != NULL ? f16_at4(four, l->at) : f16_splat(four[l->lane]);
}

/* The lanes whose lines are not surely outside their triangles; front and back become those that
 * are surely inside, by face.  Only a group's lines may be spread and not parallel. */
static SLI_FORCE_INLINE uint32_t frustum_test_rays(const frustum *p, const frustum_pack *tris,
                                                   const frustum_lanes *l, uint32_t *front,
                                                   uint32_t *back)
{
    const f16 zero = f16_splat(0);
    uint32_t above = 0, below = 0, all_above = 0xFFFF, all_below = 0xFFFF;
    for (int at = 0; at < 12; at += SLI_PACK) {
        f16 side = f16_muladd(frustum_of_triangle(l, tris->side_normal[0] + at), l->place[0],
                              frustum_of_triangle(l, tris->side_normal[2] + at));
        side = f16_muladd(frustum_of_triangle(l, tris->side_normal[1] + at), l->place[1], side);
        if (l->at == NULL && p->spread) {
            const int k = at + l->lane, ray = l->ray;
            side = f16_muladd(f16_splat(tris->side[0][k]), f16_load(p->delta[1] + ray), side);
            side = f16_nmuladd(f16_splat(tris->side[1][k]), f16_load(p->delta[0] + ray), side);
            side = f16_nmuladd(f16_splat(tris->side[2][k]), f16_load(p->moment + ray), side);
        }
        const f16 error = frustum_of_triangle(l, tris->side_error + at);
        const uint32_t positive = f16_bits_le(error, side);
        const uint32_t negative = f16_bits_le(f16_add(error, side), zero);
        above |= positive;
        below |= negative;
        all_above &= positive;
        all_below &= negative;
    }
    *front = all_below;
    *back = all_above;
    return ~(above & below);
}

/* Narrows from .. to to the depths at which lines meet the planes of their triangles, where that is
 * more precise than the corners: volume over determinant, each with its error. */
static SLI_FORCE_INLINE void frustum_plane_depths(const frustum *p, const frustum_pack *tris,
                                                  const frustum_lanes *l, f16 *from, f16 *to)
{
    f16 det = frustum_of_triangle(l, tris->plane_normal[2]);
    f16 volume = frustum_of_triangle(l, tris->volume);
    for (int i = 0; i < 2; i++) {
        const f16 normal = frustum_of_triangle(l, tris->plane_normal[i]);
        if (p->parallel) {
            det = f16_muladd(normal, f16_splat(p->slope[i][0]), det);
            volume = f16_nmuladd(normal, l->place[i], volume);
        } else {
            det = f16_muladd(normal, l->place[i], det);
        }
        if (l->at == NULL && p->spread) {
            volume = f16_nmuladd(normal, f16_load(p->delta[i] + l->ray), volume);
        }
    }
    const f16 error = frustum_of_triangle(l, tris->det_error);
    const f16 inverse = f16_div(f16_splat(1), det);
    const f16 depth = f16_mul(volume, inverse), size = f16_abs(depth);
    const f16 off = f16_mul(f16_muladd(size, error, frustum_of_triangle(l, tris->volume_error)),
                            f16_abs(inverse));
    const f16 beside = f16_muladd(size, f16_splat(8 * WALK_U), f16_splat(p->moved));
    const f16 margin = f16_muladd(off, f16_splat(1.25f), beside);
    const uint32_t steady = f16_bits_le(f16_mul(error, f16_splat(16)), f16_abs(det));
    *from = f16_where(steady, f16_max(f16_sub(depth, margin), *from), *from);
    *to = f16_where(steady, f16_min(f16_add(depth, margin), *to), *to);
}
