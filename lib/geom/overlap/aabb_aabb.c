/* Two boxes along the axes: they overlap where what they share is not empty. */
#include <sightline/overlap.h>

bool sl_aabb_overlaps_aabb(const sl_aabb *a, const sl_aabb *b)
{
    const sl_aabb shared = sl_aabb_intersect(a, b);
    return !sl_aabb_is_empty(&shared);
}
