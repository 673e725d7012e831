/* Sixty-four rays of an any-hit query, whatever their directions, together down the top of the
 * tree.
 *
 * Near the root all rays come by the same nodes, and short rays from neighbouring points by the
 * same ones almost to the leaves.  As long as many are at a node, sixteen rays against one child
 * cost less than one ray against eight children, and nothing is kept for each: the numbers of rays
 * stay in rows. Where few are left, the node or leaf is noted for each of them; the ring goes on
 * from there, and rays that were hit, or have nothing noted, never enter it.  Any order is as good
 * as another, since the answer is yes or no.
 *
 * Directions differ, so which side of a box is near does too: boxes are taken as centre and half
 * size, and the half size times |inverse| lies to either side.  The error of a slab is a multiple
 * of |inverse|, so the half sizes have it added. */
#ifndef SLI_KERNEL_PACKET_HYBRID_INL
#define SLI_KERNEL_PACKET_HYBRID_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/interleaved/read.inl"
#include "bvh/kernel/interleaved/state.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/lines.inl"
#include "bvh/kernel/packet/hybrid_leaf.inl"
#include "bvh/kernel/packet/hybrid_state.inl"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/reference/ray.inl"
#include "bvh/kernel/simd/simd.h"
#include "lib/base/inline.h"

#include <math.h>
#include <string.h>

static inline uint32_t hybrid_registers(uint64_t rays)
{
    uint32_t count = 0;
    for (int ray = 0; ray < HYBRID_RAYS; ray += HYBRID_LANES) {
        count += (rays >> ray & 0xFFFF) != 0;
    }
    return count;
}

/* Whether it pays to go on with these rays together. */
static inline bool hybrid_pays(uint64_t rays)
{
    return rays != 0 &&
           (uint32_t)__builtin_popcountll(rays) >= HYBRID_PER_REGISTER_MIN * hybrid_registers(rays);
}

/* The ring is to go on from there with each of these rays. */
static void hybrid_resume_at(hybrid *c, uint32_t root, uint32_t ref, uint64_t rays)
{
    c->spent += HYBRID_COST_NOTE * (uint32_t)__builtin_popcountll(rays);
    for (; rays != 0; rays &= rays - 1) {
        const uint32_t ray = (uint32_t)__builtin_ctzll(rays), count = c->entries[ray];
        if (count < HYBRID_ENTRIES_MAX) {
            c->entry[ray][HYBRID_ENTRIES_MAX - 1 - count] = ref;
            c->entries[ray] = (uint8_t)(count + 1);
        } else {
            c->entry[ray][HYBRID_ENTRIES_MAX - 1] = root;
            c->entries[ray] = 1;
            c->walking &= ~((uint64_t)1 << ray);
        }
    }
}

/* Children that meet the box around the rays. */
static uint32_t hybrid_children(const hybrid *c, const sli_node_wide *node)
{
    uint32_t met = 0xFF;
    for (int axis = 0; axis < 3; axis++) {
        met &= f8_bits_le(f8_load(node->bounds[axis][0]), f8_splat(c->box[axis][1])) &
               f8_bits_le(f8_splat(c->box[axis][0]), f8_load(node->bounds[axis][1]));
    }
    return met;
}

/* Centres and half sizes.  Each plane is off by no more than 9u (G + O) |inverse|: to the roundings
 * of a slab (reference/ray.inl) come one each of centre, half size and its sum with the error, and
 * one more of each of the two products that are added. */
typedef struct hybrid_boxes {
    float centre[3][SLI_WIDTH], half[3][SLI_WIDTH];
} hybrid_boxes;

static void hybrid_make_boxes(const hybrid *c, const sli_node_wide *node, hybrid_boxes *out)
{
    const f8 half = f8_splat(0.5f), error = f8_splat(SLAB_ERROR * WALK_U * c->reach);
    for (int axis = 0; axis < 3; axis++) {
        const f8 low = f8_load(node->bounds[axis][0]), high = f8_load(node->bounds[axis][1]);
        f8_store(out->centre[axis], f8_mul(f8_add(low, high), half));
        f8_store(out->half[axis], f8_muladd(f8_sub(high, low), half, error));
    }
}

