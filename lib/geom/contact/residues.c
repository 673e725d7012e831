/* A common point of two triangles modulo a prime, for curves: where many points round alike, equal
 * ones are found by this.
 *
 * A coordinate is a ratio of whole numbers, but for powers of two, which have inverses: it is the
 * same modulo a prime whatever the triangles are that it is computed from.  Different points have
 * different residues, but for about one of 2^93.  The prime is ten digits of pi: of numbers that
 * differ in few bits, as those of models do, no more are alike, as they would be modulo a prime
 * that is close to a power of two.
 * Source   Karp and Rabin, Efficient Randomized Pattern-Matching Algorithms (1987), for
 *          fingerprints modulo a prime. */
#include "lib/geom/contact/crossing.h"
#include "lib/geom/contact/relation.h"

#include <math.h>

enum { PRIME = 1693993751 };

static uint64_t residues_times(uint64_t a, uint64_t b)
{
    return a * b % PRIME;
}

static uint64_t residues_less(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + PRIME - b;
}

static uint64_t residues_power(uint64_t x, uint32_t power)
{
    uint64_t out = 1;
    for (; power > 0; power >>= 1) {
        out = (power & 1) != 0 ? residues_times(out, x) : out;
        x = residues_times(x, x);
    }
    return out;
}

static uint64_t residue_of(double x)
{
    enum { DIGITS = 53, HALF = PRIME / 2 + 1 };
    int exponent;
    const uint64_t whole = (uint64_t)ldexp(frexp(fabs(x), &exponent), DIGITS) % PRIME;
    const int shift = exponent - DIGITS;
    const uint64_t scale =
        residues_power(shift < 0 ? HALF : 2, (uint32_t)(shift < 0 ? -shift : shift));
    const uint64_t residue = residues_times(whole, scale);
    return x < 0 ? residues_less(0, residue) : residue;
}

static void residues_between(const double a[3], const double b[3], uint64_t out[3])
{
    for (int axis = 0; axis < 3; axis++) { /* a - b */
        out[axis] = residues_less(residue_of(a[axis]), residue_of(b[axis]));
    }
}

static void residues_cross(const uint64_t a[3], const uint64_t b[3], uint64_t out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        out[axis] = residues_less(residues_times(a[j], b[k]), residues_times(a[k], b[j]));
    }
}

static uint64_t residues_dot(const uint64_t a[3], const uint64_t b[3])
{
    return (a[0] * b[0] % PRIME + a[1] * b[1] % PRIME + a[2] * b[2] % PRIME) % PRIME;
}

bool sli_common_residues(const sli_common_of *of, uint32_t out[3])
{
    const double *corner;
    if (sli_common_corner(&of->a, &of->b, of->at, &corner)) {
        for (int axis = 0; axis < 3; axis++) {
            out[axis] = (uint32_t)residue_of(corner[axis]);
        }
        return true;
    }
    const sli_crossing c = sli_crossing_of(&of->a, &of->b, of->at);
    uint64_t f[3], g[3], normal[3];
    residues_between(c.f1, c.f0, f);
    residues_between(c.g1, c.g0, g);
    residues_cross(f, g, normal);
    residues_between(c.p, c.o, f);
    residues_between(c.p, c.q, g);
    const uint64_t d = residues_dot(g, normal);
    const uint64_t inverse = residues_power(d, PRIME - 2); /* by Fermat */
    const uint64_t share = residues_times(residues_dot(f, normal), inverse);
    for (int axis = 0; axis < 3; axis++) { /* p - (p - q) n / d */
        out[axis] = (uint32_t)residues_less(residue_of(c.p[axis]), residues_times(g[axis], share));
    }
    return d != 0;
}
