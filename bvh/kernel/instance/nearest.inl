/* Scenes, one point: its nearest triangles, down the top tree to instances, nearest first, and down
 * their trees to leaf blocks, whose triangles get their corners in the world.  For the questions of
 * bvh/scene/points.c.
 *
 * Boxes are bounded by the metric of the instance (metric.inl), which is the only place that knows
 * of places.  A block's four triangles are carried into the world exactly as the corner rule says,
 * and their distances bounded in doubles, together (nearest/decide.inl); what the bounds leave open
 * is decided exactly. */
#ifndef SLI_KERNEL_INSTANCE_NEAREST_INL
#define SLI_KERNEL_INSTANCE_NEAREST_INL

#include "bvh/kernel/filter/child_masks.inl"
#include "bvh/kernel/instance/intersect.h"
#include "bvh/kernel/instance/metric.inl"
#include "bvh/kernel/instance/point.h"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/mailbox.h"
#include "bvh/kernel/nearest/decide.inl"
#include "bvh/kernel/nearest/single.inl"
#include "bvh/kernel/plain/ray.inl"
#include "bvh/kernel/simd/simd.h"
#include "lib/geom/closest/point_triangle.h"
#include "lib/geom/intersect/hit_heap.h"

#include <math.h>

/* What waits to be visited; the nearest of a node's children is on top of the others. */
typedef struct point_stack {
    int size;
    struct {
        uint32_t ref;
        double near2;
    } entry[SLI_STACK];
} point_stack;

/* A point on its way through a scene. */
typedef struct point_walk {
    const sli_world *world;
    const sli_scene_point *ask;
    sl_hit *hits;
    size_t capacity, total;
    bool shrink;          /* the bound follows the capacity-th hit */
    sli_mailbox *mailbox; /* of the present instance; NULL for the one nearest */
    float bound;          /* distances that round to more than this are ignored */
    double top2;          /* at least the square of every exact distance that matters, */
    double bound2;        /* and in the present instance */
    point_metric top, object;
    const sli_placed *placed;
    uint32_t instance;
    point_stack top_stack, stack;
    sl_stats stats;
} point_walk;

/* At least the square of every exact distance that rounds to less than bound. */
static double point_square_below(float bound)
{
    const double below = (double)bound * (1 - 0x1p-25);
    return bound > 0 ? below * below * (1 + 0x1p-50) : -1;
}

/* Sets what follows from the bound.  Of the one nearest, a later instance has to be nearer than the
 * best so far, not as near: so that from far away, where all distances round alike, not everything
 * is looked at. */
static void point_set_bound(point_walk *w, float bound)
{
    w->bound = bound;
    w->top2 = nearest_square_wide(bound);
    const bool later = w->mailbox == NULL && w->total > 0 && w->hits[0].instance < w->instance;
    w->bound2 = later ? point_square_below(bound) : w->top2;
}

/* Pushes the children within the bound, the nearest last. */
static void point_push(point_stack *stack, const sli_node_wide *node, uint32_t met,
                       const double near2[SLI_WIDTH])
{
    double least = INFINITY;
    uint32_t nearest = SLI_REF_EMPTY;
    for (; met != 0; met &= met - 1) {
        const int child = __builtin_ctz(met);
        const uint32_t ref = node->child[child];
        const bool nearer = near2[child] < least;
        stack->entry[stack->size].ref = nearer ? nearest : ref;
        stack->entry[stack->size].near2 = nearer ? least : near2[child];
        nearest = nearer ? ref : nearest;
        least = nearer ? near2[child] : least;
        stack->size += stack->entry[stack->size].ref != SLI_REF_EMPTY;
    }
    if (nearest != SLI_REF_EMPTY) {
        stack->entry[stack->size].ref = nearest;
        stack->entry[stack->size].near2 = least;
        stack->size++;
    }
}

/* The next leaf of a tree that is within the bound; SLI_REF_EMPTY: there is none. */
static uint32_t point_next_leaf(point_stack *stack, const sl_bvh *tree, const point_metric *metric,
                                const sli_scene_ray *options, const double *bound2, sl_stats *stats)
{
    const uint32_t *words = child_masks_of(tree, options->flags, options->mask);
    while (stack->size > 0) {
        stack->size--;
        const uint32_t ref = stack->entry[stack->size].ref;
        if (stack->entry[stack->size].near2 > *bound2) {
            continue;
        }
        if ((ref & SLI_REF_LEAF) != 0) {
            return ref;
        }
        const sli_node_wide *node = sli_tree_node(tree, ref);
        double near2[SLI_WIDTH];
        const uint32_t met = metric_node(metric, node, *bound2, near2) &
                             child_masks_bits(words, tree, node, options->mask);
        stats->nodes++;
        stats->boxes += SLI_WIDTH;
        point_push(stack, node, met, near2);
    }
    return SLI_REF_EMPTY;
}

static void point_push_root(point_stack *stack, const sl_bvh *tree)
{
    stack->size = tree->root != SLI_REF_EMPTY;
    stack->entry[0].ref = tree->root;
    stack->entry[0].near2 = 0;
}

