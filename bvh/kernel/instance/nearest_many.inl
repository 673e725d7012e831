/* Scenes, many points: the nearest triangle to each, with several points in flight.
 *
 * A point's walk is that of nearest.inl, a node or a block at a time.  In each round the boxes, or
 * the triangles, of all points in flight are measured first, without branches on what comes out,
 * and then used: so measurements overlap, and branches find their numbers ready. */
#ifndef SLI_KERNEL_INSTANCE_NEAREST_MANY_INL
#define SLI_KERNEL_INSTANCE_NEAREST_MANY_INL

#include "bvh/kernel/filter/child_masks.inl"
#include "bvh/kernel/instance/metric.inl"
#include "bvh/kernel/instance/nearest.inl"
#include "bvh/kernel/instance/point.h"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/lines.inl"

#include <string.h>

enum { POINT_SLOTS = 7 };

/* A point in flight. */
typedef struct point_slot {
    point_walk walk;
    sli_scene_point ask;
    sl_hit best;
    size_t index;
    bool in_object; /* next is in the instance's tree, not in the top tree */
    uint32_t next;  /* what to visit; no empty reference */
    /* What is waiting of a leaf of the top tree: instances that are met. */
    uint32_t entries, entry[SLI_PACK];
    double entry2[SLI_WIDTH];
    /* What was measured: a node's children, or a block's triangles. */
    uint32_t met;
    union {
        double near2[SLI_WIDTH];
        point_bounds bounds;
    };
} point_slot;

typedef struct point_batch {
    const sli_world *world;
    const sli_scene_points *points;
    size_t begin, end; /* of those still to start */
    char *out;
    size_t stride;
    sl_stats *stats;
    point_slot *at_node[POINT_SLOTS], *at_leaf[POINT_SLOTS];
    int nodes, leaves;
    point_slot slot[POINT_SLOTS];
} point_batch;

static const sl_bvh *point_tree(const point_slot *s)
{
    return s->in_object ? s->walk.placed->tree : s->walk.world->top;
}

/* Pops what is within the bound; false: nothing is. */
static bool point_pop(point_stack *stack, double bound2, uint32_t *next)
{
    while (stack->size > 0) {
        stack->size--;
        if (!(stack->entry[stack->size].near2 > bound2)) {
            *next = stack->entry[stack->size].ref;
            return true;
        }
    }
    return false;
}

/* Enters the nearest of the waiting instances; false: none is within the bound. */
static bool point_enter_next(point_slot *s)
{
    while (s->entries != 0) {
        const int lane = point_nearest_entry(&s->entries, s->entry2);
        if (s->entry2[lane] > s->walk.top2) {
            s->entries = 0;
            return false;
        }
        if (point_enter(&s->walk, s->entry[lane])) {
            return true;
        }
    }
    return false;
}

/* Finds what to visit next; false: the search is over. */
static bool point_advance(point_slot *s)
{
    point_walk *w = &s->walk;
    if (s->in_object && point_pop(&w->stack, w->bound2, &s->next)) {
        return true;
    }
    s->in_object = point_enter_next(s);
    return s->in_object ? point_pop(&w->stack, w->bound2, &s->next)
                        : point_pop(&w->top_stack, w->top2, &s->next);
}

/* Lists the slot for what it visits next, which is prefetched. */
static void point_list(point_batch *b, point_slot *s)
{
    const bool leaf = s->in_object && (s->next & SLI_REF_LEAF) != 0;
    const char *at = line_at((const char *)point_tree(s)->lines, s->next);
    prefetch_line(at);
    prefetch_line(at + SLI_LINE);
    prefetch_line(at + 2 * SLI_LINE);
    prefetch_line(at + 3 * SLI_LINE);
    b->at_leaf[b->leaves] = s;
    b->at_node[b->nodes] = s;
    b->leaves += leaf;
    b->nodes += !leaf;
}

static void point_write(const point_batch *b, size_t index, const sl_hit *hit)
{
    memcpy(b->out + index * b->stride, hit, sizeof *hit);
}

