#include "lib/base/budget.h"
#include "test/support/test.h"

TEST(a_budget_is_never_exceeded)
{
    sli_failing_allocator memory;
    sli_budget budget;
    const sl_allocator from = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    const sl_allocator allocator = sli_budget_start(&budget, &from, 1000);
    void *a = sli_alloc(&allocator, 600, 16);
    assert_non_null(a);
    assert_null(sli_alloc(&allocator, 401, 16));
    assert_int_equal(budget.refused, 1001);
    assert_null(sli_alloc(&allocator, SIZE_MAX, 16));
    assert_int_equal(budget.refused, 1001);
    void *b = sli_alloc_large(&allocator, 100, 4);
    assert_non_null(b);
    assert_int_equal(memory.live_bytes, 1000);
    assert_null(sli_alloc_large(&allocator, 1, 1));
    sli_free(&allocator, a, 600);
    a = sli_alloc_array(&allocator, 150, 4);
    assert_non_null(a);
    sli_free(&allocator, a, 600);
    sli_free_array(&allocator, b, 100, 4);
    assert_int_equal(budget.held, 0);
    assert_true(sli_failing_allocator_clean(&memory));
}

/* What the other allocator refuses is not the budget's doing, and is not held. */
TEST(what_the_other_refuses_is_not_held)
{
    sli_failing_allocator memory;
    sli_budget budget;
    const sl_allocator from = sli_failing_allocator_start(&memory, 0);
    const sl_allocator allocator = sli_budget_start(&budget, &from, 1000);
    assert_null(sli_alloc(&allocator, 10, 16));
    assert_null(sli_alloc_large(&allocator, 10, 16));
    assert_int_equal(budget.held, 0);
    assert_int_equal(budget.refused, 0);
}

TEST(memory_may_go_back_to_the_other)
{
    sli_budget budget;
    const sl_allocator from = sli_allocator(NULL);
    const sl_allocator allocator = sli_budget_start(&budget, &from, 1 << 24);
    assert_ptr_equal(sli_budget_of(&allocator), &budget);
    assert_null(sli_budget_of(&from));
    void *large = sli_alloc_large(&allocator, 1 << 23, 1);
    void *small = sli_alloc_array(&allocator, 7, 8);
    assert_true(large != NULL && small != NULL);
    assert_int_equal(budget.held, (1 << 23) + 56);
    sli_free_array(&from, large, 1 << 23, 1);
    sli_free_array(&from, small, 7, 8);
}
