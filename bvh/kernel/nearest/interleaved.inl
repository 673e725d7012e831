/* The one nearest triangle to each of many points: sl_bvh_nearest_many(), and sl_bvh_nearest(),
 * whose array has one (nearest_many of the kernel table).
 *
 * Many points are in flight, so that while one waits for memory the others compute (asynchronous
 * memory access chaining: Kocberber, Falsafi and Grot, 2015).  What stalls all of them is a
 * mispredicted branch, so the steps have hardly any: of two stores both are made, and a count tells
 * which one stays.
 *
 * Outline
 *   traverse_nearest_many  a point for each slot, then node and leaf phases until all are done
 *   node_phase             slots at a node, one node at a time (step_node), until
 *                          NEAREST_LEAVES_MAX slots are at leaves
 *   leaf_phase             slots at a leaf block: bounds from below and above on the squared
 *                          distances of its triangles (nearest/filter.inl); the upper ones narrow
 *                          the search at once, and triangles that may still be the nearest become
 *                          candidates (take_block)
 *   restart_slots          slots with nothing left to visit: their candidates, most often one or
 *                          two, join the list, and the slot takes the next point
 *   decide_list            the list, four pairs at a time in doubles (nearest/decide.inl), exactly
 *                          where those cannot tell (lib/geom/closest/point_triangle.h)
 * Points outside the range of the float filters, and those whose stack fills up, go to
 * nearest_single.
 *
 * Where a point in flight is kept, n being the same for all slots:
 *   slots      | slot 0 | slot 1 | ... | slot_count - 1 |          slot_size bytes each
 *   one slot   | nearest_slot | stack[n], references | near2[n] |
 *   the stack  entry 0 is SLI_REF_EMPTY with distance 0, which ends the search; 1 .. top - 1 wait,
 *              the last is popped first; n - 16 are used, and stores of eight lanes may write the
 *              others
 *   at_node    a circular queue of the numbers of slots whose next is a node: head .. tail - 1
 *   at_leaf    a list of those whose next is a leaf block or SLI_REF_EMPTY: 0 .. leaves - 1 */
#ifndef SLI_KERNEL_NEAREST_INTERLEAVED_INL
#define SLI_KERNEL_NEAREST_INTERLEAVED_INL

#include "bvh/kernel/kernel.h"
#include "bvh/kernel/nearest/decide.inl"
#include "bvh/kernel/nearest/filter.inl"
#include "bvh/kernel/nearest/single.inl"
#include "bvh/kernel/reference/ray.inl"
#include "bvh/kernel/simd/simd.h"
#include "lib/base/inline.h"
#include "lib/geom/closest/point_triangle.h"

#include <math.h>
#include <string.h>

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
    size_t index; /* of the point in the array */
    float *near2; /* lower bounds on the squared distances of the boxes on the stack */
    /* Of each candidate: its place (bvh/tree/tri_pack.h) and a lower bound on its square. */
    uint32_t place[NEAREST_CANDIDATES_MAX + 2 * SLI_WIDTH];
    float least2[NEAREST_CANDIDATES_MAX + 2 * SLI_WIDTH];
    uint32_t stack[]; /* references; near2 follows */
} nearest_slot;

/* next >> 31 is 1 for a leaf block and SLI_REF_EMPTY, 0 for a node. */
_Static_assert(SLI_REF_LEAF == 1u << 31 && (SLI_REF_EMPTY & SLI_REF_LEAF) != 0,
               "a bit tells leaves");
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

