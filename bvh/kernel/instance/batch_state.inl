/* The state of a batch of rays in flight through a world, and the moves of its slots between
 * queues.  The other batch_*.inl work on it; read this one first.
 *
 * It is the loop of stream batches (stream/state.inl) with more kinds of references on
 * the stacks, and a slot's ray is at any time in one space: that of the top tree, or
 * that of an instance's tree:
 *
 *     a leaf of the top tree   its instances that are met are pushed, the farthest first
 *     an instance              the ray's words are kept aside, SCENE_REF_RETURN is pushed, and the
 *                              ray is taken to the instance, eight at a time, and goes on at the
 *                              root of its tree; of an item with a hint, the hint's comes before
 *                              the top tree, whose leaves then leave it out
 *     SCENE_REF_RETURN         the words are restored, and what a hit has made useless is dropped
 *
 * In a world of one instance rays are taken there when they start, and never see the top tree.
 *
 *     slot: filter_ray | ref[STREAM_STACK] | near[STREAM_STACK] | scene_aside   closest
 *           filter_ray | ref[STREAM_ANY_STACK] | scene_aside                         any */
#pragma once

#include "bvh/kernel/instance/intersect8.inl"
#include "bvh/kernel/instance/packet_rest.inl"
#include "bvh/kernel/instance/walk.inl"

/* References of slots alone: leaves to node steps, and of a kind that trees have not.  The line of
 * SCENE_REF_INSTANCE is the instance's number. */
#define SCENE_REF_INSTANCE 0xD0000000u
#define SCENE_REF_RETURN   0xE0000000u

/* Lines of an instance that entering it takes. */
enum { PLACED_LINES = 3 };
_Static_assert((int)PLACED_LINES == (int)SLI_PACK_LINES &&
                   offsetof(sli_placed, mirrored) < PLACED_LINES * SLI_LINE &&
                   sizeof(sli_placed) % SLI_LINE == 0,
               "instances are prefetched as leaf blocks are");

enum {
    SCENE_SLOTS_MAX = 39,
    SCENE_RAYS_MIN = 8, /* fewer are walked one by one */
    SCENE_EIGHTS = 4,
    SCENE_UNPACKED_MAX = 24 /* leaves in a phase, if trees are compact; the others wait */
};

/* What a slot keeps besides its ray and its stack. */
typedef struct scene_aside {
    ray_offsets offsets; /* at the top, as are the next line and top_base_t */
    float inverse[3], tmin, near_base[3], bound, far_base[3], scale;
    double top_base_t;
    double base_t, most; /* t of the present base; no hit beyond most matters */
    const char *lines;   /* of the present tree */
    uint32_t instance;   /* SL_NONE: at the top */
    uint32_t entering;   /* the instance to go to */
    uint32_t tried;      /* any: the instance that was entered before all others, or SL_NONE */
    uint32_t floor;      /* where SCENE_REF_RETURN is on the stack; 0: the ray ends instead */
} scene_aside;

_Static_assert(sizeof(scene_aside) <= 2 * SLI_LINE, "two lines");

enum {
    SCENE_SLOT_SIZE = STREAM_SLOT_SIZE + 2 * SLI_LINE,
    SCENE_ANY_SLOT_SIZE = STREAM_ANY_SLOT_SIZE + 2 * SLI_LINE
};

/* Lists of slots.  SCENE_LEAVES grows from its end to its front, so that node steps count both ends
 * with one number; the others are lists of what a phase of leaves has to do. */
enum {
    SCENE_NODES,   /* at a node */
    SCENE_LEAVES,  /* at anything else, not yet told apart */
    SCENE_PACKS,   /* at a leaf of an instance */
    SCENE_TOPS,    /* at a leaf of the top tree */
    SCENE_ENTRIES, /* at an instance */
    SCENE_RETURNS, /* at SCENE_REF_RETURN */
    SCENE_ENDED,   /* without a ray */
    SCENE_QUEUES
};

typedef struct scene_batch {
    const sli_scene_batch *asked;
    bool in_floats;   /* t is rounded to floats */
    sl_hit *hits;     /* closest, in floats; else NULL */
    sl_hit_d *hits_d; /* closest, in doubles; else NULL */
    uint8_t *any;     /* any; else NULL */
    sl_triangle_ref *refs;
    size_t next, end;
    size_t first;                     /* the item that bit 0 of what packets leave is of */
    scene_rest rest;                  /* of packets (packet.inl) */
    bool packed;                      /* there were any */
    sli_placed top;                   /* the top tree as an instance */
    const sli_placed *only;           /* where all rays start: in the only instance; or NULL */
    local8 group;                     /* rays that no slot has taken yet */
    float words[SLI_WIDTH][RAY_ROWS]; /* theirs, as ray8_group has them */
    size_t index[8];                  /* of its lanes */
    double most[8];                   /* likewise */
    uint32_t tried[8];                /* likewise, of items with hints */
    float best[8]; /* likewise, of closest hits in floats: of what they have so far */
    stream_slot *queue[SCENE_QUEUES][SCENE_SLOTS_MAX + SIMD_LEAVES];
    uint32_t count[SCENE_QUEUES];
    uint8_t pairs[SLI_PACK * SCENE_SLOTS_MAX + 8]; /* as stream_state has them */
    uint32_t pair_count;
    uint32_t sure_lanes;       /* any: as stream_state has it */
    bool answered;             /* any: hints have answered items, whose any is 1 */
    bool masked;               /* node steps look at masks (batch_masks.inl) */
    const uint32_t *top_masks; /* of the top tree, or NULL */
    bool compact;              /* some ray has entered a compact tree */
    sli_tri_pack *unpacked;    /* blocks for a phase of leaves */
    scene_eight eights[SCENE_EIGHTS];
    sl_stats stats;
} scene_batch;

