#include "test/support/input/terrible.h"

#include "test/support/input/by_triangle.h"

#include <float.h>
#include <math.h>

static void triangle_at(float *out, float x, float y, float z, float size)
{
    const float corners[9] = { x, y, z, x + size, y, z, x, y + size, z };
    for (int i = 0; i < 9; i++) {
        out[i] = corners[i];
    }
}

TRIANGLE_MAKER(identical)
{
    triangle_at(out, 0, 0, 0, 1);
}

TRIANGLE_MAKER(same_point)
{
    triangle_at(out, 3, -4, 5, 0);
}

TRIANGLE_MAKER(points)
{
    const float x = test_random_unit(random), y = test_random_unit(random);
    triangle_at(out, x, y, test_random_unit(random), 0);
}

TRIANGLE_MAKER(on_a_line)
{
    for (int corner = 0; corner < 3; corner++) {
        out[3 * corner] = (float)i + 0.25f * (float)corner;
        out[3 * corner + 1] = out[3 * corner + 2] = 0;
    }
}

TRIANGLE_MAKER(flat)
{
    const float x = test_random_unit(random);
    triangle_at(out, x, test_random_unit(random), -0.0f, 0.01f);
}

/* All centres are 0, all boxes differ. */
TRIANGLE_MAKER(concentric)
{
    const float r = (float)(i + 1);
    const float corners[9] = { -r, -r, -r, r, r, r, -r, r, 0 };
    for (int k = 0; k < 9; k++) {
        out[k] = corners[k];
    }
}

/* x = +-2^-most .. 2^most, evenly in the exponent. */
static void exponential(size_t i, size_t count, int most, float *out)
{
    const size_t step = i / 2 * 2 * (size_t)most / (count / 2 + 1);
    const float x = ldexpf(1.0f + (float)(i % 7) / 8, (int)step - most);
    triangle_at(out, i % 2 != 0 ? -x : x, 0, 0, x / 4);
}

TRIANGLE_MAKER(exponential_60)
{
    exponential(i, count, 60, out);
}

TRIANGLE_MAKER(exponential_120)
{
    exponential(i, count, 120, out);
}

/* Each a half of the one before, to the end of the floats and then over again: every plane of
 * equal width tells but a few apart. */
TRIANGLE_MAKER(halving)
{
    triangle_at(out, ldexpf(1, 120 - (int)(i % 260)), 0, 0, 0);
}

TRIANGLE_MAKER(at_the_limits)
{
    for (int k = 0; k < 9; k++) {
        const uint32_t what = test_random_below(random, 4);
        out[k] = what == 0   ? FLT_MAX
                 : what == 1 ? -FLT_MAX
                             : FLT_MAX * (2 * test_random_unit(random) - 1);
    }
}

TRIANGLE_MAKER(denormal)
{
    for (int k = 0; k < 9; k++) {
        out[k] = ldexpf((float)((int)test_random_below(random, 200) - 100), -149);
    }
}

TRIANGLE_MAKER(zeros_of_both_signs)
{
    for (int k = 0; k < 9; k++) {
        const uint32_t what = test_random_below(random, 4);
        out[k] = what < 2 ? -0.0f : what == 2 ? 0.0f : 1.0f;
    }
}

/* Any finite bits. */
TRIANGLE_MAKER(any_floats)
{
    for (int k = 0; k < 9; k++) {
        const int exponent = (int)test_random_below(random, 275) - 148;
        out[k] = ldexpf(test_random_in(random, -1, 1), exponent);
    }
}

/* Two heaps of equal triangles, as far apart as can be, and one in the middle. */
TRIANGLE_MAKER(two_heaps)
{
    const float x = i == count / 2 ? 0 : i < count / 2 ? -FLT_MAX : FLT_MAX;
    triangle_at(out, x, x, x, 0);
}

static const struct {
    const char *name;
    triangle_maker *make;
} all[] = {
    { "identical", identical },
    { "same point", same_point },
    { "points", points },
    { "on a line", on_a_line },
    { "flat", flat },
    { "concentric", concentric },
    { "exponential 60", exponential_60 },
    { "exponential 120", exponential_120 },
    { "halving", halving },
    { "at the limits", at_the_limits },
    { "denormal", denormal },
    { "zeros of both signs", zeros_of_both_signs },
    { "any floats", any_floats },
    { "two heaps", two_heaps },
};

int terrible_count(void)
{
    return (int)(sizeof all / sizeof all[0]);
}

const char *terrible_name(int which)
{
    return all[which].name;
}

sl_mesh *terrible_make(int which, size_t count)
{
    return by_triangle(all[which].make, count, 1 + (uint64_t)which);
}
