/* tri_index.h: a leaf block of the compact layout: the triangles of a tri_pack.h by the numbers of
 * their vertices.
 *
 *   offset size field
 *        0   48 vertex[3]  numbers of vertex 0, 1, 2 of each triangle
 *       48   16 id[4]      as in tri_pack.h, and at the same offset
 *
 * Vertices are floats, three each, in the order in which the blocks come to them, each bit as the
 * mesh has it.  Number 0 is a vertex of zeros, for lanes that are not in use.  Masks are one array
 * for all triangles, or none: then all their bits are set.  No triangle is split.
 * A query unpacks a block into a tri_pack (sli_tree_pack), and then treats it like any other: so
 * that answers are the same. */
#pragma once

#include "bvh/tree/tri_pack.h"

#include <stdbool.h>

enum { SLI_INDEX_LINES = 1 };

typedef struct sli_tri_index {
    uint32_t vertex[3][SLI_PACK]; /* [vertex][lane] */
    uint32_t id[SLI_PACK];
} sli_tri_index;

_Static_assert(offsetof(sli_tri_index, id) == offsetof(sli_tri_pack, prim),
               "ids are found without knowing the layout");

/* Whether that number of floats is that of vertices, number 0 among them, and one float to spare:
 * unpacking reads four floats of a vertex. */
static inline bool sli_are_vertices(uint64_t floats)
{
    return floats >= 4 && floats % 3 == 1;
}

/* Prefetches the vertices that sli_tri_unpack will read. */
void sli_tri_fetch(const sli_tri_index *block, const float *vertices);

/* masks: NULL for all bits. */
void sli_tri_unpack(const sli_tri_index *block, const float *vertices, const uint32_t *masks,
                    sli_tri_pack *out);
