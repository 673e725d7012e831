/* What a walk for the nearest triangles keeps (nearest/walk.inl), and its steps at nodes.
 *
 * Boxes are bounded in floats where a tree of triangles allows it: with e = max(min - p, p - max,
 * 0) on each axis, ex^2 + ey^2 + ez^2 is off by less than 6u of itself (a difference, a square, two
 * sums; coordinates are exact), so times 1 - 8u it is a lower bound on the squared distance of a
 * box, as long as nothing overflows; what underflows only makes the bound smaller.  Where the reach
 * of tree and point is outside NEAREST_REACH_MIN .. NEAREST_REACH_MAX, the search is wide: boxes
 * are bounded in doubles, by a metric (nearest/metric.inl).  So it is for points so far away that
 * 6u of the distance is much of the tree, where in floats all of the tree might be the nearest, and
 * for all instances, since only a metric knows of a transform. */
#pragma once

#include "bvh/kernel/filter/child_masks.inl"
#include "bvh/kernel/mailbox.h"
#include "bvh/kernel/nearest/filter.inl"
#include "bvh/kernel/nearest/metric.inl"

#define NEAREST_REACH_MIN 0x1p-40
#define NEAREST_REACH_MAX 0x1p60
#define NEAREST_DOWN_WIDE (1 - 0x1p-50)
/* A point is far if its distance from the bounds is this many times their longest side. */
#define NEAREST_FAR 0x1p15

/* A tree that is walked. */
typedef struct nearest_level {
    const sl_bvh *tree;
    nearest_metric metric; /* of its boxes, where the search is wide */
    double bound2;         /* at least the square of every exact distance that matters in it */
    int stack_size;
    struct {
        uint32_t ref;
        double near2;
    } stack[SLI_STACK];
} nearest_level;

/* Of the triangles of a block: what their distances lie between, and the weights of their nearest
 * points. */
typedef struct nearest_bounds {
    double low[SLI_PACK], high[SLI_PACK], u[SLI_PACK], v[SLI_PACK];
} nearest_bounds;

typedef struct nearest_walk {
    const sli_world_point *given;
    sl_hit *hits;
    size_t capacity, total;
    bool shrink; /* the bound follows the capacity-th hit */
    bool wide;   /* outside the range of the float filters */
    sli_mailbox
        *mailbox;      /* of the present tree; NULL for the one nearest, which may be met twice */
    float at[3];       /* the point, unless the search is wide */
    float bound;       /* distances that round to more than this are ignored */
    uint32_t instance; /* the present one; 0 in a tree of triangles */
    uint32_t next;     /* the reference to visit; it is not empty */
    uint32_t met;      /* there: children within the bound, or triangles that may be */
    union {
        double near2[SLI_WIDTH]; /* lower bounds on the squares of the children's distances */
        nearest_bounds bounds;
    };
    sl_stats stats;
    nearest_level object; /* the tree of triangles */
} nearest_walk;

/* A walk over instances. */
typedef struct nearest_world {
    nearest_walk walk;
    const sli_world *world;
    const sli_transformed *transformed; /* the present instance */
    bool in_object;                     /* next is in the instance's tree, not in the top tree */
    uint32_t entries, entry[SLI_PACK];  /* instances of a leaf of the top tree that wait */
    double entry2[SLI_WIDTH];
    nearest_level top;
} nearest_world;

static SLI_FORCE_INLINE nearest_world *nearest_world_of(nearest_walk *w)
{
    return (nearest_world *)(void *)w;
}

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

static double nearest_square_of(const nearest_walk *w, float bound)
{
    return w->wide ? nearest_square_wide(bound) : (double)nearest_square(bound);
}

/* At least the square of every exact distance that rounds to less than bound. */
static double nearest_square_below(float bound)
{
    const double below = (double)bound * (1 - 0x1p-25);
    return bound > 0 ? below * below * (1 + 0x1p-50) : -1;
}

/* Sets what follows from the bound.  Of the one nearest, a later instance has to be nearer than the
 * best so far, not as near: so that from far away, where all distances round alike, not everything
 * is looked at. */
static SLI_FORCE_INLINE void nearest_set_bound(nearest_walk *w, float bound, bool instances)
{
    w->bound = bound;
    w->object.bound2 = nearest_square_of(w, bound);
    if (instances) {
        nearest_world_of(w)->top.bound2 = w->object.bound2;
        if (w->mailbox == NULL && w->total > 0 && w->hits[0].instance < w->instance) {
            w->object.bound2 = nearest_square_below(bound);
        }
    }
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

/* The same for the children of a node, in floats or doubles; returns those within the bound. */
static uint32_t nearest_boxes_within(const nearest_walk *w, const nearest_level *level,
                                     const sli_node_wide *node, double near2[SLI_WIDTH])
{
    if (w->wide) {
        return metric_node(&level->metric, node, level->bound2, near2);
    }
    float narrow[SLI_WIDTH];
    const f8 boxes = nearest_boxes(w->at, node);
    f8_store(narrow, boxes);
    for (int i = 0; i < SLI_WIDTH; i++) {
        near2[i] = narrow[i];
    }
    return f8_bits_le(boxes, f8_splat((float)level->bound2));
}

/* Measures the children of the node to visit. */
static SLI_FORCE_INLINE void nearest_measure_node(nearest_walk *w, const nearest_level *level)
{
    const uint32_t mask = w->given->options.item.mask;
    const uint32_t *words = child_masks_of(level->tree, mask);
    const sli_node_wide *node = sli_tree_node(level->tree, w->next);
    w->met = nearest_boxes_within(w, level, node, w->near2) &
             child_masks_bits(words, level->tree, node, mask);
    w->stats.nodes++;
    w->stats.boxes += SLI_WIDTH;
}

/* Pushes the children that were measured, the nearest last.  The others keep the order of the node:
 * sorting them costs more in mispredicted branches than it saves in visits. */
static SLI_FORCE_INLINE void nearest_push(const nearest_walk *w, nearest_level *level)
{
    const sli_node_wide *node = sli_tree_node(level->tree, w->next);
    double least = INFINITY;
    uint32_t nearest = SLI_REF_EMPTY;
    int size = level->stack_size;
    for (uint32_t met = w->met; met != 0; met &= met - 1) {
        const int child = __builtin_ctz(met);
        const uint32_t ref = node->child[child];
        const bool nearer = w->near2[child] < least;
        level->stack[size].ref = nearer ? nearest : ref;
        level->stack[size].near2 = nearer ? least : w->near2[child];
        nearest = nearer ? ref : nearest;
        least = nearer ? w->near2[child] : least;
        size += level->stack[size].ref != SLI_REF_EMPTY;
    }
    level->stack[size].ref = nearest;
    level->stack[size].near2 = least;
    level->stack_size = size + (nearest != SLI_REF_EMPTY);
}

static void nearest_push_root(nearest_level *level, const sl_bvh *tree)
{
    level->tree = tree;
    level->stack_size = tree->root != SLI_REF_EMPTY;
    level->stack[0].ref = tree->root;
    level->stack[0].near2 = 0;
}

/* Pops what is within the bound; false: nothing is. */
static SLI_FORCE_INLINE bool nearest_pop(nearest_level *level, uint32_t *next)
{
    while (level->stack_size > 0) {
        level->stack_size--;
        if (!(level->stack[level->stack_size].near2 > level->bound2)) {
            *next = level->stack[level->stack_size].ref;
            return true;
        }
    }
    return false;
}
