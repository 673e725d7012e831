/* verify/box_filter.h: for --verify of large meshes: the triangles that a question may be about, by their
 * bounds, so that not every one need be asked exactly.  Bounds are compared in doubles with room to
 * spare, and share nothing with the tree. */
#ifndef TOOLS_SIEVE_H
#define TOOLS_SIEVE_H

#include <sightline/volume_query.h>

/* A part of the triangles, and their numbers in the whole. */
typedef struct sieve_part {
    sl_soup soup;
    uint32_t *indices, *prims, *masks;
} sieve_part;

typedef struct sieve {
    sl_soup soup;      /* the whole */
    float *side[3][2]; /* [axis][min, max], one for each triangle */
    sieve_part *parts; /* one for each worker; NULL: no sieve */
    size_t part_count;
} sieve;

/* False when out of memory; free it either way, and a zeroed one as you like. */
bool sieve_make(sieve *s, const sl_soup *soup, size_t workers);
void sieve_free(sieve *s);

/* Takes those whose bounds come within reach of a box. */
void sieve_take(const sieve *s, const sl_aabb *box, double reach, sieve_part *part);

/* Those that a volume may touch; all of them for a frustum, which may have no end. */
void sieve_take_volume(const sieve *s, const sl_volume *volume, sieve_part *part);

#endif
