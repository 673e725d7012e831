/* plain_topology.h: a topology of a small mesh as its header defines it, found by looking at every
 * pair of corners and sides; for tests of sl_topology and of sets of elements. */
#pragma once

#include <sightline/topology.h>

enum { PLAIN_TRIANGLES = 160, PLAIN_EDGES = 3 * PLAIN_TRIANGLES };

typedef struct plain_topology {
    size_t triangle_count, vertex_count, edge_count;
    uint32_t vertex[3 * PLAIN_TRIANGLES], edge[3 * PLAIN_TRIANGLES]; /* of corners and sides */
    uint32_t mesh_vertex[3 * PLAIN_TRIANGLES];
    sl_edge edges[PLAIN_EDGES];
    bool feature_edge[PLAIN_EDGES], feature_vertex[3 * PLAIN_TRIANGLES];
    bool uncertain; /* an angle is so near that of creases that this cannot tell */
} plain_topology;

/* xyz: positions to find creases by; NULL: those of the mesh.  Angles are found by acosl, but for
 * creases of 0, where small whole numbers are exact. */
void plain_topology_find(const sl_mesh *mesh, const sl_topology_def *def, const float *xyz,
                         plain_topology *out);

bool plain_topology_has_vertex(const plain_topology *plain, size_t prim, uint32_t vertex);
bool plain_topology_has_edge(const plain_topology *plain, size_t prim, uint32_t edge);
