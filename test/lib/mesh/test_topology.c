/* test_topology.c: neighbours and features of meshes small enough to work out by hand. */
#include "test/lib/mesh/topology_of.h"

static const char cube_text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\n"
                                "v 0 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n"
                                "f 4 1 5 8\n";

TEST(a_cube_has_twelve_feature_edges_and_eight_corners)
{
    OWN(sl_mesh) mesh = mesh_of_text(cube_text, "cube.obj");
    OWN(sl_topology) t = made_topology(mesh, NULL);
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
        assert_int_equal(sl_topology_element_of(t, prim, SL_FACES, 0), prim / 2);
        assert_int_equal(sl_topology_element_of(t, prim, SL_PARTS, 0), SL_NONE);
        for (uint32_t corner = 0; corner < 3; corner++) {
            assert_int_equal(sl_topology_element_of(t, prim, SL_VERTICES, corner),
                             sl_mesh_soup(mesh).indices[3 * prim + corner] ==
                                     sl_mesh_soup(mesh).indices[0]
                                 ? sl_topology_element_of(t, 0, SL_VERTICES, 0)
                                 : sl_topology_element_of(t, prim, SL_VERTICES, corner));
        }
    }
    uint32_t list[8] = { 0 };
    assert_int_equal(sl_topology_around(t, SL_VERTICES, 0, SL_EDGES, list, 8),
                     sl_topology_around(t, SL_VERTICES, 0, SL_TRIANGLES, NULL, 0));
}

/* Three quads in a row, in a plane: the boundary turns at four of its eight vertices. */
TEST(a_flat_strip_has_corners_where_its_boundary_turns)
{
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
    OWN(sl_topology) t = of_arrays(xyz, 8, indices, 6);
    assert_int_equal(info_of(t).edge_count, 13);
    assert_int_equal(info_of(t).feature_edge_count, 8);
    assert_int_equal(info_of(t).feature_vertex_count, 4);
    const bool expected[8] = { true, true, false, false, false, false, true, true };
    for (uint32_t vertex = 0; vertex < 8; vertex++) {
        assert_int_equal(sl_topology_is_feature(t, SL_VERTICES, vertex), expected[vertex]);
    }
    uint32_t list[4] = { 9, 9, 9, 9 };
    assert_int_equal(sl_topology_around(t, SL_VERTICES, 2, SL_TRIANGLES, list, 2), 3);
    assert_true(list[0] == 0 && list[1] == 1 && list[2] == 9);
    assert_int_equal(sl_topology_around(t, SL_VERTICES, 2, SL_TRIANGLES, list, 4), 3);
    assert_true(list[0] == 0 && list[1] == 1 && list[2] == 2 && list[3] == 9);
}

