/* The one nearest triangle to each of many points, in a tree over instances, with several points in
 * flight (world_nearest_many of the kernel table).
 *
 * Each point has a walk of nearest/walk.inl, which goes on by a node or a block at a time.  In each
 * round the boxes, or the triangles, of all points in flight are measured first, without branches
 * on what comes out, and then used: so measurements overlap, and branches find their numbers
 * ready. */
#pragma once

#include "bvh/kernel/nearest/walk.inl"

enum { POINT_SLOTS = 7 };

/* A point in flight. */
typedef struct point_slot {
    nearest_world at;
    sli_world_point given;
    sl_hit best;
    size_t index;
} point_slot;

typedef struct point_batch {
    const sli_world *world;
    const sli_world_points *points;
    size_t begin, end; /* of those still to start */
    char *out;
    size_t stride;
    sl_stats *stats;
    point_slot *at_node[POINT_SLOTS], *at_leaf[POINT_SLOTS];
    int nodes, leaves;
    point_slot slot[POINT_SLOTS];
} point_batch;

/* Lists the slot for what it visits next, which is prefetched. */
static void point_list(point_batch *b, point_slot *s)
{
    nearest_walk *w = &s->at.walk;
    const bool leaf = nearest_at_leaf(w, true);
    const char *lines = (const char *)nearest_level_of(w, true)->tree->lines;
    prefetch_lines(line_at(lines, w->next), 0, SLI_NODE_LINES);
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
        if (sli_world_point_at(b->points, s->index, &s->given)) {
            nearest_begin(&s->at.walk, &s->given, true, &s->best, 1);
            nearest_begin_world(&s->at, b->world);
            if (nearest_advance(&s->at.walk, true)) {
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
    bool more = nearest_advance(&s->at.walk, true);
    if (!more) {
        add_stats_to(&s->at.walk.stats, b->stats);
        point_write(b, s->index, &s->best);
        more = point_start(b, s);
    }
    if (more) {
        point_list(b, s);
    }
}

static void point_node_phase(point_batch *b)
{
    point_slot *slots[POINT_SLOTS];
    const int count = b->nodes;
    memcpy(slots, b->at_node, sizeof slots);
    b->nodes = 0;
    for (int i = 0; i < count; i++) {
        nearest_walk *w = &slots[i]->at.walk;
        if ((w->next & SLI_REF_LEAF) != 0) {
            nearest_measure_entries(&slots[i]->at);
        } else {
            nearest_measure_node(w, nearest_level_of(w, true));
        }
    }
    for (int i = 0; i < count; i++) {
        nearest_walk *w = &slots[i]->at.walk;
        if ((w->next & SLI_REF_LEAF) == 0) {
            nearest_push(w, nearest_level_of(w, true));
        }
        point_go_on(b, slots[i]);
    }
}

static void point_leaf_phase(point_batch *b)
{
    point_slot *slots[POINT_SLOTS];
    sli_tri_pack unpacked;
    const int count = b->leaves;
    memcpy(slots, b->at_leaf, sizeof slots);
    b->leaves = 0;
    for (int i = 0; i < count; i++) {
        nearest_walk *w = &slots[i]->at.walk;
        nearest_measure_leaf(w, sli_tree_pack(w->object.tree, w->next, &unpacked), true);
    }
    for (int i = 0; i < count; i++) {
        nearest_walk *w = &slots[i]->at.walk;
        nearest_leaf(w, sli_tree_pack(w->object.tree, w->next, &unpacked), true);
        point_go_on(b, slots[i]);
    }
}

static void world_nearest_many(const sli_world *world, const sli_world_points *points, size_t begin,
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
