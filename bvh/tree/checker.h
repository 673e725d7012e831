/* checker.h: shared by the files of the checker: check.c, check_index.c, check_slots.c. */
#pragma once

#include "bvh/tree/tree.h"
#include "lib/base/error.h"

typedef struct sli_checker {
    const sl_bvh *tree;
    const sl_mesh *mesh; /* may be NULL */
    sl_error *error;
    uint8_t *claimed; /* a bit for each line: it belongs to a node or block that was reached */
    size_t claimed_lines;
    size_t lane_count; /* lanes in use, over all blocks */
    sl_aabb bounds;    /* of all vertices in blocks */
    float reach;
} sli_checker;

#define SLI_FAULT(check, ...) (sli_fail_plain((check)->error, SL_BAD_DATA, __VA_ARGS__), false)

/* Of a compact tree: the array of vertices; and that a block names only vertices that exist, and
 * only prims of the mesh. */
bool sli_check_vertices(sli_checker *check);
bool sli_check_index(sli_checker *check, uint32_t ref);

/* Every lane in use is a slot of its triangle, and the boxes of a split triangle cover it.  To be
 * called once nodes and blocks were found sound. */
bool sli_check_slots(sli_checker *check);
