/* region.h: a region made ready: what outlines of the picture meet it or lie in it, exactly, and
 * which rectangles surely do.
 *
 * Callers  hold the floating-point environment, and take positions to sli_planar_number. */
#pragma once

#include "bvh/select/region/lasso.h"

#include <sightline/select.h>

typedef struct sli_region {
    bool none; /* nothing is in it */
    sl_region_kind kind;
    double bounds[4]; /* x0, y0, x1, y1; of a brush a little more */
    double p[2], q[2], radius;
    sli_lasso lasso;
} sli_region;

/* SL_OK, or what is wrong with a caller's region. */
sl_result sli_region_check(const sl_region *region, sl_error *error);

/* Takes over a checked region, NULL for none.  width, height: of the picture.  False when out of
 * memory; *out is then as it was. */
bool sli_region_prepare(const sl_allocator *allocator, const sl_region *region, double width,
                        double height, sli_region *out);
void sli_region_free(const sl_allocator *allocator, sli_region *region);

/* An outline of one to three points (planar.h): a point in common; no point outside. */
bool sli_region_touches(const sli_region *region, const double (*outline)[2], int count);
bool sli_region_holds(const sli_region *region, const double (*outline)[2], int count);

typedef enum sli_class {
    SLI_CLASS_MIXED = 0,
    SLI_CLASS_OUT = 1, /* it and the region are apart */
    SLI_CLASS_IN = 2   /* all of it lies in the region */
} sli_class;

/* Of a rectangle x0, y0, x1, y1, which may be NaN: mixed; against a brush. */
sli_class sli_brush_class(const sli_region *brush, const double rectangle[4]);
