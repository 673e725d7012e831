/* One ray against the four triangles of a leaf, in floats: drops those that it surely misses.  For
 * single rays (single/leaf.inl).
 *
 * The edge functions and bounds of filter/tri_edges.inl, with a register of four for each corner
 * instead of one for all three: a single ray waits for results, and here nothing goes across
 * lanes on the way to them. */
#pragma once

#include "bvh/kernel/filter/ray8.inl"

/* The edges from vertex 0 to 1, 1 to 2 and 2 to 0, and vertices 0, 1, 2. */
typedef struct tri4_edges {
    f4 edge[3], bound[3]; /* edge functions, and how far they may be off */
    f4 z[3];              /* of the vertices, from the base, along the largest axis of dir */
} tri4_edges;

/* at: the leaf block. */
static SLI_FORCE_INLINE tri4_edges tri4_edges_of(const ray_words *ray, const ray_offsets *offsets,
                                                 const char *at)
{
    const float *right = (const float *)(const void *)(at + offsets->pack[0]);
    const float *up = (const float *)(const void *)(at + offsets->pack[1]);
    const float *ahead = (const float *)(const void *)(at + offsets->pack[2]);
    const f4 k = f4_splat(ray->edge_error), square = f4_splat(ray->edge_error * ray->edge_error);
    f4 x[3], y[3], w[3];
    tri4_edges e;
    for (int i = 0; i < 3; i++) {
        const f4 z = f4_sub(f4_load(ahead + SLI_PACK * i), f4_splat(ray->origin[2]));
        const f4 across = f4_sub(f4_load(right + SLI_PACK * i), f4_splat(ray->origin[0]));
        const f4 above = f4_sub(f4_load(up + SLI_PACK * i), f4_splat(ray->origin[1]));
        x[i] = f4_nmuladd(f4_splat(ray->shear[0]), z, across);
        y[i] = f4_nmuladd(f4_splat(ray->shear[1]), z, above);
        w[i] = f4_muladd(f4_abs(x[i]), k, f4_muladd(f4_abs(y[i]), k, square));
        e.z[i] = z;
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        e.edge[i] = f4_nmuladd(y[i], x[next], f4_mul(x[i], y[next]));
        e.bound[i] = f4_add(w[i], w[next]);
    }
    return e;
}

/* Bit i: lane i holds a triangle that is not surely missed; used: a triangle. */
static SLI_FORCE_INLINE uint32_t tri4_not_missed(const tri4_edges *e, const char *at,
                                                 uint32_t *used)
{
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)at;
    *used = f4_bits_ne(pack->prim, SL_NONE);
    return *used & ~f4_astride(e->edge, e->bound);
}
