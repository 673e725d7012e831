/* The one nearest triangle to each of many points.
 *
 * Many points are in flight: while one waits for memory, the others work (the technique is known as
 * asynchronous memory access chaining: Kocberber, Falsafi and Grot, 2015).  What stops all of them
 * is a mispredicted branch, so that the steps hardly have any.  Points at nodes and points at
 * leaves wait in two queues; those at leaves are worked off together, one stage at a time.
 *
 * The search itself is all in floats: of each triangle it takes bounds from below and above on the
 * squared distance, the upper ones narrow the search at once, and triangles that may still be the
 * nearest are kept as candidates, by their places.  When a point has nothing left to visit, its
 * candidates, most often one or two, join a list that lib/geom decides, and its slot goes to the
 * next point. */
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
    NEAREST_SLOTS_MAX =
        32, /* points in flight, or fewer on a tree so deep that they take more than */
    NEAREST_SLOT_BYTES = 34048,  /* for as many on a tree of 10 levels */
    NEAREST_STACK_MAX = 80,      /* references on a stack, before a node's children come upon it */
    NEAREST_LEAVES_MAX = 20,     /* so many at leaves end a phase of node steps */
    NEAREST_CANDIDATES_MAX = 24, /* of one point, before they are decided early */
    NEAREST_LIST_MAX = 64        /* candidates to decide, of all points */
};

/* More than any square within the reach of the float filters, and less than that of an unused child
 * or lane, which is infinite. */
#define NEAREST_SQUARE_MAX 0x1p127f

typedef struct nearest_slot {
    float at[3];
    float bound2;  /* at least the square of the nearest distance, and of those that round alike */
    uint32_t next; /* reference to visit; SLI_REF_EMPTY: none is left */
    uint32_t top;  /* entries on the stack; the first is always SLI_REF_EMPTY, with near2 0 */
    uint32_t candidate_count;
    size_t which; /* point */
    float *near2; /* of the stack; behind it */
    uint32_t place[NEAREST_CANDIDATES_MAX + 2 * SLI_WIDTH];
    float least2[NEAREST_CANDIDATES_MAX + 2 * SLI_WIDTH];
    uint32_t stack[]; /* no deeper than the tree asks for */
} nearest_slot;

/* Candidates of all points, with their points and corners. */
typedef struct nearest_list {
    uint32_t count;
    uint32_t prim[NEAREST_LIST_MAX];
    size_t which[NEAREST_LIST_MAX];
    float at[3][NEAREST_LIST_MAX];
    float corner[3][3][NEAREST_LIST_MAX]; /* [corner][axis] */
} nearest_list;

typedef struct nearest_batch {
    const sl_bvh *tree;
    const sli_kernel_points *ask;
    sl_nearest *out;
    size_t started;
    sl_stats stats;
    uint32_t at_node[NEAREST_SLOTS_MAX], at_leaf[NEAREST_SLOTS_MAX]; /* slots; at_node goes round */
    uint32_t head, tail, leaves;
    nearest_list list;
    uint32_t slot_size, slot_count;
    _Alignas(SLI_LINE) char slots[NEAREST_SLOT_BYTES];
} nearest_batch;

static inline nearest_slot *nearest_slot_at(const nearest_batch *ring, uint32_t number)
{
    return (nearest_slot *)(void *)(uintptr_t)(ring->slots + number * ring->slot_size);
}

/* On a stack are, besides the first entry, 7 siblings a level, or as many as there is room for; a
 * store and a load write and read up to eight more, each. */
static void nearest_lay_out(nearest_batch *ring)
{
    const uint32_t most = 7 * ring->tree->info.depth + 1;
    const uint32_t stack = (most < NEAREST_STACK_MAX ? most : NEAREST_STACK_MAX) + 2 * SLI_WIDTH;
    const uint32_t bytes = (uint32_t)(sizeof(nearest_slot) + 2 * stack * sizeof(uint32_t));
    ring->slot_size = (bytes + 7) / 8 * 8;
    ring->slot_count = NEAREST_SLOT_BYTES / ring->slot_size;
    ring->slot_count = ring->slot_count < NEAREST_SLOTS_MAX ? ring->slot_count : NEAREST_SLOTS_MAX;
    for (uint32_t i = 0; i < ring->slot_count; i++) {
        nearest_slot *s = nearest_slot_at(ring, i);
        s->near2 = (float *)(void *)(s->stack + stack);
    }
}

