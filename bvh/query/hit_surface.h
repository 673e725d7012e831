/* hit_surface.h: where a hit lies on a triangle with given corners; for sl_bvh_surface and for
 * scenes.
 * Callers  hold the floating-point environment; corners are multiples of 2^-149 no larger than
 *          FLT_MAX. */
#ifndef SLI_QUERY_HIT_SURFACE_H
#define SLI_QUERY_HIT_SURFACE_H

#include <sightline/ray_query.h>

/* As sl_surface has it, in numbers that are floats, or doubles of their range. */
typedef struct sli_surface {
    double point[3], normal[3], error;
    double front_origin[3], back_origin[3];
} sli_surface;

/* The front is the side from which the corners run counter-clockwise; u and w are the weights of
 * corners 1 and 2.  False for weights that are not finite and for zero area. */
bool sli_hit_surface(double v[3][3], float u, float w, bool in_floats, sli_surface *out);

/* Of one that was made in floats. */
sl_surface sli_surface_in_floats(const sli_surface *surface);

#endif
