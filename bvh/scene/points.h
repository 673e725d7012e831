/* points.h: what the questions about points of a scene share: points in floats or in doubles, as
 * kernels take them. */
#ifndef SLI_SCENE_POINTS_H
#define SLI_SCENE_POINTS_H

#include "bvh/scene/scene.h"

/* Points in floats or in doubles; one of the two is not NULL. */
typedef struct sli_scene_points {
    const float *floats;
    const double *doubles;
    float limit;
    const sl_query *query;
} sli_scene_points;

/* Point i with its options.  False: no such point, or no such limit, is looked for. */
bool sli_scene_point_at(const sli_scene_points *points, size_t i, sli_scene_point *out);

#endif
