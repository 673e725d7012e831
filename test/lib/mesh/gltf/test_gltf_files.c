/* lib/mesh/gltf/buffer.c and lib/base/file/below.c: the files that a glTF file names */
#include "test/support/test.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/sightline-gltf-XXXXXX";
static char path[128];

static const float corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* A file in inner/ that names the buffer. */
static void write_scene(const char *uri)
{
    char json[1024];
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\n\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives"
        "\":[{\"attributes\":{\"POSITION\":0}},{\"attributes\":{\"POSITION\":1}}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\""
        "},{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":1,\"byteLength\":36}],\n"
        "\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"},{\"byteLength\":36,\"uri\":\"%s\"}]}",
        uri, uri);
    write_file("inner/scene.gltf", json, strlen(json));
}

static sl_result load(size_t max_memory, sl_error *error)
{
    sli_failing_allocator memory;
    sl_mesh_def def = { .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL),
                        .formats = sl_io_formats(),
                        .max_memory = max_memory };
    sl_mesh *mesh = NULL;
    *error = (sl_error){ 0 };
    const sl_result result = sl_mesh_load(in_folder("inner/scene.gltf"), &def, &mesh, error);
    assert_true((mesh != NULL) == (result == SL_OK));
    assert_true(mesh == NULL || sl_mesh_soup(mesh).triangle_count == 2);
    sl_mesh_destroy(mesh);
    assert_true(sli_failing_allocator_clean(&memory));
    return result;
}

static void expect(const char *uri, sl_result code, const char *words)
{
    sl_error error;
    write_scene(uri);
    const sl_result result = load(0, &error);
    if (result != code || strstr(error.message, words) == NULL) {
        fail_msg("%s: %s: %s", uri, sl_result_name(result), error.message);
    }
    if (code != SL_OK) {
        assert_string_equal(error.file, in_folder("inner/scene.gltf"));
        assert_int_equal(error.line, 3);
    }
}

TEST(files_beside_and_below_are_read)
{
    expect("a%20b.bin", SL_OK, "");
    expect("a b.bin", SL_OK, "");
    expect("./a b.bin", SL_OK, "");
    expect("below/%C3%A9.bin", SL_OK, "");
}

TEST(nothing_else_is_read)
{
    expect("missing.bin", SL_NOT_FOUND, "'missing.bin' that it names is not there");
    expect("missing/a.bin", SL_NOT_FOUND, "is not there");
    expect("a b.bin/a.bin", SL_NOT_FOUND, "is not there");
    expect("below", SL_UNSUPPORTED, "is no regular file");
    expect("below/", SL_UNSUPPORTED, "is not in its folder or below");
    expect("below//a.bin", SL_UNSUPPORTED, "is not in its folder or below");
    char long_name[300];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    expect(long_name, SL_UNSUPPORTED, "is not in its folder or below");
    expect("link.bin", SL_UNSUPPORTED, "symbolic link");
    expect("linked/outside.bin", SL_UNSUPPORTED, "symbolic link");
    expect("pipe", SL_UNSUPPORTED, "is no regular file");
    expect("../outside.bin", SL_UNSUPPORTED, "leads out of the file's folder");
    expect("short.bin", SL_BAD_DATA, "there are only 35 bytes");
}

TEST(room_for_files_is_asked_first)
{
    sl_error error;
    write_scene("a b.bin");
    assert_int_equal(load((size_t)1 << 20, &error), SL_OK);
    write_scene("large.bin");
    assert_int_equal(load(0, &error), SL_OK);
    assert_int_equal(load((size_t)1 << 20, &error), SL_TOO_LARGE);
    assert_non_null(strstr(error.message, "bytes of memory"));
}

TEST(failing_allocations_are_survived)
{
    write_scene("a b.bin");
    sl_mesh_def def = { .formats = sl_io_formats() };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        OWN(sl_mesh) mesh = NULL;
        sl_error error = { 0 };
        const sl_result result = sl_mesh_load(in_folder("inner/scene.gltf"), &def, &mesh, &error);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_int_equal(error.code, result);
    }
}

TEST_BEFORE_ALL
{
    static char large[4 << 20];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(mkdir(in_folder("inner"), 0700), 0);
    assert_int_equal(mkdir(in_folder("inner/below"), 0700), 0);
    write_file("outside.bin", corners, sizeof corners);
    write_file("inner/a b.bin", corners, sizeof corners);
    write_file("inner/below/\xC3\xA9.bin", corners, sizeof corners);
    write_file("inner/short.bin", corners, 35);
    write_file("inner/large.bin", large, sizeof large);
    assert_int_equal(symlink("../outside.bin", in_folder("inner/link.bin")), 0);
    assert_int_equal(symlink("..", in_folder("inner/linked")), 0);
    assert_int_equal(mkfifo(in_folder("inner/pipe"), 0600), 0);
}

TEST_AFTER_ALL
{
    static const char *const names[] = {
        "inner/below/\xC3\xA9.bin", "inner/below",    "inner/a b.bin", "inner/short.bin",
        "inner/large.bin",          "inner/link.bin", "inner/linked",  "inner/pipe",
        "inner/scene.gltf",         "inner",          "outside.bin",   ""
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        remove(in_folder(names[i]));
    }
}
