/* Makes and destroys containers, for builders and bvh/store, and answers what needs no kernel. */
#include "bvh/tree/tree.h"

#include "lib/base/memory.h"

#include <math.h>
#include <string.h>

/* The block at line 0, which SLI_REF_EMPTY points at: without triangles, in either layout. */
static void write_empty_leaf(sl_bvh *tree)
{
    sli_tri_pack empty = { 0 };
    for (int lane = 0; lane < SLI_PACK; lane++) {
        empty.prim[lane] = SL_NONE;
    }
    memcpy(tree->lines, &empty, sizeof empty);
}

/* The container without lines and slots. */
static sl_bvh *make_container(const sl_allocator *allocator, size_t line_count, size_t prim_count)
{
    if (line_count < SLI_HEADER_LINES || line_count > SLI_MAX_LINES ||
        line_count > SIZE_MAX / SLI_LINE) {
        return NULL;
    }
    sl_bvh *tree = sli_alloc_array(allocator, 1, sizeof *tree);
    if (tree == NULL) {
        return NULL;
    }
    *tree = (sl_bvh){ .allocator = *allocator,
                      .line_count = line_count,
                      .root = SLI_REF_EMPTY,
                      .prim_count = (uint32_t)prim_count,
                      .kernels = sli_kernels_select() };
    tree->info.kernel = sli_kernels_name(tree->kernels);
    tree->bounds = sl_aabb_empty();
    sli_child_masks_clear(&tree->child_masks);
    if (!sli_lineage_found(&tree->lineage, allocator)) {
        sli_free_array(allocator, tree, 1, sizeof *tree);
        return NULL;
    }
    return tree;
}

sl_bvh *sli_tree_create(const sl_allocator *allocator, size_t line_count, size_t prim_count)
{
    sl_bvh *tree = sli_tree_create_unfilled(allocator, line_count, prim_count);
    if (tree != NULL && prim_count > 0) {
        memset(tree->slots, 0xFF, prim_count * sizeof *tree->slots);
    }
    return tree;
}

sl_bvh *sli_tree_create_unfilled(const sl_allocator *allocator, size_t line_count,
                                 size_t prim_count)
{
    sl_bvh *tree = make_container(allocator, line_count, prim_count);
    if (tree == NULL) {
        return NULL;
    }
    tree->lines = sli_alloc_large(allocator, line_count, SLI_LINE);
    if (prim_count > 0) {
        tree->slots = sli_alloc_large(allocator, prim_count, sizeof *tree->slots);
    }
    if (tree->lines == NULL || (prim_count > 0 && tree->slots == NULL)) {
        sli_tree_destroy(tree);
        return NULL;
    }
    memset(tree->lines, 0, SLI_HEADER_LINES * SLI_LINE);
    write_empty_leaf(tree);
    return tree;
}

sl_bvh *sli_tree_borrow(const sl_allocator *allocator, const sli_tree_parts *parts)
{
    sl_bvh *tree = make_container(allocator, parts->line_count, parts->prim_count);
    if (tree != NULL) {
        tree->borrowed = true;
        tree->lines = (uint8_t *)(uintptr_t)parts->lines;
        tree->slots = parts->prim_count > 0 ? (uint32_t *)(uintptr_t)parts->slots : NULL;
        tree->vertices = (float *)(uintptr_t)parts->vertices;
        tree->vertex_floats = parts->vertex_floats;
        tree->masks = (uint32_t *)(uintptr_t)parts->masks;
    }
    return tree;
}

/* A copy of count items, NULL where there is no array to copy; false when out of memory. */
static bool copy_array(const sl_allocator *allocator, const void *from, size_t count, void **to)
{
    enum { ITEM = sizeof(uint32_t) };
    *to = from != NULL ? sli_alloc_large(allocator, count, ITEM) : NULL;
    if (*to != NULL) {
        memcpy(*to, from, count * ITEM);
    }
    return from == NULL || *to != NULL;
}

sl_bvh *sli_tree_copy(const sl_allocator *allocator, const sli_tree_parts *parts)
{
    sl_bvh *tree = sli_tree_create(allocator, parts->line_count, parts->prim_count);
    void *vertices = NULL, *masks = NULL;
    if (tree == NULL) {
        return NULL;
    }
    memcpy(tree->lines, parts->lines, parts->line_count * SLI_LINE);
    if (parts->prim_count > 0) {
        memcpy(tree->slots, parts->slots, parts->prim_count * sizeof *tree->slots);
    }
    const bool copied = copy_array(allocator, parts->vertices, parts->vertex_floats, &vertices) &&
                        copy_array(allocator, parts->masks, parts->prim_count, &masks);
    tree->vertices = vertices;
    tree->vertex_floats = vertices != NULL ? parts->vertex_floats : 0;
    tree->masks = masks;
    if (!copied) {
        sli_tree_destroy(tree);
        return NULL;
    }
    return tree;
}

void sli_tree_destroy(sl_bvh *tree)
{
    if (tree == NULL) {
        return;
    }
    const sl_allocator allocator = tree->allocator;
    if (!tree->borrowed) {
        sli_free(&allocator, tree->lines, tree->line_count * SLI_LINE);
        sli_free_array(&allocator, tree->slots, tree->prim_count, sizeof *tree->slots);
        sli_free_array(&allocator, tree->vertices, tree->vertex_floats, sizeof *tree->vertices);
        sli_free_array(&allocator, tree->masks, tree->prim_count, sizeof *tree->masks);
    }
    sli_free_array(&allocator, tree->child_masks.words, tree->child_masks.capacity,
                   sizeof *tree->child_masks.words);
    sli_refit_scratch_free(&tree->scratch, &allocator);
    sli_own_world_free(tree);
    sli_lineage_leave(&tree->lineage);
    sli_file_close(&tree->file);
    sli_free_array(&allocator, tree, 1, sizeof *tree);
}

void sli_tree_set_bounds(sl_bvh *tree, const float min[3], const float max[3])
{
    tree->reach = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float farthest = -min[axis] > max[axis] ? -min[axis] : max[axis];
        tree->bounds.min[axis] = min[axis];
        tree->bounds.max[axis] = max[axis];
        tree->reach = farthest > tree->reach ? farthest : tree->reach;
    }
}

size_t sli_tree_bytes(const sl_bvh *tree)
{
    const size_t masks = tree->masks != NULL ? tree->prim_count : 0;
    return sizeof *tree + sizeof *tree->lineage.family + sli_refit_scratch_bytes(&tree->scratch) +
           sli_own_world_bytes(tree) + tree->line_count * SLI_LINE +
           (tree->prim_count + masks + tree->child_masks.capacity) * sizeof(uint32_t) +
           tree->vertex_floats * sizeof *tree->vertices;
}

bool sli_tree_triangle(const sl_bvh *tree, uint32_t prim, sl_triangle *out)
{
    if (prim >= tree->prim_count || tree->slots[prim] == SL_NONE) {
        return false;
    }
    const uint32_t slot = tree->slots[prim];
    sli_tri_pack buffer;
    const sli_tri_pack *pack = sli_tree_pack(tree, slot / SLI_PACK, &buffer);
    sli_pack_corners(pack, (int)(slot % SLI_PACK), out->v);
    return true;
}
