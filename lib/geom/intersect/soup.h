/* soup.h: which triangles of a soup a query speaks of. */
#ifndef SLI_GEOM_INTERSECT_SOUP_H
#define SLI_GEOM_INTERSECT_SOUP_H

#include <sightline/intersect.h>

/* Whether the triangle was left out of the mesh, or the query's mask or skips leave it out. */
bool sli_soup_leaves_out(const sl_soup *soup, const sl_query *query, uint32_t prim);

#endif
