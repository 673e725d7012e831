/* The nearest triangles to one point, in a tree of triangles or in a tree over instances: the k
 * nearest, or all within a distance.  For nearest and world_nearest of the kernel table, for the
 * points that nearest/stream.inl cannot take, and, with several points in flight, for
 * nearest/instances.inl.
 *
 * Nodes wait on a stack (nearest/node.inl); the nearest child of a node comes next, and whatever
 * lies beyond the bound is skipped.  The bound is the limit of the query, or the k-th distance once
 * k triangles are found (compare Roussopoulos, Kelley and Vincent, "Nearest Neighbor Queries",
 * 1995).  Triangles are measured and decided by nearest/leaf.inl.  Over instances the walk goes
 * down the top tree to a leaf, then down the trees of its instances, the nearest first, and then on
 * at the top.  `instances` is a constant wherever a function takes it. */
#pragma once

#include "bvh/kernel/nearest/leaf.inl"

/* ---- Instances ---- */

/* Makes the metric of an instance.  False: the options leave it out, or it is too far away. */
static bool nearest_enter(nearest_world *s, uint32_t instance)
{
    nearest_walk *w = &s->walk;
    const sli_transformed *transformed = &s->world->transformed[instance];
    double from[3];
    if (!sli_world_selects(&w->given->options.item, transformed, instance)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = w->given->at[axis] - transformed->centre[axis];
    }
    w->instance = instance;
    s->transformed = transformed;
    nearest_set_bound(w, w->bound, true);
    if (metric_ball(transformed, from) > w->object.bound2) {
        return false;
    }
    metric_to_local(transformed, from, &w->object.metric);
    nearest_push_root(&w->object, transformed->tree);
    w->stats.instances++;
    if (w->mailbox != NULL) {
        w->mailbox->count = 0;
    }
    return true;
}

/* Enters the nearest of the waiting instances; false: none is within the bound. */
static bool nearest_enter_next(nearest_world *s)
{
    while (s->entries != 0) {
        const int lane = nearest_least_lane(s->entries, s->entry2);
        s->entries &= ~(1u << lane);
        if (s->entry2[lane] > s->top.bound2) {
            s->entries = 0;
        } else if (nearest_enter(s, s->entry[lane])) {
            return true;
        }
    }
    return false;
}

/* Measures the instances of the leaf of the top tree to visit, which then wait. */
static void nearest_measure_entries(nearest_world *s)
{
    sli_tri_pack unpacked;
    const sli_tri_pack *pack = sli_tree_pack(s->top.tree, s->walk.next, &unpacked);
    s->entries = metric_leaf(&s->top.metric, pack, s->top.bound2, s->entry2);
    memcpy(s->entry, pack->prim, sizeof s->entry);
    s->walk.stats.boxes += SLI_PACK;
}

/* ---- The walk ---- */

/* The tree that next is in. */
static SLI_FORCE_INLINE nearest_level *nearest_level_of(nearest_walk *w, bool instances)
{
    return instances && !nearest_world_of(w)->in_object ? &nearest_world_of(w)->top : &w->object;
}

/* Finds what to visit next; false: the search is over. */
static SLI_FORCE_INLINE bool nearest_advance(nearest_walk *w, bool instances)
{
    nearest_world *s = nearest_world_of(w);
    if (instances && !(s->in_object && nearest_pop(&w->object, &w->next))) {
        s->in_object = nearest_enter_next(s);
        return nearest_pop(nearest_level_of(w, true), &w->next);
    }
    return instances || nearest_pop(&w->object, &w->next);
}

/* Whether next is a leaf with triangles. */
static SLI_FORCE_INLINE bool nearest_at_leaf(nearest_walk *w, bool instances)
{
    return nearest_level_of(w, instances) == &w->object && (w->next & SLI_REF_LEAF) != 0;
}

/* Walks to the end; keeps the capacity nearest hits, sorted, and returns how many were found. */
static SLI_FORCE_INLINE size_t nearest_search(nearest_walk *w, bool instances, sl_stats *stats)
{
    while (nearest_advance(w, instances)) {
        nearest_level *level = nearest_level_of(w, instances);
        if (nearest_at_leaf(w, instances)) {
            sli_tri_pack unpacked;
            const sli_tri_pack *pack = sli_tree_pack(level->tree, w->next, &unpacked);
            nearest_measure_leaf(w, pack, instances);
            nearest_leaf(w, pack, instances);
        } else if (instances && (w->next & SLI_REF_LEAF) != 0) {
            nearest_measure_entries(nearest_world_of(w));
        } else {
            nearest_measure_node(w, level);
            nearest_push(w, level);
        }
    }
    sli_hit_heap_sort(w->hits, w->capacity, w->total);
    add_stats_to(&w->stats, stats);
    return w->total;
}

