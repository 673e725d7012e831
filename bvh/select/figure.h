/* figure.h: what a triangle, a side or a corner of the world is in the picture (select.h, Figure).
 * Callers  hold the floating-point environment. */
#ifndef SLI_SELECT_FIGURE_H
#define SLI_SELECT_FIGURE_H

#include "bvh/select/region/region.h"
#include "lib/geom/camera/view.h"

enum { SLI_FIGURE_MAX = 5 };

typedef struct sli_figure {
    int count; /* of positions; 0: it appears nowhere */
    bool cut;
    double at[SLI_FIGURE_MAX][2];
} sli_figure;

/* Of one to three points in clip space. */
void sli_figure_make(const sli_view *view, const double (*clip)[4], int count, sli_figure *out);

/* TOUCHED, and INSIDE. */
bool sli_figure_touches(const sli_figure *figure, const sli_region *region);
bool sli_figure_is_inside(const sli_figure *figure, const sli_region *region);

#endif
