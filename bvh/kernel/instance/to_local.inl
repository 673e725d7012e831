/* Takes a ray to where an instance's tree is: into the tree's own space, counted from the point
 * of the ray that is nearest to the instance; and to the top tree, which only moves it.
 *
 * What is walked there need not be the ray: it has to be no farther from it, within the instance's
 * box, than boxes and edge functions allow for.  With eps = 2^-53; M, T the transform; A the
 * computed inverse of M, I - A M = E, ||E|| <= sigma; c the computed image of the middle x_c; t0
 * the ray's parameter nearest to c; w the computed (o - c) + t0 d; base = A w + x_c and dir = A d,
 * computed:
 *
 *     the ray in the object's space at t = t0 + s, less (base + s dir), is
 *       M^-1 (e_c - e_w)                   what c and w are off by
 *     + ((I - E)^-1 - I) A (w + s d)       what A is off by; |w + s d| <= half within the box
 *     + roundings of A w, s A d and of adding x_c
 *
 * so with h_ray = norm (3 eps (|o| + |c| + |t0 d|)) + share (|w| + 2 half) and what does not depend
 * on the ray (fixed), no more than that.  The world's corners are M x + T, each off by
 * rho = 4.01 eps (sum |M x| + |T|) + grid / 2, which is M^-1 rho in the object's space; that is in
 * fixed, too.  So the walked line comes within h = h_inst + h_ray of each point in which the ray
 * meets a triangle: boxes grow by h, and sheared coordinates are off by 2 h more, as if the base
 * were off by h (docs/notes/filters.md).  Distances from c, not from the world's origin, are what A
 * errs by, so far away costs what near by costs.
 *
 * A shape that moves along the ray reaches from it by r along each axis of the world at most: what
 * it meets is at v = o + t d + r', |r'| <= r.  So |w + s d| <= half + |r| where it meets the
 * instance, and A r' comes to the line, by which boxes grow: |A| r along each axis, but for
 * share |r|. */
#pragma once

#include "bvh/kernel/plain/ray.inl"

#define TO_LOCAL_EPS 0x1p-53
/* No hit is farther from a ray's origin than twice the largest float. */
#define TO_LOCAL_FARTHEST 0x1p140

/* Where a ray is walked: base + s dir, s = t - t0, off by no more than error along each axis; and
 * how far a shape reaches that moves along it: 0 of rays. */
typedef struct local_ray {
    double base[3], dir[3], reach[3];
    double t0, error;
} local_ray;

/* The parameter nearest to c within the limits, and the point of the ray there, less c.  False: all
 * of the ray within its limits is farther away than anything. */
static bool to_local_nearest(const sli_exact_ray *ray, const double c[3], double w[3], double *t0,
                             double *sizes)
{
    double along = 0, square = 0, longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        along += (c[axis] - ray->origin[axis]) * ray->dir[axis];
        square += ray->dir[axis] * ray->dir[axis];
        longest = base_larger(longest, fabs(ray->dir[axis]));
    }
    const double foot = base_larger(ray->tmin, along / square);
    const double t = foot < ray->tmax ? foot : ray->tmax;
    if (!(fabs(t) * longest <= TO_LOCAL_FARTHEST)) {
        return false;
    }
    *t0 = t;
    *sizes = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double o = ray->origin[axis], step = t * ray->dir[axis];
        w[axis] = (o - c[axis]) + step;
        *sizes = base_larger(*sizes, fabs(o) + fabs(c[axis]) + fabs(step));
    }
    return true;
}

static double to_local_largest(const double x[3])
{
    return base_larger(fabs(x[0]), base_larger(fabs(x[1]), fabs(x[2])));
}

/* Whether what reaches from the ray by no more than most along each axis surely passes by.  No
 * corner is farther from the centre than sqrt(3) half, and w is the ray's nearest point but for
 * less than 16 eps sizes, since the parameter is off by 5 eps |c - o| / |d| + 5 eps |t0|, and w by
 * 3 eps sizes along each axis.  It needs no inverse: for where the top tree's floats do not tell
 * instances apart. */
static bool to_local_passes(const sli_transformed *transformed, const double w[3], double sizes,
                            double most)
{
    const double root3 = 0x1.bb67ae86p0;
    const double reach = root3 * (transformed->half + most) + 64 * TO_LOCAL_EPS * sizes;
    return (w[0] * w[0] + w[1] * w[1]) + w[2] * w[2] > reach * reach * (1 + 0x1p-40);
}