/* The slot goes to the queue that its next reference asks for.  Both stores are made, one counts.
 */
static void queue_slot(nearest_batch *ring, uint32_t number)
{
    const nearest_slot *s = nearest_slot_at(ring, number);
    const uint32_t next = s->next;
    const char *lines = (const char *)sli_tree_node(ring->tree, next);
    for (int line = 0; line < SLI_NODE_LINES; line++) {
        __builtin_prefetch(lines + line * SLI_LINE);
    }
    ring->at_node[ring->tail % NEAREST_SLOTS_MAX] = number;
    ring->tail += next >> 31 ^ 1;
    ring->at_leaf[ring->leaves] = number;
    ring->leaves += next >> 31;
}

/* Opens a node: the nearest of the children that may matter is next, the others wait on the stack;
 * of none, the top of the stack is. */
static void step_node(nearest_slot *s, const sl_bvh *tree)
{
    const sli_node_wide *node = sli_tree_node(tree, s->next);
    const f8 near2 = nearest_boxes(s->at, node);
    const uint32_t met = f8_bits_le(near2, f8_splat(s->bound2));
    const uint32_t nearest = f8_least(near2), rest = met & ~(1u << nearest);
    const bool none = met == 0; /* else the nearest of all is one of them */
    u8_store_some(s->stack + s->top, node->child, rest);
    f8_store_some(s->near2 + s->top, near2, rest);
    s->top += (uint32_t)__builtin_popcount(rest) - none;
    s->next = *(none ? &s->stack[s->top] : &node->child[nearest]);
}

/* Keeps of eight items, the first count of which are there, those that are near enough; returns how
 * many. */
static uint32_t keep_eight(const uint32_t *what, const float *square, int count, float bound2,
                           uint32_t *kept, float *kept_square)
{
    const uint32_t there = count >= SLI_WIDTH ? 255u : count > 0 ? (1u << count) - 1 : 0;
    const f8 squares = f8_load(square);
    const uint32_t near = f8_bits_le(squares, f8_splat(bound2)) & there;
    u8_store_some(kept, what, near);
    f8_store_some(kept_square, squares, near);
    return (uint32_t)__builtin_popcount(near);
}

/* The same of any number, in place.  There are rarely more than eight or sixteen. */
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

/* Decides one candidate, from the interval of its distance: it becomes the answer if it is nearer
 * than what is there. */
static void decide_one(nearest_batch *ring, uint32_t i, double low, double high, double u, double v)
{
    const nearest_list *list = &ring->list;
    sl_nearest *best = &ring->out[list->which[i]]; /* best->distance begins as the limit */
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
        sli_point_triangle_within(point, corner[0], corner[1], corner[2], ring->ask->limit,
                                  best->distance, low, high, &nearest);
    ring->stats.double_stage += nearest.stage == SLI_STAGE_DOUBLE;
    ring->stats.exact_stage += nearest.stage == SLI_STAGE_EXACT;
    ring->stats.hits += found;
    if (found && (nearest.distance < best->distance ||
                  (nearest.distance == best->distance && list->prim[i] < best->prim))) {
        *best = (sl_nearest){
            .distance = nearest.distance, .u = (float)u, .v = (float)v, .prim = list->prim[i]
        };
        sli_nearest_place(corner[0], corner[1], corner[2], best->u, best->v, best->point);
    }
}

/* Decides candidates i .. i + 3, of which the last may not be there. */
static void decide_four(nearest_batch *ring, uint32_t i)
{
    const nearest_list *list = &ring->list;
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
        decide_one(ring, i + k, lows[k], highs[k], us[k], vs[k]);
    }
}

/* Writes item to of the list: a candidate of a slot. */
static void list_candidate(nearest_list *list, uint32_t to, const sl_bvh *tree,
                           const nearest_slot *s, uint32_t place)
{
    sli_tri_pack room;
    const sli_tri_pack *pack = sli_tree_pack(tree, place / SLI_PACK, &room);
    const uint32_t lane = place % SLI_PACK;
    list->prim[to] = pack->axis[0].meta[lane];
    list->which[to] = s->which;
    for (int axis = 0; axis < 3; axis++) {
        list->at[axis][to] = s->at[axis];
        for (int k = 0; k < 3; k++) {
            list->corner[k][axis][to] = pack->axis[axis].vertex[k][lane];
        }
    }
}

