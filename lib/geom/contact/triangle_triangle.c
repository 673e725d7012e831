/* The public face of the relation of two triangles. */
#include "lib/base/fpenv.h"
#include "lib/geom/contact/relation.h"
#include "lib/geom/exact/predicates.h"

#include <string.h>

static SLI_NOINLINE sl_relation triangle_triangle(const sl_triangle_d *given_a,
                                                  const sl_triangle_d *given_b,
                                                  sl_triangle_contact *out)
{
    sl_triangle_d a, b;
    sli_common at;
    if (!sli_exact_corners(given_a, a.v) || !sli_exact_corners(given_b, b.v)) {
        return SL_APART;
    }
    return out == NULL ? sli_triangles_relation(&a, &b) : sli_triangles_contact(&a, &b, out, &at);
}

sl_relation sl_triangle_triangle(const sl_triangle_d *a, const sl_triangle_d *b,
                                 sl_triangle_contact *out)
{
    if (out != NULL) {
        memset(out, 0, sizeof *out);
    }
    return SLI_IN_FPENV(triangle_triangle(a, b, out));
}
