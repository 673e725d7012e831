/* lib/mesh/gltf/meshopt.c */
#include "test/support/input/glb.h"
#include "test/support/input/io_formats.h"
#include "test/support/test.h"

#include <meshoptimizer.h>

#define EXTENSION(length, count, stride, mode, more)                                               \
    "\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":" length             \
    ",\"count\":" count ",\"byteStride\":" stride ",\"mode\":\"" mode "\"" more "}}"
#define BEGIN                                                                                      \
    "\"extensionsRequired\":[\"EXT_meshopt_compression\"],\"nodes\":[{\"mesh\":0}],\"meshes\":[{"  \
    "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\"accessors\":[{"          \
    "\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":1,"    \
    "\"componentType\":5125,\"count\":6,\"type\":\"SCALAR\"}],\"bufferViews\":["

static const float square[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } };
static const unsigned indices[6] = { 0, 1, 2, 2, 1, 3 };

typedef struct packed {
    unsigned char bytes[512];
    size_t vertices, size;
} packed;

static packed pack(bool triangles)
{
    packed out = { 0 };
    meshopt_encodeIndexVersion(1);
    out.vertices = meshopt_encodeVertexBuffer(out.bytes, 256, square, 4, 12);
    out.size = out.vertices +
               (triangles ? meshopt_encodeIndexBuffer(out.bytes + out.vertices, 256, indices, 6)
                          : meshopt_encodeIndexSequence(out.bytes + out.vertices, 256, indices, 6));
    return out;
}

/* what may change: the count, stride and mode of the indices, and a filter of the vertices */
static void write_json(char *json, size_t room, const packed *data, const char *count,
                       const char *stride, const char *mode, const char *filter)
{
    snprintf(json, room,
             BEGIN "{\"buffer\":1,\"byteLength\":48,"
                   "\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":%zu,"
                   "\"count\":4,\"byteStride\":12,\"mode\":\"ATTRIBUTES\"%s}}},"
                   "{\"buffer\":1,\"byteOffset\":48,\"byteLength\":24,"
                   "\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteOffset\":%zu,"
                   "\"byteLength\":%zu,\"count\":%s,\"byteStride\":%s,\"mode\":\"%s\"}}}],"
                   "\"buffers\":[{\"byteLength\":%zu},{\"byteLength\":72,\"extensions\":{"
                   "\"EXT_meshopt_compression\":{\"fallback\":true}}}]",
             data->vertices, filter, data->vertices, data->size - data->vertices, count, stride,
             mode, data->size);
}

TEST_ONCE(with_io_formats, NULL);

TEST(compressed_views_are_read)
{
    for (int triangles = 0; triangles < 2; triangles++) {
        const packed data = pack(triangles != 0);
        char json[2048];
        write_json(json, sizeof json, &data, "6", "4", triangles ? "TRIANGLES" : "INDICES", "");
        OWN(sl_mesh) mesh = glb_load(json, data.bytes, data.size);
        sli_case_triangles(mesh, 2, (const uint32_t[][3]){ { 0, 1, 2 }, { 2, 1, 3 } });
        sli_case_vertex(mesh, 2, 1, 1, 0);
    }
}

typedef union elements {
    int8_t narrow[3][4];
    int16_t wide[3][4];
    float floats[3][3];
} elements;

/* A triangle of elements that a filter made; mesh may be NULL: they are refused. */
static void load_filtered(const char *filter, const char *type, size_t stride,
                          const elements *filtered, sl_mesh **mesh)
{
    unsigned char bytes[256];
    char json[1024];
    const size_t size = meshopt_encodeVertexBuffer(bytes, sizeof bytes, filtered, 3, stride);
    assert_true(size > 0);
    snprintf(json, sizeof json,
             "\"extensionsRequired\":[\"EXT_meshopt_compression\",\"KHR_mesh_quantization\"],"
             "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
             "\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":%s,\"count\""
             ":3,\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":1,\"byteLength\":%zu,"
             "\"byteStride\":%zu,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
             "\"byteLength\":%zu,\"count\":3,\"byteStride\":%zu,\"mode\":\"ATTRIBUTES\",\"filter\""
             ":\"%s\"}}}],\"buffers\":[{\"byteLength\":%zu},{\"byteLength\":%zu,\"extensions\":{"
             "\"EXT_meshopt_compression\":{\"fallback\":true}}}]",
             type, 3 * stride, stride, size, stride, filter, size, 3 * stride);
    if (mesh == NULL) {
        const sl_error error = glb_refuse(json, bytes, size, SL_BAD_DATA);
        assert_non_null(strstr(error.message, "no filter"));
    } else {
        *mesh = glb_load(json, bytes, size);
    }
}

