/* topology/query.c: the queries of a topology. */
#include "lib/base/search.h"
#include "lib/geom/intersect/k_smallest.h"
#include "lib/mesh/topology.h"

sl_topology_info sl_topology_get_info(const sl_topology *topology)
{
    sl_topology_info info = topology->info;
    size_t most = info.triangle_count > info.edge_count ? info.triangle_count : info.edge_count;
    most = most > info.vertex_count ? most : info.vertex_count;
    info.scratch_words = most / 2 + most % 2 + sli_bit_words(most);
    return info;
}

/* The last part that begins at or before the triangle. */
static uint32_t part_of(const sl_topology *topology, uint32_t prim)
{
    const size_t count = topology->info.part_count;
    return count > 0 ? (uint32_t)SLI_FIRST(i, 1, count, topology->part_first[i] > prim) - 1
                     : SL_NONE;
}

uint32_t sl_topology_element_of(const sl_topology *topology, uint32_t prim, sl_element kind,
                                uint32_t k)
{
    if (prim >= topology->info.triangle_count || k >= 3) {
        return SL_NONE;
    }
    switch (kind) {
    case SL_VERTICES:
        return topology->vertices[3 * (size_t)prim + k];
    case SL_EDGES:
        return topology->edges[3 * (size_t)prim + k];
    case SL_TRIANGLES:
        return prim;
    case SL_FACES:
        return topology->faces != NULL ? topology->faces[prim] : prim;
    case SL_PARTS:
        return part_of(topology, prim);
    case SL_ELEMENT_COUNT:
        break;
    }
    return SL_NONE;
}

/* Writes the triangles of the edge, and returns their number.  A collapsed one has two sides there,
 * which are neighbours in the list. */
static size_t triangles_of_edge(const sl_topology *topology, uint32_t edge, uint32_t *prims,
                                size_t capacity)
{
    size_t count = 0;
    if (edge >= topology->info.edge_count) {
        return 0;
    }
    for (size_t i = topology->edge_sides[edge]; i < topology->edge_sides[edge + 1]; i++) {
        const uint32_t prim = topology->sides[i] / 3;
        if (i > topology->edge_sides[edge] && prim == topology->sides[i - 1] / 3) {
            continue;
        }
        if (count < capacity) {
            prims[count] = prim;
        }
        count++;
    }
    return count;
}

bool sl_topology_get_edge(const sl_topology *topology, uint32_t edge, sl_edge *out)
{
    if (edge >= topology->info.edge_count) {
        return false;
    }
    sli_edge_ends(topology, edge, out->vertex);
    out->kinds = topology->kinds[edge] & (uint32_t)~(SLI_EDGE_BENDS | SLI_EDGE_FEATURE);
    out->triangle_count = (uint32_t)triangles_of_edge(topology, edge, NULL, 0);
    return true;
}

uint32_t sl_topology_mesh_vertex(const sl_topology *topology, uint32_t vertex)
{
    return vertex < topology->info.vertex_count ? topology->mesh_vertices[vertex] : SL_NONE;
}

bool sl_topology_is_feature(const sl_topology *topology, sl_element kind, uint32_t element)
{
    if (kind == SL_EDGES) {
        return element < topology->info.edge_count &&
               (topology->kinds[element] & SLI_EDGE_FEATURE) != 0;
    }
    return kind == SL_VERTICES && element < topology->info.vertex_count &&
           sli_set_has(topology->corner_bits, element);
}

static size_t edges_of_vertex(const sl_topology *topology, uint32_t vertex, uint32_t *edges,
                              size_t capacity)
{
    if (vertex >= topology->info.vertex_count) {
        return 0;
    }
    const size_t degree = sli_vertex_degree(topology, vertex);
    for (size_t i = 0; i < degree && i < capacity; i++) {
        edges[i] = sli_vertex_edge(topology, vertex, i);
    }
    return degree;
}

