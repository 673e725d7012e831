/* Roundings by comparison: the boundary between two floats or doubles that is in doubt is compared
 * with the number exactly. */
#include "lib/geom/exact/arithmetic/rounding.h"

#include <float.h>
#include <string.h>

static const sli_number one = { 1, 0, 1, 0, 1, { 1 } };
static const sli_number half = { 0.5, 0, 1, -1, 1, { (uint64_t)1 << 63 } };

/* ---- To floats ---- */

/* Maps floats to integers in the same order, both zeros to 0; and back. */
static int32_t rank_of(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >= 0 ? bits : INT32_MIN - bits;
}

static float of_rank(int32_t rank)
{
    const int32_t bits = rank >= 0 ? rank : INT32_MIN - rank;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

float sli_round_by_order(double low, double high, int (*order)(const void *user, double boundary),
                         const void *user)
{
    /* NaNs are not ranked by their bits: the sign of inf - inf depends on the machine. */
    int32_t from = rank_of(isnan(low) ? -INFINITY : (float)low);
    int32_t to = rank_of(isnan(high) ? INFINITY : (float)high);
    while (from < to) {
        const int32_t middle = (int32_t)(((int64_t)from + to) >> 1);
        const double below = (double)of_rank(middle), above = (double)of_rank(middle + 1);
        const double boundary = above > FLT_MAX    ? 0x1.ffffffp127
                                : below < -FLT_MAX ? -0x1.ffffffp127
                                                   : (below + above) / 2;
        const int side = order(user, boundary);
        if (side == 0) {
            return (float)boundary + 0.0f; /* the tie */
        }
        from = side > 0 ? middle + 1 : from;
        to = side > 0 ? to : middle;
    }
    return of_rank(from);
}

typedef struct ratio {
    const sli_number *num, *den;
} ratio;

/* The sign of num / den - boundary. */
static int order_of_ratio(const void *user, const sli_number *boundary)
{
    const ratio *r = user;
    sli_number product;
    sli_number_mul(r->den, boundary, &product);
    sli_number_sub(r->num, &product, &product);
    return product.sign * r->den->sign;
}

static int order_of_ratio_at(const void *user, double boundary)
{
    sli_number x;
    sli_number_set(boundary, true, &x);
    return order_of_ratio(user, &x);
}

float sli_number_round(const sli_number *x, bool *unsure)
{
    return sli_number_round_ratio(x, &one, unsure);
}

float sli_number_round_ratio(const sli_number *x, const sli_number *y, bool *unsure)
{
    if (x->n == 0) {
        return 0;
    }
    sli_number q;
    float rounded;
    sli_number_div(x, y, &q);
    const double margin = q.error + fabs(q.value) * 0x1p-52;
    if (sli_rounds_alike(q.value - margin, q.value + margin, &rounded)) {
        return rounded;
    }
    if (x->n >= 0 && y->n >= 0) {
        const ratio r = { x, y };
        return sli_round_by_order(q.value - margin, q.value + margin, order_of_ratio_at, &r);
    }
    *unsure = true;
    return 0;
}

/* ---- To doubles ---- */

static int64_t rank_of_double(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}

static double double_of_rank(int64_t rank)
{
    const int64_t bits = rank >= 0 ? rank : INT64_MIN - rank;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A number that is within error of at + rest, |rest| being half a step of at or less. */
typedef struct known {
    double at, rest, error;
    int (*order)(const void *user, const sli_number *boundary);
    const void *user;
} known;

/* The sign of the number minus (a + b) / 2.  In doubles, each difference is off by 2^-53 of itself,
 * or by nothing if it is that of neighbours, and so are the two sums. */
static int side_of(const known *k, double a, double b)
{
    const double from_a = (k->at - a) / 2, from_b = (k->at - b) / 2;
    const double gap = (from_a + from_b) + k->rest;
    const double size = fabs(from_a) + fabs(from_b) + fabs(k->rest);
    if (fabs(gap) > sli_certain(k->error + size * 0x1p-51) + 0x1p-1070) {
        return gap > 0 ? 1 : -1;
    }
    sli_number boundary;
    sli_number_diff(a, -b, true, &boundary);
    sli_number_mul(&boundary, &half, &boundary);
    return k->order(k->user, &boundary);
}

/* The rank of the largest double that is no larger. */
static int64_t rank_down(const known *k)
{
    const double margin = k->error + fabs(k->rest), low = k->at - margin, high = k->at + margin;
    int64_t from = rank_of_double(low >= -DBL_MAX ? low : -DBL_MAX) - 1;
    int64_t to = rank_of_double(high <= DBL_MAX ? high : DBL_MAX) + 1;
    while (from < to) {
        const int64_t middle = from + (int64_t)(((uint64_t)to - (uint64_t)from + 1) / 2);
        const double at = double_of_rank(middle);
        if (fabs(at) <= DBL_MAX ? side_of(k, at, at) >= 0 : at < 0) {
            from = middle;
        } else {
            to = middle - 1;
        }
    }
    return from;
}

sli_rounded sli_round_double(double at, double rest, double error,
                             int (*order)(const void *user, const sli_number *boundary),
                             const void *user)
{
    known k = { .error = error, .order = order, .user = user };
    sli_two_sum(at, rest, &k.at, &k.rest);
    if (!(isfinite(k.at) && isfinite(k.rest) && error < DBL_MAX)) {
        k = (known){ 0, 0, INFINITY, order, user };
    }
    const int64_t rank = rank_down(&k);
    const double down = double_of_rank(rank), next = double_of_rank(rank + 1);
    const int side = next <= DBL_MAX ? side_of(&k, down, next) : -1;
    const bool up = side > 0 || (side == 0 && rank % 2 != 0);
    return (sli_rounded){ up ? next : down, down };
}

sli_rounded sli_number_round_double(const sli_number *x)
{
    return sli_number_round_ratio_double(x, &one);
}

/* What the quotient q of mantissas leaves of x, exactly, gives its correction: the sum of both is
 * known to within 2^-48 of the correction. */
sli_rounded sli_number_round_ratio_double(const sli_number *x, const sli_number *y)
{
    if (x->n == 0) {
        return (sli_rounded){ 0, 0 };
    }
    const ratio r = { x, y };
    sli_number q, rest;
    sli_number_div(x, y, &q);
    if (!isfinite(q.value)) {
        return sli_round_double(0, 0, INFINITY, order_of_ratio, &r);
    }
    const double at = q.value;
    sli_number_set(at, true, &rest);
    sli_number_mul(&rest, y, &rest);
    sli_number_sub(x, &rest, &rest);
    sli_number_div(&rest, y, &q);
    q.error = rest.n == 0 ? 0 : q.error;
    return sli_round_double(at, rest.n == 0 ? 0 : q.value, q.error, order_of_ratio, &r);
}
