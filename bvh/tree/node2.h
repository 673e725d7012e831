/* node2.h: the binary node: the builders' language.  Queries never see it.
 *
 *   offset size field
 *        0   12 min[3]
 *       12    4 first   leaf: first reference of its range; inner: index of the left child, the
 *                       right one is at first + 1
 *       16   12 max[3]
 *       28    4 count   leaf: references, >= 1; inner: 0
 */
#ifndef SLI_TREE_NODE2_H
#define SLI_TREE_NODE2_H

#include <stdint.h>

typedef struct sli_node2 {
    float min[3];
    uint32_t first;
    float max[3];
    uint32_t count;
} sli_node2;

#endif
