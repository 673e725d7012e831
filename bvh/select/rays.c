/* Rays of pixels: the operations of lib/geom/camera/view.c in their order, but for products with
 * zeros of the matrices and what all pixels have in common, which change no bit. */
#include "bvh/select/rays.h"

#include <float.h>
#include <math.h>

static bool are_zeros(const double m[16], int row, int columns)
{
    bool zeros = true;
    for (int column = 0; column < columns; column++) {
        zeros = zeros && m[4 * column + row] == 0;
    }
    return zeros;
}

void sli_pixel_rays_open(const sli_view *view, sli_pixel_rays *out)
{
    const double *e = view->back.eye_from_clip, *m = view->back.world_from_eye;
    out->view = view;
    out->is_plain =
        are_zeros(e, 2, 2) && are_zeros(e, 3, 2) && e[8] == 0 && e[9] == 0 && are_zeros(m, 3, 3);
    for (int far = 0; far < 2; far++) {
        const double depth = far != 0 ? view->far_depth : view->near_depth;
        const double z = e[10] * depth + e[14], w = e[11] * depth + e[15];
        out->w[far] = m[15] * w;
        for (int axis = 0; axis < 3; axis++) {
            out->z_part[far][axis] = m[8 + axis] * z;
            out->w_part[far][axis] = m[12 + axis] * w;
        }
    }
    out->is_plain = out->is_plain && out->w[0] > 0;
    out->is_finite = view->has_far; /* for all pixels, since w is the same */
}

typedef double eight[SLI_RAYS];

/* Where the pixels' rays are in the eye's space, but for w. */
static void eye_of(const sli_view *view, uint32_t x, uint32_t y, eight out[2])
{
    const double *e = view->back.eye_from_clip;
    const double clip_y = (1 - 2 * (y + 0.5) / view->camera.height) * view->y_sign;
    const double width = view->camera.width;
    for (int i = 0; i < SLI_RAYS; i++) {
        const double clip_x = 2 * ((double)(x + (uint32_t)i) + 0.5) / width - 1;
        out[0][i] = (e[0] * clip_x + e[4] * clip_y) + e[12];
        out[1][i] = (e[1] * clip_x + e[5] * clip_y) + e[13];
    }
}

/* Points on the near or the far plane in the world, before division by w. */
static void points_of(const sli_pixel_rays *rays, eight eye[2], int far, eight out[3])
{
    const double *m = rays->view->back.world_from_eye;
    for (int axis = 0; axis < 3; axis++) {
        const double z = rays->z_part[far][axis], w = rays->w_part[far][axis];
        for (int i = 0; i < SLI_RAYS; i++) {
            out[axis][i] = ((m[axis] * eye[0][i] + m[4 + axis] * eye[1][i]) + z) + w;
        }
    }
}

static void reach_far(const sli_pixel_rays *rays, eight from[3], eight to[3], eight dir[3])
{
    const double from_w = rays->w[0], to_w = rays->w[1];
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < SLI_RAYS; i++) {
            dir[axis][i] = to[axis][i] / to_w - from[axis][i] / from_w + 0.0;
        }
    }
}

static void reach_forever(const sli_pixel_rays *rays, eight from[3], eight to[3], eight dir[3])
{
    const double from_w = rays->w[0], to_w = rays->w[1];
    eight largest = { 0 }, square = { 0 };
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < SLI_RAYS; i++) {
            dir[axis][i] = to[axis][i] * from_w - from[axis][i] * to_w;
            const double size = fabs(dir[axis][i]);
            largest[i] = size > largest[i] ? size : largest[i];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < SLI_RAYS; i++) {
            dir[axis][i] /= largest[i];
            square[i] += dir[axis][i] * dir[axis][i];
        }
    }
    for (int i = 0; i < SLI_RAYS; i++) {
        square[i] = sqrt(square[i]);
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < SLI_RAYS; i++) {
            dir[axis][i] = dir[axis][i] / square[i] + 0.0;
        }
    }
}

/* Whether nothing about a ray needs a second look: what else there is, is made on its own. */
static bool is_ordinary(const sl_ray_d *ray)
{
    double most = 0;
    bool good = true;
    for (int axis = 0; axis < 3; axis++) {
        good = good && fabs(ray->origin[axis]) <= FLT_MAX && fabs(ray->dir[axis]) <= FLT_MAX;
        most = fabs(ray->dir[axis]) > most ? fabs(ray->dir[axis]) : most;
    }
    return good && most >= 0x1p-100;
}

static void make_one(const sli_view *view, uint32_t x, uint32_t y, sl_ray_d *out)
{
    const double centre[2] = { x + 0.5, y + 0.5 };
    if (!sli_view_ray(view, centre, out)) {
        *out = (sl_ray_d){ .tmin = 0, .tmax = -1 }; /* invalid */
    }
}

void sli_pixel_rays_make(const sli_pixel_rays *rays, uint32_t x, uint32_t y, sl_ray_d out[SLI_RAYS])
{
    eight eye[2], from[3], to[3], dir[3];
    if (rays->is_plain) {
        eye_of(rays->view, x, y, eye);
        points_of(rays, eye, 0, from);
        points_of(rays, eye, 1, to);
        if (rays->is_finite) {
            reach_far(rays, from, to, dir);
        } else {
            reach_forever(rays, from, to, dir);
        }
    }
    for (uint32_t i = 0; i < SLI_RAYS; i++) {
        out[i].tmin = 0;
        out[i].tmax = rays->is_finite ? 1 : INFINITY;
        for (int axis = 0; axis < 3 && rays->is_plain; axis++) {
            out[i].origin[axis] = from[axis][i] / rays->w[0] + rays->view->origin[axis] + 0.0;
            out[i].dir[axis] = dir[axis][i];
        }
        if (!rays->is_plain || !is_ordinary(&out[i])) {
            make_one(rays->view, x + i, y, &out[i]);
        }
    }
}
