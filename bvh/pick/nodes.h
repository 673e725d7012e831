/* nodes.h: nodes of trees, of which a position of the picture decides: the children that may show
 * something near it.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/pick/screen.h"
#include "bvh/query/visit.h"

/* Where a spot's order has the square of a distance in pixels, nearer than which nothing in it
 * appears, and the least of the row SLI_ROW_NEAR in it. */
typedef enum sli_nodes_order {
    SLI_NODES_FOREMOST, /* front, then distance */
    SLI_NODES_NEAREST   /* distance, then front */
} sli_nodes_order;

/* The children of a node that may show something within a distance. */
int sli_nodes_near(const sl_bvh *tree, const sli_world_ray *options,
                   const sli_screen_at_local *local, const sli_node_wide *node, double limit2,
                   sli_nodes_order order, sli_spot out[SLI_WIDTH]);
