/* The float environment: ours inside, the caller's again afterwards. */
#include "lib/base/fpenv.h"
#include "test/support/environment/callers_env.h"
#include "test/support/test.h"

#include <fenv.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/* volatile and never inlined: the compiler may not do it at compile time, nor move it. */
static SLI_NOINLINE float divide(volatile const float *a, volatile const float *b)
{
    return *a / *b;
}

static float third(void)
{
    static volatile const float one = 1.0f, three = 3.0f;
    return divide(&one, &three);
}

/* The smallest normal number halved: a subnormal, unless results are flushed to zero. */
static float half_of_the_smallest(void)
{
    static volatile const float smallest = FLT_MIN, two = 2.0f;
    return divide(&smallest, &two);
}

TEST(rounding_is_to_nearest_inside_and_the_callers_outside)
{
    /* 1/3 lies between 0x1.555554p-2 and 0x1.555556p-2, nearer to the second. */
    const float nearest = 0x1.555556p-2f, below = 0x1.555554p-2f;
    assert_true(third() == nearest);
    static const int modes[] = { FE_DOWNWARD, FE_TOWARDZERO };
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        const float before = third();
        const sli_fpenv saved = sli_fpenv_enter();
        const float inside = third();
        sli_fpenv_leave(saved);
        const float after = third();
        const int mode = fegetround();
        fesetround(FE_TONEAREST);
        assert_true(before == below);
        assert_true(inside == nearest);
        assert_true(after == below);
        assert_int_equal(mode, modes[i]);
    }
}

TEST(nothing_changes_for_a_caller_with_the_defaults)
{
    const sli_fpenv saved = sli_fpenv_enter();
    sli_fpenv_leave(saved);
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_true(half_of_the_smallest() > 0.0f);
}

TEST(subnormals_are_not_flushed_inside)
{
    int flushing = 0;
    for (int env = 0; env < callers_env_count(); env++) {
        if (strstr(callers_env_name(env), "flushing") == NULL) {
            continue;
        }
        callers_env_set(env);
        const float outside = half_of_the_smallest();
        const sli_fpenv saved = sli_fpenv_enter();
        const float inside = half_of_the_smallest();
        sli_fpenv_leave(saved);
        const float after = half_of_the_smallest();
        callers_env_reset();
        assert_true(outside == 0.0f);
        assert_true(inside == FLT_MIN / 2);
        assert_true(after == 0.0f);
        flushing++;
    }
#if defined(__SSE2__) || defined(__aarch64__)
    assert_int_equal(flushing, 4);
#endif
}

#if defined(__SSE2__)
TEST(traps_are_masked_inside)
{
    enum { TRAP_ON_DIVISION_BY_ZERO = 0x0200, FLAGS = 0x3F };
    static volatile const float one = 1.0f, zero = 0.0f;
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before & ~(unsigned)(TRAP_ON_DIVISION_BY_ZERO | FLAGS));
    const sli_fpenv saved = sli_fpenv_enter();
    const float inside = divide(&one, &zero); /* would be a SIGFPE */
    sli_fpenv_leave(saved);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    assert_true(isinf(inside));
    assert_int_equal(after & TRAP_ON_DIVISION_BY_ZERO, 0); /* unmasked again */
}
#endif
