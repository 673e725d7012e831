/* rays.h: rays through the centres of pixels: the bits of sl_view_ray, eight at a time.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/camera/view.h"

enum { SLI_RAYS = 8 };

/* What is the same for all pixels of an ordinary camera, in which depth does not depend on the
 * position in the picture, nor the position in the eye's space on depth but by its w. */
typedef struct sli_pixel_rays {
    const sli_view *view;
    bool is_plain;  /* else each ray is made on its own */
    bool is_finite; /* rays end at the far plane */
    double w[2];    /* of points on the near and on the far plane */
    double z_part[2][3], w_part[2][3];
} sli_pixel_rays;

void sli_pixel_rays_open(const sli_view *view, sli_pixel_rays *out);

/* Of the pixels from (x, y) to (x + 7, y), of which some may be beyond the picture.  One that has
 * no ray gets an invalid one, which is a miss. */
void sli_pixel_rays_make(const sli_pixel_rays *rays, uint32_t x, uint32_t y,
                         sl_ray_d out[SLI_RAYS]);
