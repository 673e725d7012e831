/* Many rays in flight: while one waits for memory, the others work.  Each ray has a slot: what the
 * filters want of it, and its stack.  Rays whose next step is a node wait in a ring, rays at a leaf
 * (or at the end) in a queue; a phase of node steps without a branch on what is found, then a phase of
 * leaves, and so on.  The technique is known as asynchronous memory access chaining (Kocberber, Falsafi
 * and Grot, 2015).
 *
 * Closest: the order of nodes is that of the ray's octant, and what a hit makes useless is taken off
 * the stack at once, so that node steps need not look.  Any: no distances are kept. */

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

typedef struct crowd crowd;

/* How many wait in each queue; the loops keep it in registers. */
typedef struct ring_counts {
    size_t nodes, rest, ended;
} ring_counts;

typedef struct ring_state {
    const sli_kernel_batch *batch;
    ring_answers answers;
    size_t next, end; /* rays of the batch that are not prepared yet */
    ring_group group;
    size_t first; /* ray of those that packets looked at; of any-hit queries, that crowds did */
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
    fan_state *fan; /* NULL: no fan */
    crowd *crowd;   /* NULL: closest, or a fan */
    bool crowded;   /* the present rays are a crowd */
    sl_stats stats;
} ring_state;

/* RING_NODES: slots at a node.  RING_REST, which grows from its end to its front: at a leaf, or, straight
 * from a node, at SLI_REF_EMPTY, which a phase of leaves moves on.  RING_ENDED: without a ray.  RING_TURN:
 * those whose turn it is. */
enum { RING_NODES, RING_REST, RING_ENDED, RING_TURN };

/* t' where the ray enters, of each reference; but where any counts. */
RING_INLINE float *ring_nears(ring_slot *slot)
{
    return (float *)(void *)(slot->ref + RING_STACK);
}

/* Makes ref what the slot does next, and asks for its memory. */
RING_INLINE void ring_lead(const char *lines, ring_slot *slot, uint32_t ref)
{
    const char *at = ring_address(lines, ref);
    lone_prefetch(at, 0, SLI_NODE_LINES); /* a leaf block is one line less */
    slot->ray.w.at = at;
}

/* Puts the slot where its next reference belongs. */
RING_INLINE void ring_queue(ring_state *r, ring_counts *c, const char *lines, ring_slot *slot,
                            uint32_t ref)
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

/* Returns the slot's next reference. */
RING_INLINE uint32_t ring_node(const char *lines, ring_slot *slot, bool any)
{
    const ring_words *w = &slot->ray.w;
    const uint32_t top = w->top;
    const char *at = w->at;
    const sli_node_wide *node = (const sli_node_wide *)(const void *)at;
    f8 entry[3], leave[3];
    for (int axis = 0; axis < 3; axis++) {
        const f8 inverse = f8_splat(w->inverse[axis]);
        entry[axis] = f8_muladd(ring_side(at, slot->ray.o.near_side[axis]), inverse,
                                f8_splat(w->near_offset[axis]));
        leave[axis] = f8_muladd(ring_side(at, slot->ray.o.far_side[axis]), inverse,
                                f8_splat(w->far_offset[axis]));
    }
    const f8 from = f8_max(f8_max(entry[0], entry[1]), f8_max(entry[2], f8_splat(w->tmin)));
    const f8 to = f8_min(f8_min(leave[0], leave[1]), f8_min(leave[2], f8_splat(w->bound)));
    float *nears = any ? NULL : ring_nears(slot) + top;
    const uint32_t shift = any ? SLI_ANY_SHIFT : slot->ray.o.shift;
    const uint32_t met =
        simd_push(&slot->ref[top], nears, node->child, node->order, shift, from, to);
    const uint32_t now = top + met - 1, ref = slot->ref[now];
    slot->ray.w.top = now;
    ring_lead(lines, slot, ref);
    return ref;
}

static void ring_relieve(ring_state *r);

