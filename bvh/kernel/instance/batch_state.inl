/* The state of a batch of rays in flight through a world, and the moves of its slots between
 * queues.  The other batch_*.inl work on it; read this one first.
 *
 * It is the loop of stream batches (stream/state.inl) with more kinds of references on
 * the stacks, and a slot's ray is at any time in one space: that of the top tree, or
 * that of an instance's tree:
 *
 *     a leaf of the top tree   its instances that are met are pushed, the farthest first
 *     an instance              the ray's words are kept aside, WORLD_REF_RETURN is pushed, and the
 *                              ray is taken to the instance, eight at a time, and goes on at the
 *                              root of its tree; of an item with a hint, the hint's comes before
 *                              the top tree, whose leaves then leave it out
 *     WORLD_REF_RETURN         the words are restored, and what a hit has made useless is dropped
 *
 * In a world of one instance rays are taken there when they start, and never see the top tree.
 *
 *     slot: filter_ray | ref[STREAM_STACK] | near[STREAM_STACK] | world_aside   closest
 *           filter_ray | ref[STREAM_ANY_STACK] | world_aside                         any, all */
#pragma once

#include "bvh/kernel/instance/intersect8.inl"
#include "bvh/kernel/instance/packet_rest.inl"
#include "bvh/kernel/instance/top_leaf.inl"
#include "bvh/kernel/instance/walk.inl"

/* References of slots alone: leaves to node steps, and of a kind that trees have not.  The line of
 * WORLD_REF_INSTANCE is the instance's number. */
#define WORLD_REF_INSTANCE 0xD0000000u
#define WORLD_REF_RETURN   0xE0000000u

enum {
    WORLD_SLOTS_MAX = 39,
    WORLD_EIGHTS = 4,
    WORLD_UNPACKED_MAX = 24 /* leaves in a phase, if trees are compact; the others wait */
};

/* What a slot keeps besides its ray and its stack. */
typedef struct world_aside {
    ray_offsets offsets; /* at the top, as are the next line and top_base_t */
    float inverse[3], tmin, near_base[3], bound, far_base[3], scale;
    double top_base_t;
    double base_t, most; /* t of the present base; no hit beyond most matters */
    const char *lines;   /* of the present tree */
    uint32_t instance;   /* SL_NONE: at the top */
    uint32_t entering;   /* the instance to go to */
    uint32_t tried;      /* any: the instance that was entered before all others, or SL_NONE */
    uint32_t floor;      /* where WORLD_REF_RETURN is on the stack; 0: the ray ends instead */
} world_aside;

_Static_assert(sizeof(world_aside) <= 2 * SLI_LINE, "two lines");

enum {
    WORLD_SLOT_SIZE = STREAM_SLOT_SIZE + 2 * SLI_LINE,
    WORLD_ANY_SLOT_SIZE = STREAM_ANY_SLOT_SIZE + 2 * SLI_LINE
};

/* Lists of slots.  WORLD_LEAVES grows from its end to its front, so that node steps count both ends
 * with one number; the others are lists of what a phase of leaves has to do. */
enum {
    WORLD_NODES,   /* at a node */
    WORLD_LEAVES,  /* at anything else, not yet told apart */
    WORLD_PACKS,   /* at a leaf of an instance */
    WORLD_TOPS,    /* at a leaf of the top tree */
    WORLD_ENTRIES, /* at an instance */
    WORLD_RETURNS, /* at WORLD_REF_RETURN */
    WORLD_ENDED,   /* without a ray */
    WORLD_QUEUES
};

/* Eight items, as lines and their smallest t. */
typedef struct world_lines {
    double origin[3][8], dir[3][8], tmin[8];
} world_lines;

typedef struct world_batch {
    const sli_world_batch *batch;
    bool in_floats;   /* t is rounded to floats */
    sl_hit *hits;     /* closest, in floats, and of all rows of them; else NULL */
    sl_hit_d *hits_d; /* closest, in doubles, likewise; else NULL */
    uint8_t *any;     /* any; else NULL */
    sl_triangle_ref *refs;
    uint64_t *totals; /* all; else NULL */
    size_t capacity;  /* all; 0: hits are counted alone */
    size_t next, end;
    size_t first;                     /* the item that bit 0 of what packets leave is of */
    world_rest rest;                  /* of packets (packet.inl) */
    bool packed;                      /* there were any */
    sli_transformed top;              /* the top tree as an instance */
    const sli_transformed *only;      /* where all rays start: in the only instance; or NULL */
    local8 group;                     /* rays that no slot has taken yet */
    float words[SLI_WIDTH][RAY_ROWS]; /* theirs, as ray8_group has them */
    size_t index[8];                  /* of its lanes */
    double most[8];                   /* likewise */
    float best[8];     /* likewise, of closest hits in floats: of what they have so far */
    world_lines lines; /* likewise, of items with hints */
    stream_slot *queue[WORLD_QUEUES][WORLD_SLOTS_MAX + SIMD_LEAVES];
    uint32_t count[WORLD_QUEUES];
    uint8_t pairs[SLI_PACK * WORLD_SLOTS_MAX + 8]; /* as stream_state has them */
    uint32_t pair_count;
    uint32_t sure_lanes;       /* as stream_state has it */
    bool answered;             /* any: hints have answered items, whose any is 1 */
    bool masked;               /* node steps look at masks (batch_masks.inl) */
    const uint32_t *top_masks; /* of the top tree, or NULL */
    bool compact;              /* some ray has entered a compact tree */
    sli_tri_pack *unpacked;    /* blocks for a phase of leaves */
    world_eight eights[WORLD_EIGHTS];
    sl_stats stats;
} world_batch;

