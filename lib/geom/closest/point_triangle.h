/* closest/point_triangle.h: the distance of a point from a triangle, exact wherever that matters;
 * for nearest-point queries and for spheres.
 *
 * The distance is the exact one rounded to the nearest float, ties to even.  A triangle of zero
 * area is the segment or point that its vertices make.
 * Callers  hold the floating-point environment and pass finite numbers.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.5, for the regions. */
#pragma once

#include "lib/geom/exact/predicates.h"

typedef struct sli_nearest_point {
    float distance;
    float u, v; /* weights of vertices 1 and 2 at the nearest point, computed in double */
    sli_decision_stage stage;
} sli_nearest_point;

/* False if the exact distance is more than limit, or is known to round to more than bound. */
bool sli_point_triangle(const double point[3], const float v0[3], const float v1[3],
                        const float v2[3], float limit, float bound, sli_nearest_point *out);

/* The same for a caller that already has an interval low .. high that holds the exact distance;
 * leaves u and v alone. */
bool sli_point_triangle_within(const double point[3], const float v0[3], const float v1[3],
                               const float v2[3], float limit, float bound, double low, double high,
                               sli_nearest_point *out);

/* The same of a triangle whose corners, as the point, are doubles of the range of floats: multiples
 * of 2^-149 no larger than FLT_MAX. */
bool sli_point_triangle_d(const double point[3], const double v[3][3], float limit, float bound,
                          sli_nearest_point *out);
bool sli_point_triangle_within_d(const double point[3], const double v[3][3], float limit,
                                 float bound, double low, double high, sli_nearest_point *out);

/* What the interval alone tells: 1, and the distance, where the triangle is within; 0 where it is
 * not; -1 where it takes the corners to know. */
static inline int sli_point_triangle_known(float limit, float bound, double low, double high,
                                           sli_nearest_point *out)
{
    out->stage = SLI_STAGE_DOUBLE;
    if (low > limit || (low > bound && (float)low > bound)) {
        return 0;
    }
    const float rounded = (float)low;
    out->distance = rounded;
    return rounded > 0 && rounded == (float)high && high <= limit ? 1 : -1;
}

/* The point of such a triangle that is nearest to a point, in doubles: counted from the point, so
 * that far from the origin it is as good as doubles allow. */
void sli_nearest_at(const double point[3], const double v[3][3], double out[3]);

/* The point with weights u and v (w), computed in double and rounded. */
void sli_nearest_location(const float v0[3], const float v1[3], const float v2[3], float u, float v,
                          float out[3]);
void sli_nearest_location_d(const double v[3][3], float u, float w, float out[3]);

/* The exact stage of these.  Sets *distance to the exact one rounded to the nearest float.  False:
 * it is more than limit, which may be infinite. */
bool sli_point_triangle_exact(const double point[3], const double v[3][3], float limit,
                              float *distance);