TEST(filters_are_undone)
{
    const float units[12] = { 0, 0, 1, 0, 0.6f, 0.8f, 0, 0, 0, -1, 0, 0 };
    const float turns[12] = { 0, 0, 0, 1, 0.6f, 0, 0, 0.8f, 0.5f, 0.5f, 0.5f, 0.5f };
    const float numbers[9] = { 0, 0, 0, 1, 2, 4, 0, 8, 0 };
    elements e, f;
    sl_mesh *mesh;

    meshopt_encodeFilterOct(&e, 3, 4, 8, units);
    load_filtered("QUATERNION", "5120", 4, &e, NULL);
    load_filtered("OCTAHEDRAL", "5120", 4, &e, &mesh);
    sli_case_vertex(mesh, 0, 0, 0, 127);
    sli_case_vertex(mesh, 2, 0, -127, 0);
    sl_mesh_destroy(mesh);

    meshopt_encodeFilterOct(&e, 3, 8, 16, units);
    load_filtered("OCTAHEDRAL", "5122", 8, &e, &mesh);
    sli_case_vertex(mesh, 0, 0, 0, 32767);
    sli_case_vertex(mesh, 2, 0, -32767, 0);
    sl_mesh_destroy(mesh);

    meshopt_encodeFilterQuat(&e, 3, 8, 16, turns);
    f = e;
    meshopt_decodeFilterQuat(&f, 3, 8);
    assert_memory_not_equal(&e, &f, sizeof f.wide);
    load_filtered("QUATERNION", "5122", 8, &e, &mesh);
    for (uint32_t i = 0; i < 3; i++) {
        sli_case_vertex(mesh, i, f.wide[i][0], f.wide[i][1], f.wide[i][2]);
    }
    sl_mesh_destroy(mesh);

    meshopt_encodeFilterExp(&e, 3, 12, 15, numbers);
    load_filtered("OCTAHEDRAL", "5126", 12, &e, NULL);
    load_filtered("EXPONENTIAL", "5126", 12, &e, &mesh);
    sli_case_vertex(mesh, 1, 1, 2, 4);
    sli_case_vertex(mesh, 2, 0, 8, 0);
    sl_mesh_destroy(mesh);
}

TEST(lies_about_compressed_views_are_refused)
{
    static const struct {
        const char *count, *stride, *mode, *filter;
        sl_result code;
        const char *words;
    } cases[] = {
        { "6", "3", "TRIANGLES", "", SL_BAD_DATA, "no mode 'TRIANGLES' for 6 elements of 3 bytes" },
        { "7", "4", "TRIANGLES", "", SL_BAD_DATA, "no mode 'TRIANGLES' for 7 elements" },
        { "6", "4", "THINGS", "", SL_BAD_DATA, "no mode 'THINGS'" },
        { "6", "0", "ATTRIBUTES", "", SL_BAD_DATA, "no mode 'ATTRIBUTES'" },
        { "6", "257", "ATTRIBUTES", "", SL_TOO_LARGE, "'byteStride' is 257" },
        { "6", "4", "ATTRIBUTES", "", SL_BAD_DATA, "not what EXT_meshopt_compression makes" },
        { "4000000000", "4", "INDICES", "", SL_TOO_LARGE, "bytes of memory" },
        { "6", "4", "TRIANGLES", ",\"filter\":\"OCTAHEDRAL\"", SL_BAD_DATA,
          "no filter 'OCTAHEDRAL' for elements of 12 bytes" },
        { "6", "4", "TRIANGLES", ",\"filter\":1", SL_BAD_DATA, "'filter' is a number" },
        { "6", "4", "TRIANGLES", ",\"byteOffset\":400", SL_BAD_DATA, "are not all in buffers[0]" },
        { "3", "4", "TRIANGLES", "", SL_BAD_DATA, "" },
    };
    const packed data = pack(true);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char json[2048];
        write_json(json, sizeof json, &data, cases[i].count, cases[i].stride, cases[i].mode,
                   cases[i].filter);
        const sl_error error = glb_refuse(json, data.bytes, data.size, cases[i].code);
        if (strstr(error.message, cases[i].words) == NULL) {
            fail_msg("'%s' is not in '%s'", cases[i].words, error.message);
        }
    }
}

TEST(hostile_variants_are_survived)
{
    const packed data = pack(true);
    char json[2048], whole[2200];
    write_json(json, sizeof json, &data, "6", "4", "TRIANGLES", ",\"filter\":\"EXPONENTIAL\"");
    snprintf(whole, sizeof whole, "{\"asset\":{\"version\":\"2.0\"},%s}", json);
    UNDONE(glb_free) glb file = glb_make(whole, data.bytes, data.size);
    sli_case_hostile(file.bytes, file.size, "a.glb");
}
