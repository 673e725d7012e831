#include "test/support/hard/shapes.h"

#include <float.h>
#include <math.h>

float hard_whole(test_random *random, int size)
{
    return (float)((int)test_random_below(random, 2 * (uint32_t)size + 1) - size);
}

float hard_wild(test_random *random, float before)
{
    const float sign = test_random_below(random, 2) != 0 ? -1.0f : 1.0f;
    switch (test_random_below(random, 8)) {
    case 0:
        return before;
    case 1:
        return hard_whole(random, 4);
    case 2:
    case 3:
    case 4:
        return test_random_in(random, -1, 1);
    case 5:
        return nextafterf(before, sign * 8);
    case 6:
        return sign * ldexpf(1 + test_random_unit(random), (int)test_random_below(random, 40) - 20);
    default:
        return sign *
               ldexpf(1 + test_random_unit(random), (int)test_random_below(random, 276) - 149);
    }
}

static float extreme(test_random *random)
{
    const float sign = test_random_below(random, 2) != 0 ? -1.0f : 1.0f;
    const float sizes[8] = { 0,       0x1p-149f, 0x1.8p-148f,     FLT_MIN,
                             FLT_MAX, 0x1p127f,  0x1.fffffcp127f, 0x1.555556p126f };
    return sign * sizes[test_random_below(random, 8)];
}

float hard_number(test_random *random, hard_numbers numbers, float before, int size)
{
    return numbers == HARD_LATTICE ? hard_whole(random, size)
           : numbers == HARD_WILD  ? hard_wild(random, before)
                                   : extreme(random);
}

static float limit(test_random *random, hard_numbers numbers)
{
    if (test_random_below(random, 4) == 0) {
        return test_random_below(random, 2) != 0 ? -INFINITY : INFINITY;
    }
    return numbers == HARD_LATTICE ? hard_whole(random, 8) / 4 : hard_wild(random, 1);
}

sl_line hard_line(test_random *random, hard_kind kind, const float a[3], const float b[3],
                  hard_numbers numbers)
{
    const float x = limit(random, numbers), y = limit(random, numbers);
    sl_line line = { .tmin = x < y ? x : y, .tmax = x < y ? y : x };
    for (int axis = 0; axis < 3; axis++) {
        line.origin[axis] = a[axis];
        line.head[axis] = b[axis];
        line.tail[axis] = kind == HARD_SEGMENT ? a[axis]
                          : kind == HARD_PART  ? b[(axis + 1) % 3]
                                               : 0;
    }
    if (kind == HARD_SEGMENT || kind == HARD_WHOLE) {
        line.tmin = kind == HARD_SEGMENT ? 0 : -INFINITY;
        line.tmax = kind == HARD_SEGMENT ? 1 : INFINITY;
    }
    return line;
}
