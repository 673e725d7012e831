/* split.h: what a split is, and the contract of every function that makes one.
 *
 * A split moves the references of a set from one array to another, those of the left side first.
 * Neither side is empty, and neither is larger than set->side_max, which is at least half of the
 * count rounded up.  The result depends on the references and their order alone.  Every function
 * works on any finite boxes: all equal, flat, denormal, as far apart as floats can be.
 * Cost     compared in float, relative to the whole set: nearly equal ones may count as equal.
 * Users    range.c combines these for topdown.c; spatial.h has the split that cuts references.
 * Source   Wald, On fast Construction of SAH-based Bounding Volume Hierarchies (2007), for bins;
 *          sah.h has the cost. */
#pragma once

#include "bvh/builder/base/refs.h"

/* What a splitter is told of the references, beside the references. */
typedef struct sli_ref_set {
    size_t count;
    sli_box bounds, centres; /* exactly: of the boxes, and of their centres */
    size_t side_max;         /* references that a side may have */
} sli_ref_set;

/* What came to each side: 0 left, 1 right. */
typedef struct sli_split {
    size_t count[2];
    sli_box bounds[2], centres[2]; /* exactly, as in sli_ref_set */
} sli_split;

/* The cheapest of all cuts between centres sorted along an axis, for 2 to SLI_SWEEP_MAX
 * references; always finds one.  Leaves out->centres alone: sets this small are split without
 * them. */
enum { SLI_SWEEP_MAX = 16 };
void sli_split_sweep(const sli_ref *from, sli_ref *to, const sli_ref_set *set, sli_split *out);

/* The cheapest of all partitions of 2 to SLI_FEW_MAX references, which needs no sorting.  Leaves
 * out->centres alone. */
enum { SLI_FEW_MAX = 4 };
void sli_split_few(const sli_ref *from, sli_ref *to, const sli_ref_set *set, sli_split *out);

/* Moves references in the order of numbers; the first left of them go left.  Leaves out->centres
 * alone. */
void sli_split_in_order(const sli_ref *from, const uint8_t *numbers, size_t left, size_t count,
                        sli_ref *to, sli_split *out);

/* The lower half by centre along the widest axis of centres; of equal centres, those that come
 * first.  Order is kept on both sides.  Always finds one.  slices: as in range.h. */
void sli_split_median(const sli_ref *from, sli_ref *to, const sli_ref_set *set, sli_slices *slices,
                      sli_split *out);

/* The cheapest cut at one of 31 planes on each axis (15 or 7 where references are few), evenly
 * spaced over the centres; order is kept on both sides.  In steps, of which filling and moving may
 * be done in chunks: place planes, fill bins, join them, choose a cut, move. */

enum { SLI_BINS = 32 };

/* The references of a bin are counted in lane 3 of max, from 1.0f up as an integer: so the count
 * neither needs a store of its own nor is ever changed by the maximum with a reference's 0. */
typedef struct sli_bins {
    sli_box at[3][SLI_BINS];
} sli_bins;

/* Where the planes are: a centre c is in bin (c - origin) * scale of an axis.  Along an axis where
 * the centres hardly differ the scale is 0. */
typedef struct sli_planes {
    sli_lanes origin, scale;
    int bins; /* on each axis */
} sli_planes;

static inline sli_lanes sli_planes_position(const sli_planes *planes, sli_lanes centre)
{
    return (centre - planes->origin) * planes->scale;
}

/* A plane: references in bins below bin go left. */
typedef struct sli_cut {
    int axis;
    int bin;
    size_t left_count;
    sli_box bounds[2];
} sli_cut;

static inline bool sli_cut_is_left(const sli_cut *cut, const sli_planes *planes, const sli_ref *ref)
{
    return sli_planes_position(planes, sli_ref_centre(ref))[cut->axis] < (float)cut->bin;
}

sli_planes sli_planes_make(const sli_ref_set *set);
void sli_bins_fill(sli_bins *bins, const sli_planes *planes, const sli_ref *refs, size_t count);

/* The same where each counts as many as its spare says (cell_tree.h).  set->count is then their
 * sum, and so is cut->left_count. */
void sli_bins_fill_weighted(sli_bins *bins, const sli_planes *planes, const sli_ref *refs,
                            size_t count);
void sli_bins_join(sli_bins *bins, const sli_bins *other, const sli_planes *planes);
/* False where no plane leaves a split as above. */
bool sli_bins_choose(const sli_bins *bins, const sli_planes *planes, const sli_ref_set *set,
                     sli_cut *out);

/* The best plane on each axis, with sides that end halfway where they overlap along it, as if each
 * reference there could be cut; an axis of -1 where there is no plane. */
void sli_bins_choose_disjoint(const sli_bins *bins, const sli_planes *planes,
                              const sli_ref_set *set, sli_cut out[3]);
size_t sli_bins_left_count(const sli_bins *bins, const sli_cut *cut);

/* Moves count references to left and right, in order, and bounds the centres of each side. */
void sli_cut_move(const sli_cut *cut, const sli_planes *planes, const sli_ref *refs, size_t count,
                  sli_ref *left, sli_ref *right, sli_box centres[2]);