/* A band with half a twist: one pair of triangles runs along its edge the same way. */
TEST(a_moebius_band_has_an_edge_along_which_two_triangles_run_the_same_way)
{
    enum { QUADS = 8 };
    float xyz[2 * QUADS][3];
    uint32_t indices[2 * QUADS][3];
    for (uint32_t i = 0; i < QUADS; i++) {
        const double around = 6.283185307179586 * i / (double)QUADS, twist = around / 2;
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
    OWN(sl_topology) t = of_arrays(xyz, sizeof xyz / sizeof xyz[0], indices, sizeof indices / 12);
    assert_int_equal(info_of(t).vertex_count, 2 * QUADS);
    assert_int_equal(edges_of_kind(t, SL_EDGE_BOUNDARY), 2 * QUADS);
    assert_int_equal(edges_of_kind(t, SL_EDGE_NONMANIFOLD), 1);
}

/* Two triangles that meet in a corner: it has four edges, all of them boundaries. */
TEST(a_bow_tie_meets_in_a_feature_vertex)
{
    const float xyz[5][3] = { { 0, 0, 0 }, { -2, -1, 0 }, { -2, 1, 0 }, { 2, 1, 0 }, { 2, -1, 0 } };
    const uint32_t indices[2][3] = { { 0, 2, 1 }, { 0, 4, 3 } };
    OWN(sl_topology) t = of_arrays(xyz, 5, indices, 2);
    uint32_t list[5];
    assert_int_equal(info_of(t).edge_count, 6);
    assert_int_equal(sl_topology_around(t, SL_VERTICES, 0, SL_EDGES, list, 5), 4);
    assert_true(list[0] == 0 && list[1] == 1 && list[2] == 2 && list[3] == 3);
    assert_int_equal(sl_topology_around(t, SL_VERTICES, 1, SL_EDGES, list, 5), 2);
    assert_true(list[0] == 0 && list[1] == 4);
    assert_int_equal(sl_topology_around(t, SL_VERTICES, 0, SL_TRIANGLES, list, 5), 2);
    assert_true(sl_topology_is_feature(t, SL_VERTICES, 0));
    assert_int_equal(edges_of_kind(t, SL_EDGE_BOUNDARY), 6);
}

/* Of triangles whose corners are few positions, shared or not, collapsed or not. */
TEST(all_vertices_of_the_mesh_at_a_vertex_are_found_whatever_fits)
{
    enum { CORNERS = 120, MESH_VERTICES = 90 };
    test_random random = { 11 };
    for (int round = 0; round < 40; round++) {
        float xyz[3 * MESH_VERTICES];
        uint32_t indices[CORNERS];
        for (int i = 0; i < 3 * MESH_VERTICES; i++) {
            xyz[i] = (float)test_random_below(&random, 2);
        }
        for (int i = 0; i < CORNERS; i++) {
            indices[i] = test_random_below(&random, MESH_VERTICES);
        }
        OWN(sl_topology) t = of_arrays(xyz, MESH_VERTICES, indices, CORNERS / 3);
        for (uint32_t vertex = 0; vertex < info_of(t).vertex_count; vertex++) {
            uint32_t wanted[MESH_VERTICES], found[CORNERS];
            bool there[MESH_VERTICES] = { false };
            size_t count = 0;
            for (uint32_t i = 0; i < CORNERS; i++) {
                const uint32_t of = sl_topology_element_of(t, i / 3, SL_VERTICES, i % 3);
                there[indices[i]] = there[indices[i]] || of == vertex;
            }
            for (uint32_t i = 0; i < MESH_VERTICES; i++) {
                if (there[i]) {
                    wanted[count++] = i;
                }
            }
            assert_int_equal(wanted[0], sl_topology_mesh_vertex(t, vertex));
            for (size_t capacity = 0; capacity <= CORNERS; capacity += capacity < 9 ? 1 : 37) {
                assert_int_equal(sl_topology_mesh_vertices(t, indices, vertex, found, capacity),
                                 count);
                assert_memory_equal(found, wanted, 4 * (capacity < count ? capacity : count));
            }
        }
    }
}

TEST(corners_that_are_not_shared_meet_by_position)
{
    const float xyz[8][3] = { { 9, 9, 9 },     { 0, 0, 0 },     { 1, 0, 0 }, { 1, 1, 0 },
                              { -0.0f, 0, 0 }, { 1, 1, -0.0f }, { 0, 1, 0 }, { 5, 5, 5 } };
    const uint32_t indices[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    OWN(sl_topology) t = of_arrays(xyz, 8, indices, 2);
    assert_int_equal(info_of(t).vertex_count, 4);
    assert_int_equal(info_of(t).edge_count, 5);
    assert_int_equal(sl_topology_mesh_vertex(t, 0), 1);
    assert_int_equal(sl_topology_mesh_vertex(t, 3), 6);
    assert_int_equal(sl_topology_mesh_vertex(t, 4), SL_NONE);
    uint32_t all[2] = { 9, 9 };
    assert_int_equal(sl_topology_mesh_vertices(t, indices[0], 0, all, 2), 2);
    assert_true(all[0] == 1 && all[1] == 4);
    assert_int_equal(sl_topology_mesh_vertices(t, indices[0], 2, all, 1), 2);
    assert_true(all[0] == 3 && all[1] == 4);
    assert_int_equal(sl_topology_mesh_vertices(t, indices[0], 4, all, 2), 0);
    assert_int_equal(sl_topology_element_of(t, 1, SL_VERTICES, 1), 2);
    const uint32_t diagonal = sl_topology_element_of(t, 0, SL_EDGES, 2);
    assert_int_equal(diagonal, sl_topology_element_of(t, 1, SL_EDGES, 0));
    assert_int_equal(edge_at(t, diagonal).triangle_count, 2);
    assert_int_equal(edge_at(t, diagonal).kinds, SL_EDGE_FACE);
    assert_false(sl_topology_is_feature(t, SL_EDGES, diagonal));
}

/* A ring of quads around a pole whose upper sides have no length: half of its triangles collapse,
 * and bend nothing. */
TEST(collapsed_triangles_at_a_pole_make_no_features)
{
    enum { SIDES = 24 };
    float xyz[1 + SIDES][3] = { { 0, 0, 1 } };
    uint32_t indices[2 * SIDES][3];
    for (uint32_t i = 0; i < SIDES; i++) {
        const double around = 6.283185307179586 * i / (double)SIDES;
        xyz[1 + i][0] = (float)cos(around);
        xyz[1 + i][1] = (float)sin(around);
        const uint32_t a = 1 + i, b = 1 + (i + 1) % SIDES;
        memcpy(indices[2 * i], (uint32_t[3]){ 0, a, b }, 12);
        memcpy(indices[2 * i + 1], (uint32_t[3]){ 0, b, 0 }, 12);
    }
    OWN(sl_topology) t = of_arrays(xyz, 1 + SIDES, indices, sizeof indices / 12);
    assert_int_equal(edges_of_kind(t, SL_EDGE_NONMANIFOLD | SL_EDGE_CREASE), 0);
    assert_int_equal(info_of(t).feature_edge_count, SIDES);
    assert_int_equal(info_of(t).feature_vertex_count, 0);
    assert_int_equal(sl_topology_element_of(t, 1, SL_EDGES, 2), SL_NONE);
    assert_int_equal(sl_topology_element_of(t, 1, SL_EDGES, 0),
                     sl_topology_element_of(t, 1, SL_EDGES, 1));
    assert_int_equal(edge_at(t, sl_topology_element_of(t, 1, SL_EDGES, 0)).triangle_count, 3);
}

/* Names of parts, of polygons, and what was left out. */
TEST(parts_and_polygons_have_borders)
{
    sl_mesh *mesh = mesh_of_text("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 0 1 0\ng a\n"
                                 "f 1 2 5 6\ng b\nf 2 3 4 5\n",
                                 "two.obj");
    sl_topology_def def = { .features = SL_EDGE_FACE };
    sl_topology *t = made_topology(mesh, &def);
    assert_int_equal(info_of(t).part_count, 2);
    assert_int_equal(info_of(t).face_count, 2);
    assert_int_equal(edges_of_kind(t, SL_EDGE_PART), 1);
    assert_int_equal(edges_of_kind(t, SL_EDGE_FACE), 7);
    assert_int_equal(info_of(t).feature_edge_count, 7);
    assert_int_equal(sl_topology_element_of(t, 1, SL_PARTS, 0), 0);
    assert_int_equal(sl_topology_element_of(t, 2, SL_PARTS, 0), 1);
    assert_int_equal(sl_topology_element_of(t, 4, SL_PARTS, 0), SL_NONE);
    assert_int_equal(sl_topology_element_of(t, 4, SL_FACES, 0), SL_NONE);
    sl_topology_destroy(t);
    def.features = UINT32_MAX;
    t = made_topology(mesh, &def);
    assert_int_equal(info_of(t).feature_edge_count, 9);
    unmake_topology(t, mesh);
}

/* Three quads in a row: the first two have one texture, of which the second names the corners anew,
 * the third lies elsewhere in it, and a fourth has none. */
TEST(texture_coordinates_that_differ_at_an_end_make_seams)
{
    OWN(sl_mesh) mesh = mesh_of_text(
        "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\nv 3 1 0\nv 4 1 0\n"
        "vt 0 0\nvt .5 0\nvt .5 .5\nvt 0 .5\nvt .5 -0\nvt .5 .5\nvt 1 0\nvt 1 .5\n"
        "f 1/1 2/2 7/3 6/4\nf 2/5 3/7 8/8 7/6\nf 3/7 4/1 9/2 8/3\nf 4 5 10 9\n",
        "strip.obj");
    sl_topology_def def = { .features = SL_EDGE_UV_SEAM };
    OWN(sl_topology) t = made_topology(mesh, &def);
    assert_int_equal(edges_of_kind(t, SL_EDGE_UV_SEAM), 2);
    assert_int_equal(info_of(t).feature_edge_count, 2);
    for (uint32_t edge = 0; edge < info_of(t).edge_count; edge++) {
        const sl_edge at = edge_at(t, edge);
        const bool expected =
            (at.vertex[0] == 2 && at.vertex[1] == 7) || (at.vertex[0] == 3 && at.vertex[1] == 8);
        assert_int_equal(at.kinds & SL_EDGE_UV_SEAM, expected ? SL_EDGE_UV_SEAM : 0);
    }
}

/* A roof over the x axis, of two triangles whose normals differ by the arctangent of slope. */
static sl_topology *roof(float slope, float crease_rad)
{
    const float xyz[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, -1, slope } };
    const uint32_t indices[2][3] = { { 0, 1, 2 }, { 1, 0, 3 } };
    OWN(sl_mesh) mesh = made_loose_mesh(xyz, 4, indices, 2);
    sl_topology_def def = { .crease_rad = crease_rad };
    return made_topology(mesh, &def);
}

TEST(an_angle_below_zero_tells_what_is_not_in_one_plane_and_of_pi_nothing)
{
    static const struct {
        float slope, crease_rad;
        size_t expected;
    } cases[] = { { 0, -1, 0 },          { 1e-30f, -1, 1 },   { 0.5f, 0, 0 },
                  { 1, 0, 1 },           { 1e-7f, 1e-6f, 0 }, { 1, 0.786f, 0 },
                  { 1, 0.785f, 1 },      { 1e30f, 1.57f, 1 }, { 1e30f, 1.571f, 0 },
                  { 1, 3.14159265f, 0 }, { -1, 0.785f, 1 },   { 0.01f, 0.0099f, 1 },
                  { 0.01f, 0.0101f, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        OWN(sl_topology) t = roof(cases[i].slope, cases[i].crease_rad);
        if (edges_of_kind(t, SL_EDGE_CREASE) != cases[i].expected) {
            fail_msg("case %zu", i);
        }
    }
}

/* Folded back onto itself: the normals are opposite. */
TEST(a_fold_is_a_crease_but_for_pi)
{
    const float xyz[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } };
    const uint32_t indices[2][3] = { { 0, 1, 2 }, { 1, 0, 3 } };
    OWN(sl_mesh) mesh = made_loose_mesh(xyz, 4, indices, 2);
    sl_topology_def def = { 0 };
    const float angles[3] = { -1, 3.1f, 3.14159265f };
    for (int i = 0; i < 3; i++) {
        def.crease_rad = angles[i];
        OWN(sl_topology) t = made_topology(mesh, &def);
        assert_int_equal(edges_of_kind(t, SL_EDGE_CREASE), i < 2 ? 1 : 0);
    }
}

/* A needle whose corners lie on a line, exactly, though its normal in doubles is not zero. */
TEST(a_triangle_without_area_makes_no_crease)
{
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
        OWN(sl_topology) t = of_arrays(xyz, 4, indices, 2);
        assert_int_equal(edges_of_kind(t, SL_EDGE_CREASE), 0);
        assert_int_equal(edges_of_kind(t, SL_EDGE_BOUNDARY), 4);
    }
}

