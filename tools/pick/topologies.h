/* pick/topologies.h: the topology of each instance of what was loaded, for pick and select: each
 * mesh's is built once. */
#pragma once

#include "tools/input/mesh.h"
#include "tools/input/scene.h"

#include <sightline/topology.h>

enum { EDGES_FEATURES, EDGES_FACES, EDGES_ALL };

typedef struct edge_options {
    int edges;    /* which edges count: EDGES_... */
    float crease; /* degrees */
} edge_options;

extern const option_row edge_rows[];

/* struct x { ...; edge_options edges; ... } and EDGE_GROUP(struct x), behind the rows whose title
 * it shares. */
#define EDGE_GROUP(type) { .title = NULL, .rows = edge_rows, .offset = offsetof(type, edges) }

typedef struct topologies {
    sl_topology **own;
    size_t own_count;
    const sl_topology **of; /* for each number of the scene; NULL for a hole */
    size_t count;
} topologies;

/* EXIT_DONE, or the status of a reported error; free them either way. */
int topologies_make(topologies *all, const mesh_in *in, const edge_options *options);
void topologies_free(topologies *all); /* zeroed ones are fine */
