/* The state of a batch of rays in flight, and the moves of its slots between queues.  The other
 * files of stream/ work on it, packets and rays from one point too; read this one first.
 *
 *     refill     rays enter free slots, eight prepared at a time          (refill.inl, alone.inl)
 *     nodes      one step of every ray that is at a node, until most are at leaves  (nodes.inl)
 *     leaves     the triangles of all those leaves, in floats, then in doubles      (leaves.inl)
 *     and again  until no slot has a ray                                            (loop.inl)
 *
 * A single ray waits for memory most of the time.  Here, 48 are in flight: when a ray's next
 * reference is known, its memory is prefetched, and it is not touched until all others have had
 * their step.  Steps of one kind are done together, so that no branch depends on what a ray found.
 * The technique is known as asynchronous memory access chaining (Kocberber, Falsafi and Grot,
 * "Asynchronous Memory Access Chaining", PVLDB 2015).
 *
 * Each ray has a slot: the words that the filters read, and a short stack of references, behind
 * which stand, for closest hits, the distances at which the ray enters them:
 *
 *     filter_ray, 128 bytes | ref[STREAM_STACK] | near[STREAM_STACK]     closest
 *     filter_ray, 128 bytes | ref[STREAM_ANY_STACK]                           any
 *
 * Closest hits: nodes come in the octant order of the ray, and what a hit makes useless is taken
 * off the stack at once, so that node steps need not look.  Any hit: no distances are kept, and
 * none for all hits, whose rays are any-hit rays that no hit ends: `any` says that of slots. */
#pragma once

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/filter/tri8_determinants.inl"

enum {
    /* With what is prefetched for them, more slots do not fit into a first-level cache of 32 KiB;
     * 40 to 60 differ by no more than 4 % wherever they were measured. */
    STREAM_SLOTS_MAX = 48,
    /* Fewer rays are traced one by one.  Most any-hit rays end after a node or two, and filling and
     * emptying slots takes as long. */
    STREAM_RAYS_MIN = 8,
    STREAM_ANY_RAYS_MIN = 16,
    STREAM_EIGHTS = 4,     /* eights of triangles that are decided before any is noted */
    STREAM_DEPTH_MAX = 48, /* references on a stack, before a node's children are pushed */
    STREAM_ANY_DEPTH_MAX = 40,
    STREAM_STACK = STREAM_DEPTH_MAX + SLI_WIDTH,
    STREAM_ANY_STACK = STREAM_ANY_DEPTH_MAX + SLI_WIDTH,
    /* An odd number of lines, so that slots do not fall on one another in a cache. */
    STREAM_SLOT_SIZE = 9 * SLI_LINE,
    STREAM_ANY_SLOT_SIZE = 5 * SLI_LINE,
    STREAM_FEW_NODES = 2,    /* in a step of no more nodes, their leaves are prefetched too */
    STREAM_PACKED_MAX = 4096 /* rays that packets look at before the slots take the others */
};

/* Where the answers of a batch go. */
typedef struct stream_answers {
    sl_hit *hits;          /* closest; all: a row of capacity hits for each, as a heap; else NULL */
    uint8_t *any;          /* any; else NULL */
    sl_triangle_ref *refs; /* any: a triangle that is hit; or NULL */
    uint64_t *totals;      /* all; else NULL */
    size_t capacity;       /* all; 0: hits are counted alone */
} stream_answers;

/* What a batch looks for; a constant wherever a function takes it. */
typedef enum stream_kind { STREAM_CLOSEST, STREAM_ANY, STREAM_ALL } stream_kind;

/* A ray in flight.  The first reference of every stack is SLI_REF_EMPTY: the traversal ends there.
 * ray.w.top is where the next reference stands; of a slot that starts, where children go. */
typedef struct stream_slot {
    filter_ray ray;
    uint32_t ref[]; /* STREAM_STACK of them, or STREAM_ANY_STACK */
} stream_slot;

/* How many slots wait in each queue; loops keep it in registers. */
typedef struct stream_counts {
    size_t nodes, leaves, ended;
} stream_counts;

/* Where slots wait.
 *     QUEUE_NODES    at a node
 *     QUEUE_LEAVES   at a leaf or, straight from a node, at SLI_REF_EMPTY, which the next phase of
 *                    leaves moves on; grows from its end to its front
 *     QUEUE_ENDED    without a ray
 *     QUEUE_CURRENT  those of a phase of leaves that is under way */
enum { QUEUE_NODES, QUEUE_LEAVES, QUEUE_ENDED, QUEUE_CURRENT, QUEUE_COUNT };

