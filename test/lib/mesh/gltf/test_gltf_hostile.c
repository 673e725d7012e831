/* lib/mesh/gltf*.c: files that lie, and words about them */
#include "test/support/input/glb.h"
#include "test/support/input/io_formats.h"
#include "test/support/test.h"

/* What is told of a byte that no memory has: addresses of 32 bits do not name it at all. */
#if SIZE_MAX > UINT32_MAX
#define FAR_AWAY(words) SL_BAD_DATA, words
#else
#define FAR_AWAY(words) SL_TOO_LARGE, "'byteOffset' is 9223372036854775807; at most"
#endif

#include <jansson.h>

#define VEC3   "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}"
#define VIEW   "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
#define BUFFER "\"buffers\":[{\"byteLength\":36}]"
#define MESH                                                                                       \
    "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
#define ACCESSOR "\"accessors\":[{\"bufferView\":0," VEC3 "],"
#define GOOD     MESH ACCESSOR VIEW BUFFER
#define INDEXED                                                                                    \
    "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"      \
    "\"indices\":1}]}],\"accessors\":[{\"bufferView\":0," VEC3 ","

static const float corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };

typedef struct lie {
    const char *json;
    sl_result code;
    const char *words;
} lie;

static void expect(const lie *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const sl_error error = glb_refuse(cases[i].json, corners, sizeof corners, cases[i].code);
        if (strstr(error.message, cases[i].words) == NULL) {
            fail_msg("'%s' is not in '%s'", cases[i].words, error.message);
        }
        assert_true(error.byte >= 0);
    }
}

#define EXPECT(cases) expect(cases, sizeof(cases) / sizeof(cases)[0])

TEST_ONCE(with_io_formats, NULL);

TEST(the_good_one_is_good)
{
    OWN(sl_mesh) mesh = glb_load(GOOD, corners, sizeof corners);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 1);
}

TEST(lies_about_nodes_are_refused)
{
    static const lie cases[] = {
        { "\"nodes\":[{\"children\":[1]},{\"children\":[2]},{\"children\":[1]}]", SL_BAD_DATA,
          "nodes[2]: its child nodes[1] is one of nodes[0] already" },
        { "\"nodes\":[{},{\"children\":[2]},{\"children\":[1]}]", SL_BAD_DATA,
          "it is its own ancestor" },
        { "\"nodes\":[{\"children\":[0]}]", SL_BAD_DATA, "nodes[0]: it is its own ancestor" },
        { "\"nodes\":[{\"children\":[1,1]},{}]", SL_BAD_DATA, "is one of nodes[0] already" },
        { "\"nodes\":[{\"children\":[-1]}]", SL_BAD_INDEX, "'children' is -1" },
        { "\"nodes\":[{\"children\":[\"a\"]}]", SL_BAD_DATA, "'children' is a text" },
        { "\"nodes\":[{\"children\":0}]", SL_BAD_DATA,
          "'children' is a number instead of an array" },
        { "\"nodes\":[[]]", SL_BAD_DATA, "nodes[0]: an array instead of an object" },
        { "\"nodes\":{}", SL_BAD_DATA, "'nodes' is an object instead of an array" },
        { "\"nodes\":[{\"mesh\":0}]", SL_BAD_INDEX, "there are 0 meshes" },
        { "\"nodes\":[{\"scale\":[1,1]}]", SL_BAD_DATA, "'scale' has 2 numbers instead of 3" },
        { "\"nodes\":[{\"scale\":[1,1,null]}]", SL_BAD_DATA, "'scale' holds null" },
        { "\"nodes\":[{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]}]", SL_BAD_DATA,
          "last row of 'matrix'" },
        { "\"nodes\":[{\"matrix\":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}]", SL_BAD_DATA,
          "last row of 'matrix'" },
        { "\"nodes\":[{\"matrix\":[1,0,0,0,0,1,0,1,0,0,1,0,0,0,0,1]}]", SL_BAD_DATA,
          "last row of 'matrix'" },
        { "\"nodes\":[{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,1,0,0,0,1]}]", SL_BAD_DATA,
          "last row of 'matrix'" },
        { "\"nodes\":[{\"matrix\":[1,0,0,0]}]", SL_BAD_DATA,
          "'matrix' has 4 numbers instead of 16" },
        { "\"nodes\":[{\"translation\":1}]", SL_BAD_DATA, "'translation' is a number" },
        { "\"nodes\":[{\"rotation\":[0,0,1]}]", SL_BAD_DATA,
          "'rotation' has 3 numbers instead of 4" },
        { "\"nodes\":[{\"translation\":[1e999,0,0]}]", SL_BAD_DATA, "JSON: real number overflow" },
        { "\"nodes\":[{\"children\":[1]},{}],\"scenes\":[{\"nodes\":[1]}]", SL_BAD_DATA,
          "is a root of it, but also a child of nodes[0]" },
        { "\"nodes\":[{}],\"scenes\":[{\"nodes\":[0,0]}]", SL_BAD_DATA, "names nodes[0] twice" },
        { "\"nodes\":[{}],\"scenes\":[{\"nodes\":[1]}]", SL_BAD_INDEX, "there are 1 nodes" },
        { "\"scene\":1,\"scenes\":[{}]", SL_BAD_INDEX, "'scene' is 1" },
    };
    EXPECT(cases);
}

