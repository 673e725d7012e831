/* transform.h: instances made ready eight at a time, for bvh/scene/transforms.c. */
#pragma once

#include "bvh/tree/tree.h"

/* Eight trees and transforms, without a grid; those that are too many repeat another.  Trees are
 * not empty. */
typedef struct sli_transform8 {
    const sl_bvh *tree[8];
    const sl_transform *transform[8];
    sli_transformed *transformed[8];
    uint32_t mask[8];
    double min[3][8], max[3][8]; /* boxes of the corners */
} sli_transform8;
