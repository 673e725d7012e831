/* Volumes as slabs: how the slabs of each kind are made, and what they answer. */
#include "bvh/query/volume/filter.h"
#include "lib/geom/exact/valid.h"

#include "bvh/query/volume/capsule_filter.h"
#include "lib/geom/convex/shapes_d.h"
#include "lib/geom/exact/arithmetic/vector.h"

#include <string.h>

#define SLACK 0x1p-48

typedef struct sli_volume_slab slab;

/* n . p where only sizes count. */
static double dot_size(const double size[3], const double p[3])
{
    return size[0] * fabs(p[0]) + size[1] * fabs(p[1]) + size[2] * fabs(p[2]);
}

/* Adds a slab that holds nothing yet. */
static slab *filter_add(sli_volume_filter *filter, const double n[3])
{
    slab *s = &filter->slab[filter->count++];
    for (int axis = 0; axis < 3; axis++) {
        s->n[axis] = n[axis];
        s->size[axis] = fabs(n[axis]);
    }
    s->low = INFINITY;
    s->high = -INFINITY;
    return s;
}

/* The same across two directions, with the sizes of the products. */
static slab *add_across(sli_volume_filter *filter, const double a[3], const double b[3])
{
    double n[3];
    sli_cross(a, b, n);
    slab *s = filter_add(filter, n);
    for (int axis = 0; axis < 3; axis++) {
        const int y = (axis + 1) % 3, z = (axis + 2) % 3;
        s->size[axis] = fabs(a[y] * b[z]) + fabs(a[z] * b[y]);
    }
    return s;
}

/* Widens the slab to hold everything within reach (a length times |n|) of a point. */
static void filter_hold(slab *s, const double p[3], double reach)
{
    const double at = sli_dot(s->n, p), slack = SLACK * (dot_size(s->size, p) + reach);
    s->low = fmin(s->low, at - reach - slack);
    s->high = fmax(s->high, at + reach + slack);
}

/* The limits of the volume are where the exact normals say, so that what a normal is off by, of the
 * sizes of its products, counts for the inner ones.  A box that may be flat, or have axes in one
 * plane, is less than what lies within the slabs. */
static void make_obb(const sl_obb_d *obb, sli_volume_filter *filter)
{
    filter->solid = true;
    for (int i = 0; i < 3; i++) {
        double reach = 0, sizes = 0;
        slab *s = add_across(filter, obb->axis[(i + 1) % 3], obb->axis[(i + 2) % 3]);
        for (int j = 0; j < 3; j++) {
            reach += obb->half[j] * fabs(sli_dot(s->n, obb->axis[j]));
            sizes += obb->half[j] * dot_size(s->size, obb->axis[j]);
        }
        filter_hold(s, obb->centre, reach + SLACK * sizes);
        const double at = sli_dot(s->n, obb->centre);
        const double own = obb->half[i] * fabs(sli_dot(s->n, obb->axis[i]));
        const double slack = SLACK * (dot_size(s->size, obb->centre) + sizes);
        s->in_low = at - own + slack;
        s->in_high = at + own - slack;
        filter->solid = filter->solid && own > slack;
    }
}

static void make_frustum(const sl_frustum_d *frustum, sli_volume_filter *filter)
{
    for (uint32_t i = 0; i < frustum->count; i++) {
        slab *s = filter_add(filter, frustum->plane[i].normal);
        s->low = s->in_low = -INFINITY;
        s->high = s->in_high = frustum->plane[i].offset;
    }
    filter->solid = true;
}

/* Slabs across its plane, and across the planes that hold an edge and a direction of an axis.  Any
 * normal will do, since limits are those of the corners along it. */
static void make_triangle(const sl_triangle_d *triangle, sli_volume_filter *filter)
{
    double edge[3][3], n[3];
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            edge[i][axis] = triangle->v[(i + 1) % 3][axis] - triangle->v[i][axis];
        }
    }
    sli_cross(edge[0], edge[1], n);
    filter_add(filter, n);
    for (int i = 0; i < 9; i++) {
        const double unit[3] = { i % 3 == 0, i % 3 == 1, i % 3 == 2 };
        sli_cross(edge[i / 3], unit, n);
        filter_add(filter, n);
    }
    for (int i = 0; i < filter->count; i++) {
        for (int corner = 0; corner < 3; corner++) {
            filter_hold(&filter->slab[i], triangle->v[corner], 0);
        }
    }
}

