/* ask/block.h: elements that are asked about together, in the form that the library takes them, and
 * places for their answers. */
#pragma once

#include "tools/output/npy.h"

#include <sightline/points.h>
#include <sightline/sweep.h>
#include <sightline/volumes.h>

/* What is asked about, and which family of queries. */
typedef enum ask_kind {
    ASK_RAYS,
    ASK_SEGMENTS,
    ASK_NEAR,   /* points: what is near them */
    ASK_INSIDE, /* points: what they are inside of */
    ASK_VOLUMES,
    ASK_SWEEPS
} ask_kind;

/* What is found of each element; the words of --mode. */
typedef enum ask_mode {
    ASK_CLOSEST, /* the first row there is; of points inside the answer */
    ASK_ANY,     /* whether there is one */
    ASK_ALL,     /* the first rows, and how many there are in all */
    ASK_COUNT,   /* how many there are */
    ASK_FEW,     /* the first rows alone, for the k nearest */
    ASK_NEXT     /* of rays and segments: the row behind the one that stands there */
} ask_mode;

/* The type of a row of an answer. */
typedef enum ask_row_type {
    ASK_HITS,
    ASK_HITS_D,
    ASK_NEAREST,
    ASK_NEAREST_D,
    ASK_INSIDES,
    ASK_INSTANCES, /* uint32_t: those that contain a point of a scene */
    ASK_REFS,
    ASK_CONTACTS
} ask_row_type;

typedef struct ask_block {
    ask_kind kind;
    ask_row_type type;
    bool doubles; /* sl_ray_d, sl_segment_d or double[3] instead of sl_ray, sl_segment, float[3] */
    size_t count, capacity;
    size_t keep;      /* rows that are kept of each answer, but for ASK_CLOSEST and ASK_NEXT */
    void *elements;   /* or sl_volume, sl_sweep */
    float *limits;    /* of points: how far to look around each; NULL: that of the world */
    void *rows;       /* those that are not there have no prim */
    uint64_t *totals; /* how many rows there are, for every mode */
    uint8_t *yes;     /* of ASK_ANY */
} ask_block;

/* Any row, whatever its type. */
typedef struct ask_row {
    double t; /* or the distance */
    double t_safe;
    float u, v;
    uint32_t prim, instance, flags;
    sl_start start;
    double point[3], normal[3];
    bool has_point, wide; /* wide: the point is of doubles */
    sl_inside inside;
} ask_row;

/* From malloc, with one row for each element at least; false when there is no more.  Free it either
 * way. */
bool ask_block_make(ask_block *block, const ask_block *def, bool has_limits);
void ask_block_free(ask_block *block); /* a zeroed one is fine */

/* Space for at least this many rows of each answer.  False when there is none. */
bool ask_block_grow(ask_block *block, size_t keep);

void *ask_block_element(const ask_block *block, size_t i);
void *ask_block_row(const ask_block *block, size_t k);
ask_row ask_block_read(const ask_block *block, size_t k);

/* Makes rows from `first` on those of a miss. */
void ask_block_clear(ask_block *block, size_t first, size_t count);

size_t ask_row_size(ask_row_type type);
npy_out_type ask_row_npy(ask_row_type type);