/* Into the space of an instance's tree.  False: nothing is met. */
static bool to_local_instance(const sli_transformed *transformed, const sli_exact_ray *ray,
                              const double reach[3], local_ray *out)
{
    double w[3], sizes;
    const double most = to_local_largest(reach);
    if (!to_local_nearest(ray, transformed->centre, w, &out->t0, &sizes) ||
        to_local_passes(transformed, w, sizes, most)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        const double(*columns)[3] = transformed->inverse;
        const double a[3] = { columns[0][axis], columns[1][axis], columns[2][axis] };
        out->base[axis] = ((a[0] * w[0] + a[1] * w[1]) + a[2] * w[2]) + transformed->middle[axis];
        out->dir[axis] = (a[0] * ray->dir[0] + a[1] * ray->dir[1]) + a[2] * ray->dir[2];
        out->reach[axis] = (fabs(a[0]) * reach[0] + fabs(a[1]) * reach[1]) + fabs(a[2]) * reach[2];
    }
    const double h_ray =
        transformed->norm * (3 * TO_LOCAL_EPS * sizes) +
        transformed->share * (to_local_largest(w) + 2 * (transformed->half + 2 * most));
    out->error = (transformed->fixed + h_ray) * (1 + 0x1p-40);
    return true;
}

/* To the top tree, whose space is the world's about a middle of the instances. */
static bool to_local_top(const sli_world *world, const sli_exact_ray *ray, const double reach[3],
                         local_ray *out)
{
    double sizes;
    if (!to_local_nearest(ray, world->middle, out->base, &out->t0, &sizes)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        out->dir[axis] = ray->dir[axis];
        out->reach[axis] = reach[axis];
    }
    const double half = world->half + to_local_largest(reach);
    out->error =
        TO_LOCAL_EPS * (4 * sizes + 8 * (to_local_largest(out->base) + 2 * half)) + 0x1p-149;
    return true;
}

/* Limits in the walk's t'' = (t - t0) scale, outward: two roundings in doubles, and one to float.
 * */
static float to_local_limit_down(const walk *w, double t)
{
    const double scaled = t * w->scale;
    return round_down((scaled - w->shift) - (fabs(scaled) + fabs(w->shift)) * 0x1p-50);
}

static float to_local_limit_up(const walk *w, double t)
{
    const double scaled = t * w->scale;
    return round_up((scaled - w->shift) + (fabs(scaled) + fabs(w->shift)) * 0x1p-50);
}

/* Moves the bases of slabs apart by reach, rounded outwards, and by what directions lose that
 * prepare_slabs makes larger. */
static void to_local_grow(walk *w, const double reach[3], float most)
{
    for (int axis = 0; axis < 3; axis++) {
        const float by = round_up(reach[axis]);
        const float rounding = 4 * WALK_U * (fabsf(w->near_base[axis]) + by);
        const float grown = by + rounding + 8 * WALK_TINY * most;
        const float along = w->near_side[axis] ? -grown : grown;
        w->near_base[axis] += along;
        w->far_base[axis] -= along;
    }
}

/* Prepares a walk of a tree along a ray in its space, for limits of its t that are those of limits;
 * what reaches from the ray takes no filter of rays at triangles.
 * space is given to the walk, which reads it where floats have no range. */
static void to_local_prepare(walk *w, const sl_bvh *tree, const local_ray *local,
                             const sli_exact_ray *limits, sli_kernel_ray *space)
{
    uint32_t octant = 0;
    w->ray = space;
    w->stack_size = 0;
    for (int axis = 0; axis < 3; axis++) {
        w->near_side[axis] = local->dir[axis] < 0;
        octant |= (uint32_t)w->near_side[axis] << axis;
        space->exact.origin[axis] = local->base[axis];
        space->exact.dir[axis] = local->dir[axis];
    }
    w->octant_shift = 3 * octant;
    const double scale = power_of_two(-exponent_of(to_local_largest(local->dir)));
    ray_base base = { .shift = 0 };
    double at[3], off = 0;
    float dir[3];
    for (int axis = 0; axis < 3; axis++) {
        base.at[axis] = (float)local->base[axis];
        at[axis] = base.at[axis];
        off = base_larger(off, fabs(at[axis]) * 0x1p-24);
        dir[axis] = (float)(local->dir[axis] * scale);
    }
    base.error = (float)(off + local->error) * (1 + 0x1p-20f) + 0x1p-100f;
    base.reach = (float)base_reach(&tree->bounds, at) * (1 + 0x1p-20f);
    const ray_base rounded = { .error = (float)off };
    const double most = to_local_largest(local->reach);
    w->wide = !(base.reach >= WALK_LEAST && base.reach + base.error + most <= WALK_MOST) ||
              base_is_coarse(tree, &rounded);
    for (int axis = 0; axis < 3; axis++) {
        w->wide_error[axis] = (local->error + local->reach[axis]) * (1 + 0x1p-40);
    }
    w->scale = w->wide ? 1 : 1 / scale;
    w->shift = local->t0 * w->scale;
    if (!w->wide) {
        prepare_slabs(w, dir, &base);
        if (most > 0) {
            to_local_grow(w, local->reach, (float)most);
        } else {
            prepare_shear(w, dir, &base);
        }
    }
    w->tmin = to_local_limit_down(w, limits->tmin);
    w->bound = to_local_limit_up(w, limits->tmax);
}
