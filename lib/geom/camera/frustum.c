/* The frustum that a rectangle of the picture shows, from the rays through its corners: these point
 * the right way for every clip space. */
#include "lib/base/fpenv.h"

#include <sightline/camera.h>

#include <math.h>
#include <string.h>

/* The points on one ray at its origin, and at the far plane or one unit along the ray. */
typedef struct corner {
    double near[3], far[3];
} corner;

static SLI_NOINLINE void set_corner(const sl_ray *ray, corner *out)
{
    for (int axis = 0; axis < 3; axis++) {
        out->near[axis] = (double)ray->origin[axis];
        out->far[axis] = (double)ray->origin[axis] + (double)ray->dir[axis];
    }
}

static bool find_corner(const sl_camera *camera, float x, float y, corner *out, bool *far)
{
    sl_ray ray;
    if (!sl_camera_ray(camera, x, y, &ray)) {
        return false;
    }
    *far = isfinite(ray.tmax);
    SLI_DO_IN_FPENV(set_corner(&ray, out));
    return true;
}

/* The plane through three points that has a fourth behind it, rounded to floats, which then define
 * it. */
static bool plane_through(const double a[3], const double b[3], const double c[3],
                          const double behind[3], sl_plane *out)
{
    double normal[3], longest = 0, side = 0, offset = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int y = (axis + 1) % 3, z = (axis + 2) % 3;
        normal[axis] = (b[y] - a[y]) * (c[z] - a[z]) - (b[z] - a[z]) * (c[y] - a[y]);
        longest = fmax(longest, fabs(normal[axis]));
        side += normal[axis] * (behind[axis] - a[axis]);
    }
    if (!(longest > 0) || !isfinite(longest) || side == 0) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        out->normal[axis] = (float)(side > 0 ? -normal[axis] / longest : normal[axis] / longest);
        offset += (double)out->normal[axis] * a[axis];
    }
    out->offset = (float)offset;
    return isfinite(out->offset);
}

static SLI_NOINLINE bool make_planes(const corner corners[4], bool far, sl_frustum *out)
{
    double middle[3] = { 0, 0, 0 };
    for (int i = 0; i < 4; i++) {
        for (int axis = 0; axis < 3; axis++) {
            middle[axis] += (corners[i].near[axis] + corners[i].far[axis]) / 8;
        }
    }
    for (int i = 0; i < 4; i++) {
        const corner *a = &corners[i], *b = &corners[(i + 1) % 4];
        if (!plane_through(a->near, b->near, a->far, middle, &out->plane[i])) {
            return false;
        }
    }
    out->count = far ? 6 : 5;
    return plane_through(corners[0].near, corners[1].near, corners[2].near, middle,
                         &out->plane[4]) &&
           (!far ||
            plane_through(corners[0].far, corners[1].far, corners[2].far, middle, &out->plane[5]));
}

bool sl_camera_frustum(const sl_camera *camera, const float rectangle[4], sl_frustum *out)
{
    const float all[4] = { 0, 0, (float)camera->width, (float)camera->height };
    const float *r = rectangle != NULL ? rectangle : all;
    const float at[4][2] = { { r[0], r[1] }, { r[2], r[1] }, { r[2], r[3] }, { r[0], r[3] } };
    corner corners[4];
    sl_frustum made = { .count = 0 };
    bool far = false;
    for (int i = 0; i < 4; i++) {
        if (!find_corner(camera, at[i][0], at[i][1], &corners[i], &far)) {
            return false;
        }
    }
    const bool good = SLI_IN_FPENV(make_planes(corners, far, &made));
    if (good) {
        *out = made;
    }
    return good;
}
