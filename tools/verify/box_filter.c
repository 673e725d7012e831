/* verify/box_filter.c: the triangles whose bounds come near a query, for --box-filter. */
#include "tools/verify/box_filter.h"

#include <sightline/closest.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set_sides(box_filter *s, size_t prim)
{
    const uint32_t *indices = s->soup.indices + 3 * prim;
    for (size_t axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (int k = 0; k < 3 && indices[0] != SL_NONE; k++) {
            const float x = s->soup.xyz[3 * (size_t)indices[k] + axis];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        s->side[axis][0][prim] = low;
        s->side[axis][1][prim] = high;
    }
}

static bool make_part(box_filter_part *part, const sl_soup *soup)
{
    const size_t count = soup->triangle_count + 1;
    *part = (box_filter_part){ .soup = *soup };
    part->indices = malloc(count * 3 * sizeof *part->indices);
    part->prims = malloc(count * sizeof *part->prims);
    part->masks = malloc(count * sizeof *part->masks);
    return part->indices != NULL && part->prims != NULL && part->masks != NULL;
}

bool box_filter_make(box_filter *s, const sl_soup *soup, size_t workers)
{
    bool made = true;
    *s = (box_filter){ .soup = *soup, .parts = calloc(workers, sizeof *s->parts) };
    s->part_count = s->parts != NULL ? workers : 0;
    for (int side = 0; side < 6; side++) {
        float **to = &s->side[side / 2][side % 2];
        *to = malloc((soup->triangle_count + 1) * sizeof **to);
        made = made && *to != NULL;
    }
    for (size_t i = 0; i < s->part_count; i++) {
        made = make_part(&s->parts[i], soup) && made;
    }
    for (size_t i = 0; made && i < soup->triangle_count; i++) {
        set_sides(s, i);
    }
    return made && s->parts != NULL;
}

void box_filter_free(box_filter *s)
{
    for (int side = 0; side < 6; side++) {
        free(s->side[side / 2][side % 2]);
    }
    for (size_t i = 0; i < s->part_count; i++) {
        free(s->parts[i].indices);
        free(s->parts[i].prims);
        free(s->parts[i].masks);
    }
    free(s->parts);
    *s = (box_filter){ .parts = NULL };
}

/* Rounded outwards: the float below, or above, what is a millionth further out. */
static void box_filter_widen(double low, double high, double reach, float out[2])
{
    const double more = reach + 1e-6 * (fabs(low) + fabs(high) + reach);
    out[0] = nextafterf((float)(low - more), -INFINITY);
    out[1] = nextafterf((float)(high + more), INFINITY);
}

void box_filter_take(const box_filter *s, const sl_aabb *box, double reach, box_filter_part *part)
{
    float side[3][2];
    for (int axis = 0; axis < 3; axis++) {
        box_filter_widen((double)box->min[axis], (double)box->max[axis], reach, side[axis]);
    }
    size_t taken = 0;
    for (size_t i = 0; i < s->soup.triangle_count; i++) {
        bool apart = false; /* a NaN, of infinite bounds, takes the triangle */
        for (int axis = 0; axis < 3; axis++) {
            apart |= s->side[axis][0][i] > side[axis][1] || s->side[axis][1][i] < side[axis][0];
        }
        part->prims[taken] = (uint32_t)i;
        taken += !apart;
    }
    for (size_t i = 0; i < taken; i++) {
        const size_t prim = part->prims[i];
        memcpy(part->indices + 3 * i, s->soup.indices + 3 * prim, 3 * sizeof *part->indices);
        part->masks[i] = s->soup.masks != NULL ? s->soup.masks[prim] : UINT32_MAX;
    }
    part->soup.indices = part->indices;
    part->soup.masks = part->masks;
    part->soup.triangle_count = taken;
}

static sl_aabb bounds_of_obb(const sl_obb *obb, double *reach)
{
    *reach = 0;
    for (int i = 0; i < 3; i++) {
        double length = 0;
        for (int axis = 0; axis < 3; axis++) {
            length = hypot(length, (double)obb->axis[i][axis]);
        }
        *reach += length * (double)obb->half[i];
    }
    return sl_aabb_from_corners(obb->centre, obb->centre);
}

void box_filter_take_volume(const box_filter *s, const sl_volume *volume, box_filter_part *part)
{
    const sl_aabb everywhere = { { -INFINITY, -INFINITY, -INFINITY },
                                 { INFINITY, INFINITY, INFINITY } };
    double reach = 0;
    sl_aabb box = everywhere;
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        box = volume->shape.aabb;
        break;
    case SL_VOLUME_SPHERE:
        box = sl_aabb_from_corners(volume->shape.sphere.centre, volume->shape.sphere.centre);
        reach = (double)volume->shape.sphere.radius;
        break;
    case SL_VOLUME_OBB:
        box = bounds_of_obb(&volume->shape.obb, &reach);
        break;
    case SL_VOLUME_CAPSULE:
        box = sl_aabb_from_corners(volume->shape.capsule.p, volume->shape.capsule.q);
        reach = (double)volume->shape.capsule.radius;
        break;
    case SL_VOLUME_TRIANGLE:
        box = sl_aabb_of_points(volume->shape.triangle.v[0], 3);
        break;
    case SL_VOLUME_HULL:
        box = sl_aabb_of_points(volume->shape.hull.xyz, volume->shape.hull.count);
        break;
    case SL_VOLUME_FRUSTUM:
        break;
    }
    box_filter_take(s, &box, reach, part);
}
