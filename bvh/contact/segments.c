/* The segments that pairs of triangles share: all pairs of a walk, sorted, so that nothing depends
 * on the trees; then their points.  A point is looked for among those with the same rounded
 * coordinates, which are compared exactly (same_point.c): mostly there is one.
 *
 * The caller's functions are called in the caller's floating-point environment. */
#include "bvh/contact/segments.h"

#include "bvh/kernel/instance/intersect.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"

#include <string.h>

#define NO_NODE UINT32_MAX

enum { PAIRS_AT_ONCE = 4096 };

/* Pairs and points are numbered in 32 bits, and a pair has six points at most. */
static const size_t pairs_max = UINT32_MAX / (4 * SLI_COMMON_MAX);

/* A walk that gathers pairs, in an environment that it leaves while it calls the caller. */
typedef struct gathering {
    sli_segments *to;
    sl_clash clash;
    sli_fpenv saved;
    size_t handed; /* pairs so far */
    sl_result result;
} gathering;

static sl_result make_room(gathering *g)
{
    sli_segments *to = g->to;
    if (sli_stage_stops_at(to->stage, g->handed)) {
        return SL_CANCELLED;
    }
    if (to->pair_count == pairs_max) {
        return SL_TOO_LARGE;
    }
    return sli_grow_array(&to->allocator, &to->pairs, &to->pair_capacity, to->pair_count + 1,
                          sizeof *to->pairs)
               ? SL_OK
               : SL_OUT_OF_MEMORY;
}

static bool take_pair(void *context, const sli_walk_pair *pair)
{
    gathering *g = context;
    if (g->handed % SLI_STAGE_ITEMS == 0 || g->to->pair_count == g->to->pair_capacity) {
        sli_fpenv_leave(g->saved);
        g->result = make_room(g);
        g->saved = sli_fpenv_enter();
    }
    g->handed++;
    sli_common common;
    sl_clash_pair counted;
    const sl_relation relation = sli_triangles_common(pair->at_a, pair->at_b, &common);
    if (g->result == SL_OK && common.count > 1 &&
        sli_clash_counts_as(&g->clash, pair, relation, &counted) && !sli_walk_is_repeat(pair)) {
        sli_segment_pair *added = &g->to->pairs[g->to->pair_count++];
        added->pair = counted;
        added->count = (uint8_t)common.count;
        memcpy(added->at, common.at, sizeof added->at);
    }
    return g->result == SL_OK;
}

static SLI_NOINLINE void gather(gathering *g)
{
    sl_stats stats = { .rays = 0 };
    sli_walk walk = { .repeats = true, .triangles = take_pair, .context = g, .stats = &stats };
    sli_clash_prepare(&g->clash, &walk);
    (void)sli_walk_worlds(&walk, &g->to->bvh[0]->world, &g->to->bvh[1]->world, NULL);
}

static sl_result gather_pairs(sli_segments *segments)
{
    gathering g = { .to = segments, .clash = *segments->clash };
    g.clash.margin = 0;
    g.saved = sli_fpenv_enter();
    gather(&g);
    sli_fpenv_leave(g.saved);
    return g.result;
}

/* Into rising order: what sorting leaves is the number of the pair that comes next. */
static void put_in_order(sli_segment_pair *pairs, size_t count, uint32_t *order)
{
    for (size_t i = 0; i < count; i++) {
        const sli_segment_pair first = pairs[i];
        size_t to = i;
        while (order[to] != i) { /* around a cycle */
            const size_t from = order[to];
            pairs[to] = pairs[from];
            order[to] = (uint32_t)to;
            to = from;
        }
        pairs[to] = first;
        order[to] = (uint32_t)to;
    }
}

static sl_result sort_pairs(sli_segments *segments)
{
    enum { WORDS = 4 };
    const size_t count = segments->pair_count;
    sli_table table;
    if (!sli_table_alloc(&segments->allocator, count, WORDS, &table)) {
        return SL_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const sl_clash_pair *p = &segments->pairs[i].pair;
        const uint32_t key[WORDS] = { p->a.instance, p->a.prim, p->b.instance, p->b.prim };
        memcpy(&table.items[WORDS * i], key, sizeof key);
        table.order[table.count++] = (uint32_t)i;
    }
    sli_table_sort(&table, segments->stage);
    put_in_order(segments->pairs, count, table.order);
    sli_table_free(&segments->allocator, &table);
    return SL_OK;
}

/* The corners of the pair's triangles in the world, as the walk has them. */
static void find_corners(const sli_segments *segments, size_t pair, sli_common_of *out)
{
    const sl_clash_pair *p = &segments->pairs[pair].pair;
    const sl_triangle_ref ref[2] = { p->a, p->b };
    for (int side = 0; side < 2; side++) {
        const sli_transformed *transformed =
            &segments->bvh[side]->world.transformed[ref[side].instance];
        sl_triangle triangle;
        (void)sli_tree_triangle(transformed->tree, ref[side].prim, &triangle);
        sli_world_corners_from_front(transformed, triangle.v, (side == 0 ? &out->a : &out->b)->v);
    }
}

/* Of the nodes in a chain with the same coordinates, the one that is the point; NO_NODE: none.
 * *others counts those that are not. */
static uint32_t look_in_chain(const sli_segments *segments, uint32_t first, const sli_common_of *of,
                              const double x[3], size_t *others)
{
    for (uint32_t i = first; i != NO_NODE; i = segments->nodes[i].next) {
        const sli_node *node = &segments->nodes[i];
        if (memcmp(node->x, x, sizeof node->x) == 0) {
            sli_common_of other = { .at = node->at };
            find_corners(segments, node->pair, &other);
            if (sli_is_same_common(of, &other)) {
                return i;
            }
            ++*others;
        }
    }
    return NO_NODE;
}

