/* Children of nodes, eight at a time. */
#include "bvh/pick/nodes.h"

/* n . x over the nearer sides of all children: their least; or the largest. */
static inline void node_extremes(const sli_row_local *row, const sli_node_wide *node, bool largest,
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
static void node_distances(const sli_screen_at_local *at, const sli_node_wide *node,
                           double out[SLI_WIDTH])
{
    double low[2][SLI_WIDTH], high[2][SLI_WIDTH], w[SLI_WIDTH], near[SLI_WIDTH], far[SLI_WIDTH];
    node_extremes(&at->x, node, false, low[0]);
    node_extremes(&at->x, node, true, high[0]);
    node_extremes(&at->y, node, false, low[1]);
    node_extremes(&at->y, node, true, high[1]);
    node_extremes(&at->w, node, true, w);
    node_extremes(&at->near, node, true, near);
    node_extremes(&at->far, node, true, far);
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

int sli_nodes_near(const sl_bvh *tree, const sli_world_ray *options,
                   const sli_screen_at_local *local, const sli_node_wide *node, double limit2,
                   sli_nodes_order order, sli_spot out[SLI_WIDTH])
{
    const uint32_t left_in = sli_children_left_in(tree, node, options->item.mask);
    int count = 0;
    double distance2[SLI_WIDTH], front[SLI_WIDTH];
    node_distances(local, node, distance2);
    node_extremes(&local->near, node, false, front);
    for (uint32_t child = 0; child < SLI_WIDTH; child++) {
        if ((left_in >> child & 1) != 0 && !(distance2[child] > limit2)) {
            out[count] = (sli_spot){ .node = node, .ref = node->child[child], .child = child };
            out[count].order[order] = front[child];
            out[count++].order[!order] = distance2[child];
        }
    }
    return count;
}
