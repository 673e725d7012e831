/* The nearest triangles to one point: the k nearest, or all within a distance.  For
 * sl_bvh_nearest_k_many() and sl_bvh_within_many() (nearest of the kernel table), and for the
 * points of nearest/interleaved.inl that it cannot take.
 *
 * Nodes wait on a stack; the nearest child of a node comes next, and whatever lies beyond the bound
 * is skipped.  The bound is the limit of the query, or the k-th distance once k triangles are found
 * (compare Roussopoulos, Kelley and Vincent, "Nearest Neighbor Queries", 1995).
 *
 * The float filter of boxes: with e = max(min - p, p - max, 0) on each axis, ex^2 + ey^2 + ez^2 is
 * off by less than 6u of itself (a difference, a square, two sums; coordinates are exact), so times
 * 1 - 8u it is a lower bound on the squared distance of a box, as long as nothing overflows; what
 * underflows only makes the bound smaller.  Where the reach of tree and point is outside
 * NEAREST_REACH_MIN .. NEAREST_REACH_MAX, the same is done in doubles, and the search is called
 * wide.  So it is for points so far away that 6u of the distance is much of the tree: in floats all
 * of the tree might be the nearest. */
#ifndef SLI_KERNEL_NEAREST_SINGLE_INL
#define SLI_KERNEL_NEAREST_SINGLE_INL

#include "bvh/kernel/filter/child_masks.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/mailbox.h"
#include "bvh/kernel/nearest/filter.inl"
#include "bvh/kernel/plain/ray.inl"
#include "bvh/kernel/plain/tri.inl"
#include "bvh/kernel/simd/simd.h"
#include "lib/geom/closest/point_triangle.h"
#include "lib/geom/intersect/hit_heap.h"

#include <math.h>
#include <string.h>

#define NEAREST_REACH_MIN 0x1p-40
#define NEAREST_REACH_MAX 0x1p60
#define NEAREST_DOWN_WIDE (1 - 0x1p-50)
/* A point is far that is so many times the longest side of the bounds away from them. */
#define NEAREST_FAR 0x1p15

typedef struct nearest_walk {
    const sli_kernel_point *ask;
    sl_hit *hits;
    size_t capacity, total;
    bool shrink;          /* the bound follows the capacity-th hit */
    bool wide;            /* outside the range of the float filters */
    sli_mailbox *mailbox; /* NULL for the one nearest, which may be met twice */
    float at[3];
    float bound;   /* distances that round to more than this are ignored */
    double bound2; /* at least the square of every exact distance that rounds to bound or less */
    int stack_size;
    struct {
        uint32_t ref;
        double near2;
    } stack[SLI_STACK];
    sl_stats stats;
} nearest_walk;

/* At least the square of every exact distance that rounds to bound or less. */
static float nearest_square(float bound)
{
    const double up = (double)bound + (double)bound * 0x1p-23 + 0x1p-149;
    return round_up(up * up * (1 + 0x1p-50));
}

/* The same in doubles: half a step further, and no more than that. */
static double nearest_square_wide(float bound)
{
    const double up = (double)bound * (1 + 0x1p-24) + 0x1p-149;
    return up * up * (1 + 0x1p-50);
}

static void nearest_set_bound(nearest_walk *w, float bound)
{
    w->bound = bound;
    w->bound2 = w->wide ? nearest_square_wide(bound) : (double)nearest_square(bound);
}

/* Whether tree and point are outside the range of the float filters, or the point is far. */
static bool nearest_is_wide(const sl_bvh *tree, const float at[3])
{
    double reach = 0, extent = 0, away = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double p = at[axis], a = fabs(p);
        const double low = tree->bounds.min[axis], high = tree->bounds.max[axis];
        const double below = low - p, above = p - high, side = high - low;
        reach = a > reach ? a : reach;
        extent = side > extent ? side : extent;
        away = below > away ? below : away;
        away = above > away ? above : away;
    }
    reach += tree->reach;
    return !(reach >= NEAREST_REACH_MIN && reach <= NEAREST_REACH_MAX) ||
           away > extent * NEAREST_FAR;
}