/* One step of every ray that is at a node.
 *
 * Each slot is written behind those of both queues, and stays in one of them: as one grows by what the
 * other does not, a single count, which takes the sign of each reference, tells both ends. */
static __attribute__((noinline)) void ring_nodes(ring_state *r, bool any)
{
    const size_t count = r->waiting.nodes, rest_before = r->waiting.rest;
    const char *lines = (const char *)r->batch->tree->lines;
    for (size_t i = 0; i < count; i += RING_FEW) {
        memcpy(r->queue[RING_TURN] + i, r->queue[RING_NODES] + i, RING_FEW * sizeof r->queue[0][0]);
    }
    const uint32_t most = any ? RING_ANY_DEEP : RING_DEEP, room = INT32_MAX - most;
    uint32_t deep = 0; /* its sign bit: somebody is too deep */
    r->stats.nodes += count;
    for (size_t i = 0; i < count && count <= RING_SPARSE; i++) {
        lone_prefetch(r->queue[RING_TURN][i]->ray.w.at, SLI_NODE_LINES,
                      SLI_NODE_LINES + LONE_BEHIND);
    }
    ring_slot **nodes = r->queue[RING_NODES] + rest_before;
    ring_slot **rest = r->queue[RING_REST] + RING_MOST - 1;
    ptrdiff_t others = -(ptrdiff_t)rest_before; /* less 1 for each slot in RING_REST */
    for (size_t i = 0; i < count; i++, nodes++) {
        ring_slot *slot = r->queue[RING_TURN][i];
        const ptrdiff_t ref = (int32_t)ring_node(lines, slot, any);
        deep |= slot->ray.w.top + room;
        nodes[others] = slot;
        rest[others] = slot;
        others += ref >> 31;
    }
    r->waiting.rest = (size_t)-others;
    r->waiting.nodes = count - (r->waiting.rest - rest_before);
    if (__builtin_expect(deep >> 31 != 0, 0)) {
        ring_relieve(r);
    }
}

/* Gives their turn to those at leaves; among them may be some that ended. */
RING_INLINE void ring_turn_leaves(ring_state *r)
{
    size_t leaves = 0, ended = r->waiting.ended;
    for (size_t i = 0; i < r->waiting.rest; i++) { /* whose memory was asked for first, first */
        ring_slot *slot = r->queue[RING_REST][RING_MOST - 1 - i];
        const uint32_t end = slot->ref[slot->ray.w.top] >> 30 & 1;
        r->queue[RING_TURN][leaves] = slot;
        leaves += 1 - end;
        r->queue[RING_ENDED][ended] = slot;
        ended += end;
    }
    r->leaves = (uint32_t)leaves;
    r->waiting.ended = ended;
    r->waiting.rest = 0;
}

/* A hit: the closest so far, or not. */
RING_INLINE void ring_accept(ring_state *r, ring_slot *slot, const sl_hit *hit)
{
    ring_words *w = &slot->ray.w;
    sl_hit *best = &r->answers.hits[w->index];
    if (!ring_is_closer(hit, best)) {
        return;
    }
    *best = *hit;
    if (hit->t == w->best) {
        return;
    }
    w->best = hit->t;
    const float bound = ring_bound_of(w->scale, hit->t);
    w->bound = bound < w->bound ? bound : w->bound;
    w->top = simd_keep(slot->ref, ring_nears(slot), w->top + 1, w->bound) - 1;
}

/* Lists these lanes of the leaf that the slot is at, which is done with it then. */
RING_INLINE void ring_list(ring_state *r, uint32_t *pairs, ring_slot *slot, uint32_t lanes)
{
    const char *at = slot->ray.w.at;
    const uint64_t pair = (uint64_t)((char *)slot - r->slots) << 32 |
                          (uint64_t)(at - r->packs) / (SLI_LINE / SLI_PACK);
    slot->ray.w.top--;
    u64_store_lanes(r->pairs + *pairs, pair, lanes);
    *pairs += (uint32_t)__builtin_popcount(lanes);
}

