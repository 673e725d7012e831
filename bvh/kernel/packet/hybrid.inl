/* Hybrid of packet and stream traversal: sixty-four rays of an any-hit query, of any
 * directions, go down the top of the tree together, and leave the packet where few of them remain.
 * For batches: sl_bvh_any_many() (any_many of the kernel table, stream/refill.inl).
 *
 * Packets that fall back to single-ray traversal: Benthin, Wald, Woop and Ernst, "Combining Single
 * and Packet-Ray Tracing for Arbitrary Ray Distributions on the Intel MIC Architecture" (2012).
 * Here the fallback is the stream traversal.
 *
 * Near the root all rays visit the same nodes, and short rays from neighbouring points do so almost
 * down to the leaves.  While many rays are at a node, testing sixteen rays against one child costs
 * less than testing one ray against eight children, and no stack is kept per ray: bit masks say
 * which rays are at a node.  Where few are left, the node or leaf becomes a resume point of each
 * (hybrid_resume_at); the stream traversal starts there, and never gets rays that were hit or
 * have no resume point.  The order of nodes does not matter, since the answer is yes or no.
 *
 * Directions differ, and so does the near side of a box from ray to ray.  So boxes are taken as
 * centre and half size: the slab is at centre * inverse + offset, and half * |inverse| lies to
 * either side of it.  The error of a slab is a multiple of |inverse|, so it is added to the half
 * sizes.
 *
 * Outline
 *   hybrid_may_take   whether the next rays are worth trying together
 *   hybrid_take       reads them (packet/hybrid_read.inl), lets them go down the tree
 *                     (hybrid_traverse), measures if that paid
 *   hybrid_node       children that the box around all rays meets, then register by register
 *   hybrid_leaf       the triangles of a leaf (packet/hybrid_leaf.inl)
 *
 * stream/resume.inl hands the remaining rays, with their resume points, to the slots. */
#pragma once

#include "bvh/kernel/filter/child_masks.inl"
#include "bvh/kernel/packet/hybrid_leaf.inl"
#include "bvh/kernel/packet/hybrid_read.inl"
#include "bvh/kernel/packet/rays.inl"

/* How many registers of sixteen have any of these rays. */
static inline uint32_t hybrid_registers(uint64_t rays)
{
    uint32_t count = 0;
    for (int ray = 0; ray < HYBRID_RAYS; ray += HYBRID_LANES) {
        count += (rays >> ray & 0xFFFF) != 0;
    }
    return count;
}

/* Whether it pays to go on with these rays as a packet. */
static inline bool hybrid_pays(uint64_t rays, uint32_t ref)
{
    const uint32_t least =
        (ref & SLI_REF_LEAF) != 0 ? HYBRID_PER_LEAF_REGISTER_MIN : HYBRID_PER_REGISTER_MIN;
    return rays != 0 && (uint32_t)__builtin_popcountll(rays) >= least * hybrid_registers(rays);
}

/* Makes ref a resume point of each of these rays.  A ray with too many of them leaves the packet
 * and resumes at the root. */
static void hybrid_resume_at(hybrid *h, uint32_t root, uint32_t ref, uint64_t rays)
{
    h->spent += HYBRID_COST_NOTE * (uint32_t)__builtin_popcountll(rays);
    for (; rays != 0; rays &= rays - 1) {
        const uint32_t ray = (uint32_t)__builtin_ctzll(rays), count = h->entries[ray];
        if (count < HYBRID_ENTRIES_MAX) {
            h->entry[ray][HYBRID_ENTRIES_MAX - 1 - count] = ref;
            h->entries[ray] = (uint8_t)(count + 1);
        } else {
            h->entry[ray][HYBRID_ENTRIES_MAX - 1] = root;
            h->entries[ray] = 1;
            h->active &= ~((uint64_t)1 << ray);
        }
    }
}

/* The children's boxes relative to the middle, as centres and half sizes.  Each plane is off by no
 * more than 8u times its distance and that of the other side from the middle, and h->error: errors
 * are relative to what is near the rays, so that rays that leave a flat wall do not meet its box
 * again (docs/notes/filters.md). */
typedef struct hybrid_boxes {
    float centre[3][SLI_WIDTH], half[3][SLI_WIDTH];
} hybrid_boxes;

