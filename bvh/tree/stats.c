/* Fills sl_bvh_info, for builders. */
#include "bvh/tree/tree.h"
#include "lib/base/fpenv.h"
#include "lib/base/thread/slices.h"

/* The chance that a line through the tree's bounds also meets a box in them.  Where the bounds have
 * no area every box counts as met. */
static double stats_chance(double area, double bounds_area)
{
    return bounds_area > 0 ? area / bounds_area : 1.0;
}

typedef struct visit {
    uint32_t ref;
    uint32_t depth;
} visit;

SLI_NOINLINE static void measure_nodes(const sl_bvh *tree, sl_bvh_info *info, sli_slices *slices)
{
    const double bounds_area = sli_half_area(tree->bounds.min, tree->bounds.max);
    visit stack[SLI_STACK];
    int top = 0;
    stack[top++] = (visit){ tree->root, 1 };
    info->sah_cost = SLI_COST_NODE;
    while (top > 0) {
        const visit at = stack[--top];
        const sli_node_wide *node = sli_tree_node(tree, at.ref);
        sli_slices_pause_at(slices, info->node_count, 128);
        info->node_count++;
        if (at.depth > info->depth) {
            info->depth = at.depth;
        }
        for (uint32_t k = 0; k < SLI_WIDTH; k++) {
            const uint32_t child = node->child[k];
            if (child == SLI_REF_EMPTY) {
                continue;
            }
            const sl_aabb box = sli_child_box(node, k);
            const double share = stats_chance(sli_half_area(box.min, box.max), bounds_area);
            info->child_count++;
            if ((child & SLI_REF_LEAF) != 0) {
                const size_t lanes = sli_lane_count(sli_tree_ids(tree, child));
                info->leaf_count++;
                info->leaf_histogram[lanes]++;
                info->reference_count += lanes;
                info->sah_cost += SLI_COST_LEAF * share;
            } else {
                info->sah_cost += SLI_COST_NODE * share;
                stack[top++] = (visit){ child, at.depth + 1 };
            }
        }
    }
}

void sli_tree_measure(sl_bvh *tree)
{
    sli_tree_measure_sliced(tree, NULL);
}

void sli_tree_measure_sliced(sl_bvh *tree, struct sli_slices *slices)
{
    sl_bvh_info info = { .quality = tree->info.quality, .kernel = tree->info.kernel };
    if (tree->root != SLI_REF_EMPTY) {
        SLI_DO_IN_FPENV(measure_nodes(tree, &info, slices));
    }
    info.triangle_count = tree->triangle_count;
    tree->info = info;
    sli_tree_measure_container(tree);
}

SLI_NOINLINE static double per_triangle(size_t bytes, uint64_t triangles)
{
    return triangles > 0 ? (double)bytes / (double)triangles : 0;
}

void sli_tree_measure_container(sl_bvh *tree)
{
    sl_bvh_info *info = &tree->info;
    info->prim_count = tree->prim_count;
    info->layout = sli_tree_layout(tree);
    info->bytes = sli_tree_bytes(tree);
    info->instance_count = 1;
    info->bytes_per_triangle = SLI_IN_FPENV(per_triangle(info->bytes, info->triangle_count));
}