TEST(lies_about_meshes_are_refused)
{
    static const lie cases[] = {
        { "\"nodes\":[{\"mesh\":0}],\"meshes\":[{}]", SL_BAD_DATA, "'primitives' is missing" },
        { "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[0]}]", SL_BAD_DATA,
          "meshes[0].primitives[0]: it is no object" },
        { "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{}]}]", SL_BAD_DATA,
          "'attributes' is missing" },
        { "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"mode\":7,\"attributes\":{}}]}]",
          SL_BAD_DATA, "'mode' is 7" },
        { MESH "\"accessors\":[]", SL_BAD_INDEX, "'POSITION' is 0, but there are 0 accessors" },
        { MESH "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"
               "\"VEC4\"}]," VIEW BUFFER,
          SL_BAD_DATA, "need 48 bytes" },
        { MESH "\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}]",
          SL_BAD_DATA, "are no VEC3" },
        { MESH "\"accessors\":[{\"componentType\":5125,\"count\":3,\"type\":\"VEC3\"}]",
          SL_BAD_DATA, "are no VEC3" },
        { INDEXED "{\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"}]," VIEW BUFFER,
          SL_BAD_DATA, "are no SCALAR" },
        { INDEXED "{\"componentType\":5122,\"count\":3,\"type\":\"SCALAR\"}]," VIEW BUFFER,
          SL_BAD_DATA, "are no SCALAR" },
        { INDEXED "{\"componentType\":5123,\"count\":3,\"type\":\"VEC3\"}]," VIEW BUFFER,
          SL_BAD_DATA, "are no SCALAR" },
        /* 1.0 as three indices of 16 bits: 0, 16256, 0 */
        { INDEXED "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5123,\"count\":3,\"type\":"
                  "\"SCALAR\"}]," VIEW BUFFER,
          SL_BAD_INDEX, "names index 16256 of meshes[0].primitives[0], which has 3 vertices" },
        { "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
          "\"extensions\":{\"KHR_draco_mesh_compression\":{}}}]}],\"accessors\":[{" VEC3 "]",
          SL_UNSUPPORTED, "KHR_draco_mesh_compression" },
    };
    EXPECT(cases);
}

