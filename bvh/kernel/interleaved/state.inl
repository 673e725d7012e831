/* Many rays in flight: while one waits for memory, the others work.  Each ray has a slot: what the
 * filters want of it, and its stack.  Rays whose next step is a node wait in a ring, rays at a leaf
 * (or at the end) in a queue; a phase of node steps without a branch on what is found, then a phase
 * of leaves, and so on.  The technique is known as asynchronous memory access chaining (Kocberber,
 * Falsafi and Grot, 2015).
 *
 * Closest: the order of nodes is that of the ray's octant, and what a hit makes useless is taken
 * off the stack at once, so that node steps need not look.  Any: no distances are kept. */
#ifndef SLI_KERNEL_INTERLEAVED_STATE_INL
#define SLI_KERNEL_INTERLEAVED_STATE_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/filter/tri8_determinants.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/lines.inl"
#include "lib/base/inline.h"

enum {
    INTERLEAVED_SLOTS_MAX = 64,
    INTERLEAVED_RAYS_MIN = 8,   /* fewer rays go one by one */
    INTERLEAVED_EIGHTS = 4,     /* that are decided before any is noted */
    INTERLEAVED_DEPTH_MAX = 48, /* references on a stack, before a node's children come upon it */
    INTERLEAVED_ANY_DEPTH_MAX = 40,
    INTERLEAVED_STACK = INTERLEAVED_DEPTH_MAX + SLI_WIDTH,
    INTERLEAVED_ANY_STACK = INTERLEAVED_ANY_DEPTH_MAX + SLI_WIDTH,
    /* An odd number of lines, so that slots do not fall on one another in a cache. */
    INTERLEAVED_SLOT_SIZE = 9 * SLI_LINE,
    INTERLEAVED_ANY_SLOT_SIZE = 5 * SLI_LINE, /* without distances */
    INTERLEAVED_FEW_NODES =
        2, /* no more nodes in a step: what stands behind them is asked for, too */
    INTERLEAVED_PACKED_MAX = 4096 /* rays that packets look at before the ring does */
};

/* The answers of a batch: hits, or any with perhaps the triangles that were hit. */
typedef struct interleaved_answers {
    sl_hit *hits;
    uint8_t *any;
    uint32_t *prims;
} interleaved_answers;

/* The first reference of every stack is SLI_REF_EMPTY: the walk ends there. */
typedef struct interleaved_slot {
    filter_ray ray;
    uint32_t ref[]; /* INTERLEAVED_STACK of them, or INTERLEAVED_ANY_STACK */
} interleaved_slot;

/* How many wait in each queue; the loops keep it in registers. */
typedef struct interleaved_counts {
    size_t nodes, rest, ended;
} interleaved_counts;

typedef struct interleaved_state {
    const sli_kernel_batch *batch;
    interleaved_answers answers;
    size_t next, end; /* rays of the batch that are not prepared yet */
    ray8_group group;
    size_t first; /* ray of those that packets looked at; of any-hit queries, that the hybrid did */
    bool packed;  /* packets took some: */
    uint64_t answered[INTERLEAVED_PACKED_MAX / 64];    /* which */
    interleaved_slot *queue[4][INTERLEAVED_SLOTS_MAX]; /* where slots wait, or have their turn */
    interleaved_counts waiting;
    uint32_t leaves; /* whose turn it is, in a phase of leaves */
    /* slot << 32 | place of a triangle in the tree; they are read eight at a time */
    uint64_t pairs[SLI_PACK * INTERLEAVED_SLOTS_MAX + 8];
    uint32_t pair_count;
    const char *packs;  /* where places in pairs begin to count: the tree's lines, or room */
    sli_tri_pack *room; /* of a compact tree, a block for each slot */
    char *slots;
    uint32_t slot_size, slot_count;
    tri8_answer eights[INTERLEAVED_EIGHTS];
    struct p2m_state *p2m; /* NULL: not a batch from one point */
    struct hybrid *hybrid; /* NULL: closest, or a batch from one point */
    bool from_hybrid;      /* the present rays were prepared by the hybrid packet */
    sl_stats stats;
} interleaved_state;

/* QUEUE_NODES: slots at a node.  QUEUE_REST, which grows from its end to its front: at a leaf, or,
 * straight from a node, at SLI_REF_EMPTY, which a phase of leaves moves on.  QUEUE_ENDED: without a
 * ray.  QUEUE_TURN: those whose turn it is. */
enum { QUEUE_NODES, QUEUE_REST, QUEUE_ENDED, QUEUE_TURN };

/* t' where the ray enters, of each reference; but where any counts. */
static SLI_FORCE_INLINE float *slot_nears(interleaved_slot *slot)
{
    return (float *)(void *)(slot->ref + INTERLEAVED_STACK);
}

/* Makes ref what the slot does next, and asks for its memory. */
static SLI_FORCE_INLINE void slot_lead(const char *lines, interleaved_slot *slot, uint32_t ref)
{
    const char *at = line_at(lines, ref);
    prefetch_lines(at, 0, SLI_NODE_LINES); /* a leaf block is one line less */
    slot->ray.w.at = at;
}

/* Puts the slot where its next reference belongs. */
static SLI_FORCE_INLINE void slot_queue(interleaved_state *r, interleaved_counts *c,
                                        const char *lines, interleaved_slot *slot, uint32_t ref)
{
    const uint32_t leaf = ref >> 31, ended = ref >> 30 & 1;
    slot_lead(lines, slot, ref);
    r->queue[QUEUE_NODES][c->nodes] = slot;
    c->nodes += 1 - leaf;
    r->queue[QUEUE_REST][INTERLEAVED_SLOTS_MAX - 1 - c->rest] = slot;
    c->rest += leaf - ended;
    r->queue[QUEUE_ENDED][c->ended] = slot;
    c->ended += ended;
}

static SLI_FORCE_INLINE interleaved_slot *pair_slot(const interleaved_state *r, uint64_t pair)
{
    return (interleaved_slot *)(void *)(r->slots + (pair >> 32));
}

static SLI_FORCE_INLINE const sli_tri_pack *pair_pack(const interleaved_state *r, uint64_t pair)
{
    /* Without the mask of line_at: the place of a triangle has no bits of a reference. */
    const char *at = r->packs + (size_t)((uint32_t)pair / SLI_PACK) * SLI_LINE;
    return (const sli_tri_pack *)(const void *)at;
}

/* Which of the slots of any-hit queries it is. */
static SLI_FORCE_INLINE uint32_t slot_number(const interleaved_state *r,
                                             const interleaved_slot *slot)
{
    return (uint32_t)((const char *)slot - r->slots) / INTERLEAVED_ANY_SLOT_SIZE;
}

/* The floats of a ray or segment of the batch. */
static SLI_FORCE_INLINE const float *interleaved_floats(const interleaved_state *r, size_t index)
{
    const sli_kernel_batch *batch = r->batch;
    return batch->rays != NULL ? (const float *)(const void *)&batch->rays[index]
                               : (const float *)(const void *)&batch->segments[index];
}

#endif
