/* wide/node_order.h: the octant orders of a wide node (node_wide.h), for builds and refits. */
#ifndef SLI_WIDE_NODE_ORDER_H
#define SLI_WIDE_NODE_ORDER_H

#include "bvh/tree/node_wide.h"

/* From its finished children and their boxes. */
void sli_node_order(sli_node_wide *node);

#endif
