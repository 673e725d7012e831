/* The bounds and the cost of a tree over boxes, from the sums over its nodes: box_sums.h. */
#include "bvh/builder/box_sums.h"

sli_boxes_drift sli_box_sums_complete(sl_bvh *tree, const sli_box *bounds, const sli_box_sums *sums)
{
    sl_bvh_info *info = &tree->info;
    sli_tree_set_bounds(tree, (const float *)&bounds->min, (const float *)&bounds->max);
    const double area = sli_box_area(bounds);
    const size_t inner = info->child_count - info->leaf_count;
    info->sah_cost =
        SLI_COST_NODE +
        (area > 0 ? (SLI_COST_NODE * sums->node_area + SLI_COST_LEAF * sums->leaf_area) / area
                  : SLI_COST_NODE * (double)inner + SLI_COST_LEAF * (double)info->leaf_count);
    tree->cost_error = info->sah_cost * 0x1p-40; /* summed in another order than measuring does */
    return (sli_boxes_drift){ info->sah_cost, sums->logs / (double)info->child_count };
}