/* Lanes of the leaf that the slot is at that are not surely missed. */
RING_INLINE uint32_t ring_lanes(ring_state *r, const ring_slot *slot, bool any, uint32_t *used)
{
    const char *at = slot->ray.w.at;
    if (slot->ray.along == 0) {
        return ring_filter(&slot->ray, at, used);
    }
    const sl_hit *best = any ? NULL : &r->answers.hits[slot->ray.w.index];
    return ring_filter_along(&slot->ray, at, best, used);
}

/* Of two leaves, where one ray at least runs along an axis: kept out of the loop, whose registers are
 * few. */
static __attribute__((noinline)) uint32_t ring_lanes_apart(ring_state *r, ring_slot *const two[2],
                                                           bool any, uint32_t *used)
{
    uint32_t used_a, used_b;
    const uint32_t a = ring_lanes(r, two[0], any, &used_a), b = ring_lanes(r, two[1], any, &used_b);
    *used = used_a | used_b << SLI_PACK;
    return a | b << SLI_PACK;
}

/* Lists the triangles of the leaves that are not surely missed. */
RING_INLINE void ring_filters(ring_state *r, bool any)
{
    const uint32_t count = r->leaves;
    uint32_t pairs = 0, triangles = 0, used;
    uint32_t i = 0;
    for (; SIMD_TWO_LEAVES && i + 1 < count; i += 2) {
        ring_slot *const *two = r->queue[RING_TURN] + i;
        const uint32_t along = two[0]->ray.along | two[1]->ray.along;
        const uint32_t lanes = __builtin_expect(along != 0, 0)
                                   ? ring_lanes_apart(r, two, any, &used)
                                   : ring_filter_two(&two[0]->ray, &two[1]->ray, &used);
        ring_list(r, &pairs, two[0], lanes % (1 << SLI_PACK));
        ring_list(r, &pairs, two[1], lanes >> SLI_PACK);
        triangles += (uint32_t)__builtin_popcount(used);
    }
    for (; i < count; i++) {
        ring_slot *slot = r->queue[RING_TURN][i];
        const uint32_t lanes = ring_lanes(r, slot, any, &used);
        ring_list(r, &pairs, slot, lanes);
        triangles += (uint32_t)__builtin_popcount(used);
    }
    for (uint32_t fill = 0; pairs > 0 && fill < 8; fill++) {
        r->pairs[pairs + fill] = r->pairs[0];
    }
    r->pair_count = pairs;
    r->stats.triangles += triangles;
    r->stats.float_stage += triangles - pairs;
}

RING_INLINE ring_slot *ring_pair_slot(const ring_state *r, uint64_t pair)
{
    return (ring_slot *)(void *)(r->slots + (pair >> 32));
}

RING_INLINE const sli_tri_pack *ring_pair_pack(const ring_state *r, uint64_t pair)
{
    /* Without the mask of ring_address: the place of a triangle has no bits of a reference. */
    const char *at = r->packs + (size_t)((uint32_t)pair / SLI_PACK) * SLI_LINE;
    return (const sli_tri_pack *)(const void *)at;
}

/* Which of the slots of any-hit queries it is. */
RING_INLINE uint32_t ring_number(const ring_state *r, const ring_slot *slot)
{
    return (uint32_t)((const char *)slot - r->slots) / RING_ANY_SLOT;
}

/* The floats of a ray or segment of the batch. */
RING_INLINE const float *ring_floats(const ring_state *r, size_t index)
{
    const sli_kernel_batch *batch = r->batch;
    return batch->rays != NULL ? (const float *)(const void *)&batch->rays[index]
                               : (const float *)(const void *)&batch->segments[index];
}

