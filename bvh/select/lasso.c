/* Polygons made ready. */
#include "bvh/select/lasso.h"

#include "lib/base/memory.h"

bool sli_lasso_prepare(const sl_allocator *allocator, const double *corners, size_t count,
                       const double grid[4], sli_lasso *out)
{
    return sli_lasso_sides_make(allocator, corners, count, out) &&
           sli_lasso_tree_make(allocator, count, grid, out) &&
           sli_lasso_grid_make(allocator, count, grid, out);
}

void sli_lasso_free(const sl_allocator *allocator, sli_lasso *lasso)
{
    sli_sides *all = &lasso->all;
    sli_lasso_tree *tree = &lasso->tree;
    sli_free_array(allocator, all->sides, all->capacity, sizeof *all->sides);
    sli_free_array(allocator, all->listed, all->listed_capacity, sizeof *all->listed);
    sli_free_array(allocator, lasso->scratch.sides, lasso->scratch.capacity,
                   sizeof *lasso->scratch.sides);
    sli_free_array(allocator, tree->nodes, tree->node_capacity, sizeof *tree->nodes);
    sli_free_array(allocator, tree->listed, tree->listed_capacity, sizeof *tree->listed);
    sli_free_array(allocator, lasso->listed, lasso->listed_capacity, sizeof *lasso->listed);
    sli_free_array(allocator, lasso->grid, lasso->grid != NULL, sizeof *lasso->grid);
}

size_t sli_lasso_bytes(const sli_lasso *lasso)
{
    const sli_lasso_tree *tree = &lasso->tree;
    const size_t numbers =
        lasso->all.listed_capacity + tree->listed_capacity + lasso->listed_capacity;
    return (lasso->all.capacity + lasso->scratch.capacity) * sizeof(sli_side) +
           numbers * sizeof(uint32_t) + tree->node_capacity * sizeof *tree->nodes +
           (lasso->grid != NULL ? sizeof *lasso->grid : 0);
}
