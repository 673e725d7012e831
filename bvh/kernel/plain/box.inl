/* Reference kernel, a ray against the children of a node: which of them it meets, and from which t'
 * on.  Conservative.  For all traversals of plain/.  Slabs: Kay and Kajiya, "Ray Tracing
 * Complex Scenes" (1986). */
#pragma once

#include "bvh/kernel/filter/child_masks.inl"
#include "bvh/kernel/plain/ray.inl"

/* Slabs in floats.  Each side errs relative to its distance from the base (Ize, "Robust BVH Ray
 * Traversal", 2013), here in both directions along the ray, so both limits go outward.  Unused
 * children are inverted boxes, which no ray meets. */
static uint32_t meet_boxes_float(const walk *w, const sli_node_wide *node, float near[SLI_WIDTH])
{
    const f8 slack = f8_splat(SLAB_ERROR_SHARE), tiny = f8_splat(SLAB_TINY);
    f8 entry = f8_splat(-INFINITY), leave = f8_splat(INFINITY);
    for (int axis = 0; axis < 3; axis++) {
        const f8 first = f8_load(node->bounds[axis][w->near_side[axis]]);
        const f8 last = f8_load(node->bounds[axis][1 - w->near_side[axis]]);
        const f8 inverse = f8_splat(w->inverse[axis]);
        const f8 in = f8_mul(f8_sub(first, f8_splat(w->near_base[axis])), inverse);
        const f8 out = f8_mul(f8_sub(last, f8_splat(w->far_base[axis])), inverse);
        entry = f8_max(f8_nmuladd(f8_abs(in), slack, in), entry);
        leave = f8_min(f8_muladd(f8_abs(out), slack, out), leave);
    }
    const f8 from = f8_max(f8_sub(entry, tiny), f8_splat(w->tmin));
    const f8 to = f8_min(f8_add(leave, tiny), f8_splat(w->bound));
    f8_store(near, from);
    return f8_bits_le(from, to);
}

/* Slabs in doubles on the ray as it is: three roundings, so 4 eps outward.  A direction component
 * of 0 is a containment test.  Unused children, inverted boxes, are entered after they are left,
 * unless they are widened by more than they are inverted. */
static uint32_t meet_boxes_double(const walk *w, const sli_node_wide *node, float near[SLI_WIDTH])
{
    const sli_exact_ray *ray = &w->ray->exact;
    const d8 share = d8_splat(0x1p-51);
    d8 from = d8_splat((double)w->tmin), to = d8_splat((double)w->bound);
    uint32_t outside = 0;
    for (int axis = 0; axis < 3; axis++) {
        const d8 wider = d8_splat(w->wide_error[axis]);
        const d8 low = d8_sub(d8_from_f8(f8_load(node->bounds[axis][0])), wider);
        const d8 high = d8_add(d8_from_f8(f8_load(node->bounds[axis][1])), wider);
        const d8 o = d8_splat(ray->origin[axis]), d = d8_splat(ray->dir[axis]);
        if (ray->dir[axis] == 0) {
            outside |= d8_bits_gt(low, o) | d8_bits_gt(o, high);
            continue;
        }
        const bool negative = ray->dir[axis] < 0;
        const d8 in = d8_div(d8_sub(negative ? high : low, o), d);
        const d8 out = d8_div(d8_sub(negative ? low : high, o), d);
        const d8 entry = d8_sub(in, d8_mul(d8_abs(in), share));
        const d8 leave = d8_add(out, d8_mul(d8_abs(out), share));
        from = d8_where(d8_bits_gt(entry, from), entry, from);
        to = d8_where(d8_bits_gt(to, leave), leave, to);
    }
    f8_store(near, d8_to_f8(from));
    uint32_t met = 0xFF & ~(outside | d8_bits_gt(from, to));
    const double *e = w->wide_error;
    const bool inverted = fmax(e[0], fmax(e[1], e[2])) <= WALK_WIDE_ERROR_MAX;
    for (int i = 0; i < SLI_WIDTH && !inverted; i++) {
        met &= node->child[i] == SLI_REF_EMPTY ? ~(1u << i) : UINT32_MAX;
    }
    return met;
}

static uint32_t meet_boxes(walk *w, const sli_node_wide *node, float near[SLI_WIDTH])
{
    w->stats.nodes++;
    w->stats.boxes += SLI_WIDTH;
    return w->wide ? meet_boxes_double(w, node, near) : meet_boxes_float(w, node, near);
}

/* Pushes the children that are met and left in (bits), the nearest last.  shift picks the order:
 * the ray's octant, or SLI_ANY_SHIFT. */
static void push_children(walk *w, const sli_node_wide *node, uint32_t shift, uint32_t left_in)
{
    float near[SLI_WIDTH];
    const uint32_t met = meet_boxes(w, node, near) & left_in;
    for (int rank = 0; met != 0 && rank < SLI_WIDTH; rank++) {
        const uint32_t child = node->order[rank] >> shift & 7;
        if ((met >> child & 1) != 0) {
            w->stack[w->stack_size].ref = node->child[child];
            w->stack[w->stack_size].near = near[child];
            w->stack_size++;
        }
    }
}

/* The next leaf on the way, or SLI_REF_EMPTY when there is none. */
static uint32_t next_leaf(walk *w, const sl_bvh *tree, uint32_t shift_or_octant)
{
    const uint32_t shift = shift_or_octant == SLI_ANY_SHIFT ? SLI_ANY_SHIFT : w->octant_shift;
    const uint32_t mask = w->ray->selection.mask;
    const uint32_t *words = child_masks_of(tree, mask);
    while (w->stack_size > 0) {
        w->stack_size--;
        const uint32_t ref = w->stack[w->stack_size].ref;
        if (w->stack[w->stack_size].near > w->bound) {
            continue;
        }
        if ((ref & SLI_REF_LEAF) != 0) {
            return ref;
        }
        const sli_node_wide *node = sli_tree_node(tree, ref);
        push_children(w, node, shift, child_masks_bits(words, tree, node, mask));
    }
    return SLI_REF_EMPTY;
}

/* Whether this walk, with the bound that it has now, comes to the block of a slot: the `reaches`
 * of kernel/mailbox.h.  Boxes are tested like those on the way. */
static bool ray_reaches(void *context, const sl_bvh *tree, uint32_t slot)
{
    walk *w = context;
    uint32_t ref = tree->root;
    while ((ref & SLI_REF_LEAF) == 0) {
        float near[SLI_WIDTH];
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const int child = sli_tree_towards(node, slot / SLI_PACK);
        if ((meet_boxes(w, node, near) >> child & 1) == 0) {
            return false;
        }
        ref = node->child[child];
    }
    return true;
}

static void push_root(walk *w, const sl_bvh *tree)
{
    if (tree->root != SLI_REF_EMPTY) {
        w->stack[0].ref = tree->root;
        w->stack[0].near = w->tmin;
        w->stack_size = 1;
    }
}