/* Which rays of a register meet each of the children. */
static SLI_FORCE_INLINE void hybrid_meet(const hybrid *c, const hybrid_boxes *boxes,
                                         uint32_t children, int ray, uint64_t rays,
                                         uint64_t met[SLI_WIDTH])
{
    f16 inverse[3], size[3], offset[3];
    for (int axis = 0; axis < 3; axis++) {
        inverse[axis] = f16_load(c->row[RAY_INVERSE + axis] + ray);
        size[axis] = f16_abs(inverse[axis]);
        offset[axis] = f16_load(c->offset[axis] + ray);
    }
    const f16 tmin = f16_load(c->row[RAY_TMIN] + ray), tmax = f16_load(c->row[RAY_BOUND] + ray);
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

static void hybrid_node(hybrid *c, const sl_bvh *tree, const sli_node_wide *node, uint64_t rays)
{
    hybrid_boxes boxes;
    uint64_t met[SLI_WIDTH] = { 0 };
    uint32_t left = hybrid_children(c, node);
    c->spent += HYBRID_COST_STEP +
                HYBRID_COST_CHILD * (uint32_t)__builtin_popcount(left) * hybrid_registers(rays);
    hybrid_make_boxes(c, node, &boxes);
    for (int ray = 0; ray < HYBRID_RAYS; ray += HYBRID_LANES) {
        if ((rays >> ray & 0xFFFF) != 0) {
            hybrid_meet(c, &boxes, left, ray, rays, met);
        }
    }
    while (left != 0) { /* child 0 is to be taken first */
        const uint32_t child = 31 - (uint32_t)__builtin_clz(left), ref = node->child[child];
        left &= ~(1u << child);
        c->ref[c->top] = ref;
        c->rays[c->top] = met[child];
        c->top += met[child] != 0;
        const char *at = line_at((const char *)tree->lines, ref);
        for (int line = 0; line < SLI_NODE_LINES; line++) {
            __builtin_prefetch(at + line * SLI_LINE);
        }
    }
}

static void hybrid_traverse(hybrid *c, interleaved_state *r)
{
    const sl_bvh *tree = r->batch->tree;
    c->ref[0] = tree->root;
    c->rays[0] = c->walking;
    c->top = 1;
    while (c->top > 0) {
        const uint32_t ref = c->ref[--c->top];
        const uint64_t rays = c->rays[c->top] & c->walking;
        const uint32_t count = (uint32_t)__builtin_popcountll(rays);
        if (!hybrid_pays(rays)) {
            hybrid_resume_at(c, tree->root, ref, rays);
        } else if ((ref & SLI_REF_LEAF) != 0) {
            c->saved += HYBRID_COST_LEAF_STEP * count;
            c->spent += HYBRID_COST_TRIANGLE * SLI_PACK * hybrid_registers(rays);
            hybrid_leaf(c, r, ref, rays);
        } else {
            c->saved += HYBRID_COST_STEP * count;
            hybrid_node(c, tree, sli_tree_node(tree, ref), rays);
            r->stats.nodes++;
        }
    }
}

/* No hit has a t' beyond 2 reach: the longest component of the direction is at least 1. */
static void hybrid_make_box(hybrid *c, uint64_t rays)
{
    float low[HYBRID_RAYS], high[HYBRID_RAYS];
    const f16 most = f16_splat(4 * c->reach);
    const float error = 64 * WALK_U * c->reach;
    for (int axis = 0; axis < 3; axis++) {
        for (int ray = 0; ray < HYBRID_RAYS; ray += HYBRID_LANES) {
            const f16 origin = f16_load(c->origin[axis] + ray);
            const f16 dir = f16_load(c->row[RAY_DIR + axis] + ray);
            const f16 from = f16_max(f16_load(c->row[RAY_TMIN] + ray), f16_sub(f16_splat(0), most));
            const f16 to = f16_min(f16_load(c->row[RAY_BOUND] + ray), most);
            const f16 begin = f16_muladd(dir, from, origin), end = f16_muladd(dir, to, origin);
            f16_store(low + ray, f16_min(begin, end));
            f16_store(high + ray, f16_max(begin, end));
        }
        fill_out(low, rays);
        fill_out(high, rays);
        c->box[axis][0] = least_of(low) - error;
        c->box[axis][1] = most_of(high) + error;
    }
}

static void hybrid_make_limits(hybrid *c)
{
    for (int ray = 0; ray < HYBRID_RAYS; ray += HYBRID_LANES) {
        f16_store(c->from + ray, f16_max(f16_load(c->row[RAY_TMIN] + ray), f16_splat(0)));
        f16_store(c->to + ray, f16_min(f16_load(c->row[RAY_BOUND] + ray), f16_splat(4 * c->reach)));
    }
}

/* Reads and prepares the next rays; those that the float filters do not hold for go alone. */
static uint64_t hybrid_read(hybrid *c, interleaved_state *r)
{
    const sli_kernel_batch *batch = r->batch;
    uint64_t valid = 0, in_range = 0;
    float reach[HYBRID_RAYS];
    c->forward = 0;
    for (int i = 0; i < HYBRID_RAYS; i += 8) {
        ray8_input in;
        ray8_rows rows;
        const size_t first = r->next + (size_t)i;
        valid |= (uint64_t)interleaved_read(batch, first, r->end - first, &in) << i;
        in_range |= (uint64_t)ray8_prepare(batch->tree, &in, &rows) << i;
        c->forward |= (uint64_t)f8_bits_le(f8_splat(0), in.tmin) << i;
        for (int row = 0; row < RAY_ROWS; row++) {
            f8_store(c->row[row] + i, rows.row[row]);
        }
        for (int axis = 0; axis < 3; axis++) {
            f8_store(c->origin[axis] + i, in.origin[axis]);
            f8_store(c->offset[axis] + i,
                     f8_sub(f8_splat(0), f8_mul(in.origin[axis], rows.row[RAY_INVERSE + axis])));
        }
        f8_store(reach + i, rows.reach);
    }
    const uint64_t rays = c->asked & valid & in_range, alone = c->asked & valid & ~in_range;
    r->stats.rays += (uint64_t)__builtin_popcountll(c->asked & ~alone);
    for (int i = 0; i < HYBRID_RAYS && alone != 0; i += 8) {
        interleaved_by_reference(r, (uint32_t)(alone >> i) & 0xFF, r->next + (size_t)i);
    }
    if (rays != 0) {
        fill_out(reach, rays);
        c->reach = most_of(reach);
    }
    return rays;
}

/* Whether the next rays begin close to one another, for the size of the tree: a look at four. */
static bool hybrid_is_near(const interleaved_state *r)
{
    const sli_kernel_batch *batch = r->batch;
    const sl_aabb *bounds = &batch->tree->bounds;
    float size = 0, away = 0;
    for (int axis = 0; axis < 3; axis++) {
        size += bounds->max[axis] - bounds->min[axis];
    }
    const float *a = batch->rays != NULL ? batch->rays[r->next].origin : batch->segments[r->next].p;
    for (size_t i = HYBRID_RAYS / 3; i < HYBRID_RAYS; i += HYBRID_RAYS / 3) {
        const size_t at = r->next + i;
        const float *b = batch->rays != NULL ? batch->rays[at].origin : batch->segments[at].p;
        float sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            sum += fabsf(a[axis] - b[axis]);
        }
        away = sum > away ? sum : away;
    }
    return away <= HYBRID_NEAR_MAX * size;
}

