/* test_topology.c: neighbours and features of meshes small enough to work out by hand, of random
 * ones against looking at every pair, and of real ones against sl_mesh_inspect. */
#include "test/support/environment/callers_env.h"
#include "test/support/environment/failing_allocator.h"
#include "test/support/input/odd_meshes.h"
#include "test/support/input/random.h"
#include "test/support/oracle/plain_topology.h"

#include "lib/mesh/topology/number.h"

#include <sightline/mesh.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the four above first */
#include <cmocka.h>

static sl_mesh *mesh_of(const void *xyz, size_t vertices, const void *indices, size_t triangles)
{
    sl_mesh_def def = sl_default_mesh_def();
    def.bad = SL_BAD_LEAVE_OUT;
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_from_arrays(xyz, vertices, indices, triangles, &def, &mesh, NULL),
                     SL_OK);
    return mesh;
}

static sl_mesh *mesh_of_text(const char *text, const char *name)
{
    sl_mesh_def def = sl_default_mesh_def();
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_load_memory(text, strlen(text), name, &def, &mesh, NULL), SL_OK);
    return mesh;
}

static sl_topology *built(const sl_mesh *mesh, const sl_topology_def *def)
{
    sl_topology *topology = NULL;
    sl_error error;
    const sl_result result = sl_topology_build(mesh, def, &topology, &error);
    if (result != SL_OK) {
        print_error("%s\n", error.message);
    }
    assert_int_equal(result, SL_OK);
    return topology;
}

/* Destroys the mesh, as a caller may. */
static sl_topology *of_arrays(const void *xyz, size_t vertices, const void *indices,
                              size_t triangles)
{
    sl_mesh *mesh = mesh_of(xyz, vertices, indices, triangles);
    sl_topology *topology = built(mesh, NULL);
    sl_mesh_destroy(mesh);
    return topology;
}

static sl_topology_info info_of(const sl_topology *topology)
{
    sl_topology_info info;
    sl_topology_get_info(topology, &info, sizeof info);
    return info;
}

static sl_edge edge_at(const sl_topology *topology, uint32_t edge)
{
    sl_edge out;
    assert_true(sl_topology_get_edge(topology, edge, &out));
    return out;
}

/* How many edges have any of these bits. */
static size_t edges_of_kind(const sl_topology *topology, uint32_t kinds)
{
    size_t count = 0;
    for (uint32_t edge = 0; edge < info_of(topology).edge_count; edge++) {
        count += (edge_at(topology, edge).kinds & kinds) != 0;
    }
    return count;
}

/* ---- by hand ---------------------------------------------------------------------------- */

static const char cube_text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\n"
                                "v 0 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n"
                                "f 4 1 5 8\n";

static void a_cube_has_twelve_feature_edges_and_eight_corners(void **state)
{
    (void)state;
    sl_mesh *mesh = mesh_of_text(cube_text, "cube.obj");
    sl_topology *t = built(mesh, NULL);
    const sl_topology_info info = info_of(t);
    assert_int_equal(info.triangle_count, 12);
    assert_int_equal(info.vertex_count, 8);
    assert_int_equal(info.edge_count, 18);
    assert_int_equal(info.face_count, 6);
    assert_int_equal(info.part_count, 0);
    assert_int_equal(info.feature_edge_count, 12);
    assert_int_equal(info.feature_vertex_count, 8);
    assert_true(info.bytes > 12 * 40);
    assert_int_equal(edges_of_kind(t, SL_EDGE_CREASE), 12);
    assert_int_equal(edges_of_kind(t, SL_EDGE_FACE), 12);
    assert_int_equal(edges_of_kind(t, SL_EDGE_BOUNDARY | SL_EDGE_NONMANIFOLD | SL_EDGE_PART), 0);
    for (uint32_t prim = 0; prim < 12; prim++) {
        assert_int_equal(sl_topology_face_of(t, prim), prim / 2);
        assert_int_equal(sl_topology_part_of(t, prim), SL_NONE);
        for (uint32_t corner = 0; corner < 3; corner++) {
            assert_int_equal(sl_topology_vertex_of(t, prim, corner),
                             sl_mesh_indices(mesh)[3 * prim + corner] == sl_mesh_indices(mesh)[0]
                                 ? sl_topology_vertex_of(t, 0, 0)
                                 : sl_topology_vertex_of(t, prim, corner));
        }
    }
    uint32_t list[8] = { 0 };
    assert_int_equal(sl_topology_edges_of_vertex(t, 0, list, 8),
                     sl_topology_triangles_of_vertex(t, 0, NULL, 0));
    sl_topology_destroy(t);
    sl_mesh_destroy(mesh);
}