/* What slots have done, and for how many rays: the way out of refill.inl weighs them. */
typedef struct stream_steps {
    uint64_t rays, nodes, leaves;
} stream_steps;

/* Open ends of segments, of which leaves_ends.inl drops triangles. */
typedef struct leaves_ends {
    uint32_t open; /* SL_OPEN_START and SL_OPEN_END, of segments that are not moved */
    int32_t credit;
} leaves_ends;

typedef struct stream_state {
    const sli_kernel_batch *batch;
    stream_answers answers;
    size_t next, end; /* rays of the batch that are not prepared yet */
    ray8_group group; /* rays that are prepared, and in no slot yet */
    size_t first;     /* the ray at which packets began to look; any: the hybrid packet */
    bool packed;      /* packets answered some rays, which answered names */
    uint64_t answered[STREAM_PACKED_MAX / 64]; /* bit i, counted from first: ray is answered */
    stream_slot *queue[QUEUE_COUNT][STREAM_SLOTS_MAX + SIMD_LEAVES];
    stream_counts waiting;
    uint32_t current_count;                         /* of a phase of leaves */
    uint8_t pairs[SLI_PACK * STREAM_SLOTS_MAX + 8]; /* below; they are read eight at a time */
    uint32_t pair_count;
    uint32_t sure_lanes;   /* of tri_leaves, where a triangle that is hit answers or is counted */
    uint32_t limits_pause; /* any: leaves_filter_any of leaves.inl */
    int32_t limits_credit;
    bool tells; /* any: more is wanted than whether a ray hits something */
    leaves_ends ends;
    sli_tri_pack *unpacked; /* of a compact tree, a block for each slot; else NULL */
    char *slots;
    uint32_t slot_size, slot_count;
    tri8_answer eights[STREAM_EIGHTS];
    const uint32_t *child_masks;                      /* filter/child_masks.inl; most often NULL */
    uint32_t mask_phases, mask_samples, mask_dropped; /* stream_nodes_masked of nodes.inl */
    struct p2m_state *p2m;                            /* NULL: not a batch from one point */
    struct hybrid *hybrid;                            /* NULL: closest, or a batch from one point */
    bool from_hybrid; /* the present rays were prepared by the hybrid packet */
    stream_steps steps;
    sl_stats stats;
} stream_state;

/* t' at which the ray enters each reference; closest hits only. */
static SLI_FORCE_INLINE float *slot_nears(stream_slot *slot)
{
    return (float *)(void *)(slot->ref + STREAM_STACK);
}

/* Makes ref what the slot works on next, and prefetches it. */
static SLI_FORCE_INLINE void slot_lead(const char *lines, stream_slot *slot, uint32_t ref)
{
    slot->ray.w.at = prefetch_ref(lines, ref);
}

/* Puts the slot into the queue of its next reference.  It is written to all three queues, and
 * counted in one of them, so that nothing branches on the reference. */
static SLI_FORCE_INLINE void slot_queue(stream_state *r, stream_counts *c, const char *lines,
                                        stream_slot *slot, uint32_t ref)
{
    const uint32_t leaf = ref_is_leaf(ref), ended = ref_is_empty(ref);
    slot_lead(lines, slot, ref);
    r->queue[QUEUE_NODES][c->nodes] = slot;
    c->nodes += 1 - leaf;
    r->queue[QUEUE_LEAVES][STREAM_SLOTS_MAX - 1 - c->leaves] = slot;
    c->leaves += leaf - ended;
    r->queue[QUEUE_ENDED][c->ended] = slot;
    c->ended += ended;
}

/* A pair is a slot and a triangle of the leaf that it is at: the slot's place in QUEUE_CURRENT
 * times SLI_PACK, plus the triangle's lane. */
static SLI_FORCE_INLINE stream_slot *pair_slot(const stream_state *r, uint32_t pair)
{
    return r->queue[QUEUE_CURRENT][pair / SLI_PACK];
}

static SLI_FORCE_INLINE uint32_t pair_lane(uint32_t pair)
{
    return pair % SLI_PACK;
}

static SLI_FORCE_INLINE const sli_tri_pack *pair_pack(const stream_slot *slot)
{
    return (const sli_tri_pack *)(const void *)slot->ray.w.at;
}

/* The number of a slot of any-hit queries. */
static SLI_FORCE_INLINE uint32_t slot_number(const stream_state *r, const stream_slot *slot)
{
    return (uint32_t)((const char *)slot - r->slots) / STREAM_ANY_SLOT_SIZE;
}
