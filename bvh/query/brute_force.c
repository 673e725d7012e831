/* Points against every triangle in turn, without a tree: the oracles that the trees are tested
 * against.  They share the exact decisions with the trees and nothing else.  Rays are in
 * lib/geom/intersect/soup.c, volumes in volume/brute_force.c. */
#include "bvh/query/brute_force.h"

#include "bvh/query/query.h"
#include "bvh/query/winding.h"
#include "lib/geom/closest/point_triangle.h"
#include "lib/geom/intersect/hit_heap.h"

#include <string.h>

/* Spreads out the hits that are packed at the start of a row, from the last one on, each with its
 * nearest point. */
static void spread_row(const sl_soup *soup, sl_nearest *row, size_t count)
{
    const char *packed = (const char *)row;
    for (size_t i = count; i-- > 0;) {
        sl_nearest nearest;
        memcpy(&nearest, packed + i * sizeof(sl_hit), sizeof(sl_hit));
        const sl_triangle t = sli_soup_triangle(soup, nearest.prim);
        sli_nearest_location(t.v[0], t.v[1], t.v[2], nearest.u, nearest.v, nearest.point);
        row[i] = nearest;
    }
}

static SLI_NOINLINE size_t brute_force_within(const sl_soup *soup, const float at[3], float radius,
                                              const sl_options *options, sl_nearest *out,
                                              size_t capacity)
{
    if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]) || !(radius >= 0)) {
        return 0;
    }
    const sl_item_options item = sli_item_options(options, 0);
    const double point[3] = { at[0], at[1], at[2] };
    sl_hit *hits = (sl_hit *)(void *)out;
    size_t total = 0;
    for (uint32_t prim = 0; prim < soup->triangle_count; prim++) {
        if (!sli_soup_has(soup, &item, prim)) {
            continue;
        }
        const sl_triangle t = sli_soup_triangle(soup, prim);
        sli_nearest_point near;
        if (sli_point_triangle(point, t.v[0], t.v[1], t.v[2], radius, INFINITY, &near)) {
            const sl_hit hit = { .t = near.distance, .u = near.u, .v = near.v, .prim = prim };
            sli_hit_heap_add(hits, capacity, total++, &hit);
        }
    }
    sli_hit_heap_sort(hits, capacity, total);
    spread_row(soup, out, total < capacity ? total : capacity);
    return total;
}

size_t sl_soup_within(const sl_soup *soup, const float point[3], float radius,
                      const sl_options *options, sl_nearest *out, size_t capacity)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const size_t total = brute_force_within(
        soup, point, radius, options != NULL ? options : &sli_everything, out, capacity);
    sli_fpenv_leave(saved);
    return total;
}

/* Neither the walk nor its filters: crossings from all hits of the ray, touching from the
 * distance. */
static SLI_NOINLINE sl_inside brute_force_inside(const sl_soup *soup, const sl_boundary *boundary,
                                                 const float point[3], const sl_options *options)
{
    sl_ray ray;
    sli_exact_ray exact;
    if (!sli_inside_ray(point, &ray) || !sli_exact_ray_from_ray(&ray, SL_CROSSINGS, &exact)) {
        return (sl_inside){ .crossings = 0 };
    }
    const sl_item_options item = sli_item_options(options, 0);
    sli_kernel_inside seen = { .fronts = 0 };
    sli_decision_stage stage;
    for (uint32_t prim = 0; prim < soup->triangle_count; prim++) {
        if (sli_soup_has(soup, &item, prim)) {
            const sl_triangle t = sli_soup_triangle(soup, prim);
            const int side = sli_exact_ray_side(&exact, t.v[0], t.v[1], t.v[2], 0, &stage);
            seen.fronts += side < 0;
            seen.backs += side > 0;
        }
    }
    seen.touches = brute_force_within(soup, point, 0, options, NULL, 0) > 0;
    return sli_inside_judge(&seen, boundary, point);
}

bool sl_soup_inside(const sl_soup *soup, const sl_boundary *boundary, const float point[3],
                    const sl_options *options, sl_inside *out)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const sl_inside found =
        brute_force_inside(soup, boundary, point, options != NULL ? options : &sli_everything);
    sli_fpenv_leave(saved);
    if (out != NULL) {
        *out = found;
    }
    return found.inside;
}
