#include "test/support/input/mesh_case.h"
#include "test/support/test.h"

const struct sl_mesh_format *const *sli_case_formats;

static sl_mesh_def default_def(void)
{
    sl_mesh_def def = { .formats = sli_case_formats };
    return def;
}

sl_mesh *sli_case_load(const void *bytes, size_t size, const char *name, const sl_mesh_def *def)
{
    const sl_mesh_def ours = default_def();
    def = def != NULL ? def : &ours;
    sl_mesh *mesh = NULL;
    sl_error error = { 0 };
    const sl_result result = sl_mesh_load_memory(bytes, size, name, def, &mesh, &error);
    if (result != SL_OK) {
        print_error("%s:%lld:%lld: %s\n", error.file, (long long)error.line, (long long)error.byte,
                    error.message);
    }
    assert_int_equal(result, SL_OK);
    assert_non_null(mesh);
    return mesh;
}

sl_mesh *sli_case_load_text(const char *text, const char *name)
{
    return sli_case_load(text, strlen(text), name, NULL);
}

sl_error sli_case_refuse(const void *bytes, size_t size, const char *name, sl_result code)
{
    const sl_mesh_def def = default_def();
    sl_mesh *mesh = NULL;
    sl_error error = { 0 };
    const sl_result result = sl_mesh_load_memory(bytes, size, name, &def, &mesh, &error);
    if (result != code) {
        print_error("%s: %s\n", sl_result_name(result), error.message);
    }
    assert_int_equal(result, code);
    assert_null(mesh);
    assert_int_equal(error.code, code);
    assert_true(error.message[0] != '\0');
    assert_string_equal(error.file, name != NULL ? name : "");
    return error;
}

sl_error sli_case_refuse_text(const char *text, const char *name, sl_result code)
{
    return sli_case_refuse(text, strlen(text), name, code);
}

void sli_case_triangle(const sl_mesh *mesh, size_t prim, uint32_t a, uint32_t b, uint32_t c)
{
    assert_true(prim < sl_mesh_soup(mesh).triangle_count);
    const uint32_t *corners = sl_mesh_soup(mesh).indices + 3 * prim;
    const uint32_t wanted[3] = { a, b, c };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(corners[i], wanted[i]);
    }
}

void sli_case_vertex(const sl_mesh *mesh, size_t vertex, float x, float y, float z)
{
    assert_true(vertex < sl_mesh_soup(mesh).vertex_count);
    const float wanted[3] = { x, y, z };
    assert_memory_equal(sl_mesh_soup(mesh).xyz + 3 * vertex, wanted, sizeof wanted);
}

void sli_case_triangles(const sl_mesh *mesh, size_t count, const uint32_t wanted[][3])
{
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, count);
    for (size_t i = 0; i < count; i++) {
        sli_case_triangle(mesh, i, wanted[i][0], wanted[i][1], wanted[i][2]);
    }
}

void sli_case_vertices(const sl_mesh *mesh, size_t count, const float wanted[][3])
{
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, count);
    for (size_t i = 0; i < count; i++) {
        sli_case_vertex(mesh, i, wanted[i][0], wanted[i][1], wanted[i][2]);
    }
}

void sli_case_says(const sl_error *error, const char *words)
{
    if (strstr(error->message, words) == NULL) {
        fail_msg("%s: not: %s", error->message, words);
    }
}

/* Loads with one policy and looks at everything that has to hold whatever the bytes are. */
static void try_bytes(const void *bytes, size_t size, const char *name, sl_bad_triangles bad)
{
    sli_failing_allocator memory;
    sl_mesh_def def = default_def();
    def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    def.bad = bad;
    sl_mesh *mesh = NULL;
    sl_error error = { 0 };
    const sl_result result = sl_mesh_load_memory(bytes, size, name, &def, &mesh, &error);
    assert_true((result == SL_OK) == (mesh != NULL));
    assert_true(result == SL_OK || error.message[0] != '\0');
    for (size_t prim = 0; mesh != NULL && prim < sl_mesh_soup(mesh).triangle_count; prim++) {
        sl_triangle triangle;
        const bool there = sl_mesh_triangle(mesh, (uint32_t)prim, &triangle);
        assert_true(there || bad == SL_BAD_LEAVE_OUT);
        assert_true(sl_mesh_face(mesh, (uint32_t)prim) < sl_mesh_get_info(mesh).face_count);
    }
    sl_mesh_destroy(mesh);
    assert_true(sli_failing_allocator_clean(&memory));
    assert_true(memory.peak_bytes <= ((size_t)64 << 20) + 40 * size);
}

/* A copy of exactly size bytes, so that a sanitizer sees every byte read beyond them. */
static void try_copy(const uint8_t *bytes, size_t size, const char *name)
{
    FREED uint8_t *copy = made_memory(size > 0 ? size : 1);
    memcpy(copy, bytes, size);
    try_bytes(copy, size, name, SL_BAD_REFUSE);
    try_bytes(copy, size, name, SL_BAD_LEAVE_OUT);
}

void sli_case_truncate(const void *bytes, size_t size, const char *name)
{
    for (size_t length = 0; length < size; length++) {
        try_copy(bytes, length, name);
    }
}

void sli_case_fail_memory(const void *bytes, size_t size, const char *name)
{
    for (int policy = 0; policy < 2; policy++) {
        sl_mesh_def def = default_def();
        def.recentre = policy == 1;
        sli_failing_allocator memory = TEST_NO_FAILURE_YET;
        while (test_next_failure(&memory, &def.hooks.allocator)) {
            OWN(sl_mesh) mesh = NULL;
            sl_error error = { 0 };
            const sl_result result = sl_mesh_load_memory(bytes, size, name, &def, &mesh, &error);
            assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
            assert_int_equal(error.code, result);
            assert_true((mesh != NULL) == (result == SL_OK));
        }
        assert_true(memory.allocations >= 3);
    }
}

void sli_case_change(const void *bytes, size_t size, const char *name, uint64_t seed, int count)
{
    print_message("%s: seed %llu\n", name, (unsigned long long)seed);
    test_random random = { .state = seed };
    FREED uint8_t *changed = made_memory(size);
    for (int i = 0; i < count; i++) {
        memcpy(changed, bytes, size);
        const uint64_t changes = 1 + test_random_u64(&random) % 3;
        for (uint64_t change = 0; change < changes; change++) {
            changed[test_random_u64(&random) % size] = (uint8_t)test_random_u64(&random);
        }
        try_copy(changed, size, name);
    }
}

void sli_case_hostile(const void *bytes, size_t size, const char *name)
{
    sli_case_truncate(bytes, size, name);
    sli_case_fail_memory(bytes, size, name);
    sli_case_change(bytes, size, name, 20240607, 2000);
}