TEST(meshes_without_triangles_have_nothing)
{
    const float xyz[1][3] = { { 1, 2, 3 } };
    const uint32_t bad[3] = { 7, 7, 7 };
    for (size_t triangles = 0; triangles < 2; triangles++) {
        OWN(sl_topology) t = of_arrays(xyz, 1, bad, triangles);
        const sl_topology_info info = info_of(t);
        assert_int_equal(info.triangle_count, triangles);
        assert_true(info.vertex_count == 0 && info.edge_count == 0);
        assert_true(info.feature_edge_count == 0 && info.feature_vertex_count == 0);
        sl_edge edge = { .kinds = 77 };
        assert_false(sl_topology_get_edge(t, 0, &edge));
        assert_int_equal(edge.kinds, 77);
        assert_false(sl_topology_is_feature(t, SL_EDGES, 0));
        assert_false(sl_topology_is_feature(t, SL_VERTICES, 0));
        assert_int_equal(sl_topology_around(t, SL_EDGES, 0, SL_TRIANGLES, NULL, 0), 0);
        assert_int_equal(sl_topology_around(t, SL_VERTICES, 0, SL_TRIANGLES, NULL, 0), 0);
        assert_int_equal(sl_topology_around(t, SL_VERTICES, 0, SL_EDGES, NULL, 0), 0);
        assert_int_equal(sl_topology_element_of(t, 0, SL_VERTICES, 0), SL_NONE);
        assert_int_equal(sl_topology_element_of(t, 0, SL_EDGES, 3), SL_NONE);
        assert_int_equal(sl_topology_update(t, xyz[0], NULL, 0, NULL), SL_OK);
    }
    sl_topology_destroy(NULL);
}
