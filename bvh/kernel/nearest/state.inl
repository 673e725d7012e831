/* What a batch of nearest-point queries keeps (nearest/stream.inl): slots of points in flight,
 * the queue and the list that they wait in, and the candidates to decide.
 *
 * Where a point in flight is kept, n being the same for all slots:
 *   slots      | slot 0 | slot 1 | ... | slot_count - 1 |          slot_size bytes each
 *   one slot   | nearest_slot | stack[n], references | near2[n] |
 *   the stack  entry 0 is SLI_REF_EMPTY with distance 0, which ends the search; 1 .. top - 1 wait,
 *              the last is popped first; n - 16 are used, and stores of eight lanes may write the
 *              others
 *   at_node    a circular queue of the numbers of slots whose next is a node: head .. tail - 1
 *   at_leaf    a list of those whose next is a leaf block or SLI_REF_EMPTY: 0 .. leaves - 1 */
#pragma once

#include "bvh/kernel/kernel.h"
#include "bvh/kernel/lines.inl"

enum {
    NEAREST_SLOTS_MAX = 32,      /* points in flight; fewer where a deep tree makes slots larger */
    NEAREST_SLOT_BYTES = 34048,  /* of all slots: for NEAREST_SLOTS_MAX on a tree of depth 10 */
    NEAREST_STACK_MAX = 80,      /* references on a stack before a node adds its children */
    NEAREST_LEAVES_MAX = 20,     /* slots at leaves that end a node phase */
    NEAREST_CANDIDATES_MAX = 24, /* of one point; with more they are decided early */
    NEAREST_LIST_MAX = 64        /* candidates of all points that are decided together */
};

/* Above any squared distance within the reach of the float filters, and below that of an unused
 * child or lane, which is infinite. */
#define NEAREST_SQUARE_MAX 0x1p127f

/* A point in flight.  Arrays have room for a store of eight lanes past what is in use. */
typedef struct nearest_slot {
    float at[3];   /* the point */
    float bound2;  /* at least the square of the nearest distance, and of those that round alike */
    uint32_t next; /* reference to visit; SLI_REF_EMPTY: the search is over */
    uint32_t top;  /* entries on the stack */
    uint32_t candidate_count;
    /* Slots are as large where pointers take four bytes. */
    _Alignas(8) size_t index; /* of the point in the array */
    _Alignas(8) float *near2; /* lower bounds on the squared distances of the boxes on the stack */
    /* Of each candidate: its place (bvh/tree/tri_pack.h) and a lower bound on its square. */
    uint32_t slot[NEAREST_CANDIDATES_MAX + 2 * SLI_WIDTH];
    float least2[NEAREST_CANDIDATES_MAX + 2 * SLI_WIDTH];
    uint32_t stack[]; /* references; near2 follows */
} nearest_slot;

_Static_assert((NEAREST_SLOTS_MAX & (NEAREST_SLOTS_MAX - 1)) == 0, "the queue's counters may wrap");
_Static_assert(NEAREST_LIST_MAX % 4 == 0, "the list is decided in fours");

/* Candidates of all points: triangles to decide, each with its point. */
typedef struct nearest_list {
    uint32_t count;
    uint32_t prim[NEAREST_LIST_MAX];
    size_t index[NEAREST_LIST_MAX];       /* of the point */
    float at[3][NEAREST_LIST_MAX];        /* the point, by axis */
    float corner[3][3][NEAREST_LIST_MAX]; /* [corner][axis] */
} nearest_list;

/* The state of a batch of points. */
typedef struct nearest_batch {
    const sl_bvh *tree;
    const sli_kernel_points *given;
    const uint32_t *child_masks; /* filter/child_masks.inl; most often NULL */
    sl_nearest *out;
    size_t started; /* index of the next point to start */
    sl_stats stats;
    uint32_t at_node[NEAREST_SLOTS_MAX]; /* numbers of slots, circular: head .. tail - 1 */
    uint32_t at_leaf[NEAREST_SLOTS_MAX]; /* numbers of slots: 0 .. leaves - 1 */
    uint32_t head, tail, leaves;
    nearest_list list;
    uint32_t slot_size, slot_count;
    _Alignas(SLI_LINE) char slots[NEAREST_SLOT_BYTES];
} nearest_batch;