/* Returns the children that meet the box around all rays. */
static uint32_t hybrid_make_boxes(const hybrid *h, const sli_node_wide *node, hybrid_boxes *out)
{
    const f8 half = f8_splat(0.5f), share = f8_splat(HYBRID_SLAB_SHARE);
    uint32_t met = 0xFF;
    for (int axis = 0; axis < 3; axis++) {
        const f8 middle = f8_splat(h->middle[axis]);
        const f8 low = f8_sub(f8_load(node->bounds[axis][0]), middle);
        const f8 high = f8_sub(f8_load(node->bounds[axis][1]), middle);
        met &= f8_bits_le(low, f8_splat(h->box[axis][1])) &
               f8_bits_le(f8_splat(h->box[axis][0]), high);
        const f8 size = f8_add(f8_abs(low), f8_abs(high));
        const f8 error = f8_muladd(size, share, f8_splat(h->error[axis]));
        f8_store(out->centre[axis], f8_mul(f8_add(low, high), half));
        f8_store(out->half[axis], f8_muladd(f8_sub(high, low), half, error));
    }
    return met;
}

/* Adds to met the rays of one register that meet each of the children. */
static SLI_FORCE_INLINE void hybrid_meet(const hybrid *h, const hybrid_boxes *boxes,
                                         uint32_t children, int ray, uint64_t rays,
                                         uint64_t met[SLI_WIDTH])
{
    f16 inverse[3], size[3], offset[3];
    for (int axis = 0; axis < 3; axis++) {
        inverse[axis] = f16_load(h->inverse[axis] + ray);
        size[axis] = f16_abs(inverse[axis]);
        offset[axis] = f16_load(h->offset[axis] + ray);
    }
    const f16 tmin = f16_load(h->from + ray), tmax = f16_load(h->to + ray);
    for (; children != 0; children &= children - 1) {
        const uint32_t child = (uint32_t)__builtin_ctz(children);
        f16 from = tmin, to = tmax;
        for (int axis = 0; axis < 3; axis++) {
            const f16 half = f16_splat(boxes->half[axis][child]);
            const f16 middle =
                f16_muladd(f16_splat(boxes->centre[axis][child]), inverse[axis], offset[axis]);
            from = f16_max(f16_nmuladd(half, size[axis], middle), from);
            to = f16_min(f16_muladd(half, size[axis], middle), to);
        }
        met[child] |= rays & (uint64_t)f16_bits_le(from, to) << ray;
    }
}

/* Visits a node with these rays, and pushes each child with the rays that meet it.  left_in: the
 * children that the query's mask leaves in. */
static void hybrid_node(hybrid *h, const sl_bvh *tree, const sli_node_wide *node, uint64_t rays,
                        uint32_t left_in)
{
    hybrid_boxes boxes;
    uint64_t met[SLI_WIDTH] = { 0 };
    const uint32_t left = hybrid_make_boxes(h, node, &boxes) & left_in;
    h->spent += HYBRID_COST_NODE +
                HYBRID_COST_CHILD * (uint32_t)__builtin_popcount(left) * hybrid_registers(rays);
    for (int ray = 0; ray < HYBRID_RAYS; ray += HYBRID_LANES) {
        if ((rays >> ray & 0xFFFF) != 0) {
            hybrid_meet(h, &boxes, left, ray, rays, met);
        }
    }
    for (int rank = 0; rank < SLI_WIDTH; rank++) { /* the last is visited first */
        const uint32_t child = node->order[rank] >> h->shift & 7, ref = node->child[child];
        h->ref[h->top] = ref;
        h->rays[h->top] = met[child];
        h->top += met[child] != 0;
        if (met[child] != 0) {
            (void)prefetch_ref((const char *)tree->lines, ref);
        }
    }
}

/* The children's order for the octant of the first ray. */
static uint32_t hybrid_shift(const hybrid *h)
{
    uint32_t octant = 0;
    for (int axis = 0; axis < 3; axis++) {
        octant |= (uint32_t)(h->dir[axis][0] < 0) << axis;
    }
    return 3 * octant;
}

/* Takes the active rays down the tree, adding up what that costs and saves. */
static void hybrid_traverse(hybrid *h)
{
    const sl_bvh *tree = h->batch->tree;
    const sl_options *options = h->batch->options;
    const uint32_t *words = child_masks_of_all(tree, options);
    h->shift = h->fan ? hybrid_shift(h) : SLI_ANY_SHIFT;
    h->ref[0] = tree->root;
    h->rays[0] = h->active;
    h->top = 1;
    while (h->top > 0) {
        const uint32_t ref = h->ref[--h->top];
        const uint64_t rays = h->rays[h->top] & h->active;
        const uint32_t count = (uint32_t)__builtin_popcountll(rays);
        if (!hybrid_pays(rays, ref) || h->spent > h->saved + HYBRID_LOSS_MAX) {
            hybrid_resume_at(h, tree->root, ref, rays);
        } else if ((ref & SLI_REF_LEAF) != 0) {
            h->saved += HYBRID_COST_LEAF_STEP * count;
            h->spent += HYBRID_COST_TRIANGLE * SLI_PACK * hybrid_registers(rays);
            hybrid_leaf(h, ref, rays);
        } else {
            h->saved += HYBRID_COST_STEP * count;
            const sli_node_wide *node = sli_tree_node(tree, ref);
            hybrid_node(h, tree, node, rays, child_masks_bits(words, tree, node, options->mask));
            h->stats->nodes++;
        }
    }
}