/* The places behind the last candidate, up to a multiple of four, are filled with copies of it. */
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

static void decide_list(nearest_batch *ring)
{
    fill_list(&ring->list);
    for (uint32_t i = 0; i < ring->list.count; i += 4) {
        decide_four(ring, i);
    }
    ring->list.count = 0;
}

static void list_candidates(nearest_batch *ring, nearest_slot *s)
{
    for (uint32_t i = 0; i < s->candidate_count; i++) {
        if (ring->list.count == NEAREST_LIST_MAX) {
            decide_list(ring);
        }
        list_candidate(&ring->list, ring->list.count++, ring->tree, s, s->place[i]);
    }
    s->candidate_count = 0;
}

/* A slot with more candidates than it has room for: decides them now, which narrows the search. */
static void decide_slot(nearest_batch *ring, nearest_slot *s)
{
    list_candidates(ring, s);
    decide_list(ring);
    s->bound2 = fminf(s->bound2, nearest_square(ring->out[s->which].distance));
    narrow_stack(s);
}

/* Which lanes hold triangles that the options leave in. */
static uint32_t lanes_wanted(const nearest_batch *ring, const nearest_slot *s,
                             const sli_tri_pack *pack)
{
    uint32_t lanes = f4_bits_ne(pack->axis[0].meta, SL_NONE);
    if ((ring->ask->query->flags & (SL_USE_MASK | SL_USE_SKIP)) != 0) {
        const sli_kernel_filter filter = sli_filter_of(ring->ask->query, s->which);
        for (int lane = 0; lane < SLI_PACK; lane++) {
            const bool wants =
                sli_kernel_wants(&filter, pack->axis[0].meta[lane], pack->axis[1].meta[lane]);
            lanes &= ~((uint32_t)!wants << lane);
        }
    }
    return lanes;
}

/* Takes a leaf block, narrows the search by the bounds of its triangles, and keeps those that may
 * be nearest. */
static void take_block(nearest_batch *ring, nearest_slot *s, const float *least2,
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
            decide_slot(ring, s);
        }
    }
}

/* Whether there is anything to find: a finite point, a limit, a tree. */
static bool nearest_is_valid(const sl_bvh *tree, const sli_kernel_points *ask, const float p[3])
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]) && ask->limit >= 0 &&
           tree->root != SLI_REF_EMPTY;
}

/* Gives the slot the next point that the float filters can do; the others are answered on the way.
 * False where there are no more. */
static bool start_slot(nearest_batch *ring, nearest_slot *s)
{
    const sli_kernel_points *ask = ring->ask;
    while (ring->started < ask->end) {
        const size_t which = ring->started++;
        const float *p = ask->points + 3 * which;
        ring->out[which] = (sl_nearest){ .distance = ask->limit, .prim = SL_NONE };
        ring->stats.rays++;
        if (!nearest_is_valid(ring->tree, ask, p)) {
            continue;
        }
        if (nearest_is_wide(ring->tree, p)) {
            nearest_single(ring->tree, ask, which, &ring->out[which], &ring->stats);
            continue;
        }
        memcpy(s->at, p, sizeof s->at);
        s->bound2 = fminf(nearest_square(ask->limit), NEAREST_SQUARE_MAX);
        s->which = which;
        s->candidate_count = 0;
        s->stack[0] = SLI_REF_EMPTY;
        s->near2[0] = 0;
        s->next = ring->tree->root;
        s->top = 1;
        return true;
    }
    return false;
}

/* Of the slots that wait at leaves, those that have come to the end of their search start anew; the
 * others are written to waiting. */
static uint32_t restart_slots(nearest_batch *ring, uint32_t waiting[NEAREST_SLOTS_MAX])
{
    uint32_t at_leaf[NEAREST_SLOTS_MAX], count = 0;
    const uint32_t leaves = ring->leaves;
    memcpy(at_leaf, ring->at_leaf, sizeof at_leaf);
    ring->leaves = 0;
    for (uint32_t i = 0; i < leaves; i++) {
        nearest_slot *s = nearest_slot_at(ring, at_leaf[i]);
        if (s->next != SLI_REF_EMPTY) {
            waiting[count++] = at_leaf[i];
            continue;
        }
        narrow_candidates(s);
        list_candidates(ring, s);
        if (start_slot(ring, s)) {
            queue_slot(ring, at_leaf[i]);
        }
    }
    return count;
}