static SLI_FORCE_INLINE scene_aside *slot_aside(stream_slot *slot, bool any)
{
    const size_t size = any ? STREAM_ANY_SLOT_SIZE : STREAM_SLOT_SIZE;
    return (scene_aside *)(void *)((char *)slot + size);
}

static SLI_FORCE_INLINE void scene_list(scene_batch *r, uint32_t queue, stream_slot *slot)
{
    r->queue[queue][r->count[queue]++] = slot;
}

/* Lists the slot by the reference on top of its stack, which stays there. */
static SLI_FORCE_INLINE void scene_queue(scene_batch *r, stream_slot *slot, const char *lines)
{
    const uint32_t ref = slot->ref[slot->ray.w.top], leaf = ref_is_leaf(ref);
    slot_lead(lines, slot, ref);
    r->queue[SCENE_NODES][r->count[SCENE_NODES]] = slot;
    r->count[SCENE_NODES] += 1 - leaf;
    r->queue[SCENE_LEAVES][SCENE_SLOTS_MAX - 1 - r->count[SCENE_LEAVES]] = slot;
    r->count[SCENE_LEAVES] += leaf;
}

static SLI_FORCE_INLINE void scene_put(scene_batch *r, size_t index, const sl_hit_d *hit)
{
    if (r->in_floats) {
        r->hits[index] = sli_hit_in_floats(hit);
    } else {
        r->hits_d[index] = *hit;
    }
}

/* The closest hit of an item so far. */
static SLI_FORCE_INLINE sl_hit_d scene_best(const scene_batch *r, size_t index)
{
    if (!r->in_floats) {
        return r->hits_d[index];
    }
    const sl_hit *hit = &r->hits[index];
    return (sl_hit_d){ .t = (double)hit->t, .prim = hit->prim, .instance = hit->instance };
}

/* Whether a hit comes before the best so far.  One branch, which is mostly taken. */
static SLI_FORCE_INLINE bool scene_is_closer(const scene_batch *r, size_t index,
                                             const sl_hit_d *hit)
{
    const sl_hit_d best = scene_best(r, index);
    const unsigned first = best.prim == SL_NONE, nearer = hit->t < best.t;
    const unsigned lower =
        hit->instance < best.instance || (hit->instance == best.instance && hit->prim < best.prim);
    return (first | nearer | ((hit->t == best.t) & lower)) != 0;
}

static SLI_FORCE_INLINE void scene_put_any(scene_batch *r, size_t index, sl_triangle_ref triangle)
{
    r->any[index] = 1;
    if (r->refs != NULL) {
        r->refs[index] = triangle;
    }
}

static SLI_FORCE_INLINE void scene_put_miss(scene_batch *r, size_t index)
{
    const sl_hit_d miss = { .t = sli_scene_batch_limit(r->asked, index), .prim = SL_NONE };
    scene_put(r, index, &miss);
}

/* Answers an item by the walk.  Rare: kept out of the loops. */
static SLI_NOINLINE void scene_by_walk(scene_batch *r, size_t index)
{
    const sli_scene_batch *asked = r->asked;
    sli_scene_ray ray;
    if (!sli_scene_batch_ray(asked, index, &ray)) {
        r->stats.rays++;
        return; /* a miss is written */
    }
    if (r->any != NULL) {
        r->any[index] =
            scene_any(asked->world, &ray, r->refs != NULL ? &r->refs[index] : NULL, &r->stats);
        return;
    }
    sl_hit_d hit;
    if (scene_closest(asked->world, &ray, &hit, &r->stats)) {
        scene_put(r, index, &hit);
    }
}

/* The same for a ray in flight, which ends. */
static SLI_NOINLINE void scene_give_up(scene_batch *r, stream_slot *slot)
{
    const size_t index = slot->ray.w.index;
    r->stats.rays--; /* the walk counts it */
    if (r->any == NULL) {
        scene_put_miss(r, index);
    }
    scene_by_walk(r, index);
    scene_list(r, SCENE_ENDED, slot);
}
