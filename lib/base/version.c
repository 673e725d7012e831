/* version.c: which library this is, for programs that may find another than they were built
 * with. */
#include <sightline/base.h>

#define TEXT(number)    #number
#define TEXT_OF(number) TEXT(number)

const char *sl_version(void)
{
    return TEXT_OF(SL_VERSION_MAJOR) "." TEXT_OF(SL_VERSION_MINOR) "." TEXT_OF(SL_VERSION_PATCH);
}
