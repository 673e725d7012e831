/* lib/mesh/part.c and lib/mesh/builder_part.c: the parts of OBJ, STL and PLY files */
#include "test/support/input/mesh_case.h"
#include "test/support/test.h"

#include <sightline/mesh_format.h>

#define CORNERS "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"
#define FACE    "f 1 2 3\n"

typedef struct wanted {
    const char *name, *material, *node;
    uint32_t first, count;
} wanted;

static void expect(const char *text, const wanted *parts, size_t count)
{
    OWN(sl_mesh) mesh = sli_case_load_text(text, NULL);
    assert_int_equal(sl_mesh_get_info(mesh).part_count, count);
    for (size_t i = 0; i < count; i++) {
        sl_mesh_part part = { 0 };
        assert_true(sl_mesh_get_part(mesh, i, &part));
        assert_string_equal(part.name, parts[i].name);
        assert_string_equal(part.material, parts[i].material);
        assert_string_equal(part.node, parts[i].node);
        assert_int_equal(part.node_index, SL_NONE);
        assert_int_equal(part.first, parts[i].first);
        assert_int_equal(part.count, parts[i].count);
        for (uint32_t prim = part.first; prim < part.first + part.count; prim++) {
            assert_int_equal(sl_mesh_part_of(mesh, prim), i);
        }
    }
    sl_mesh_part untouched = { .first = 77 };
    assert_false(sl_mesh_get_part(mesh, count, &untouched));
    assert_int_equal(untouched.first, 77);
    assert_int_equal(sl_mesh_part_of(mesh, (uint32_t)sl_mesh_soup(mesh).triangle_count), SL_NONE);
}

TEST(a_file_without_names_has_no_parts)
{
    expect(CORNERS FACE, NULL, 0);
    expect(CORNERS FACE "g\no\nusemtl\n" FACE, NULL, 0);
    OWN(sl_mesh) mesh = sli_case_load_text(CORNERS FACE, "a.obj");
    assert_int_equal(sl_mesh_part_of(mesh, 0), SL_NONE);
}

TEST(groups_objects_and_materials_make_parts)
{
    const wanted parts[] = {
        { "", "", "", 0, 1 },
        { "box", "", "box", 1, 3 },
        { "lid", "red", "box", 4, 1 },
        { "lid", "dark red", "box", 5, 1 },
        { "cup", "dark red", "cup", 6, 1 },
    };
    expect(CORNERS FACE "o box\n" FACE "f 1 2 3 4\ng lid \t\nusemtl red\n" FACE
                        "usemtl  dark red # indeed\n" FACE "o cup\n" FACE,
           parts, 5);
}

TEST(names_without_faces_and_repeated_names_make_none)
{
    const wanted parts[] = { { "b", "m", "", 0, 2 }, { "c", "m", "", 2, 1 } };
    expect(CORNERS "g a\ng b\nusemtl m\n" FACE "g b\nusemtl m\n" FACE "g c\n" FACE "g d\n", parts,
           2);
}

TEST(names_may_look_like_anything)
{
    const wanted parts[] = { { "f 1 2 3", "usemtl", "", 0, 1 },
                             { "\xFF\x1B[1m", "usemtl", "", 1, 1 } };
    expect(CORNERS "g f 1 2 3\nusemtl usemtl\r\n" FACE "g \xFF\x1B[1m\n" FACE, parts, 2);
}

/* 255 bytes are kept, but no half of a character: an e with acute takes two. */
TEST(long_names_are_cut)
{
    for (size_t length = 253; length < 258; length++) {
        char text[1024], name[512];
        memset(name, 'x', length);
        strcpy(name + length, "\xC3\xA9");
        snprintf(text, sizeof text, CORNERS "g %s\n" FACE, name);
        OWN(sl_mesh) mesh = sli_case_load_text(text, "a.obj");
        sl_mesh_part part;
        assert_true(sl_mesh_get_part(mesh, 0, &part));
        assert_int_equal(strlen(part.name), length == 253 ? 255 : length < 255 ? length : 255);
    }
}

TEST(triangles_left_out_stay_in_their_part)
{
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    static const char text[] = CORNERS "g a\n" FACE "g b\nf 1 2 9\ng c\n" FACE;
    OWN(sl_mesh) mesh = sli_case_load(text, strlen(text), "a.obj", &def);
    sl_mesh_part part;
    assert_true(sl_mesh_get_part(mesh, 1, &part));
    assert_string_equal(part.name, "b");
    assert_int_equal(part.count, 1);
    assert_int_equal(sl_mesh_part_of(mesh, 2), 2);
}

