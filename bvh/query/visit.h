/* visit.h: the generic walk over a tree, for questions that have no kernel of their own (volume.c,
 * self_overlap.c): a question says which boxes interest it and takes the triangles in them.
 *
 * Contract  a question is two or three functions over a context of its own.  The caller holds the
 *           floating-point environment.  Nothing is allocated, nothing recurses; every triangle is
 *           handed out at most once, and never one that the options leave out. */
#ifndef SLI_QUERY_VISIT_H
#define SLI_QUERY_VISIT_H

#include "bvh/kernel/kernel.h"

typedef enum sli_interest {
    SLI_VISIT_NOT,  /* no triangle within this box matters */
    SLI_VISIT_SOME, /* look inside */
    SLI_VISIT_ALL   /* every triangle within it matters: neither boxes nor triangles need a test */
} sli_interest;

typedef struct sli_visitor {
    void *context;
    sl_aabb bounds; /* boxes and triangles beside it are never handed out; infinite: no limit */
    sli_kernel_selection selection;
    sli_interest (*box)(const void *context, const sl_aabb *box);
    /* The children of a node are visited in rising order of this; NULL: in any order. */
    double (*distance)(const void *context, const sl_aabb *box);
    /* sure: the triangle lies in a box that was SLI_VISIT_ALL.  False ends the walk. */
    bool (*triangle)(void *context, uint32_t prim, const sl_triangle *triangle, bool sure);
} sli_visitor;

/* Counts rays (one), nodes, boxes, triangles, and as float_stage the triangles beside the bounds.
 */
void sli_visit(const sl_bvh *tree, const sli_visitor *visitor, sl_stats *stats);

#endif