/* Three quads in a row, in a plane: the boundary turns at four of its eight vertices. */
static void a_flat_strip_has_corners_where_its_boundary_turns(void **state)
{
    (void)state;
    float xyz[8][3];
    uint32_t indices[6][3];
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            xyz[2 * i + k][0] = (float)i;
            xyz[2 * i + k][1] = (float)k;
            xyz[2 * i + k][2] = 0;
        }
        if (i < 3) {
            memcpy(indices[2 * i], (uint32_t[3]){ 2 * i, 2 * i + 2, 2 * i + 1 }, 12);
            memcpy(indices[2 * i + 1], (uint32_t[3]){ 2 * i + 1, 2 * i + 2, 2 * i + 3 }, 12);
        }
    }
    sl_topology *t = of_arrays(xyz, 8, indices, 6);
    assert_int_equal(info_of(t).edge_count, 13);
    assert_int_equal(info_of(t).feature_edge_count, 8);
    assert_int_equal(info_of(t).feature_vertex_count, 4);
    const bool expected[8] = { true, true, false, false, false, false, true, true };
    for (uint32_t vertex = 0; vertex < 8; vertex++) {
        assert_int_equal(sl_topology_is_feature_vertex(t, vertex), expected[vertex]);
    }
    uint32_t list[4] = { 9, 9, 9, 9 };
    assert_int_equal(sl_topology_triangles_of_vertex(t, 2, list, 2), 3);
    assert_true(list[0] == 0 && list[1] == 1 && list[2] == 9);
    assert_int_equal(sl_topology_triangles_of_vertex(t, 2, list, 4), 3);
    assert_true(list[0] == 0 && list[1] == 1 && list[2] == 2 && list[3] == 9);
    sl_topology_destroy(t);
}

/* A band with half a twist: one pair of triangles runs along its edge the same way. */
static void a_moebius_band_has_an_edge_along_which_two_triangles_run_the_same_way(void **state)
{
    (void)state;
    enum { QUADS = 8 };
    float xyz[2 * QUADS][3];
    uint32_t indices[2 * QUADS][3];
    for (uint32_t i = 0; i < QUADS; i++) {
        const double around = 6.283185307179586 * i / QUADS, twist = around / 2;
        for (uint32_t k = 0; k < 2; k++) {
            const double out = 3 + (k == 0 ? -1 : 1) * cos(twist);
            xyz[2 * i + k][0] = (float)(out * cos(around));
            xyz[2 * i + k][1] = (float)(out * sin(around));
            xyz[2 * i + k][2] = (float)((k == 0 ? -1 : 1) * sin(twist));
        }
        const bool last = i + 1 == QUADS;
        const uint32_t a = 2 * i, b = 2 * i + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
        memcpy(indices[2 * i], (uint32_t[3]){ a, c, b }, 12);
        memcpy(indices[2 * i + 1], (uint32_t[3]){ b, c, d }, 12);
    }
    sl_topology *t = of_arrays(xyz, sizeof xyz / sizeof xyz[0], indices, sizeof indices / 12);
    assert_int_equal(info_of(t).vertex_count, 2 * QUADS);
    assert_int_equal(edges_of_kind(t, SL_EDGE_BOUNDARY), 2 * QUADS);
    assert_int_equal(edges_of_kind(t, SL_EDGE_NONMANIFOLD), 1);
    sl_topology_destroy(t);
}

/* Two triangles that meet in a corner: it has four edges, all of them boundaries. */
static void a_bow_tie_meets_in_a_feature_vertex(void **state)
{
    (void)state;
    const float xyz[5][3] = { { 0, 0, 0 }, { -2, -1, 0 }, { -2, 1, 0 }, { 2, 1, 0 }, { 2, -1, 0 } };
    const uint32_t indices[2][3] = { { 0, 2, 1 }, { 0, 4, 3 } };
    sl_topology *t = of_arrays(xyz, 5, indices, 2);
    uint32_t list[5];
    assert_int_equal(info_of(t).edge_count, 6);
    assert_int_equal(sl_topology_edges_of_vertex(t, 0, list, 5), 4);
    assert_true(list[0] == 0 && list[1] == 1 && list[2] == 2 && list[3] == 3);
    assert_int_equal(sl_topology_edges_of_vertex(t, 1, list, 5), 2);
    assert_true(list[0] == 0 && list[1] == 4);
    assert_int_equal(sl_topology_triangles_of_vertex(t, 0, list, 5), 2);
    assert_true(sl_topology_is_feature_vertex(t, 0));
    assert_int_equal(edges_of_kind(t, SL_EDGE_BOUNDARY), 6);
    sl_topology_destroy(t);
}

