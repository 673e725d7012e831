/* node2.h: the binary node, which only builders use.
 *
 *   offset size field
 *        0   12 min[3]
 *       12    4 first   leaf: first reference of its range; inner: index of the left child, the
 *                       right one is at first + 1
 *       16   12 max[3]
 *       28    4 count   leaf: references, >= 1; inner: 0
 */
#pragma once

#include "bvh/tree/node_wide.h"

typedef struct sli_node2 {
    float min[3];
    uint32_t first;
    float max[3];
    uint32_t count;
} sli_node2;

static inline double sli_node2_half_area(const sli_node2 *node)
{
    return sli_half_area(node->min, node->max);
}
