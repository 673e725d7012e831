/* Trees in files: what comes back answers like what went in, from the same bytes however it was
 * built, and files that are none are refused with a message. */
#include "bvh/store/format.h"
#include "bvh/tree/tree.h"
#include "lib/base/hash.h"
#include "test/support/environment/callers_env.h"
#include "test/support/environment/needs.h"
#include "test/support/query/every_question.h"
#include "test/support/test.h"

#include <unistd.h>

enum { SEED = 20261122 };

static sl_mesh *mesh;
static sl_bvh *trees[3]; /* default; high, where triangles are split; compact, with masks */
static uint32_t *masks;  /* that let everything through */
static char path[64];
static queries asked;
static answers expected, got;

/* Some bit of each is set. */
static uint32_t *make_masks(size_t count)
{
    uint32_t *made = malloc(count * sizeof *made);
    for (size_t i = 0; i < count; i++) {
        made[i] = 1u << i % 31;
    }
    return made;
}

TEST_BEFORE_ALL
{
    test_random random = { SEED };
    sl_build_def high = { 0 }, compact = high;
    high.quality = SL_BVH_QUALITY_HIGH;
    compact.layout = SL_BVH_LAYOUT_COMPACT;
    snprintf(path, sizeof path, "/tmp/sightline-test-store-%ld", (long)getpid());
    mesh = made_torus(40, 5, 2, 1);
    compact.masks = masks = make_masks(sl_mesh_soup(mesh).triangle_count);
    trees[0] = made_bvh(mesh, NULL);
    trees[1] = made_bvh(mesh, &high);
    trees[2] = made_bvh(mesh, &compact);
    queries_make(mesh, &random, &asked);
    queries_run(trees[0], &asked, &expected);
}

TEST_AFTER_ALL
{
    for (int i = 0; i < 3; i++) {
        sl_bvh_destroy(trees[i]);
    }
    free(masks);
    sl_mesh_destroy(mesh);
    (void)remove(path); /* there is none in a build without files */
}

/* The bytes of a tree, aligned, to be freed. */
static uint8_t *bytes_of(const sl_bvh *bvh, size_t *size)
{
    *size = sl_bvh_save_memory(bvh, NULL);
    uint8_t *bytes = aligned_alloc(64, (*size + 63) / 64 * 64);
    sl_bvh_save_memory(bvh, bytes);
    return bytes;
}

/* How many of some rays hit a triangle of one mask. */
static size_t asked_by_mask(const sl_bvh *bvh)
{
    size_t hits = 0;
    const sl_options options = { .mask = 1u << 7 };
    for (int i = 0; i < 200; i++) {
        const float angle = 0.03f * (float)i, to[3] = { 2 * cosf(angle), 2 * sinf(angle), 0 };
        const sl_ray ray = sl_ray_make((float[3]){ 0, 0, 3 }, (float[3]){ to[0], to[1], -3 });
        hits += sl_bvh_all(bvh, &ray, &options, NULL, 0);
    }
    return hits;
}

/* trusted: the tree was opened without a proof, and does not say which masks are below nodes. */
static void expect_same_tree(sl_bvh *bvh, const sl_bvh *original, bool trusted)
{
    sl_error error = { 0 };
    if (!sl_bvh_check(bvh, mesh, &error)) {
        fail_msg("%s", error.message);
    }
    const sl_bvh_info a = sl_bvh_get_info(bvh), b = sl_bvh_get_info(original);
    assert_int_equal(a.quality, b.quality);
    assert_int_equal(a.triangle_count, b.triangle_count);
    assert_true(a.bytes == b.bytes || (trusted && a.bytes < b.bytes));
    assert_int_equal(a.layout, b.layout);
    assert_int_equal(asked_by_mask(bvh), asked_by_mask(original));
    queries_run(bvh, &asked, &got);
    assert_null(answers_differ(&expected, &got));
    assert_true(sl_bvh_mesh_hash(bvh) == sl_mesh_hash(mesh));
    sl_bvh_destroy(bvh);
}

TEST(masks_of_the_compact_tree_matter)
{
    assert_int_not_equal(asked_by_mask(trees[2]), asked_by_mask(trees[0]));
    assert_int_not_equal(asked_by_mask(trees[2]), 0);
}

TEST(a_tree_comes_back_from_a_file_as_it_was)
{
    test_needs_files();
    const sl_bvh_load_def trusted = { .flags = SL_LOAD_TRUSTED };
    for (int i = 0; i < 3; i++) {
        sl_bvh *back;
        sl_error error;
        assert_int_equal(sl_bvh_save(trees[i], path, &error), SL_OK);
        assert_int_equal(sl_bvh_load(path, NULL, &back, &error), SL_OK);
        expect_same_tree(back, trees[i], false);
        assert_int_equal(sl_bvh_map(path, NULL, &back, &error), SL_OK);
        expect_same_tree(back, trees[i], false);
        assert_int_equal(sl_bvh_load(path, &trusted, &back, &error), SL_OK);
        expect_same_tree(back, trees[i], true);
        assert_int_equal(sl_bvh_map(path, &trusted, &back, &error), SL_OK);
        expect_same_tree(back, trees[i], true);
    }
}

