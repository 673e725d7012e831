/* Ratios of expansions against doubles of any size: compared and rounded after scaling. */
#include "lib/geom/exact/arithmetic/ratio.h"

#include "lib/base/assert.h"
#include "lib/geom/exact/arithmetic/expansion.h"
#include "lib/geom/exact/arithmetic/vector.h"

#include <stdint.h>
#include <string.h>

/* An expansion times 2^shift, whose last component is in 2^499 .. 2^500. */
typedef struct scaled {
    int n, shift;
    double c[SLI_RATIO_MAX];
} scaled;

static void scale_to_500(int n, const double *e, scaled *out)
{
    SL_ASSERT(n > 0 && n <= SLI_RATIO_MAX);
    int exponent;
    (void)frexp(e[n - 1], &exponent);
    out->n = n;
    out->shift = 500 - exponent;
    for (int i = 0; i < n; i++) {
        out->c[i] = ldexp(e[i], out->shift);
    }
}

int sli_ratio_compare(int num_n, const double *num, int den_n, const double *den, double m)
{
    const int sign = sli_expansion_sign(num_n, num) * sli_expansion_sign(den_n, den);
    if (sign != sli_sign(m) || sign == 0) {
        return (sign > sli_sign(m)) - (sign < sli_sign(m));
    }
    scaled n, d;
    scale_to_500(num_n, num, &n);
    scale_to_500(den_n, den, &d);
    /* Now |n / d| is between 1/3 and 3.  A limit of that size is scaled without rounding. */
    const double limit = ldexp(m, n.shift - d.shift);
    if (!(fabs(limit) < 16)) {
        return -sign;
    }
    if (fabs(limit) < 0x1p-4) {
        return sign;
    }
    double product[2 * SLI_RATIO_MAX];
    const int product_n = sli_expansion_scale(d.n, d.c, limit, product);
    return sli_expansion_compare(n.n, n.c, product_n, product) * sli_expansion_sign(d.n, d.c);
}

/* The sign of n / d - (a + b) / 2. */
static int compare_middle(const scaled *n, const scaled *d, double a, double b)
{
    double by_a[2 * SLI_RATIO_MAX], by_b[2 * SLI_RATIO_MAX], sum[4 * SLI_RATIO_MAX];
    const int a_n = sli_expansion_scale(d->n, d->c, a, by_a);
    const int b_n = sli_expansion_scale(d->n, d->c, b, by_b);
    const int sum_n = sli_expansion_sum(a_n, by_a, b_n, by_b, sum);
    double twice[SLI_RATIO_MAX];
    for (int i = 0; i < n->n; i++) {
        twice[i] = 2 * n->c[i];
    }
    return sli_expansion_compare(n->n, twice, sum_n, sum) * sli_expansion_sign(d->n, d->c);
}

static bool is_even(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 1) == 0;
}

/* A quotient of estimates is off by less than 2^-49 of itself; what it leaves of n, which is made
 * exactly, gives its correction c to within 2^-49 of c: the sum of both is known to 2^-97. */
double sli_ratio_round(int num_n, const double *num, int den_n, const double *den)
{
    if (num_n == 0) {
        return 0;
    }
    scaled n, d;
    scale_to_500(num_n, num, &n);
    scale_to_500(den_n, den, &d);
    const double over = sli_expansion_estimate(d.n, d.c);
    const double q = sli_expansion_estimate(n.n, n.c) / over;
    double product[2 * SLI_RATIO_MAX], rest[3 * SLI_RATIO_MAX];
    const int product_n = sli_expansion_scale(d.n, d.c, q, product);
    const int rest_n = sli_expansion_diff(n.n, n.c, product_n, product, rest);
    double rounded, error;
    sli_two_sum(q, sli_expansion_estimate(rest_n, rest) / over, &rounded, &error);
    if (error != 0) {
        const double next = nextafter(rounded, error > 0 ? INFINITY : -INFINITY);
        const double half = fabs(next - rounded) / 2; /* exact, and at least |error| */
        if (half - fabs(error) <= 0x1p-90 * fabs(q)) {
            const int side = compare_middle(&n, &d, rounded, next) * (next > rounded ? 1 : -1);
            if (side > 0 || (side == 0 && !is_even(rounded))) {
                rounded = next;
            }
        }
    }
    return ldexp(rounded, d.shift - n.shift);
}
