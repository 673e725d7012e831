/* base/refs.h: references, which builders sort into a tree: a box and a number for each triangle.
 *
 *   offset size field
 *        0   12 min[3]    exact; a zero is +0
 *       12    4 prim      index of the triangle in the mesh
 *       16   12 max[3]
 *       28    4 spare     0: as a float it is a zero, so arithmetic on lane 3 is never slow
 */
#pragma once

#include "bvh/builder/base/box.h"
#include "bvh/builder/base/phase.h"

#include <sightline/mesh.h>

typedef struct sli_ref {
    float min[3];
    uint32_t prim;
    float max[3];
    uint32_t spare;
} sli_ref;

typedef struct sli_refs {
    sl_allocator allocator;
    sli_ref *side[2]; /* the second is for builders that move references to and fro; else NULL */
    bool borrowed;    /* the first side is the caller's, and only read */
    uint32_t *prims;  /* NULL, or the triangles of sorted references, for leaves */
    size_t capacity;  /* of each array */
    size_t count;     /* triangles that were not left out */
    sli_box bounds;   /* of all; empty where there are none */
    sli_box centres;  /* of their sli_box_centre */
} sli_refs;

static inline sli_box sli_ref_box(const sli_ref *ref)
{
    return (sli_box){ *(const sli_lanes_anywhere *)ref->min,
                      *(const sli_lanes_anywhere *)ref->max };
}

/* Twice the centre of the box, which may be infinite, but is no NaN. */
static inline sli_lanes sli_box_centre(const sli_box *box)
{
    return box->min + box->max;
}

static inline sli_lanes sli_ref_centre(const sli_ref *ref)
{
    const sli_box box = sli_ref_box(ref);
    return sli_box_centre(&box);
}

/* The centre along an axis as an integer of the same order (-0 before +0). */
static inline uint32_t sli_ref_key(const sli_ref *ref, int axis)
{
    const float value = sli_ref_centre(ref)[axis];
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
}

/* Boxes to build over instead of triangles: that of number i, whose prim is i; SL_NONE where there
 * is none.  Coordinates are finite, a zero is +0, and spare is 0. */
typedef struct sli_boxes {
    const sli_ref *at;
    size_t count;
} sli_boxes;

/* The capacity of the arrays for count triangles. */
typedef size_t sli_refs_capacity_fn(size_t count);

/* Fills side[0] with the triangles of the mesh, in order, except those left out.  capacity: NULL
 * for their count.  sli_refs_destroy must follow whatever the result. */
sl_result sli_refs_create(const sl_mesh *mesh, sli_refs_capacity_fn *capacity,
                          const sl_allocator *allocator, const sli_phase *phase, sli_refs *refs);
/* The same over boxes.  may_borrow: where no box is left out, so that each reference would be at
 * the number of its box, the references are the boxes themselves, which have to outlive them. */
sl_result sli_refs_of_boxes(const sli_boxes *boxes, bool may_borrow, const sl_allocator *allocator,
                            const sli_phase *phase, sli_refs *refs);
/* Copies what is borrowed, for builders that write to references.  False: out of memory. */
bool sli_refs_own(sli_refs *refs);
void sli_refs_destroy(sli_refs *refs);

/* Allocate the second side and prims, unset, unless they are there.  False: out of memory. */
bool sli_refs_add_side(sli_refs *refs);
bool sli_refs_add_prims(sli_refs *refs);

/* Frees both sides, once the references are sorted. */
void sli_refs_keep_prims(sli_refs *refs);
