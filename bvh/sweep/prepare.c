/* A sweep as a ray that reaches: the middle of the shape's bounds moves, and everything within half
 * their sizes moves with it. */
#include "bvh/sweep/prepare.h"

/* All that a sweep meets lies within 2^128 of the origin, and it moves by no more than that. */
#define FAR 0x1p130

/* Kernels want some motion: a path that is so short counts as none, since the reach covers it. */
#define STILL 0x1p-140

/* The rounding of the middle goes into the reach. */
static void prepare_path(const sl_aabb_d *bounds, const double dir[3], bool moves,
                         sli_world_ray *out)
{
    out->exact = (sli_exact_ray){ .tmin = 0, .tmax = 1 };
    for (int axis = 0; axis < 3; axis++) {
        const double low = fmax(bounds->min[axis], -FAR), high = fmin(bounds->max[axis], FAR);
        const double middle = 0.5 * low + 0.5 * high;
        out->exact.origin[axis] = middle;
        out->exact.dir[axis] = moves ? dir[axis] : STILL;
        out->reach[axis] = fmax(high - middle, middle - low) * (1 + 0x1p-40) + 2 * STILL;
    }
}

/* A sphere or capsule, or a ball around what it reaches. */
static void prepare_round(const sl_volume_d *volume, sli_world_sweep *out)
{
    const sl_capsule_d *capsule = &volume->shape.capsule;
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double along = 0.5 * capsule->q[axis] - 0.5 * capsule->p[axis];
        out->axis[axis] = volume->kind == SL_VOLUME_CAPSULE ? along : 0;
        square += out->ray.reach[axis] * out->ray.reach[axis];
    }
    out->radius = volume->kind == SL_VOLUME_CAPSULE  ? capsule->radius
                  : volume->kind == SL_VOLUME_SPHERE ? volume->shape.sphere.radius
                                                     : sqrt(square);
    /* The middle is rounded, as the axis is, and the square. */
    double off = 0;
    for (int axis = 0; axis < 3; axis++) {
        off += 0x1p-50 * (fabs(out->ray.exact.origin[axis]) + out->ray.reach[axis]);
    }
    const bool is_sure = out->options->cull == SL_CULL_NONE && out->options->filter == NULL;
    out->inner = is_sure && volume->kind == SL_VOLUME_SPHERE ? out->radius - off : 0;
    out->radius += off;
}

bool sli_sweep_prepare(const void *given, sl_number number, const sl_options *options, size_t index,
                       sli_prepared_sweep *out)
{
    if (number == SL_DOUBLE ? !sli_sweep_take(given, &out->sweep)
                            : !sli_sweep_take_floats(given, &out->sweep)) {
        return false;
    }
    out->query = (sli_world_sweep){ .sweep = &out->sweep, .options = options, .index = index };
    prepare_path(&out->sweep.bounds, out->sweep.dir, out->sweep.moves, &out->query.ray);
    prepare_round(&out->sweep.volume, &out->query);
    sli_world_options(options, 0, index, &out->query.ray);
    return true;
}
