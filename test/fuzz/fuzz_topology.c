/* fuzz_topology.c: any bytes as an OBJ file; of the mesh its topology, against every pair of
 * corners and sides; updates of triangles that moved against updates of all; sets of elements. */
#include "lib/mesh/sets/bits.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/try_sets.h"
#include "test/support/input/prim_ranges.h"
#include "test/support/input/random.h"

#include <math.h>
#include <string.h>

enum { MEMORY = 1 << 20 };

typedef struct job {
    const sl_mesh *mesh;
    const sl_topology *t;
    uint32_t corners; /* three for each triangle */
} job;

static uint32_t next_corner(uint32_t c)
{
    return c % 3 == 2 ? c - 2 : c + 1;
}

static uint32_t vertex_at(const job *j, uint32_t c)
{
    return sl_topology_element_of(j->t, c / 3, SL_VERTICES, c % 3);
}

static uint32_t edge_at(const job *j, uint32_t c)
{
    return sl_topology_element_of(j->t, c / 3, SL_EDGES, c % 3);
}

static bool same_place(const job *j, uint32_t a, uint32_t b)
{
    const float *p = sl_mesh_soup(j->mesh).xyz + 3 * (size_t)a;
    const float *q = sl_mesh_soup(j->mesh).xyz + 3 * (size_t)b;
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static void try_vertices(const job *j)
{
    const uint32_t *indices = sl_mesh_soup(j->mesh).indices;
    for (uint32_t a = 0; a < j->corners; a++) {
        fuzz_expect((vertex_at(j, a) == SL_NONE) == (indices[a] == SL_NONE), "a corner is lost");
        for (uint32_t b = 0; b < a && indices[a] != SL_NONE; b++) {
            fuzz_expect(indices[b] == SL_NONE || same_place(j, indices[a], indices[b]) ==
                                                     (vertex_at(j, a) == vertex_at(j, b)),
                        "vertices are not positions");
        }
        if (indices[a] != SL_NONE) {
            const uint32_t first = sl_topology_mesh_vertex(j->t, vertex_at(j, a));
            fuzz_expect(first <= indices[a] && same_place(j, first, indices[a]),
                        "not the first vertex of the mesh there");
        }
    }
    for (uint32_t i = 1; sl_topology_mesh_vertex(j->t, i) != SL_NONE; i++) {
        fuzz_expect(sl_topology_mesh_vertex(j->t, i) > sl_topology_mesh_vertex(j->t, i - 1),
                    "vertices are not in the order of the mesh");
    }
}

static bool is_collapsed(const job *j, uint32_t prim)
{
    const uint32_t a = vertex_at(j, 3 * prim), b = vertex_at(j, 3 * prim + 1);
    const uint32_t c = vertex_at(j, 3 * prim + 2);
    return a == b || b == c || c == a;
}

/* Texture coordinates of a corner, zeros of either sign being equal; false: none. */
static bool uv_of(const job *j, uint32_t corner, uint32_t uv[2])
{
    sl_mesh_attribute all;
    uv[0] = uv[1] = 0;
    if (!sl_mesh_get_attribute(j->mesh, SL_MESH_UVS, &all)) {
        return false;
    }
    const uint32_t row =
        (all.indices != NULL ? all.indices : sl_mesh_soup(j->mesh).indices)[corner];
    if (row == SL_NONE) {
        return false;
    }
    memcpy(uv, all.values + 2 * (size_t)row, 2 * sizeof *uv);
    for (int i = 0; i < 2; i++) {
        uv[i] = uv[i] == 0x80000000u ? 0 : uv[i];
    }
    return true;
}

/* Whether two sides along one edge have texture coordinates that differ at one of its ends. */
static bool is_seam(const job *j, uint32_t a, uint32_t b)
{
    const uint32_t from[2] = { a, next_corner(a) };
    uint32_t to[2] = { b, next_corner(b) };
    if (vertex_at(j, a) != vertex_at(j, b)) {
        to[0] = next_corner(b);
        to[1] = b;
    }
    for (int i = 0; i < 2; i++) {
        uint32_t p[2], q[2];
        const bool has_p = uv_of(j, from[i], p), has_q = uv_of(j, to[i], q);
        if (has_p != has_q || memcmp(p, q, sizeof p) != 0) {
            return true;
        }
    }
    return false;
}

/* What an edge is but a crease, from all sides along it. */
static uint32_t kinds_of(const job *j, uint32_t edge, uint32_t *triangles)
{
    uint32_t kinds = 0, first = SL_NONE, first_whole = SL_NONE, whole = 0;
    bool same_way = false, inside = false;
    *triangles = 0;
    for (uint32_t c = 0; c < j->corners; c++) {
        if (edge_at(j, c) != edge) {
            continue;
        }
        const uint32_t prim = c / 3;
        *triangles +=
            c % 3 == 0 || (edge_at(j, c - 1) != edge && (c % 3 == 1 || edge_at(j, c - 2) != edge));
        if (first != SL_NONE && prim != first / 3) {
            const uint32_t other = first / 3;
            kinds |= sl_mesh_face(j->mesh, prim) != sl_mesh_face(j->mesh, other) ? SL_EDGE_FACE : 0;
            kinds |= sl_mesh_part_of(j->mesh, prim) != sl_mesh_part_of(j->mesh, other)
                         ? SL_EDGE_PART
                         : 0;
            inside = true;
        }
        first = first == SL_NONE ? c : first;
        if (!is_collapsed(j, prim)) {
            same_way = whole == 1 && vertex_at(j, c) == vertex_at(j, first_whole);
            kinds |= whole > 0 && is_seam(j, first_whole, c) ? SL_EDGE_UV_SEAM : 0;
            first_whole = first_whole == SL_NONE ? c : first_whole;
            whole++;
        }
    }
    kinds |= whole < 2 ? SL_EDGE_BOUNDARY : 0;
    kinds |= whole > 2 || same_way ? SL_EDGE_NONMANIFOLD : 0;
    return kinds | (inside ? 0 : SL_EDGE_FACE);
}

static void try_edges(const job *j)
{
    sl_edge edge, last = { .kinds = 0 };
    uint32_t count = 0, triangles;
    for (uint32_t c = 0; c < j->corners; c++) {
        const uint32_t a = vertex_at(j, c), b = vertex_at(j, next_corner(c));
        fuzz_expect((edge_at(j, c) == SL_NONE) == (a == b), "a side without an edge");
        fuzz_expect(a == b ||
                        (sl_topology_get_edge(j->t, edge_at(j, c), &edge) &&
                         edge.vertex[0] == (a < b ? a : b) && edge.vertex[1] == (a < b ? b : a)),
                    "an edge has other ends");
    }
    for (; sl_topology_get_edge(j->t, count, &edge); count++) {
        fuzz_expect(count == 0 || edge.vertex[0] > last.vertex[0] ||
                        (edge.vertex[0] == last.vertex[0] && edge.vertex[1] > last.vertex[1]),
                    "edges are not in order");
        fuzz_expect((edge.kinds & ~(uint32_t)SL_EDGE_CREASE) == kinds_of(j, count, &triangles),
                    "an edge is of another kind");
        fuzz_expect(edge.triangle_count == triangles, "not all triangles of an edge");
        last = edge;
    }
    fuzz_expect(count == sli_set_capacity(j->t, SL_EDGES), "edges are lost");
}

static void try_lists(const job *j)
{
    uint32_t list[SETS_ELEMENTS];
    for (uint32_t vertex = 0; vertex < sli_set_capacity(j->t, SL_VERTICES); vertex++) {
        size_t n = 0, count = sl_topology_around(j->t, SL_VERTICES, vertex, SL_TRIANGLES, list,
                                                 SETS_ELEMENTS);
        for (uint32_t prim = 0; prim < j->corners / 3; prim++) {
            const bool has = vertex_at(j, 3 * prim) == vertex ||
                             vertex_at(j, 3 * prim + 1) == vertex ||
                             vertex_at(j, 3 * prim + 2) == vertex;
            fuzz_expect(!has || (n < count && list[n++] == prim), "not all triangles of a vertex");
        }
        fuzz_expect(n == count && n > 0, "other triangles of a vertex");
        n = 0;
        count = sl_topology_around(j->t, SL_VERTICES, vertex, SL_EDGES, list, SETS_ELEMENTS);
        for (uint32_t i = 0; i < sli_set_capacity(j->t, SL_EDGES); i++) {
            sl_edge edge;
            fuzz_expect(sl_topology_get_edge(j->t, i, &edge), "no edge");
            fuzz_expect((edge.vertex[0] != vertex && edge.vertex[1] != vertex) ||
                            (n < count && list[n++] == i),
                        "not all edges of a vertex");
        }
        fuzz_expect(n == count, "other edges of a vertex");
    }
}

static void expect_same(const sl_topology *a, const sl_topology *b)
{
    sl_edge p, q;
    sl_topology_info of_a, of_b;
    of_a = sl_topology_get_info(a);
    of_b = sl_topology_get_info(b);
    fuzz_expect(memcmp(&of_a, &of_b, sizeof of_a) == 0, "an update counts other features");
    for (uint32_t i = 0; sl_topology_get_edge(a, i, &p); i++) {
        fuzz_expect(sl_topology_get_edge(b, i, &q) && p.kinds == q.kinds &&
                        sl_topology_is_feature(a, SL_EDGES, i) ==
                            sl_topology_is_feature(b, SL_EDGES, i),
                    "an update finds other edges");
    }
    for (uint32_t i = 0; i < of_a.vertex_count; i++) {
        fuzz_expect(sl_topology_is_feature(a, SL_VERTICES, i) ==
                        sl_topology_is_feature(b, SL_VERTICES, i),
                    "an update finds other vertices");
    }
}

/* Some vertices move; one topology is told which triangles have them, the other nothing.  Now and
 * then what moves is not finite: then it is refused, unless it is elsewhere. */
static void try_updates(const job *j, sl_topology *t, const sl_topology_def *def, uint64_t seed)
{
    static float xyz[3 * SETS_ELEMENTS];
    static const float odd[8] = { 0, -0.0f, 1, -1, 0x1p-149f, 0x1.fffffep127f, NAN, INFINITY };
    const uint32_t *indices = sl_mesh_soup(j->mesh).indices, count = j->corners / 3;
    const size_t vertices = sl_mesh_soup(j->mesh).vertex_count;
    test_random r = { seed };
    OWN(sl_topology) all = NULL;
    bool moved[SETS_ELEMENTS] = { false };
    uint32_t prims[SETS_TRIANGLES], named = 0;
    if (vertices > SETS_ELEMENTS || sl_topology_build(j->mesh, def, &all, NULL) != SL_OK) {
        return;
    }
    memcpy(xyz, sl_mesh_soup(j->mesh).xyz, 3 * vertices * sizeof *xyz);
    for (uint32_t i = 0; i < vertices; i++) {
        moved[i] = test_random_below(&r, 4) == 0;
        for (size_t k = 0; k < 3 && moved[i]; k++) {
            const bool few = test_random_below(&r, 3) != 0;
            xyz[3 * i + k] = few ? (float)test_random_below(&r, 4)
                                 : odd[test_random_below(&r, seed % 4 == 0 ? 8 : 6)];
        }
    }
    for (uint32_t prim = 0; prim < count; prim++) {
        for (uint32_t k = 0; k < 3 && indices[3 * prim] != SL_NONE; k++) {
            const uint32_t first = sl_topology_mesh_vertex(t, vertex_at(j, 3 * prim + k));
            if (moved[first]) {
                prims[named++] = prim;
                break;
            }
        }
    }
    /* Elsewhere: of a neighbour that is not named, once without judging. */
    (void)update_prims(all, xyz, prims, named / 2, NULL);
    const sl_result whole = sl_topology_update(all, xyz, NULL, 0, NULL);
    const sl_result some = update_prims(t, xyz, prims, named, NULL);
    fuzz_expect(whole == some, "an update fails where the other one does not");
    if (whole == SL_OK) {
        expect_same(t, all);
    }
}

static uint64_t seed_of(const uint8_t *data, size_t size)
{
    uint64_t h = 0xCBF29CE484222325u;
    for (size_t i = 0; i < size; i++) {
        h = (h ^ data[i]) * 0x100000001B3u;
    }
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const float angles[4] = { 0, -1, 1.57079633f, 0.01f };
    sl_mesh_def def = { 0 };
    sl_topology_def asked = { 0 };
    OWN(sl_topology) t = NULL;
    OWN(sl_mesh) mesh = NULL;
    const uint64_t seed = seed_of(data, size);
    def.bad = SL_BAD_LEAVE_OUT;
    def.max_memory = MEMORY;
    if (sl_mesh_load_memory(data, size, "input.obj", &def, &mesh, NULL) != SL_OK) {
        return 0;
    }
    asked.crease_rad = angles[seed / 8 % 4];
    asked.features = seed % 3 == 0 ? (uint32_t)(seed >> 40) : asked.features;
    fuzz_expect(sl_topology_build(mesh, &asked, &t, NULL) == SL_OK, "a topology is refused");
    const job j = { mesh, t, (uint32_t)(3 * sl_mesh_soup(mesh).triangle_count) };
    if (j.corners <= 3 * SETS_TRIANGLES && sli_set_capacity(t, SL_FACES) <= SETS_ELEMENTS &&
        sli_set_capacity(t, SL_PARTS) <= SETS_ELEMENTS) {
        try_vertices(&j);
        try_edges(&j);
        try_lists(&j);
        try_sets(t, seed);
        try_updates(&j, t, &asked, seed);
        try_sets(t, seed + 1);
    }
    return 0;
}
