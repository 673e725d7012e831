/* round_sweep.h: the oracle of spheres and capsules that move: how far they are from a triangle at
 * any t, in integers, without roots: the square of the distance is convex in t, and the signs of
 * its value and slope at a few t decide everything.
 * Threads  one at a time. */
#pragma once

#include <sightline/contact.h>

typedef struct round_case {
    double end[2][3]; /* a sphere's centre is both */
    double radius, dir[3], corner[3][3];
} round_case;

/* Whether found (as sl_sweep_volume of a sphere or capsule against the triangle returns it) and
 * *contact are right, but for the normal and the point; says why where not. */
bool round_case_is_right(const round_case *c, sl_start_contact touching,
                         sl_start_contact overlapping, bool ignore_grazing, bool found,
                         const sl_contact *contact);
