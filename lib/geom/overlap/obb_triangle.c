/* A box of any orientation against a triangle, by separating axes (sat.c). */
#include "lib/geom/convex/sat.h"
#include "lib/geom/overlap/overlap_d.h"

bool sli_obb_triangle_d(const sl_obb_d *box, const sl_triangle_d *triangle)
{
    sli_body first, second;
    sli_body_of_obb_d(box, &first);
    sli_body_of_triangle_d(triangle, &second);
    return sli_bodies_meet(&first, &second);
}
