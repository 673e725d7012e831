/* Memory: hooks are honoured, sizes are checked, growth keeps what was there. */
#include "lib/base/memory.h"
#include "test/support/test.h"

TEST(no_hook_and_a_zeroed_hook_mean_malloc)
{
    const sl_allocator zeroed = { 0 };
    const sl_allocator *const hooks[] = { NULL, &zeroed };
    for (size_t i = 0; i < 2; i++) {
        const sl_allocator allocator = sli_allocator(hooks[i]);
        for (size_t align = 1; align <= 4096; align *= 2) {
            unsigned char *block = sli_alloc(&allocator, 100, align);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % align, 0);
            memset(block, 1, 100);
            sli_free(&allocator, block, 100);
        }
    }
}

TEST(half_a_hook_is_not_used)
{
    sli_failing_allocator memory;
    sl_allocator half = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    half.free = NULL;
    const sl_allocator allocator = sli_allocator(&half);
    void *block = sli_alloc(&allocator, 10, 8);
    assert_non_null(block);
    sli_free(&allocator, block, 10);
    assert_int_equal(memory.allocations, 0);
}

TEST(a_size_of_zero_gives_a_block)
{
    sli_failing_allocator memory;
    const sl_allocator allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    void *block = sli_alloc(&allocator, 0, 8);
    void *array = sli_alloc_array(&allocator, 0, 24);
    assert_non_null(block);
    assert_non_null(array);
    sli_free(&allocator, block, 0);
    sli_free_array(&allocator, array, 0, 24);
    sli_free(&allocator, NULL, 0);
    assert_true(sli_failing_allocator_clean(&memory));
}

TEST(an_array_beyond_size_t_is_refused_unasked)
{
    sli_failing_allocator memory;
    const sl_allocator allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    assert_null(
        sli_alloc_array(&allocator, SIZE_MAX / 4 + 1, 4)); /* 2^64 bytes, which wraps to 0 */
    assert_null(sli_alloc_array(&allocator, SIZE_MAX, SIZE_MAX));
    assert_int_equal(memory.allocations, 0);
}

TEST(an_alignment_that_would_overflow_is_out_of_memory)
{
    const sl_allocator allocator = sli_allocator(NULL);
    /* Rounded up to whole multiples of 64 this would be 0 bytes. */
    assert_null(sli_alloc(&allocator, SIZE_MAX - 3, 64));
}

TEST(growing_keeps_the_items)
{
    sli_failing_allocator memory;
    const sl_allocator allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    void *items = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(sli_grow_array(&allocator, &items, &capacity, i + 1, sizeof i));
        assert_true(capacity > i);
        ((uint32_t *)items)[i] = i * i;
    }
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(((uint32_t *)items)[i], i * i);
    }
    assert_in_range(memory.allocations, 5, 20); /* by half more at a time, not one by one */
    sli_free_array(&allocator, items, capacity, sizeof(uint32_t));
    assert_true(sli_failing_allocator_clean(&memory));
}

TEST(growing_that_fails_changes_nothing)
{
    sli_failing_allocator memory;
    const sl_allocator allocator = sli_failing_allocator_start(&memory, 1);
    void *items = NULL;
    size_t capacity = 0;
    assert_true(sli_grow_array(&allocator, &items, &capacity, 3, 8));
    void *const before = items;
    const size_t room = capacity;
    assert_false(sli_grow_array(&allocator, &items, &capacity, room + 1, 8));
    assert_false(sli_grow_array(&allocator, &items, &capacity, SIZE_MAX, 8));
    assert_ptr_equal(items, before);
    assert_int_equal(capacity, room);
    sli_free_array(&allocator, items, capacity, 8);
    assert_int_equal(memory.live_blocks, 0);
}
