/* test_version.c: the version of the library is the one that its header names. */
#include "test/support/test.h"

TEST(the_library_is_of_the_version_of_its_header)
{
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", SL_VERSION_MAJOR, SL_VERSION_MINOR,
             SL_VERSION_PATCH);
    assert_string_equal(sl_version(), expected);
}