/* Which of the next rays are not answered by a guess. */
static uint64_t hybrid_unanswered(const interleaved_state *r)
{
    uint64_t asked = UINT64_MAX;
    for (int i = 0; r->batch->guessed && i < HYBRID_RAYS; i++) {
        asked &= ~((uint64_t)r->answers.any[r->next + (size_t)i] << i);
    }
    return asked;
}

/* Whether the next rays are to go together. */
static bool hybrid_may_take(interleaved_state *r)
{
    hybrid *c = r->hybrid;
    if (r->end - r->next < HYBRID_RAYS) {
        return false;
    }
    if (c->pause > 0) {
        c->pause--;
        return false;
    }
    c->asked = hybrid_unanswered(r);
    if (__builtin_popcountll(c->asked) < HYBRID_RAYS_MIN) {
        return false;
    }
    c->near = hybrid_is_near(r);
    return c->near || r->end - r->next >= HYBRID_FAR_MIN;
}

/* Asks for the rays after the next. */
static void hybrid_prefetch(const interleaved_state *r)
{
    const sli_kernel_batch *batch = r->batch;
    const size_t next = r->next + HYBRID_RAYS, left = r->end - next,
                 count = left < HYBRID_RAYS ? left : HYBRID_RAYS;
    const char *at = batch->rays != NULL ? (const char *)(batch->rays + next)
                                         : (const char *)(batch->segments + next);
    const size_t size = count * (batch->rays != NULL ? sizeof(sl_ray) : sizeof(sl_segment));
    for (size_t line = 0; line < size; line += SLI_LINE) {
        __builtin_prefetch(at + line);
    }
}