/* Rounds to the nearest multiple of the grid, as sli_round_to_grid. */
static d4 point_round(d4 x, d4 large)
{
    const d4 zero = d4_splat(0);
    const d4 signed_large = d4_less(x, zero, d4_sub(zero, large), large);
    return d4_less(d4_abs(x), large, d4_sub(d4_add(x, signed_large), signed_large), x);
}

/* The corners in the world of a block's triangles, exactly those of sli_place_corner, seen from the
 * point.  Few of them are so small that they are rounded to the grid that there is by default. */
static void point_corners(const point_walk *w, const sli_tri_pack *pack, d4_corners *corners)
{
    const d4 large = d4_splat(0x1p52 * w->placed->grid);
    d4 least = large;
    for (int k = 0; k < 3; k++) {
        const d4 x = d4_load(pack->axis[0].vertex[k]), y = d4_load(pack->axis[1].vertex[k]),
                 z = d4_load(pack->axis[2].vertex[k]);
        for (int axis = 0; axis < 3; axis++) {
            const double *row = w->placed->place.m[axis];
            const d4 sum = d4_add(d4_add(d4_mul(d4_splat(row[0]), x), d4_mul(d4_splat(row[1]), y)),
                                  d4_mul(d4_splat(row[2]), z));
            corners->at[k][axis] = d4_add(sum, d4_splat(row[3]));
            least = d4_min(d4_abs(corners->at[k][axis]), least);
        }
    }
    const bool round = d4_bits_gt(large, least) != 0;
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            const d4 corner = corners->at[k][axis];
            corners->at[k][axis] =
                d4_sub(round ? point_round(corner, large) : corner, d4_splat(w->ask->at[axis]));
        }
    }
}

/* The `reaches` of mailbox.h: whether the walk comes to a place with the present bound. */
static bool point_reaches(void *context, const sl_bvh *tree, uint32_t place)
{
    point_walk *w = context;
    uint32_t ref = tree->root;
    while ((ref & SLI_REF_LEAF) == 0) {
        double near2[SLI_WIDTH];
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const int child = sli_tree_towards(node, place / SLI_PACK);
        if ((metric_node(&w->object, node, w->bound2, near2) >> child & 1) == 0) {
            return false;
        }
        ref = node->child[child];
    }
    return true;
}

/* Whether the mailbox counts the triangle elsewhere; with its own distance for the bound, as
 * nearest_is_repeat (nearest/single.inl). */
static bool point_is_repeat(point_walk *w, const sli_tri_pack *pack, int lane, float distance)
{
    const double bound2 = w->bound2;
    w->bound2 = nearest_square_wide(distance);
    const bool is_repeat =
        sli_mailbox_is_repeat(w->mailbox, w->placed->tree, pack, lane, point_reaches, w);
    w->bound2 = bound2;
    return is_repeat;
}

/* Whether a lane's distance, which is between low and high, is within limit and bound. */
static bool point_decide(const point_walk *w, const sli_tri_pack *pack, int lane, double low,
                         double high, sli_nearest_point *nearest)
{
    const float limit = w->ask->limit;
    const int known = sli_point_triangle_known(limit, w->bound, low, high, nearest);
    if (known >= 0) {
        return known != 0;
    }
    float x[3][3];
    double corners[3][3];
    sli_pack_corners(pack, lane, x);
    sli_scene_corners(w->placed, x, corners);
    return sli_point_triangle_within_d(w->ask->at, (const double(*)[3])corners, limit, w->bound,
                                       low, high, nearest);
}

/* Decides a lane whose distance is between low and high. */
static void point_lane(point_walk *w, const sli_tri_pack *pack, int lane, double low, double high,
                       double u, double v)
{
    const sl_triangle_ref triangle = { .instance = w->instance, .prim = pack->prim[lane] };
    sli_nearest_point nearest;
    if (!sli_scene_has(&w->ask->options, triangle, pack->mask[lane])) {
        return;
    }
    const bool found = point_decide(w, pack, lane, low, high, &nearest);
    w->stats.double_stage += nearest.stage == SLI_STAGE_DOUBLE;
    w->stats.exact_stage += nearest.stage == SLI_STAGE_EXACT;
    w->stats.hits += found;
    if (!found || (w->mailbox != NULL && sli_pack_is_split(pack, lane) &&
                   point_is_repeat(w, pack, lane, nearest.distance))) {
        return;
    }
    const sl_hit hit = { .t = nearest.distance,
                         .u = (float)u,
                         .v = (float)v,
                         .prim = triangle.prim,
                         .instance = triangle.instance };
    sli_hit_heap_add(w->hits, w->capacity, w->total++, &hit);
    if (w->shrink && w->total >= w->capacity &&
        (w->hits[0].t < w->bound || w->total == w->capacity)) {
        point_set_bound(w, w->hits[0].t);
    }
}

/* What bounds the distances of a block's triangles, and the weights of their nearest points. */
typedef struct point_bounds {
    double low[SLI_PACK], high[SLI_PACK], u[SLI_PACK], v[SLI_PACK];
} point_bounds;

