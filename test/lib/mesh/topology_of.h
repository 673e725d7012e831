/* topology_of.h: topologies of arrays and texts, for their tests. */
#pragma once

#include "test/support/test.h"

static inline sl_mesh *mesh_of_text(const char *text, const char *name)
{
    sl_mesh_def def = { 0 };
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_load_memory(text, strlen(text), name, &def, &mesh, NULL), SL_OK);
    return mesh;
}

/* Destroys the mesh, as a caller may. */
static inline sl_topology *of_arrays(const void *xyz, size_t vertices, const void *indices,
                                     size_t triangles)
{
    sl_mesh *mesh = made_loose_mesh(xyz, vertices, indices, triangles);
    sl_topology *topology = made_topology(mesh, NULL);
    sl_mesh_destroy(mesh);
    return topology;
}

static inline sl_topology_info info_of(const sl_topology *topology)
{
    const sl_topology_info info = sl_topology_get_info(topology);
    return info;
}

static inline sl_edge edge_at(const sl_topology *topology, uint32_t edge)
{
    sl_edge out;
    assert_true(sl_topology_get_edge(topology, edge, &out));
    return out;
}

/* How many edges have any of these bits. */
static inline size_t edges_of_kind(const sl_topology *topology, uint32_t kinds)
{
    size_t count = 0;
    for (uint32_t edge = 0; edge < info_of(topology).edge_count; edge++) {
        count += (edge_at(topology, edge).kinds & kinds) != 0;
    }
    return count;
}
