/* corners.h: the different corners of a world, in a hash grid.
 *
 * A location is a point of the world where corners are; it has a member for each instance that has
 * a corner there.  Cells are cubes; locations of a cell hang in the same chain as those of cells
 * that share its hash. */
#pragma once

#include "bvh/scene/scene.h"

#include <sightline/flatten.h>

/* Ends chains. */
#define SLI_NO_CORNER UINT32_MAX

typedef struct sli_corner_location {
    double x[3];
    uint32_t next;        /* in its chain */
    uint32_t first, last; /* members, by instance */
} sli_corner_location;

typedef struct sli_corner_member {
    sl_seam_corner corner; /* the lowest of its instance there */
    uint32_t next;
} sli_corner_member;

typedef struct sli_corners {
    sl_allocator allocator;
    double cell; /* the side of a cell */
    uint32_t *heads;
    size_t head_count; /* a power of two */
    sli_corner_location *locations;
    sli_corner_member *members;
    size_t location_count, location_capacity, member_count, member_capacity;
} sli_corners;

/* All corners of the world.  Free it either way. */
sl_result sli_corners_make(const sl_bvh *bvh, const sl_allocator *allocator, double cell,
                           sli_corners *out, sl_error *error);
void sli_corners_free(sli_corners *corners);

/* The first location of the chain of a cell, whose sides begin at multiples of its side. */
uint32_t sli_corners_chain(const sli_corners *corners, const double cell[3]);

/* The cell of a coordinate, as a whole number. */
double sli_corners_cell(const sli_corners *corners, double x);