TEST(a_tree_comes_back_from_memory_as_it_was)
{
    const sl_bvh_load_def in_place = { .flags = SL_LOAD_IN_PLACE };
    for (int i = 0; i < 3; i++) {
        size_t size;
        sl_bvh *back;
        FREED uint8_t *bytes = bytes_of(trees[i], &size);
        assert_int_equal(sl_bvh_load_memory(bytes, size, NULL, &back, NULL), SL_OK);
        expect_same_tree(back, trees[i], false);
        assert_int_equal(sl_bvh_load_memory(bytes, size, &in_place, &back, NULL), SL_OK);
        assert_ptr_equal(back->lines, bytes + sli_store_head_size(i == 2 ? 4 : 2));
        expect_same_tree(back, trees[i], false);
    }
}

TEST(the_callers_environment_leaves_no_trace_and_is_kept)
{
    for (int i = 0; i < 3; i++) {
        size_t size;
        FREED uint8_t *bytes = bytes_of(trees[i], &size);
        for (int env = 0; env < callers_env_count(); env++) {
            sl_bvh *back = NULL;
            callers_env_set(env);
            const sl_result result = sl_bvh_load_memory(bytes, size, NULL, &back, NULL);
            const bool kept = callers_env_leave(env);
            assert_int_equal(result, SL_OK);
            assert_true(kept);
            expect_same_tree(back, trees[i], false);
        }
    }
}

TEST(file_and_memory_hold_the_same_bytes)
{
    test_needs_files();
    for (int i = 1; i < 3; i++) {
        size_t size;
        FREED uint8_t *bytes = bytes_of(trees[i], &size);
        FREED uint8_t *in_file = malloc(size + 1);
        assert_int_equal(sl_bvh_save(trees[i], path, NULL), SL_OK);
        FILE *file = fopen(path, "rb");
        assert_int_equal(fread(in_file, 1, size + 1, file), size);
        fclose(file);
        assert_memory_equal(bytes, in_file, size);
    }
}

TEST(bytes_do_not_depend_on_the_number_of_threads)
{
    OWN(sl_pool) pool = made_pool(3);
    const sl_tasks *tasks = sl_pool_tasks(pool);
    for (int i = 0; i < 3; i++) {
        sl_build_def def = { 0 };
        size_t size, other;
        def.quality = i == 1 ? SL_BVH_QUALITY_HIGH : SL_BVH_QUALITY_DEFAULT;
        def.layout = i == 2 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
        def.masks = i == 2 ? masks : NULL;
        def.hooks.tasks = tasks;
        OWN(sl_bvh) bvh = made_bvh(mesh, &def);
        uint8_t *a = bytes_of(trees[i], &size), *b = bytes_of(bvh, &other);
        assert_int_equal(size, other);
        assert_memory_equal(a, b, size);
        free(a);
        free(b);
    }
}

TEST(an_empty_tree_comes_back)
{
    OWN(sl_bvh) back = NULL;
    size_t size;
    OWN(sl_mesh) none = made_mesh(NULL, 0, NULL, 0, NULL);
    OWN(sl_bvh) bvh = made_bvh(none, NULL);
    FREED uint8_t *bytes = bytes_of(bvh, &size);
    assert_int_equal(sl_bvh_load_memory(bytes, size, NULL, &back, NULL), SL_OK);
    const sl_ray ray = sl_ray_make((float[3]){ 0, 0, 0 }, (float[3]){ 1, 0, 0 });
    assert_false(sl_bvh_any(back, &ray, NULL));
}

TEST(meshes_that_differ_have_different_hashes)
{
    OWN(sl_mesh) other = made_torus(40, 5, 2, 1.0000001f);
    assert_true(sl_mesh_hash(mesh) != sl_mesh_hash(other));
    assert_true(sl_mesh_hash(mesh) == sl_mesh_hash(mesh));
}

/* Opens changed bytes; the error must be that one, about that byte, in those words. */
static void expect_refused(const uint8_t *bytes, size_t size, sl_result code, int64_t byte,
                           const char *words)
{
    sl_bvh *bvh = trees[0];
    sl_error error = { 0 };
    assert_int_equal(sl_bvh_load_memory(bytes, size, NULL, &bvh, &error), code);
    assert_null(bvh);
    assert_int_equal(error.code, code);
    assert_int_equal(error.byte, byte);
    if (strstr(error.message, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, words);
    }
}