RING_INLINE void ring_note(ring_state *r, const ring_eight *e, uint64_t pair, uint32_t i, bool any)
{
    ring_slot *slot = ring_pair_slot(r, pair);
    const size_t index = slot->ray.w.index;
    sl_hit hit;
    if (!ring_hit_of(r->batch, e, i, index, ring_pair_pack(r, pair), (uint32_t)pair % SLI_PACK,
                     slot->ray.w.best, any, &hit, &r->stats)) {
        return;
    }
    if (any) {
        r->answers.any[index] = 1;
        if (r->answers.prims != NULL) {
            r->answers.prims[index] = hit.prim;
        }
        slot->ray.w.top = 0;
        if (r->fan != NULL) {
            fan_share(r->fan, r->batch, ring_number(r, slot), ring_pair_pack(r, pair),
                      (uint32_t)pair % SLI_PACK, r->answers.any, &r->stats);
        }
    } else {
        ring_accept(r, slot, &hit);
    }
}

/* Decides eight of the listed triangles, of which the first count matter. */
RING_INLINE void ring_eight_pairs(ring_state *r, const uint64_t *pairs, uint32_t count, bool any,
                                  ring_eight *e)
{
    ring_asked asked;
    for (uint32_t i = 0; i < 8; i++) {
        const uint64_t pair = pairs[i];
        const ring_slot *slot = ring_pair_slot(r, pair);
        asked.ray[i] = any && r->fan != NULL ? r->fan->asked[ring_number(r, slot)]
                                             : ring_floats(r, slot->ray.w.index);
        asked.pack[i] = ring_pair_pack(r, pair);
        asked.lane[i] = (uint32_t)pair % SLI_PACK;
        asked.best[i] = slot->ray.w.best;
    }
    ring_question ask;
    ring_read_rays(&asked, sli_kernel_segments(r->batch), &ask);
    ring_read_triangles(&asked, &ask);
    ask.crossings = (r->batch->query->flags & SL_USE_CROSSINGS) != 0;
    ring_decide(&ask, r->batch->query->cull, any ? NULL : asked.best, e);
    const uint32_t there = (1u << count) - 1;
    e->hit &= there;
    e->unsure &= there;
    r->stats.double_stage += count - (uint32_t)__builtin_popcount(e->unsure);
}

/* Which of the triangles are hit or unsure: a list, since a loop over the bits of each eight ends where
 * nothing can foretell. */
RING_INLINE uint32_t ring_chances(const ring_state *r, uint32_t count, uint8_t *chance)
{
    uint32_t chances = 0;
    for (uint32_t i = 0; i < count; i += 8) {
        const ring_eight *e = &r->eights[i / 8];
        uint64_t lanes;
        memcpy(&lanes, simd_set_bits[e->hit | e->unsure], sizeof lanes);
        lanes += i * 0x0101010101010101u;
        memcpy(chance + chances, &lanes, sizeof lanes);
        chances += (uint32_t)__builtin_popcount(e->hit | e->unsure);
    }
    return chances;
}

/* Decides the triangles that were listed: some eights at a time, so that none waits for what is made
 * of another. */
static __attribute__((noinline)) void ring_pairs(ring_state *r, bool any)
{
    enum { MOST = 8 * RING_EIGHTS };
    for (uint32_t begin = 0; begin < r->pair_count; begin += MOST) {
        const uint64_t *pairs = r->pairs + begin;
        const uint32_t left = r->pair_count - begin, count = left < MOST ? left : MOST;
        for (uint32_t i = 0; i < count; i += 8) {
            const uint32_t some = count - i < 8 ? count - i : 8;
            ring_eight_pairs(r, pairs + i, some, any, &r->eights[i / 8]);
        }
        uint8_t chance[MOST + 8];
        const uint32_t chances = ring_chances(r, count, chance);
        for (uint32_t i = 0; i < chances; i++) {
            ring_note(r, &r->eights[chance[i] / 8], pairs[chance[i]], chance[i] % 8, any);
        }
    }
    r->pair_count = 0;
}
