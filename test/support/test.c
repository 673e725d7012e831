/* test.c: the main of every test program. */
#include "test/support/test.h"

enum { MOST_TESTS = 100 };

test_fixture test_once, test_each;
static struct CMUnitTest tests[MOST_TESTS];
static int lines[MOST_TESTS];
static size_t registered;

/* Kept in the order of their lines, since compilers differ in the order of constructors. */
void test_register(const char *claim, CMUnitTestFunction test, int line)
{
    if (registered == MOST_TESTS) {
        fprintf(stderr, "%s: more tests than %d\n", claim, MOST_TESTS);
        exit(1);
    }
    size_t slot = registered++;
    for (; slot > 0 && lines[slot - 1] > line; slot--) {
        tests[slot] = tests[slot - 1];
        lines[slot] = lines[slot - 1];
    }
    tests[slot] = (struct CMUnitTest){ .name = claim, .test_func = test };
    lines[slot] = line;
}

int main(void)
{
    if (registered == 0) {
        fputs("no TEST is registered\n", stderr);
        return 1;
    }
    for (size_t i = 0; i < registered; i++) {
        tests[i].setup_func = test_each.set_up;
        tests[i].teardown_func = test_each.tear_down;
    }
    return cmocka_run_group_tests(tests, test_once.set_up, test_once.tear_down);
}
