/* The compiler rounds where the code says so.  gcc 12 with its SLP vectoriser, which -O2 switches
 * on, drops a rounding to float that is followed by a widening to double when it sees two side by
 * side; CMakeLists.txt switches it off.  This is the pattern, compiled with the flags of the
 * library. */
#include "lib/base/inline.h"
#include "test/support/test.h"

static SLI_NOINLINE void round_pair(const double in[2], double out[2])
{
    float narrow[2];
    for (int i = 0; i < 2; i++) {
        narrow[i] = (float)(in[i] * 3.0);
    }
    for (int i = 0; i < 2; i++) {
        out[i] = narrow[i];
    }
}

TEST(a_rounding_to_float_is_kept)
{
    const double in[2] = { 0.1, 0.7 };
    double out[2];
    round_pair(in, out);
    assert_true(out[0] == 0x1.333334p-2); /* 0.3 in doubles is 0x1.3333333333334p-2 */
    assert_true(out[1] == 0x1.0cccccp+1);
}