/* Sets what a walk begins with. */
static void nearest_begin(nearest_walk *w, const sli_world_point *given, bool shrink, sl_hit *hits,
                          size_t capacity)
{
    w->given = given;
    w->hits = hits;
    w->capacity = capacity;
    w->shrink = shrink;
    w->mailbox = NULL;
    w->total = 0;
    w->wide = true;
    w->instance = 0;
    w->stats = (sl_stats){ .rays = 1 };
}

/* ---- Trees of triangles ---- */

static SLI_NOINLINE size_t nearest_in_tree(const sl_bvh *tree, const sli_world_point *given,
                                           bool shrink, sl_hit *hits, size_t capacity,
                                           sli_mailbox *mailbox, sl_stats *stats)
{
    nearest_walk w;
    nearest_begin(&w, given, shrink, hits, capacity);
    for (int axis = 0; axis < 3; axis++) {
        w.at[axis] = (float)given->at[axis];
    }
    w.mailbox = mailbox;
    w.wide = nearest_is_wide(tree, w.at);
    w.object.metric = metric_as_it_is(given->at, NEAREST_DOWN_WIDE);
    nearest_set_bound(&w, given->limit, false);
    nearest_push_root(&w.object, tree);
    return nearest_search(&w, false, stats);
}

static SLI_FORCE_INLINE sli_world_point nearest_point(const float p[3], float limit,
                                                      sl_item_options item)
{
    return (
        sli_world_point){ .at = { p[0], p[1], p[2] }, .limit = limit, .options = { .item = item } };
}

/* nearest of the kernel table.  With shrink the search narrows as soon as capacity are found, and
 * triangles beyond them are not counted. */
static size_t traverse_nearest(const sl_bvh *tree, const sli_kernel_point *given, bool shrink,
                               sl_hit *hits, size_t capacity, sl_stats *stats)
{
    sli_mailbox mailbox = { .count = 0 };
    const sli_world_point point = nearest_point(given->point, given->limit, given->selection);
    return nearest_in_tree(tree, &point, shrink, hits, capacity,
                           shrink && capacity == 1 ? NULL : &mailbox, stats);
}

/* Whether a point can have an answer: it is finite, the limit is >= 0, the tree has triangles. */
static bool nearest_is_valid(const sl_bvh *tree, const sli_kernel_points *given, const float p[3])
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]) && given->limit >= 0 &&
           tree->root != SLI_REF_EMPTY;
}

/* The one nearest triangle to one point of an array; takes any finite point. */
static void nearest_single(const sl_bvh *tree, const sli_kernel_points *given, size_t index,
                           sl_nearest *out, sl_stats *stats)
{
    sl_hit hit = { .prim = SL_NONE };
    stats->rays--; /* counted once more by the search */
    {              /* what is in here shares the stack with what comes after it */
        const sli_world_point one = nearest_point(given->points + 3 * index, given->limit,
                                                  sli_item_options(given->options, index));
        (void)nearest_in_tree(tree, &one, true, &hit, 1, NULL, stats);
    }
    if (hit.prim != SL_NONE) {
        float v[3][3];
        const uint32_t slot = tree->slots[hit.prim];
        sli_tri_pack unpacked;
        sli_pack_corners(sli_tree_pack(tree, slot / SLI_PACK, &unpacked), (int)(slot % SLI_PACK),
                         v);
        *out = (sl_nearest){ .distance = hit.t, .u = hit.u, .v = hit.v, .prim = hit.prim };
        sli_nearest_location(v[0], v[1], v[2], hit.u, hit.v, out->point);
    }
}

/* ---- Trees over instances ---- */

/* Starts at the top; the walk has begun. */
static void nearest_begin_world(nearest_world *s, const sli_world *world)
{
    s->world = world;
    s->in_object = false;
    s->entries = 0;
    nearest_set_bound(&s->walk, s->walk.given->limit, true);
    metric_to_top(world, s->walk.given->at, &s->top.metric);
    nearest_push_root(&s->top, world->top);
}

/* world_nearest of the kernel table. */
static size_t world_nearest(const sli_world *world, const sli_world_point *given, bool shrink,
                            sl_hit *hits, size_t capacity, sl_stats *stats)
{
    nearest_world s;
    sli_mailbox mailbox = { .count = 0 };
    nearest_begin(&s.walk, given, shrink, hits, capacity);
    s.walk.mailbox = shrink && capacity == 1 ? NULL : &mailbox;
    nearest_begin_world(&s, world);
    return nearest_search(&s.walk, true, stats);
}
