/* split/range.h: how a range of references is split into two, in steps that many workers may share.
 *
 * Steps     some are for the range, some for each of its chunks, in any order and by anybody:
 *           begin, fill bins (chunks), choose, fill slabs (chunks), choose space, count (chunks),
 *           place, move (chunks), join.  Whoever is alone calls sli_halve.
 * Result    references have moved to the other array: those of the left half to where the range
 *           begins, those of the right one behind the room of the left one. */
#ifndef SLI_BUILD_HALVE_H
#define SLI_BUILD_HALVE_H

#include "bvh/builder/split/spatial.h"

typedef struct sli_halver {
    sli_ref *side[2];
    const sli_triangles *mesh;
    double overlap_least; /* surface that halves have in common where space is cut, if it pays */
} sli_halver;

/* References that become a subtree. */
typedef struct sli_range {
    sli_whole whole;
    size_t begin, room;
    uint32_t node; /* its root */
    uint32_t pair; /* the first of its room - 1 pairs */
    uint32_t used; /* pairs of these, once it is built */
    int levels;    /* left below its root */
    int side;      /* which array the references are in */
} sli_range;

/* A piece of a range. */
typedef struct sli_chunk {
    size_t range; /* which one; the caller's */
    size_t begin, count;
    size_t counts[2];
    size_t to[2]; /* where its references go */
    sli_bins bins;
    sli_slabs slabs;
    sli_sides sides;
} sli_chunk;

typedef enum sli_how {
    SLI_BY_CENTRE, /* at a plane between bins */
    SLI_BY_SPACE,
    SLI_BY_HAND /* moved already, the right half right behind the left one */
} sli_how;

/* How a range is split. */
typedef struct sli_way {
    size_t first_chunk, chunk_count; /* the caller's */
    sli_how how;
    bool tries_space;
    sli_planes planes;
    sli_cut cut;
    sli_space space;
    sli_space_cut space_cut;
    double cost;     /* of the cut by centres */
    sli_split moved; /* by hand */
    /* The result: */
    sli_sides sides;
    size_t left_room; /* of the range's room */
} sli_way;

void sli_way_begin(const sli_range *range, sli_way *way);
void sli_chunk_fill_bins(const sli_halver *halver, const sli_range *range, const sli_way *way,
                         sli_chunk *chunk);

/* bins: those of all chunks together; NULL for at most SLI_SWEEP_MOST references. */
void sli_way_choose(const sli_halver *halver, const sli_range *range, const sli_bins *bins,
                    sli_way *way);

/* Nothing to do unless way->tries_space; then choose again. */
void sli_chunk_fill_slabs(const sli_halver *halver, const sli_range *range, const sli_way *way,
                          sli_chunk *chunk);
void sli_way_choose_space(const sli_range *range, const sli_slabs *slabs, sli_way *way);

void sli_chunk_count(const sli_halver *halver, const sli_range *range, const sli_way *way,
                     sli_chunk *chunk);
void sli_way_place(const sli_halver *halver, const sli_range *range, sli_way *way,
                   sli_chunk *chunks, size_t chunk_count);
void sli_chunk_move(const sli_halver *halver, const sli_range *range, const sli_way *way,
                    sli_chunk *chunk);
void sli_way_join(const sli_halver *halver, const sli_range *range, sli_way *way,
                  const sli_chunk *chunks, size_t chunk_count);

/* All of it, without counting: so room is shared out by the most that each half may get. */
void sli_halve(const sli_halver *halver, const sli_range *range, sli_way *way);

#endif
