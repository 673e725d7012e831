/* round_distance.h: how far a segment that moves is from a triangle at any t, in integers: the
 * nearest of all pairs of their corners, edges and faces.
 * Threads  one at a time. */
#pragma once

#include "test/support/oracle/rational.h"
#include "test/support/oracle/round_sweep.h"

/* The case in integers: all multiplied by one power of two. */
typedef struct round_scaled {
    big_vec end[2], dir, corner[3];
    mpz_t radius;
    bool moves, capsule;
} round_scaled;

/* The squared distance num / den at t, times 4^shift for a t = numerator / 2^shift; the sign of its
 * slope; and the pair of features that is nearest. */
typedef struct round_distance {
    mpz_t num, den;
    int slope, feature;
} round_distance;

void round_scaled_make(const round_case *c, round_scaled *out);
void round_scaled_clear(round_scaled *s);

/* The sign of the distance minus the radius at t = numerator / 2^shift. */
int round_gap_at(const round_scaled *s, const mpz_t t, unsigned shift, round_distance *out);

/* The sign of r^2 - the least squared distance of the line of the motion from the feature's line or
 * point. */
int round_sign_of_least(const round_scaled *s, int feature);
