/* Two boxes of any orientation, one of which may be axis-aligned, by separating axes (sat.c). */
#include "lib/base/inline.h"
#include "lib/geom/convex/sat.h"
#include "lib/geom/overlap/overlap.h"

SLI_NOINLINE bool sli_obb_obb(const sl_obb *a, const sl_obb *b)
{
    sli_body first, second;
    return sli_body_of_obb(a, &first) && sli_body_of_obb(b, &second) &&
           sli_bodies_meet(&first, &second);
}

SLI_NOINLINE bool sli_obb_aabb(const sl_obb *obb, const sl_aabb *aabb)
{
    sli_body first, second;
    return sli_body_of_obb(obb, &first) && sli_body_of_aabb(aabb, &second) &&
           sli_bodies_meet(&first, &second);
}
