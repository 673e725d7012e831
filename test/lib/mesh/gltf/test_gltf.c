/* lib/mesh/gltf/gltf.c and its parts: what good files mean */
#include "test/support/input/glb.h"
#include "test/support/input/io_formats.h"
#include "test/support/test.h"

/* A scene of the nodes, one mesh of the primitives, and the accessors with their views of one
 * buffer. */
#define SCENE(nodes, primitives, accessors, views, size)                                           \
    "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[" nodes "],\"meshes\":[{\"name\":\"shape\","          \
    "\"primitives\":[" primitives "]}],\"accessors\":[" accessors "],\"bufferViews\":[" views      \
    "],\"buffers\":[{\"byteLength\":" size "}]"

#define POSITIONS "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}"
#define INDICES(type, count)                                                                       \
    "{\"bufferView\":1,\"componentType\":" type ",\"count\":" count ",\"type\":\"SCALAR\"}"

/* Four corners of a square, and then indices of each size. */
typedef struct square {
    float xyz[4][3];
    uint8_t narrow[8];
    uint16_t middle[8];
    uint32_t wide[8];
} square;

static const square a_square = {
    .xyz = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } },
    .narrow = { 0, 1, 2, 0, 2, 3 },
    .middle = { 0, 1, 2, 0, 2, 3 },
    .wide = { 0, 1, 2, 0, 2, 3 },
};

static void assert_square(const sl_mesh *mesh)
{
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 4);
    sli_case_triangles(mesh, 2, (const uint32_t[][3]){ { 0, 1, 2 }, { 0, 2, 3 } });
    sli_case_vertex(mesh, 2, 1, 1, 0);
    sli_case_vertex(mesh, 3, 0, 1, 0);
}

TEST_ONCE(with_io_formats, NULL);

TEST(indices_of_all_sizes_are_read)
{
    static const char *const types[3] = { "5121", "5123", "5125" };
    static const int offsets[3] = { 48, 56, 72 };
    for (int i = 0; i < 3; i++) {
        char json[1024];
        snprintf(json, sizeof json,
                 SCENE("{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0},\"indices\":1}",
                       POSITIONS "," INDICES("%s", "6"),
                       "{\"buffer\":0,\"byteLength\":48},"
                       "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":24}",
                       "104"),
                 types[i], offsets[i]);
        OWN(sl_mesh) mesh = glb_load(json, &a_square, sizeof a_square);
        assert_square(mesh);
        assert_string_equal(sl_mesh_get_info(mesh).format, "glb");
        assert_int_equal(sl_mesh_get_info(mesh).face_count, 2);
    }
}

TEST(attributes_of_the_file_are_told)
{
    static const struct {
        const char *more;
        uint32_t attributes;
    } files[] = {
        { "", 0 },
        { ",\"NORMAL\":0", SL_MESH_NORMALS },
        { ",\"TANGENT\":0,\"COLOR_0\":0", SL_MESH_OTHER | SL_MESH_COLOURS },
        { ",\"TEXCOORD_1\":0", SL_MESH_OTHER },
        { ",\"_OF_MY_OWN\":0", SL_MESH_OTHER },
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char json[1024];
        snprintf(json, sizeof json,
                 SCENE("{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0%s},\"indices\":1}",
                       POSITIONS "," INDICES("5121", "6"),
                       "{\"buffer\":0,\"byteLength\":48},"
                       "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":8}",
                       "104"),
                 files[i].more);
        OWN(sl_mesh) mesh = glb_load(json, &a_square, sizeof a_square);
        assert_int_equal(sl_mesh_get_info(mesh).attributes, files[i].attributes);
    }
}

static sl_mesh *load_mode(const char *mode, const char *indices)
{
    char json[1024];
    snprintf(json, sizeof json,
             SCENE("{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0}%s,\"mode\":%s}",
                   POSITIONS "," INDICES("5121", "5"),
                   "{\"buffer\":0,\"byteLength\":48},"
                   "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":8}",
                   "104"),
             indices, mode);
    return glb_load(json, &a_square, sizeof a_square);
}

/* Strips turn every second triangle round; fans turn about the first vertex, which comes last: glTF
 * 2.0, 3.7.2.1. */
