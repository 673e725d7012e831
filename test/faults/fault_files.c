#include "test/faults/fault_files.h"
#include "test/support/test.h"

#include "test/support/environment/folder.h"
#include "test/support/input/glb.h"

#include <sys/stat.h>
#include <zlib.h>

enum { MOST_FILES = 40, GRID = 12, NODES = 30, FROM_SOURCES = 12 };

static fault_file files[MOST_FILES];
static size_t file_count;

static void add(const char *name, const void *bytes, size_t size)
{
    assert_true(file_count < MOST_FILES);
    files[file_count++] = (fault_file){ name, bytes, size };
    put(in_folder(name), bytes, size);
}

/* ---- Those of the sources */

static void add_source(const char *name, const char *path)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s/test/%s", SOURCE_DIR, path);
    FILE *file = fopen(whole, "rb");
    assert_non_null(file);
    uint8_t *bytes = made_memory(1 << 16);
    const size_t size = fread(bytes, 1, 1 << 16, file);
    fclose(file);
    assert_true(size > 0 && size < 1 << 16);
    add(name, bytes, size);
}

static void add_sources(void)
{
    static const char *const sources[FROM_SOURCES][2] = {
        { "cube.obj", "data/cube.obj" },
        { "cube.off", "data/cube.off" },
        { "cube.ply", "data/cube.ply" },
        { "cube.stl", "data/cube.stl" },
        { "relative.obj", "fuzz/corpus/obj/relative.obj" },
        { "attributes.obj", "fuzz/corpus/obj/attributes.obj" },
        { "colours.off", "fuzz/corpus/off/colours.off" },
        { "lists.ply", "fuzz/corpus/ply/lists.ply" },
        { "strips_big.ply", "fuzz/corpus/ply/strips_big.ply" },
        { "strips_little.ply", "fuzz/corpus/ply/strips_little.ply" },
        { "text.stl", "fuzz/corpus/stl/text.stl" },
        { "two.stl", "fuzz/corpus/stl/two.stl" },
    };
    for (int i = 0; i < FROM_SOURCES; i++) {
        add_source(sources[i][0], sources[i][1]);
    }
}

/* ---- A grid whose arrays grow several times, in parts with names */

static void add_grid(void)
{
    const size_t room = 1 << 16;
    char *text = made_memory(room);
    int used = 0;
    for (int y = 0; y <= GRID; y++) {
        for (int x = 0; x <= GRID; x++) {
            used += snprintf(text + used, room - (size_t)used, "v %d %d %d\n", x, y, x * y % 3);
        }
    }
    for (int y = 0; y < GRID; y++) {
        used += snprintf(text + used, room - (size_t)used, "o row_%d\nusemtl m%d\n", y, y % 5);
        for (int x = 0; x < GRID; x++) {
            const int corner = y * (GRID + 1) + x + 1;
            used += snprintf(text + used, room - (size_t)used, "f %d %d %d %d\n", corner,
                             corner + 1, corner + GRID + 2, corner + GRID + 1);
        }
    }
    add("grid.obj", text, (size_t)used);
}

/* ---- glTF */

#define HEAD     "{\"asset\":{\"version\":\"2.0\"},"
#define TRIANGLE "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}"
#define MESH                                                                                       \
    "\"meshes\":[{\"name\":\"shape\",\"primitives\":"                                              \
    "[{\"attributes\":{\"POSITION\":0}}]}],"
/* Zeros but for 1.0 (00 00 80 3F) as x of vertex 1 and y of vertex 2. */
#define DATA                                                                                       \
    "\"uri\":\"data:application/gltf-buffer;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAA" \
    "AA\""

static const float corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };

static void add_gltf_texts(void)
{
    static const char inner[] = HEAD "\"nodes\":[{\"mesh\":0}]," MESH "\"accessors\":[" TRIANGLE
                                     "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
                                     "\"buffers\":[{\"byteLength\":36," DATA "}]}";
    static const char outer[] =
        HEAD "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":"
             "0}},{\"attributes\":{\"POSITION\":1}}]}],\"accessors\":[" TRIANGLE
             ",{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":1,\"byteLength\":36}],"
             "\"buffers\":[{\"byteLength\":36,\"uri\":\"corners.bin\"},"
             "{\"byteLength\":36,\"uri\":\"below/corners.bin\"}]}";
    assert_int_equal(mkdir(in_folder("below"), 0700), 0);
    put(in_folder("corners.bin"), corners, sizeof corners);
    put(in_folder("below/corners.bin"), corners, sizeof corners);
    add("data.gltf", inner, sizeof inner - 1);
    add("beside.gltf", outer, sizeof outer - 1);
}

/* A chain of nodes with names, whose last has a mesh with sparse positions. */
static void add_glb(void)
{
    static const struct {
        float xyz[9], values[3];
        uint16_t where[2];
    } data = { { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 5, 6, 7 }, { 1, 0 } };
    char json[8192];
    int used = snprintf(json, sizeof json, HEAD "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[");
    for (int i = 0; i < NODES; i++) {
        used += snprintf(json + used, sizeof json - (size_t)used,
                         "{\"name\":\"node %d\",\"translation\":[%d,0,1],\"mesh\":0,"
                         "\"children\":[%d]},",
                         i, i, i + 1);
    }
    snprintf(json + used, sizeof json - (size_t)used,
             "{\"mesh\":0}]," MESH
             "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"
             "\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":2,\"componentType\":"
             "5123},\"values\":{\"bufferView\":1}}}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,"
             "\"byteLength\":12},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":2}],"
             "\"buffers\":[{\"byteLength\":52}]}");
    const glb file = glb_make(json, &data, sizeof data);
    add("nodes.glb", file.bytes, file.size);
}

/* ---- All of them again, packed */

static void add_packed(const fault_file *file)
{
    z_stream stream = { 0 };
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    const size_t room = deflateBound(&stream, (uLong)file->size);
    uint8_t *out = malloc(room);
    char *name = malloc(strlen(file->name) + 4);
    assert_true(out != NULL && name != NULL);
    sprintf(name, "%s.gz", file->name);
    stream.next_in = (Bytef *)(uintptr_t)file->bytes;
    stream.avail_in = (uInt)file->size;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    add(name, out, room - stream.avail_out);
}

const fault_file *fault_files(size_t *count)
{
    if (file_count == 0) {
        add_sources();
        add_grid();
        add_gltf_texts();
        add_glb();
        for (size_t i = 0, plain = file_count; i < plain; i++) {
            add_packed(&files[i]);
        }
    }
    *count = file_count;
    return files;
}