TEST(lies_about_accessors_are_refused)
{
    static const lie cases[] = {
        { MESH "\"accessors\":[{\"count\":3,\"type\":\"VEC3\"}]", SL_BAD_DATA,
          "'componentType' is missing" },
        { MESH "\"accessors\":[{\"componentType\":5124,\"count\":3,\"type\":\"VEC3\"}]",
          SL_BAD_DATA, "'componentType' is 5124" },
        { MESH "\"accessors\":[{\"componentType\":5126,\"count\":3}]", SL_BAD_DATA,
          "'type' is missing" },
        { MESH "\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"V\\u001b\"}]",
          SL_BAD_DATA, "'type' is 'V?'" },
        { MESH "\"accessors\":[{\"componentType\":5126,\"count\":2.5,\"type\":\"VEC3\"}]",
          SL_BAD_DATA, "'count' is 2.5" },
        { MESH "\"accessors\":[{\"componentType\":5126,\"count\":\"3\",\"type\":\"VEC3\"}]",
          SL_BAD_DATA, "'count' is a text instead of a whole number" },
        { MESH "\"accessors\":[{\"componentType\":5126,\"count\":1e18,\"type\":\"VEC3\"}]",
          SL_BAD_DATA, "'count' is 1e+18" },
        { MESH "\"accessors\":[{\"componentType\":5126,\"count\":4294967295,\"type\":\"VEC3\"}]",
          SL_TOO_LARGE, "'count' is 4294967295" },
        { MESH "\"accessors\":[{\"componentType\":5126,\"normalized\":1,\"count\":3,\"type\":"
               "\"VEC3\"}]",
          SL_BAD_DATA, "'normalized' is a number instead of true or false" },
        { MESH "\"accessors\":[{\"bufferView\":0,\"byteOffset\":4," VEC3 "]," VIEW BUFFER,
          SL_BAD_DATA, "accessors[0]: its 3 elements need 36 bytes from byte 4 on" },
        { MESH "\"accessors\":[{\"bufferView\":0,\"byteOffset\":9223372036854775807," VEC3
               "]," VIEW BUFFER,
          FAR_AWAY("from byte 9223372036854775807 on") },
        { MESH "\"accessors\":[{\"bufferView\":1," VEC3 "]," VIEW BUFFER, SL_BAD_INDEX,
          "there are 1 bufferViews" },
        { MESH ACCESSOR
          "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36,\"byteStride\":8}]," BUFFER,
          SL_BAD_DATA, "do not fit the stride 8" },
        { MESH ACCESSOR
          "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36,\"byteStride\":16}]," BUFFER,
          SL_BAD_DATA, "need 44 bytes" },
        { MESH ACCESSOR "\"bufferViews\":[{\"buffer\":0,\"byteLength\":37}]," BUFFER, SL_BAD_DATA,
          "bytes 0 to 37 are not all in buffers[0], which has 36" },
        { MESH ACCESSOR "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":9223372036854775807,"
                        "\"byteLength\":36}]," BUFFER,
          FAR_AWAY("are not all in buffers[0]") },
        { MESH ACCESSOR "\"bufferViews\":[{\"byteLength\":36}]," BUFFER, SL_BAD_DATA,
          "'buffer' is missing" },
        { MESH ACCESSOR VIEW "\"buffers\":[{\"byteLength\":37}]", SL_BAD_DATA,
          "'byteLength' is 37, but there are only 36 bytes" },
        { MESH ACCESSOR VIEW "\"buffers\":[{}]", SL_BAD_DATA, "'byteLength' is missing" },
        { MESH ACCESSOR "\"bufferViews\":[{\"buffer\":1,\"byteLength\":36}],\"buffers\":[{"
                        "\"byteLength\":36},{\"byteLength\":36}]",
          SL_BAD_DATA, "buffers[1]: it has neither a URI nor" },
    };
    EXPECT(cases);
}

#define SPARSE(what)                                                                               \
    MESH "\"accessors\":[{\"sparse\":{" what "},\"bufferView\":0," VEC3 "]," VIEW BUFFER
#define VALUES ",\"values\":{\"bufferView\":0}"