TEST(strips_and_fans_are_read)
{
    sl_mesh *mesh = load_mode("5", "");
    sli_case_triangles(mesh, 2, (const uint32_t[][3]){ { 0, 1, 2 }, { 1, 3, 2 } });
    sl_mesh_destroy(mesh);
    mesh = load_mode("6", "");
    sli_case_triangles(mesh, 2, (const uint32_t[][3]){ { 1, 2, 0 }, { 2, 3, 0 } });
    sl_mesh_destroy(mesh);
    /* 0 1 2 0 2 */
    mesh = load_mode("5", ",\"indices\":1");
    sli_case_triangles(mesh, 3, (const uint32_t[][3]){ { 0, 1, 2 }, { 1, 0, 2 }, { 2, 0, 2 } });
    sl_mesh_destroy(mesh);
    mesh = load_mode("6", ",\"indices\":1");
    sli_case_triangle(mesh, 2, 0, 2, 0);
    sl_mesh_destroy(mesh);
}

/* The first note of a mesh is that. */
static void expect_note(const sl_mesh *mesh, sl_mesh_note_kind kind, const char *what)
{
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    assert_true(info.note_count > 0);
    assert_int_equal(info.notes[0].kind, kind);
    assert_string_equal(info.notes[0].what, what);
    assert_int_equal(info.notes[0].count, 1);
}

TEST(what_is_left_over_and_what_is_no_triangle_is_passed_over_and_noted)
{
    sl_mesh *mesh = load_mode("4", "");
    sli_case_triangles(mesh, 1, (const uint32_t[][3]){ { 0, 1, 2 } });
    expect_note(mesh, SL_NOTE_SHORT_FACES, "");
    sl_mesh_destroy(mesh);
    mesh = load_mode("5", "");
    assert_int_equal(sl_mesh_get_info(mesh).note_count, 0);
    sl_mesh_destroy(mesh);
    static const char *const others[] = { "0", "1", "2", "3" };
    for (int i = 0; i < 4; i++) {
        mesh = load_mode(others[i], "");
        assert_int_equal(sl_mesh_soup(mesh).triangle_count, 0);
        assert_int_equal(sl_mesh_soup(mesh).vertex_count, 0);
        assert_int_equal(sl_mesh_get_info(mesh).part_count, 0);
        expect_note(mesh, SL_NOTE_GEOMETRY, i == 0 ? "points" : "lines");
        sl_mesh_destroy(mesh);
    }
}

/* Positions of 12 bytes within vertices of 20, from byte 4 on. */
TEST(interleaved_positions_are_read)
{
    float vertices[4][5];
    for (int i = 0; i < 4; i++) {
        vertices[i][0] = vertices[i][4] = -77;
        memcpy(&vertices[i][1], a_square.xyz[i], sizeof a_square.xyz[i]);
    }
    sl_mesh *mesh =
        glb_load(SCENE("{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0},\"mode\":6}",
                       "{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5126,\"count\":4,"
                       "\"type\":\"VEC3\"}",
                       "{\"buffer\":0,\"byteLength\":80,\"byteStride\":20}", "80"),
                 vertices, sizeof vertices);
    sli_case_vertex(mesh, 1, 1, 0, 0);
    sli_case_vertex(mesh, 3, 0, 1, 0);
    sl_mesh_destroy(mesh);
}

/* Vertices 1 and 3 of the square are replaced; without a view of their own the others are 0. */
TEST(sparse_positions_are_read)
{
    struct {
        square square;
        float values[2][3];
        uint16_t where[2];
    } data = { a_square, { { 5, 6, 7 }, { 8, 9, 10 } }, { 1, 3 } };
    for (int with_view = 0; with_view < 2; with_view++) {
        char json[2048];
        snprintf(json, sizeof json,
                 SCENE("{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0},\"mode\":5}",
                       "{%s\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{"
                       "\"count\":2,\"indices\":{\"bufferView\":2,\"componentType\":5123},"
                       "\"values\":{\"bufferView\":1}}}",
                       "{\"buffer\":0,\"byteLength\":48},"
                       "{\"buffer\":0,\"byteOffset\":104,\"byteLength\":24},"
                       "{\"buffer\":0,\"byteOffset\":128,\"byteLength\":4}",
                       "132"),
                 with_view ? "\"bufferView\":0," : "");
        OWN(sl_mesh) mesh = glb_load(json, &data, sizeof data);
        sli_case_vertex(mesh, 0, 0, 0, 0);
        sli_case_vertex(mesh, 1, 5, 6, 7);
        sli_case_vertex(mesh, 2, with_view ? 1 : 0, with_view ? 1 : 0, 0);
        sli_case_vertex(mesh, 3, 8, 9, 10);
    }
}

