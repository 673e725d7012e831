#include "test/support/oracle/fraction.h"

#include "test/support/oracle/rational.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FRACTIONS = 1 << 20 };

static mpq_t pool[MAX_FRACTIONS];
static int used, made;

void fraction_reset(void)
{
    used = 0;
}

int fraction_mark(void)
{
    return used;
}

void fraction_release(int mark)
{
    used = mark;
}

static fraction make(void)
{
    if (used == MAX_FRACTIONS) {
        abort(); /* the test's mistake */
    }
    if (used == made) {
        mpq_init(pool[made++]);
    }
    return pool[used++];
}

fraction fraction_of(double x)
{
    fraction out = make();
    rational_set(out, x);
    return out;
}

fraction fraction_add(fraction a, fraction b)
{
    fraction out = make();
    mpq_add(out, a, b);
    return out;
}

fraction fraction_sub(fraction a, fraction b)
{
    fraction out = make();
    mpq_sub(out, a, b);
    return out;
}

fraction fraction_mul(fraction a, fraction b)
{
    fraction out = make();
    mpq_mul(out, a, b);
    return out;
}

fraction fraction_div(fraction a, fraction b)
{
    fraction out = make();
    mpq_div(out, a, b);
    return out;
}

int fraction_sign(fraction a)
{
    return mpq_sgn(a);
}

int fraction_compare(fraction a, fraction b)
{
    const int order = mpq_cmp(a, b);
    return (order > 0) - (order < 0);
}

fraction fraction_abs(fraction a)
{
    fraction out = make();
    mpq_abs(out, a);
    return out;
}

float fraction_round(fraction a)
{
    return rational_round(mpq_numref(a), mpq_denref(a), 0);
}

static bool is_even(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits % 2 == 0;
}

/* Sign of a minus the square of the number halfway from low to high, two floats one after the
 * other; halfway to infinity is where the next float would begin. */
static int compare_halfway(fraction a, float low, float high)
{
    const double halfway = isinf(high) ? 0x1.ffffffp127 : ((double)low + (double)high) / 2;
    fraction x = fraction_of(halfway);
    return fraction_compare(a, fraction_mul(x, x));
}

bool fraction_is_root(float x, fraction a)
{
    if (isnan(x) || signbit(x)) {
        return false;
    }
    if (!isinf(x)) {
        const int above = compare_halfway(a, x, nextafterf(x, INFINITY));
        if (above > 0 || (above == 0 && !is_even(x))) {
            return false;
        }
    }
    if (x > 0) {
        const float before = nextafterf(x, 0);
        const int below = compare_halfway(a, before, x);
        if (below < 0 || (below == 0 && !is_even(x))) {
            return false;
        }
    }
    return true;
}

fraction3 fraction3_of(const float x[3])
{
    return (fraction3){ { fraction_of(x[0]), fraction_of(x[1]), fraction_of(x[2]) } };
}

fraction3 fraction3_of_d(const double x[3])
{
    return (fraction3){ { fraction_of(x[0]), fraction_of(x[1]), fraction_of(x[2]) } };
}

fraction3 fraction3_add(fraction3 a, fraction3 b)
{
    fraction3 out;
    for (int axis = 0; axis < 3; axis++) {
        out.x[axis] = fraction_add(a.x[axis], b.x[axis]);
    }
    return out;
}

fraction3 fraction3_sub(fraction3 a, fraction3 b)
{
    fraction3 out;
    for (int axis = 0; axis < 3; axis++) {
        out.x[axis] = fraction_sub(a.x[axis], b.x[axis]);
    }
    return out;
}

fraction3 fraction3_mul(fraction3 a, fraction b)
{
    fraction3 out;
    for (int axis = 0; axis < 3; axis++) {
        out.x[axis] = fraction_mul(a.x[axis], b);
    }
    return out;
}

fraction fraction3_dot(fraction3 a, fraction3 b)
{
    fraction sum = fraction_mul(a.x[0], b.x[0]);
    for (int axis = 1; axis < 3; axis++) {
        sum = fraction_add(sum, fraction_mul(a.x[axis], b.x[axis]));
    }
    return sum;
}

static fraction determinant(int n, fraction m[3][3])
{
    if (n == 1) {
        return m[0][0];
    }
    if (n == 2) {
        return fraction_sub(fraction_mul(m[0][0], m[1][1]), fraction_mul(m[0][1], m[1][0]));
    }
    fraction sum = fraction_of(0);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        fraction minor =
            fraction_sub(fraction_mul(m[1][j], m[2][k]), fraction_mul(m[1][k], m[2][j]));
        sum = fraction_add(sum, fraction_mul(m[0][i], minor));
    }
    return sum;
}

bool fraction_solve(int n, fraction m[3][3], fraction y[3], fraction x[3])
{
    fraction whole = determinant(n, m);
    if (fraction_sign(whole) == 0) {
        return false;
    }
    for (int column = 0; column < n; column++) {
        fraction with[3][3];
        for (int row = 0; row < n; row++) {
            for (int i = 0; i < n; i++) {
                with[row][i] = i == column ? y[row] : m[row][i];
            }
        }
        x[column] = fraction_div(determinant(n, with), whole);
    }
    return true;
}