static void nearest_prepare(nearest_walk *w, const sl_bvh *tree, const sli_kernel_point *ask,
                            sl_hit *hits, size_t capacity, bool shrink)
{
    memcpy(w->at, ask->point, sizeof w->at);
    w->ask = ask;
    w->hits = hits;
    w->capacity = capacity;
    w->total = 0;
    w->shrink = shrink;
    w->mailbox = NULL;
    w->wide = nearest_is_wide(tree, w->at);
    w->stats = (sl_stats){ .rays = 1 };
    w->stack_size = 0;
    nearest_set_bound(w, ask->limit);
    if (tree->root != SLI_REF_EMPTY) {
        w->stack[0].ref = tree->root;
        w->stack[0].near2 = 0;
        w->stack_size = 1;
    }
}

/* Lower bounds on the squared distances of eight boxes. */
static f8 nearest_boxes(const float at[3], const sli_node_wide *node)
{
    f8 sum = f8_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        const f8 p = f8_splat(at[axis]);
        const f8 below = f8_sub(f8_load(node->bounds[axis][0]), p);
        const f8 above = f8_sub(p, f8_load(node->bounds[axis][1]));
        const f8 e = f8_max(f8_max(below, above), f8_splat(0));
        sum = f8_muladd(e, e, sum);
    }
    return f8_mul(sum, f8_splat(NEAREST_DOWN));
}

/* The same in doubles. */
static void nearest_boxes_wide(const float at[3], const sli_node_wide *node,
                               double near2[SLI_WIDTH])
{
    for (int i = 0; i < SLI_WIDTH; i++) {
        double sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double p = at[axis];
            const double below = (double)node->bounds[axis][0][i] - p;
            const double above = p - (double)node->bounds[axis][1][i];
            const double e = below > above ? below : above;
            sum += e > 0 ? e * e : 0;
        }
        near2[i] = sum * NEAREST_DOWN_WIDE;
    }
}

/* Lower bounds for the children of a node; returns those within the bound. */
static uint32_t bound_boxes(nearest_walk *w, const sli_node_wide *node, double near2[SLI_WIDTH])
{
    uint32_t met = 0;
    w->stats.nodes++;
    w->stats.boxes += SLI_WIDTH;
    if (w->wide) {
        nearest_boxes_wide(w->at, node, near2);
        for (int i = 0; i < SLI_WIDTH; i++) {
            met |= (uint32_t)(near2[i] <= w->bound2) << i;
        }
        return met;
    }
    float narrow[SLI_WIDTH];
    const f8 boxes = nearest_boxes(w->at, node);
    f8_store(narrow, boxes);
    for (int i = 0; i < SLI_WIDTH; i++) {
        near2[i] = narrow[i];
    }
    return f8_bits_le(boxes, f8_splat((float)w->bound2));
}

/* Pushes the children within the bound, the nearest last.  The others keep the order of the node:
 * sorting them costs more in mispredicted branches than it saves in visits. */
static void nearest_push(nearest_walk *w, const sl_bvh *tree, const sli_node_wide *node)
{
    const sli_kernel_selection *of = &w->ask->selection;
    const uint32_t *words = child_masks_of(tree, of->flags, of->mask);
    const uint32_t left_in = child_masks_bits(words, tree, node, of->mask);
    double near2[SLI_WIDTH], least = INFINITY;
    uint32_t nearest = SLI_REF_EMPTY;
    for (uint32_t met = bound_boxes(w, node, near2) & left_in; met != 0; met &= met - 1) {
        const int child = __builtin_ctz(met);
        const uint32_t ref = node->child[child];
        const bool nearer = near2[child] < least;
        w->stack[w->stack_size].ref = nearer ? nearest : ref;
        w->stack[w->stack_size].near2 = nearer ? least : near2[child];
        nearest = nearer ? ref : nearest;
        least = nearer ? near2[child] : least;
        w->stack_size += w->stack[w->stack_size].ref != SLI_REF_EMPTY;
    }
    if (nearest != SLI_REF_EMPTY) {
        w->stack[w->stack_size].ref = nearest;
        w->stack[w->stack_size].near2 = least;
        w->stack_size++;
    }
}