static void corners_that_are_not_shared_meet_by_position(void **state)
{
    (void)state;
    const float xyz[8][3] = { { 9, 9, 9 },     { 0, 0, 0 },     { 1, 0, 0 }, { 1, 1, 0 },
                              { -0.0f, 0, 0 }, { 1, 1, -0.0f }, { 0, 1, 0 }, { 5, 5, 5 } };
    const uint32_t indices[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    sl_topology *t = of_arrays(xyz, 8, indices, 2);
    assert_int_equal(info_of(t).vertex_count, 4);
    assert_int_equal(info_of(t).edge_count, 5);
    assert_int_equal(sl_topology_mesh_vertex(t, 0), 1);
    assert_int_equal(sl_topology_mesh_vertex(t, 3), 6);
    assert_int_equal(sl_topology_mesh_vertex(t, 4), SL_NONE);
    assert_int_equal(sl_topology_vertex_of(t, 1, 1), 2);
    const uint32_t diagonal = sl_topology_edge_of(t, 0, 2);
    assert_int_equal(diagonal, sl_topology_edge_of(t, 1, 0));
    assert_int_equal(edge_at(t, diagonal).triangle_count, 2);
    assert_int_equal(edge_at(t, diagonal).kinds, SL_EDGE_FACE);
    assert_false(sl_topology_is_feature_edge(t, diagonal));
    sl_topology_destroy(t);
}

/* A ring of quads around a pole whose upper sides have no length: half of its triangles collapse,
 * and bend nothing. */
static void collapsed_triangles_at_a_pole_make_no_features(void **state)
{
    (void)state;
    enum { SIDES = 24 };
    float xyz[1 + SIDES][3] = { { 0, 0, 1 } };
    uint32_t indices[2 * SIDES][3];
    for (uint32_t i = 0; i < SIDES; i++) {
        const double around = 6.283185307179586 * i / SIDES;
        xyz[1 + i][0] = (float)cos(around);
        xyz[1 + i][1] = (float)sin(around);
        const uint32_t a = 1 + i, b = 1 + (i + 1) % SIDES;
        memcpy(indices[2 * i], (uint32_t[3]){ 0, a, b }, 12);
        memcpy(indices[2 * i + 1], (uint32_t[3]){ 0, b, 0 }, 12);
    }
    sl_topology *t = of_arrays(xyz, 1 + SIDES, indices, sizeof indices / 12);
    assert_int_equal(edges_of_kind(t, SL_EDGE_NONMANIFOLD | SL_EDGE_CREASE), 0);
    assert_int_equal(info_of(t).feature_edge_count, SIDES);
    assert_int_equal(info_of(t).feature_vertex_count, 0);
    assert_int_equal(sl_topology_edge_of(t, 1, 2), SL_NONE);
    assert_int_equal(sl_topology_edge_of(t, 1, 0), sl_topology_edge_of(t, 1, 1));
    assert_int_equal(edge_at(t, sl_topology_edge_of(t, 1, 0)).triangle_count, 3);
    sl_topology_destroy(t);
}

/* Names of parts, of polygons, and what was left out. */
static void parts_and_polygons_have_borders(void **state)
{
    (void)state;
    sl_mesh *mesh = mesh_of_text("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 0 1 0\ng a\n"
                                 "f 1 2 5 6\ng b\nf 2 3 4 5\n",
                                 "two.obj");
    sl_topology_def def = sl_default_topology_def();
    def.features = SL_EDGE_FACE;
    sl_topology *t = built(mesh, &def);
    assert_int_equal(info_of(t).part_count, 2);
    assert_int_equal(info_of(t).face_count, 2);
    assert_int_equal(edges_of_kind(t, SL_EDGE_PART), 1);
    assert_int_equal(edges_of_kind(t, SL_EDGE_FACE), 7);
    assert_int_equal(info_of(t).feature_edge_count, 7);
    assert_int_equal(sl_topology_part_of(t, 1), 0);
    assert_int_equal(sl_topology_part_of(t, 2), 1);
    assert_int_equal(sl_topology_part_of(t, 4), SL_NONE);
    assert_int_equal(sl_topology_face_of(t, 4), SL_NONE);
    sl_topology_destroy(t);
    def.features = UINT32_MAX;
    t = built(mesh, &def);
    assert_int_equal(info_of(t).feature_edge_count, 9);
    sl_topology_destroy(t);
    sl_mesh_destroy(mesh);
}

/* Three quads in a row: the first two have one texture, of which the second names the corners anew,
 * the third lies elsewhere in it, and a fourth has none. */
static void texture_coordinates_that_differ_at_an_end_make_seams(void **state)
{
    (void)state;
    sl_mesh *mesh = mesh_of_text(
        "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\nv 3 1 0\nv 4 1 0\n"
        "vt 0 0\nvt .5 0\nvt .5 .5\nvt 0 .5\nvt .5 -0\nvt .5 .5\nvt 1 0\nvt 1 .5\n"
        "f 1/1 2/2 7/3 6/4\nf 2/5 3/7 8/8 7/6\nf 3/7 4/1 9/2 8/3\nf 4 5 10 9\n",
        "strip.obj");
    sl_topology_def def = sl_default_topology_def();
    def.features = SL_EDGE_UV_SEAM;
    sl_topology *t = built(mesh, &def);
    assert_int_equal(edges_of_kind(t, SL_EDGE_UV_SEAM), 2);
    assert_int_equal(info_of(t).feature_edge_count, 2);
    for (uint32_t edge = 0; edge < info_of(t).edge_count; edge++) {
        const sl_edge at = edge_at(t, edge);
        const bool expected =
            (at.vertex[0] == 2 && at.vertex[1] == 7) || (at.vertex[0] == 3 && at.vertex[1] == 8);
        assert_int_equal(at.kinds & SL_EDGE_UV_SEAM, expected ? SL_EDGE_UV_SEAM : 0);
    }
    sl_topology_destroy(t);
    sl_mesh_destroy(mesh);
}

/* A roof over the x axis, of two triangles whose normals differ by the arctangent of slope. */
static sl_topology *roof(float slope, float crease_rad)
{
    const float xyz[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, -1, slope } };
    const uint32_t indices[2][3] = { { 0, 1, 2 }, { 1, 0, 3 } };
    sl_mesh *mesh = mesh_of(xyz, 4, indices, 2);
    sl_topology_def def = sl_default_topology_def();
    def.crease_rad = crease_rad;
    sl_topology *t = built(mesh, &def);
    sl_mesh_destroy(mesh);
    return t;
}

