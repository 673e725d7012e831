/* walk/parts.h: a walk down two worlds, cut into parts that may be walked at once: pairs of
 * places in the top trees, or in those of two instances. */
#pragma once

#include "bvh/contact/walk/dual.h"
#include "bvh/contact/walk/walk.h"

enum { SLI_WALK_PARTS = 4 * SLI_DUAL_SPLIT };

typedef struct sli_walk_part {
    uint32_t instance[2]; /* SL_NONE: in the top trees */
    sli_node_pair from;
} sli_walk_part;

/* How many parts there are; each pair that the walk hands out is in one of them. */
size_t sli_walk_cut(sli_walk *walk, const sli_world *a, const sli_world *b,
                    sli_walk_part parts[SLI_WALK_PARTS]);
bool sli_walk_part_of(sli_walk *walk, const sli_world *a, const sli_world *b,
                      const sli_walk_part *part);

/* As sli_walk_instances, from a pair of places on. */
bool sli_walk_instances_from(sli_walk *walk, const sli_transformed *a, uint32_t number_a,
                             const sli_transformed *b, uint32_t number_b,
                             const sli_node_pair *from);

/* The trees of two instances, as the walk goes down them; tell: masks, order and margin. */
void sli_walk_dual(const sli_walk *walk, const sli_transformed *a, const sli_transformed *b,
                   sli_dual *out);
void sli_walk_tell(const sli_walk *walk, sli_dual *dual);
