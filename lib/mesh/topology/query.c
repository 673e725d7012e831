/* topology/query.c: the queries of a topology. */
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
    size_t low = 0, high = topology->info.part_count;
    if (high == 0) {
        return SL_NONE;
    }
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (topology->part_first[middle] <= prim) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (uint32_t)low;
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

/* The triangles of one vertex: begin .. end - 1 of points. */
static void find_points(const sl_topology *topology, uint32_t vertex, size_t *begin, size_t *end)
{
    size_t bounds[2];
    for (uint32_t i = 0; i < 2; i++) {
        size_t low = 0, high = topology->point_count; /* the first whose vertex is not below */
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (topology->vertices[3 * (size_t)topology->points[middle]] < (uint64_t)vertex + i) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        bounds[i] = low;
    }
    *begin = bounds[0];
    *end = bounds[1];
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
    size_t begin, end;
    find_points(topology, vertex, &begin, &end);
    for (size_t i = begin; i < end; i++) {
        visit(context, topology->points[i]);
    }
}

/* ---- triangles of a vertex, which are listed edge by edge ------------------------------ */

static bool is_lower(const uint32_t *a, const uint32_t *b)
{
    return *a < *b;
}

#define HIT           uint32_t
#define HIT_BEFORE    is_lower
#define HIT_HEAP_ADD  heap_add
#define HIT_HEAP_SORT heap_sort
static void heap_add(uint32_t *hits, size_t capacity, size_t total, const uint32_t *hit);
static void heap_sort(uint32_t *hits, size_t capacity, size_t total);
#include "lib/geom/intersect/hit_heap.inl"

/* The lowest numbers that were seen. */
typedef struct lowest {
    uint32_t *heap;
    size_t capacity, seen;
} lowest;

static void query_offer(void *context, uint32_t prim)
{
    lowest *l = context;
    heap_add(l->heap, l->capacity, l->seen++, &prim);
}

static size_t triangles_of_vertex(const sl_topology *topology, uint32_t vertex, uint32_t *prims,
                                  size_t capacity)
{
    lowest l = { .heap = prims, .capacity = capacity };
    if (vertex >= topology->info.vertex_count) {
        return 0;
    }
    sli_vertex_triangles(topology, vertex, query_offer, &l);
    heap_sort(l.heap, l.capacity, l.seen);
    return l.seen;
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
