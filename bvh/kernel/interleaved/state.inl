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
    RING_MOST = 64,
    RING_FEW = 8,    /* fewer rays go one by one */
    RING_EIGHTS = 4, /* that are decided before any is noted */
    RING_DEEP = 48,  /* references on a stack, before a node's children come upon it */
    RING_ANY_DEEP = 40,
    RING_STACK = RING_DEEP + SLI_WIDTH,
    RING_ANY_STACK = RING_ANY_DEEP + SLI_WIDTH,
    /* An odd number of lines, so that slots do not fall on one another in a cache. */
    RING_SLOT = 9 * SLI_LINE,
    RING_ANY_SLOT = 5 * SLI_LINE, /* without distances */
    RING_SPARSE = 2,  /* no more nodes in a step: what stands behind them is asked for, too */
    RING_AHEAD = 4096 /* rays that packets look at before the ring does */
};

/* The answers of a batch: hits, or any with perhaps the triangles that were hit. */
typedef struct ring_answers {
    sl_hit *hits;
    uint8_t *any;
    uint32_t *prims;
} ring_answers;

/* The first reference of every stack is SLI_REF_EMPTY: the walk ends there. */
typedef struct ring_slot {
    ring_ray ray;
    uint32_t ref[]; /* RING_STACK of them, or RING_ANY_STACK */
} ring_slot;

/* How many wait in each queue; the loops keep it in registers. */
typedef struct ring_counts {
    size_t nodes, rest, ended;
} ring_counts;

typedef struct ring_state {
    const sli_kernel_batch *batch;
    ring_answers answers;
    size_t next, end; /* rays of the batch that are not prepared yet */
    ring_group group;
    size_t first; /* ray of those that packets looked at; of any-hit queries, that the hybrid did */
    bool packed;  /* packets took some: */
    uint64_t answered[RING_AHEAD / 64]; /* which */
    ring_slot *queue[4][RING_MOST];     /* where slots wait, or have their turn */
    ring_counts waiting;
    uint32_t leaves; /* whose turn it is, in a phase of leaves */
    /* slot << 32 | place of a triangle in the tree; they are read eight at a time */
    uint64_t pairs[SLI_PACK * RING_MOST + 8];
    uint32_t pair_count;
    const char *packs;  /* where places in pairs begin to count: the tree's lines, or room */
    sli_tri_pack *room; /* of a compact tree, a block for each slot */
    char *slots;
    uint32_t slot_size, slot_count;
    ring_eight eights[RING_EIGHTS];
    struct p2m_state *p2m; /* NULL: not a batch from one point */
    struct hybrid *hybrid; /* NULL: closest, or a batch from one point */
    bool from_hybrid;      /* the present rays were prepared by the hybrid packet */
    sl_stats stats;
} ring_state;

/* RING_NODES: slots at a node.  RING_REST, which grows from its end to its front: at a leaf, or,
 * straight from a node, at SLI_REF_EMPTY, which a phase of leaves moves on.  RING_ENDED: without a
 * ray.  RING_TURN: those whose turn it is. */
enum { RING_NODES, RING_REST, RING_ENDED, RING_TURN };

/* t' where the ray enters, of each reference; but where any counts. */
static SLI_FORCE_INLINE float *ring_nears(ring_slot *slot)
{
    return (float *)(void *)(slot->ref + RING_STACK);
}

/* Makes ref what the slot does next, and asks for its memory. */
static SLI_FORCE_INLINE void ring_lead(const char *lines, ring_slot *slot, uint32_t ref)
{
    const char *at = ring_address(lines, ref);
    prefetch_lines(at, 0, SLI_NODE_LINES); /* a leaf block is one line less */
    slot->ray.w.at = at;
}

/* Puts the slot where its next reference belongs. */
static SLI_FORCE_INLINE void ring_queue(ring_state *r, ring_counts *c, const char *lines,
                                        ring_slot *slot, uint32_t ref)
{
    const uint32_t leaf = ref >> 31, ended = ref >> 30 & 1;
    ring_lead(lines, slot, ref);
    r->queue[RING_NODES][c->nodes] = slot;
    c->nodes += 1 - leaf;
    r->queue[RING_REST][RING_MOST - 1 - c->rest] = slot;
    c->rest += leaf - ended;
    r->queue[RING_ENDED][c->ended] = slot;
    c->ended += ended;
}

static SLI_FORCE_INLINE ring_slot *ring_pair_slot(const ring_state *r, uint64_t pair)
{
    return (ring_slot *)(void *)(r->slots + (pair >> 32));
}

static SLI_FORCE_INLINE const sli_tri_pack *ring_pair_pack(const ring_state *r, uint64_t pair)
{
    /* Without the mask of ring_address: the place of a triangle has no bits of a reference. */
    const char *at = r->packs + (size_t)((uint32_t)pair / SLI_PACK) * SLI_LINE;
    return (const sli_tri_pack *)(const void *)at;
}

/* Which of the slots of any-hit queries it is. */
static SLI_FORCE_INLINE uint32_t ring_number(const ring_state *r, const ring_slot *slot)
{
    return (uint32_t)((const char *)slot - r->slots) / RING_ANY_SLOT;
}

/* The floats of a ray or segment of the batch. */
static SLI_FORCE_INLINE const float *ring_floats(const ring_state *r, size_t index)
{
    const sli_kernel_batch *batch = r->batch;
    return batch->rays != NULL ? (const float *)(const void *)&batch->rays[index]
                               : (const float *)(const void *)&batch->segments[index];
}

#endif
