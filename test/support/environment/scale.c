#include "test/support/environment/scale.h"

#include <stdlib.h>
#include <string.h>

size_t test_scale(void)
{
    const char *scale = getenv("SIGHTLINE_TEST_SCALE");
    const long n = scale != NULL ? strtol(scale, NULL, 10) : 1;
    return n > 1 ? (size_t)n : 1;
}

size_t test_count(size_t usual)
{
    return test_is_brief() ? usual / 10 + 1 : usual * test_scale();
}

bool test_is_brief(void)
{
    const char *scale = getenv("SIGHTLINE_TEST_SCALE");
    return scale != NULL && strcmp(scale, "0") == 0;
}

uint64_t test_seed(uint64_t usual)
{
    const char *seed = getenv("SIGHTLINE_TEST_SEED");
    return usual + (seed != NULL ? strtoull(seed, NULL, 10) << 32 : 0);
}
