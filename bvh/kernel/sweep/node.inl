/* A shape that moves down a tree: the boxes of a node, eight at a time.  For the first contact and
 * any; all contacts take the walk of rays (plain/box.inl), whose steps mailboxes repeat. */
#pragma once

#include "bvh/kernel/sweep/space.inl"

/* What is left to visit of a tree. */
typedef struct sweep_stack {
    int size;
    uint32_t ref[SLI_STACK];
    float near[SLI_STACK];
} sweep_stack;

/* Of each box, from where the middle is at t'', by the way to its nearest point. */
static SLI_FORCE_INLINE sweep_gap sweep_gap_to_boxes(const sweep_space *s, bool ball,
                                                     const sli_node_wide *node, f8 t)
{
    const f8 zero = f8_splat(0);
    f8 to[3];
    for (int axis = 0; axis < 3; axis++) {
        const f8 at = f8_splat(s->at[axis]), dir = f8_splat(s->dir[axis]);
        const f8 low = f8_nmuladd(t, dir, f8_sub(f8_load(node->bounds[axis][0]), at));
        const f8 high = f8_nmuladd(t, dir, f8_sub(f8_load(node->bounds[axis][1]), at));
        to[axis] = f8_add(f8_max(low, zero), f8_min(high, zero));
    }
    const v8 way = { to[0], to[1], to[2] };
    const f8 square = v8_dot(way, way), length = f8_sqrt(square);
    const f8 extent = ball ? f8_mul(f8_splat(s->radius), length) : sweep_extent(s, way, length);
    return sweep_gap_of(s, way, f8_sub(square, extent));
}

/* Prefetches what is visited after the top of the stack, of what lies from `before` on. */
static SLI_FORCE_INLINE void sweep_prefetch(const sl_bvh *tree, const sweep_stack *stack,
                                            int before)
{
    enum { AHEAD = 3 };
    for (int i = stack->size - 2; i >= before && i > stack->size - 2 - AHEAD; i--) {
        prefetch_lines(line_at((const char *)tree->lines, stack->ref[i]), 0, SLI_NODE_LINES);
    }
}

/* Pushes the children that the shape may come to; found: the bound is that of a contact.  ball is
 * a constant wherever a function takes it. */
static SLI_FORCE_INLINE void sweep_push(const walk *w, const sweep_space *space, bool ball,
                                        const sl_bvh *tree, const sli_node_wide *node,
                                        uint32_t left_in, bool found, sweep_stack *stack)
{
    const f8 less = f8_splat(1 - SLAB_ERROR_SHARE), more = f8_splat(1 + SLAB_ERROR_SHARE);
    const f8 tiny = f8_splat(SLAB_TINY);
    f8 entry = f8_splat(-INFINITY), leave = f8_splat(INFINITY);
    for (int axis = 0; axis < 3; axis++) {
        const f8 first = f8_load(node->bounds[axis][w->near_side[axis]]);
        const f8 last = f8_load(node->bounds[axis][1 - w->near_side[axis]]);
        const f8 inverse = f8_splat(w->inverse[axis]);
        const f8 in = f8_mul(f8_sub(first, f8_splat(w->near_base[axis])), inverse);
        const f8 out = f8_mul(f8_sub(last, f8_splat(w->far_base[axis])), inverse);
        entry = f8_max(in, entry);
        leave = f8_min(out, leave);
    }
    /* Unused children keep their infinities. */
    entry = f8_min(f8_mul(entry, less), f8_mul(entry, more));
    leave = f8_max(f8_mul(leave, less), f8_mul(leave, more));
    const f8 bound = f8_splat(w->bound);
    f8 from = f8_max(f8_sub(entry, tiny), f8_splat(w->tmin));
    const f8 to = f8_min(f8_add(leave, tiny), bound);
    uint32_t met = f8_bits_le(from, to) & left_in;
    if (met == 0) {
        return;
    }
    /* Ahead, which gives the order, until there is a contact; then back from that. */
    if (found) {
        const sweep_gap back = sweep_gap_to_boxes(space, ball, node, bound);
        met &= ~sweep_apart_before(&back);
    } else {
        const sweep_gap ahead = sweep_gap_to_boxes(space, ball, node, from);
        from = sweep_advance(&ahead, from);
        met &= f8_bits_le(from, to);
    }
    const int before = stack->size;
    stack->size +=
        (int)simd_push(&stack->ref[stack->size], &stack->near[stack->size], node->child,
                       node->order, w->octant_shift, from, f8_where(met, to, f8_splat(-INFINITY)));
    /* Octants know the centres of boxes only: the shape may come to them in another order. */
    for (int i = before + 1; i < stack->size && !found; i++) {
        const uint32_t ref = stack->ref[i];
        const float near = stack->near[i];
        int at = i;
        for (; at > before && stack->near[at - 1] < near; at--) {
            stack->ref[at] = stack->ref[at - 1];
            stack->near[at] = stack->near[at - 1];
        }
        stack->ref[at] = ref;
        stack->near[at] = near;
    }
    sweep_prefetch(tree, stack, before);
}

/* The next leaf on the way, or SLI_REF_EMPTY when there is none. */
static SLI_FORCE_INLINE uint32_t sweep_next_leaf(walk *w, const sweep_space *space, bool ball,
                                                 const sl_bvh *tree, bool found, sweep_stack *stack)
{
    const uint32_t mask = w->ray->selection.mask;
    const uint32_t *words = child_masks_of(tree, mask);
    while (stack->size > 0) {
        const uint32_t ref = stack->ref[--stack->size];
        if (stack->near[stack->size] > w->bound) {
            continue;
        }
        if ((ref & SLI_REF_LEAF) != 0) {
            return ref;
        }
        const sli_node_wide *node = sli_tree_node(tree, ref);
        w->stats.nodes++;
        w->stats.boxes += SLI_WIDTH;
        sweep_push(w, space, ball, tree, node, child_masks_bits(words, tree, node, mask), found,
                   stack);
    }
    return SLI_REF_EMPTY;
}