/* Takes the next HYBRID_RAYS rays as far as they go together. */
static SLI_NOINLINE void hybrid_take(interleaved_state *r)
{
    hybrid *c = r->hybrid;
    c->first = r->next;
    hybrid_prefetch(r);
    if (!r->batch->guessed) { /* else who has no answer has a 0 */
        memset(r->answers.any + c->first, 0, HYBRID_RAYS);
    }
    memset(c->entries, 0, sizeof c->entries);
    c->waiting = 0;
    const uint64_t rays = hybrid_read(c, r);
    if (rays == 0) {
        return;
    }
    c->walking = rays;
    c->hit = 0;
    c->narrows = r->batch->query->cull == SL_CULL_NONE &&
                 (r->batch->query->flags & (SL_USE_MASK | SL_USE_SKIP)) == 0;
    hybrid_make_limits(c);
    hybrid_make_box(c, rays);
    c->spent = HYBRID_COST_START * HYBRID_RAYS;
    c->saved = 0;
    hybrid_traverse(c, r);
    for (uint64_t left = rays & ~c->hit; left != 0; left &= left - 1) {
        const uint32_t ray = (uint32_t)__builtin_ctzll(left);
        c->waiting |= (uint64_t)(c->entries[ray] != 0) << ray;
    }
    c->saved += HYBRID_GAIN_ENDED * (uint32_t)__builtin_popcountll(rays & ~c->waiting);
    const uint32_t pause = c->near ? HYBRID_PAUSE_NEAR : HYBRID_PAUSE_FAR;
    c->pause = c->saved < c->spent ? pause : 0;
}

/* Makes those of eight rays that wait ready for the ring. */
static void hybrid_group(const hybrid *c, uint32_t eight, ray8_group *out)
{
    const uint32_t ready = (uint32_t)(c->waiting >> eight) & 0xFF;
    out->first = c->first + eight;
    out->ready = ready;
    out->axis_aligned = out->on_grid = 0; /* any ray may go through the other filter */
    if (ready == 0) {
        return;
    }
    for (int block = 0; block < RAY_ROWS; block += 8) {
        f8 row[8];
        for (int i = 0; i < 8; i++) {
            row[i] = f8_load(c->row[block + i] + eight);
        }
        f8_transpose(row);
        for (int lane = 0; lane < 8; lane++) {
            f8_store(out->words[lane] + block, row[lane]);
        }
    }
}

/* What is left to do for a ray. */
static SLI_FORCE_INLINE void hybrid_enter(const hybrid *c, interleaved_slot *slot)
{
    const size_t ray = slot->ray.w.index - c->first;
    slot->ref[0] = SLI_REF_EMPTY;
    const uint32_t count = c->entries[ray];
    memcpy(slot->ref + 1, c->entry[ray] + HYBRID_ENTRIES_MAX - count, sizeof c->entry[ray]);
    slot->ray.w.top = count;
}

#endif