/* Returns the lanes that hold a triangle; near2 becomes a lower bound on the squared distance of
 * each, 0 in a wide search. */
static uint32_t nearest_bound_lanes(nearest_walk *w, const sli_tri_pack *pack,
                                    float near2[SLI_PACK])
{
    const uint32_t lanes = f4_bits_ne(pack->prim, SL_NONE);
    memset(near2, 0, SLI_PACK * sizeof *near2);
    w->stats.triangles += (uint64_t)(__builtin_popcount(lanes));
    if (!w->wide) {
        float least2[2 * SLI_PACK], most2[2 * SLI_PACK];
        bound_triangles((const sli_tri_pack *const[]){ pack, pack },
                        (const float *const[]){ w->at, w->at }, lanes, least2, most2);
        memcpy(near2, least2, SLI_PACK * sizeof *near2);
    }
    return lanes;
}

/* The lane with the smallest bound. */
static int nearest_least_lane(uint32_t lanes, const float near2[SLI_PACK])
{
    int best = __builtin_ctz(lanes);
    for (uint32_t rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        best = near2[lane] < near2[best] ? lane : best;
    }
    return best;
}

/* The distance of one lane's triangle and its nearest point, as a hit with the distance for t.
 * False: the options leave it out, or it is beyond the bound. */
static bool nearest_of_lane(nearest_walk *w, const sli_tri_pack *pack, int lane, sl_hit *hit)
{
    const uint32_t prim = pack->prim[lane];
    if (!sli_selection_has(&w->ask->selection, prim, pack->mask[lane])) {
        return false;
    }
    float v[3][3];
    sli_nearest_point nearest;
    const double point[3] = { w->at[0], w->at[1], w->at[2] };
    sli_pack_corners(pack, lane, v);
    const bool found =
        sli_point_triangle(point, v[0], v[1], v[2], w->ask->limit, w->bound, &nearest);
    w->stats.double_stage += nearest.stage == SLI_STAGE_DOUBLE;
    w->stats.exact_stage += nearest.stage == SLI_STAGE_EXACT;
    w->stats.hits += found;
    *hit = (sl_hit){ .t = nearest.distance, .u = nearest.u, .v = nearest.v, .prim = prim };
    return found;
}

/* The `reaches` of mailbox.h: whether the search comes to a place for the sake of triangles whose
 * distance rounds to the bound, however much the bound shrinks before they are dropped. */
static bool nearest_reaches(void *context, const sl_bvh *tree, uint32_t place)
{
    nearest_walk *w = context;
    uint32_t ref = tree->root;
    while ((ref & SLI_REF_LEAF) == 0) {
        double near2[SLI_WIDTH];
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const int child = sli_tree_towards(node, place / SLI_PACK);
        if ((bound_boxes(w, node, near2) >> child & 1) == 0) {
            return false;
        }
        ref = node->child[child];
    }
    return true;
}

/* Whether the mailbox counts the triangle elsewhere.  It has the same distance in every block, so
 * with that for the bound all its places are either reached or not, whatever the bound is by
 * then. */
static bool nearest_is_repeat(nearest_walk *w, const sl_bvh *tree, const sli_tri_pack *pack,
                              int lane, float distance)
{
    const float bound = w->bound;
    const double bound2 = w->bound2;
    nearest_set_bound(w, distance);
    const bool is_repeat = sli_mailbox_is_repeat(w->mailbox, tree, pack, lane, nearest_reaches, w);
    w->bound = bound;
    w->bound2 = bound2;
    return is_repeat;
}

