/* refit/blocks.h: the blocks, boxes and orders of a tree's pieces follow the caller's arrays. */
#pragma once

#include "bvh/builder/refit/moved.h"
#include "lib/geom/intersect/selection.h"

typedef struct sli_update {
    sl_bvh *tree;           /* with pieces; scratch.changed where moved->dirty is not NULL */
    const sli_moved *moved; /* checked */
    bool positions;         /* they move; else only masks change */
    bool new_masks;         /* else they stay */
    const uint32_t *masks;  /* NULL: all bits */
    float rebuild_share; /* of its lines, that may be built anew; above 0: with scratch.dealing */
} sli_update;

static inline uint32_t sli_new_mask(const sli_update *update, uint32_t prim)
{
    return update->masks != NULL ? sli_mask_of(update->masks[prim]) : UINT32_MAX;
}

/* Blocks, boxes and orders in pieces: of all triangles (whole.c), or where those of the dirty
 * ranges are (dirty.c), whose blocks are then marked in scratch.changed. */
void sli_update_whole(const sli_update *update, const sli_phase *phase);
void sli_update_dirty(const sli_update *update, const sli_phase *phase);

/* Only what the blocks of a tree that is not compact say of the triangles: positions and masks, as
 * far as they change. */
void sli_update_lanes(const sli_update *update, const sli_phase *phase);
