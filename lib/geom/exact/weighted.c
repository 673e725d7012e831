/* Values of three corners at the weights of a hit, rounded once: in doubles with what they lose,
 * and where that leaves the rounding open, in expansions. */
#include "lib/geom/exact/weighted.h"

#include "lib/geom/exact/arithmetic/expansion.h"

#include <math.h>

enum { TERMS = 5 };

/* (1 - u - v) a + u b + v c, multiplied out; every term is exact. */
static void make_terms(const float values[3], float u, float v, double terms[TERMS])
{
    const double a = (double)values[0], b = (double)values[1], c = (double)values[2];
    terms[0] = a;
    terms[1] = -((double)u * a);
    terms[2] = -((double)v * a);
    terms[3] = (double)u * b;
    terms[4] = (double)v * c;
}

/* A sum in doubles, to which what its additions lose is added at the end, and the sum of sizes. */
typedef struct sum {
    double value, size;
    bool exact; /* nothing was lost */
} sum;

/* value is off by no more than 2^-53 of the sum and 16 * 2^-106 of size (proposition 4.5 of the
 * paper; n = 5). */
static sum add_up(const double terms[TERMS])
{
    double high = terms[0], rest = 0, size = fabs(terms[0]);
    bool exact = true;
    for (int i = 1; i < TERMS; i++) {
        double lost;
        sli_two_sum(high, terms[i], &high, &lost);
        rest += lost;
        size += fabs(terms[i]);
        exact = exact && lost == 0;
    }
    return (sum){ .value = high + rest, .size = size, .exact = exact };
}

/* The exact sum; returns the number of components. */
static int weighted_expand(const double terms[TERMS], double out[TERMS])
{
    int n = 0;
    for (int i = 0; i < TERMS; i++) {
        double next[TERMS];
        const int next_n = sli_expansion_sum(n, out, terms[i] != 0 ? 1 : 0, &terms[i], next);
        for (n = 0; n < next_n; n++) {
            out[n] = next[n];
        }
    }
    return n;
}

static float round_terms(const double terms[TERMS])
{
    const sum in_doubles = add_up(terms);
    const double value = in_doubles.value;
    const double off = in_doubles.exact ? 0 : fabs(value) * 0x1p-51 + in_doubles.size * 0x1p-101;
    float rounded;
    if (sli_rounds_alike(value - off, value + off, &rounded)) {
        return rounded;
    }
    static const double one[1] = { 1 };
    double exact[TERMS];
    const int n = weighted_expand(terms, exact);
    return sli_expansion_round_ratio(n, exact, 1, one);
}

/* The weight of corner 0, rounded: with its exact sign, for a sum of floats that is not 0 is at
 * least the least float. */
static float first_weight(float u, float v)
{
    const double terms[TERMS] = { 1, -(double)u, -(double)v, 0, 0 };
    return round_terms(terms);
}

static float not_finite(const float values[3], float u, float v)
{
    const double a = (double)first_weight(u, v) * (double)values[0];
    const double made = (a + (double)u * (double)values[1]) + (double)v * (double)values[2];
    return isnan(made) ? NAN : (float)made; /* the sign of a NaN depends on the machine */
}

float sli_weighted_float(const float values[3], float u, float v)
{
    if (!isfinite(values[0]) || !isfinite(values[1]) || !isfinite(values[2])) {
        return not_finite(values, u, v);
    }
    double terms[TERMS];
    make_terms(values, u, v, terms);
    return round_terms(terms);
}

double sli_weighted_double(const float values[3], float u, float v)
{
    double terms[TERMS], exact[TERMS];
    make_terms(values, u, v, terms);
    const sum in_doubles = add_up(terms);
    if (in_doubles.exact || fabs(in_doubles.value) >= 0x1p-46 * in_doubles.size) {
        return in_doubles.value;
    }
    const int n = weighted_expand(terms, exact);
    return sli_expansion_estimate(n, exact);
}
