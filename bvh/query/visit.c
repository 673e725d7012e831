/* The generic walk over a tree: depth first, the children of a node in the order that the visitor
 * wants, each triangle once (kernel/mailbox.h). */
#include "bvh/query/visit.h"

#include "bvh/kernel/mailbox.h"

typedef struct visit_walk {
    const sl_bvh *tree;
    const sli_visitor *visitor;
    sl_stats *stats;
    sli_mailbox mailbox;
} visit_walk;

/* Written so that a NaN in the bounds leaves everything in. */
static bool boxes_are_apart(const sl_aabb *a, const sl_aabb *b)
{
    for (int axis = 0; axis < 3; axis++) {
        if (a->min[axis] > b->max[axis] || a->max[axis] < b->min[axis]) {
            return true;
        }
    }
    return false;
}

static sli_interest visit_box(visit_walk *w, const sl_aabb *box)
{
    const sli_visitor *v = w->visitor;
    w->stats->boxes++;
    return boxes_are_apart(box, &v->bounds) ? SLI_VISIT_NOT : v->box(v->context, box);
}

static int visit_children(void *context, const sli_spot *spot, const sli_node_wide *node,
                          sli_spot out[SLI_WIDTH])
{
    visit_walk *w = context;
    const sli_visitor *v = w->visitor;
    const uint32_t left_in = sli_children_left_in(w->tree, node, v->selection.mask);
    int count = 0;
    w->stats->nodes++;
    for (uint32_t child = 0; child < SLI_WIDTH; child++) {
        sli_spot *to = &out[count];
        if ((left_in >> child & 1) == 0) {
            continue;
        }
        *to = (sli_spot){ .ref = node->child[child], .is = SLI_VISIT_ALL };
        if (spot->is != SLI_VISIT_ALL) {
            const sl_aabb box = sli_child_box(node, child);
            to->is = (uint8_t)visit_box(w, &box);
            if (to->is == SLI_VISIT_NOT) {
                continue;
            }
            to->order[0] = v->distance != NULL ? v->distance(v->context, &box) : 0;
        }
        count++;
    }
    return count;
}

/* All corners on the far side of one face of the bounds. */
static bool triangle_is_beside(const sl_triangle *t, const sl_aabb *bounds)
{
    for (int axis = 0; axis < 3; axis++) {
        const float low = bounds->min[axis], high = bounds->max[axis];
        if ((t->v[0][axis] < low && t->v[1][axis] < low && t->v[2][axis] < low) ||
            (t->v[0][axis] > high && t->v[1][axis] > high && t->v[2][axis] > high)) {
            return true;
        }
    }
    return false;
}

/* Whether the walk comes to a slot: sli_reaches_fn of kernel/mailbox.h. */
static bool visit_reaches(void *context, const sl_bvh *tree, uint32_t slot)
{
    visit_walk *w = context;
    uint32_t ref = tree->root;
    sli_interest interest = SLI_VISIT_SOME;
    while (interest == SLI_VISIT_SOME && (ref & SLI_REF_LEAF) == 0) {
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const int child = sli_tree_towards(node, slot / SLI_PACK);
        const sl_aabb box = sli_child_box(node, (uint32_t)child);
        interest = visit_box(w, &box);
        ref = node->child[child];
    }
    return interest != SLI_VISIT_NOT;
}

/* Hands out the triangles of a leaf; false when the visitor ends the walk. */
static bool visit_leaf(void *context, const sli_spot *spot)
{
    visit_walk *w = context;
    const sli_visitor *v = w->visitor;
    const bool sure = spot->is == SLI_VISIT_ALL;
    sli_tri_pack pool;
    const sli_tri_pack *pack = sli_tree_pack(w->tree, spot->ref, &pool);
    for (int lane = 0; lane < SLI_PACK; lane++) {
        const uint32_t prim = pack->prim[lane];
        if (prim == SL_NONE) {
            break;
        }
        w->stats->triangles++;
        if (!sli_item_has(&v->selection, (sl_triangle_ref){ v->instance, prim },
                          pack->mask[lane])) {
            continue;
        }
        const sl_triangle triangle = sli_lane_triangle(pack, lane);
        if (!sure && triangle_is_beside(&triangle, &v->bounds)) {
            w->stats->float_stage++;
            continue;
        }
        if (sli_pack_is_split(pack, lane) &&
            sli_mailbox_is_repeat(&w->mailbox, w->tree, pack, lane, visit_reaches, w)) {
            continue;
        }
        if (!v->triangle(v->context, prim, &triangle, sure)) {
            return false;
        }
    }
    return true;
}

void sli_visit(const sl_bvh *tree, const sli_visitor *visitor, sl_stats *stats)
{
    static const sli_descent down = { .children = visit_children,
                                      .leaf = visit_leaf,
                                      .ordered = true };
    visit_walk w = { .tree = tree, .visitor = visitor, .stats = stats };
    stats->rays++;
    sli_descend(tree, (sli_spot){ .is = SLI_VISIT_SOME }, &down, &w);
}
