/* One ray or segment against one triangle: the public face of exact/ray_triangle_exact.c. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/exact/valid.h"

#include <sightline/intersect.h>

#include <math.h>

/* ray is NULL where a segment is given. */
static SLI_NOINLINE bool triangle_meets(const sl_ray *ray, const sl_segment *segment,
                                        const sl_triangle *triangle, const sl_options *options,
                                        sl_hit *hit)
{
    const sl_options given = options != NULL ? *options : (sl_options){ .flags = 0 };
    sli_exact_ray exact;
    sli_exact_hit found;
    if (hit != NULL) {
        *hit = (sl_hit){ .prim = SL_NONE };
    }
    const bool valid = ray != NULL ? sli_exact_ray_from_ray(ray, given.flags, &exact)
                                   : sli_exact_ray_from_segment(segment, given.flags, &exact);
    if (!valid || !sli_triangle_is_valid(triangle) ||
        !sli_exact_ray_hit(&exact, triangle->v[0], triangle->v[1], triangle->v[2], (int)given.cull,
                           INFINITY, &found)) {
        return false;
    }
    if (hit != NULL) {
        *hit = (sl_hit){ .t = found.t, .u = found.u, .v = found.v, .flags = found.flags };
    }
    return true;
}

bool sl_ray_triangle(const sl_ray *ray, const sl_triangle *triangle, const sl_options *options,
                     sl_hit *hit)
{
    return SLI_IN_FPENV(triangle_meets(ray, NULL, triangle, options, hit));
}

bool sl_segment_triangle(const sl_segment *segment, const sl_triangle *triangle,
                         const sl_options *options, sl_hit *hit)
{
    return SLI_IN_FPENV(triangle_meets(NULL, segment, triangle, options, hit));
}
