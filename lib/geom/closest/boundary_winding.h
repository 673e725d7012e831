/* closest/boundary_winding.h: the boundary of a surface, and its part of a winding number; for the
 * queries whether a point is inside a mesh. */
#pragma once

#include "lib/geom/exact/arithmetic/expansion.h"

#include <sightline/mesh_repair.h>

/* An edge that triangles use count times more in the direction from -> to than the other way. */
typedef struct sli_boundary_edge {
    float from[3], to[3];
    uint32_t count;
} sli_boundary_edge;

/* A triangle of the surface that spans the boundary: all of them together have the same boundary.
 * The fourth number of a corner is not used. */
typedef struct sli_boundary_cap {
    float corners[3][4];
} sli_boundary_cap;

/* Four clusters of caps, side by side.  Of a cluster, over the caps in it, with v = x - centre on
 * them and n their normals, the integrals over the area, divided by 4 pi,
 *     first[i]       of n_i,
 *     second[ij]     of -3 n_i v_j: xx, yy, zz, and 2 xy, 2 xz, 2 yz,
 *     third[ijk]     of 15/2 n_i v_j v_k: xxx, xxy, xxz, xyy, yyy, yyz, xzz, yzz, zzz, xyz, each as
 *                    often as it occurs,
 * made symmetric, and without what the derivatives of 1 / distance are blind to.
 * docs/notes/inside.md says what they are for.  880 bytes. */
typedef struct sli_boundary_block {
    float low[2][4], high[3][4]; /* bounds: y and z; x, y and z */
    double centre[3][4];
    double radius[4]; /* of a ball around the centre that holds the caps */
    double first[3][4], second[6][4], third[10][4];
    double cut[4];      /* not less than the integral of |v|^3 over the area, divided by 4 pi */
    double rounding[4]; /* bounds what rounding adds, seen from 4/3 radii or farther */
} sli_boundary_block;

struct sl_boundary {
    sl_allocator allocator;
    sli_boundary_edge *edges; /* in an order that depends only on their positions */
    size_t capacity;
    sl_boundary_info info;

    /* A tree of clusters over caps, in its order; NULL where there are few edges.  Cluster i of
     * level k has the caps from sli_boundary_first(cap_count, k, i) up to the first of cluster i +
     * 1; block i of level k has its four children, clusters 4 i and on of level k + 1.  Blocks are
     * numbered level by level; the clusters of the last level have a few caps each. */
    sli_boundary_block *blocks;
    size_t block_count;
    sli_boundary_cap *caps;
    size_t cap_capacity, cap_count;
    int levels;   /* of blocks */
    double slack; /* what sli_boundary_turns may be off by, besides 2^-52 of itself */
};

static inline size_t sli_boundary_first(size_t cap_count, int level, uint64_t cluster)
{
    return (size_t)((uint64_t)cap_count * cluster >> 2 * level);
}

/* The blocks before those of a level. */
static inline size_t sli_boundary_blocks_before(int level)
{
    return (((size_t)1 << 2 * level) - 1) / 3;
}

/* What one edge accounts for: half the signed area, as seen from the point, that it spans with the
 * direction -x. */
double sli_boundary_turn(const sli_boundary_edge *edge, const float point[3]);

/* Adds the turn of an edge to a sum, and what that loses to rest. */
static inline void sli_boundary_add(const sli_boundary_edge *edge, double turn, double *sum,
                                    double *rest)
{
    double error;
    sli_two_sum(*sum, edge->count * turn, sum, &error);
    *rest += error;
}

/* Sums of turns become parts of winding numbers: -1 / (2 pi). */
#define SLI_WINDING_OF_TURN -0x1.45f306dc9c883p-3

/* The winding number around point is the crossings of backs minus fronts by the ray along +x, moved
 * by (e, e^2, e^3) with an infinitesimal e > 0, plus this; 0 for an empty boundary.  Callers hold
 * the floating-point environment; the point is finite. */
double sli_boundary_turns(const sl_boundary *boundary, const float point[3]);