typedef struct nearest_batch {
    const sl_bvh *tree;
    const sli_kernel_points *ask;
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

static inline nearest_slot *nearest_slot_at(const nearest_batch *batch, uint32_t number)
{
    return (nearest_slot *)(void *)(uintptr_t)(batch->slots + number * batch->slot_size);
}

/* Lays out as many slots as fit.  A stack holds its first entry and 7 siblings a level, but no more
 * than NEAREST_STACK_MAX; then a store of eight lanes, and a load of eight, may go past its end. */
static void nearest_lay_out(nearest_batch *batch)
{
    const uint32_t most = 7 * batch->tree->info.depth + 1;
    const uint32_t stack = (most < NEAREST_STACK_MAX ? most : NEAREST_STACK_MAX) + 2 * SLI_WIDTH;
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
    const char *lines = (const char *)sli_tree_node(batch->tree, next);
    for (int line = 0; line < SLI_NODE_LINES; line++) {
        __builtin_prefetch(lines + line * SLI_LINE);
    }
    batch->at_node[batch->tail % NEAREST_SLOTS_MAX] = number;
    batch->tail += next >> 31 ^ 1;
    batch->at_leaf[batch->leaves] = number;
    batch->leaves += next >> 31;
}

/* Visits a node: of the children within the bound the nearest is next, and the others go on the
 * stack.  If there are none, the top of the stack is next. */
static void step_node(nearest_slot *s, const sl_bvh *tree)
{
    const sli_node_wide *node = sli_tree_node(tree, s->next);
    const f8 near2 = nearest_boxes(s->at, node);
    const uint32_t met = f8_bits_le(near2, f8_splat(s->bound2));
    const uint32_t nearest = f8_least(near2), rest = met & ~(1u << nearest);
    const bool none = met == 0; /* otherwise the nearest of all eight is within the bound */
    u8_store_some(s->stack + s->top, node->child, rest);
    f8_store_some(s->near2 + s->top, near2, rest);
    s->top += (uint32_t)__builtin_popcount(rest) - none;
    s->next = *(none ? &s->stack[s->top] : &node->child[nearest]);
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

static void narrow_candidates(nearest_slot *s)
{
    s->candidate_count = keep_within(s->place, s->least2, s->candidate_count, s->bound2);
}

static void narrow_stack(nearest_slot *s)
{
    s->top = keep_within(s->stack, s->near2, s->top, s->bound2);
}

/* Decides a candidate whose distance lies between low and high: it becomes the answer to its point
 * if it is nearer than the answer so far, or as near with a lower prim.  u, v: weights of vertices
 * 1 and 2. */
static void decide_one(nearest_batch *batch, uint32_t i, double low, double high, double u,
                       double v)
{
    const nearest_list *list = &batch->list;
    sl_nearest *best = &batch->out[list->index[i]]; /* distance starts as the limit */
    sli_nearest_point nearest;
    double point[3];
    float corner[3][3];
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = list->at[axis][i];
        for (int k = 0; k < 3; k++) {
            corner[k][axis] = list->corner[k][axis][i];
        }
    }
    const bool found =
        sli_point_triangle_within(point, corner[0], corner[1], corner[2], batch->ask->limit,
                                  best->distance, low, high, &nearest);
    batch->stats.double_stage += nearest.stage == SLI_STAGE_DOUBLE;
    batch->stats.exact_stage += nearest.stage == SLI_STAGE_EXACT;
    batch->stats.hits += found;
    if (found && (nearest.distance < best->distance ||
                  (nearest.distance == best->distance && list->prim[i] < best->prim))) {
        *best = (sl_nearest){
            .distance = nearest.distance, .u = (float)u, .v = (float)v, .prim = list->prim[i]
        };
        sli_nearest_place(corner[0], corner[1], corner[2], best->u, best->v, best->point);
    }
}

/* Decides candidates i .. i + 3, those up to count. */
static void decide_four(nearest_batch *batch, uint32_t i)
{
    const nearest_list *list = &batch->list;
    const uint32_t count = list->count - i < 4 ? list->count - i : 4;
    d4_corners corners;
    d4 u, v, low, high;
    double lows[4], highs[4], us[4], vs[4];
    for (int axis = 0; axis < 3; axis++) {
        const d4 at = d4_load(&list->at[axis][i]);
        for (int k = 0; k < 3; k++) {
            corners.at[k][axis] = d4_sub(d4_load(&list->corner[k][axis][i]), at);
        }
    }
    d4_weights(&corners, &u, &v);
    d4_interval(&corners, u, v, &low, &high);
    d4_store(lows, low);
    d4_store(highs, high);
    d4_store(us, u);
    d4_store(vs, v);
    for (uint32_t k = 0; k < count; k++) {
        decide_one(batch, i + k, lows[k], highs[k], us[k], vs[k]);
    }
}

/* Writes a candidate of a slot, the triangle at a place, as entry `to` of the list. */
static void list_candidate(nearest_list *list, uint32_t to, const sl_bvh *tree,
                           const nearest_slot *s, uint32_t place)
{
    sli_tri_pack unpacked;
    const sli_tri_pack *pack = sli_tree_pack(tree, place / SLI_PACK, &unpacked);
    const uint32_t lane = place % SLI_PACK;
    list->prim[to] = pack->prim[lane];
    list->index[to] = s->index;
    for (int axis = 0; axis < 3; axis++) {
        list->at[axis][to] = s->at[axis];
        for (int k = 0; k < 3; k++) {
            list->corner[k][axis][to] = pack->axis[axis].vertex[k][lane];
        }
    }
}

/* Fills the entries after the last candidate, up to a multiple of four, with copies of it. */
static void fill_list(nearest_list *list)
{
    for (uint32_t i = list->count; i % 4 != 0; i++) {
        for (int axis = 0; axis < 3; axis++) {
            list->at[axis][i] = list->at[axis][i - 1];
            for (int k = 0; k < 3; k++) {
                list->corner[k][axis][i] = list->corner[k][axis][i - 1];
            }
        }
    }
}

static void decide_list(nearest_batch *batch)
{
    fill_list(&batch->list);
    for (uint32_t i = 0; i < batch->list.count; i += 4) {
        decide_four(batch, i);
    }
    batch->list.count = 0;
}

static void list_candidates(nearest_batch *batch, nearest_slot *s)
{
    for (uint32_t i = 0; i < s->candidate_count; i++) {
        if (batch->list.count == NEAREST_LIST_MAX) {
            decide_list(batch);
        }
        list_candidate(&batch->list, batch->list.count++, batch->tree, s, s->place[i]);
    }
    s->candidate_count = 0;
}

/* Decides the candidates of a slot that has too many of them, which narrows its search. */
static void decide_slot(nearest_batch *batch, nearest_slot *s)
{
    list_candidates(batch, s);
    decide_list(batch);
    s->bound2 = fminf(s->bound2, nearest_square(batch->out[s->index].distance));
    narrow_stack(s);
}

/* The lanes that hold a triangle that mask and skip leave in. */
static uint32_t lanes_wanted(const nearest_batch *batch, const nearest_slot *s,
                             const sli_tri_pack *pack)
{
    uint32_t lanes = f4_bits_ne(pack->prim, SL_NONE);
    if ((batch->ask->query->flags & (SL_USE_MASK | SL_USE_SKIP)) != 0) {
        const sli_kernel_filter filter = sli_filter_of(batch->ask->query, s->index);
        for (int lane = 0; lane < SLI_PACK; lane++) {
            const bool wants = sli_kernel_wants(&filter, pack->prim[lane], pack->mask[lane]);
            lanes &= ~((uint32_t)!wants << lane);
        }
    }
    return lanes;
}

/* Finishes the leaf block that a slot is at: its upper bounds narrow the search, its triangles
 * within the bound become candidates, and the top of the stack is next. */
static void take_block(nearest_batch *batch, nearest_slot *s, const float *least2,
                       const float *most2)
{
    const uint32_t line = s->next & SLI_REF_LINE;
    const float most = most2[0] * NEAREST_ALIKE;
    uint32_t place[SLI_WIDTH];
    if (most < s->bound2) {
        s->bound2 = most;
        narrow_stack(s);
    }
    s->next = s->stack[--s->top];
    const f8 least = f8_load(least2);
    const uint32_t near = f8_bits_le(least, f8_splat(s->bound2)) & ((1u << SLI_PACK) - 1);
    for (uint32_t lane = 0; lane < SLI_WIDTH; lane++) {
        place[lane] = line * SLI_PACK + lane;
    }
    u8_store_some(s->place + s->candidate_count, place, near);
    f8_store_some(s->least2 + s->candidate_count, least, near);
    s->candidate_count += (uint32_t)__builtin_popcount(near);
    if (s->candidate_count > NEAREST_CANDIDATES_MAX) {
        narrow_candidates(s);
        if (s->candidate_count > NEAREST_CANDIDATES_MAX) {
            decide_slot(batch, s);
        }
    }
}

/* Whether a point can have an answer: it is finite, the limit is >= 0, the tree has triangles. */
static bool nearest_is_valid(const sl_bvh *tree, const sli_kernel_points *ask, const float p[3])
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]) && ask->limit >= 0 &&
           tree->root != SLI_REF_EMPTY;
}

