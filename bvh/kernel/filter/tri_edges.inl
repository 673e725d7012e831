/* A ray against the four triangles of a leaf, in floats: drops those that it surely misses.  For
 * leaves of stream batches that are taken one by one (stream/leaves.inl), and rays along
 * an axis that filter/tri_axis_aligned.inl cannot take.
 *
 * Woop's sheared image of the triangle (Woop, Benthin and Wald, "Watertight Ray/Triangle
 * Intersection", 2013), as in plain/tri.inl, with a bound on the error of each edge function
 * that takes fewer operations: E = w(P) + w(Q), w(P) = k (|Px| + |Py| + k), k = edge_error of
 * ray_words.  A triangle is surely missed when one edge is < -E and another > E. */
#pragma once

#include "bvh/kernel/filter/ray8.inl"

/* Rows: the edges from vertex 0 to 1, 1 to 2 and 2 to 0, and vertices 0, 1, 2. */
typedef struct tri_edges {
    f12 edge, bound; /* edge functions, and how far they may be off */
    f12 z;           /* of the vertices, from the base, along the largest axis of dir */
} tri_edges;

/* base: the leaf block. */
static SLI_FORCE_INLINE tri_edges tri_edges_of(const ray_words *ray, const ray_offsets *offsets,
                                               const char *base)
{
    const f12 z = f12_sub(f12_load((const float *)(const void *)(base + offsets->pack[2])),
                          f12_splat(ray->origin[2]));
    const f12 right = f12_sub(f12_load((const float *)(const void *)(base + offsets->pack[0])),
                              f12_splat(ray->origin[0]));
    const f12 up = f12_sub(f12_load((const float *)(const void *)(base + offsets->pack[1])),
                           f12_splat(ray->origin[1]));
    const f12 x = f12_nmuladd(f12_splat(ray->shear[0]), z, right);
    const f12 y = f12_nmuladd(f12_splat(ray->shear[1]), z, up);
    const f12 k = f12_splat(ray->edge_error);
    const f12 size = f12_add(f12_add(f12_abs(x), f12_abs(y)), k);
    const f12 w = f12_mul(size, k);
    const f12 next_x = f12_turn(x), next_y = f12_turn(y);
    return (tri_edges){ .edge = f12_nmuladd(y, next_x, f12_mul(x, next_y)),
                        .bound = f12_add(w, f12_turn(w)),
                        .z = z };
}

/* Bit i: lane i holds a triangle that is not surely missed; used: a triangle. */
static SLI_FORCE_INLINE uint32_t tri_not_missed(const tri_edges *e, const char *base,
                                                uint32_t *used)
{
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)base;
    *used = f4_bits_ne(pack->prim, SL_NONE);
    return *used & ~f12_astride(e->edge, e->bound);
}

/* The lanes of a leaf block that hold triangles that the ray does not surely miss. */
static SLI_FORCE_INLINE uint32_t tri_filter(const filter_ray *ray, const char *base, uint32_t *used)
{
    const tri_edges e = tri_edges_of(&ray->w, &ray->o, base);
    return tri_not_missed(&e, base, used);
}
