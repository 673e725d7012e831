/* test_topology_pairs.c: topologies of random meshes, and their updates, against looking at every
 * pair of corners and sides. */
#include "test/lib/mesh/topology_of.h"
#include "test/support/input/odd_meshes.h"
#include "test/support/input/prim_ranges.h"
#include "test/support/oracle/plain_topology.h"

#include "lib/mesh/topology.h"

static void assert_lists(const sl_topology *t, const plain_topology *p)
{
    uint32_t found[PLAIN_TRIANGLES + PLAIN_EDGES], part[3];
    for (uint32_t vertex = 0; vertex < p->vertex_count; vertex++) {
        size_t count = 0;
        const size_t all =
            sl_topology_around(t, SL_VERTICES, vertex, SL_TRIANGLES, found, PLAIN_TRIANGLES);
        for (size_t prim = 0; prim < p->triangle_count; prim++) {
            if (plain_topology_has_vertex(p, prim, vertex)) {
                assert_int_equal(found[count++], prim);
            }
        }
        assert_int_equal(all, count);
        assert_int_equal(sl_topology_around(t, SL_VERTICES, vertex, SL_TRIANGLES, part, 3), count);
        assert_memory_equal(part, found, (count < 3 ? count : 3) * sizeof *part);
        count = 0;
        const size_t edges =
            sl_topology_around(t, SL_VERTICES, vertex, SL_EDGES, found, PLAIN_EDGES);
        for (size_t edge = 0; edge < p->edge_count; edge++) {
            if (p->edges[edge].vertex[0] == vertex || p->edges[edge].vertex[1] == vertex) {
                assert_int_equal(found[count++], edge);
            }
        }
        assert_int_equal(edges, count);
    }
    for (uint32_t edge = 0; edge < p->edge_count; edge++) {
        size_t count = 0;
        const size_t all =
            sl_topology_around(t, SL_EDGES, edge, SL_TRIANGLES, found, PLAIN_TRIANGLES);
        for (size_t prim = 0; prim < p->triangle_count; prim++) {
            if (plain_topology_has_edge(p, prim, edge)) {
                assert_int_equal(found[count++], prim);
            }
        }
        assert_int_equal(all, count);
    }
}

static void assert_features(const sl_topology *t, const plain_topology *p)
{
    size_t edges = 0, vertices = 0;
    for (uint32_t edge = 0; edge < p->edge_count; edge++) {
        const sl_edge found = edge_at(t, edge);
        assert_int_equal(found.vertex[0], p->edges[edge].vertex[0]);
        assert_int_equal(found.vertex[1], p->edges[edge].vertex[1]);
        assert_int_equal(found.triangle_count, p->edges[edge].triangle_count);
        assert_int_equal(found.kinds, p->edges[edge].kinds);
        assert_int_equal(sl_topology_is_feature(t, SL_EDGES, edge), p->feature_edge[edge]);
        edges += p->feature_edge[edge];
    }
    for (uint32_t vertex = 0; vertex < p->vertex_count; vertex++) {
        assert_int_equal(sl_topology_mesh_vertex(t, vertex), p->mesh_vertex[vertex]);
        assert_int_equal(sl_topology_is_feature(t, SL_VERTICES, vertex), p->feature_vertex[vertex]);
        vertices += p->feature_vertex[vertex];
    }
    assert_int_equal(info_of(t).feature_edge_count, edges);
    assert_int_equal(info_of(t).feature_vertex_count, vertices);
}

/* What traversals read: features by triangle, and one owner of each. */
static void assert_flags(const sl_topology *t, const plain_topology *p)
{
    static size_t edge_owners[PLAIN_EDGES], vertex_owners[3 * PLAIN_TRIANGLES];
    memset(edge_owners, 0, sizeof edge_owners);
    memset(vertex_owners, 0, sizeof vertex_owners);
    for (uint32_t prim = 0; prim < p->triangle_count; prim++) {
        uint32_t flags = 0;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t edge = p->edge[3 * prim + k], vertex = p->vertex[3 * prim + k];
            const uint32_t owned = sli_topology_owned(t, prim);
            flags |= edge != SL_NONE && p->feature_edge[edge] ? (uint32_t)SLI_SIDE_0 << k : 0;
            flags |=
                vertex != SL_NONE && p->feature_vertex[vertex] ? (uint32_t)SLI_CORNER_0 << k : 0;
            if ((owned & (uint32_t)SLI_SIDE_0 << k) != 0) {
                assert_int_equal(edge_owners[edge]++, 0);
            } else {
                assert_true(edge == SL_NONE || edge_owners[edge] == 1);
            }
            if ((owned & (uint32_t)SLI_CORNER_0 << k) != 0) {
                assert_int_equal(vertex_owners[vertex]++, 0);
            } else {
                assert_true(vertex == SL_NONE || vertex_owners[vertex] == 1);
            }
        }
        assert_int_equal(sli_topology_flags(t, prim), flags);
    }
}

