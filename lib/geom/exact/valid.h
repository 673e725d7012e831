/* exact/valid.h: whether shapes are valid, inline, for functions that hold the floating-point
 * environment already; the public functions are in shapes.c. */
#ifndef SLI_GEOM_EXACT_VALID_H
#define SLI_GEOM_EXACT_VALID_H

#include <sightline/shapes.h>

#include <string.h>

/* Looks at bits only, so it needs no floating-point environment, as the two below do: isfinite
 * compares, and to compare a denormal is a trap where the caller has unmasked that. */
static inline bool sli_finite(const float *x, int count)
{
    static const uint32_t exponent = 0x7F800000;
    for (int i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, &x[i], sizeof word);
        if ((word & exponent) == exponent) {
            return false;
        }
    }
    return true;
}

static inline bool sli_plane_is_valid(const sl_plane *plane)
{
    return sli_finite(plane->normal, 3) && sli_finite(&plane->offset, 1) &&
           (plane->normal[0] != 0 || plane->normal[1] != 0 || plane->normal[2] != 0);
}

static inline bool sli_obb_is_valid(const sl_obb *box)
{
    return sli_finite(box->centre, 3) && sli_finite(box->axis[0], 9) && sli_finite(box->half, 3) &&
           box->half[0] >= 0 && box->half[1] >= 0 && box->half[2] >= 0;
}

#endif