TEST(lies_about_sparse_accessors_are_refused)
{
    static const lie cases[] = {
        { SPARSE("\"indices\":{}"), SL_BAD_DATA, "'count' is missing" },
        { SPARSE("\"count\":4"), SL_TOO_LARGE, "'count' is 4; at most 3" },
        { SPARSE("\"count\":1"), SL_BAD_DATA, "'indices' is missing" },
        { SPARSE("\"count\":1,\"indices\":{\"bufferView\":0,\"componentType\":5122}"), SL_BAD_DATA,
          "'componentType' is 5122" },
        { SPARSE("\"count\":1,\"indices\":{\"componentType\":5121}"), SL_BAD_DATA,
          "'bufferView' is missing" },
        { SPARSE("\"count\":1,\"indices\":{\"bufferView\":0,\"componentType\":5121}"), SL_BAD_DATA,
          "'values' is missing" },
        { SPARSE("\"count\":2,\"indices\":{\"bufferView\":0,\"componentType\":5121}" VALUES),
          SL_BAD_INDEX, "index 1 of its sparse elements is 0, which is not above the one before" },
        { SPARSE("\"count\":1,\"indices\":{\"bufferView\":0,\"byteOffset\":14,\"componentType\":"
                 "5121}" VALUES),
          SL_BAD_INDEX, "is 128, which is beyond the last element" },
    };
    EXPECT(cases);
}

/* The triangle, many times over; accessors[1] has two elements, accessors[2] one, accessors[3] no
 * type. */
