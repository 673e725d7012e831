/* lib/mesh/gltf/attribute.c and slice.c: normals, texture coordinates and colours of a glTF */
#include "test/support/input/glb.h"
#include "test/support/input/io_formats.h"
#include "test/support/test.h"

static const struct {
    float positions[4][3], normals[4][3], uvs[4][2], rgb[4][3];
    uint8_t rgba[4][4];
    uint16_t uvs16[4][2];
    int8_t normals8[4][4];
    uint8_t indices[8];
    float replaced[2];
} data = { .positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } },
           .normals = { { 0, 0, 1 }, { 0.6f, 0, 0.8f }, { 0, 0.6f, 0.8f }, { 0, 0, -3 } },
           .uvs = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0.1f, 0.7f } },
           .rgb = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0.3f, 0.4f, 2 } },
           .rgba = { { 255, 0, 0, 128 }, { 0, 51, 0, 255 }, { 0, 0, 1, 0 }, { 1, 2, 3, 4 } },
           .uvs16 = { { 0, 65535 }, { 1, 0 }, { 2, 3 }, { 4, 5 } },
           .normals8 = { { 0, 0, 127 }, { -128, 0, 0 }, { 0, 64, 0 }, { 1, 2, 3 } },
           .indices = { 0, 1, 2, 0, 2, 3 },
           .replaced = { 0.25f, 0.5f } };

#define FLOATS(view, shape)                                                                        \
    "{\"bufferView\":" view ",\"componentType\":5126,\"count\":4,\"type\":\"" shape "\"}"
#define FRACTIONS(view, type, shape)                                                               \
    "{\"bufferView\":" view ",\"componentType\":" type                                             \
    ",\"normalized\":true,\"count\":4,\"type\":\"" shape "\"}"
#define VIEW(begin, length) "{\"buffer\":0,\"byteOffset\":" begin ",\"byteLength\":" length "}"
#define STRIDED             "{\"buffer\":0,\"byteOffset\":208,\"byteLength\":16,\"byteStride\":4}"
#define INDICES(begin, count)                                                                      \
    "{\"bufferView\":7,\"byteOffset\":" begin ",\"componentType\":5121,\"count\":" count           \
    ",\"type\":\"SCALAR\"}"

/* Accessors: 0 positions, 1 normals, 2 texture coordinates, 3 red, green and blue, 4 with alpha in
 * bytes, 5 texture coordinates of 16 bits, 6 normals of 8, 7 indices of two triangles, 8 texture
 * coordinates of which one is replaced, 9 indices of the first triangle, 10 of the second, 11
 * normals of three vertices, 12 texture coordinates of 32 bits, 13 normals beyond their view */
// clang-format off
static const char rest[] =
    "\"accessors\":["
    FLOATS("0", "VEC3") "," FLOATS("1", "VEC3") "," FLOATS("2", "VEC2") "," FLOATS("3", "VEC3") ","
    FRACTIONS("4", "5121", "VEC4") "," FRACTIONS("5", "5123", "VEC2") ","
    FRACTIONS("6", "5120", "VEC3") "," INDICES("0", "6") ","
    "{\"bufferView\":2,\"componentType\":5126,\"count\":4,\"type\":\"VEC2\","
    "\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":7,\"byteOffset\":1,\"componentType\":5121}"
    ",\"values\":{\"bufferView\":8}}}," INDICES("0", "3") "," INDICES("3", "3") ","
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":2,\"componentType\":5125,\"count\":4,\"type\":\"VEC2\"},"
    "{\"bufferView\":1,\"byteOffset\":4,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}],"
    "\"bufferViews\":["
    VIEW("0", "48") "," VIEW("48", "48") "," VIEW("96", "32") "," VIEW("128", "48") ","
    VIEW("176", "16") "," VIEW("192", "16") "," STRIDED "," VIEW("224", "8") "," VIEW("232", "8")
    "],\"buffers\":[{\"byteLength\":240}]";
// clang-format on

static const char *json_of(const char *nodes, const char *primitives)
{
    static char json[4096];
    assert_int_equal(sizeof data, 240);
    snprintf(json, sizeof json, "\"nodes\":[%s],\"meshes\":[{\"primitives\":[%s]}],%s", nodes,
             primitives, rest);
    return json;
}

static sl_mesh *load(const char *nodes, const char *primitives)
{
    return glb_load(json_of(nodes, primitives), &data, sizeof data);
}

