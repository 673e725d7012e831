/* Volumes, and triangles of a mesh, against every triangle in turn, without a tree: the oracles
 * that the trees are tested against. */
#include "bvh/query/brute_force.h"
#include "bvh/query/query.h"
#include "lib/geom/exact/valid.h"
#include "lib/geom/intersect/k_smallest.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/triangle_pair.h"
#include <sightline/volumes.h>

static SLI_NOINLINE size_t brute_force_overlap(const sl_soup *soup, const sl_volume *volume,
                                               const sl_options *options, sl_triangle_ref *refs,
                                               size_t capacity)
{
    const sl_item_options item = sli_item_options(options, 0);
    sli_k_smallest found = sli_k_smallest_in(refs, capacity);
    for (uint32_t prim = 0; prim < soup->triangle_count; prim++) {
        if (sli_soup_has(soup, &item, prim)) {
            const sl_triangle triangle = sli_soup_triangle(soup, prim);
            if (sli_volume_triangle(volume, &triangle)) {
                sli_k_smallest_add(&found, prim);
            }
        }
    }
    return sli_k_smallest_finish(&found, refs);
}

size_t sl_soup_overlap_all(const sl_soup *soup, const sl_volume *volume, const sl_options *options,
                           sl_triangle_ref *refs, size_t capacity)
{
    return SLI_IN_FPENV(brute_force_overlap(
        soup, volume, options != NULL ? options : &sli_everything, refs, capacity));
}

static SLI_NOINLINE size_t self_pairs(const sl_soup *soup, uint32_t prim, const sl_options *options,
                                      sl_triangle_ref *others, size_t capacity)
{
    const sl_item_options item = sli_item_options(options, 0);
    sli_k_smallest found = sli_k_smallest_in(others, capacity);
    if (prim >= soup->triangle_count || !sli_soup_has(soup, &item, prim)) {
        return 0;
    }
    const sl_triangle triangle = sli_soup_triangle(soup, prim);
    if (!sli_triangle_is_valid(&triangle)) {
        return 0;
    }
    for (uint32_t other = prim + 1; other < soup->triangle_count; other++) {
        if (sli_soup_has(soup, &item, other)) {
            const sl_triangle next = sli_soup_triangle(soup, other);
            if (sli_triangle_is_valid(&next) && sli_triangle_pair_meets(&triangle, &next)) {
                sli_k_smallest_add(&found, other);
            }
        }
    }
    return sli_k_smallest_finish(&found, others);
}

size_t sli_soup_self_pairs(const sl_soup *soup, uint32_t prim, const sl_options *options,
                           sl_triangle_ref *others, size_t capacity)
{
    return SLI_IN_FPENV(
        self_pairs(soup, prim, options != NULL ? options : &sli_everything, others, capacity));
}
