/* Fills sl_bvh_info, for builders. */
#include "bvh/tree/tree.h"
#include "lib/base/fpenv.h"
#include "lib/base/thread/slices.h"

/* Half the surface of a box, in double, where no float box overflows or underflows. */
static double half_area(const float min[3], const float max[3])
{
    const double x = (double)max[0] - (double)min[0];
    const double y = (double)max[1] - (double)min[1];
    const double z = (double)max[2] - (double)min[2];
    return x * y + y * z + z * x;
}

/* The chance that a line through the tree's bounds also meets a box in them.  Where the bounds have
 * no area every box counts as met. */
static double stats_chance(double area, double bounds_area)
{
    return bounds_area > 0 ? area / bounds_area : 1.0;
}

static size_t lanes_in_use(const uint32_t ids[SLI_PACK])
{
    size_t lanes = 0;
    while (lanes < SLI_PACK && ids[lanes] != SL_NONE) {
        lanes++;
    }
    return lanes;
}

typedef struct visit {
    uint32_t ref;
    uint32_t depth;
} visit;

SLI_NOINLINE static void measure_nodes(const sl_bvh *tree, sl_bvh_info *info, sli_slices *slices)
{
    const double bounds_area = half_area(tree->bounds.min, tree->bounds.max);
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
        for (int k = 0; k < SLI_WIDTH; k++) {
            const uint32_t child = node->child[k];
            if (child == SLI_REF_EMPTY) {
                continue;
            }
            float min[3], max[3];
            for (int axis = 0; axis < 3; axis++) {
                min[axis] = node->bounds[axis][0][k];
                max[axis] = node->bounds[axis][1][k];
            }
            const double share = stats_chance(half_area(min, max), bounds_area);
            info->child_count++;
            if ((child & SLI_REF_LEAF) != 0) {
                const size_t lanes = lanes_in_use(sli_tree_ids(tree, child));
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
    const sli_fpenv env = sli_fpenv_enter();
    if (tree->root != SLI_REF_EMPTY) {
        measure_nodes(tree, &info, slices);
    }
    sli_fpenv_leave(env);
    info.triangle_count = tree->triangle_count;
    tree->info = info;
    sli_tree_measure_container(tree);
}

SLI_NOINLINE static double per_triangle(size_t bytes, size_t triangles)
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
    const sli_fpenv env = sli_fpenv_enter();
    info->bytes_per_triangle = per_triangle(info->bytes, info->triangle_count);
    sli_fpenv_leave(env);
}
