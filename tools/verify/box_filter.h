/* verify/box_filter.h: for --verify of large meshes: the triangles that a question may be about,
 * by their bounds, so that not every one need be asked exactly.  Bounds are compared in doubles
 * with room to spare, and share nothing with the tree. */
#pragma once

#include <sightline/volumes.h>

/* A part of the triangles, and their numbers in the whole. */
typedef struct box_filter_part {
    sl_soup soup;
    uint32_t *indices, *prims, *masks;
} box_filter_part;

typedef struct box_filter {
    sl_soup soup;           /* the whole */
    float *side[3][2];      /* [axis][min, max], one for each triangle */
    box_filter_part *parts; /* one for each worker; NULL: no box_filter */
    size_t part_count;
} box_filter;

/* False when out of memory; free it either way, and a zeroed one as you like. */
bool box_filter_make(box_filter *s, const sl_soup *soup, size_t workers);
void box_filter_free(box_filter *s);

/* Takes those whose bounds come within reach of a box. */
void box_filter_take(const box_filter *s, const sl_aabb *box, double reach, box_filter_part *part);

/* Those that a volume may touch; all of them for a frustum, which may have no end. */
void box_filter_take_volume(const box_filter *s, const sl_volume *volume, box_filter_part *part);
