/* Where one ray crosses the planes of a leaf's four triangles, in doubles: enough to tell that a
 * triangle lies before tmin, as those around the origin of a ray that leaves a surface do, or
 * beyond tmax.  For single rays (single/single.inl), before all of the double test.
 *
 * With n = e1 x e2 and s = o - v0, t = -(s . n) / (d . n).  These are the determinants of
 * filter/tri8_determinants.inl, and its error bounds hold, since no product goes through more
 * roundings here. */
#pragma once

#include "bvh/kernel/filter/tri8_determinants.inl"
#include "bvh/kernel/kernel.h"
#include "lib/base/inline.h"

/* The ray or segment as given. */
typedef struct ray1_double {
    double origin[3], dir[3], end[3], tmin, tmax;
} ray1_double;

static SLI_FORCE_INLINE ray1_double ray1_double_of(const sli_kernel_batch *batch, size_t index)
{
    ray1_double out;
    if (batch->rays != NULL) {
        const sl_ray *ray = &batch->rays[index];
        for (int axis = 0; axis < 3; axis++) {
            out.origin[axis] = ray->origin[axis];
            out.dir[axis] = out.end[axis] = ray->dir[axis];
        }
        out.tmin = ray->tmin;
        out.tmax = ray->tmax;
        return out;
    }
    const sl_segment *segment = &batch->segments[index];
    for (int axis = 0; axis < 3; axis++) {
        out.origin[axis] = segment->p[axis];
        out.end[axis] = segment->q[axis];
        out.dir[axis] = out.end[axis] - out.origin[axis];
    }
    out.tmin = 0;
    out.tmax = 1;
    return out;
}

/* |x| + |y| + |z| */
static SLI_FORCE_INLINE d4 d4_norm1(const d4 a[3])
{
    return d4_add(d4_add(d4_abs(a[0]), d4_abs(a[1])), d4_abs(a[2]));
}

static SLI_FORCE_INLINE d4 plane4_dot(const d4 a[3], const d4 b[3])
{
    return d4_muladd(a[0], b[0], d4_muladd(a[1], b[1], d4_mul(a[2], b[2])));
}

/* The planes of a leaf's triangles, seen from an origin. */
typedef struct plane4_view {
    d4 s[3], n[3]; /* from vertex 0 to the origin; e1 x e2 */
    d4 area;       /* |e1| |e2| in the norm above, times TRI_DET_ERROR */
} plane4_view;

static SLI_FORCE_INLINE plane4_view plane4_view_of(const double origin[3], const sli_tri_pack *pack)
{
    plane4_view v;
    d4 e1[3], e2[3];
    for (int axis = 0; axis < 3; axis++) {
        const d4 corner = d4_load(pack->axis[axis].vertex[0]);
        v.s[axis] = d4_sub(d4_splat(origin[axis]), corner);
        e1[axis] = d4_sub(d4_load(pack->axis[axis].vertex[1]), corner);
        e2[axis] = d4_sub(d4_load(pack->axis[axis].vertex[2]), corner);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        v.n[axis] = d4_nmuladd(e1[k], e2[j], d4_mul(e1[j], e2[k]));
    }
    v.area = d4_mul(d4_mul(d4_norm1(e1), d4_norm1(e2)), d4_splat(TRI_DET_ERROR));
    return v;
}

/* Lanes whose plane the ray or segment surely meets before t = 0; backs: lanes with det < 0, of
 * which the caller is sure. */
static SLI_FORCE_INLINE uint32_t plane4_behind(const sli_kernel_batch *batch, size_t index,
                                               const sli_tri_pack *pack, uint32_t backs)
{
    const ray1_double ray = ray1_double_of(batch, index);
    const plane4_view v = plane4_view_of(ray.origin, pack);
    const d4 side = plane4_dot(v.s, v.n), error = d4_mul(d4_norm1(v.s), v.area);
    const uint32_t front = d4_bits_gt(side, error);
    const uint32_t back = d4_bits_gt(d4_sub(d4_splat(0), side), error);
    return (front & ~backs) | (back & backs);
}

/* t = top / det of each plane; bounds on the errors of both. */
typedef struct plane4 {
    d4 top, det, top_error, det_error;
} plane4;

static SLI_FORCE_INLINE plane4 plane4_of(const double origin[3], const double dir[3],
                                         const sli_tri_pack *pack)
{
    const plane4_view v = plane4_view_of(origin, pack);
    const d4 d[3] = { d4_splat(dir[0]), d4_splat(dir[1]), d4_splat(dir[2]) };
    return (plane4){ .top = d4_sub(d4_splat(0), plane4_dot(v.s, v.n)),
                     .det = plane4_dot(d, v.n),
                     .top_error = d4_mul(d4_norm1(v.s), v.area),
                     .det_error = d4_mul(d4_norm1(d), v.area) };
}

/* Lanes whose t is surely outside the limits; as in tri8_measure of filter/tri8.inl. */
static SLI_FORCE_INLINE uint32_t plane4_beyond(const plane4 *m, double tmin, double tmax)
{
    const d4 inverse = d4_div(d4_splat(1), m->det);
    const d4 inverse_max = d4_mul(d4_abs(inverse), d4_splat(1 + 0x1p-8));
    const d4 q = d4_mul(m->top, inverse), size = d4_abs(q);
    const d4 off = d4_muladd(size, m->det_error, m->top_error);
    const d4 margin = d4_muladd(off, inverse_max, d4_mul(size, d4_splat(8 * TRI_EPS)));
    const uint32_t steady = d4_bits_gt(d4_abs(m->det), d4_mul(m->det_error, d4_splat(1024)));
    const uint32_t before = d4_bits_gt(d4_splat(tmin), d4_add(q, margin));
    return steady & (before | d4_bits_gt(d4_sub(q, margin), d4_splat(tmax)));
}

/* Lanes of a leaf block whose t is surely outside the limits of the ray or segment. */
static SLI_NOINLINE uint32_t plane4_outside(const sli_kernel_batch *batch, size_t index,
                                            const sli_tri_pack *pack)
{
    const ray1_double ray = ray1_double_of(batch, index);
    const plane4 m = plane4_of(ray.origin, ray.dir, pack);
    return plane4_beyond(&m, ray.tmin, ray.tmax);
}
