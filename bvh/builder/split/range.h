/* split/range.h: how topdown.c splits a range of references in two: the strategy over the splits of
 * this folder, in steps that many workers can share.
 *
 * Choice   2 to 4 references by the best partition, up to 16 by a sweep, more by bins, and by the
 *          median where no plane between bins separates them.  With a mesh, spatial splits are
 *          tried too where the two sides of that split overlap by more than overlap_min, and taken
 *          where they are cheaper.
 * Steps    some are for the range, some for each of its chunks, which may be done in any order and
 *          by any worker.
 * Result   the references have moved to the other array: those of the left side to where the range
 *          begins, those of the right side behind the capacity of the left one.
 * Capacity a range owns as many places as it may come to hold references.  Without a mesh that is
 *          its count.  Spare places are divided in proportion to the counts of the sides.
 * Source   Stich, Friedrich and Dietrich, Spatial Splits in Bounding Volume Hierarchies (2009), for
 *          when to try a spatial split. */
#pragma once

#include "bvh/builder/split/spatial.h"

typedef struct sli_range_splitter {
    sli_ref *side[2];          /* the arrays that references move between */
    const sli_triangles *mesh; /* NULL: no spatial splits, no reference is cut */
    sli_slices *slices;        /* of a build in slices, or NULL */
    double overlap_min;        /* half surface that the sides must share for a spatial split */
} sli_range_splitter;

/* References that become a subtree. */
typedef struct sli_range {
    sli_ref_set set;
    size_t begin, capacity;
    int side; /* which array the references are in */
} sli_range;

/* A piece of a range. */
typedef struct sli_chunk {
    size_t range; /* which one: the caller's index */
    size_t begin, count;
    size_t to[2]; /* where the references of each side go */
    sli_bins bins;
    sli_spatial_bins spatial_bins;
    sli_split split;
} sli_chunk;

typedef enum sli_split_kind {
    SLI_SPLIT_AT_PLANE, /* by centres, at a plane between bins */
    SLI_SPLIT_SPATIAL,  /* space is cut, and references with it */
    SLI_SPLIT_DONE      /* already moved, the right side close behind the left one */
} sli_split_kind;

/* How a range is split, as far as the steps have decided. */
typedef struct sli_range_plan {
    size_t first_chunk, chunk_count; /* the caller's */
    sli_split_kind kind;
    bool tries_spatial;
    sli_planes planes;
    sli_cut cut;
    double cost; /* of the split by centres; where tries_spatial */
    sli_spatial_planes spatial_planes;
    sli_spatial_cut spatial_cut;
    sli_split split;      /* the result */
    size_t left_capacity; /* places of the range that go to the left side */
} sli_range_plan;

/* The steps, in this order: those of ranges get the chunks of the range. */

typedef void sli_range_step(const sli_range_splitter *splitter, const sli_range *range,
                            sli_range_plan *plan, sli_chunk *chunks);
typedef void sli_chunk_step(const sli_range_splitter *splitter, const sli_range *range,
                            const sli_range_plan *plan, sli_chunk *chunk);

sli_range_step sli_range_begin;
sli_chunk_step sli_chunk_fill_bins;
sli_range_step sli_range_choose;
sli_chunk_step sli_chunk_fill_spatial_bins; /* this one and the next may be left out without mesh */
sli_range_step sli_range_choose_spatial;
sli_chunk_step sli_chunk_count;
sli_range_step sli_range_assign;
sli_chunk_step sli_chunk_move;
sli_range_step sli_range_join;

/* All steps at once, on the calling thread, without counting first: so spare places of a spatial
 * split are divided by the most that each side may get. */
void sli_range_split(const sli_range_splitter *splitter, const sli_range *range,
                     sli_range_plan *plan);