static SLI_FORCE_INLINE world_aside *slot_aside(stream_slot *slot, bool any)
{
    const size_t size = any ? STREAM_ANY_SLOT_SIZE : STREAM_SLOT_SIZE;
    return (world_aside *)(void *)((char *)slot + size);
}

static SLI_FORCE_INLINE void world_list(world_batch *r, uint32_t queue, stream_slot *slot)
{
    r->queue[queue][r->count[queue]++] = slot;
}

/* Lists the slot by the reference on top of its stack, which stays there. */
static SLI_FORCE_INLINE void world_queue_as(world_batch *r, stream_slot *slot, const char *lines,
                                            uint32_t *nodes, uint32_t *leaves)
{
    const uint32_t ref = slot->ref[slot->ray.w.top], leaf = ref_is_leaf(ref);
    slot_lead(lines, slot, ref);
    r->queue[WORLD_NODES][*nodes] = slot;
    *nodes += 1 - leaf;
    r->queue[WORLD_LEAVES][WORLD_SLOTS_MAX - 1 - *leaves] = slot;
    *leaves += leaf;
}

static SLI_FORCE_INLINE void world_queue(world_batch *r, stream_slot *slot, const char *lines)
{
    world_queue_as(r, slot, lines, &r->count[WORLD_NODES], &r->count[WORLD_LEAVES]);
}

/* The same for all slots of a list, which is emptied.  Counts stay in registers: a slot would wait
 * for the one before it to store and load them. */
static SLI_FORCE_INLINE void world_queue_list(world_batch *r, uint32_t list, bool any)
{
    uint32_t nodes = r->count[WORLD_NODES], leaves = r->count[WORLD_LEAVES];
    const uint32_t count = r->count[list];
    for (uint32_t i = 0; i < count; i++) {
        stream_slot *slot = r->queue[list][i];
        world_queue_as(r, slot, slot_aside(slot, any)->lines, &nodes, &leaves);
    }
    r->count[WORLD_NODES] = nodes;
    r->count[WORLD_LEAVES] = leaves;
    r->count[list] = 0;
}

static SLI_FORCE_INLINE void world_put(world_batch *r, size_t index, const sl_hit_d *hit)
{
    if (r->in_floats) {
        r->hits[index] = sli_hit_in_floats(hit);
    } else {
        r->hits_d[index] = *hit;
    }
}

/* The closest hit of an item so far. */
static SLI_FORCE_INLINE sl_hit_d world_best(const world_batch *r, size_t index)
{
    if (!r->in_floats) {
        return r->hits_d[index];
    }
    const sl_hit *hit = &r->hits[index];
    return (sl_hit_d){ .t = (double)hit->t, .prim = hit->prim, .instance = hit->instance };
}

/* Whether a hit comes before the best so far.  One branch, which is mostly taken. */
static SLI_FORCE_INLINE bool world_is_closer(const world_batch *r, size_t index,
                                             const sl_hit_d *hit)
{
    const sl_hit_d best = world_best(r, index);
    const unsigned first = best.prim == SL_NONE, nearer = hit->t < best.t;
    const unsigned lower =
        hit->instance < best.instance || (hit->instance == best.instance && hit->prim < best.prim);
    return (first | nearer | ((hit->t == best.t) & lower)) != 0;
}

static SLI_FORCE_INLINE void world_put_any(world_batch *r, size_t index, sl_triangle_ref triangle)
{
    r->any[index] = 1;
    if (r->refs != NULL) {
        r->refs[index] = triangle;
    }
}

/* Begins the answer to an item whose upper limit is most. */
static SLI_FORCE_INLINE void world_put_miss(world_batch *r, size_t index, double most)
{
    if (r->any != NULL) {
        r->any[index] = 0;
        return;
    }
    if (r->totals != NULL) {
        r->totals[index] = 0;
        return;
    }
    const sl_hit_d miss = { .t = most, .prim = SL_NONE };
    world_put(r, index, &miss);
}

/* Answers an item by the walk; of all hits, its row is left as a heap.  Rare: kept out of the
 * loops. */
static SLI_NOINLINE void world_by_walk(world_batch *r, size_t index)
{
    const sli_world_batch *batch = r->batch;
    sli_world_ray ray;
    if (!sli_world_batch_ray(batch, index, &ray)) {
        r->stats.rays++;
        return; /* a miss is written */
    }
    if (r->any != NULL) {
        r->any[index] =
            world_any(batch->world, &ray, r->refs != NULL ? &r->refs[index] : NULL, &r->stats);
        return;
    }
    if (r->totals != NULL) {
        sli_world_row row = sli_world_row_of(r->hits, r->hits_d, r->capacity, index);
        world_all(batch->world, &ray, sli_world_row_add, &row, &r->stats);
        r->totals[index] = row.total;
        return;
    }
    sl_hit_d hit;
    if (world_closest(batch->world, &ray, &hit, &r->stats)) {
        world_put(r, index, &hit);
    }
}

/* The same for a ray in flight, which ends. */
static SLI_NOINLINE void world_give_up(world_batch *r, stream_slot *slot)
{
    const size_t index = slot->ray.w.index;
    r->stats.rays--; /* the walk counts it */
    world_put_miss(r, index, sli_world_batch_limit(r->batch, index));
    world_by_walk(r, index);
    world_list(r, WORLD_ENDED, slot);
}
