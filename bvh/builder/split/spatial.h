/* split/spatial.h: the split that cuts space instead of sorting references: a reference on both
 * sides of a plane becomes two, one for the part of its triangle on each side.
 *
 * Like a split of split.h it depends on the references and their order alone, and is done in steps,
 * of which filling, counting and moving may be done in chunks: place planes, fill bins, join them,
 * choose a cut, count, move.  Counting and moving give the same counts.
 * Unsplit  where it is cheaper, by the figures of the plane, to enlarge one side by all of a
 *          reference than to have the reference twice, it goes to that side uncut.
 * Users    range.c, for builds of SL_BVH_QUALITY_HIGH.
 * Source   Stich, Friedrich and Dietrich, Spatial Splits in Bounding Volume Hierarchies (2009). */
#pragma once

#include "bvh/builder/split/clip_reference.h"
#include "bvh/builder/split/split.h"
#include "bvh/tree/tri_pack.h"

enum { SLI_SPATIAL_BINS = 16 };

/* Bins of equal width along each axis of a box that is usable; the others stay unset.  Their boxes
 * are good enough to compare planes by: nothing is rounded outward here. */
typedef struct sli_spatial_bins {
    sli_box box[3][SLI_SPATIAL_BINS];    /* of the parts of triangles within */
    uint32_t enter[3][SLI_SPATIAL_BINS]; /* references by the first bin that they reach */
    uint32_t leave[3][SLI_SPATIAL_BINS]; /* references by the last one */
} sli_spatial_bins;

typedef struct sli_spatial_planes {
    sli_lanes origin, scale; /* half a coordinate x is in bin (x - origin) * scale of an axis */
    float plane[3][SLI_SPATIAL_BINS + 1];
    int bins;       /* SLI_SPATIAL_BINS, or half as many */
    bool usable[3]; /* the box is wide enough along the axis; callers may clear it */
} sli_spatial_planes;

/* The plane between bin - 1 and bin. */
typedef struct sli_spatial_cut {
    int axis, bin;
    float plane;
    double area[2];
    size_t count[2]; /* at most: unsplitting makes them fewer */
    double cost;     /* sli_split_cost */
    sli_box bounds[2];
} sli_spatial_cut;

/* Where a coordinate lies along an axis, in bins from the first one on. */
static inline float sli_spatial_position(const sli_spatial_planes *planes, int axis, float x)
{
    return (x * 0.5f - planes->origin[axis]) * planes->scale[axis];
}

/* For a set of count references with these bounds. */
sli_spatial_planes sli_spatial_planes_make(const sli_box *bounds, size_t count);
void sli_spatial_bins_fill(sli_spatial_bins *bins, const sli_spatial_planes *planes,
                           const sli_triangles *mesh, const sli_ref *refs, size_t count);
void sli_spatial_bins_join(sli_spatial_bins *bins, const sli_spatial_bins *other,
                           const sli_spatial_planes *planes);

/* What sah.h minimises, of a split of any kind, in double. */
static inline double sli_split_cost(const double area[2], const size_t count[2])
{
    return area[0] * (double)((count[0] + SLI_PACK - 1) / SLI_PACK) +
           area[1] * (double)((count[1] + SLI_PACK - 1) / SLI_PACK);
}

/* The cheapest plane that leaves each side at least one reference and fewer than there were, no
 * more than set->side_max, and both together no more than capacity.  False where there is none.
 * Each side then gets at least one reference uncut. */
bool sli_spatial_bins_choose(const sli_spatial_bins *bins, const sli_spatial_planes *planes,
                             const sli_ref_set *set, size_t capacity, sli_spatial_cut *out);

void sli_spatial_cut_count(const sli_spatial_cut *cut, const sli_spatial_planes *planes,
                           const sli_triangles *mesh, const sli_ref *refs, size_t count,
                           size_t counts[2]);
void sli_spatial_cut_move(const sli_spatial_cut *cut, const sli_spatial_planes *planes,
                          const sli_triangles *mesh, const sli_ref *refs, size_t count,
                          sli_ref *left, sli_ref *right, sli_split *out);