/* KHR_mesh_quantization: signed and unsigned, as they are and normalized: -128 / 127 is -1. */
TEST(quantized_positions_are_read)
{
    static const uint8_t bytes[3][4] = { { 0 }, { 0x7F }, { 0x80, 1, 0x81 } };
    static const uint16_t shorts[3][4] = { { 0 }, { 0x7FFF }, { 0x8000, 1, 0x8001 } };
    static const struct {
        const char *type;
        bool wide;
        float is[3], normalized[3]; /* the last vertex */
    } cases[] = {
        { "5120", false, { -128, 1, -127 }, { -1, (float)(1.0 / 127), -1 } },
        { "5121",
          false,
          { 128, 1, 129 },
          { (float)(128.0 / 255), (float)(1.0 / 255), (float)(129.0 / 255) } },
        { "5122", true, { -32768, 1, -32767 }, { -1, (float)(1.0 / 32767), -1 } },
        { "5123",
          true,
          { 32768, 1, 32769 },
          { (float)(32768.0 / 65535), (float)(1.0 / 65535), (float)(32769.0 / 65535) } },
    };
    static const char json[] = "\"extensionsRequired\":[\"KHR_mesh_quantization\"]," SCENE(
        "{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0}}",
        "{\"bufferView\":0,\"componentType\":%s,\"normalized\":%s,\"count\":3,"
        "\"type\":\"VEC3\"}",
        "{\"buffer\":0,\"byteLength\":%d,\"byteStride\":%d}", "%d");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int normalized = 0; normalized < 2; normalized++) {
            const int size = cases[i].wide ? sizeof shorts : sizeof bytes;
            const float *last = normalized ? cases[i].normalized : cases[i].is;
            char text[1024];
            snprintf(text, sizeof text, json, cases[i].type, normalized ? "true" : "false", size,
                     size / 3, size);
            OWN(sl_mesh) mesh = glb_load(
                text, cases[i].wide ? (const void *)shorts : (const void *)bytes, (size_t)size);
            sli_case_vertex(mesh, 0, 0, 0, 0);
            sli_case_vertex(mesh, 2, last[0], last[1], last[2]);
        }
    }
}

#define SQUARE(nodes)                                                                              \
    SCENE(nodes, "{\"attributes\":{\"POSITION\":0},\"indices\":1}",                                \
          POSITIONS "," INDICES("5121", "6"),                                                      \
          "{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":8}",    \
          "104")

/* Scaled by 2, turned by 90 degrees about z (x to y, y to -x), moved by (10, 20, 30). */
TEST(transforms_scale_then_turn_then_move)
{
    OWN(sl_mesh) mesh = glb_load(SQUARE("{\"mesh\":0,\"scale\":[2,2,2],\"rotation\":[0,0,1,1],"
                                        "\"translation\":[10,20,30]}"),
                                 &a_square, sizeof a_square);
    sli_case_vertex(mesh, 0, 10, 20, 30);
    sli_case_vertex(mesh, 1, 10, 22, 30);
    sli_case_vertex(mesh, 2, 8, 22, 30);
    sli_case_triangle(mesh, 1, 0, 2, 3);
}

/* The child's matrix first: y doubled and 1 added to x; then the parent's: 5 added to z. */
TEST(children_stand_in_their_parents_space)
{
    OWN(sl_mesh) mesh =
        glb_load(SQUARE("{\"children\":[1],\"translation\":[0,0,5]},"
                        "{\"mesh\":0,\"matrix\":[1,0,0,0,0,2,0,0,0,0,1,0,1,0,0,1]}"),
                 &a_square, sizeof a_square);
    sli_case_vertex(mesh, 2, 2, 2, 5);
    sli_case_vertex(mesh, 3, 1, 2, 5);
}

