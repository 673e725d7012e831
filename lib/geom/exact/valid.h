/* exact/valid.h: whether shapes are valid, by bits alone, so in any floating-point environment:
 * isfinite compares, and to compare a denormal is a trap where the caller has unmasked that. */
#pragma once

#include <sightline/shapes.h>

#include <string.h>

/* The bits of a number.  Where they come from is hidden from the compiler: clang 19 knows a test of
 * a float's bits for one of its kind, and makes a comparison of it. */
static inline uint32_t sli_bits(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    __asm__("" : "+r"(word));
    return word;
}

static inline bool sli_finite(const float *x, int count)
{
    static const uint32_t exponent = 0x7F800000;
    for (int i = 0; i < count; i++) {
        if ((sli_bits(x[i]) & exponent) == exponent) {
            return false;
        }
    }
    return true;
}

static inline bool sli_is_zero(float x)
{
    return sli_bits(x) << 1 == 0;
}

/* Finite, and not negative; -0 is a zero. */
static inline bool sli_is_length(float x)
{
    const uint32_t word = sli_bits(x);
    return sli_finite(&x, 1) && (word >> 31 == 0 || word << 1 == 0);
}

static inline bool sli_segment_is_valid(const sl_segment *segment)
{
    return sli_finite(segment->p, 3) && sli_finite(segment->q, 3);
}

static inline bool sli_triangle_is_valid(const sl_triangle *triangle)
{
    return sli_finite(triangle->v[0], 9);
}

static inline bool sli_plane_is_valid(const sl_plane *plane)
{
    const float *n = plane->normal;
    return sli_finite(n, 3) && sli_finite(&plane->offset, 1) &&
           !(sli_is_zero(n[0]) && sli_is_zero(n[1]) && sli_is_zero(n[2]));
}

static inline bool sli_sphere_is_valid(const sl_sphere *sphere)
{
    return sli_finite(sphere->centre, 3) && sli_is_length(sphere->radius);
}

static inline bool sli_capsule_is_valid(const sl_capsule *capsule)
{
    return sli_finite(capsule->p, 3) && sli_finite(capsule->q, 3) && sli_is_length(capsule->radius);
}

static inline bool sli_obb_is_valid(const sl_obb *box)
{
    return sli_finite(box->centre, 3) && sli_finite(box->axis[0], 9) &&
           sli_is_length(box->half[0]) && sli_is_length(box->half[1]) &&
           sli_is_length(box->half[2]);
}

/* Makes a box reach a point; a NaN changes nothing.  This compares, so callers hold the
 * floating-point environment. */
static inline void sli_aabb_reach(sl_aabb *box, const float point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = point[axis] < box->min[axis] ? point[axis] : box->min[axis];
        box->max[axis] = point[axis] > box->max[axis] ? point[axis] : box->max[axis];
    }
}

static inline bool sli_hull_is_valid(const sl_hull *hull)
{
    return hull->count >= 1 && hull->count <= SL_HULL_POINTS_MAX &&
           sli_finite(hull->xyz, 3 * (int)hull->count);
}

bool sli_frustum_is_valid(const sl_frustum *frustum);

/* A ray, whose direction may be zero; in any floating-point environment. */
bool sli_ray_is_valid(const sl_ray *ray);

/* True for an empty inner box; in any floating-point environment. */
bool sli_aabb_contains_box(const sl_aabb *outer, const sl_aabb *inner);

/* A line as shapes.h says it; in any floating-point environment. */
bool sli_line_is_valid(const sl_line *line);

/* A ray in doubles; in any floating-point environment. */
bool sli_ray_d_is_valid(const sl_ray_d *ray);

/* Whether the point is behind or on every plane; true for no planes, false if one is invalid.  In
 * any floating-point environment. */
bool sli_convex_contains_point(const sl_plane *planes, size_t count, const float point[3]);
