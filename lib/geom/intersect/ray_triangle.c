/* One ray or segment against one triangle: the public face of exact/ray_triangle_exact.c. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/predicates.h"

#include <sightline/intersect.h>

#include <math.h>

static bool ray_triangle_finite3(const float v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

/* exact is NULL for an invalid ray. */
static bool ray_triangle_meet(const sli_exact_ray *exact, const sl_triangle *triangle,
                              const sl_options *options, sl_hit *hit)
{
    if (hit != NULL) {
        *hit = (sl_hit){ .prim = SL_NONE };
    }
    if (exact == NULL || !ray_triangle_finite3(triangle->v[0]) ||
        !ray_triangle_finite3(triangle->v[1]) || !ray_triangle_finite3(triangle->v[2])) {
        return false;
    }
    const int cull = options != NULL ? (int)options->cull : SL_CULL_NONE;
    sli_exact_hit found;
    const bool is_hit = sli_exact_ray_hit(exact, triangle->v[0], triangle->v[1], triangle->v[2],
                                          cull, INFINITY, &found);
    if (is_hit && hit != NULL) {
        *hit = (sl_hit){ .t = found.t, .u = found.u, .v = found.v, .flags = found.flags };
    }
    return is_hit;
}

static SLI_NOINLINE bool ray_meets(const sl_ray *ray, const sl_triangle *triangle,
                                   const sl_options *options, sl_hit *hit)
{
    sli_exact_ray exact;
    return ray_triangle_meet(
        sli_exact_ray_from_ray(ray, options != NULL ? options->flags : 0, &exact) ? &exact : NULL,
        triangle, options, hit);
}

static SLI_NOINLINE bool segment_meets(const sl_segment *segment, const sl_triangle *triangle,
                                       const sl_options *options, sl_hit *hit)
{
    const uint32_t flags = options != NULL ? options->flags : 0;
    sli_exact_ray exact;
    return ray_triangle_meet(sli_exact_ray_from_segment(segment, flags, &exact) ? &exact : NULL,
                             triangle, options, hit);
}

bool sl_ray_triangle(const sl_ray *ray, const sl_triangle *triangle, const sl_options *options,
                     sl_hit *hit)
{
    return SLI_IN_FPENV(ray_meets(ray, triangle, options, hit));
}

bool sl_segment_triangle(const sl_segment *segment, const sl_triangle *triangle,
                         const sl_options *options, sl_hit *hit)
{
    return SLI_IN_FPENV(segment_meets(segment, triangle, options, hit));
}
