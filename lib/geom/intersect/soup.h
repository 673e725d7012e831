/* intersect/soup.h: which triangles of a soup count for a query; for queries of soups and of trees.
 */
#ifndef SLI_GEOM_INTERSECT_SOUP_H
#define SLI_GEOM_INTERSECT_SOUP_H

#include <sightline/intersect.h>

/* Whether the triangle was left out of the mesh, or the mask or skips of the query exclude it. */
bool sli_soup_leaves_out(const sl_soup *soup, const sl_query *query, uint32_t prim);

#endif
