/* split/spatial.h: cutting space instead of sorting references: whoever lies on both sides of a
 * plane becomes two references, one for the part on each side.
 *
 * Like a cut of split.h it depends on the references and their order alone, and is done in chunks:
 * fill, join, choose; count; move.  Counting and moving come to the same.
 * Unsplit  where it is cheaper, by the figures of the plane, to let a side grow around all of a
 *          reference than to have it twice, it goes to that side whole.
 * Source   Stich, Friedrich and Dietrich, Spatial Splits in Bounding Volume Hierarchies (2009). */
#ifndef SLI_BUILD_SPLIT_SPATIAL_H
#define SLI_BUILD_SPLIT_SPATIAL_H

#include "bvh/builder/split/clip_reference.h"
#include "bvh/builder/split/split.h"
#include "bvh/tree/tri_pack.h"

enum { SLI_SLABS = 16 };

/* Slabs of equal width along each axis of a box.  Their bounds are good enough to compare planes
 * by: nothing is rounded outward here. */
typedef struct sli_slabs {
    sli_box box[3][SLI_SLABS];                         /* of the parts within */
    uint32_t enter[3][SLI_SLABS], leave[3][SLI_SLABS]; /* references by their first and last slab */
} sli_slabs;

typedef struct sli_space {
    sli_lanes origin, scale; /* half a coordinate x is in slab (x - origin) * scale of an axis */
    float plane[3][SLI_SLABS + 1];
    bool usable[3]; /* whether the box is wide enough along the axis; others are left alone */
} sli_space;

/* The plane below slab `slab`. */
typedef struct sli_space_cut {
    int axis, slab;
    float plane;
    double area[2];
    size_t count[2]; /* at most: unsplitting makes them fewer */
    double cost;     /* sli_space_cost */
    sli_box bounds[2];
} sli_space_cut;

/* What came to each side. */
typedef struct sli_sides {
    size_t count[2];
    sli_box bounds[2], centres[2];
} sli_sides;

sli_space sli_space_place(const sli_box *bounds);
void sli_slabs_fill(sli_slabs *slabs, const sli_space *space, const sli_triangles *mesh,
                    const sli_ref *refs, size_t count);
void sli_slabs_join(sli_slabs *slabs, const sli_slabs *other);

/* What sah.h minimises, of a cut of either kind, in double. */
static inline double sli_space_cost(const double area[2], const size_t count[2])
{
    return area[0] * (double)((count[0] + SLI_PACK - 1) / SLI_PACK) +
           area[1] * (double)((count[1] + SLI_PACK - 1) / SLI_PACK);
}

/* The cheapest plane that leaves neither side empty, with as many as before, or more than
 * whole->most, and both together not more than `room`.  False where there is none. */
bool sli_slabs_choose(const sli_slabs *slabs, const sli_space *space, const sli_whole *whole,
                      size_t room, sli_space_cut *out);

void sli_space_count(const sli_space_cut *cut, const sli_space *space, const sli_triangles *mesh,
                     const sli_ref *refs, size_t count, size_t counts[2]);
void sli_space_move(const sli_space_cut *cut, const sli_space *space, const sli_triangles *mesh,
                    const sli_ref *refs, size_t count, sli_ref *left, sli_ref *right,
                    sli_sides *out);

#endif
