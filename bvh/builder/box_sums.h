/* builder/box_sums.h: what the figures of a tree over boxes are sums of, for the files that write
 * its nodes: over_boxes.c, box_group.c and box_tree.c. */
#pragma once

#include "bvh/builder/base/refs.h"
#include "bvh/tree/instances.h"

/* Over the children of nodes: the half surfaces of inner ones, those of blocks, and the logarithms
 * of both. */
typedef struct sli_box_sums {
    double node_area, leaf_area, logs;
} sli_box_sums;

/* log2 of a number that is not negative, to a tenth, by its bits. */
static inline double sli_box_log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (double)bits * 0x1p-52 - 1023;
}

static inline void sli_box_sums_add(sli_box_sums *sums, double area, bool is_leaf)
{
    sums->node_area += is_leaf ? 0 : area;
    sums->leaf_area += is_leaf ? area : 0;
    sums->logs += sli_box_log(area);
}

static inline void sli_box_sums_join(sli_box_sums *sums, const sli_box_sums *other)
{
    sums->node_area += other->node_area;
    sums->leaf_area += other->leaf_area;
    sums->logs += other->logs;
}

/* Sets the bounds of a tree whose children are counted, and its cost; returns how good it is. */
sli_boxes_drift sli_box_sums_complete(sl_bvh *tree, const sli_box *bounds,
                                      const sli_box_sums *sums);