/* Along the axes: within low .. high, and a reach. */
static void make_bounds(const double low[3], const double high[3], double reach,
                        sli_volume_filter *filter)
{
    for (int axis = 0; axis < 3; axis++) {
        const double n[3] = { axis == 0, axis == 1, axis == 2 };
        slab *s = filter_add(filter, n);
        const double slack = SLACK * reach;
        s->low = low[axis] - reach - (isfinite(low[axis]) ? slack + SLACK * fabs(low[axis]) : 0);
        s->high =
            high[axis] + reach + (isfinite(high[axis]) ? slack + SLACK * fabs(high[axis]) : 0);
    }
}

static void make_aabb(const sl_aabb_d *box, sli_volume_filter *filter)
{
    make_bounds(box->min, box->max, 0, filter);
    for (int axis = 0; axis < 3; axis++) {
        filter->slab[axis].in_low = box->min[axis];
        filter->slab[axis].in_high = box->max[axis];
    }
    filter->solid = true;
}

static void make_round(const double p[3], const double q[3], double radius,
                       sli_volume_filter *filter)
{
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = fmin(p[axis], q[axis]);
        high[axis] = fmax(p[axis], q[axis]);
    }
    make_bounds(low, high, radius, filter);
}

/* A slab for each plane, where a slab has room for all of them: a hull with volume is all that is
 * behind them.  Else slabs of its bounds, and of some of its planes; those of a triangle, where it
 * is one. */
static void make_hull(sli_volume_filter *filter)
{
    const sli_hull *hull = filter->hull;
    if (hull->corners <= 3) {
        sl_triangle_d triangle;
        sli_hull_face_triangle(hull, 0, &triangle);
        make_triangle(&triangle, filter);
        return;
    }
    filter->solid = hull->rank == 3 && hull->planes <= SLI_VOLUME_FILTER_SLABS;
    for (int i = 0; i < 3 && !filter->solid; i++) {
        filter_add(filter, (const double[3]){ i == 0, i == 1, i == 2 });
    }
    for (int i = 0; i < hull->planes && filter->count < SLI_VOLUME_FILTER_SLABS; i++) {
        const uint8_t *f = hull->face[i];
        double u[3], w[3];
        sli_subtract(hull->corner[f[1]], hull->corner[f[0]], u);
        sli_subtract(hull->corner[f[2]], hull->corner[f[0]], w);
        slab *s = add_across(filter, u, w);
        s->in_low = -INFINITY;
        s->in_high =
            sli_dot(s->n, hull->corner[f[0]]) - SLACK * dot_size(s->size, hull->corner[f[0]]);
    }
    for (int i = 0; i < filter->count; i++) {
        for (int k = 0; k < hull->corners; k++) {
            filter_hold(&filter->slab[i], hull->corner[k], 0);
        }
    }
}

void sli_volume_filter_make_d(const sl_volume_d *volume, const sli_hull *hull,
                              sli_volume_filter *out)
{
    const sl_sphere_d *sphere = &volume->shape.sphere;
    const sl_capsule_d *capsule = &volume->shape.capsule;
    out->valid = true;
    out->solid = false;
    out->count = 0;
    out->capsule = NULL;
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        make_aabb(&volume->shape.aabb, out);
        break;
    case SL_VOLUME_SPHERE:
        make_round(sphere->centre, sphere->centre, sphere->radius, out);
        break;
    case SL_VOLUME_OBB:
        make_obb(&volume->shape.obb, out);
        break;
    case SL_VOLUME_CAPSULE:
        make_round(capsule->p, capsule->q, capsule->radius, out);
        break;
    case SL_VOLUME_FRUSTUM:
        make_frustum(&volume->shape.frustum, out);
        break;
    case SL_VOLUME_TRIANGLE:
        make_triangle(&volume->shape.triangle, out);
        break;
    case SL_VOLUME_HULL:
        out->hull = hull;
        make_hull(out);
        break;
    }
}