/* Starts the next point that has anything to search in a slot; false: there is none. */
static bool point_start(point_batch *b, point_slot *s)
{
    while (b->begin < b->end) {
        s->index = b->begin++;
        s->best = (sl_hit){ .prim = SL_NONE };
        if (sli_scene_point_at(b->points, s->index, &s->ask)) {
            point_walk *w = &s->walk;
            w->ask = &s->ask;
            w->hits = &s->best;
            w->capacity = 1;
            w->shrink = true;
            w->mailbox = NULL;
            s->in_object = false;
            s->entries = 0;
            point_begin(w, b->world);
            if (point_advance(s)) {
                return true;
            }
        }
        b->stats->rays++;
        point_write(b, s->index, &s->best);
    }
    return false;
}

/* Goes on after a visit, with another point where this one is done. */
static void point_go_on(point_batch *b, point_slot *s)
{
    bool more = point_advance(s);
    if (!more) {
        add_stats_to(&s->walk.stats, b->stats);
        point_write(b, s->index, &s->best);
        more = point_start(b, s);
    }
    if (more) {
        point_list(b, s);
    }
}

static void point_measure_node(point_slot *s)
{
    const point_walk *w = &s->walk;
    const point_metric *metric = s->in_object ? &w->object : &w->top;
    const double bound2 = s->in_object ? w->bound2 : w->top2;
    const sl_bvh *tree = point_tree(s);
    if ((s->next & SLI_REF_LEAF) != 0) {
        sli_tri_pack room;
        const sli_tri_pack *pack = sli_tree_pack(tree, s->next, &room);
        s->entries = metric_leaf(metric, pack, bound2, s->entry2);
        memcpy(s->entry, pack->prim, sizeof s->entry);
    } else {
        const sli_scene_ray *options = &w->ask->options;
        const uint32_t *words = child_masks_of(tree, options->flags, options->mask);
        const sli_node_wide *node = sli_tree_node(tree, s->next);
        s->met = metric_node(metric, node, bound2, s->near2) &
                 child_masks_bits(words, tree, node, options->mask);
    }
}

static void point_use_node(point_slot *s)
{
    point_walk *w = &s->walk;
    if ((s->next & SLI_REF_LEAF) != 0) {
        w->stats.boxes += SLI_PACK;
        return;
    }
    w->stats.nodes++;
    w->stats.boxes += SLI_WIDTH;
    point_push(s->in_object ? &w->stack : &w->top_stack, sli_tree_node(point_tree(s), s->next),
               s->met, s->near2);
}

static void point_node_phase(point_batch *b)
{
    point_slot *slots[POINT_SLOTS];
    const int count = b->nodes;
    memcpy(slots, b->at_node, sizeof slots);
    b->nodes = 0;
    for (int i = 0; i < count; i++) {
        point_measure_node(slots[i]);
    }
    for (int i = 0; i < count; i++) {
        point_use_node(slots[i]);
        point_go_on(b, slots[i]);
    }
}

static void point_leaf_phase(point_batch *b)
{
    point_slot *slots[POINT_SLOTS];
    sli_tri_pack room;
    const int count = b->leaves;
    memcpy(slots, b->at_leaf, sizeof slots);
    b->leaves = 0;
    for (int i = 0; i < count; i++) {
        point_slot *s = slots[i];
        point_measure(&s->walk, sli_tree_pack(point_tree(s), s->next, &room), &s->bounds);
    }
    for (int i = 0; i < count; i++) {
        point_slot *s = slots[i];
        point_leaf(&s->walk, sli_tree_pack(point_tree(s), s->next, &room), &s->bounds);
        point_go_on(b, s);
    }
}

static void scene_nearest_many(const sli_world *world, const sli_scene_points *points, size_t begin,
                               size_t end, void *out, size_t stride, sl_stats *stats)
{
    point_batch b;
    b.world = world;
    b.points = points;
    b.begin = begin;
    b.end = end;
    b.out = out;
    b.stride = stride;
    b.stats = stats;
    b.nodes = b.leaves = 0;
    memset(b.at_node, 0, sizeof b.at_node);
    memset(b.at_leaf, 0, sizeof b.at_leaf);
    for (int i = 0; i < POINT_SLOTS && point_start(&b, &b.slot[i]); i++) {
        point_list(&b, &b.slot[i]);
    }
    while (b.nodes + b.leaves > 0) {
        point_node_phase(&b);
        point_leaf_phase(&b);
    }
}

#endif