static void an_angle_of_zero_tells_what_is_not_in_one_plane_and_of_pi_nothing(void **state)
{
    (void)state;
    static const struct {
        float slope, crease_rad;
        size_t expected;
    } cases[] = { { 0, 0, 0 },           { 1e-30f, 0, 1 },      { 1e-7f, 1e-6f, 0 },
                  { 1, 0.786f, 0 },      { 1, 0.785f, 1 },      { 1e30f, 1.57f, 1 },
                  { 1e30f, 1.571f, 0 },  { 1, 3.14159265f, 0 }, { -1, 0.785f, 1 },
                  { 0.01f, 0.0099f, 1 }, { 0.01f, 0.0101f, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sl_topology *t = roof(cases[i].slope, cases[i].crease_rad);
        if (edges_of_kind(t, SL_EDGE_CREASE) != cases[i].expected) {
            print_error("case %zu\n", i);
            fail();
        }
        sl_topology_destroy(t);
    }
}

/* Folded back onto itself: the normals are opposite. */
static void a_fold_is_a_crease_but_for_pi(void **state)
{
    (void)state;
    const float xyz[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } };
    const uint32_t indices[2][3] = { { 0, 1, 2 }, { 1, 0, 3 } };
    sl_mesh *mesh = mesh_of(xyz, 4, indices, 2);
    sl_topology_def def = sl_default_topology_def();
    const float angles[3] = { 0, 3.1f, 3.14159265f };
    for (int i = 0; i < 3; i++) {
        def.crease_rad = angles[i];
        sl_topology *t = built(mesh, &def);
        assert_int_equal(edges_of_kind(t, SL_EDGE_CREASE), i < 2 ? 1 : 0);
        sl_topology_destroy(t);
    }
    sl_mesh_destroy(mesh);
}