static sl_gltf *load_nodes(const char *nodes, const char *meshes, const sl_mesh_def *def)
{
    char json[8192];
    snprintf(json, sizeof json,
             "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[%s],\"meshes\":[%s],%s}", nodes, meshes,
             rest);
    UNDONE(glb_free) glb file = glb_make(json, &data, sizeof data);
    sl_gltf *gltf = NULL;
    assert_int_equal(sl_gltf_load_memory(file.bytes, file.size, "a.glb", def, &gltf, NULL), SL_OK);
    return gltf;
}

/* The row of a corner; NULL: it has none. */
static const float *row_of(const sl_mesh *mesh, uint32_t kind, size_t corner)
{
    const size_t width = kind == SL_MESH_UVS ? 2 : kind == SL_MESH_NORMALS ? 3 : 4;
    sl_mesh_attribute kept;
    if (!sl_mesh_get_attribute(mesh, kind, &kept)) {
        return NULL;
    }
    const uint32_t row =
        kept.indices != NULL ? kept.indices[corner] : sl_mesh_soup(mesh).indices[corner];
    return row != SL_NONE ? kept.values + width * row : NULL;
}

static void expect_row(const sl_mesh *mesh, uint32_t kind, size_t corner, size_t count,
                       const float *expected)
{
    const float *row = row_of(mesh, kind, corner);
    assert_non_null(row);
    assert_memory_equal(row, expected, count * sizeof *row);
}

#define ALL "\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2,\"COLOR_0\":3"

TEST_ONCE(with_io_formats, NULL);

TEST(floats_are_kept_by_vertex)
{
    OWN(sl_mesh) mesh = load("{\"mesh\":0}", "{\"attributes\":{" ALL "},\"indices\":7}");
    sl_mesh_attribute kept;
    for (uint32_t kind = 1; kind <= 4; kind *= 2) {
        assert_true(sl_mesh_get_attribute(mesh, kind, &kept));
        assert_int_equal(kept.count, 4);
        assert_null(kept.indices);
    }
    for (size_t i = 0; i < 6; i++) {
        const size_t vertex = data.indices[i];
        const float *c = data.rgb[vertex], colour[4] = { c[0], c[1], c[2], 1 };
        expect_row(mesh, SL_MESH_NORMALS, i, 3, data.normals[vertex]);
        expect_row(mesh, SL_MESH_UVS, i, 2, data.uvs[vertex]);
        expect_row(mesh, SL_MESH_COLOURS, i, 4, colour);
    }
}

TEST(whole_numbers_are_fractions)
{
    OWN(sl_mesh) mesh = load("{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0,\"NORMAL\":6,"
                                             "\"TEXCOORD_0\":5,\"COLOR_0\":4},\"indices\":7}");
    for (size_t i = 0; i < 6; i++) {
        const size_t vertex = data.indices[i];
        float colour[4], uv[2], normal[3];
        for (size_t k = 0; k < 4; k++) {
            colour[k] = (float)(data.rgba[vertex][k] / 255.0);
        }
        for (size_t k = 0; k < 3; k++) {
            normal[k] = (float)fmax(data.normals8[vertex][k] / 127.0, -1);
        }
        uv[0] = (float)(data.uvs16[vertex][0] / 65535.0);
        uv[1] = (float)(data.uvs16[vertex][1] / 65535.0);
        expect_row(mesh, SL_MESH_COLOURS, i, 4, colour);
        expect_row(mesh, SL_MESH_UVS, i, 2, uv);
        expect_row(mesh, SL_MESH_NORMALS, i, 3, normal);
    }
}

TEST(sparse_elements_are_replaced)
{
    sl_mesh *mesh =
        load("{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":8},\"indices\":7}");
    expect_row(mesh, SL_MESH_UVS, 0, 2, data.uvs[0]);
    expect_row(mesh, SL_MESH_UVS, 1, 2, data.replaced);
    expect_row(mesh, SL_MESH_UVS, 5, 2, data.uvs[3]);
    sl_mesh_destroy(mesh);
}

TEST(primitives_without_leave_corners_without)
{
    OWN(sl_mesh) mesh = load("{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0},\"indices\":9},"
                                             "{\"attributes\":{" ALL "},\"indices\":10},"
                                             "{\"attributes\":{\"POSITION\":1,\"TEXCOORD_0\":2}}");
    for (size_t i = 0; i < 9; i++) {
        assert_true((row_of(mesh, SL_MESH_UVS, i) != NULL) == (i >= 3));
        assert_true((row_of(mesh, SL_MESH_NORMALS, i) != NULL) == (i >= 3 && i < 6));
    }
    expect_row(mesh, SL_MESH_NORMALS, 5, 3, data.normals[3]);
    expect_row(mesh, SL_MESH_UVS, 5, 2, data.uvs[3]);
    expect_row(mesh, SL_MESH_UVS, 8, 2, data.uvs[2]);
}