static void assert_same(const sl_topology *t, const plain_topology *p)
{
    assert_int_equal(info_of(t).vertex_count, p->vertex_count);
    assert_int_equal(info_of(t).edge_count, p->edge_count);
    for (uint32_t prim = 0; prim < p->triangle_count; prim++) {
        for (uint32_t k = 0; k < 3; k++) {
            assert_int_equal(sl_topology_element_of(t, prim, SL_VERTICES, k),
                             p->vertex[3 * prim + k]);
            assert_int_equal(sl_topology_element_of(t, prim, SL_EDGES, k), p->edge[3 * prim + k]);
        }
    }
    assert_features(t, p);
    assert_flags(t, p);
    assert_lists(t, p);
}

static sl_topology_def random_def(test_random *r)
{
    sl_topology_def def = { 0 };
    const uint32_t kind = test_random_below(r, 6);
    def.crease_rad = kind == 0 ? -1 : kind == 1 ? 3.14159265f : test_random_in(r, 0.05f, 3.1f);
    if (test_random_below(r, 2) == 0) {
        def.features = 1 + test_random_below(r, 63);
    } else if (test_random_below(r, 5) == 0) {
        def.features = UINT32_MAX;
    }
    return def;
}

enum { ROUNDS = 1500 };

TEST(random_meshes_are_as_every_pair_says)
{
    static plain_topology plain;
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_random r = { seed };
        OWN(sl_mesh) mesh = seed % 3 == 0 ? odd_polygons(&r) : odd_triangles(&r);
        const sl_topology_def def = random_def(&r);
        OWN(sl_topology) t = made_topology(mesh, &def);
        plain_topology_find(mesh, &def, NULL, &plain);
        if (!plain.uncertain) {
            print_message("\rseed %u", (unsigned)seed);
            assert_same(t, &plain);
            compared++;
        }
    }
    print_message("\r");
    assert_true(compared > ROUNDS * 9 / 10);
}

static void move(test_random *r, float *xyz, size_t vertex)
{
    for (size_t axis = 0; axis < 3; axis++) {
        xyz[3 * vertex + axis] = (float)test_random_below(r, 4);
    }
}

/* Vertices move one after the other; the triangles that have them are told, some twice, or all. */
TEST(updates_are_as_creases_of_new_positions)
{
    static plain_topology plain;
    for (uint64_t seed = 1; seed <= ROUNDS / 3; seed++) {
        test_random r = { seed };
        OWN(sl_mesh) mesh = seed % 3 == 0 ? odd_polygons(&r) : odd_triangles(&r);
        const sl_topology_def def = random_def(&r);
        OWN(sl_topology) t = made_topology(mesh, &def);
        const size_t triangles = sl_mesh_soup(mesh).triangle_count;
        float xyz[30 * 3];
        memcpy(xyz, sl_mesh_soup(mesh).xyz, 12 * sl_mesh_soup(mesh).vertex_count);
        print_message("\rseed %u", (unsigned)seed);
        for (int round = 0; round < 4 && info_of(t).vertex_count > 0; round++) {
            uint32_t prims[2 * PLAIN_TRIANGLES], count = 0;
            const uint32_t moves = 1 + test_random_below(&r, 3);
            for (uint32_t i = 0; i < moves; i++) {
                const uint32_t vertex = test_random_below(&r, (uint32_t)info_of(t).vertex_count);
                move(&r, xyz, sl_topology_mesh_vertex(t, vertex));
                if (count < PLAIN_TRIANGLES) {
                    count += (uint32_t)sl_topology_around(t, SL_VERTICES, vertex, SL_TRIANGLES,
                                                          prims + count, PLAIN_TRIANGLES);
                }
            }
            const bool all = test_random_below(&r, 4) == 0;
            assert_true(triangles > 0);
            assert_int_equal(all ? sl_topology_update(t, xyz, NULL, 0, NULL)
                                 : update_prims(t, xyz, prims, count, NULL),
                             SL_OK);
            plain_topology_find(mesh, &def, xyz, &plain);
            if (!plain.uncertain) {
                assert_same(t, &plain);
            }
        }
    }
    print_message("\r");
}