/* A needle whose corners lie on a line, exactly, though its normal in doubles is not zero. */
static void a_triangle_without_area_makes_no_crease(void **state)
{
    (void)state;
    const float d[3] = { 0.7f, 0.3f, 0.9f };
    const uint32_t indices[2][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
    for (int i = 0; i < 6; i++) {
        float xyz[4][3];
        for (int axis = 0; axis < 3; axis++) {
            xyz[0][axis] = -0x1p-30f * d[axis];
            xyz[1][axis] = d[axis];
            xyz[2][axis] = 2 * d[axis];
            xyz[3][axis] = axis != i / 2 ? 0.0f : i % 2 == 0 ? 5.0f : -5.0f;
        }
        sl_topology *t = of_arrays(xyz, 4, indices, 2);
        assert_int_equal(edges_of_kind(t, SL_EDGE_CREASE), 0);
        assert_int_equal(edges_of_kind(t, SL_EDGE_BOUNDARY), 4);
        sl_topology_destroy(t);
    }
}

static void meshes_without_triangles_have_nothing(void **state)
{
    (void)state;
    const float xyz[1][3] = { { 1, 2, 3 } };
    const uint32_t bad[3] = { 7, 7, 7 };
    for (size_t triangles = 0; triangles < 2; triangles++) {
        sl_topology *t = of_arrays(xyz, 1, bad, triangles);
        const sl_topology_info info = info_of(t);
        assert_int_equal(info.triangle_count, triangles);
        assert_true(info.vertex_count == 0 && info.edge_count == 0);
        assert_true(info.feature_edge_count == 0 && info.feature_vertex_count == 0);
        sl_edge edge = { .kinds = 77 };
        assert_false(sl_topology_get_edge(t, 0, &edge));
        assert_int_equal(edge.kinds, 77);
        assert_false(sl_topology_is_feature_edge(t, 0));
        assert_false(sl_topology_is_feature_vertex(t, 0));
        assert_int_equal(sl_topology_triangles_of_edge(t, 0, NULL, 0), 0);
        assert_int_equal(sl_topology_triangles_of_vertex(t, 0, NULL, 0), 0);
        assert_int_equal(sl_topology_edges_of_vertex(t, 0, NULL, 0), 0);
        assert_int_equal(sl_topology_vertex_of(t, 0, 0), SL_NONE);
        assert_int_equal(sl_topology_edge_of(t, 0, 3), SL_NONE);
        assert_int_equal(sl_topology_update(t, xyz[0], NULL, 0, NULL), SL_OK);
        sl_topology_destroy(t);
    }
    sl_topology_destroy(NULL);
}

/* ---- against looking at every pair ------------------------------------------------------ */

static void assert_lists(const sl_topology *t, const plain_topology *p)
{
    uint32_t found[PLAIN_TRIANGLES + PLAIN_EDGES], part[3];
    for (uint32_t vertex = 0; vertex < p->vertex_count; vertex++) {
        size_t count = 0;
        const size_t all = sl_topology_triangles_of_vertex(t, vertex, found, PLAIN_TRIANGLES);
        for (size_t prim = 0; prim < p->triangle_count; prim++) {
            if (plain_topology_has_vertex(p, prim, vertex)) {
                assert_int_equal(found[count++], prim);
            }
        }
        assert_int_equal(all, count);
        assert_int_equal(sl_topology_triangles_of_vertex(t, vertex, part, 3), count);
        assert_memory_equal(part, found, (count < 3 ? count : 3) * sizeof *part);
        count = 0;
        const size_t edges = sl_topology_edges_of_vertex(t, vertex, found, PLAIN_EDGES);
        for (size_t edge = 0; edge < p->edge_count; edge++) {
            if (p->edges[edge].vertex[0] == vertex || p->edges[edge].vertex[1] == vertex) {
                assert_int_equal(found[count++], edge);
            }
        }
        assert_int_equal(edges, count);
    }
    for (uint32_t edge = 0; edge < p->edge_count; edge++) {
        size_t count = 0;
        const size_t all = sl_topology_triangles_of_edge(t, edge, found, PLAIN_TRIANGLES);
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
        assert_int_equal(sl_topology_is_feature_edge(t, edge), p->feature_edge[edge]);
        edges += p->feature_edge[edge];
    }
    for (uint32_t vertex = 0; vertex < p->vertex_count; vertex++) {
        assert_int_equal(sl_topology_mesh_vertex(t, vertex), p->mesh_vertex[vertex]);
        assert_int_equal(sl_topology_is_feature_vertex(t, vertex), p->feature_vertex[vertex]);
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
            assert_int_equal(sl_topology_vertex_of(t, prim, k), p->vertex[3 * prim + k]);
            assert_int_equal(sl_topology_edge_of(t, prim, k), p->edge[3 * prim + k]);
        }
    }
    assert_features(t, p);
    assert_flags(t, p);
    assert_lists(t, p);
}

static sl_topology_def random_def(test_random *r)
{
    sl_topology_def def = sl_default_topology_def();
    const uint32_t kind = test_random_below(r, 6);
    def.crease_rad = kind == 0 ? 0 : kind == 1 ? 3.14159265f : test_random_in(r, 0.05f, 3.1f);
    if (test_random_below(r, 2) == 0) {
        def.features = test_random_below(r, 64);
    } else if (test_random_below(r, 5) == 0) {
        def.features = UINT32_MAX;
    }
    return def;
}

enum { ROUNDS = 1500 };