#define INSTANCED(what)                                                                            \
    "\"nodes\":[{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":" what                     \
    "}}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]," ACCESSOR_AND          \
    "{\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"                                      \
    "{\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"},{\"count\":1,\"type\":\"VEC3\"}]"      \
    "," VIEW BUFFER
#define ACCESSOR_AND "\"accessors\":[{\"bufferView\":0," VEC3 ","

TEST(lies_about_instances_are_refused)
{
    static const lie cases[] = {
        { INSTANCED("1"), SL_BAD_DATA, "is a number instead of an object" },
        { INSTANCED("{\"attributes\":[]}"), SL_BAD_DATA,
          "'attributes' is an array instead of an object" },
        { INSTANCED("{\"attributes\":{\"TRANSLATION\":4}}"), SL_BAD_INDEX,
          "there are 4 accessors" },
        { INSTANCED("{\"attributes\":{\"TRANSLATION\":3}}"), SL_BAD_DATA,
          "accessors[3]: 'componentType' is missing" },
        { INSTANCED("{\"attributes\":{\"ROTATION\":1}}"), SL_BAD_DATA,
          "'ROTATION' is accessors[1], whose elements are no VEC4" },
        { INSTANCED("{\"attributes\":{\"TRANSLATION\":1,\"SCALE\":2}}"), SL_BAD_DATA,
          "different numbers of instances" },
    };
    EXPECT(cases);
}

TEST(lies_about_buffers_are_refused)
{
    static const struct {
        const char *uri;
        sl_result code;
        const char *words;
    } cases[] = {
        { "../a.bin", SL_UNSUPPORTED, "leads out of the file's folder" },
        { "a/../../b.bin", SL_UNSUPPORTED, "leads out of the file's folder" },
        { "%2e%2E/a.bin", SL_UNSUPPORTED, "leads out of the file's folder" },
        { "a/..", SL_UNSUPPORTED, "leads out of the file's folder" },
        { "/etc/passwd", SL_UNSUPPORTED, "begins with '/'" },
        { "%2Fetc/passwd", SL_UNSUPPORTED, "begins with '/'" },
        { "..\\\\a.bin", SL_UNSUPPORTED, "has a '\\'" },
        { "file:///etc/passwd", SL_UNSUPPORTED, "names a scheme" },
        { "https://example.org/a.bin", SL_UNSUPPORTED, "names a scheme" },
        { "C:a.bin", SL_UNSUPPORTED, "or a drive" },
        { "a%00.bin", SL_UNSUPPORTED, "%00" },
        { "a%2.bin", SL_UNSUPPORTED, "broken percent escape" },
        { "a%", SL_UNSUPPORTED, "broken percent escape" },
        { "a%0a.bin", SL_UNSUPPORTED, "control character" },
        { "", SL_UNSUPPORTED, "is empty" },
        { "data:text/plain,abc", SL_UNSUPPORTED, "without ';base64,'" },
        { "data:;base64", SL_UNSUPPORTED, "without ';base64,'" },
        { "data:;base64,AA!A", SL_BAD_DATA, "broken at character 2 of 4" },
        { "data:;base64,AAAAA", SL_BAD_DATA, "broken at character 5 of 5" },
        { "data:;base64,AAAA", SL_BAD_DATA, "there are only 3 bytes" },
        { "a.bin", SL_UNSUPPORTED, "only where the glTF is itself read from a file" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char json[1024];
        snprintf(json, sizeof json,
                 MESH ACCESSOR VIEW "\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}]",
                 cases[i].uri);
        const lie one = { json, cases[i].code, cases[i].words };
        expect(&one, 1);
    }
}

TEST(what_the_file_asks_for_is_refused_by_name)
{
    static const lie cases[] = {
        { "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]", SL_UNSUPPORTED,
          "requires the extension KHR_draco_mesh_compression" },
        { "\"extensionsRequired\":[\"KHR_materials_unlit\",\"ACME_\\nshape\"]", SL_UNSUPPORTED,
          "requires the extension ACME_?shape" },
        { "\"extensionsRequired\":[1]", SL_BAD_DATA, "something that is no text" },
        { "\"extensionsRequired\":\"a\"", SL_BAD_DATA, "instead of an array" },
    };
    EXPECT(cases);
    static const lie wholes[] = {
        { "{}", SL_BAD_DATA, "'asset' is missing" },
        { "[]", SL_BAD_DATA, "an array instead of an object" },
        { "{\"asset\":{}}", SL_BAD_DATA, "'version' is missing" },
        { "{\"asset\":{\"version\":2}}", SL_BAD_DATA, "'version' is a number" },
        { "{\"asset\":{\"version\":\"1.0\"}}", SL_UNSUPPORTED, "glTF of version 1.0" },
        { "{\"asset\":{\"version\":\"2.1\",\"minVersion\":\"2.1\"}}", SL_UNSUPPORTED,
          "glTF of version 2.1" },
        { "{\"asset\":{\"version\":\"2.0\"},\"asset\":{}}", SL_BAD_DATA, "duplicate object key" },
        { "{\"asset\":", SL_BAD_DATA, "JSON: " },
        { "{\"asset\":{\"version\":\"2.0\"}} {", SL_BAD_DATA, "end of file expected" },
    };
    for (size_t i = 0; i < sizeof wholes / sizeof wholes[0]; i++) {
        const sl_error error = sli_case_refuse_text(wholes[i].json, "a.gltf", wholes[i].code);
        assert_non_null(strstr(error.message, wholes[i].words));
        assert_int_equal(error.line, 1);
    }
    const sl_error error = sli_case_refuse_text(
        "{\"asset\":{\"version\":\"2.0\"},\n\"nodes\":[{},\n{},\n{\"mesh\":7}\n]}", "a.gltf",
        SL_BAD_INDEX);
    assert_int_equal(error.line, 4);
}

TEST(broken_containers_are_refused)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *words;
    } cases[] = {
        { "glTF\2\0\0\0", 8, "ends within its header" },
        { "glTF\1\0\0\0\14\0\0\0", 12, "GLB version 1" },
        { "glTF\2\0\0\0\377\0\0\0", 12, "says that it has 255 bytes, but there are only 12" },
        { "glTF\2\0\0\0\14\0\0\0", 12, "has no JSON chunk" },
        { "glTF\2\0\0\0\20\0\0\0abcd", 16, "goes beyond its end" },
        { "glTF\2\0\0\0\24\0\0\0\1\0\0\0JSON", 20, "goes beyond its end" },
        { "glTF\2\0\0\0\24\0\0\0\0\0\0\0BIN\0", 20, "first chunk of the GLB is not JSON" },
        { "glTF\2\0\0\0\34\0\0\0\0\0\0\0JSON\0\0\0\0JSON", 28, "second chunk of JSON" },
        { "glTF\2\0\0\0\44\0\0\0\0\0\0\0JSON\0\0\0\0BIN\0\0\0\0\0BIN\0", 36,
          "not its second chunk" },
        { "glTF\2\0\0\0\24\0\0\0\0\0\0\0JSON", 20, "JSON: " },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sl_mesh *mesh = NULL;
        sl_mesh_def def = { 0 };
        sl_error error = { 0 };
        def.formats = sl_io_formats();
        assert_int_not_equal(
            sl_mesh_load_memory(cases[i].bytes, cases[i].size, "a.glb", &def, &mesh, &error),
            SL_OK);
        assert_non_null(strstr(error.message, cases[i].words));
        assert_true(error.byte >= 0);
    }
}

/* A text of many equal pieces. */
static char *repeat(const char *begin, const char *piece, size_t count, const char *end)
{
    const size_t length = strlen(piece);
    char *text = made_memory(strlen(begin) + count * length + strlen(end) + 1);
    char *at = text + sprintf(text, "%s", begin);
    for (size_t i = 0; i < count; i++, at += length) {
        memcpy(at, piece, length);
    }
    strcpy(at, end);
    return text;
}

/* One mesh a million times, and an accessor of zeros without any bytes: small files of huge scenes.
 */
TEST(absurd_sizes_are_refused_before_they_are_made)
{
    char *json =
        repeat("\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{"
               "\"componentType\":5126,\"count\":30000,\"type\":\"VEC3\"}],\"nodes\":[{}",
               ",{\"mesh\":0}", 1000, "]");
    sl_error error = glb_refuse(json, corners, sizeof corners, SL_TOO_LARGE);
    assert_non_null(strstr(error.message, "bytes of memory"));
    free(json);
    static const lie cases[] = {
        { MESH "\"accessors\":[{\"componentType\":5126,\"count\":4000000000,\"type\":\"VEC3\"}]",
          SL_TOO_LARGE, "bytes of memory" },
        { "\"nodes\":[{\"mesh\":0},{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
          "\"POSITION\":0}}]}],\"accessors\":[{\"componentType\":5126,\"count\":4000000000,"
          "\"type\":\"VEC3\"}]",
          SL_TOO_LARGE, "8000000000 vertices" },
    };
    EXPECT(cases);
}

TEST(the_caller_may_allow_more_memory_or_less)
{
    FREED char *json =
        repeat("{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{"
               "\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"componentType\":"
               "5126,\"count\":30000,\"type\":\"VEC3\"}],\"nodes\":[{}",
               ",{\"mesh\":0}", 300, "]}");
    sl_mesh_def def = { .formats = sl_io_formats(), .max_memory = (size_t)400 << 20 };
    sl_mesh *mesh = sli_case_load(json, strlen(json), "a.gltf", &def);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 3000000);
    sl_mesh_destroy(mesh);
    def.max_memory = (size_t)1 << 20;
    mesh = NULL;
    assert_int_equal(sl_mesh_load_memory(json, strlen(json), NULL, &def, &mesh, NULL),
                     SL_TOO_LARGE);
}

