/* Volumes as slabs: how the slabs of each kind are made, and what they answer. */
#include "bvh/query/volume_filter.h"

#include "bvh/query/capsule_filter.h"

#include <math.h>

#define SLACK 0x1p-48

typedef struct sli_slab slab;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int y = (axis + 1) % 3, z = (axis + 2) % 3;
        out[axis] = a[y] * b[z] - a[z] * b[y];
    }
}

static void to_doubles(const float from[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (double)from[axis];
    }
}

/* n . p where only sizes count. */
static double dot_size(const double size[3], const double p[3])
{
    return size[0] * fabs(p[0]) + size[1] * fabs(p[1]) + size[2] * fabs(p[2]);
}

/* Adds a slab that holds nothing yet. */
static slab *add(sli_volume_filter *filter, const double n[3])
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

/* Widens the slab to hold everything within reach (a length times |n|) of a point. */
static void hold(slab *s, const double p[3], double reach)
{
    const double at = dot(s->n, p), slack = SLACK * (dot_size(s->size, p) + reach);
    s->low = fmin(s->low, at - reach - slack);
    s->high = fmax(s->high, at + reach + slack);
}

/* The products of two floats are exact in double, so that each normal is off by 2^-53 of itself.  A
 * box that may be flat, or have axes in one plane, is less than what lies within the slabs. */
static void make_obb(const sl_obb *obb, sli_volume_filter *filter)
{
    filter->solid = true;
    double centre[3], axis[3][3];
    to_doubles(obb->centre, centre);
    for (int i = 0; i < 3; i++) {
        to_doubles(obb->axis[i], axis[i]);
    }
    for (int i = 0; i < 3; i++) {
        double n[3], reach = 0, sizes = 0;
        cross(axis[(i + 1) % 3], axis[(i + 2) % 3], n);
        slab *s = add(filter, n);
        for (int j = 0; j < 3; j++) {
            const double half = (double)obb->half[j];
            reach += half * fabs(dot(n, axis[j]));
            sizes += half * dot_size(s->size, axis[j]);
        }
        hold(s, centre, reach + SLACK * sizes);
        const double at = dot(n, centre), own = (double)obb->half[i] * fabs(dot(n, axis[i]));
        const double slack = SLACK * (dot_size(s->size, centre) + sizes);
        s->in_low = at - own + slack;
        s->in_high = at + own - slack;
        filter->solid = filter->solid && own > slack;
    }
}

static void make_frustum(const sl_frustum *frustum, sli_volume_filter *filter)
{
    for (uint32_t i = 0; i < frustum->count; i++) {
        double n[3];
        to_doubles(frustum->plane[i].normal, n);
        slab *s = add(filter, n);
        s->low = s->in_low = -INFINITY;
        s->high = s->in_high = (double)frustum->plane[i].offset;
    }
    filter->solid = true;
}

/* Slabs across its plane, and across the planes that hold an edge and a direction of an axis. */
static void make_triangle(const sl_triangle *triangle, sli_volume_filter *filter)
{
    double v[3][3], edge[3][3], n[3];
    for (int i = 0; i < 3; i++) {
        to_doubles(triangle->v[i], v[i]);
    }
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            edge[i][axis] = v[(i + 1) % 3][axis] - v[i][axis];
        }
    }
    cross(edge[0], edge[1], n);
    add(filter, n);
    for (int i = 0; i < 9; i++) {
        const double unit[3] = { i % 3 == 0, i % 3 == 1, i % 3 == 2 };
        cross(edge[i / 3], unit, n);
        add(filter, n);
    }
    for (int i = 0; i < filter->count; i++) {
        for (int corner = 0; corner < 3; corner++) {
            hold(&filter->slab[i], v[corner], 0);
        }
    }
}

void sli_volume_filter_make(const sl_volume *volume, sli_volume_filter *out)
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
        out->valid = sl_sphere_is_valid(&volume->shape.sphere);
        break;
    case SL_VOLUME_OBB:
        out->valid = sl_obb_is_valid(&volume->shape.obb);
        if (out->valid) {
            make_obb(&volume->shape.obb, out);
        }
        break;
    case SL_VOLUME_CAPSULE:
        out->valid = sl_capsule_is_valid(&volume->shape.capsule);
        out->capsule = &volume->shape.capsule;
        break;
    case SL_VOLUME_FRUSTUM:
        out->valid = sl_frustum_is_valid(&volume->shape.frustum);
        if (out->valid) {
            make_frustum(&volume->shape.frustum, out);
        }
        break;
    case SL_VOLUME_TRIANGLE:
        out->valid = sl_triangle_is_valid(&volume->shape.triangle);
        if (out->valid) {
            make_triangle(&volume->shape.triangle, out);
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

bool sli_volume_filter_contains_point(const sli_volume_filter *filter, const float point[3])
{
    if (filter->capsule != NULL) {
        return sli_capsule_filter_contains(filter->capsule, point);
    }
    double p[3];
    bool within = filter->solid;
    to_doubles(point, p);
    for (int i = 0; i < filter->count && within; i++) {
        const slab *s = &filter->slab[i];
        const double at = dot(s->n, p), slack = SLACK * dot_size(s->size, p);
        within = at - slack >= s->in_low && at + slack <= s->in_high;
    }
    return within;
}

static bool beside_triangle(const sli_volume_filter *filter, const sl_triangle *triangle)
{
    double v[3][3];
    for (int corner = 0; corner < 3; corner++) {
        to_doubles(triangle->v[corner], v[corner]);
    }
    for (int i = 0; i < filter->count; i++) {
        const slab *s = &filter->slab[i];
        double low = INFINITY, high = -INFINITY;
        for (int corner = 0; corner < 3; corner++) {
            const double at = dot(s->n, v[corner]), slack = SLACK * dot_size(s->size, v[corner]);
            low = fmin(low, at - slack);
            high = fmax(high, at + slack);
        }
        if (low > s->high || high < s->low) {
            return true;
        }
    }
    return false;
}

sli_tribool sli_volume_filter_triangle(const sli_volume_filter *filter, const sl_triangle *triangle)
{
    if (filter->capsule != NULL) {
        return sli_capsule_filter_triangle(filter->capsule, triangle);
    }
    for (int corner = 0; corner < 3 && filter->solid; corner++) {
        if (sli_volume_filter_contains_point(filter, triangle->v[corner])) {
            return SLI_YES;
        }
    }
    return beside_triangle(filter, triangle) ? SLI_NO : SLI_UNSURE;
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
