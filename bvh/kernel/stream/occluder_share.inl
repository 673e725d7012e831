/* Point-to-many (stream/from_point_sort.inl): a triangle that occludes one ray is tried on the
 * other rays of its group, in floats.  Called for each ray of such a batch that is occluded. */
#pragma once

#include "bvh/kernel/filter/tri_plane4.inl"
#include "bvh/kernel/stream/from_point_sort.inl"

/* A triangle is tried on a group where it looks so large that at least this share of the rays is
 * expected behind it: in units of |x| + |y| + |z|, which is up to 1.7 times the length. */
#define P2M_SHARE_MIN 0.2

/* The cone from the origin over a triangle, as the planes through its edges.  A ray in direction d
 * has the sides normal . d, and where all three are positive it meets the triangle at
 * t = depth / sum of the sides.
 *
 * Of a group's rays, divided by |d[w]| and scaled, side i is by[0][i] + by[1][i] * part[0] +
 * by[2][i] * part[1], less all that it may be off: what is positive is so in truth.  The three are
 * off by the same part of a step, which all but cancels in their sum: more gives back to it what
 * was taken for it three times.  Where length * sum is at least enough, t < tmax. */
typedef struct p2m_cone {
    float by[3][4], more, enough;
} p2m_cone;

/* What the bytes, u and v, and sums of floats may be off; how it adds up: docs/notes/filters.md,
 * "Point to many". */
#define P2M_HALF       0.51
#define P2M_PART_ERROR 0x1p-19
#define P2M_SUM_ERROR  0x1p-21
/* More than all that is lost where floats are denormal. */
#define P2M_FLOAT_ERROR 0x1p-100

/* Three corners from the origin, in the order that begins with the first, with the second, and with
 * the third, along the axes u, v and w of the group; then some corner once more. */
static SLI_FORCE_INLINE void p2m_corners(const sli_kernel_point_to_many *source,
                                         const sli_tri_pack *pack, uint32_t lane, uint32_t w,
                                         d4 e[3][3])
{
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t axis = w + k < 2 ? w + k + 1 : w + k - 2;
        const d4 origin = d4_splat((double)source->origin[axis]);
        f4 corners = f4_axes(f4_column(pack->axis[axis].vertex[0], lane));
        for (int first = 0; first < 3; first++, corners = f4_last(corners)) {
            e[first][k] = d4_sub(d4_from_f4(corners), origin);
        }
    }
}

/* How a triangle looks from the origin, with e the corners from there and their |x| + |y| + |z| for
 * lengths. */
typedef struct p2m_view {
    double depth, error;     /* e[0] . (e[1] x e[2]), and what that may be off */
    double product, longest; /* of the three lengths */
} p2m_view;

/* As in filter/tri8_determinants.inl, an error is within 16 TRI_EPS of the product, with one
 * rounding more here. */
static SLI_FORCE_INLINE p2m_view p2m_view_of(const sli_kernel_point_to_many *source,
                                             const sli_tri_pack *pack, uint32_t lane)
{
    double e[3][3], size[3] = { 0 }, depth = 0;
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            e[corner][axis] =
                (double)pack->axis[axis].vertex[corner][lane] - (double)source->origin[axis];
            size[corner] += fabs(e[corner][axis]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        depth += e[0][axis] * (e[1][j] * e[2][k] - e[1][k] * e[2][j]);
    }
    const double product = size[0] * size[1] * size[2];
    const double longer = size[0] > size[1] ? size[0] : size[1];
    const double longest = size[2] > longer ? size[2] : longer;
    return (p2m_view){ depth, 2 * TRI_DET_ERROR * product, product, longest };
}

/* Sides a + b * part[0] + c * part[1] of the three lanes, and half a step of each. */
typedef struct p2m_sides {
    d4 a, b, c, half;
} p2m_sides;

/* Of the normals e[1] x e[2], scaled, along u, v and w; a less all that the sides may be off. */
static SLI_FORCE_INLINE p2m_sides p2m_make_sides(const p2m_group *g, d4 e[3][3], double scale,
                                                 double turn)
{
    d4 normal[3];
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        normal[axis] = d4_nmuladd(e[1][k], e[2][j], d4_mul(e[1][j], e[2][k]));
    }
    const d4 u = d4_mul(normal[0], d4_splat(turn)), v = d4_mul(normal[1], d4_splat(turn));
    const d4 w = d4_mul(normal[2], d4_splat(g->negative ? -turn : turn));
    const d4 a =
        d4_muladd(u, d4_splat((double)g->least[0]), d4_muladd(v, d4_splat((double)g->least[1]), w));
    p2m_sides out = { .b = d4_mul(u, d4_splat((double)g->step[0])),
                      .c = d4_mul(v, d4_splat((double)g->step[1])) };
    const d4 wide = d4_add(d4_abs(out.b), d4_abs(out.c));
    out.half = d4_mul(wide, d4_splat(P2M_HALF));
    d4 off = d4_add(out.half, d4_splat(P2M_FLOAT_ERROR));
    off = d4_muladd(d4_add(d4_abs(u), d4_abs(v)), d4_splat(P2M_PART_ERROR), off);
    off = d4_muladd(d4_muladd(wide, d4_splat(255), d4_abs(a)), d4_splat(P2M_SUM_ERROR), off);
    off =
        d4_muladd(d4_mul(d4_norm1(e[1]), d4_norm1(e[2])), d4_splat(6 * TRI_DET_ERROR * scale), off);
    out.a = d4_sub(a, off);
    return out;
}