/* Vertices are shared, rows are not. */
TEST(shared_positions_may_have_different_attributes)
{
    sl_mesh *mesh =
        load("{\"mesh\":0}",
             "{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2},\"indices\":9},"
             "{\"attributes\":{\"POSITION\":0,\"NORMAL\":0,\"TEXCOORD_0\":2},\"indices\":10}");
    sl_mesh_attribute kept;
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 4);
    assert_true(sl_mesh_get_attribute(mesh, SL_MESH_UVS, &kept));
    assert_null(kept.indices);
    assert_true(sl_mesh_get_attribute(mesh, SL_MESH_NORMALS, &kept));
    assert_int_equal(kept.count, 8);
    expect_row(mesh, SL_MESH_NORMALS, 2, 3, data.normals[2]);
    expect_row(mesh, SL_MESH_NORMALS, 3, 3, data.positions[0]);
    expect_row(mesh, SL_MESH_NORMALS, 5, 3, data.positions[3]);
    sl_mesh_destroy(mesh);
}

static void expect_normal(const sl_mesh *mesh, size_t corner, double x, double y, double z)
{
    const float *row = row_of(mesh, SL_MESH_NORMALS, corner);
    const double length = sqrt(x * x + y * y + z * z);
    assert_non_null(row);
    assert_true(fabs((double)row[0] - x / length) < 0x1p-23 &&
                fabs((double)row[1] - y / length) < 0x1p-23 &&
                fabs((double)row[2] - z / length) < 0x1p-23);
}

#define PRIMITIVE "{\"attributes\":{" ALL "},\"indices\":7}"

TEST(normals_turn_with_their_nodes)
{
    sl_mesh *mesh = load("{\"mesh\":0,\"scale\":[1,2,4],\"translation\":[1e6,0,0]}", PRIMITIVE);
    expect_normal(mesh, 0, 0, 0, 1);
    expect_normal(mesh, 1, 0.6, 0, 0.2);
    expect_normal(mesh, 2, 0, 0.3, 0.2);
    expect_normal(mesh, 5, 0, 0, -1);
    expect_row(mesh, SL_MESH_UVS, 5, 2, data.uvs[3]);
    sl_mesh_destroy(mesh);
    mesh = load("{\"mesh\":0,\"scale\":[1e30,2e30,4e30]}", PRIMITIVE);
    expect_normal(mesh, 2, 0, 0.3, 0.2);
    sl_mesh_destroy(mesh);
    mesh = load("{\"mesh\":0,\"rotation\":[0.70710678,0,0,0.70710678]}", PRIMITIVE);
    expect_normal(mesh, 0, 0, -1, 0);
    sl_mesh_destroy(mesh);
}

TEST(mirrored_nodes_keep_normals_in_front_and_rows_with_their_corners)
{
    sl_mesh *mesh = load("{\"mesh\":0,\"scale\":[-1,1,1]}", PRIMITIVE);
    sli_case_triangle(mesh, 0, 0, 2, 1);
    expect_normal(mesh, 0, 0, 0, 1);
    expect_normal(mesh, 1, 0, 0.6, 0.8);
    expect_normal(mesh, 2, -0.6, 0, 0.8);
    expect_row(mesh, SL_MESH_UVS, 1, 2, data.uvs[2]);
    expect_row(mesh, SL_MESH_UVS, 2, 2, data.uvs[1]);
    sl_mesh_destroy(mesh);
    mesh = load("{\"mesh\":0,\"scale\":[1,1,-1]}", PRIMITIVE);
    expect_normal(mesh, 0, 0, 0, -1);
    sl_mesh_destroy(mesh);
}

TEST(nodes_that_are_flat_leave_normals_of_zero)
{
    const float zero[3] = { 0, 0, 0 };
    OWN(sl_mesh) mesh = load("{\"mesh\":0,\"scale\":[1,1,0]}", PRIMITIVE);
    expect_row(mesh, SL_MESH_NORMALS, 1, 3, zero);
}

