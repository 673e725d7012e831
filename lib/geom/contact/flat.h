/* contact/flat.h: two triangles in one plane, or of which one has no area; for relation.c.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/contact/common.h"

/* out may be NULL; its relation is left alone. */
sl_relation sli_relate_flat(const sl_triangle_d *a, const sl_triangle_d *b, sli_common *out);

/* Where one of them has no area: what they share, a segment at most. */
void sli_slender_common(const sl_triangle_d *a, const sl_triangle_d *b, sli_common *out);
