/* Arenas: arrays are aligned, apart and stay where they are, and all of it comes back. */
#include "lib/base/arena.h"
#include "test/support/test.h"

enum { ARRAYS = 300 };

static const uint64_t seed = 8;

TEST(arrays_are_aligned_and_keep_what_is_in_them)
{
    sli_failing_allocator memory;
    const sl_allocator allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    test_random random = { seed };
    sli_arena arena = sli_arena_make(&allocator);
    unsigned char *arrays[ARRAYS];
    size_t sizes[ARRAYS], total = 0;
    for (int i = 0; i < ARRAYS; i++) {
        sizes[i] = test_random_below(&random, i % 10 == 0 ? 40000 : 500); /* 0 is one of them */
        arrays[i] = sli_arena_array(&arena, sizes[i], 1);
        assert_non_null(arrays[i]);
        assert_int_equal((uintptr_t)arrays[i] % 16, 0);
        memset(arrays[i], i & 0xFF, sizes[i]);
        total += sizes[i];
    }
    for (int i = 0; i < ARRAYS; i++) {
        for (size_t k = 0; k < sizes[i]; k++) {
            assert_int_equal(arrays[i][k], i & 0xFF);
        }
    }
    assert_true(memory.allocations < ARRAYS / 2); /* small ones share */
    assert_true(memory.live_bytes < 2 * total);
    sli_arena_free(&arena);
    assert_true(sli_failing_allocator_clean(&memory));
}

TEST(a_large_array_leaves_the_room_that_there_was)
{
    sli_failing_allocator memory;
    const sl_allocator allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    sli_arena arena = sli_arena_make(&allocator);
    unsigned char *first = sli_arena_array(&arena, 16, 1);
    assert_non_null(sli_arena_array(&arena, 1000000, 4));
    assert_ptr_equal(sli_arena_array(&arena, 16, 1), first + 16);
    assert_int_equal(memory.allocations, 2);
    sli_arena_free(&arena);
    assert_int_equal(memory.live_blocks, 0);
}

TEST(what_does_not_fit_is_refused_and_the_rest_stays)
{
    sli_failing_allocator memory;
    sl_allocator allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    sli_arena arena = sli_arena_make(&allocator);
    assert_null(sli_arena_array(&arena, SIZE_MAX / 2, 3));
    assert_null(sli_arena_array(&arena, SIZE_MAX, 1));
    assert_null(sli_arena_array(&arena, SIZE_MAX - 16, 1));
    unsigned char *kept = sli_arena_array(&arena, 100, 1);
    memset(kept, 7, 100);
    memory.limit = 0;
    assert_null(sli_arena_array(&arena, 1 << 20, 1));
    assert_non_null(sli_arena_array(&arena, 100, 1)); /* there is room for it */
    assert_int_equal(kept[99], 7);
    sli_arena_free(&arena);
    assert_true(sli_failing_allocator_clean(&memory));
}

TEST(freeing_twice_is_fine_and_it_may_be_used_again)
{
    sli_failing_allocator memory;
    const sl_allocator allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    sli_arena arena = sli_arena_make(&allocator);
    sli_arena_free(&arena);
    for (int i = 0; i < 2; i++) {
        assert_non_null(sli_arena_array(&arena, 10, 8));
        sli_arena_free(&arena);
        sli_arena_free(&arena);
        assert_int_equal(memory.live_blocks, 0);
    }
    assert_int_equal(memory.misuses, 0);
}
