/* Which side of a triangle a direction meets: the exact sign of dir . normal. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/exact/valid.h"

#include <sightline/intersect.h>

/* normal = (v1 - v0) x (v2 - v0), so dir . normal = det(dir, v1 - v0, v2 - v0). */
static SLI_NOINLINE int triangle_facing(const sl_triangle *triangle, const float dir[3])
{
    const double origin[3] = { 0, 0, 0 };
    double v[3][3], d[3];
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++) {
            v[i][axis] = triangle->v[i][axis];
        }
        d[axis] = dir[axis];
    }
    sli_decision_stage stage = SLI_STAGE_DOUBLE;
    return sli_triple3d(origin, d, v[0], v[1], v[0], v[2], &stage);
}

int sl_triangle_facing(const sl_triangle *triangle, const float dir[3])
{
    if (!sli_triangle_is_valid(triangle) || !sli_finite(dir, 3)) {
        return 0;
    }
    return SLI_IN_FPENV(triangle_facing(triangle, dir));
}
