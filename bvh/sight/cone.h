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