static void random_meshes_are_as_every_pair_says(void **state)
{
    (void)state;
    static plain_topology plain;
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_random r = { seed };
        sl_mesh *mesh = seed % 3 == 0 ? odd_polygons(&r) : odd_triangles(&r);
        const sl_topology_def def = random_def(&r);
        sl_topology *t = built(mesh, &def);
        plain_topology_find(mesh, &def, NULL, &plain);
        if (!plain.uncertain) {
            print_message("\rseed %u", (unsigned)seed);
            assert_same(t, &plain);
            compared++;
        }
        sl_topology_destroy(t);
        sl_mesh_destroy(mesh);
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
static void updates_are_as_creases_of_new_positions(void **state)
{
    (void)state;
    static plain_topology plain;
    for (uint64_t seed = 1; seed <= ROUNDS / 3; seed++) {
        test_random r = { seed };
        sl_mesh *mesh = seed % 3 == 0 ? odd_polygons(&r) : odd_triangles(&r);
        const sl_topology_def def = random_def(&r);
        sl_topology *t = built(mesh, &def);
        const size_t triangles = sl_mesh_triangle_count(mesh);
        float xyz[30 * 3];
        memcpy(xyz, sl_mesh_positions(mesh), 12 * sl_mesh_vertex_count(mesh));
        print_message("\rseed %u", (unsigned)seed);
        for (int round = 0; round < 4 && info_of(t).vertex_count > 0; round++) {
            uint32_t prims[2 * PLAIN_TRIANGLES], count = 0;
            const uint32_t moves = 1 + test_random_below(&r, 3);
            for (uint32_t i = 0; i < moves; i++) {
                const uint32_t vertex = test_random_below(&r, (uint32_t)info_of(t).vertex_count);
                move(&r, xyz, sl_topology_mesh_vertex(t, vertex));
                if (count < PLAIN_TRIANGLES) {
                    count += (uint32_t)sl_topology_triangles_of_vertex(t, vertex, prims + count,
                                                                       PLAIN_TRIANGLES);
                }
            }
            const bool all = test_random_below(&r, 4) == 0;
            assert_true(triangles > 0);
            assert_int_equal(sl_topology_update(t, xyz, all ? NULL : prims, all ? 0 : count, NULL),
                             SL_OK);
            plain_topology_find(mesh, &def, xyz, &plain);
            if (!plain.uncertain) {
                assert_same(t, &plain);
            }
        }
        sl_topology_destroy(t);
        sl_mesh_destroy(mesh);
    }
    print_message("\r");
}

/* ---- failures ---------------------------------------------------------------------------- */

static void updates_that_fail_change_nothing(void **state)
{
    (void)state;
    sl_mesh *mesh = mesh_of_text(cube_text, "cube.obj");
    sl_topology *t = built(mesh, NULL);
    float xyz[24];
    memcpy(xyz, sl_mesh_positions(mesh), sizeof xyz);
    for (size_t i = 0; i < 8; i++) {
        xyz[3 * i + 2] = 0; /* flat */
    }
    const uint32_t prims[3] = { 0, 12, 1 }, all[2] = { 2, 3 };
    sl_error error;
    assert_int_equal(sl_topology_update(NULL, xyz, NULL, 0, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_topology_update(t, NULL, NULL, 0, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_topology_update(t, xyz, prims, 3, &error), SL_BAD_INDEX);
    assert_non_null(strstr(error.message, "12"));
    const float bad[2] = { NAN, INFINITY };
    for (int i = 0; i < 2; i++) {
        xyz[3 * 6 + 1] = bad[i];
        assert_int_equal(sl_topology_update(t, xyz, NULL, 0, &error), SL_NOT_FINITE);
        assert_int_equal(sl_topology_update(t, xyz, all, 2, &error), SL_NOT_FINITE);
    }
    assert_int_equal(info_of(t).feature_edge_count, 12);
    xyz[3 * 6 + 1] = 1;
    assert_int_equal(sl_topology_update(t, xyz, prims, 0, &error), SL_OK);
    assert_int_equal(info_of(t).feature_edge_count, 12);
    assert_int_equal(sl_topology_update(t, xyz, NULL, 0, &error), SL_OK);
    /* The sides have no area now, and top and bottom no edge in common. */
    assert_int_equal(info_of(t).feature_edge_count, 0);
    sl_topology_destroy(t);
    sl_mesh_destroy(mesh);
}

static bool stop_at(void *user, const char *phase, float fraction)
{
    (void)fraction;
    assert_string_equal(phase, "topology");
    return (*(int *)user)-- > 0;
}

static void wrong_arguments_are_refused_and_work_can_be_stopped(void **state)
{
    (void)state;
    sl_mesh *mesh = mesh_of_text(cube_text, "cube.obj");
    sl_topology *t = (sl_topology *)(void *)mesh;
    sl_error error;
    assert_int_equal(sl_topology_build(NULL, NULL, &t, &error), SL_INVALID_ARGUMENT);
    assert_null(t);
    assert_int_equal(sl_topology_build(mesh, NULL, NULL, &error), SL_INVALID_ARGUMENT);
    const float angles[4] = { -0.1f, 3.2f, NAN, INFINITY };
    sl_topology_def def = sl_default_topology_def();
    for (int i = 0; i < 4; i++) {
        def.crease_rad = angles[i];
        assert_int_equal(sl_topology_build(mesh, &def, &t, &error), SL_INVALID_ARGUMENT);
    }
    def = sl_default_topology_def();
    def.size--;
    assert_int_equal(sl_topology_build(mesh, &def, &t, &error), SL_INVALID_ARGUMENT);
    def = sl_default_topology_def();
    sl_result result = SL_CANCELLED;
    int steps = 0;
    for (; steps < 20 && result != SL_OK; steps++) {
        int left = steps;
        sli_failing_allocator memory;
        def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        def.hooks.progress = (sl_progress){ .report = stop_at, .user = &left };
        result = sl_topology_build(mesh, &def, &t, &error);
        assert_true(result == SL_OK || (result == SL_CANCELLED && t == NULL));
        sl_topology_destroy(t);
        assert_true(memory.live_blocks == 0 && memory.misuses == 0);
    }
    assert_true(steps > 4 && steps < 20);
    sl_mesh_destroy(mesh);
}

static void a_refused_allocation_leaves_nothing(void **state)
{
    (void)state;
    sl_mesh *mesh = mesh_of_text(cube_text, "cube.obj");
    sl_topology_def def = sl_default_topology_def();
    sli_failing_allocator memory;
    for (size_t n = 0;; n++) {
        sl_topology *t = (sl_topology *)(void *)mesh;
        def.hooks.allocator = sli_failing_allocator_start(&memory, n);
        const sl_result result = sl_topology_build(mesh, &def, &t, NULL);
        assert_true(result == (memory.failed ? SL_OUT_OF_MEMORY : SL_OK));
        assert_true((t != NULL) == (result == SL_OK));
        if (t != NULL) {
            /* Of arrays without items, one byte. */
            assert_in_range(memory.live_bytes, info_of(t).bytes, info_of(t).bytes + 8);
        }
        sl_topology_destroy(t);
        assert_true(memory.live_blocks == 0 && memory.misuses == 0);
        if (!memory.failed) {
            assert_true(n > 10);
            break;
        }
    }
    sl_mesh_destroy(mesh);
}

static void no_environment_of_the_caller_changes_a_crease(void **state)
{
    (void)state;
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_generate_grid(40, 40, 0.9f, 3, NULL, &mesh, NULL), SL_OK);
    sl_topology *plain = built(mesh, NULL);
    assert_true(info_of(plain).feature_edge_count > 500);
    for (int env = 0; env < callers_env_count(); env++) {
        sl_topology *t = NULL;
        callers_env_set(env);
        const sl_result result = sl_topology_build(mesh, NULL, &t, NULL);
        const bool kept = callers_env_is(env);
        callers_env_reset();
        assert_true(result == SL_OK && kept);
        for (uint32_t edge = 0; edge < info_of(t).edge_count; edge++) {
            assert_int_equal(edge_at(t, edge).kinds, edge_at(plain, edge).kinds);
        }
        sl_topology_destroy(t);
    }
    sl_topology_destroy(plain);
    sl_mesh_destroy(mesh);
}

/* ---- larger meshes ----------------------------------------------------------------------- */

/* Where no triangle is without area, inspect counts the same edges. */
static bool agrees_with_inspect(const sl_mesh *mesh)
{
    sl_mesh_report report;
    assert_int_equal(sl_mesh_inspect(mesh, NULL, &report, sizeof report, NULL), SL_OK);
    if (report.zero_area > 0) {
        return false;
    }
    sl_topology *t = built(mesh, NULL);
    assert_int_equal(info_of(t).vertex_count, report.distinct_positions);
    assert_int_equal(info_of(t).edge_count, report.edges);
    assert_int_equal(edges_of_kind(t, SL_EDGE_BOUNDARY), report.open_edges);
    assert_int_equal(edges_of_kind(t, SL_EDGE_NONMANIFOLD),
                     report.nonmanifold_edges + report.misoriented_edges);
    sl_topology_destroy(t);
    return true;
}

static void generated_meshes_have_the_edges_that_inspect_counts(void **state)
{
    (void)state;
    sl_mesh *meshes[4] = { NULL };
    assert_int_equal(sl_mesh_generate_sphere(20, NULL, &meshes[0], NULL), SL_OK);
    assert_int_equal(sl_mesh_generate_torus(30, 20, 2, 1, NULL, &meshes[1], NULL), SL_OK);
    assert_int_equal(sl_mesh_generate_grid(33, 17, 1, 5, NULL, &meshes[2], NULL), SL_OK);
    assert_int_equal(sl_mesh_generate_soup(500, 0.1f, 5, NULL, &meshes[3], NULL), SL_OK);
    for (int i = 0; i < 4; i++) {
        assert_true(agrees_with_inspect(meshes[i]));
        sl_mesh_destroy(meshes[i]);
    }
}

static void real_meshes_have_the_edges_that_inspect_counts(void **state)
{
    (void)state;
    static const char *const names[] = { "spot.obj", "cube.off", "cube.ply", "cube.stl" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1024];
        sl_mesh *mesh = NULL;
        snprintf(path, sizeof path, SOURCE_DIR "/test/data/%s", names[i]);
        assert_int_equal(sl_mesh_load(path, NULL, &mesh, NULL), SL_OK);
        assert_true(agrees_with_inspect(mesh));
        sl_mesh_destroy(mesh);
    }
}

/* Without triangles of no area, which inspect does not count. */
static void scenes_have_the_edges_that_inspect_counts(void **state)
{
    (void)state;
    static const char *const names[] = { "bunny_rangescans.ply", "igea.ply", "level_zdm2.obj",
                                         "sponza.ply" };
    size_t found = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1024];
        sl_mesh *mesh = NULL, *clean = NULL;
        snprintf(path, sizeof path, SOURCE_DIR "/../shared/scenes/bench/%s", names[i]);
        if (sl_mesh_load(path, NULL, &mesh, NULL) != SL_OK) {
            continue;
        }
        sl_weld_def def = sl_default_weld_def();
        def.drop = SL_DROP_ZERO_AREA;
        assert_int_equal(sl_mesh_weld(mesh, &def, &clean, NULL, 0, NULL), SL_OK);
        assert_true(agrees_with_inspect(clean));
        sl_mesh_destroy(clean);
        sl_mesh_destroy(mesh);
        found++;
    }
    if (found == 0) {
        print_message("no scenes here: skipped\n");
        skip();
    }
}

