/* The public functions of overlap.h, but for those of triangle_aabb.c: the tests of this folder
 * between the floating-point brackets; and two boxes along the axes, which overlap where what they
 * share is not empty. */
#include "lib/base/fpenv.h"
#include "lib/geom/overlap/overlap.h"

#define DEFINE_OVERLAP(a, b)                                                                       \
    bool sl_##a##_overlaps_##b(const sl_##a *first, const sl_##b *second)                          \
    {                                                                                              \
        return SLI_IN_FPENV(sli_##a##_##b(first, second));                                         \
    }
DEFINE_OVERLAP(capsule, aabb)
DEFINE_OVERLAP(capsule, obb)
DEFINE_OVERLAP(capsule, sphere)
DEFINE_OVERLAP(capsule, triangle)
DEFINE_OVERLAP(frustum, aabb)
DEFINE_OVERLAP(frustum, obb)
DEFINE_OVERLAP(frustum, sphere)
DEFINE_OVERLAP(frustum, triangle)
DEFINE_OVERLAP(obb, aabb)
DEFINE_OVERLAP(obb, obb)
DEFINE_OVERLAP(obb, triangle)
DEFINE_OVERLAP(sphere, aabb)
DEFINE_OVERLAP(sphere, obb)
DEFINE_OVERLAP(sphere, sphere)
DEFINE_OVERLAP(sphere, triangle)
DEFINE_OVERLAP(triangle, triangle)

#define DEFINE_PLANE_SIDE(b)                                                                       \
    int sl_plane_side_of_##b(const sl_plane *plane, const sl_##b *shape)                           \
    {                                                                                              \
        return SLI_IN_FPENV(sli_plane_##b(plane, shape));                                          \
    }
DEFINE_PLANE_SIDE(aabb)
DEFINE_PLANE_SIDE(obb)
DEFINE_PLANE_SIDE(sphere)

bool sl_aabb_overlaps_aabb(const sl_aabb *a, const sl_aabb *b)
{
    const sl_aabb shared = sl_aabb_intersect(a, b);
    return !sl_aabb_is_empty(&shared);
}
