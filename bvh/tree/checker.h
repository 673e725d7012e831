/* checker.h: what the files of the checker share. */
#ifndef SLI_TREE_CHECKER_H
#define SLI_TREE_CHECKER_H

#include "bvh/tree/tree.h"
#include "lib/base/error.h"

typedef struct sli_checker {
    const sl_bvh *tree;
    const sl_mesh *mesh; /* may be NULL */
    sl_error *error;
    uint8_t *claimed; /* one bit for each line: it belongs to something that was reached */
    size_t claimed_lines;
    size_t lane_count; /* lanes in use that were met */
    sl_aabb bounds;    /* of the vertices met */
    float reach;
} sli_checker;

#define SLI_FAULT(check, ...) (sli_fail_plain((check)->error, SL_BAD_DATA, __VA_ARGS__), false)

/* Of a compact tree: the array of vertices; and that a block names only those that are there, and
 * only prims of the mesh. */
bool sli_check_vertices(sli_checker *check);
bool sli_check_index(sli_checker *check, uint32_t ref);

/* Every lane that was met is a place of its triangle, and the boxes of a split one cover it.
 * For nodes and blocks that were found sound. */
bool sli_check_places(sli_checker *check);

#endif
