/* Square roots of ratios rounded to float or double, for distances: the boundary that is in doubt
 * is squared and compared. */
#include "lib/geom/exact/arithmetic/round_root.h"

typedef struct root {
    const sli_number *square, *over;
} root;

/* The sign of sqrt(square / over) - boundary. */
static int order_of_root(const void *user, const sli_number *boundary)
{
    const root *r = user;
    if (boundary->sign < 0) {
        return 1;
    }
    sli_number right;
    sli_number_mul(r->over, boundary, &right);
    sli_number_mul(&right, boundary, &right);
    sli_number_sub(r->square, &right, &right);
    return right.sign;
}

static int order_of_root_at(const void *user, double boundary)
{
    sli_number x;
    sli_number_set(boundary, true, &x);
    return order_of_root(user, &x);
}

/* Sets low .. high to the interval of the root, q; true if all of it rounds to one float. */
static bool rounds_alike(const sli_number *q, double *low, double *high, float *rounded)
{
    const double margin = q->error + fabs(q->value) * 0x1p-52;
    *low = fmax(q->value - margin, 0);
    *high = q->value + margin;
    return sli_rounds_alike(*low, *high, rounded);
}

float sli_round_root(const sli_number *square, const sli_number *over, bool *unsure)
{
    sli_number q;
    double low, high;
    float rounded = 0;
    sli_number_div(square, over, &q);
    sli_number_sqrt(&q, &q);
    if (rounds_alike(&q, &low, &high, &rounded)) {
        return rounded;
    }
    if (square->n < 0 || over->n < 0) {
        *unsure = true;
        return rounded;
    }
    const root r = { square, over };
    return sli_round_by_order(low, high, order_of_root_at, &r);
}

float sli_round_height(const sli_number *height, const sli_number *over, bool *unsure)
{
    sli_number q, square;
    double low, high;
    float rounded = 0;
    sli_number_sqrt(over, &q);
    sli_number_div(height, &q, &q);
    q.value = fabs(q.value);
    if (rounds_alike(&q, &low, &high, &rounded)) {
        return rounded;
    }
    if (height->n < 0 || over->n < 0) {
        *unsure = true;
        return rounded;
    }
    sli_number_mul(height, height, &square);
    const root r = { &square, over };
    return sli_round_by_order(low, high, order_of_root_at, &r);
}

/* A step of Newton's from the estimate x, whose part below x is c = (square - x^2 over) / (2 x
 * over), leaves c^2 / (2 x): as c is some 2^-49 of x, less than 2^-40 of c. */
sli_rounded sli_round_root_double(const sli_number *square, const sli_number *over)
{
    if (square->n == 0) {
        return (sli_rounded){ 0, 0 };
    }
    const root r = { square, over };
    sli_number q, x, rest;
    sli_number_div(square, over, &q);
    sli_number_sqrt(&q, &q);
    const double at = q.value;
    if (!(at > 0x1p-400 && at < 0x1p400)) {
        return sli_round_double(at, 0, q.error, order_of_root, &r);
    }
    sli_number_set(at, true, &x);
    sli_number_mul(&x, over, &x);
    sli_number_set(at, true, &rest);
    sli_number_mul(&x, &rest, &rest);
    sli_number_sub(square, &rest, &rest);
    sli_number_div(&rest, &x, &q);
    const double correction = rest.n == 0 ? 0 : q.value / 2;
    return sli_round_double(at, correction, fabs(correction) * 0x1p-40, order_of_root, &r);
}
