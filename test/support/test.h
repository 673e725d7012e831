/* test.h: what a test program is written in.  Includes cmocka, and what it wants first.
 *
 *     TEST(claim_in_words)
 *     {
 *         assert_int_equal(1 + 1, 2);
 *     }
 *
 * Each TEST of a program registers itself; the main of test.c runs them in the order of their
 * lines, and fails where a program has none. */
#ifndef SLI_TEST_SUPPORT_TEST_H
#define SLI_TEST_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

/* In a test, *state is what the program's set-up has left there. */
#define TEST(claim)                                                                                \
    static void claim(void **state);                                                               \
    __attribute__((constructor)) static void register_##claim(void)                                \
    {                                                                                              \
        test_register(#claim, claim, __LINE__);                                                    \
    }                                                                                              \
    static void claim(__attribute__((unused)) void **state)

/* What is called before and after all tests of the program, or each of them; NULL: nothing. */
#define TEST_ONCE(set_up, tear_down) TEST_FIXTURE(test_once, set_up, tear_down)
#define TEST_EACH(set_up, tear_down) TEST_FIXTURE(test_each, set_up, tear_down)
#define TEST_FIXTURE(fixture, set_up, tear_down)                                                   \
    __attribute__((constructor)) static void register_##fixture(void)                              \
    {                                                                                              \
        fixture = (test_fixture){ set_up, tear_down };                                             \
    }                                                                                              \
    struct CMUnitTest /* which takes the semicolon */

typedef struct test_fixture {
    CMFixtureFunction set_up, tear_down;
} test_fixture;
extern test_fixture test_once, test_each;

void test_register(const char *claim, CMUnitTestFunction test, int line);

#endif
