/* intersect/soup.h: which triangles of a soup count for a query; for queries of soups and of trees.
 */
#pragma once

#include "lib/geom/intersect/selection.h"

#include <sightline/intersect.h>

/* The bits of a triangle's mask. */
static inline uint32_t sli_soup_mask(const sl_soup *soup, uint32_t prim)
{
    return soup->masks != NULL ? sli_mask_of(soup->masks[prim]) : UINT32_MAX;
}

/* Whether the triangle was left out of the mesh, or the mask or skips of the query exclude it. */
bool sli_soup_leaves_out(const sl_soup *soup, const sl_options *options, uint32_t prim);
