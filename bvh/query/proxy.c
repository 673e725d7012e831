/* The proxy of an object: what it answers to a ray, a segment, a volume or a point, and how it
 * stands before the tree for ray_query.c, points.c, winding.c and volume/run.c. */
#include "bvh/query/proxy.h"
#include "lib/geom/exact/valid.h"

#include "lib/geom/overlap/overlap.h"

#include <sightline/closest.h>

static bool proxy_line(const sl_proxy *proxy, sl_line line, sl_hit *hit)
{
    sl_round_hit round = { .t = 0 };
    sl_aabb_hit box = { .t = 0 };
    bool met = false;
    switch (proxy->kind) {
    case SL_PROXY_SPHERE:
        met = sl_line_sphere(line, &proxy->shape.sphere, SL_INSIDE_SOLID, &round);
        break;
    case SL_PROXY_AABB:
        met = sl_line_aabb(line, &proxy->shape.aabb, SL_INSIDE_SOLID, &box);
        break;
    case SL_PROXY_OBB:
        met = sl_line_obb(line, &proxy->shape.obb, SL_INSIDE_SOLID, &box);
        break;
    }
    if (met) {
        const float t = proxy->kind == SL_PROXY_SPHERE ? round.t : box.t;
        *hit = (sl_hit){ .t = t, .prim = SL_PROXY_PRIM };
    }
    return met;
}

bool sli_proxy_ray(const sl_proxy *proxy, const sl_ray *ray, sl_hit *hit)
{
    return proxy_line(proxy, sl_line_of_ray(ray), hit);
}

bool sli_proxy_segment(const sl_proxy *proxy, const sl_segment *segment, sl_hit *hit)
{
    return proxy_line(proxy, sl_line_of_segment(segment), hit);
}

bool sli_proxy_volume(const sl_proxy *proxy, const sl_volume *volume)
{
    switch (proxy->kind) {
    case SL_PROXY_SPHERE:
        return sli_volume_sphere(volume, &proxy->shape.sphere);
    case SL_PROXY_AABB:
        return sli_volume_aabb(volume, &proxy->shape.aabb);
    case SL_PROXY_OBB:
        return sli_volume_obb(volume, &proxy->shape.obb);
    }
    return false;
}

/* Towards the centre, unless the point is inside.  Doubles hold the squares of all floats. */
static bool sphere_closest(const sl_sphere *sphere, const float point[3], sl_closest *out)
{
    double way[3], square = 0;
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = (double)point[axis] - (double)sphere->centre[axis];
        square += way[axis] * way[axis];
        out->point[axis] = point[axis];
    }
    const sl_sphere at = { .centre = { point[0], point[1], point[2] } };
    if (!sli_sphere_is_valid(sphere) || sli_sphere_sphere(sphere, &at)) {
        return sli_sphere_is_valid(sphere);
    }
    const double length = sqrt(square), radius = sphere->radius;
    out->distance = length > radius ? (float)(length - radius) : 0;
    for (int axis = 0; axis < 3; axis++) {
        out->point[axis] = (float)((double)sphere->centre[axis] + way[axis] * (radius / length));
    }
    return true;
}

bool sli_proxy_point(const sl_proxy *proxy, const float point[3], float limit, sl_nearest *nearest)
{
    const sl_sphere around = { .centre = { point[0], point[1], point[2] }, .radius = limit };
    const bool endless = isinf(limit);
    sl_closest closest = { .distance = 0 };
    bool met = false;
    switch (proxy->kind) {
    case SL_PROXY_SPHERE:
        met = (endless || sli_sphere_sphere(&around, &proxy->shape.sphere)) &&
              sphere_closest(&proxy->shape.sphere, point, &closest);
        break;
    case SL_PROXY_AABB:
        met = (endless || sli_sphere_aabb(&around, &proxy->shape.aabb)) &&
              sl_aabb_closest(&proxy->shape.aabb, point, &closest);
        break;
    case SL_PROXY_OBB:
        met = (endless || sli_sphere_obb(&around, &proxy->shape.obb)) &&
              sl_obb_closest(&proxy->shape.obb, point, &closest);
        break;
    }
    if (met) {
        *nearest =
            (sl_nearest){ .distance = closest.distance,
                          .prim = SL_PROXY_PRIM,
                          .point = { closest.point[0], closest.point[1], closest.point[2] } };
    }
    return met;
}

void sli_query_behind_proxy(const sli_proxied *proxied, size_t begin, size_t end, sl_stats *stats)
{
    if (proxied->proxy == NULL) {
        proxied->tree(proxied->job, begin, end, stats);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        sli_proxy_answer answer;
        const sli_intersection intersection = proxied->meet(proxied->job, i, &answer);
        if (intersection == SLI_MEETS_PROXY && proxied->proxy->mode == SL_PROXY_FIRST) {
            proxied->tree(proxied->job, i, i + 1, stats);
            continue;
        }
        stats->rays++;
        stats->proxies_rejected += intersection == SLI_MISSES_PROXY;
        proxied->answer(proxied->job, i, &answer);
    }
}