static void point_measure(const point_walk *w, const sli_tri_pack *pack, point_bounds *bounds)
{
    d4_corners corners;
    d4 u, v, low, high;
    point_corners(w, pack, &corners);
    d4_weights(&corners, &u, &v);
    d4_interval(&corners, u, v, &low, &high);
    d4_store(bounds->low, low);
    d4_store(bounds->high, high);
    d4_store(bounds->u, u);
    d4_store(bounds->v, v);
}

/* Decides what is within the bound, the nearest first. */
static void point_leaf(point_walk *w, const sli_tri_pack *pack, const point_bounds *bounds)
{
    uint32_t lanes = f4_bits_ne(pack->prim, SL_NONE);
    w->stats.triangles += (uint64_t)__builtin_popcount(lanes);
    while (lanes != 0) {
        int lane = __builtin_ctz(lanes);
        for (uint32_t rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1) {
            const int next = __builtin_ctz(rest);
            lane = bounds->low[next] < bounds->low[lane] ? next : lane;
        }
        if (bounds->low[lane] > (double)w->bound * (1 + 0x1p-23) + 0x1p-149) {
            w->stats.double_stage += (uint64_t)__builtin_popcount(lanes);
            return;
        }
        lanes &= ~(1u << lane);
        point_lane(w, pack, lane, bounds->low[lane], bounds->high[lane], bounds->u[lane],
                   bounds->v[lane]);
    }
}

/* Makes the metric of an instance.  False: the options leave it out, or it is too far away. */
static bool point_enter(point_walk *w, uint32_t instance)
{
    const sli_placed *placed = &w->world->placed[instance];
    double from[3];
    if (!sli_scene_selects(&w->ask->options, placed, instance)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = w->ask->at[axis] - placed->centre[axis];
    }
    w->instance = instance;
    w->placed = placed;
    point_set_bound(w, w->bound);
    if (metric_ball(placed, from) > w->bound2) {
        return false;
    }
    metric_to_object(placed, from, &w->object);
    point_push_root(&w->stack, placed->tree);
    w->stats.instances++;
    return true;
}

/* Walks an instance. */
static void point_visit(point_walk *w, uint32_t instance)
{
    if (!point_enter(w, instance)) {
        return;
    }
    const sl_bvh *tree = w->placed->tree;
    if (w->mailbox != NULL) {
        w->mailbox->count = 0;
    }
    for (;;) {
        const uint32_t leaf =
            point_next_leaf(&w->stack, tree, &w->object, &w->ask->options, &w->bound2, &w->stats);
        if (leaf == SLI_REF_EMPTY) {
            return;
        }
        sli_tri_pack room;
        point_bounds bounds;
        const sli_tri_pack *pack = sli_tree_pack(tree, leaf, &room);
        point_measure(w, pack, &bounds);
        point_leaf(w, pack, &bounds);
    }
}

/* Takes the nearest of the instances that are met. */
static int point_nearest_entry(uint32_t *met, const double near2[SLI_WIDTH])
{
    int best = __builtin_ctz(*met);
    for (uint32_t lanes = *met & (*met - 1); lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        best = near2[lane] < near2[best] ? lane : best;
    }
    *met &= ~(1u << best);
    return best;
}

/* The instances of a leaf of the top tree, the nearest first. */
static void point_top_leaf(point_walk *w, const sli_tri_pack *pack)
{
    double near2[SLI_WIDTH];
    uint32_t met = metric_leaf(&w->top, pack, w->top2, near2);
    w->stats.boxes += SLI_PACK;
    while (met != 0) {
        const int lane = point_nearest_entry(&met, near2);
        if (near2[lane] > w->top2) {
            return;
        }
        point_visit(w, pack->prim[lane]);
    }
}

/* Starts at the top; w->ask and where hits go are set. */
static void point_begin(point_walk *w, const sli_world *world)
{
    w->world = world;
    w->total = 0;
    w->instance = 0;
    w->stats = (sl_stats){ .rays = 1 };
    point_set_bound(w, w->ask->limit);
    metric_to_top(world, w->ask->at, &w->top);
    point_push_root(&w->top_stack, world->top);
}

/* Keeps the capacity nearest hits, sorted at the end, and returns how many were found; shrink as in
 * the kernel table. */
static size_t scene_nearest(const sli_world *world, const sli_scene_point *ask, bool shrink,
                            sl_hit *hits, size_t capacity, sl_stats *stats)
{
    point_walk w;
    sli_mailbox mailbox = { .count = 0 };
    w.ask = ask;
    w.hits = hits;
    w.capacity = capacity;
    w.shrink = shrink;
    w.mailbox = shrink && capacity == 1 ? NULL : &mailbox;
    point_begin(&w, world);
    for (;;) {
        const uint32_t leaf =
            point_next_leaf(&w.top_stack, world->top, &w.top, &ask->options, &w.top2, &w.stats);
        if (leaf == SLI_REF_EMPTY) {
            break;
        }
        sli_tri_pack room;
        point_top_leaf(&w, sli_tree_pack(world->top, leaf, &room));
    }
    sli_hit_heap_sort(hits, capacity, w.total);
    add_stats_to(&w.stats, stats);
    return w.total;
}

#endif
