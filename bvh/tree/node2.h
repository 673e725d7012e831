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

#include <stdint.h>

typedef struct sli_node2 {
    float min[3];
    uint32_t first;
    float max[3];
    uint32_t count;
} sli_node2;

/* Half the surface of its box, in double, where no float box overflows or underflows. */
static inline double sli_node2_half_area(const sli_node2 *node)
{
    const double x = (double)node->max[0] - (double)node->min[0];
    const double y = (double)node->max[1] - (double)node->min[1];
    const double z = (double)node->max[2] - (double)node->min[2];
    return x * y + y * z + z * x;
}
