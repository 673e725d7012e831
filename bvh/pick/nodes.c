/* Children of nodes, eight at a time. */
#include "bvh/pick/nodes.h"

#include <math.h>

void sli_nodes_push_root(const sl_bvh *tree, sli_spot *stack, int *size)
{
    if (tree->root != SLI_REF_EMPTY) {
        stack[(*size)++] = (sli_spot){ .ref = tree->root };
    }
}

/* n . x over the nearer sides of all children: their least; or the largest. */
static inline void extremes(const sli_row_there *row, const sli_node_wide *node, bool largest,
                            double out[SLI_WIDTH])
{
    const double start = largest ? row->high : row->low;
    for (int child = 0; child < SLI_WIDTH; child++) {
        out[child] = start;
    }
    for (int axis = 0; axis < 3; axis++) {
        const double n = row->n[axis];
        const float *side = node->bounds[axis][(n < 0) != largest];
        for (int child = 0; child < SLI_WIDTH; child++) {
            out[child] += n * (double)side[child];
        }
    }
}

/* As in screen.c, of eight. */
static void distances(const sli_screen_at_there *at, const sli_node_wide *node,
                      double out[SLI_WIDTH])
{
    double low[2][SLI_WIDTH], high[2][SLI_WIDTH], w[SLI_WIDTH], near[SLI_WIDTH], far[SLI_WIDTH];
    extremes(&at->x, node, false, low[0]);
    extremes(&at->x, node, true, high[0]);
    extremes(&at->y, node, false, low[1]);
    extremes(&at->y, node, true, high[1]);
    extremes(&at->w, node, true, w);
    extremes(&at->near, node, true, near);
    extremes(&at->far, node, true, far);
    for (int child = 0; child < SLI_WIDTH; child++) {
        double square = 0;
        for (int i = 0; i < 2; i++) {
            const double gap = low[i][child] > 0    ? low[i][child]
                               : high[i][child] < 0 ? high[i][child]
                                                    : 0;
            square += gap * gap;
        }
        const double bound = square / (w[child] * w[child]) * (1 - 0x1p-40);
        const bool beside = w[child] <= 0 || near[child] < 0 || far[child] < 0;
        out[child] = beside ? INFINITY : bound > 0 ? bound : 0;
    }
}

static uint32_t children_left_in(const sl_bvh *tree, const sli_scene_ray *options,
                                 const sli_node_wide *node)
{
    uint32_t left_in = 0;
    const uint32_t *words = (options->flags & SL_USE_MASK) != 0
                                ? sli_child_masks_for(&tree->child_masks, options->mask)
                                : NULL;
    if (words != NULL) {
        const size_t line = (size_t)((const uint8_t *)node - tree->lines) / SLI_LINE;
        words += sli_child_mask_at((uint32_t)line);
    }
    for (uint32_t child = 0; child < SLI_WIDTH; child++) {
        const bool is_there = node->child[child] != SLI_REF_EMPTY &&
                              (words == NULL || (words[child] & options->mask) != 0);
        left_in |= (uint32_t)is_there << child;
    }
    return left_in;
}

/* Whether a is looked at before b. */
static inline bool comes_first(const sli_spot *a, const sli_spot *b, bool foremost)
{
    return foremost || a->distance2 == b->distance2 ? a->front < b->front
                                                    : a->distance2 < b->distance2;
}

void sli_nodes_push(const sl_bvh *tree, const sli_scene_ray *options,
                    const sli_screen_at_there *there, uint32_t ref, double limit2, bool foremost,
                    sli_spot *stack, int *size)
{
    const sli_node_wide *node = sli_tree_node(tree, ref);
    const uint32_t left_in = children_left_in(tree, options, node);
    const int first = *size;
    double distance2[SLI_WIDTH], front[SLI_WIDTH];
    distances(there, node, distance2);
    extremes(&there->near, node, false, front);
    for (uint32_t child = 0; child < SLI_WIDTH; child++) {
        if ((left_in >> child & 1) == 0 || distance2[child] > limit2) {
            continue;
        }
        const sli_spot spot = { .node = node,
                                .distance2 = distance2[child],
                                .front = front[child],
                                .ref = node->child[child],
                                .child = child };
        int at = (*size)++;
        for (; at > first && !comes_first(&spot, &stack[at - 1], foremost); at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = spot;
    }
}
