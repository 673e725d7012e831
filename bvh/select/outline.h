/* outline.h: what a triangle, a side or a corner of the world is in the picture (select.h, Figure).
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/select/region/region.h"
#include "lib/geom/camera/view.h"

enum { SLI_OUTLINE_MAX = 5 };

typedef struct sli_outline {
    int count; /* of positions; 0: it appears nowhere */
    bool cut;
    double at[SLI_OUTLINE_MAX][2];
} sli_outline;

/* Of one to three points in clip space. */
void sli_outline_make(const sli_view *view, const double (*clip)[4], int count, sli_outline *out);

/* TOUCHED, and INSIDE. */
bool sli_outline_touches(const sli_outline *outline, const sli_region *region);
bool sli_outline_is_inside(const sli_outline *outline, const sli_region *region);