void sli_volume_filter_make(const sl_volume *volume, sli_hull *hull, sli_volume_filter *out)
{
    out->count = 0;
    out->valid = true;
    out->solid = false;
    out->capsule = NULL;
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        out->valid = !sl_aabb_is_empty(&volume->shape.aabb);
        break;
    case SL_VOLUME_SPHERE:
        out->valid = sli_sphere_is_valid(&volume->shape.sphere);
        break;
    case SL_VOLUME_OBB:
        out->valid = sli_obb_is_valid(&volume->shape.obb);
        if (out->valid) {
            const sl_obb_d obb = sli_obb_d_of(&volume->shape.obb);
            make_obb(&obb, out);
        }
        break;
    case SL_VOLUME_CAPSULE:
        out->valid = sli_capsule_is_valid(&volume->shape.capsule);
        out->capsule = &volume->shape.capsule;
        break;
    case SL_VOLUME_FRUSTUM:
        out->valid = sli_frustum_is_valid(&volume->shape.frustum);
        if (out->valid) {
            const sl_frustum_d frustum = sli_frustum_d_of(&volume->shape.frustum);
            make_frustum(&frustum, out);
        }
        break;
    case SL_VOLUME_TRIANGLE:
        out->valid = sli_triangle_is_valid(&volume->shape.triangle);
        if (out->valid) {
            const sl_triangle_d triangle = sli_triangle_d_of(&volume->shape.triangle);
            make_triangle(&triangle, out);
        }
        break;
    case SL_VOLUME_HULL:
        out->valid = sli_hull_is_valid(&volume->shape.hull);
        if (out->valid) {
            sli_hull_of(&volume->shape.hull, hull);
            out->hull = hull;
            make_hull(out);
        }
        break;
    default:
        out->valid = false;
        break;
    }
}

/* The least and the greatest n . x of a box, each too far out by less than is allowed for. */
static void extent_of_box(const slab *s, const sl_aabb *box, double *low, double *high)
{
    double sizes = 0;
    *low = *high = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double min = (double)box->min[axis], max = (double)box->max[axis];
        const bool up = s->n[axis] > 0;
        *low += s->n[axis] * (up ? min : max);
        *high += s->n[axis] * (up ? max : min);
        sizes += s->size[axis] * fmax(fabs(min), fabs(max));
    }
    *low -= SLACK * sizes;
    *high += SLACK * sizes;
}

bool sli_volume_filter_beside_box(const sli_volume_filter *filter, const sl_aabb *box)
{
    if (filter->capsule != NULL) {
        return sli_capsule_filter_box(filter->capsule, box) == SLI_NO;
    }
    for (int i = 0; i < filter->count; i++) {
        double low, high;
        extent_of_box(&filter->slab[i], box, &low, &high);
        if (low > filter->slab[i].high || high < filter->slab[i].low) {
            return true;
        }
    }
    return false;
}

static bool filter_contains(const sli_volume_filter *filter, const double p[3])
{
    bool within = filter->solid;
    for (int i = 0; i < filter->count && within; i++) {
        const slab *s = &filter->slab[i];
        const double at = sli_dot(s->n, p), slack = SLACK * dot_size(s->size, p);
        within = at - slack >= s->in_low && at + slack <= s->in_high;
    }
    return within;
}

static bool beside_triangle(const sli_volume_filter *filter, const sl_triangle_d *triangle)
{
    for (int i = 0; i < filter->count; i++) {
        const slab *s = &filter->slab[i];
        double low = INFINITY, high = -INFINITY;
        for (int corner = 0; corner < 3; corner++) {
            const double *v = triangle->v[corner];
            const double at = sli_dot(s->n, v), slack = SLACK * dot_size(s->size, v);
            low = fmin(low, at - slack);
            high = fmax(high, at + slack);
        }
        if (low > s->high || high < s->low) {
            return true;
        }
    }
    return false;
}

sli_tribool sli_volume_filter_triangle_d(const sli_volume_filter *filter,
                                         const sl_triangle_d *triangle)
{
    for (int corner = 0; corner < 3 && filter->solid; corner++) {
        if (filter_contains(filter, triangle->v[corner])) {
            return SLI_YES;
        }
    }
    return beside_triangle(filter, triangle) ? SLI_NO : SLI_UNSURE;
}

sli_tribool sli_volume_filter_triangle(const sli_volume_filter *filter, const sl_triangle *triangle)
{
    if (filter->capsule != NULL) {
        return sli_capsule_filter_triangle(filter->capsule, triangle);
    }
    const sl_triangle_d wide = sli_triangle_d_of(triangle);
    return sli_volume_filter_triangle_d(filter, &wide);
}

bool sli_volume_filter_contains_box(const sli_volume_filter *filter, const sl_aabb *box)
{
    bool within = filter->solid || filter->capsule != NULL;
    for (int i = 0; i < 8 && within && filter->capsule != NULL; i++) {
        float corner[3];
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = (i >> axis & 1) != 0 ? box->max[axis] : box->min[axis];
        }
        within = sli_capsule_filter_contains(filter->capsule, corner);
    }
    for (int i = 0; i < filter->count && within && filter->solid; i++) {
        double low, high;
        extent_of_box(&filter->slab[i], box, &low, &high);
        within = low >= filter->slab[i].in_low && high <= filter->slab[i].in_high;
    }
    return within;
}