TEST(each_instance_has_rows_of_its_own)
{
    OWN(sl_mesh) mesh = load("{\"mesh\":0},{\"mesh\":0,\"scale\":[1,1,-1]}", PRIMITIVE);
    sl_mesh_attribute kept;
    assert_true(sl_mesh_get_attribute(mesh, SL_MESH_NORMALS, &kept));
    assert_int_equal(kept.count, 8);
    assert_null(kept.indices);
    expect_row(mesh, SL_MESH_NORMALS, 3, 3, data.normals[0]);
    expect_row(mesh, SL_MESH_NORMALS, 5, 3, data.normals[3]); /* as it is in the file */
    expect_normal(mesh, 6, 0, 0, -1);
}

TEST(meshes_of_nodes_have_what_the_file_has)
{
    for (uint32_t keep = 0; keep < 8; keep++) {
        sl_mesh_def def = { .drop = 7 & ~keep };
        OWN(sl_gltf) file = load_nodes(
            "{\"mesh\":2,\"scale\":[3,2,1]},{\"mesh\":1},{\"mesh\":0}",
            "{\"primitives\":[" PRIMITIVE
            "]},{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":7}]},"
            "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":9},{\"attributes\":{"
            "\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2},\"indices\":10}]}",
            &def);
        const sl_mesh *first = sl_gltf_mesh(file, 0, NULL), *last = sl_gltf_mesh(file, 2, NULL);
        assert_int_equal(sl_gltf_get_info(file).mesh_count, 3);
        for (uint32_t kind = 1; kind <= 4; kind *= 2) {
            sl_mesh_attribute kept;
            const bool wanted = (keep & kind) != 0;
            assert_true(sl_mesh_get_attribute(last, kind, &kept) == wanted);
            assert_true(!wanted || kept.count == 4);
            assert_false(sl_mesh_get_attribute(sl_gltf_mesh(file, 1, NULL), kind, &kept));
            assert_true(sl_mesh_get_attribute(first, kind, &kept) ==
                        (wanted && kind != SL_MESH_COLOURS));
            assert_true((sl_mesh_get_info(last).attributes & kind) != 0);
            assert_null(row_of(first, kind, 1));
        }
        for (size_t i = 0; i < 3 && (keep & SL_MESH_UVS) != 0; i++) {
            const size_t vertex = data.indices[3 + i];
            expect_row(first, SL_MESH_UVS, 3 + i, 2, data.uvs[vertex]);
            expect_row(last, SL_MESH_UVS, 3 + i, 2, data.uvs[vertex]);
        }
        if ((keep & SL_MESH_NORMALS) != 0) {
            expect_row(first, SL_MESH_NORMALS, 5, 3, data.normals[3]);
            expect_row(last, SL_MESH_NORMALS, 1, 3, data.normals[1]);
        }
    }
}

/* ---- lies -------------------------------------------------------------------------------- */

/* What is wrong, and the kind that is left out for it. */
static const struct {
    const char *attributes;
    uint32_t kind;
} lies[] = {
    { "\"NORMAL\":99", SL_MESH_NORMALS },   { "\"NORMAL\":\"a\"", SL_MESH_NORMALS },
    { "\"NORMAL\":2", SL_MESH_NORMALS },    { "\"TEXCOORD_0\":0", SL_MESH_UVS },
    { "\"TEXCOORD_0\":12", SL_MESH_UVS },   { "\"COLOR_0\":2", SL_MESH_COLOURS },
    { "\"COLOR_0\":7", SL_MESH_COLOURS },   { "\"NORMAL\":11", SL_MESH_NORMALS },
    { "\"NORMAL\":13", SL_MESH_NORMALS },   { "\"COLOR_0\":-1", SL_MESH_COLOURS },
    { "\"TEXCOORD_0\":null", SL_MESH_UVS },
};

TEST(attributes_that_do_not_fit_are_left_out)
{
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        char primitives[512];
        snprintf(primitives, sizeof primitives,
                 "{\"attributes\":{\"POSITION\":0,%s},\"indices\":7},"
                 "{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2,\"COLOR_0\":3},"
                 "\"indices\":7}",
                 lies[i].attributes);
        char whole[4200];
        snprintf(whole, sizeof whole, "{\"asset\":{\"version\":\"2.0\"},%s}",
                 json_of("{\"mesh\":0}", primitives));
        UNDONE(glb_free) glb file = glb_make(whole, &data, sizeof data);
        for (int way = 0; way < 4; way++) {
            sl_mesh_def def = { .formats = sl_io_formats() };
            def.drop = way % 2 == 0 ? 0 : 7;
            def.bad = way / 2 == 0 ? SL_BAD_REFUSE : SL_BAD_LEAVE_OUT;
            sl_error error = { .code = SL_CANCELLED, .line = 77 };
            OWN(sl_mesh) mesh = NULL;
            assert_int_equal(
                sl_mesh_load_memory(file.bytes, file.size, "a.glb", &def, &mesh, &error), SL_OK);
            assert_int_equal(error.code, SL_CANCELLED);
            assert_int_equal(error.line, 77);
            assert_int_equal(sl_mesh_soup(mesh).triangle_count, 4);
            /* The file has it, but these corners are without. */
            assert_true((sl_mesh_get_info(mesh).attributes & lies[i].kind) != 0);
            assert_null(row_of(mesh, lies[i].kind, 0));
            assert_true((row_of(mesh, lies[i].kind, 6) != NULL) == (def.drop == 0));
        }
    }
}

