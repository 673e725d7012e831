/* The generic walk over a tree: depth first, the children of a node in the order that the visitor
 * wants, each triangle once (kernel/mailbox.h). */
#include "bvh/query/visit.h"

#include "bvh/kernel/mailbox.h"

typedef struct walk {
    const sl_bvh *tree;
    const sli_visitor *visitor;
    sl_stats *stats;
    sli_mailbox mailbox;
    int stack_size;
    struct place {
        uint32_t ref;
        bool sure;
        double distance;
    } stack[SLI_STACK];
} walk;

/* Written so that a NaN in the bounds leaves everything in. */
static bool beside(const sl_aabb *a, const sl_aabb *b)
{
    for (int axis = 0; axis < 3; axis++) {
        if (a->min[axis] > b->max[axis] || a->max[axis] < b->min[axis]) {
            return true;
        }
    }
    return false;
}

static sl_aabb child_box(const sli_node_wide *node, int child)
{
    sl_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = node->bounds[axis][0][child];
        box.max[axis] = node->bounds[axis][1][child];
    }
    return box;
}

/* Pushes a child below its siblings, which begin at first, that are wanted sooner: the top of the
 * stack is next. */
static void push(walk *w, int first, struct place child)
{
    int at = w->stack_size++;
    for (; at > first && w->stack[at - 1].distance < child.distance; at--) {
        w->stack[at] = w->stack[at - 1];
    }
    w->stack[at] = child;
}

static sli_interest ask_box(walk *w, const sl_aabb *box)
{
    const sli_visitor *v = w->visitor;
    w->stats->boxes++;
    return beside(box, &v->bounds) ? SLI_VISIT_NOT : v->box(v->context, box);
}

/* The children of a node that the visitor's mask leaves in. */
static uint32_t children_left_in(const walk *w, const sli_node_wide *node)
{
    const sli_kernel_selection *selection = &w->visitor->selection;
    uint32_t left_in = 0xFF;
    const uint32_t *words = (selection->flags & SL_USE_MASK) != 0
                                ? sli_child_masks_for(&w->tree->child_masks, selection->mask)
                                : NULL;
    if (words != NULL) {
        const size_t at = (size_t)((const uint8_t *)node - w->tree->lines) / SLI_LINE;
        words += sli_child_mask_at((uint32_t)at);
        for (int child = 0; child < SLI_WIDTH; child++) {
            left_in &= ~((uint32_t)((words[child] & selection->mask) == 0) << child);
        }
    }
    return left_in;
}

static void enter(walk *w, const sli_node_wide *node, bool sure)
{
    const sli_visitor *v = w->visitor;
    const uint32_t left_in = children_left_in(w, node);
    const int first = w->stack_size;
    w->stats->nodes++;
    for (int child = 0; child < SLI_WIDTH; child++) {
        if (node->child[child] == SLI_REF_EMPTY || (left_in >> child & 1) == 0) {
            continue;
        }
        struct place place = { .ref = node->child[child], .sure = sure };
        if (!sure) {
            const sl_aabb box = child_box(node, child);
            const sli_interest interest = ask_box(w, &box);
            if (interest == SLI_VISIT_NOT) {
                continue;
            }
            place.sure = interest == SLI_VISIT_ALL;
            place.distance = v->distance != NULL ? v->distance(v->context, &box) : 0;
        }
        push(w, first, place);
    }
}

static sl_triangle lane_triangle(const sli_tri_pack *pack, int lane)
{
    sl_triangle triangle;
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            triangle.v[corner][axis] = pack->axis[axis].vertex[corner][lane];
        }
    }
    return triangle;
}

/* All corners on the far side of one face of the bounds. */
static bool triangle_beside(const sl_triangle *t, const sl_aabb *bounds)
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

/* Whether the walk comes to a place: the question of kernel/mailbox.h. */
static bool reaches(void *context, const sl_bvh *tree, uint32_t place)
{
    walk *w = context;
    uint32_t ref = tree->root;
    sli_interest interest = SLI_VISIT_SOME;
    while (interest == SLI_VISIT_SOME && (ref & SLI_REF_LEAF) == 0) {
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const int child = sli_tree_towards(node, place / SLI_PACK);
        const sl_aabb box = child_box(node, child);
        interest = ask_box(w, &box);
        ref = node->child[child];
    }
    return interest != SLI_VISIT_NOT;
}

/* Hands out the triangles of a leaf; false when the visitor ends the walk. */
static bool show(walk *w, const sli_tri_pack *pack, bool sure)
{
    const sli_visitor *v = w->visitor;
    for (int lane = 0; lane < SLI_PACK; lane++) {
        const uint32_t prim = pack->prim[lane];
        if (prim == SL_NONE) {
            break;
        }
        w->stats->triangles++;
        if (!sli_selection_has(&v->selection, prim, pack->mask[lane])) {
            continue;
        }
        const sl_triangle triangle = lane_triangle(pack, lane);
        if (!sure && triangle_beside(&triangle, &v->bounds)) {
            w->stats->float_stage++;
            continue;
        }
        if (sli_pack_is_split(pack, lane) &&
            sli_mailbox_is_repeat(&w->mailbox, w->tree, pack, lane, reaches, w)) {
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
    walk w; /* its stack and mailbox are written before they are read */
    w.tree = tree;
    w.visitor = visitor;
    w.stats = stats;
    w.mailbox.count = 0;
    w.stack_size = 0;
    stats->rays++;
    if (tree->root != SLI_REF_EMPTY) {
        w.stack[0] = (struct place){ .ref = tree->root };
        w.stack_size = 1;
    }
    while (w.stack_size > 0) {
        sli_tri_pack room;
        const struct place next = w.stack[--w.stack_size];
        if ((next.ref & SLI_REF_LEAF) == 0) {
            enter(&w, sli_tree_node(tree, next.ref), next.sure);
        } else if (!show(&w, sli_tree_pack(tree, next.ref, &room), next.sure)) {
            return;
        }
    }
}
