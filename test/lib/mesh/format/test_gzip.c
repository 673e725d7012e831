/* lib/mesh/format/gzip.c: compressed files of every format */
#include "test/support/input/glb.h"
#include "test/support/input/io_formats.h"
#include "test/support/test.h"

#include <zlib.h>

static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/* A member of gzip; from malloc. */
static uint8_t *pack(const void *bytes, size_t size, size_t *packed)
{
    z_stream stream = { 0 };
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    const size_t room = deflateBound(&stream, (uLong)size);
    uint8_t *out = made_memory(room);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    *packed = room - stream.avail_out;
    deflateEnd(&stream);
    return out;
}

static sl_mesh *load_packed(const void *bytes, size_t size, const char *name)
{
    size_t packed;
    FREED uint8_t *file = pack(bytes, size, &packed);
    return sli_case_load(file, packed, name, NULL);
}

TEST_ONCE(with_io_formats, NULL);

TEST(all_formats_are_unpacked)
{
    static const struct {
        const char *text, *format;
    } cases[] = {
        { obj, "obj" },
        { "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "off" },
        { "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
          "float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n"
          "1 0 0\n0 1 0\n3 0 1 2\n",
          "ply" },
        { "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
          "endloop\nendfacet\nendsolid a\n",
          "stl" },
        { "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
          "\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"componentType\":5126,\"count\":3,"
          "\"type\":\"VEC3\"}]}",
          "gltf" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        OWN(sl_mesh) mesh = load_packed(cases[i].text, strlen(cases[i].text), "stdin");
        assert_int_equal(sl_mesh_soup(mesh).triangle_count, 1);
        assert_string_equal(sl_mesh_get_info(mesh).format, cases[i].format);
    }
}

/* Nothing in these bytes says what they are, so that the name decides, without .gz. */
TEST(the_name_counts_without_its_ending)
{
    static const char comment[] = "# nothing\n";
    sl_mesh *mesh = load_packed(comment, sizeof comment - 1, "a.OBJ.GZ");
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 0);
    sl_mesh_destroy(mesh);
    size_t size;
    FREED uint8_t *file = pack(comment, sizeof comment - 1, &size);
    sli_case_refuse(file, size, "a.gz", SL_UNSUPPORTED);
}

TEST(errors_tell_lines_of_the_text)
{
    static const char bad[] = "v 0 0 0\nv 1 0 0\nf 1 2 3\n";
    size_t size;
    FREED uint8_t *file = pack(bad, sizeof bad - 1, &size);
    const sl_error error = sli_case_refuse(file, size, "a.obj.gz", SL_BAD_INDEX);
    assert_int_equal(error.line, 3);
}

/* gzip files may be put one behind the other, and tapes fill up with zeros. */
TEST(members_are_joined)
{
    size_t first, second;
    uint8_t *one = pack(obj, 10, &first), *two = pack(obj + 10, sizeof obj - 11, &second);
    uint8_t file[1024] = { 0 };
    memcpy(file, one, first);
    memcpy(file + first, two, second);
    for (size_t zeros = 0; zeros < 20; zeros += 5) {
        OWN(sl_mesh) mesh = sli_case_load(file, first + second + zeros, "a.gz", NULL);
        assert_int_equal(sl_mesh_soup(mesh).triangle_count, 1);
    }
    file[first + second + 3] = 7;
    const sl_error error = sli_case_refuse(file, first + second + 30, "a.gz", SL_BAD_DATA);
    assert_non_null(strstr(error.message, "gzip: "));
    free(one);
    free(two);
}

TEST(a_file_within_a_file_within_a_file_is_refused)
{
    size_t once, twice;
    FREED uint8_t *one = pack(obj, sizeof obj - 1, &once);
    FREED uint8_t *two = pack(one, once, &twice);
    const sl_error error = sli_case_refuse(two, twice, "a.obj.gz", SL_UNSUPPORTED);
    assert_non_null(strstr(error.message, "gzip-compressed data"));
}

/* 400 MB of zeros in 400 KB: refused by what the file says of itself, and where that is a lie, too.
 */
TEST(what_comes_of_a_file_is_bounded)
{
    enum { SIZE = 400 << 20 };
    void *zeros = made_zeros(1, SIZE);
    size_t size;
    FREED uint8_t *file = pack(zeros, SIZE, &size);
    free(zeros);
    for (int lie = 0; lie < 2; lie++) {
        sli_failing_allocator memory;
        sl_mesh_def def = { 0 };
        sl_mesh *mesh = NULL;
        sl_error error;
        def.formats = sl_io_formats();
        def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        assert_int_equal(sl_mesh_load_memory(file, size, "a.gz", &def, &mesh, &error),
                         SL_TOO_LARGE);
        assert_non_null(strstr(error.message, "come of it"));
        assert_true(memory.peak_bytes <= ((size_t)64 << 20) + 40 * size);
        assert_int_equal(memory.live_blocks, 0);
        memset(file + size - 4, 0, 4);
    }
}

TEST(limits_of_the_caller_hold_for_what_comes_of_it)
{
    size_t size;
    uint8_t *file = pack(obj, sizeof obj - 1, &size);
    sl_mesh_def def = { 0 };
    sl_mesh *mesh = NULL;
    def.formats = sl_io_formats();
    def.max_memory = 40;
    assert_int_equal(sl_mesh_load_memory(file, size, "a.gz", &def, &mesh, NULL), SL_TOO_LARGE);
    free(file);
    char spaces[4096];
    memset(spaces, ' ', sizeof spaces);
    memcpy(spaces, obj, sizeof obj - 1);
    file = pack(spaces, sizeof spaces, &size);
    def.max_memory = 0;
    def.max_file_size = 4095;
    sl_error error;
    assert_int_equal(sl_mesh_load_memory(file, size, "a.gz", &def, &mesh, &error), SL_TOO_LARGE);
    assert_non_null(strstr(error.message, "4096 bytes when unpacked"));
    free(file);
}

TEST(hostile_variants_are_survived)
{
    size_t size;
    FREED uint8_t *file = pack(obj, sizeof obj - 1, &size);
    sli_case_hostile(file, size, "a.obj.gz");
    const sl_error error = sli_case_refuse(file, size - 1, NULL, SL_BAD_DATA);
    assert_non_null(strstr(error.message, "ends in the middle"));
    file[size - 5] ^= 1;
    const sl_error sum = sli_case_refuse(file, size, NULL, SL_BAD_DATA);
    assert_non_null(strstr(sum.message, "gzip: incorrect data check"));
}
