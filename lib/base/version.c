/* version.c: which library this is, for programs that may find another than they were built
 * with. */
#include <sightline/base.h>

#define IN_TEXT(number) #number
#define AS_TEXT(number) IN_TEXT(number)

const char *sl_version(void)
{
    return AS_TEXT(SL_VERSION_MAJOR) "." AS_TEXT(SL_VERSION_MINOR) "." AS_TEXT(SL_VERSION_PATCH);
}
