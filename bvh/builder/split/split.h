/* split.h: what a split is, and the contract of those who make one.
 *
 * A split moves count references from one array to another, those of the left side first.  Neither
 * side is empty, and neither is larger than whole->most, which is at least half of count rounded
 * up. The result depends on the references and their order alone.  Everybody works on any finite
 * boxes: all equal, flat, denormal, as far apart as floats can be.
 * Costs are compared in float, relative to the whole: nearly equal ones may count as equal. */
#ifndef SLI_BUILD_SPLIT_H
#define SLI_BUILD_SPLIT_H

#include "bvh/builder/refs.h"

typedef struct sli_split {
    size_t left_count;
    sli_box bounds[2];  /* of the references of the left and the right side */
    sli_box centres[2]; /* of their centres */
} sli_split;

/* What is split, beside the references. */
typedef struct sli_whole {
    size_t count;
    sli_box bounds, centres; /* exactly */
    size_t most;             /* that a side may have */
} sli_whole;

/* The cheapest cut at one of 31 planes on each axis (15 where references are few), evenly over the
 * centres; order is kept on both sides.  False, and nothing moved, where no plane leaves a split as
 * above. */
bool sli_split_binned(const sli_ref *from, sli_ref *to, const sli_whole *whole, sli_split *out);

/* The cheapest of all cuts between centres sorted along an axis.  For few references; always
 * finds one.  Leaves out->centres alone, since whoever has few references stays with this split. */
enum { SLI_SWEEP_MOST = 16 };
void sli_split_sweep(const sli_ref *from, sli_ref *to, const sli_whole *whole, sli_split *out);

/* The cheapest way of all to share out 2 to 4 references: whoever has so few need not sort them.
 * Leaves out->centres alone. */
enum { SLI_FEW_MOST = 4 };
void sli_split_few(const sli_ref *from, sli_ref *to, const sli_whole *whole, sli_split *out);

/* The lower half by centre along the widest axis of centres; of equal centres, those that come
 * first.  Order is kept on both sides.  Always finds one. */
void sli_split_median(const sli_ref *from, sli_ref *to, const sli_whole *whole, sli_split *out);

/* The steps of sli_split_binned, for whoever does them in chunks. */

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

/* A plane: references in bins below bin go left. */
typedef struct sli_cut {
    int axis;
    int bin;
    size_t left_count;
    sli_box bounds[2];
} sli_cut;

sli_planes sli_planes_place(const sli_whole *whole);
void sli_bins_fill(sli_bins *bins, const sli_planes *planes, const sli_ref *refs, size_t count);
void sli_bins_join(sli_bins *bins, const sli_bins *other, const sli_planes *planes);
bool sli_bins_choose(const sli_bins *bins, const sli_planes *planes, const sli_whole *whole,
                     sli_cut *out);

/* The best plane on each axis, with sides that end halfway where they overlap along it, as if each
 * reference there could be cut; an axis of -1 where there is no plane. */
void sli_bins_part(const sli_bins *bins, const sli_planes *planes, const sli_whole *whole,
                   sli_cut parted[3]);
size_t sli_bins_left_count(const sli_bins *bins, const sli_cut *cut);

/* Moves count references to left and right, in order, and bounds the centres of each side. */
void sli_cut_move(const sli_cut *cut, const sli_planes *planes, const sli_ref *refs, size_t count,
                  sli_ref *left, sli_ref *right, sli_box centres[2]);

#endif