#define FACET "facet outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n"

#define SOLID(name, facets) "solid" name "\n" facets "endsolid" name "\n"

TEST(solids_are_parts)
{
    const wanted parts[] = { { "left  half", "", "", 0, 2 },
                             { "", "", "", 2, 1 },
                             { "left  half", "", "", 3, 1 },
                             { "left  half", "", "", 4, 1 } };
    expect(SOLID(" \tleft  half ", FACET FACET) SOLID("", FACET) SOLID(" none", "")
               SOLID(" left  half", FACET) "SOLID left  half\r\n" FACET "ENDSOLID",
           parts, 4);
    expect(SOLID("", FACET) SOLID("", FACET),
           (const wanted[]){ { "", "", "", 0, 1 }, { "", "", "", 1, 1 } }, 2);
}

/* Most writers name the one solid that there is, often by what wrote it. */
TEST(a_solid_of_its_own_is_no_part)
{
    expect(SOLID(" vcg", FACET FACET), NULL, 0);
    expect(SOLID(" a", FACET) SOLID(" b", ""), NULL, 0);
}

#define PLY(count, properties)                                                                     \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"                \
    "property float z\nelement face " count "\n" properties "end_header\n0 0 0\n1 0 0\n0 1 0\n"
#define LIST "property list uchar int vertex_indices\n"

TEST(numbers_of_ply_faces_are_parts)
{
    const wanted parts[] = { { "7", "0", "", 0, 2 },
                             { "-9", "0", "", 2, 2 },
                             { "-9", "1", "", 4, 1 },
                             { "", "1", "", 5, 1 } };
    expect(PLY("5", "property float object_id\n" LIST
                    "property uchar material_index\n") "7 3 0 1 2 0\n7 3 0 1 2 0\n-9 4 0 1 2 0 "
                                                       "0\n-9 3 0 1 2 1\n.5 3 0 1 2 1\n",
           parts, 4);
    expect(
        PLY("2", LIST
            "property list uchar float texcoord\nproperty int texnumber\n") "3 0 1 2 6 0 0 1 0 0 1 "
                                                                            "4\n3 0 1 2 0 5\n",
        (const wanted[]){ { "", "4", "", 0, 1 }, { "", "5", "", 1, 1 } }, 2);
    /* The first of two kinds of numbers is the part; one part is none. */
    expect(PLY("2", LIST
               "property int segment_id\nproperty int object_id\n") "3 0 1 2 1 5\n3 0 1 2 2 5\n",
           (const wanted[]){ { "1", "", "", 0, 1 }, { "2", "", "", 1, 1 } }, 2);
    expect(PLY("2", LIST "property int texnumber\n") "3 0 1 2 0\n3 0 1 2 0\n", NULL, 0);
    expect(PLY("2", LIST "property list uchar int object_id\n") "3 0 1 2 1 0\n3 0 1 2 1 1\n", NULL,
           0);
}

TEST(texture_coordinates_are_kept_beside_parts)
{
    OWN(sl_mesh) mesh =
        sli_case_load_text(PLY("2", LIST "property int object_id\nproperty list uchar float "
                                         "texcoord\n") "3 0 1 2 1 6 0 0 1 0 0 1\n3 0 1 2 2 6 0 0 "
                                                       ".5 0 0 1\n",
                           NULL);
    sl_mesh_attribute uvs;
    assert_true(sl_mesh_get_attribute(mesh, SL_MESH_UVS, &uvs));
    assert_true(uvs.values[2 * (size_t)uvs.indices[4]] == 0.5f);
    assert_int_equal(sl_mesh_part_of(mesh, 1), 1);
}

TEST(hostile_variants_are_survived)
{
    static const char *const others[] = {
        SOLID(" a", FACET) SOLID(" b", FACET),
        PLY("2", "property float object_id\n" LIST
                 "property uchar material_index\n") "7 3 0 1 2 0\n8 3 0 1 2 1\n",
    };
    sli_case_hostile(others[0], strlen(others[0]), NULL);
    sli_case_hostile(others[1], strlen(others[1]), NULL);

    static const char text[] = CORNERS FACE "o box\nusemtl red\n" FACE "g lid\n" FACE "f 1 2 3 4\n";
    sli_case_hostile(text, strlen(text), "a.obj");
}