static uint32_t *chain_of(const sli_segments *segments, const void *key, size_t size)
{
    return &segments->heads[sli_hash(key, size) & (segments->head_count - 1)];
}

/* What a point hashes to where ALIKE_MAX others round to the same. */
typedef struct exact_key {
    double x[3];
    uint32_t residue[4]; /* the last is 0 */
} exact_key;

/* The number of a point, which a pair has.  Some points that round alike hang in one chain, more of
 * them in chains by their residues.  One without residues is looked for everywhere. */
static uint32_t find_node(sli_segments *segments, const sli_common_of *of, const double x[3],
                          size_t pair)
{
    enum { ALIKE_MAX = 2 };
    size_t others = 0;
    uint32_t *head = chain_of(segments, x, 3 * sizeof *x);
    uint32_t found = look_in_chain(segments, *head, of, x, &others);
    if (found == NO_NODE && others >= ALIKE_MAX) {
        exact_key key = { .x = { x[0], x[1], x[2] } };
        if (sli_common_residues(of, key.residue)) {
            head = chain_of(segments, &key, sizeof key);
            found = look_in_chain(segments, *head, of, x, &others);
        } else {
            for (size_t i = 0; i < segments->head_count && found == NO_NODE; i++) {
                found = look_in_chain(segments, segments->heads[i], of, x, &others);
            }
        }
    }
    if (found != NO_NODE) {
        return found;
    }
    sli_node *added = &segments->nodes[segments->node_count];
    memcpy(added->x, x, sizeof added->x);
    added->next = *head;
    added->pair = (uint32_t)pair;
    added->at = of->at;
    *head = (uint32_t)segments->node_count;
    return (uint32_t)segments->node_count++;
}

/* Whether a touching pair's segment is to be turned: they run from the lower point. */
static bool is_falling(const double from[3], const double to[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (from[axis] != to[axis]) {
            return from[axis] > to[axis];
        }
    }
    return false;
}

static void add_segment(sli_segments *segments, uint32_t from, uint32_t to, size_t pair,
                        bool outline)
{
    segments->segments[segments->segment_count++] =
        (sli_segment){ { from, to }, (uint32_t)pair, outline };
}

static void add_segments(sli_segments *segments, size_t pair)
{
    const sli_segment_pair *p = &segments->pairs[pair];
    sli_common_of of;
    uint32_t node[SLI_COMMON_MAX];
    find_corners(segments, pair, &of);
    for (int i = 0; i < p->count; i++) {
        double x[3];
        of.at = p->at[i];
        sli_common_round(&of.a, &of.b, of.at, x);
        node[i] = find_node(segments, &of, x, pair);
    }
    if (p->count > 2) {
        for (int i = 0; i < p->count; i++) {
            add_segment(segments, node[i], node[(i + 1) % p->count], pair, true);
        }
        return;
    }
    const bool turned = p->pair.relation != SL_CROSSING &&
                        is_falling(segments->nodes[node[0]].x, segments->nodes[node[1]].x);
    add_segment(segments, node[turned ? 1 : 0], node[turned ? 0 : 1], pair, false);
}

static SLI_NOINLINE void add_all_segments(sli_segments *segments, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        add_segments(segments, i);
    }
}

/* Room for the points and segments of pairs begin .. end - 1. */
static bool reserve_segments(sli_segments *segments, size_t begin, size_t end)
{
    size_t points = 0;
    for (size_t i = begin; i < end; i++) {
        points += segments->pairs[i].count;
    }
    return sli_grow_array(&segments->allocator, &segments->nodes, &segments->node_capacity,
                          segments->node_count + points, sizeof *segments->nodes) &&
           sli_grow_array(&segments->allocator, &segments->segments, &segments->segment_capacity,
                          segments->segment_count + points, sizeof *segments->segments);
}

static sl_result make_segments(sli_segments *segments)
{
    segments->head_count = 64;
    while (segments->head_count < segments->pair_count) {
        segments->head_count *= 2;
    }
    segments->heads =
        sli_alloc_array(&segments->allocator, segments->head_count, sizeof *segments->heads);
    if (segments->heads == NULL) {
        return SL_OUT_OF_MEMORY;
    }
    memset(segments->heads, 0xFF, segments->head_count * sizeof *segments->heads);
    for (size_t i = 0; i < segments->pair_count; i += PAIRS_AT_ONCE) {
        const size_t left = segments->pair_count - i;
        const size_t end = i + (left < PAIRS_AT_ONCE ? left : PAIRS_AT_ONCE);
        const double done = 0.5 + 0.4 * (double)i / (double)segments->pair_count;
        if (!sli_stage_reach(segments->stage, (float)done)) {
            return SL_CANCELLED;
        }
        if (!reserve_segments(segments, i, end)) {
            return SL_OUT_OF_MEMORY;
        }
        SLI_DO_IN_FPENV(add_all_segments(segments, i, end));
    }
    return SL_OK;
}

sl_result sli_segments_find(sli_segments *segments)
{
    sl_result result = gather_pairs(segments);
    result = SLI_THEN(result, sort_pairs(segments));
    return SLI_THEN(result, make_segments(segments));
}

void sli_segments_free(sli_segments *segments)
{
    const sl_allocator *allocator = &segments->allocator;
    sli_free_array(allocator, segments->pairs, segments->pair_capacity, sizeof *segments->pairs);
    sli_free_array(allocator, segments->nodes, segments->node_capacity, sizeof *segments->nodes);
    sli_free_array(allocator, segments->heads, segments->head_count, sizeof *segments->heads);
    sli_free_array(allocator, segments->segments, segments->segment_capacity,
                   sizeof *segments->segments);
}