/* Values of three bytes that a parser needs hundreds for. */
TEST(json_that_grows_is_refused)
{
    static const char *const pieces[] = { "[],", "{},", "\"\":0," };
    for (int i = 0; i < 2; i++) {
        char *json =
            repeat("{\"asset\":{\"version\":\"2.0\"},\"extras\":[", pieces[i], 2000000, "0]}");
        const sl_error error = sli_case_refuse_text(json, "a.gltf", SL_TOO_LARGE);
        assert_non_null(strstr(error.message, "bytes of memory"));
        free(json);
    }
    FREED char *deep = repeat("", "[", 1000000, "");
    sl_error error = sli_case_refuse_text(deep, "a.gltf", SL_TOO_LARGE);
    deep[100000] = '\0';
    error = sli_case_refuse_text(deep, "a.gltf", SL_BAD_DATA);
    assert_non_null(strstr(error.message, "maximum parsing depth"));
}

/* A chain of nodes that no recursion would survive. */
TEST(deep_scenes_are_walked)
{
    enum { DEPTH = 200000 };
    FREED char *json = made_memory(512 + 48 * (size_t)DEPTH);
    char *at = json + sprintf(json, "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":["
                                    "{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{"
                                    "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
                                    "\"nodes\":[");
    for (int i = 1; i < DEPTH; i++) {
        at += sprintf(at, "{\"children\":[%d],\"scale\":[1,1,1]},", i);
    }
    strcpy(at, "{\"mesh\":0}]}");
    OWN(sl_mesh) mesh = sli_case_load_text(json, "a.gltf");
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 1);
}

