/* Exact sums and products of doubles, for all exact decisions of the library: Shewchuk's expansion
 * arithmetic (1997) with Dekker's product (1971). */
#include "lib/geom/exact/arithmetic/expansion.h"

#include "lib/base/assert.h"

static void fast_two_sum(double a, double b, double *sum, double *error)
{
    const double x = a + b;
    *error = b - (x - a);
    *sum = x;
}

/* The upper 26 bits of a; the rest fits in 26 bits as well (its sign gives the 53rd). */
static void expansion_split(double a, double *high, double *low)
{
    const double c = 0x1p27 * a + a;
    *high = c - (c - a);
    *low = a - *high;
}

static void two_product(double a, double b, double b_high, double b_low, double *product,
                        double *error)
{
    double a_high, a_low;
    expansion_split(a, &a_high, &a_low);
    const double x = a * b;
    *error = a_low * b_low - (((x - a_high * b_high) - a_low * b_high) - a_high * b_low);
    *product = x;
}

sli_diff sli_diff_make(double a, double b)
{
    double x, y;
    sli_two_sum(a, -b, &x, &y);
    sli_diff d = { 0, { 0, 0 } };
    if (y != 0) {
        d.c[d.n++] = y;
    }
    if (x != 0) {
        d.c[d.n++] = x;
    }
    return d;
}

/* Shewchuk's fast expansion sum: merges by magnitude and carries upwards; sign, 1 or -1, multiplies
 * f.  Components are written step places apart (0: only the last one is kept).  No more are written
 * than have been read, so f may lie in h, en components after its start. */
static inline int expansion_merge(int en, const double *e, int fn, const double *f, double sign,
                                  double *h, int step)
{
    int hn = 0, i = 0, j = 0;
    double carry = 0;
    while (i < en || j < fn) {
        double next;
        if (j == fn) {
            next = e[i++];
        } else if (i == en) {
            next = sign * f[j++];
        } else {
            const double a = e[i] < 0 ? -e[i] : e[i];
            const double b = f[j] < 0 ? -f[j] : f[j];
            next = a < b ? e[i++] : sign * f[j++];
        }
        double rest;
        sli_two_sum(carry, next, &carry, &rest);
        if (rest != 0) {
            h[hn] = rest;
            hn += step;
        }
    }
    if (carry != 0) {
        h[hn] = carry;
        hn += step;
    }
    return hn;
}

int sli_expansion_sum(int en, const double *e, int fn, const double *f, double *h)
{
    return expansion_merge(en, e, fn, f, 1, h, 1);
}

int sli_expansion_diff(int en, const double *e, int fn, const double *f, double *h)
{
    return expansion_merge(en, e, fn, f, -1, h, 1);
}

int sli_expansion_compare(int en, const double *e, int fn, const double *f)
{
    double last = 0;
    (void)expansion_merge(en, e, fn, f, -1, &last, 0);
    return (last > 0) - (last < 0);
}

int sli_expansion_scale(int en, const double *e, double b, double *h)
{
    if (en == 0 || b == 0) {
        return 0;
    }
    double b_high, b_low, carry, rest;
    expansion_split(b, &b_high, &b_low);
    int hn = 0;
    two_product(e[0], b, b_high, b_low, &carry, &rest);
    if (rest != 0) {
        h[hn++] = rest;
    }
    for (int i = 1; i < en; i++) {
        double high, low, sum;
        two_product(e[i], b, b_high, b_low, &high, &low);
        sli_two_sum(carry, low, &sum, &rest);
        if (rest != 0) {
            h[hn++] = rest;
        }
        fast_two_sum(high, sum, &carry, &rest);
        if (rest != 0) {
            h[hn++] = rest;
        }
    }
    if (carry != 0) {
        h[hn++] = carry;
    }
    return hn;
}

int sli_expansion_times_diff(int en, const double *e, const sli_diff *d, double *h)
{
    SL_ASSERT(en <= SLI_PRODUCT_MAX);
    if (d->n < 2) {
        return sli_expansion_scale(en, e, d->n == 0 ? 0 : d->c[0], h);
    }
    double low[2 * SLI_PRODUCT_MAX], *high = h + 2 * en;
    const int low_n = sli_expansion_scale(en, e, d->c[0], low);
    const int high_n = sli_expansion_scale(en, e, d->c[1], high);
    return sli_expansion_sum(low_n, low, high_n, high, h);
}

