#include "lib/base/budget.h"
#include "lib/base/memory.h"
#include "test/support/environment/failing_allocator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void a_budget_is_never_exceeded(void **state)
{
    (void)state;
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
    assert_int_equal(memory.live_blocks, 0);
    assert_int_equal(memory.misuses, 0);
}

/* What the other allocator refuses is not the budget's doing, and is not held. */
static void what_the_other_refuses_is_not_held(void **state)
{
    (void)state;
    sli_failing_allocator memory;
    sli_budget budget;
    const sl_allocator from = sli_failing_allocator_start(&memory, 0);
    const sl_allocator allocator = sli_budget_start(&budget, &from, 1000);
    assert_null(sli_alloc(&allocator, 10, 16));
    assert_null(sli_alloc_large(&allocator, 10, 16));
    assert_int_equal(budget.held, 0);
    assert_int_equal(budget.refused, 0);
}

static void memory_may_go_back_to_the_other(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_is_never_exceeded),
        cmocka_unit_test(what_the_other_refuses_is_not_held),
        cmocka_unit_test(memory_may_go_back_to_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