/* Everything that a reader looks at, in one small file. */
static const char much[] =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_materials_unlit\"],\"scene\":0,"
    "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"n\",\"children\":[1,2]},{\"mesh\":0,"
    "\"scale\":[-1,2,1],\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{"
    "\"TRANSLATION\":0}}}},{\"mesh\":1,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,1,2,3,1]}],"
    "\"materials\":[{\"name\":\"m\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}"
    ",\"indices\":1,\"material\":0}]},{\"name\":\"fan\",\"primitives\":[{\"attributes\":{"
    "\"POSITION\":2},\"mode\":6}]}],\"accessors\":[{\"bufferView\":0," VEC3
    ",{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"},{\"bufferView\":0,"
    "\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":1,\"byteOffset\":1,\"componentType\":5121}"
    ",\"values\":{\"bufferView\":2}}," VEC3 "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{"
    "\"buffer\":0,\"byteOffset\":36,\"byteLength\":4},{\"buffer\":1,\"byteLength\":12}],"
    "\"buffers\":[{\"byteLength\":40},{\"byteLength\":12,\"uri\":"
    "\"data:;base64,AAAAAAAAAAAAAIA/\"}]}";

static glb make_much(void)
{
    struct {
        float corners[9];
        uint8_t indices[4];
    } data = { .indices = { 0, 1, 2 } };
    memcpy(data.corners, corners, sizeof corners);
    return glb_make(much, &data, sizeof data);
}

TEST(hostile_variants_are_survived)
{
    UNDONE(glb_free) glb file = make_much();
    sl_mesh *mesh = sli_case_load(file.bytes, file.size, "a.glb", NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 4);
    sl_mesh_destroy(mesh);
    sli_case_hostile(file.bytes, file.size, "a.glb");
}

/* jansson takes its memory by itself, and tells some failures of that as bad syntax. */
static size_t fail_at, calls;

static void *failing_malloc(size_t size)
{
    return calls++ >= fail_at ? NULL : malloc(size);
}

TEST(failing_allocations_of_the_parser_are_survived)
{
    UNDONE(glb_free) glb file = make_much();
    sl_result result = SL_OUT_OF_MEMORY;
    size_t told = 0;
    json_set_alloc_funcs(failing_malloc, free);
    for (fail_at = 0; result != SL_OK; fail_at++) {
        calls = 0;
        sli_failing_allocator memory;
        sl_mesh_def def = { .formats = sl_io_formats(),
                            .hooks.allocator =
                                sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
        sl_mesh *mesh = NULL;
        sl_error error = { 0 };
        result = sl_mesh_load_memory(file.bytes, file.size, NULL, &def, &mesh, &error);
        assert_true((mesh != NULL) == (result == SL_OK));
        sl_mesh_destroy(mesh);
        assert_int_equal(memory.live_blocks, 0);
        assert_true(result == SL_OK || result == SL_OUT_OF_MEMORY || result == SL_BAD_DATA);
        told += result == SL_OUT_OF_MEMORY ? 1 : 0;
    }
    json_set_alloc_funcs(malloc, free);
    assert_true(told > 10);
    assert_true(fail_at > 100);
}
