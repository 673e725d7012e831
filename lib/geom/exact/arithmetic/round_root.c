/* Square roots of ratios rounded to float, for distances: the boundary between two floats that is
 * in doubt is squared and compared. */
#include "lib/geom/exact/arithmetic/round_root.h"

/* A root to compare with boundaries x, by the sign of left - (x 2^exponent)^2 over; differences
 * within error count as ties. */
typedef struct root {
    const sli_number *left, *over;
    int exponent;
    double error; /* of left */
} root;

static int order_of_root(const void *user, double boundary)
{
    const root *r = user;
    sli_number x, right;
    bool unsure = false; /* all is exact here */
    sli_number_set(ldexp(boundary, r->exponent), true, &x);
    sli_number_mul(r->over, &x, &right);
    sli_number_mul(&right, &x, &right);
    sli_number_sub(r->left, &right, &right);
    return fabs(right.value) > r->error || r->error == 0 ? sli_number_sign(&right, &unsure) : 0;
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
    const root r = { square, over, 0, 0 };
    return sli_round_by_order(low, high, order_of_root, &r);
}

/* The components of the square of a height of degree 4 may span more than the range of doubles.  So
 * the height is scaled to about 2^480, and its components below 2^-484, which change its square by
 * less than 8, are left out: relative to the square, 2^960, only ties up to one part in 2^957 stay
 * undecided. */
static void square_height(const sli_number *height, root *r, sli_number *square)
{
    int size;
    frexp(height->value, &size);
    r->exponent = 480 - size;
    r->error = 0;
    sli_number scaled = { .n = 0 };
    for (int i = 0; i < height->n; i++) {
        const double c = ldexp(height->c[i], r->exponent);
        if (fabs(c) < 0x1p-484) {
            r->error = 8;
        } else {
            scaled.c[scaled.n++] = c;
        }
    }
    sli_number_mul(&scaled, &scaled, square);
    r->left = square;
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
    root r = { .over = over };
    square_height(height, &r, &square);
    return sli_round_by_order(low, high, order_of_root, &r);
}
