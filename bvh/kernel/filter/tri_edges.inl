/* A ray against the four triangles of a leaf, in floats: drops those that it surely misses.  For
 * interleaved batches (interleaved/leaves.inl), single rays (single/single.inl), and rays along an
 * axis that filter/tri_axis_aligned.inl cannot take.
 *
 * Woop's sheared image of the triangle (Woop, Benthin and Wald, "Watertight Ray/Triangle
 * Intersection", 2013), as in reference/tri.inl, with a bound on the error of each edge function
 * that takes fewer operations: E = w(P) + w(Q), w(P) = k (|Px| + |Py| + k), k = edge_error of
 * ray_words.  A triangle is surely missed when one edge is < -E and another > E. */
#ifndef SLI_KERNEL_FILTER_TRI_EDGES_INL
#define SLI_KERNEL_FILTER_TRI_EDGES_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/simd/simd.h"
#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

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

/* One corner of the triangles of two leaves, along an axis that each ray has for itself. */
static SLI_FORCE_INLINE f8 tri_corner_of_two(const filter_ray *a, const filter_ray *b, int axis,
                                             int corner)
{
    const float *of_a = (const float *)(const void *)(a->w.at + a->o.pack[axis]);
    const float *of_b = (const float *)(const void *)(b->w.at + b->o.pack[axis]);
    return f8_pair(f4_load(of_a + corner * SLI_PACK), f4_load(of_b + corner * SLI_PACK));
}

static SLI_FORCE_INLINE f8 tri_splat_two(float a, float b)
{
    return f8_pair(f4_splat(a), f4_splat(b));
}

/* As tri_filter, for two rays at the leaves where they are: the lanes of b after those of a.  The
 * same arithmetic on f8 instead of f12: for instruction sets where SIMD_TWO_LEAVES is 1. */
static SLI_FORCE_INLINE uint32_t tri_filter_two(const filter_ray *a, const filter_ray *b,
                                                uint32_t *used)
{
    f8 origin[3], shear[2], x[3], y[3], w[3], edge[3], bound[3];
    for (int i = 0; i < 3; i++) {
        origin[i] = tri_splat_two(a->w.origin[i], b->w.origin[i]);
    }
    for (int i = 0; i < 2; i++) {
        shear[i] = tri_splat_two(a->w.shear[i], b->w.shear[i]);
    }
    const f8 k = tri_splat_two(a->w.edge_error, b->w.edge_error);
    for (int i = 0; i < 3; i++) {
        const f8 z = f8_sub(tri_corner_of_two(a, b, 2, i), origin[2]);
        const f8 right = f8_sub(tri_corner_of_two(a, b, 0, i), origin[0]);
        const f8 up = f8_sub(tri_corner_of_two(a, b, 1, i), origin[1]);
        x[i] = f8_nmuladd(shear[0], z, right);
        y[i] = f8_nmuladd(shear[1], z, up);
        w[i] = f8_mul(f8_add(f8_add(f8_abs(x[i]), f8_abs(y[i])), k), k);
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        edge[i] = f8_nmuladd(y[i], x[next], f8_mul(x[i], y[next]));
        bound[i] = f8_add(w[i], w[next]);
    }
    const sli_tri_pack *pack_a = (const sli_tri_pack *)(const void *)a->w.at;
    const sli_tri_pack *pack_b = (const sli_tri_pack *)(const void *)b->w.at;
    *used = f4_bits_ne(pack_a->prim, SL_NONE) | f4_bits_ne(pack_b->prim, SL_NONE) << SLI_PACK;
    return *used & ~f8_astride(edge, bound);
}

#endif