/* Starts the next point within the range of the float filters in a slot; answers those outside it
 * on the
 * way.  False: there is no next point. */
static bool start_slot(nearest_batch *batch, nearest_slot *s)
{
    const sli_kernel_points *ask = batch->ask;
    while (batch->started < ask->end) {
        const size_t index = batch->started++;
        const float *p = ask->points + 3 * index;
        batch->out[index] = (sl_nearest){ .distance = ask->limit, .prim = SL_NONE };
        batch->stats.rays++;
        if (!nearest_is_valid(batch->tree, ask, p)) {
            continue;
        }
        if (nearest_is_wide(batch->tree, p)) {
            nearest_single(batch->tree, ask, index, &batch->out[index], &batch->stats);
            continue;
        }
        memcpy(s->at, p, sizeof s->at);
        s->bound2 = fminf(nearest_square(ask->limit), NEAREST_SQUARE_MAX);
        s->index = index;
        s->candidate_count = 0;
        s->stack[0] = SLI_REF_EMPTY;
        s->near2[0] = 0;
        s->next = batch->tree->root;
        s->top = 1;
        return true;
    }
    return false;
}

/* Of the slots at leaves, those whose search is over hand in their candidates and start another
 * point; the others are written to waiting, and counted. */
static uint32_t restart_slots(nearest_batch *batch, uint32_t waiting[NEAREST_SLOTS_MAX])
{
    uint32_t at_leaf[NEAREST_SLOTS_MAX], count = 0;
    const uint32_t leaves = batch->leaves;
    memcpy(at_leaf, batch->at_leaf, sizeof at_leaf);
    batch->leaves = 0;
    for (uint32_t i = 0; i < leaves; i++) {
        nearest_slot *s = nearest_slot_at(batch, at_leaf[i]);
        if (s->next != SLI_REF_EMPTY) {
            waiting[count++] = at_leaf[i];
            continue;
        }
        narrow_candidates(s);
        list_candidates(batch, s);
        if (start_slot(batch, s)) {
            queue_slot(batch, at_leaf[i]);
        }
    }
    return count;
}

