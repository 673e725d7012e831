/* world_soup.h: every triangle of a tree of either kind, with its corners in the world. Oracles
 * that look at all pairs go through them. */
#pragma once

#include <sightline/rays.h>

typedef struct world_soup {
    sl_triangle_d *corners; /* around the object's front, of mirrored instances, too */
    sl_triangle_ref *refs;  /* in rising order */
    size_t count;
} world_soup;

/* What the options (NULL: everything) leave in: of them mask, skip and ignore are read. */
world_soup world_soup_of(const sl_bvh *bvh, const sl_options *options);
void world_soup_free(world_soup *s);
