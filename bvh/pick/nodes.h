/* nodes.h: nodes of trees, of which a position of the picture decides: the children that may show
 * something near it.
 * Callers  hold the floating-point environment. */
#ifndef SLI_PICK_NODES_H
#define SLI_PICK_NODES_H

#include "bvh/kernel/scene/ray.h"
#include "bvh/pick/screen.h"

/* What is still to be looked at: a child of a node, or the root (node NULL). */
typedef struct sli_spot {
    const sli_node_wide *node;
    double distance2; /* nothing in it appears nearer, in pixels squared */
    double front;     /* the least of the row SLI_ROW_NEAR */
    uint32_t ref;
    uint32_t child;
} sli_spot;

static inline sl_aabb sli_spot_box(const sli_spot *spot)
{
    sl_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = spot->node->bounds[axis][0][spot->child];
        box.max[axis] = spot->node->bounds[axis][1][spot->child];
    }
    return box;
}

void sli_nodes_push_root(const sl_bvh *tree, sli_spot *stack, int *size);

/* Pushes the children of the node that may show something within a distance: the one to look at
 * next comes last.  That is the foremost, or else the nearest in the picture, and the foremost of
 * equals.  The stack has room for SLI_STACK. */
void sli_nodes_push(const sl_bvh *tree, const sli_scene_ray *options,
                    const sli_screen_at_there *there, uint32_t ref, double limit2, bool foremost,
                    sli_spot *stack, int *size);

#endif