/* Bounds for the leaf blocks of two slots, or of one if two is NULL: eight below, eight above. */
static void bound_blocks(nearest_batch *batch, const nearest_slot *one, const nearest_slot *two,
                         float *least2, float *most2)
{
    const bool both = two != NULL;
    two = both ? two : one;
    sli_tri_pack unpacked[2];
    const sli_tri_pack *const pack[2] = { sli_tree_pack(batch->tree, one->next, &unpacked[0]),
                                          sli_tree_pack(batch->tree, two->next, &unpacked[1]) };
    const uint32_t wanted = lanes_wanted(batch, one, pack[0]) |
                            (both ? lanes_wanted(batch, two, pack[1]) << SLI_PACK : 0);
    bound_triangles(pack, (const float *const[]){ one->at, two->at }, wanted, least2, most2);
    batch->stats.triangles += (uint64_t)__builtin_popcount(wanted);
}

/* Of a compact tree: prefetches the vertices of all blocks that come next. */
static void fetch_blocks(const nearest_batch *batch, const uint32_t *waiting, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        sli_tri_fetch(sli_tree_block(batch->tree, nearest_slot_at(batch, waiting[i])->next),
                      batch->tree->vertices);
    }
}

static void leaf_phase(nearest_batch *batch)
{
    uint32_t waiting[NEAREST_SLOTS_MAX + 1];
    float least2[NEAREST_SLOTS_MAX + 2][SLI_PACK], most2[NEAREST_SLOTS_MAX + 2][SLI_PACK];
    const uint32_t count = restart_slots(batch, waiting);
    uint32_t i = 0;
    if (batch->tree->vertices != NULL) {
        fetch_blocks(batch, waiting, count);
    }
    for (; i + 1 < count; i += 2) {
        bound_blocks(batch, nearest_slot_at(batch, waiting[i]),
                     nearest_slot_at(batch, waiting[i + 1]), least2[i], most2[i]);
    }
    if (i < count) {
        bound_blocks(batch, nearest_slot_at(batch, waiting[i]), NULL, least2[i], most2[i]);
    }
    for (i = 0; i < count; i++) {
        take_block(batch, nearest_slot_at(batch, waiting[i]), least2[i], most2[i]);
        queue_slot(batch, waiting[i]);
    }
}

/* Finishes alone a point whose stack cannot take another node's children.  Candidates of it that
 * are on the list already do no harm.  Rare: kept out of the loop. */
static SLI_NOINLINE void finish_alone(nearest_batch *batch, nearest_slot *s)
{
    nearest_single(batch->tree, batch->ask, s->index, &batch->out[s->index], &batch->stats);
    s->candidate_count = 0;
    s->next = SLI_REF_EMPTY;
}

static void node_phase(nearest_batch *batch)
{
    while (batch->head != batch->tail && batch->leaves < NEAREST_LEAVES_MAX) {
        const uint32_t number = batch->at_node[batch->head++ % NEAREST_SLOTS_MAX];
        nearest_slot *s = nearest_slot_at(batch, number);
        step_node(s, batch->tree);
        batch->stats.nodes++;
        if (__builtin_expect(s->top > NEAREST_STACK_MAX, 0)) {
            finish_alone(batch, s);
        }
        queue_slot(batch, number);
    }
}

static void traverse_nearest_many(const sl_bvh *tree, const sli_kernel_points *ask, sl_nearest *out,
                                  sl_stats *stats)
{
    nearest_batch batch;
    batch.tree = tree;
    batch.ask = ask;
    batch.out = out;
    batch.started = ask->begin;
    batch.stats = (sl_stats){ .rays = 0 };
    batch.head = batch.tail = batch.leaves = batch.list.count = 0;
    nearest_lay_out(&batch);
    for (uint32_t i = 0; i < batch.slot_count && start_slot(&batch, nearest_slot_at(&batch, i));
         i++) {
        queue_slot(&batch, i);
    }
    while (batch.head != batch.tail || batch.leaves != 0) {
        node_phase(&batch);
        leaf_phase(&batch);
    }
    decide_list(&batch);
    batch.stats.boxes += SLI_WIDTH * batch.stats.nodes;
    batch.stats.float_stage =
        batch.stats.triangles - batch.stats.double_stage - batch.stats.exact_stage;
    add_stats_to(&batch.stats, stats);
}

#endif