/* Bounds on the leaf blocks of two slots, or of one and NULL: eight of each. */
static void bound_blocks(nearest_batch *ring, const nearest_slot *one, const nearest_slot *two,
                         float *least2, float *most2)
{
    const bool both = two != NULL;
    two = both ? two : one;
    sli_tri_pack room[2];
    const sli_tri_pack *const pack[2] = { sli_tree_pack(ring->tree, one->next, &room[0]),
                                          sli_tree_pack(ring->tree, two->next, &room[1]) };
    const uint32_t wanted = lanes_wanted(ring, one, pack[0]) |
                            (both ? lanes_wanted(ring, two, pack[1]) << SLI_PACK : 0);
    bound_triangles(pack, (const float *const[]){ one->at, two->at }, wanted, least2, most2);
    ring->stats.triangles += (uint64_t)__builtin_popcount(wanted);
}

/* Of a compact tree: asks for the vertices of all blocks that come next. */
static void fetch_blocks(const nearest_batch *ring, const uint32_t *waiting, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        sli_tri_fetch(sli_tree_block(ring->tree, nearest_slot_at(ring, waiting[i])->next),
                      ring->tree->vertices);
    }
}

static void leaf_phase(nearest_batch *ring)
{
    uint32_t waiting[NEAREST_SLOTS_MAX + 1];
    float least2[NEAREST_SLOTS_MAX + 2][SLI_PACK], most2[NEAREST_SLOTS_MAX + 2][SLI_PACK];
    const uint32_t count = restart_slots(ring, waiting);
    uint32_t i = 0;
    if (ring->tree->vertices != NULL) {
        fetch_blocks(ring, waiting, count);
    }
    for (; i + 1 < count; i += 2) {
        bound_blocks(ring, nearest_slot_at(ring, waiting[i]), nearest_slot_at(ring, waiting[i + 1]),
                     least2[i], most2[i]);
    }
    if (i < count) {
        bound_blocks(ring, nearest_slot_at(ring, waiting[i]), NULL, least2[i], most2[i]);
    }
    for (i = 0; i < count; i++) {
        take_block(ring, nearest_slot_at(ring, waiting[i]), least2[i], most2[i]);
        queue_slot(ring, waiting[i]);
    }
}

/* A point whose stack has no room for another node is finished by itself.  Candidates of it that
 * are listed already change nothing.  Rare: kept out of the loop. */
static SLI_NOINLINE void relieve_slot(nearest_batch *ring, nearest_slot *s)
{
    nearest_single(ring->tree, ring->ask, s->which, &ring->out[s->which], &ring->stats);
    s->candidate_count = 0;
    s->next = SLI_REF_EMPTY;
}

static void node_phase(nearest_batch *ring)
{
    while (ring->head != ring->tail && ring->leaves < NEAREST_LEAVES_MAX) {
        const uint32_t number = ring->at_node[ring->head++ % NEAREST_SLOTS_MAX];
        nearest_slot *s = nearest_slot_at(ring, number);
        step_node(s, ring->tree);
        ring->stats.nodes++;
        if (__builtin_expect(s->top > NEAREST_STACK_MAX, 0)) {
            relieve_slot(ring, s);
        }
        queue_slot(ring, number);
    }
}

static void traverse_nearest_many(const sl_bvh *tree, const sli_kernel_points *ask, sl_nearest *out,
                                  sl_stats *stats)
{
    nearest_batch ring;
    ring.tree = tree;
    ring.ask = ask;
    ring.out = out;
    ring.started = ask->begin;
    ring.stats = (sl_stats){ .rays = 0 };
    ring.head = ring.tail = ring.leaves = ring.list.count = 0;
    nearest_lay_out(&ring);
    for (uint32_t i = 0; i < ring.slot_count && start_slot(&ring, nearest_slot_at(&ring, i)); i++) {
        queue_slot(&ring, i);
    }
    while (ring.head != ring.tail || ring.leaves != 0) {
        node_phase(&ring);
        leaf_phase(&ring);
    }
    decide_list(&ring);
    ring.stats.boxes += SLI_WIDTH * ring.stats.nodes;
    ring.stats.float_stage =
        ring.stats.triangles - ring.stats.double_stage - ring.stats.exact_stage;
    add_stats_to(&ring.stats, stats);
}

#endif
