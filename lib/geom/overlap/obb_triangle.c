/* A box of any orientation against a triangle, by separating axes (sat.c). */
#include "lib/base/fpenv.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/sat.h"

SLI_NOINLINE bool sli_obb_triangle(const sl_obb *box, const sl_triangle *triangle)
{
    sli_body first, second;
    return sli_body_of_obb(box, &first) && sli_body_of_triangle(triangle, &second) &&
           sli_bodies_meet(&first, &second);
}

bool sl_obb_overlaps_triangle(const sl_obb *box, const sl_triangle *triangle)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const bool meet = sli_obb_triangle(box, triangle);
    sli_fpenv_leave(saved);
    return meet;
}
