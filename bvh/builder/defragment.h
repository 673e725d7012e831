/* builder/defragment.h: closes the gaps between clusters of binary nodes.
 *
 * A builder that works in parallel gives each worker as many nodes as its subtree may need at most.
 * Without the unused ones what follows needs less memory, and less of it at a time.  Nodes keep
 * their order; references to them are adjusted.
 * Users    topdown.c. */
#pragma once

#include "bvh/builder/base/phase.h"
#include "bvh/tree/node2.h"

/* A subtree whose pairs of nodes (pair k: nodes 1 + 2 k and 2 + 2 k) begin with pair `first`: of
 * `owned` >= 1 pairs the first `used` are in use.  Only the parent of its root leads there. */
typedef struct sli_cluster {
    uint32_t first, owned, used;
} sli_cluster;

/* *nodes, an array of the allocator's of which all but the rest of each cluster is in use, is
 * replaced by one without gaps.  A pair outside of clusters stands before one of them.
 * SL_OUT_OF_MEMORY: nothing has changed. */
sl_result sli_defragment(const sli_cluster *clusters, size_t cluster_count,
                         const sl_allocator *allocator, const sli_phase *phase, sli_node2 **nodes,
                         size_t *node_count);