/* Corners 1 and 2 change places, so that the front stays the front. */
TEST(mirrored_triangles_are_turned_round)
{
    sl_mesh *mesh = glb_load(SQUARE("{\"mesh\":0,\"scale\":[-1,1,1]}"), &a_square, sizeof a_square);
    sli_case_vertex(mesh, 1, -1, 0, 0);
    sli_case_triangle(mesh, 0, 0, 2, 1);
    sli_case_triangle(mesh, 1, 0, 3, 2);
    sl_mesh_destroy(mesh);
    /* Twice mirrored is not mirrored; nor is it that what is very small is flat. */
    mesh = glb_load(SQUARE("{\"children\":[1],\"scale\":[1e-120,1e-120,-1e-120]},"
                           "{\"mesh\":0,\"scale\":[1,-1e100,1]}"),
                    &a_square, sizeof a_square);
    sli_case_triangle(mesh, 0, 0, 1, 2);
    sl_mesh_destroy(mesh);
    mesh = glb_load(SQUARE("{\"mesh\":0,\"scale\":[1e-120,1e-120,-1e-120]}"), &a_square,
                    sizeof a_square);
    sli_case_triangle(mesh, 0, 0, 2, 1);
    sl_mesh_destroy(mesh);
}

/* Roots in the order of the scene, a node before its children, children in their order. */
TEST(nodes_are_flattened_depth_first)
{
    static const char json[] =
        "\"scene\":1,\"scenes\":[{\"nodes\":[0]},{\"name\":\"main\",\"nodes\":[4,0]}],\"nodes\":["
        "{\"children\":[3,1],\"name\":\"root\"},"
        "{\"mesh\":0,\"translation\":[1,0,0],\"name\":\"one\",\"children\":[2]},"
        "{\"mesh\":0,\"translation\":[10,0,0]},"
        "{\"mesh\":0,\"translation\":[3,0,0],\"name\":\"three\"},"
        "{\"mesh\":0,\"translation\":[4,0,0],\"name\":\"four\"}],"
        "\"materials\":[{\"name\":\"red\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0},"
        "{\"attributes\":{\"POSITION\":0},\"mode\":5},{\"attributes\":{}},"
        "{\"attributes\":{\"POSITION\":1}}]}],"
        "\"accessors\":[" POSITIONS "," POSITIONS
        "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],\"buffers\":[{\"byteLength\":48}]";
    OWN(sl_mesh) mesh = glb_load(json, &a_square, 48);
    /* Four nodes, each with 1 + 2 + 1 triangles; the first two primitives share their vertices. */
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 16);
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 32);
    const float wanted[4] = { 4, 3, 1, 11 };
    static const char *const names[4] = { "four", "three", "one", "" };
    const uint32_t numbers[4] = { 4, 3, 1, 2 };
    assert_int_equal(sl_mesh_get_info(mesh).part_count, 8);
    for (uint32_t i = 0; i < 4; i++) {
        sli_case_vertex(mesh, 8 * i, wanted[i], 0, 0);
        sli_case_triangle(mesh, 4 * i, 8 * i, 8 * i + 1, 8 * i + 2);
        sli_case_triangle(mesh, 4 * i + 2, 8 * i + 1, 8 * i + 3, 8 * i + 2);
        sli_case_triangle(mesh, 4 * i + 3, 8 * i + 4, 8 * i + 5, 8 * i + 6);
        sl_mesh_part part;
        assert_true(sl_mesh_get_part(mesh, 2 * i, &part));
        assert_string_equal(part.node, names[i]);
        assert_string_equal(part.name, names[i]);
        assert_string_equal(part.material, "red");
        assert_int_equal(part.node_index, numbers[i]);
        assert_int_equal(part.first, 4 * i);
        assert_int_equal(part.count, 1);
        assert_true(sl_mesh_get_part(mesh, 2 * i + 1, &part));
        assert_string_equal(part.material, "");
        assert_int_equal(part.count, 3);
        assert_int_equal(sl_mesh_part_of(mesh, 4 * i + 3), 2 * i + 1);
    }
}

TEST(a_file_without_scenes_is_all_of_its_roots)
{
    sl_mesh *mesh = glb_load("\"nodes\":[{\"mesh\":0},{\"children\":[0]},{\"mesh\":0}],\"meshes\":["
                             "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                             "\"accessors\":[" POSITIONS "],\"bufferViews\":[{\"buffer\":0,"
                             "\"byteLength\":48}],\"buffers\":[{\"byteLength\":48}]",
                             &a_square, 48);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 2);
    sl_mesh_part part;
    assert_true(sl_mesh_get_part(mesh, 0, &part));
    assert_int_equal(part.node_index, 0);
    sl_mesh_destroy(mesh);
    mesh = glb_load("\"nodes\":[]", NULL, 0);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 0);
    sl_mesh_destroy(mesh);
}

