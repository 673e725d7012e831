/* point.h: points whose nearest triangles, or whose containers, are looked for in worlds, as
 * kernels take them. */
#pragma once

#include "bvh/kernel/instance/ray.h"
#include "lib/geom/transform/transform.h"

#include <float.h>
#include <math.h>

/* A point with its options; a multiple of 2^-149 and no larger than FLT_MAX along each axis. */
typedef struct sli_world_point {
    double at[3];
    float limit;           /* >= 0: exact distances may not be more than this */
    sli_world_ray options; /* of which item is read */
} sli_world_point;

/* Points in floats or in doubles, as callers give them; one of the two is not NULL. */
typedef struct sli_world_points {
    const float *floats;
    const double *doubles;
    float limit;
    const sl_options *options;
} sli_world_points;

/* Point i with its options.  False: no such point, or no such limit, is looked for. */
static inline bool sli_world_point_at(const sli_world_points *points, size_t i,
                                      sli_world_point *out)
{
    *out = (sli_world_point){ .limit = points->limit };
    sli_world_options(points->options, 0, i, &out->options);
    bool valid = points->limit >= 0;
    for (size_t axis = 0; axis < 3; axis++) {
        const double x = points->floats != NULL ? (double)points->floats[3 * i + axis]
                                                : points->doubles[3 * i + axis];
        out->at[axis] = sli_transform_round(x, SLI_TRANSFORM_STEP);
        valid = valid && fabs(out->at[axis]) <= FLT_MAX;
    }
    return valid;
}

/* Takes the number of an instance that contains the point. */
typedef void sli_world_take_instance(void *context, uint32_t instance);