/* Positions that all begin at one place of the table, so that they are sorted instead: each twice,
 * of which most triangles use one. */
static void positions_that_meet_in_the_table_are_sorted(void **state)
{
    (void)state;
    enum { DISTINCT = 2400, VERTICES = 4 * DISTINCT / 2 };
    static float xyz[VERTICES][3];
    static uint32_t indices[VERTICES], expected[VERTICES];
    float at[3] = { 0, 0, 0 };
    uint32_t count = 0, number = 0, used = 0, words[3];
    for (uint32_t i = 0; number < DISTINCT; i++) {
        memcpy(at, &i, sizeof i); /* denormal numbers, all finite */
        sli_position_words(at, words);
        if ((sli_position_hash(words) & 16383) == 77) {
            memcpy(xyz[count++], at, sizeof at);
            memcpy(xyz[count++], at, sizeof at);
            indices[used] = count - 1 - number % 2;
            expected[used++] = number++;
        }
    }
    for (uint32_t i = 0; i < 600; i++) {
        indices[used] = i;
        expected[used++] = i / 2;
    }
    sl_topology *t = of_arrays(xyz, count, indices, used / 3);
    assert_int_equal(info_of(t).vertex_count, DISTINCT);
    for (uint32_t i = 0; i < used; i++) {
        assert_int_equal(sl_topology_vertex_of(t, i / 3, i % 3), expected[i]);
    }
    sl_topology_destroy(t);
}