static SLI_FORCE_INLINE void p2m_make_cone(const sli_kernel_point_to_many *source,
                                           const sli_tri_pack *pack, uint32_t lane,
                                           const p2m_group *g, const p2m_view *view, p2m_cone *cone)
{
    d4 e[3][3];
    p2m_corners(source, pack, lane, g->axis, e);
    const double scale = 1 / (view->longest * view->longest);
    const p2m_sides sides = p2m_make_sides(g, e, scale, view->depth < 0 ? -scale : scale);
    float half[4];
    f4_store(half, d4_to_f4(sides.half));
    f4_store(cone->by[0], d4_to_f4(sides.a));
    f4_store(cone->by[1], d4_to_f4(sides.b));
    f4_store(cone->by[2], d4_to_f4(sides.c));
    const float b = cone->by[1][0] + cone->by[1][1] + cone->by[1][2];
    const float c = cone->by[2][0] + cone->by[2][1] + cone->by[2][2];
    cone->more = half[0] + half[1] + half[2] - (float)P2M_HALF * (fabsf(b) + fabsf(c));
    const double tmax = source->targets ? 1 : (double)source->tmax;
    const double unit = 255 * (1 + 0x1p-18) / (tmax * (double)g->longest);
    cone->enough = (float)((fabs(view->depth) + view->error) * scale * unit + P2M_FLOAT_ERROR);
}

static SLI_FORCE_INLINE f16 p2m_read_bytes(const uint8_t *p)
{
    return f16_pair(f8_bytes(p), f8_bytes(p + 8));
}

/* The lanes of these sixteen rays that surely meet the triangle, between the ends. */
static SLI_FORCE_INLINE uint32_t p2m_occluded(const p2m_state *f, uint32_t at, const p2m_cone *cone)
{
    const f16 u = p2m_read_bytes(f->part[0] + at), v = p2m_read_bytes(f->part[1] + at);
    f16 side[3];
    for (int i = 0; i < 3; i++) {
        side[i] = f16_muladd(f16_splat(cone->by[1][i]), u, f16_splat(cone->by[0][i]));
        side[i] = f16_muladd(f16_splat(cone->by[2][i]), v, side[i]);
    }
    const f16 sum = f16_add(f16_add(side[0], side[1]), f16_add(side[2], f16_splat(cone->more)));
    const f16 far = f16_mul(p2m_read_bytes(f->length + at), sum);
    return f16_bits_le(f16_splat(0), f16_min(f16_min(side[0], side[1]), side[2])) &
           f16_bits_le(f16_splat(cone->enough), far); /* a NaN is dropped by min, not by the sum */
}

/* A triangle occludes the ray in this slot: answers those of its group that it surely occludes. */
static SLI_NOINLINE void p2m_share(p2m_state *f, const sli_kernel_batch *batch, uint32_t slot,
                                   const sli_tri_pack *pack, uint32_t lane, uint8_t *any,
                                   sl_stats *stats)
{
    p2m_cone cone;
    p2m_group *g = &f->group[f->group_of[slot]];
    if (g->waiting == 0 || g->longest <= 0) {
        return;
    }
    const p2m_view view = p2m_view_of(batch->point_to_many, pack, lane);
    const double worth = P2M_SHARE_MIN * g->angle / __builtin_popcountll(g->waiting);
    if (fabs(view.depth) <= view.error || fabs(view.depth) < worth * view.product) {
        return;
    }
    p2m_make_cone(batch->point_to_many, pack, lane, g, &view, &cone);
    uint64_t occluded = 0;
    for (uint32_t i = 0; i < P2M_GROUP; i += 16) {
        occluded |= (uint64_t)p2m_occluded(f, g->begin + i, &cone) << i;
    }
    occluded &= g->waiting;
    const uint32_t count = (uint32_t)__builtin_popcountll(occluded);
    g->waiting &= ~occluded;
    f->left -= count;
    stats->triangles += count;
    stats->float_stage += count;
    stats->hits += count;
    for (; occluded != 0; occluded &= occluded - 1) {
        const size_t at =
            f->block.first + f->block.order[g->begin + (uint32_t)__builtin_ctzll(occluded)];
        any[at] = 1;
    }
}