/* Two instances: at (1, 0, 0), and doubled at (2, 0, 0); within a node at z = 7. */
TEST(instances_of_a_node_are_flattened)
{
    struct {
        square square;
        float where[2][3], scale[2][3];
    } data = { a_square, { { 1, 0, 0 }, { 2, 0, 0 } }, { { 1, 1, 1 }, { 2, 2, -2 } } };
    OWN(sl_mesh) mesh = glb_load(
        "\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"]," SCENE(
            "{\"mesh\":0,\"translation\":[0,0,7],\"extensions\":{\"EXT_mesh_gpu_instancing\":{"
            "\"attributes\":{\"TRANSLATION\":1,\"SCALE\":2}}}}",
            "{\"attributes\":{\"POSITION\":0}}",
            POSITIONS ",{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"
                      "{\"bufferView\":1,\"byteOffset\":24,\"componentType\":5126,\"count\":2,"
                      "\"type\":\"VEC3\"}",
            "{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":104,\"byteLength\":48}",
            "152"),
        &data, sizeof data);
    sli_case_triangles(mesh, 2, (const uint32_t[][3]){ { 0, 1, 2 }, { 4, 6, 5 } });
    sli_case_vertex(mesh, 2, 2, 1, 7);
    sli_case_vertex(mesh, 6, 4, 2, 7);
}

TEST(text_with_a_data_uri_is_read)
{
    /* Zeros but for 1.0 (00 00 80 3F) as x of vertex 1 and y of vertex 2. */
    static const char json[] =
        "\xEF\xBB\xBF \n{\"asset\":{\"version\":\"2.0\"},\n\"nodes\":[{\"mesh\":0}],\"meshes\":["
        "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":3.0,\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/gltf-buffer"
        ";base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}";
    sl_mesh *mesh = sli_case_load_text(json, "a.gltf");
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 1);
    sli_case_vertex(mesh, 1, 1, 0, 0);
    sli_case_vertex(mesh, 2, 0, 1, 0);
    assert_string_equal(sl_mesh_get_info(mesh).format, "gltf");
    sl_mesh_destroy(mesh);
    mesh = sli_case_load_text(json, "told by its content");
    sl_mesh_destroy(mesh);
}

/* 10000000.5 is no float; relative to the centre it is. */
TEST(far_scenes_are_recentred_in_double_precision)
{
    static const char json[] = "{\"asset\":{\"version\":\"2.0\"}," SQUARE(
        "{\"mesh\":0,\"translation\":[100000000.5,0,0]}") "}";
    UNDONE(glb_free) glb file = glb_make(json, &a_square, sizeof a_square);
    sl_mesh_def def = { .formats = sl_io_formats(), .recentre = true };
    OWN(sl_mesh) mesh = sli_case_load(file.bytes, file.size, NULL, &def);
    assert_float_equal(sl_mesh_get_info(mesh).origin[0], 100000001.0, 0.0);
    sli_case_vertex(mesh, 0, -0.5f, -0.5f, 0);
}

static bool stop_at_once(void *user, const char *stage, float fraction)
{
    (void)stage;
    assert_true(fraction >= *(float *)user && fraction <= 1.0f);
    *(float *)user = fraction;
    return fraction < 0.4f;
}

TEST(loading_can_be_stopped)
{
    enum { COUNT = 300000 };
    float *xyz = made_zeros(COUNT, 3 * sizeof(float));
    UNDONE(glb_free)
    glb file = glb_make("{\"asset\":{\"version\":\"2.0\"}," SCENE(
                            "{\"mesh\":0}", "{\"attributes\":{\"POSITION\":0}}",
                            "{\"bufferView\":0,\"componentType\":5126,\"count\":300000,\"type\":"
                            "\"VEC3\"}",
                            "{\"buffer\":0,\"byteLength\":3600000}", "3600000") "}",
                        xyz, COUNT * 3 * sizeof(float));
    free(xyz);
    sl_mesh_def def = { 0 };
    float last = 0.0f;
    def.formats = sl_io_formats();
    def.hooks.progress = (sl_progress){ .report = stop_at_once, .user = &last };
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_load_memory(file.bytes, file.size, NULL, &def, &mesh, NULL),
                     SL_CANCELLED);
    assert_null(mesh);
    assert_true(last >= 0.4f && last < 1.0f);
}
