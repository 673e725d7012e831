/* Two triangles, by separating axes. */
#include "lib/base/fpenv.h"
#include "lib/geom/overlap.h"
#include "lib/geom/separate.h"

SLI_NOINLINE bool sli_triangle_triangle(const sl_triangle *a, const sl_triangle *b)
{
    sli_body first, second;
    return sli_body_of_triangle(a, &first) && sli_body_of_triangle(b, &second) &&
           sli_bodies_meet(&first, &second);
}

bool sl_triangle_triangle(const sl_triangle *a, const sl_triangle *b)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const bool meet = sli_triangle_triangle(a, b);
    sli_fpenv_leave(saved);
    return meet;
}
