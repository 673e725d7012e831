#include "test/support/hard/floats.h"

#include <float.h>
#include <math.h>

float hard_float_wild(test_random *random, float other)
{
    const float sign = test_random_below(random, 2) != 0 ? -1.0f : 1.0f;
    switch (test_random_below(random, 6)) {
    case 0:
        return other;
    case 1:
        return (float)test_random_below(random, 9) - 4;
    case 2:
        return nextafterf(other, sign * FLT_MAX);
    case 3:
        return sign * ldexpf(1, (int)test_random_below(random, 277) - 149);
    default:
        return sign *
               ldexpf(1 + test_random_unit(random), (int)test_random_below(random, 276) - 149);
    }
}

static float lattice(test_random *random, uint32_t reach)
{
    return (float)test_random_below(random, 2 * reach + 1) - (float)reach;
}

void hard_floats(test_random *random, size_t i, float *x, int count)
{
    static const uint32_t reaches[4] = { 1, 2, 3, 9 };
    const uint32_t reach = reaches[i / 2 % 4];
    const int exponent = i / 8 % 2 == 0 ? 0 : (int)test_random_below(random, 270) - 149;
    const uint32_t sort = i % 2 == 0 ? 0 : 1 + (uint32_t)(i / 2 % 3);
    for (int j = 0; j < count; j++) {
        const float whole = lattice(random, reach);
        switch (sort) {
        case 0:
            x[j] = ldexpf(whole, exponent);
            break;
        case 1:
            x[j] = whole != 0
                       ? whole
                       : ldexpf(lattice(random, 1), -40 - (int)test_random_below(random, 109));
            break;
        case 2:
            x[j] = ldexpf(test_random_in(random, -1, 1), exponent);
            break;
        default:
            x[j] = hard_float_wild(random, j >= 3 ? x[j - 3] : 0);
            break;
        }
    }
}
