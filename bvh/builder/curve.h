/* builder/curve.h: references in the order of a space-filling curve, and cells along it.
 *
 * Curve    Morton's: the bits of a centre's coordinates in turn, 10 of each, in a cube around all
 *          centres.  References that are close together on it are close together in space.
 * Cells    a cell is what one cube of an octree holds, or a half or a quarter of a cube: the
 *          largest of those with at most 64 references; more only where the curve cannot tell
 *          them apart.  A reference that is wider than twice its cube has a cell of its own, so
 *          that a wall does not become part of every piece of furniture.
 * Workers  sorting is stable, and cells end where the first two levels of cubes do; so neither the
 *          order nor the cells depend on the number of workers.
 * Memory   48 bytes a reference while it runs, 8 of which stay, and 32 for each cell.
 * Users    cell_tree.c.
 * Source   Lauterbach et al., Fast BVH Construction on GPUs (2009), for building along a curve. */
#pragma once

#include "bvh/builder/base/refs.h"
#include "lib/base/arena.h"

/* A reference in the order of the curve. */
typedef struct sli_curve_item {
    uint32_t code; /* its place along the curve */
    uint32_t ref;
} sli_curve_item;

/* A cell is itself an sli_ref: its box is that of its references, prim is the first of its items,
 * and spare says how many it has. */
typedef struct sli_cells {
    sli_curve_item *items;
    sli_ref *cells;
    size_t count;
    sli_box centres; /* of the cells' boxes */
} sli_cells;

/* Arrays are the arena's.  refs->count is at least 1.  SL_OUT_OF_MEMORY, SL_CANCELLED. */
sl_result sli_cells_create(const sli_refs *refs, sli_arena *arena, const sli_phase *phase,
                           sli_cells *out);
