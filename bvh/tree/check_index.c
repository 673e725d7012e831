/* The checker's part for compact trees: vertices, and the blocks that number them. */
#include "bvh/tree/checker.h"

#include <string.h>

bool sli_check_vertices(sli_checker *check)
{
    const sl_bvh *tree = check->tree;
    static const float zeros[3];
    if (!sli_are_vertices(tree->vertex_floats)) {
        return SLI_FAULT(check, "%zu floats are no vertices with one to spare",
                         tree->vertex_floats);
    }
    return memcmp(tree->vertices, zeros, sizeof zeros) == 0 ||
           SLI_FAULT(check, "vertex 0 of the tree, which no triangle has, is not zero");
}

bool sli_check_index(sli_checker *check, uint32_t ref)
{
    const sl_bvh *tree = check->tree;
    const sli_tri_index *block = sli_tree_block(tree, ref);
    const size_t count = tree->vertex_floats / 3;
    for (int i = 0; i < 3 * SLI_PACK; i++) {
        const uint32_t id = block->id[i % SLI_PACK];
        const uint32_t vertex = block->vertex[i / SLI_PACK][i % SLI_PACK];
        if (id != SL_NONE && id >= tree->prim_count) {
            return SLI_FAULT(check, "the leaf at line %lu names triangle %lu of %lu",
                             (unsigned long)(ref & SLI_REF_LINE), (unsigned long)id,
                             (unsigned long)tree->prim_count);
        }
        if (vertex >= count || (vertex == 0) != (id == SL_NONE)) {
            return SLI_FAULT(check, "the leaf at line %lu names vertex %lu of %zu in lane %d",
                             (unsigned long)(ref & SLI_REF_LINE), (unsigned long)vertex, count,
                             i % SLI_PACK);
        }
    }
    return true;
}
