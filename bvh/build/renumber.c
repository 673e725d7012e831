#include "bvh/build/renumber.h"

#include "lib/base/error.h"
#include "lib/base/memory.h"

#include <string.h>

/* numbers: of each vertex of the mesh, those in the tree from 1 on; 0: none yet.  Returns the
 * vertices so far. */
static uint32_t renumber_block(sli_tri_index *block, uint32_t *numbers, uint32_t count)
{
    for (int lane = 0; lane < SLI_PACK && block->id[lane] != SL_NONE; lane++) {
        for (int corner = 0; corner < 3; corner++) {
            uint32_t *number = &numbers[block->vertex[corner][lane]];
            if (*number == 0) {
                *number = ++count;
            }
            block->vertex[corner][lane] = *number;
        }
    }
    return count;
}

/* In the order of the lines. */
static uint32_t renumber_blocks(sl_bvh *tree, uint32_t *numbers)
{
    uint32_t count = 0;
    for (size_t line = SLI_HEADER_LINES; line < tree->line_count;) {
        const sli_node_wide *node = sli_tree_node(tree, (uint32_t)line);
        line += SLI_NODE_LINES;
        for (int child = 0; child < SLI_WIDTH; child++) {
            if ((node->child[child] & (SLI_REF_LEAF | SLI_REF_KIND)) == SLI_REF_LEAF) {
                void *block = tree->lines + line * SLI_LINE;
                count = renumber_block(block, numbers, count);
                line += SLI_INDEX_LINES;
            }
        }
    }
    return count;
}

/* Number 0 and the float to spare are zero. */
static bool copy_vertices(sl_bvh *tree, const sl_mesh *mesh, const uint32_t *numbers,
                          uint32_t count)
{
    const float *xyz = sl_mesh_positions(mesh);
    const size_t mesh_count = sl_mesh_vertex_count(mesh);
    const size_t floats = 3 * ((size_t)count + 1) + 1;
    tree->vertices = sli_alloc_large(&tree->allocator, floats, sizeof *tree->vertices);
    if (tree->vertices == NULL) {
        return false;
    }
    tree->vertex_floats = floats;
    memset(tree->vertices, 0, 3 * sizeof *xyz);
    memset(tree->vertices + floats - 1, 0, sizeof *xyz);
    for (size_t i = 0; i < mesh_count; i++) {
        if (numbers[i] != 0) {
            memcpy(tree->vertices + 3 * (size_t)numbers[i], xyz + 3 * i, 3 * sizeof *xyz);
        }
    }
    return true;
}

static bool copy_masks(sl_bvh *tree, const uint32_t *masks)
{
    if (masks == NULL || tree->prim_count == 0) {
        return true;
    }
    tree->masks = sli_alloc_array(&tree->allocator, tree->prim_count, sizeof *masks);
    if (tree->masks == NULL) {
        return false;
    }
    memcpy(tree->masks, masks, tree->prim_count * sizeof *masks);
    return true;
}

sl_result sli_renumber(sl_bvh *tree, const sl_mesh *mesh, const uint32_t *masks,
                       const sli_stage *stage)
{
    const size_t mesh_count = sl_mesh_vertex_count(mesh);
    uint32_t *numbers = sli_alloc_array(&tree->allocator, mesh_count, sizeof *numbers);
    if (numbers == NULL) {
        return sli_fail_memory(stage->error);
    }
    memset(numbers, 0, mesh_count * sizeof *numbers);
    const uint32_t count = renumber_blocks(tree, numbers);
    const bool done = copy_vertices(tree, mesh, numbers, count) && copy_masks(tree, masks);
    sli_free_array(&tree->allocator, numbers, mesh_count, sizeof *numbers);
    return done ? SL_OK : sli_fail_memory(stage->error);
}
