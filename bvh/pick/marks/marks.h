/* marks/marks.h: what a list of marks holds: copies of the marks, and a tree over their boxes, in
 * floats about a middle of theirs, with what is below each child of a node: the largest tolerance,
 * the highest priority and all bits of masks. */
#pragma once

#include "bvh/tree/tree.h"

#include <sightline/marks.h>

/* What is below the children of a node. */
typedef struct sli_mark_below {
    float tolerance[SLI_WIDTH];
    uint32_t mask[SLI_WIDTH];
    uint16_t priority[SLI_WIDTH];
} sli_mark_below;

struct sl_marks {
    sl_allocator allocator;
    sl_mark *at;
    size_t count;
    sl_bvh *tree; /* triangle i is the box of mark i: vertices 0 and 1 (bvh/tree/world.h) */
    sli_mark_below *below; /* of the node at line i: below[i / 4], as child masks are laid out */
    size_t below_count;
    double middle[3]; /* what boxes count from */
};

static inline const sli_mark_below *sli_marks_below(const sl_marks *marks,
                                                    const sli_node_wide *node)
{
    const size_t line = (size_t)((const uint8_t *)node - marks->tree->lines) / SLI_LINE;
    return &marks->below[line / SLI_NODE_LINES];
}

static inline bool sli_mark_is_point(const sl_mark *mark)
{
    return mark->p[0] == mark->q[0] && mark->p[1] == mark->q[1] && mark->p[2] == mark->q[2];
}