/* The triangles of a leaf, the nearest first. */
static void nearest_leaf(nearest_walk *w, const sl_bvh *tree, const sli_tri_pack *pack)
{
    float near2[SLI_PACK];
    for (uint32_t lanes = nearest_bound_lanes(w, pack, near2); lanes != 0;) {
        const int lane = nearest_least_lane(lanes, near2);
        if ((double)near2[lane] > w->bound2) {
            w->stats.float_stage += (uint64_t)(__builtin_popcount(lanes));
            break; /* the bounds of the others are no less */
        }
        lanes &= ~(1u << lane);
        sl_hit hit;
        if (!nearest_of_lane(w, pack, lane, &hit) ||
            (w->mailbox != NULL && sli_pack_is_split(pack, lane) &&
             nearest_is_repeat(w, tree, pack, lane, hit.t))) {
            continue;
        }
        sli_hit_heap_add(w->hits, w->capacity, w->total++, &hit);
        if (w->shrink && w->total >= w->capacity && w->hits[0].t < w->bound) {
            nearest_set_bound(w, w->hits[0].t);
        }
    }
}

/* Visits the node or leaf on top of the stack, then drops what is beyond the bound.  False: the
 * stack is empty. */
static bool nearest_step(nearest_walk *w, const sl_bvh *tree)
{
    const uint32_t ref = w->stack[--w->stack_size].ref;
    if ((ref & SLI_REF_LEAF) != 0) {
        sli_tri_pack unpacked;
        nearest_leaf(w, tree, sli_tree_pack(tree, ref, &unpacked));
    } else {
        nearest_push(w, tree, sli_tree_node(tree, ref));
    }
    while (w->stack_size > 0 && w->stack[w->stack_size - 1].near2 > w->bound2) {
        w->stack_size--;
    }
    return w->stack_size > 0;
}

/* Keeps the capacity nearest hits, sorted at the end, and returns how many were found.  With shrink
 * the search narrows as soon as capacity are found, and triangles beyond them are not counted. */
static size_t traverse_nearest(const sl_bvh *tree, const sli_kernel_point *ask, bool shrink,
                               sl_hit *hits, size_t capacity, sl_stats *stats)
{
    nearest_walk w;
    sli_mailbox mailbox = { .count = 0 };
    nearest_prepare(&w, tree, ask, hits, capacity, shrink);
    w.mailbox = shrink && capacity == 1 ? NULL : &mailbox;
    while (w.stack_size > 0 && nearest_step(&w, tree)) {
    }
    sli_hit_heap_sort(hits, capacity, w.total);
    add_stats_to(&w.stats, stats);
    return w.total;
}

/* The one nearest triangle to one point of an array; takes any finite point. */
static void nearest_single(const sl_bvh *tree, const sli_kernel_points *ask, size_t index,
                           sl_nearest *out, sl_stats *stats)
{
    const float *p = ask->points + 3 * index;
    const sli_kernel_point one = { .point = { p[0], p[1], p[2] },
                                   .limit = ask->limit,
                                   .selection = sli_selection_of(ask->query, index) };
    sl_hit hit = { .prim = SL_NONE };
    stats->rays--; /* counted once more by the search */
    (void)traverse_nearest(tree, &one, true, &hit, 1, stats);
    if (hit.prim != SL_NONE) {
        float v[3][3];
        const uint32_t place = tree->places[hit.prim];
        sli_tri_pack unpacked;
        sli_pack_corners(sli_tree_pack(tree, place / SLI_PACK, &unpacked), (int)(place % SLI_PACK),
                         v);
        *out = (sl_nearest){ .distance = hit.t, .u = hit.u, .v = hit.v, .prim = hit.prim };
        sli_nearest_place(v[0], v[1], v[2], hit.u, hit.v, out->point);
    }
}

#endif