/* A fan of many triangles about one edge, and many around one vertex. */
static void many_triangles_at_one_edge_or_vertex_are_no_cliff(void **state)
{
    (void)state;
    enum { FAN = 20000 };
    float *xyz = calloc(3 * (FAN + 2), sizeof *xyz);
    uint32_t *indices = calloc(3 * FAN, sizeof *indices), *prims = calloc(FAN, sizeof *prims);
    assert_true(xyz != NULL && indices != NULL && prims != NULL);
    xyz[3] = 1;
    for (uint32_t i = 0; i < FAN; i++) {
        xyz[3 * i + 6] = (float)i;
        xyz[3 * i + 7] = 1;
        indices[3 * i] = 0;
        indices[3 * i + 1] = 1;
        indices[3 * i + 2] = i + 2;
        prims[i] = i;
    }
    sl_topology *t = of_arrays(xyz, FAN + 2, indices, FAN);
    assert_int_equal(edge_at(t, 0).triangle_count, FAN);
    assert_int_equal(edges_of_kind(t, SL_EDGE_NONMANIFOLD), 1);
    assert_int_equal(sl_topology_triangles_of_vertex(t, 0, prims, FAN), FAN);
    for (uint32_t i = 0; i < FAN; i++) {
        assert_int_equal(prims[i], i);
    }
    assert_int_equal(sl_topology_update(t, xyz, prims, FAN, NULL), SL_OK);
    sl_topology_destroy(t);
    free(xyz);
    free(indices);
    free(prims);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_has_twelve_feature_edges_and_eight_corners),
        cmocka_unit_test(a_flat_strip_has_corners_where_its_boundary_turns),
        cmocka_unit_test(a_moebius_band_has_an_edge_along_which_two_triangles_run_the_same_way),
        cmocka_unit_test(a_bow_tie_meets_in_a_feature_vertex),
        cmocka_unit_test(corners_that_are_not_shared_meet_by_position),
        cmocka_unit_test(collapsed_triangles_at_a_pole_make_no_features),
        cmocka_unit_test(parts_and_polygons_have_borders),
        cmocka_unit_test(texture_coordinates_that_differ_at_an_end_make_seams),
        cmocka_unit_test(an_angle_of_zero_tells_what_is_not_in_one_plane_and_of_pi_nothing),
        cmocka_unit_test(a_fold_is_a_crease_but_for_pi),
        cmocka_unit_test(a_triangle_without_area_makes_no_crease),
        cmocka_unit_test(meshes_without_triangles_have_nothing),
        cmocka_unit_test(random_meshes_are_as_every_pair_says),
        cmocka_unit_test(updates_are_as_creases_of_new_positions),
        cmocka_unit_test(updates_that_fail_change_nothing),
        cmocka_unit_test(wrong_arguments_are_refused_and_work_can_be_stopped),
        cmocka_unit_test(a_refused_allocation_leaves_nothing),
        cmocka_unit_test(no_environment_of_the_caller_changes_a_crease),
        cmocka_unit_test(generated_meshes_have_the_edges_that_inspect_counts),
        cmocka_unit_test(real_meshes_have_the_edges_that_inspect_counts),
        cmocka_unit_test(scenes_have_the_edges_that_inspect_counts),
        cmocka_unit_test(positions_that_meet_in_the_table_are_sorted),
        cmocka_unit_test(many_triangles_at_one_edge_or_vertex_are_no_cliff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
