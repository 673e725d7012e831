/* The proxy of an object: what it answers to a ray, a segment, a volume or a point, and how it
 * stands before the tree for ray_query.c, points.c, winding.c and volume/run.c. */
#include "bvh/query/proxy.h"

#include "lib/geom/overlap/overlap.h"

#include <sightline/closest.h>

#include <math.h>

bool sli_proxy_ray(const sl_proxy *proxy, const sl_ray *ray, sl_hit *hit)
{
    sl_round_hit round = { .t = 0 };
    sl_aabb_hit box = { .t = 0 };
    bool met = false;
    switch (proxy->kind) {
    case SL_PROXY_SPHERE:
        met = sl_ray_sphere(ray, &proxy->shape.sphere, SL_INSIDE_SOLID, &round);
        break;
    case SL_PROXY_AABB:
        met = sl_ray_aabb(ray, &proxy->shape.aabb, SL_INSIDE_SOLID, &box);
        break;
    case SL_PROXY_OBB:
        met = sl_ray_obb(ray, &proxy->shape.obb, SL_INSIDE_SOLID, &box);
        break;
    }
    if (met) {
        const float t = proxy->kind == SL_PROXY_SPHERE ? round.t : box.t;
        *hit = (sl_hit){ .t = t, .prim = SL_PROXY_PRIM };
    }
    return met;
}

bool sli_proxy_segment(const sl_proxy *proxy, const sl_segment *segment, sl_hit *hit)
{
    sl_round_hit round = { .t = 0 };
    sl_aabb_hit box = { .t = 0 };
    bool met = false;
    switch (proxy->kind) {
    case SL_PROXY_SPHERE:
        met = sl_segment_sphere(segment, &proxy->shape.sphere, SL_INSIDE_SOLID, &round);
        break;
    case SL_PROXY_AABB:
        met = sl_segment_aabb(segment, &proxy->shape.aabb, SL_INSIDE_SOLID, &box);
        break;
    case SL_PROXY_OBB:
        met = sl_segment_obb(segment, &proxy->shape.obb, SL_INSIDE_SOLID, &box);
        break;
    }
    if (met) {
        const float t = proxy->kind == SL_PROXY_SPHERE ? round.t : box.t;
        *hit = (sl_hit){ .t = t, .prim = SL_PROXY_PRIM };
    }
    return met;
}

static bool sphere_meets(const sl_sphere *sphere, const sl_volume *volume)
{
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        return sli_sphere_aabb(sphere, &volume->shape.aabb);
    case SL_VOLUME_SPHERE:
        return sli_sphere_sphere(sphere, &volume->shape.sphere);
    case SL_VOLUME_OBB:
        return sli_sphere_obb(sphere, &volume->shape.obb);
    case SL_VOLUME_CAPSULE:
        return sli_capsule_sphere(&volume->shape.capsule, sphere);
    case SL_VOLUME_FRUSTUM:
        return sli_frustum_sphere(&volume->shape.frustum, sphere);
    case SL_VOLUME_TRIANGLE:
        return sli_sphere_triangle(sphere, &volume->shape.triangle);
    }
    return false;
}

static bool aabb_meets(const sl_aabb *box, const sl_volume *volume)
{
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        return sl_aabb_overlaps_aabb(box, &volume->shape.aabb);
    case SL_VOLUME_SPHERE:
        return sli_sphere_aabb(&volume->shape.sphere, box);
    case SL_VOLUME_OBB:
        return sli_obb_aabb(&volume->shape.obb, box);
    case SL_VOLUME_CAPSULE:
        return sli_capsule_aabb(&volume->shape.capsule, box);
    case SL_VOLUME_FRUSTUM:
        return sli_frustum_aabb(&volume->shape.frustum, box);
    case SL_VOLUME_TRIANGLE:
        return sl_triangle_overlaps_aabb(&volume->shape.triangle, box);
    }
    return false;
}

static bool obb_meets(const sl_obb *box, const sl_volume *volume)
{
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        return sli_obb_aabb(box, &volume->shape.aabb);
    case SL_VOLUME_SPHERE:
        return sli_sphere_obb(&volume->shape.sphere, box);
    case SL_VOLUME_OBB:
        return sli_obb_obb(box, &volume->shape.obb);
    case SL_VOLUME_CAPSULE:
        return sli_capsule_obb(&volume->shape.capsule, box);
    case SL_VOLUME_FRUSTUM:
        return sli_frustum_obb(&volume->shape.frustum, box);
    case SL_VOLUME_TRIANGLE:
        return sli_obb_triangle(box, &volume->shape.triangle);
    }
    return false;
}

bool sli_proxy_volume(const sl_proxy *proxy, const sl_volume *volume)
{
    switch (proxy->kind) {
    case SL_PROXY_SPHERE:
        return sphere_meets(&proxy->shape.sphere, volume);
    case SL_PROXY_AABB:
        return aabb_meets(&proxy->shape.aabb, volume);
    case SL_PROXY_OBB:
        return obb_meets(&proxy->shape.obb, volume);
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
    if (!sl_sphere_is_valid(sphere) || sl_sphere_contains_point(sphere, point)) {
        return sl_sphere_is_valid(sphere);
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

void sli_ask_behind_proxy(const sli_proxied *proxied, size_t begin, size_t end, sl_stats *stats)
{
    if (proxied->proxy == NULL) {
        proxied->tree(proxied->job, begin, end, stats);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        sli_proxy_answer answer;
        const sli_meeting meeting = proxied->meet(proxied->job, i, &answer);
        if (meeting == SLI_MEETS_PROXY && proxied->proxy->mode == SL_PROXY_FIRST) {
            proxied->tree(proxied->job, i, i + 1, stats);
            continue;
        }
        stats->rays++;
        stats->proxies_rejected += meeting == SLI_MISSES_PROXY;
        proxied->answer(proxied->job, i, &answer);
    }
}