TEST(what_is_no_tree_file_is_refused_in_words)
{
    size_t size;
    FREED uint8_t *bytes = bytes_of(trees[0], &size);
    sli_store_header *header = (sli_store_header *)(void *)bytes;
    const sli_store_header good = *header;
    expect_refused((const uint8_t *)"ply\nformat ascii", 16, SL_BAD_DATA, 0, "no tree file");
    expect_refused(bytes, 3, SL_BAD_DATA, 0, "no tree file");
    expect_refused(bytes, 200, SL_BAD_DATA, 200, "cut");
    expect_refused(bytes, size - 1, SL_BAD_DATA, 16, "cut");
    header->byte_order = 0x04030201;
    expect_refused(bytes, size, SL_UNSUPPORTED, 12, "other byte order");
    *header = good;
    header->version = 3;
    expect_refused(bytes, size, SL_UNSUPPORTED, 8, "version 3 of the format");
    header->version = SLI_STORE_COMPACT_VERSION;
    expect_refused(bytes, 300, SL_BAD_DATA, 300, "its head of 320 bytes");
    expect_refused(bytes, size, SL_BAD_DATA, 192, "sections");
    *header = good;
    header->section[0].count++;
    expect_refused(bytes, size, SL_BAD_DATA, 192, "sections");
    *header = good;
    header->depth = 17;
    expect_refused(bytes, size, SL_BAD_DATA, 44, "depth");
    *header = good;
    bytes[size - 1] ^= 1;
    expect_refused(bytes, size, SL_BAD_DATA, 24, "checksum");
}

/* A compact file with one thing changed that the checksum does not show. */
static void expect_vertices_refused(size_t from_end, uint32_t word, const char *words)
{
    size_t size;
    FREED uint8_t *bytes = bytes_of(trees[2], &size);
    sli_store_header *header = (sli_store_header *)(void *)bytes;
    const size_t lines = sli_store_head_size(4);
    const size_t at = from_end > 0 ? size - from_end : lines;
    memcpy(bytes + at, &word, sizeof word);
    header->checksum = sli_hash(bytes + SLI_STORE_SUMMED, size - SLI_STORE_SUMMED);
    const size_t places = (size_t)header->section[1].offset;
    expect_refused(bytes, size, SL_BAD_DATA, (int64_t)(from_end > 0 ? places : lines), words);
}

TEST(vertices_that_no_block_comes_to_are_refused)
{
    const size_t mask_bytes = sl_mesh_soup(mesh).triangle_count * sizeof(uint32_t);
    const size_t vertex_bytes = trees[2]->vertex_floats * sizeof(float);
    expect_vertices_refused(mask_bytes + 4, 1, "vertices that no triangle has");
    expect_vertices_refused(mask_bytes + vertex_bytes, 0x3F800000u, "vertices that no triangle");
    expect_vertices_refused(0, 1, "vertices which do not follow"); /* of the empty leaf */
}

TEST(bad_options_are_refused)
{
    test_needs_files();
    size_t size;
    sl_bvh *bvh;
    FREED uint8_t *bytes = bytes_of(trees[0], &size);
    sl_bvh_load_def def = { .flags = 64 };
    assert_int_equal(sl_bvh_load_memory(bytes, size, &def, &bvh, NULL), SL_INVALID_ARGUMENT);
    def.flags = SL_LOAD_IN_PLACE;
    assert_int_equal(sl_bvh_load(path, &def, &bvh, NULL), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_bvh_load_memory(bytes + 4, size, &def, &bvh, NULL), SL_INVALID_ARGUMENT);
    sl_error error;
    assert_int_equal(sl_bvh_map("/nowhere/tree", NULL, &bvh, &error), SL_NOT_FOUND);
    assert_string_equal(error.file, "/nowhere/tree");
    assert_null(bvh);
}

TEST(a_save_that_fails_leaves_what_was_there)
{
    test_needs_files();
    OWN(sl_bvh) back = NULL;
    assert_int_equal(sl_bvh_save(trees[0], path, NULL), SL_OK);
    assert_int_equal(sl_bvh_save(trees[1], "/dev/full", NULL), SL_IO);
    assert_int_equal(sl_bvh_save(trees[1], "/nowhere/tree", NULL), SL_NOT_FOUND);
    assert_int_equal(sl_bvh_load(path, NULL, &back, NULL), SL_OK);
}

TEST(every_failed_allocation_is_survived)
{
    size_t size;
    FREED uint8_t *bytes = bytes_of(trees[2], &size);
    sl_bvh_load_def def = { 0 };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        sl_bvh *bvh;
        const sl_result result = sl_bvh_load_memory(bytes, size, &def, &bvh, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        sl_bvh_destroy(bvh);
    }
    assert_true(memory.allocations >= 5);
}
