/* solid/solid.h: what the files of sl_bvh_solids share: the two solids, and points of which it is
 * asked which solids they are in.
 *
 * All is told by witnesses.  Every cell of space that is in a solid has pieces of triangles on its
 * boundary, so it is enough to look at both sides of pieces; and on all of one side of a piece that
 * no triangle cuts, both winding numbers are the same.  docs/notes/solids.md.
 * Callers   hold the floating-point environment. */
#pragma once

#include "bvh/kernel/instance/intersect.h"
#include "bvh/query/query.h"
#include "lib/geom/exact/arithmetic/big.h"

#include <sightline/clash.h>

/* Corners of triangles of both solids at different places, by a hash table, before which those that
 * were asked for last are tried: triangles come with their neighbours. */
enum { SLI_SOLID_RECENT = 1024 };
typedef struct sli_solid_vertices {
    double (*at)[3];
    uint32_t *slots; /* open addressing; SL_NONE: unused */
    size_t count, capacity, slot_count;
    uint32_t recent[SLI_SOLID_RECENT];
} sli_solid_vertices;

/* What is known of a triangle. */
enum {
    SLI_SOLID_FLAT = 1,   /* it has no area, or is not there: it bounds nothing */
    SLI_SOLID_MET = 2,    /* it meets a triangle of the other solid */
    SLI_SOLID_BOUNDS = 4, /* some piece of it has the solid on one side alone */
    SLI_SOLID_WITHIN = 8, /* some piece has not */
    SLI_SOLID_ASKED = 16, /* whether corners of its pieces are on both boundaries is asked */
};

/* One of the two.  Triangles are numbered through the instances, prim by prim. */
typedef struct sli_solid {
    const sl_bvh *bvh;
    sl_item_options item; /* what of it is there */
    bool by_parity;
    uint32_t *first;       /* number of the first triangle of each instance, and their count */
    uint32_t (*vertex)[3]; /* corners of each triangle, as numbers of vertices */
    uint8_t *state;        /* SLI_SOLID_... */
    uint32_t count;
} sli_solid;

/* Numbers the triangles and their corners.  Free it either way. */
sl_result sli_solid_make(sli_solid *solid, sli_solid_vertices *vertices,
                         const sl_allocator *allocator, sl_error *error);
void sli_solid_free(sli_solid *solid, const sl_allocator *allocator);
void sli_solid_vertices_free(sli_solid_vertices *vertices, const sl_allocator *allocator);

/* Whether an edge is not used equally often in both directions, or by parity an odd number of
 * times. */
sl_result sli_solid_is_open(const sli_solid *solid, const sli_solid_vertices *vertices,
                            const sl_allocator *allocator, bool *open, sl_error *error);

static inline uint32_t sli_solid_number(const sli_solid *solid, sl_triangle_ref ref)
{
    return solid->first[ref.instance] + ref.prim;
}

static inline void sli_solid_corners(const sli_solid *solid, const sli_solid_vertices *vertices,
                                     uint32_t triangle, sl_triangle_d *out)
{
    for (int corner = 0; corner < 3; corner++) {
        const double *at = vertices->at[solid->vertex[triangle][corner]];
        for (int axis = 0; axis < 3; axis++) {
            out->v[corner][axis] = at[axis];
        }
    }
}

static inline bool sli_solid_holds(const sli_solid *solid, int64_t winding)
{
    return solid->by_parity ? winding % 2 != 0 : winding != 0;
}

/* Gives take each triangle whose bounds in the world meet a box, and possibly others.  False of
 * take ends it. */
typedef bool sli_solid_take(void *context, sl_triangle_ref ref, const sl_triangle_d *corners);
void sli_solid_near(const sli_solid *solid, const sl_aabb_d *box, sli_solid_take *take,
                    void *context);

/* ---- Witnesses ---- */

/* A point, known exactly, that is moved by e dir[0] + e^2 dir[1] + e^3 dir[2] with an infinitesimal
 * e > 0: into the inside of a cell, since the three span space.  The first `turned` of the
 * directions are taken both ways. */
