/* Renumbers the vertices of a compact tree, for widen.c. */
#include "bvh/builder/wide/vertex_order.h"

#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/geom/intersect/selection.h"

#include <string.h>

/* Vertices that are compared with a new one, by their hash. */
enum { RECENT = 8192 };

typedef struct renumbering {
    const float *xyz;        /* of the mesh */
    uint32_t *numbers;       /* the tree's number of each vertex of the mesh, from 1; 0: none yet */
    uint32_t count;          /* so far */
    uint32_t recent[RECENT]; /* vertices of the mesh that have a number, by slot_of */
} renumbering;

/* The slot of a vertex in recent: a multiplicative hash of its bits. */
static size_t slot_of(const float vertex[3])
{
    uint32_t bits[3];
    memcpy(bits, vertex, sizeof bits);
    const uint64_t mixed = (bits[0] * UINT64_C(0x9E3779B97F4A7C15)) ^
                           (bits[1] * UINT64_C(0xBF58476D1CE4E5B9)) ^
                           (bits[2] * UINT64_C(0x94D049BB133111EB));
    return (size_t)(mixed >> 32) % RECENT;
}

static uint32_t number_of(renumbering *all, uint32_t vertex)
{
    uint32_t *number = &all->numbers[vertex];
    if (*number != 0) {
        return *number;
    }
    const float *at = all->xyz + 3 * (size_t)vertex;
    uint32_t *last = &all->recent[slot_of(at)];
    const uint32_t other = all->numbers[*last];
    const bool same = other != 0 && memcmp(at, all->xyz + 3 * (size_t)*last, 3 * sizeof *at) == 0;
    *number = same ? other : ++all->count;
    *last = vertex;
    return *number;
}

static void renumber_block(renumbering *all, sli_tri_index *block)
{
    for (int lane = 0; lane < SLI_PACK && block->id[lane] != SL_NONE; lane++) {
        for (int corner = 0; corner < 3; corner++) {
            block->vertex[corner][lane] = number_of(all, block->vertex[corner][lane]);
        }
    }
}

/* In the order of the lines. */
static void renumber_blocks(sl_bvh *tree, renumbering *all, sli_slices *slices)
{
    size_t visits = 0;
    for (size_t line = SLI_HEADER_LINES; line < tree->line_count;) {
        const sli_node_wide *node = sli_tree_node(tree, (uint32_t)line);
        sli_slices_pause_at(slices, visits++, 32);
        line += SLI_NODE_LINES;
        for (int child = 0; child < SLI_WIDTH; child++) {
            if (sli_ref_is_block(node->child[child])) {
                renumber_block(all, sli_tree_at(tree, line));
                line += SLI_INDEX_LINES;
            }
        }
    }
}

/* Number 0 and the float to spare are zero. */
static bool copy_vertices(sl_bvh *tree, const renumbering *all, size_t mesh_count,
                          sli_slices *slices)
{
    const float *xyz = all->xyz;
    const size_t floats = 3 * ((size_t)all->count + 1) + 1;
    tree->vertices = sli_alloc_large(&tree->allocator, floats, sizeof *tree->vertices);
    if (tree->vertices == NULL) {
        return false;
    }
    tree->vertex_floats = floats;
    if (slices != NULL) { /* in order: else the first vertices would make all its pages at once */
        sli_slices_fill(slices, tree->vertices, 0, floats * sizeof *xyz);
    }
    memset(tree->vertices, 0, 3 * sizeof *xyz);
    memset(tree->vertices + floats - 1, 0, sizeof *xyz);
    for (size_t i = 0; i < mesh_count; i++) {
        sli_slices_pause_at(slices, i, 512);
        if (all->numbers[i] != 0) {
            memcpy(tree->vertices + 3 * (size_t)all->numbers[i], xyz + 3 * i, 3 * sizeof *xyz);
        }
    }
    return true;
}

static bool copy_masks(sl_bvh *tree, const uint32_t *masks, sli_slices *slices)
{
    if (masks == NULL || tree->prim_count == 0) {
        return true;
    }
    tree->masks = sli_alloc_array(&tree->allocator, tree->prim_count, sizeof *masks);
    if (tree->masks == NULL) {
        return false;
    }
    sli_slices_copy(slices, tree->masks, masks, tree->prim_count * sizeof *masks);
    for (size_t prim = 0; prim < tree->prim_count; prim++) {
        tree->masks[prim] = sli_mask_of(tree->masks[prim]);
    }
    return true;
}

sl_result sli_order_vertices(sl_bvh *tree, const sl_mesh *mesh, const uint32_t *masks,
                             const sli_phase *phase)
{
    const size_t mesh_count = sl_mesh_soup(mesh).vertex_count;
    bool done = false;
    renumbering *all = sli_alloc_array(&tree->allocator, 1, sizeof *all);
    uint32_t *numbers = sli_alloc_array(&tree->allocator, mesh_count, sizeof *numbers);
    if (all != NULL && numbers != NULL) {
        sli_slices_fill(phase->slices, numbers, 0, mesh_count * sizeof *numbers);
        memset(all, 0, sizeof *all);
        all->xyz = sl_mesh_soup(mesh).xyz;
        all->numbers = numbers;
        renumber_blocks(tree, all, phase->slices);
        done = copy_vertices(tree, all, mesh_count, phase->slices) &&
               copy_masks(tree, masks, phase->slices);
    }
    sli_free_array(&tree->allocator, numbers, mesh_count, sizeof *numbers);
    sli_free_array(&tree->allocator, all, 1, sizeof *all);
    return done ? SL_OK : sli_fail_memory(phase->error);
}
