/* wide/node_order.h: the octant orders of a wide node (node_wide.h), for builds and refits. */
#pragma once

#include "bvh/tree/node_wide.h"

/* From its finished children and their boxes. */
void sli_node_order(sli_node_wide *node);