int sli_expansion_compress(int en, double *e)
{
    if (en == 0) {
        return 0;
    }
    int bottom = en - 1;
    double carry = e[bottom];
    for (int i = en - 2; i >= 0; i--) {
        double sum, rest;
        fast_two_sum(carry, e[i], &sum, &rest);
        if (rest != 0) {
            e[bottom--] = sum;
            carry = rest;
        } else {
            carry = sum;
        }
    }
    int top = 0;
    for (int i = bottom + 1; i < en; i++) {
        double sum, rest;
        fast_two_sum(e[i], carry, &sum, &rest);
        carry = sum;
        if (rest != 0) {
            e[top++] = rest;
        }
    }
    if (carry != 0) {
        e[top++] = carry;
    }
    return top;
}

/* Multiplies blocks of up to BLOCK components of the shorter factor by one component of the longer
 * one. */
int sli_expansion_product(int en, const double *e, int fn, const double *f, double *h)
{
    enum { BLOCK = 16 };
    SL_ASSERT(en <= SLI_COMPRESSED_MAX && fn <= SLI_COMPRESSED_MAX);
    double next[SLI_COMPRESSED_MAX + 2 * BLOCK], *scaled = next + SLI_COMPRESSED_MAX;
    const double *longer = en < fn ? f : e, *shorter = en < fn ? e : f;
    const int longer_n = en < fn ? fn : en, shorter_n = en < fn ? en : fn;
    int n = 0;
    for (int first = 0; first < shorter_n; first += BLOCK) {
        const int left = shorter_n - first, block = left < BLOCK ? left : BLOCK;
        for (int i = 0; i < longer_n; i++) {
            const int scaled_n = sli_expansion_scale(block, shorter + first, longer[i], scaled);
            n = sli_expansion_sum(n, h, scaled_n, scaled, next);
            n = sli_expansion_compress(n, next);
            SL_ASSERT(n <= SLI_COMPRESSED_MAX);
            for (int k = 0; k < n; k++) {
                h[k] = next[k];
            }
        }
    }
    return n;
}

int sli_expansion_sign(int en, const double *e)
{
    return en == 0 ? 0 : e[en - 1] > 0 ? 1 : -1;
}

double sli_expansion_estimate(int en, const double *e)
{
    double sum = 0;
    for (int i = 0; i < en; i++) {
        sum += e[i];
    }
    return sum;
}

int sli_expansion_compare_ratio(int num_n, const double *num, int den_n, const double *den,
                                double m)
{
    SL_ASSERT(den_n <= SLI_COMPRESSED_MAX);
    double scaled[2 * SLI_COMPRESSED_MAX];
    const int scaled_n = sli_expansion_scale(den_n, den, m, scaled);
    return sli_expansion_compare(num_n, num, scaled_n, scaled);
}

float sli_expansion_round_ratio(int num_n, const double *num, int den_n, const double *den)
{
    const double q = sli_expansion_estimate(num_n, num) / sli_expansion_estimate(den_n, den);
    const double margin = (q < 0 ? -q : q) * 0x1p-49;
    float rounded;
    if (sli_rounds_alike(q - margin, q + margin, &rounded)) {
        return rounded;
    }
    /* Exactly one boundary between two floats lies within the margin.  It is a double: their
     * midpoint, or where overflow begins.  Converting it to float rounds that tie to even. */
    const float below = (float)(q - margin), above = (float)(q + margin);
    double boundary = ((double)below + (double)above) / 2;
    if (boundary > 0x1.fffffep127) {
        boundary = 0x1.ffffffp127;
    } else if (boundary < -0x1.fffffep127) {
        boundary = -0x1.ffffffp127;
    }
    const int side = sli_expansion_compare_ratio(num_n, num, den_n, den, boundary) *
                     sli_expansion_sign(den_n, den);
    rounded = side < 0 ? below : side > 0 ? above : (float)boundary;
    return rounded == 0 ? 0.0f : rounded;
}
