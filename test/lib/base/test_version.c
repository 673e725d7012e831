/* test_version.c: the version of the library is the one that its header names. */
#include <sightline/base.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka wants the four above first */
#include <cmocka.h>

static void the_library_is_of_the_version_of_its_header(void **state)
{
    (void)state;
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", SL_VERSION_MAJOR, SL_VERSION_MINOR,
             SL_VERSION_PATCH);
    assert_string_equal(sl_version(), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_is_of_the_version_of_its_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