/* What was left out as a normal is refused where it is a position, and says why. */
TEST(accessors_that_were_left_out_are_no_positions)
{
    const char *json = json_of("{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0,\"NORMAL\":13}},"
                                               "{\"attributes\":{\"POSITION\":13}}");
    const sl_error error = glb_refuse(json, &data, sizeof data, SL_BAD_DATA);
    assert_non_null(strstr(error.message, "accessors[13]: its 4 elements need 48 bytes"));
    assert_true(error.byte > 0);
}

/* A corner that names no vertex has no rows either; its triangle is left out, or named. */
TEST(bad_corners_are_found_among_attributes)
{
    const char *json = json_of("{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0,\"NORMAL\":1},"
                                               "\"indices\":7},{\"attributes\":{\"POSITION\":1,"
                                               "\"TEXCOORD_0\":2},\"indices\":7}");
    char whole[4200];
    snprintf(whole, sizeof whole, "{\"asset\":{\"version\":\"2.0\"},%s}", json);
    struct {
        uint8_t bytes[240];
    } changed;
    memcpy(&changed, &data, sizeof changed);
    changed.bytes[224 + 4] = 4; /* corner 1 of triangle 1 */
    UNDONE(glb_free) glb file = glb_make(whole, &changed, sizeof changed);
    const sl_error error = sli_case_refuse(file.bytes, file.size, "a.glb", SL_BAD_INDEX);
    assert_non_null(strstr(error.message, "triangle 1, counting from 0, names index 4 of "
                                          "meshes[0].primitives[0], which has 4 vertices"));
    sl_mesh_def def = { .formats = sl_io_formats(), .bad = SL_BAD_LEAVE_OUT };
    sl_mesh *mesh;
    assert_int_equal(sl_mesh_load_memory(file.bytes, file.size, "a.glb", &def, &mesh, NULL), SL_OK);
    expect_row(mesh, SL_MESH_NORMALS, 2, 3, data.normals[2]);
    expect_row(mesh, SL_MESH_UVS, 8, 2, data.uvs[2]);
    sl_mesh_point at;
    assert_true(sl_mesh_at(mesh, 0, 0.5f, 0, NULL, &at));
    assert_false(sl_mesh_at(mesh, 1, 0.5f, 0, NULL, &at));
    sl_mesh_destroy(mesh);
    OWN(sl_gltf) gltf = NULL;
    assert_int_equal(sl_gltf_load_memory(file.bytes, file.size, "a.glb", &def, &gltf, NULL), SL_OK);
    expect_row(sl_gltf_mesh(gltf, 0, NULL), SL_MESH_UVS, 8, 2, data.uvs[2]);
}

TEST(hostile_variants_are_survived)
{
    char whole[4200];
    snprintf(whole, sizeof whole, "{\"asset\":{\"version\":\"2.0\"},%s}",
             json_of("{\"mesh\":0,\"scale\":[-1,2,3]},{\"mesh\":0}",
                     "{\"attributes\":{\"POSITION\":0,\"NORMAL\":6,\"TEXCOORD_0\":8},"
                     "\"indices\":9},{\"attributes\":{\"POSITION\":0,\"COLOR_0\":4,"
                     "\"TEXCOORD_0\":5,\"TEXCOORD_1\":99},\"indices\":10}"));
    UNDONE(glb_free) glb file = glb_make(whole, &data, sizeof data);
    sl_mesh *mesh = sli_case_load(file.bytes, file.size, "a.glb", NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 4);
    assert_int_equal(sl_mesh_get_info(mesh).attributes, 15);
    sl_mesh_destroy(mesh);
    sli_case_hostile(file.bytes, file.size, "a.glb");
}
