/* Makers and validity of shapes, the part of the public shapes.h on which every other room relies.
 */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/valid.h"

#include <sightline/shapes.h>

#include <math.h>
#include <string.h>

static bool finite3(const float v[3])
{
    return sli_finite(v, 3);
}

/* By its bits, as sli_finite. */
static bool is_zero(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    return word << 1 == 0;
}

sl_ray sl_ray_make(const float origin[3], const float dir[3])
{
    return (sl_ray){ .origin = { origin[0], origin[1], origin[2] },
                     .tmin = 0,
                     .dir = { dir[0], dir[1], dir[2] },
                     .tmax = INFINITY };
}

static SLI_NOINLINE bool limits_are_valid(const sl_ray *ray)
{
    return ray->tmin <= ray->tmax;
}

bool sl_ray_is_valid(const sl_ray *ray)
{
    const bool limits = SLI_IN_FPENV(limits_are_valid(ray));
    return limits && finite3(ray->origin) && finite3(ray->dir);
}

bool sl_segment_is_valid(const sl_segment *segment)
{
    return finite3(segment->p) && finite3(segment->q);
}

bool sl_line_is_valid(const sl_line *line)
{
    return finite3(line->point) && finite3(line->dir);
}

bool sl_triangle_is_valid(const sl_triangle *triangle)
{
    return finite3(triangle->v[0]) && finite3(triangle->v[1]) && finite3(triangle->v[2]);
}

bool sl_plane_is_valid(const sl_plane *plane)
{
    const float *n = plane->normal;
    const bool zero = is_zero(n[0]) && is_zero(n[1]) && is_zero(n[2]);
    return finite3(n) && sli_finite(&plane->offset, 1) && !zero;
}

/* Finite, and not negative; -0 is a zero. */
static bool is_length(float x)
{
    return sli_finite(&x, 1) && (!signbit(x) || is_zero(x));
}

bool sl_sphere_is_valid(const sl_sphere *sphere)
{
    return finite3(sphere->centre) && is_length(sphere->radius);
}

bool sl_capsule_is_valid(const sl_capsule *capsule)
{
    return finite3(capsule->p) && finite3(capsule->q) && is_length(capsule->radius);
}

bool sl_obb_is_valid(const sl_obb *box)
{
    bool valid = finite3(box->centre);
    for (int i = 0; i < 3; i++) {
        valid = valid && finite3(box->axis[i]) && is_length(box->half[i]);
    }
    return valid;
}

bool sl_frustum_is_valid(const sl_frustum *frustum)
{
    if (frustum->count > SL_FRUSTUM_PLANES_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < frustum->count; i++) {
        if (!sl_plane_is_valid(&frustum->plane[i])) {
            return false;
        }
    }
    return true;
}

sl_aabb sl_aabb_empty(void)
{
    return (sl_aabb){ .min = { INFINITY, INFINITY, INFINITY },
                      .max = { -INFINITY, -INFINITY, -INFINITY } };
}

static SLI_NOINLINE sl_aabb from_corners(const float a[3], const float b[3])
{
    sl_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        if (isnan(a[axis]) || isnan(b[axis])) {
            return sl_aabb_empty();
        }
        const bool in_order = a[axis] <= b[axis];
        box.min[axis] = in_order ? a[axis] : b[axis];
        box.max[axis] = in_order ? b[axis] : a[axis];
    }
    return box;
}

/* Rounding the sum to double and then to float is the same as rounding it once: where the sum of
 * two floats does not fit a double, it is far nearer to the larger of them than to a boundary
 * between floats. */
static SLI_NOINLINE sl_aabb from_centre(const float centre[3], const float size[3])
{
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const double half = (double)size[axis] / 2; /* of either sign: from_corners sorts them */
        low[axis] = (float)((double)centre[axis] - half);
        high[axis] = (float)((double)centre[axis] + half);
    }
    return from_corners(low, high);
}

sl_aabb sl_aabb_from_corners(const float a[3], const float b[3])
{
    return SLI_IN_FPENV(from_corners(a, b));
}

sl_aabb sl_aabb_from_centre(const float centre[3], const float size[3])
{
    return SLI_IN_FPENV(from_centre(centre, size));
}

static SLI_NOINLINE bool is_empty(const sl_aabb *box)
{
    for (int axis = 0; axis < 3; axis++) {
        const float low = box->min[axis], high = box->max[axis];
        if (!(low <= high) || low == INFINITY || high == -INFINITY) {
            return true;
        }
    }
    return false;
}

bool sl_aabb_is_empty(const sl_aabb *box)
{
    return SLI_IN_FPENV(is_empty(box));
}

bool sl_aabb_is_valid(const sl_aabb *box)
{
    return finite3(box->min) && finite3(box->max) && !sl_aabb_is_empty(box);
}