_Static_assert(NEAREST_SLOT_BYTES ==
                   NEAREST_SLOTS_MAX *
                       (sizeof(nearest_slot) + 2 * sizeof(uint32_t) * (7 * 10 + 1 + 2 * SLI_WIDTH)),
               "as many slots fit as there may be, on a tree of depth 10");

static inline nearest_slot *nearest_slot_at(const nearest_batch *batch, uint32_t number)
{
    return (nearest_slot *)(void *)(uintptr_t)(batch->slots + number * batch->slot_size);
}

/* Lays out as many slots as fit.  A stack holds its first entry and 7 siblings a level, but no more
 * than NEAREST_STACK_MAX; then a store of eight lanes, and a load of eight, may go past its end. */
static void nearest_lay_out(nearest_batch *batch)
{
    const uint32_t deepest = 7 * batch->tree->info.depth + 1;
    const uint32_t stack =
        (deepest < NEAREST_STACK_MAX ? deepest : NEAREST_STACK_MAX) + 2 * SLI_WIDTH;
    const uint32_t bytes = (uint32_t)(sizeof(nearest_slot) + 2 * stack * sizeof(uint32_t));
    batch->slot_size = (bytes + 7) / 8 * 8;
    batch->slot_count = NEAREST_SLOT_BYTES / batch->slot_size;
    batch->slot_count =
        batch->slot_count < NEAREST_SLOTS_MAX ? batch->slot_count : NEAREST_SLOTS_MAX;
    for (uint32_t i = 0; i < batch->slot_count; i++) {
        nearest_slot *s = nearest_slot_at(batch, i);
        s->near2 = (float *)(void *)(s->stack + stack);
    }
}

/* Prefetches what a slot visits next and puts the slot in the queue for nodes or the list for
 * leaves: both stores are made, and one of the two counts goes up. */
static void queue_slot(nearest_batch *batch, uint32_t number)
{
    const nearest_slot *s = nearest_slot_at(batch, number);
    const uint32_t next = s->next;
    (void)prefetch_ref((const char *)batch->tree->lines, next);
    batch->at_node[batch->tail % NEAREST_SLOTS_MAX] = number;
    batch->tail += ref_is_leaf(next) ^ 1;
    batch->at_leaf[batch->leaves] = number;
    batch->leaves += ref_is_leaf(next);
}

/* Of up to eight items, count of them in use, keeps those whose square is within the bound; returns
 * how many. */
static uint32_t keep_eight(const uint32_t *what, const float *square, int count, float bound2,
                           uint32_t *kept, float *kept_square)
{
    const uint32_t used = count >= SLI_WIDTH ? 255u : count > 0 ? (1u << count) - 1 : 0;
    const f8 squares = f8_load(square);
    const uint32_t near = f8_bits_le(squares, f8_splat(bound2)) & used;
    u8_store_some(kept, what, near);
    f8_store_some(kept_square, squares, near);
    return (uint32_t)__builtin_popcount(near);
}

/* The same for any number of items, in place; more than 16 are rare. */
static uint32_t keep_within(uint32_t *what, float *square, uint32_t count, float bound2)
{
    uint32_t kept = keep_eight(what, square, (int)count, bound2, what, square);
    for (uint32_t i = SLI_WIDTH; i < count; i += SLI_WIDTH) {
        kept +=
            keep_eight(what + i, square + i, (int)(count - i), bound2, what + kept, square + kept);
    }
    return kept;
}

/* Drops the candidates, and the references, that the bound has excluded since. */
static void narrow_candidates(nearest_slot *s)
{
    s->candidate_count = keep_within(s->slot, s->least2, s->candidate_count, s->bound2);
}

static void narrow_stack(nearest_slot *s)
{
    s->top = keep_within(s->stack, s->near2, s->top, s->bound2);
}