/* Whether the origins of the next rays are near one another, judged by four of them. */
static bool hybrid_is_near(const hybrid *h)
{
    const sl_aabb *bounds = &h->batch->tree->bounds;
    float size = 0, away = 0;
    for (int axis = 0; axis < 3; axis++) {
        size += bounds->max[axis] - bounds->min[axis];
    }
    const float *a = ray8_floats(h->batch, h->first);
    for (size_t i = HYBRID_RAYS / 3; i < HYBRID_RAYS; i += HYBRID_RAYS / 3) {
        const float *b = ray8_floats(h->batch, h->first + i);
        float sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            sum += fabsf(a[axis] - b[axis]);
        }
        away = sum > away ? sum : away;
    }
    return away <= HYBRID_NEAR_MAX * size;
}

/* The next rays that no hint has answered. */
static uint64_t hybrid_unanswered(const hybrid *h)
{
    uint64_t open = UINT64_MAX;
    for (int i = 0; h->batch->hinted && i < HYBRID_RAYS; i++) {
        open &= ~((uint64_t)h->any[h->first + (size_t)i] << i);
    }
    return open;
}

/* Whether the `left` rays from first on are to be tried as a packet. */
static bool hybrid_may_take(hybrid *h, size_t first, size_t left)
{
    const sl_bvh *tree = h->batch->tree;
    h->first = first;
    h->left = left;
    if (left < HYBRID_RAYS || tree->root == SLI_REF_EMPTY || tree->reach < 2 * WALK_LEAST ||
        tree->reach > WALK_MOST / 2) {
        return false;
    }
    if (h->pause > 0) {
        h->pause--;
        return false;
    }
    h->unanswered = hybrid_unanswered(h);
    if (__builtin_popcountll(h->unanswered) < HYBRID_RAYS_MIN) {
        return false;
    }
    h->near = hybrid_is_near(h);
    return h->near || left >= HYBRID_FAR_MIN;
}

/* Prefetches the rays after the next HYBRID_RAYS. */
static void hybrid_prefetch(const hybrid *h)
{
    const sli_kernel_batch *batch = h->batch;
    const size_t next = h->first + HYBRID_RAYS, left = h->left - HYBRID_RAYS,
                 count = left < HYBRID_RAYS ? left : HYBRID_RAYS;
    const char *at = batch->rays != NULL ? (const char *)(batch->rays + next)
                                         : (const char *)(batch->segments + next);
    const size_t size = count * (batch->rays != NULL ? sizeof(sl_ray) : sizeof(sl_segment));
    for (size_t line = 0; line < size; line += SLI_LINE) {
        __builtin_prefetch(at + line);
    }
}

/* Takes the HYBRID_RAYS rays that hybrid_may_take has named down the tree together, as far as that
 * pays. */
static SLI_NOINLINE void hybrid_take(hybrid *h)
{
    const sl_bvh *tree = h->batch->tree;
    hybrid_prefetch(h);
    if (!h->batch->hinted) { /* with hints, rays without a hit already hold 0 */
        memset(h->any + h->first, 0, HYBRID_RAYS);
    }
    memset(h->entries, 0, sizeof h->entries);
    h->waiting = 0;
    h->spent = HYBRID_COST_START * HYBRID_RAYS;
    h->saved = 0;
    hybrid_around all;
    const uint64_t rays = hybrid_read(h, &all);
    h->stats->rays += (uint64_t)__builtin_popcountll(h->unanswered);
    h->hit = 0;
    h->narrows = h->batch->options->cull == SL_CULL_NONE &&
                 (h->batch->uses & (SLI_USES_MASK | SLI_USES_SKIP)) == 0;
    if (h->active != 0 && !hybrid_enclose(h, tree, &all)) {
        h->active = 0;
    }
    hybrid_resume_at(h, tree->root, tree->root, rays & ~h->active);
    hybrid_traverse(h);
    for (uint64_t left = rays & ~h->hit; left != 0; left &= left - 1) {
        const uint32_t ray = (uint32_t)__builtin_ctzll(left);
        h->waiting |= (uint64_t)(h->entries[ray] != 0) << ray;
    }
    h->saved += HYBRID_GAIN_ENDED * (uint32_t)__builtin_popcountll(rays & ~h->waiting);
    const uint32_t pause = h->near ? HYBRID_PAUSE_NEAR : HYBRID_PAUSE_FAR;
    h->pause = h->saved < h->spent ? pause : 0;
}
