/* cone.h: cones of sight, made ready for many points. */
#pragma once

#include <sightline/visibility.h>

typedef struct sli_cone {
    double eye[3], dir[3], cos_angle, range;
    bool none; /* nothing is in it */
    /* For the filter in doubles: |dir|, cos_angle |dir|, range^2. */
    double length, cos_length, range2;
} sli_cone;

/* Coordinates of eye are numbers already (sli_sight_number). */
sli_cone sli_cone_make(const double eye[3], const sl_sight_cone *cone);

/* Whether a point is in it. */
bool sli_cone_has(const sli_cone *cone, const double point[3]);

/* Whether target is in the cone of eye: |d| <= range and dot(d, dir) >= cos_angle |d| |dir|, with d
 * the exact difference, decided as by exact arithmetic; so the rim is in it, and so is the eye's
 * own point unless range is negative.  The numbers of points, dir and cos_angle are taken as those
 * of intersect.h are: one that is NaN or larger than FLT_MAX makes it false, and so does a range
 * that is NaN. */
bool sli_sight_in_cone(const double eye[3], const sl_sight_cone *cone, const double target[3]);
