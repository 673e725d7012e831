/* test.h: what a test program is written in.  Includes cmocka, and what nearly every test takes:
 * the C library, the public headers, random numbers and how many of them, what is made and what
 * destroys it, and an allocator that fails.
 *
 *     TEST(claim_in_words)
 *     {
 *         assert_int_equal(1 + 1, 2);
 *     }
 *
 * Each TEST of a program registers itself; the main of test.c runs them in the order of their
 * lines, and fails where a program has none. */
#pragma once

#include "test/support/environment/failing_allocator.h"
#include "test/support/environment/scale.h"
#include "test/support/input/made.h"
#include "test/support/input/random.h"
#include "test/support/own.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
/* cmocka wants four of the above first */
#include <cmocka.h>

/* In a test, *state is what the program's set-up has left there. */
#define TEST(claim)                                                                                \
    static void claim(void **state);                                                               \
    __attribute__((constructor)) static void register_##claim(void)                                \
    {                                                                                              \
        test_register(#claim, claim, __LINE__);                                                    \
    }                                                                                              \
    static void claim(__attribute__((unused)) void **state)

/* Bodies, as a TEST has one, of what is done before and after all tests of the program, or each. */
#define TEST_BEFORE_ALL  TEST_STEP(before_all, test_once.set_up)
#define TEST_AFTER_ALL   TEST_STEP(after_all, test_once.tear_down)
#define TEST_BEFORE_EACH TEST_STEP(before_each, test_each.set_up)
#define TEST_STEP(step, slot)                                                                      \
    static void step(void **state);                                                                \
    static int run_##step(void **state)                                                            \
    {                                                                                              \
        step(state);                                                                               \
        return 0;                                                                                  \
    }                                                                                              \
    __attribute__((constructor)) static void register_##step(void)                                 \
    {                                                                                              \
        slot = run_##step;                                                                         \
    }                                                                                              \
    static void step(__attribute__((unused)) void **state)

/* The same by functions that are there already; NULL: nothing. */
#define TEST_ONCE(set_up, tear_down) TEST_FIXTURE(test_once, set_up, tear_down)
#define TEST_EACH(set_up, tear_down) TEST_FIXTURE(test_each, set_up, tear_down)
#define TEST_FIXTURE(fixture, set_up, tear_down)                                                   \
    __attribute__((constructor)) static void register_##fixture(void)                              \
    {                                                                                              \
        fixture = (test_fixture){ set_up, tear_down };                                             \
    }                                                                                              \
    struct CMUnitTest /* which takes the semicolon */

/* Where memory may run out at any allocation: in each round one more of them succeeds, until none
 * fails; memory is that of the round, and must be clean behind it.
 *
 *     sli_failing_allocator memory = TEST_NO_FAILURE_YET;
 *     while (test_next_failure(&memory, &def.hooks.allocator)) { */
#define TEST_NO_FAILURE_YET { .fail_at = SIZE_MAX, .failed = true }

static inline bool test_next_failure(sli_failing_allocator *memory, sl_allocator *hook)
{
    const bool failed = memory->failed;
    assert_true(sli_failing_allocator_clean(memory));
    if (failed) {
        *hook = sli_failing_allocator_start(memory, memory->fail_at + 1);
    }
    return failed;
}

typedef struct test_fixture {
    CMFixtureFunction set_up, tear_down;
} test_fixture;
extern test_fixture test_once, test_each;

void test_register(const char *claim, CMUnitTestFunction test, int line);
