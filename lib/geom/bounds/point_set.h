/* bounds/point_set.h: points given as an array or as the vertices of triangles, and a frame in
 * which their coordinates are of the order of 1, so that nothing computed from them over- or
 * underflows.  For bounding volumes.
 * Callers  hold the floating-point environment. */
#pragma once

#include <sightline/intersect.h>
#include <sightline/shapes.h>

#include <stddef.h>

typedef struct sli_point_set {
    const float *xyz;
    const uint32_t *indices; /* NULL: 0, 1, 2, ... */
    size_t count;
    sl_aabb bounds;

    /* The frame: scale * (x - origin) lies in -2 .. 2; unit = 1 / scale, both powers of 2. */
    double origin[3], scale, unit;
} sli_point_set;

/* False if there are no points, or one is infinite. */
bool sli_point_set_make(const float *xyz, const uint32_t *indices, size_t count,
                        sli_point_set *out);

/* Point i; NULL for a point with a NaN, or a vertex of a triangle that was left out. */
const float *sli_point_set_at(const sli_point_set *points, size_t i);

/* The same in the frame; false instead of NULL. */
bool sli_point_set_framed(const sli_point_set *points, size_t i, double out[3]);

/* From the frame back to the space of the points, rounded to float. */
void sli_point_set_unframe(const sli_point_set *points, const double framed[3], float out[3]);

/* The axes along which points spread most, less and least: perpendicular unit vectors,
 * right-handed, rounded to float; the largest component of each of the first two is positive.
 * Source   Jacobi (1846); Golub and Van Loan, Matrix Computations (1996), 8.4.  Only + - * / and
 *          sqrt are used, so the bits are the same everywhere. */
void sli_principal_axes(const sli_point_set *points, float axis[3][3]);
