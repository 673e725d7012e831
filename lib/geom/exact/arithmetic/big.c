/* Numbers of any size: limbs of 64 bits, added and multiplied as on paper. */
#include "lib/geom/exact/arithmetic/big.h"
#include "lib/geom/exact/arithmetic/limb.h"

#include <math.h>

/* Room for n limbs; NULL: out of memory. */
static uint64_t *big_room(sli_bigs *bigs, int n)
{
    uint64_t *limb = bigs->failed ? NULL : sli_arena_array(&bigs->arena, (size_t)n, sizeof *limb);
    bigs->failed = limb == NULL;
    return limb;
}

/* The number of n limbs, of which any may be 0. */
static sli_big big_trimmed(const uint64_t *limb, int n, int first, int sign)
{
    while (n > 0 && limb[n - 1] == 0) {
        n--;
    }
    while (n > 0 && limb[0] == 0) {
        limb++, first++, n--;
    }
    return n > 0 ? (sli_big){ limb, n, first, sign } : (sli_big){ .n = 0 };
}

sli_big sli_big_of(sli_bigs *bigs, double x)
{
    uint64_t *limb = x != 0 ? big_room(bigs, 2) : NULL;
    if (limb == NULL) {
        return (sli_big){ .n = 0 };
    }
    const int first = sli_limbs_of_double(x, limb);
    return big_trimmed(limb, 2, first, x < 0 ? -1 : 1);
}

/* The limb with the weight 2^(64 at). */
static uint64_t big_limb(sli_big x, int at)
{
    return at >= x.first && at < x.first + x.n ? x.limb[at - x.first] : 0;
}

/* The sign of |x| - |y|; neither is 0. */
static int big_compare_sizes(sli_big x, sli_big y)
{
    const int low = x.first < y.first ? x.first : y.first;
    for (int at = (x.first + x.n > y.first + y.n ? x.first + x.n : y.first + y.n) - 1; at >= low;
         at--) {
        const uint64_t a = big_limb(x, at), b = big_limb(y, at);
        if (a != b) {
            return a > b ? 1 : -1;
        }
    }
    return 0;
}

/* x.sign * (|x| + |y|), or - |y| where that is no less than 0. */
static sli_big big_combine(sli_bigs *bigs, sli_big x, sli_big y, bool subtract)
{
    const int low = x.first < y.first ? x.first : y.first;
    const int end = x.first + x.n > y.first + y.n ? x.first + x.n : y.first + y.n;
    uint64_t *limb = big_room(bigs, end - low + 1), carry = 0;
    if (limb == NULL) {
        return (sli_big){ .n = 0 };
    }
    for (int at = low; at <= end; at++) {
        const uint64_t a = big_limb(x, at), b = big_limb(y, at);
        const uint64_t first = subtract ? a - b : a + b;
        const uint64_t both = subtract ? first - carry : first + carry;
        carry = subtract ? (a < b) | (first < carry) : (first < a) | (both < first);
        limb[at - low] = both;
    }
    return big_trimmed(limb, end - low + 1, low, x.sign);
}

sli_big sli_big_add(sli_bigs *bigs, sli_big x, sli_big y)
{
    if (x.sign == 0 || y.sign == 0) {
        return x.sign == 0 ? y : x;
    }
    if (x.sign == y.sign) {
        return big_combine(bigs, x, y, false);
    }
    return big_compare_sizes(x, y) >= 0 ? big_combine(bigs, x, y, true)
                                        : big_combine(bigs, y, x, true);
}

sli_big sli_big_turn(sli_big x, int sign)
{
    x.sign *= sign;
    x.n = x.sign != 0 ? x.n : 0;
    return x;
}

sli_big sli_big_sub(sli_bigs *bigs, sli_big x, sli_big y)
{
    return sli_big_add(bigs, x, sli_big_turn(y, -1));
}

sli_big sli_big_mul(sli_bigs *bigs, sli_big x, sli_big y)
{
    uint64_t *limb = x.sign * y.sign != 0 ? big_room(bigs, x.n + y.n) : NULL;
    if (limb == NULL) {
        return (sli_big){ .n = 0 };
    }
    sli_limbs_multiply(x.limb, x.n, y.limb, y.n, limb);
    return big_trimmed(limb, x.n + y.n, x.first + y.first, x.sign * y.sign);
}

sli_big sli_big_cross(sli_bigs *bigs, sli_big a, sli_big b, sli_big c, sli_big d)
{
    return sli_big_sub(bigs, sli_big_mul(bigs, a, b), sli_big_mul(bigs, c, d));
}

void sli_big_differences(sli_bigs *bigs, const double a[3], const double b[3], sli_big out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sli_big_sub(bigs, sli_big_of(bigs, a[axis]), sli_big_of(bigs, b[axis]));
    }
}

void sli_big_vector_cross(sli_bigs *bigs, const sli_big a[3], const sli_big b[3], sli_big out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        out[axis] = sli_big_cross(bigs, a[i], b[j], a[j], b[i]);
    }
}

sli_big sli_big_dot(sli_bigs *bigs, const sli_big a[3], const sli_big b[3])
{
    sli_big sum = { .n = 0 };
    for (int axis = 0; axis < 3; axis++) {
        sum = sli_big_add(bigs, sum, sli_big_mul(bigs, a[axis], b[axis]));
    }
    return sum;
}

/* x / 2^(64 *first) within a relative 2^-52, from its two highest limbs. */
static double big_top(sli_big x, int *first)
{
    const double top = (double)x.limb[x.n - 1];
    const double next = x.n > 1 ? (double)x.limb[x.n - 2] * 0x1p-64 : 0;
    *first = x.first + x.n - 1;
    return x.sign * (top + next);
}

double sli_big_ratio(sli_big x, sli_big y)
{
    int of_x, of_y;
    if (x.sign == 0) {
        return 0;
    }
    const double ratio = big_top(x, &of_x) / big_top(y, &of_y);
    return ldexp(ratio, SLI_LIMB_BITS * (of_x - of_y));
}
