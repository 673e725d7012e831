/* Volumes against each shape: the public functions of overlap.h, but for those of triangle_aabb.c;
 * the tests of this folder in a table, between the floating-point brackets. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/valid.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/overlap_d.h"
#include "lib/geom/overlap/triangle_aabb.h"

#include <sightline/closest.h>

static bool aabb_aabb(const sl_aabb *a, const sl_aabb *b)
{
    const sl_aabb shared = sl_aabb_intersect(a, b);
    return !sl_aabb_is_empty(&shared);
}

static bool triangle_aabb(const sl_triangle *triangle, const sl_aabb *box)
{
    return sli_triangle_aabb(triangle, box, SLI_SAT_ORDER_123, NULL) == SLI_SAT_OVERLAP;
}

/* Triangles are tested in doubles. */
#define DEFINE_TRIANGLE_TEST(shape)                                                                \
    SLI_NOINLINE bool sli_##shape##_triangle(const sl_##shape *a, const sl_triangle *b)            \
    {                                                                                              \
        if (!sli_##shape##_is_valid(a) || !sli_triangle_is_valid(b)) {                             \
            return false;                                                                          \
        }                                                                                          \
        const sl_##shape##_d first = sli_##shape##_d_of(a);                                        \
        const sl_triangle_d second = sli_triangle_d_of(b);                                         \
        return sli_##shape##_triangle_d(&first, &second);                                          \
    }
DEFINE_TRIANGLE_TEST(obb)
DEFINE_TRIANGLE_TEST(capsule)
DEFINE_TRIANGLE_TEST(frustum)
DEFINE_TRIANGLE_TEST(triangle)

/* Two different shapes have one test, which stands in overlap.h in one order. */
#define TURNED(a, b)                                                                               \
    static bool a##_##b(const sl_##a *first, const sl_##b *second)                                 \
    {                                                                                              \
        return sli_##b##_##a(second, first);                                                       \
    }
TURNED(aabb, sphere)
TURNED(aabb, obb)
TURNED(obb, sphere)
TURNED(triangle, sphere)
TURNED(triangle, obb)

static bool aabb_triangle(const sl_aabb *box, const sl_triangle *triangle)
{
    return triangle_aabb(triangle, box);
}

/* of_aabb, of_obb and of_triangle are the tests of these against a b. */
#define DEFINE_OVERLAPS(b, of_aabb, of_obb, of_triangle)                                           \
    bool sli_volume_##b(const sl_volume *volume, const sl_##b *other)                              \
    {                                                                                              \
        switch (volume->kind) {                                                                    \
        case SL_VOLUME_AABB:                                                                       \
            return of_aabb(&volume->shape.aabb, other);                                            \
        case SL_VOLUME_SPHERE:                                                                     \
            return sli_sphere_##b(&volume->shape.sphere, other);                                   \
        case SL_VOLUME_OBB:                                                                        \
            return of_obb(&volume->shape.obb, other);                                              \
        case SL_VOLUME_CAPSULE:                                                                    \
            return sli_capsule_##b(&volume->shape.capsule, other);                                 \
        case SL_VOLUME_FRUSTUM:                                                                    \
            return sli_frustum_##b(&volume->shape.frustum, other);                                 \
        case SL_VOLUME_TRIANGLE:                                                                   \
            return of_triangle(&volume->shape.triangle, other);                                    \
        case SL_VOLUME_HULL:                                                                       \
            return sli_hull_##b(&volume->shape.hull, other);                                       \
        }                                                                                          \
        return false;                                                                              \
    }                                                                                              \
    bool sl_volume_overlaps_##b(const sl_volume *volume, const sl_##b *other)                      \
    {                                                                                              \
        return SLI_IN_FPENV(sli_volume_##b(volume, other));                                        \
    }
DEFINE_OVERLAPS(aabb, aabb_aabb, sli_obb_aabb, triangle_aabb)
DEFINE_OVERLAPS(obb, aabb_obb, sli_obb_obb, triangle_obb)
DEFINE_OVERLAPS(sphere, aabb_sphere, obb_sphere, triangle_sphere)
DEFINE_OVERLAPS(triangle, aabb_triangle, sli_obb_triangle, sli_triangle_triangle)

bool sl_volume_contains_point(const sl_volume *volume, const float point[3])
{
    if (volume->kind == SL_VOLUME_FRUSTUM) {
        const sl_frustum *frustum = &volume->shape.frustum;
        return frustum->count <= SL_FRUSTUM_PLANES_MAX &&
               sli_convex_contains_point(frustum->plane, frustum->count, point);
    }
    const sl_sphere small = { .centre = { point[0], point[1], point[2] } };
    return sl_volume_overlaps_sphere(volume, &small);
}

int sl_plane_side_of(const sl_plane *plane, const sl_volume *volume)
{
    return SLI_IN_FPENV(sli_plane_side_of(plane, volume));
}