/* The vertex of one of the points, which are in its order. */
static uint32_t vertex_of_point(const sl_topology *topology, size_t i)
{
    return topology->vertices[3 * (size_t)topology->points[i]];
}

void sli_vertex_triangles(const sl_topology *topology, uint32_t vertex,
                          void (*visit)(void *context, uint32_t prim), void *context)
{
    const size_t degree = sli_vertex_degree(topology, vertex);
    for (size_t i = 0; i < degree; i++) {
        const uint32_t edge = sli_vertex_edge(topology, vertex, i);
        for (size_t j = topology->edge_sides[edge]; j < topology->edge_sides[edge + 1]; j++) {
            if (topology->vertices[topology->sides[j]] == vertex) {
                visit(context, topology->sides[j] / 3);
            }
        }
    }
    const size_t count = topology->point_count;
    const size_t first = SLI_FIRST(i, 0, count, vertex_of_point(topology, i) >= vertex);
    for (size_t i = first; i < count && vertex_of_point(topology, i) == vertex; i++) {
        visit(context, topology->points[i]);
    }
}

/* ---- triangles of a vertex, which are listed edge by edge ------------------------------ */

static size_t triangles_of_vertex(const sl_topology *topology, uint32_t vertex, uint32_t *prims,
                                  size_t capacity)
{
    sli_k_smallest lowest = { .numbers = prims, .capacity = capacity };
    if (vertex >= topology->info.vertex_count) {
        return 0;
    }
    sli_vertex_triangles(topology, vertex, sli_k_smallest_add, &lowest);
    sli_k_smallest_sort(&lowest);
    return lowest.total;
}

/* Of the vertices of the mesh at corners of a vertex: keeps them, or the least above a bound. */
typedef struct vertex_visit {
    const sl_topology *topology;
    const uint32_t *indices;
    uint32_t vertex, above, least; /* least SL_NONE: none so far */
    sli_k_smallest kept;
} vertex_visit;

static void visit_corners(void *context, uint32_t prim)
{
    vertex_visit *v = context;
    for (size_t i = 3 * (size_t)prim; i < 3 * (size_t)prim + 3; i++) {
        const uint32_t found = v->indices[i];
        if (v->topology->vertices[i] == v->vertex) {
            sli_k_smallest_add(&v->kept, found);
            v->least = found >= v->above && found < v->least ? found : v->least;
        }
    }
}

/* Where all corners fit into out, they are sorted there; else each number takes a walk. */
size_t sl_topology_mesh_vertices(const sl_topology *topology, const uint32_t *indices,
                                 uint32_t vertex, uint32_t *out, size_t capacity)
{
    vertex_visit v = { topology, indices, vertex, 0, SL_NONE, { out, capacity, 0 } };
    size_t count = 0;
    if (vertex >= topology->info.vertex_count) {
        return 0;
    }
    sli_vertex_triangles(topology, vertex, visit_corners, &v);
    if (v.kept.total <= capacity) {
        sli_k_smallest_sort(&v.kept);
        for (size_t i = 0; i < v.kept.total; i++) {
            out[count] = out[i];
            count += i + 1 == v.kept.total || out[i] != out[i + 1];
        }
        return count;
    }
    for (v.kept.capacity = 0; v.least != SL_NONE; count++) {
        if (count < capacity) {
            out[count] = v.least;
        }
        v.above = v.least + 1;
        v.least = SL_NONE;
        sli_vertex_triangles(topology, vertex, visit_corners, &v);
    }
    return count;
}

size_t sl_topology_around(const sl_topology *topology, sl_element kind, uint32_t element,
                          sl_element what, uint32_t *out, size_t capacity)
{
    if (kind == SL_EDGES && what == SL_TRIANGLES) {
        return triangles_of_edge(topology, element, out, capacity);
    }
    if (kind == SL_VERTICES && what == SL_TRIANGLES) {
        return triangles_of_vertex(topology, element, out, capacity);
    }
    return kind == SL_VERTICES && what == SL_EDGES
               ? edges_of_vertex(topology, element, out, capacity)
               : 0;
}
