/* topology.h: the inside of an sl_topology, and what walks over neighbours ask of it.
 *
 * A side is 3 * prim + k: the one that runs from corner k of a triangle to the next corner.  The
 * sides of an edge stand one after the other, in rising order; those of all triangles at a vertex
 * that begin there name these triangles once each, so that no list of triangles is kept for
 * vertices. Triangles whose three corners are one vertex have no side: `points` lists them. */
#pragma once

#include "lib/base/inline.h"

#include <sightline/topology.h>

/* Bits of kinds besides SL_EDGE_..., of the inside. */
enum {
    SLI_EDGE_BENDS = 64,    /* two triangles have it that have three vertices each: it may be a
                             * crease */
    SLI_EDGE_FEATURE = 128, /* one of those that were asked for */
};

/* Bits of flags and owned: side k, corner k. */
enum { SLI_SIDE_0 = 1, SLI_CORNER_0 = 8 };

/* How creases are told. */
typedef enum sli_crease {
    SLI_CREASE_ANGLE = 0, /* by the cosine */
    SLI_CREASE_ANY = 1,   /* the angle is 0: whatever is not in one plane, exactly */
    SLI_CREASE_NONE = 2,  /* the angle is pi */
} sli_crease;

enum { SLI_TOPOLOGY_BLOCKS = 16 };

struct sl_topology {
    sl_allocator allocator;
    sl_topology_info info;
    uint32_t features; /* bits of sl_topology_def */
    sli_crease crease;
    double cosine;           /* of the angle of creases */
    uint32_t *vertices;      /* 3 * triangle_count: of corners, or SL_NONE */
    uint32_t *edges;         /* 3 * triangle_count: of sides, or SL_NONE */
    uint32_t *sides;         /* of all edges, one edge after the other */
    uint32_t *edge_sides;    /* edge_count + 1: where in sides an edge begins */
    uint32_t *lower_edges;   /* vertex_count + 1: the first edge whose lower vertex this is */
    uint32_t *upper_begin;   /* vertex_count + 1: where in upper_edges a vertex begins */
    uint32_t *upper_edges;   /* edge_count: those whose higher vertex it is, in rising order */
    uint32_t *mesh_vertices; /* vertex_count: the first vertex of the mesh there */
    uint8_t *kinds;          /* edge_count: SL_EDGE_..., SLI_EDGE_... */
    uint8_t *flags;          /* triangle_count: which sides and corners are features */
    uint8_t *owned;          /* triangle_count: those of which this is the lowest triangle */
    uint64_t *corner_bits;   /* a bit for each vertex: is it a feature */
    uint64_t *marks;         /* bits for vertices, then for edges, all 0 between calls */
    uint32_t *faces;         /* triangle_count, rising; or NULL: triangle i is face i */
    uint32_t *part_first;    /* part_count */
    uint32_t *points;        /* triangles of one vertex, by (vertex, number) */
    size_t point_count;
    size_t left_out; /* triangles */
    size_t block_count;
    struct {
        void *memory;
        size_t count, size;
    } blocks[SLI_TOPOLOGY_BLOCKS]; /* all arrays */
};

/* Which sides (SLI_SIDE_0 << k) and corners (SLI_CORNER_0 << k) of a triangle are features. */
static inline uint32_t sli_topology_flags(const sl_topology *topology, uint32_t prim)
{
    return topology->flags[prim];
}

/* Those sides and corners of which it is the lowest triangle that has the edge or the vertex: of
 * each edge and vertex there is exactly one. */
static inline uint32_t sli_topology_owned(const sl_topology *topology, uint32_t prim)
{
    return topology->owned[prim];
}

/* Sets of elements, marks and flags are bits of words. */
static inline bool sli_set_has(const uint64_t *set, uint32_t i)
{
    return (set[i / 64] >> i % 64 & 1) != 0;
}

static inline void sli_set_put(uint64_t *set, uint32_t i)
{
    set[i / 64] |= (uint64_t)1 << i % 64;
}

static inline void sli_set_drop(uint64_t *set, uint32_t i)
{
    set[i / 64] &= ~((uint64_t)1 << i % 64);
}

/* How many words hold a number of bits. */
static inline size_t sli_bit_words(size_t bits)
{
    return bits / 64 + (bits % 64 != 0);
}

static inline uint32_t sli_next_side(uint32_t side)
{
    return side % 3 == 2 ? side - 2 : side + 1;
}

/* The ends of an edge, the lower vertex first. */
static inline void sli_edge_ends(const sl_topology *topology, uint32_t edge, uint32_t ends[2])
{
    const uint32_t side = topology->sides[topology->edge_sides[edge]];
    const uint32_t a = topology->vertices[side], b = topology->vertices[sli_next_side(side)];
    ends[0] = a < b ? a : b;
    ends[1] = a < b ? b : a;
}

/* How many edges end at a vertex, and the i-th of them in rising order. */
static inline size_t sli_vertex_degree(const sl_topology *topology, uint32_t vertex)
{
    return (size_t)(topology->upper_begin[vertex + 1] - topology->upper_begin[vertex]) +
           (topology->lower_edges[vertex + 1] - topology->lower_edges[vertex]);
}

static inline uint32_t sli_vertex_edge(const sl_topology *topology, uint32_t vertex, size_t i)
{
    const uint32_t begin = topology->upper_begin[vertex];
    const size_t uppers = topology->upper_begin[vertex + 1] - begin;
    return i < uppers ? topology->upper_edges[begin + i]
                      : topology->lower_edges[vertex] + (uint32_t)(i - uppers);
}

/* Whether two corners of a triangle are one vertex, or it was left out. */
static inline bool sli_is_collapsed(const sl_topology *topology, size_t prim)
{
    const uint32_t *v = topology->vertices + 3 * prim;
    return v[0] == v[1] || v[1] == v[2] || v[2] == v[0];
}

/* Visits the triangles that have a vertex, those of one vertex last. */
void sli_vertex_triangles(const sl_topology *topology, uint32_t vertex,
                          void (*visit)(void *context, uint32_t prim), void *context);

/* ---- building -------------------------------------------------------------------------- */

/* An array of count items of size bytes that the topology owns; NULL when out of memory. */
void *sli_topology_take(sl_topology *topology, size_t count, size_t size);

/* What edges are but creases: kinds of all edges.  triangle faces and parts are there. */
void sli_topology_judge_edges(sl_topology *topology, const sl_mesh *mesh);

/* Creases of all edges, and all features; counts them.  Brackets its float work. */
void sli_topology_find_features(sl_topology *topology, const float *xyz);