typedef struct sli_witness {
    sli_bigs *bigs;
    sli_big at[3], weight;  /* the point is at / weight; weight > 0 */
    double near[3], off[3]; /* no coordinate is farther from near than off */
    sli_big dir[3][3];
    int turned;
    int axis; /* along which rays go, best not in the plane of a triangle through the point */
} sli_witness;

enum { SLI_WITNESS_WAYS = 8 };

/* Fills in near and off. */
void sli_witness_finish(sli_witness *witness);

/* Sets a direction, from one place to another; and one along an axis. */
void sli_witness_direct(sli_witness *witness, int direction, const double from[3],
                        const double to[3]);
void sli_witness_direct_axis(sli_witness *witness, int direction, int axis);

/* Whether the point itself is on a triangle with area. */
bool sli_witness_touches(const sli_witness *witness, const sl_triangle_d *triangle);

/* The winding numbers of a solid at each of the 2^turned points: number i has dir[k] turned around
 * where bit k of i is set. */
void sli_witness_winding(const sli_witness *witness, const sli_solid *solid,
                         int64_t winding[SLI_WITNESS_WAYS]);

/* ---- Pieces of a triangle ---- */

/* The axis along which a triangle with area is seen largest. */
int sli_solid_axis(const sl_triangle_d *t);

/* The normal of a triangle; and n . x. */
void sli_big_normal(sli_bigs *bigs, const sl_triangle_d *t, sli_big n[3]);
sli_big sli_big_dot_point(sli_bigs *bigs, const sli_big n[3], const double x[3]);

/* A ratio of exact numbers, den > 0, and about what it is. */
typedef struct sli_big_fraction {
    sli_big num, den;
    double near, off;
} sli_big_fraction;

/* A segment within the triangle, seen along an axis: p u + q v = r, between two values of the
 * coordinate `along` of (u, v). */
typedef struct sli_cut_bounds {
    double min[2], max[2]; /* of u and v, rounded outwards */
} sli_cut_bounds;

typedef struct sli_solid_cut {
    sli_big p, q, r;
    int along;
    int across; /* a side of the triangle that is not parallel to the cut */
    sli_big_fraction low, high;
    sli_cut_bounds bounds;
    bool is_side;      /* of a triangle that lies in the plane */
    double side[2][3]; /* then its ends */
} sli_solid_cut;

typedef struct sli_pieces {
    sl_allocator allocator;
    sli_bigs bigs;    /* of all that follows but for splits */
    sli_bigs scratch; /* of splits */
    sl_triangle_d corners;
    int axis[3];               /* u, v, and the one along which it is seen */
    bool planned;              /* what follows is filled in */
    sli_big normal[3], offset; /* of its plane */
    sli_solid_cut *cuts;
    size_t count, capacity;
    sli_cut_bounds *blocks; /* of cuts that follow one another */
    size_t block_capacity;
    sli_big_fraction *splits; /* of one cut, in order, its ends among them */
    size_t split_capacity;
} sli_pieces;

/* A triangle with area, without cuts.  Several may follow one another in one sli_pieces, which is
 * zeroed but for the allocator before the first. */
void sli_pieces_begin(sli_pieces *pieces, const sl_triangle_d *corners);
void sli_pieces_free(sli_pieces *pieces);

/* Cuts the triangle where another one with area goes through its inside.  False: out of memory. */
bool sli_pieces_cut(sli_pieces *pieces, const sl_triangle_d *by);

/* Whether they are by the same side, either way. */
bool sli_cuts_are_alike(const sli_solid_cut *a, const sli_solid_cut *b);

/* Gives take witnesses on both sides of all pieces.  Without cuts that is one witness, else one on
 * each part of each cut that is left between the others, with which both of its sides are
 * meant.  False of take ends it.  False: out of memory. */
typedef bool sli_pieces_take(void *context, sli_witness *witness);
bool sli_pieces_witnesses(sli_pieces *pieces, sli_pieces_take *take, void *context);

/* Likewise gives all corners of all pieces, without directions. */
bool sli_pieces_corners(sli_pieces *pieces, sli_pieces_take *take, void *context);
