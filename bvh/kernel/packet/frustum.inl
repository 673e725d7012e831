/* Frustum: sixty-four rays whose lines pass near one point c, the apex.  Part of the closest-hit
 * batches: sl_bvh_closest_many() (closest_many of the kernel table) tries it on each packet
 * (stream/packets_first.inl).  There are three kinds:
 *     lines that meet in c, or so close by that it makes no difference: rays of a pinhole camera,
 *     even if their origins lie on the near plane, each rounded on its own;
 *     lines of one direction, rays of a parallel projection: each passes c at a distance delta of
 *     its own, and its place among the others is delta, as slopes are those of lines through c;
 *     lines that are spread: each has a delta and a direction of its own.
 *
 * The idea is that of Reshetov, Soupikov and Hurley, "Multi-Level Ray Tracing Algorithm" (2005): a
 * box of directions is tested like one direction.  Relative to c, let P_i be the corners of a
 * triangle and e_i its sides.  The sign of d . (P_i x e_i) tells on which side of e_i a line of
 * direction d through c passes; for one that passes c at delta, (d x delta) . e_i is taken off,
 * with its moment as Plücker has it.  The vectors of a triangle are the same for all rays, so they
 * are computed once, with an error bound.
 *
 * Four groups of sixteen rays go down the tree as four frusta, that is four boxes of directions and
 * of delta, with a mask of the lines that are still there.  Boxes hardly wider than a group
 * are tested against each of its lines besides, sixteen at a time (as in Boulos et al.,
 * "Packet-based Whitted and Distribution Ray Tracing", 2007); at a leaf one test of four triangles
 * and four groups dismisses most triangles, or finds that they cover all of a group.
 * docs/notes/frustum.md derives the bounds.
 *
 * Axes: z is the axis along which the first ray's direction is largest, x and y follow it in turn.
 * The depth of a point is |z - c.z|, and slopes are steps along x and y per step of depth.
 *
 * This file has the numbers of a frustum; what is done with them is in packet/frustum_*.inl:
 *   make, lines, groups   c and the lines that pass it, their boxes: make_frustum
 *   traverse, node, leaf  the way down the tree, in floats: frustum_traverse
 *   pack, few             triangles of a leaf; leaves that few lines come to
 *   held                  the nearest triangle that each ray surely hits, in doubles
 *   decide                triangles that floats are not sure of, in doubles; the answers */
#pragma once

#include "bvh/kernel/packet/budget.inl"
#include "bvh/kernel/plain/ray.inl"

enum {
    FRUSTUM_GROUPS = PACKET_GROUPS,
    FRUSTUM_PAIRS = FRUSTUM_GROUPS / 2, /* two groups at eight children each fill a register */
    FRUSTUM_LIST_MAX = 32,
    FRUSTUM_FEW_PARALLEL = 8, /* lines at a leaf, where they are parallel */
    /* Costs in the units of packet/budget.inl. */
    FRUSTUM_COST_START = 300,
    FRUSTUM_COST_NODE = 45,
    FRUSTUM_COST_CHILD = 4, /* against the rays of a group */
    FRUSTUM_COST_LEAF = 80,
    FRUSTUM_COST_TRIANGLE = 22, /* against the rays of a group */
    FRUSTUM_COST_FEW = 45,      /* sixteen pairs of a line and a triangle */
    FRUSTUM_COST_EIGHT = 70     /* in doubles */
};

/* Boxes that are less than this many times as wide as a group are tested against each line. */
#define FRUSTUM_BOX_MIN 2

/* Slopes differ by less than this. */
#define FRUSTUM_SLOPES_MAX 0.5f

/* How far lines may pass c, in units of u (G + C). */
#define FRUSTUM_MISS_MAX 32
/* Boxes may grow by no more than this share of the tree's size over the root of how many triangles
 * it has, which is about the size of a triangle of a surface.  Far away, or far from the world's
 * origin, they would grow to many times their size, and as a packet sees all of its rays meet them,
 * its budget takes what that costs for a gain. */
#define FRUSTUM_ERROR_MAX 0.25f
/* The error of a slab, in units of u times how far the tree extends from c. */
#define FRUSTUM_SLAB_ERROR 16

/* If the depths of a triangle's corners differ by no more than this share, they bound the depth of
 * a hit well enough. */
#define FRUSTUM_FLAT_MAX 0x1p-8f

/* Errors of determinants, in units of the product of the |x| + |y| + |z| of their vectors, and what
 * underflow may lose. */
#define FRUSTUM_SIDE_ERROR   (48 * WALK_U)
#define FRUSTUM_DET_ERROR    (24 * WALK_U)
#define FRUSTUM_VOLUME_ERROR (20 * WALK_U)
#define FRUSTUM_TINY         0x1p-100f

typedef struct frustum_item {
    float from[PACKET_LANES]; /* lower bound on the depth, per ray */
    uint32_t group, rays;     /* of it */
    uint32_t sure;            /* of these: surely inside the triangle's sides */
    uint32_t back;            /* of those: on its back */
    uint32_t slot;            /* line * SLI_PACK + lane */
} frustum_item;

/* 1 / slope and delta of two groups, laid out for eight children each. */
typedef struct frustum_steps {
    float step[2][2][PACKET_LANES];  /* [x, y][least, greatest slope][group and child] */
    float delta[2][2][PACKET_LANES]; /* [x, y][for near sides, for far sides] */
} frustum_steps;

struct frustum;

/* What differs between a tree of its own, the top tree of a world and its instances. */
typedef struct frustum_hooks {
    void *context;
    /* Visits a leaf of the top tree with these lines.  NULL for other trees: frustum_leaf does. */
    void (*leaf)(struct frustum *p, void *context, uint32_t ref, uint64_t lines);
    /* Decides all that is listed; at the end what is held, too. */
    void (*decide)(struct frustum *p, void *context, bool at_end);
} frustum_hooks;

/* What leaves find; of several frusta that no two leaves are at at once, there is one. */
typedef struct frustum_hits {
    _Alignas(SLI_LINE) float t[PACKET], u[PACKET], v[PACKET];
    float prim[PACKET], flags[PACKET]; /* their bits */
    /* The triangles that rays hold (packet/frustum_held.inl). */
    float held_from[PACKET], held_slot[PACKET]; /* slot: its bits */
    float before[PACKET]; /* where any: depths that are surely not beyond tmax */
    frustum_item list[FRUSTUM_LIST_MAX];
} frustum_hits;

/* Rows of sixteen come first, each in lines of its own. */
typedef struct frustum {
    _Alignas(SLI_LINE) float slope[2][PACKET];
    float start[PACKET], rate[PACKET]; /* depth = start + t rate */
    float after[PACKET], bound[PACKET];
    frustum_steps steps[FRUSTUM_PAIRS];
    /* The boxes of places for four triangles and four groups at a time; those of slopes. */
    float middle[2][PACKET_LANES], extent[2][PACKET_LANES];
    float slopes[2][2][PACKET_LANES];       /* the least and the greatest, x and y; parallel: 0 */
    float delta[2][PACKET], moment[PACKET]; /* moment: slope.x delta.y - slope.y delta.x */
    float middle_delta[3][PACKET_LANES], extent_delta[3][PACKET_LANES]; /* x, y, moment */
    float deltas[2][2][PACKET_LANES]; /* the least and the greatest, like slopes */
    /* For boxes against lines one by one, once that is wanted: 1 / slope, -delta / slope. */
    float inverse[2][PACKET], offset[2][PACKET];
    frustum_hits *hits;
    uint64_t held, held_back; /* rays that hold a triangle, and on its back */
    uint64_t found;
    const packet_rays *rays;
    const sli_kernel_batch *batch; /* the tree, and the query */
    sl_stats *stats;               /* where nodes and triangles are counted */
    size_t first;                  /* of a tree of its own: index of ray 0 in the batch */
    frustum_hooks hooks;           /* a world's, or frustum_decide_all, which has no context */
    uint32_t axis[3];              /* x, y and z as axes of space */
    float sign;                    /* of all directions along z */
    float apex[3], reach;          /* c along these axes; G + C */
    float miss;                    /* bound on how far lines pass c, along x or y */
    float least;                   /* no line is hit before this depth */
    bool apart;                    /* lines pass c at delta; its fields are used only then */
    bool parallel;                 /* and they have one direction: slope[i][0] */
    bool spread;                   /* or several, and moments */
    int few;                       /* leaves with no more lines go to packet/frustum_few.inl */
    float (*place)[PACKET];        /* of each line among all: its slopes; where parallel: delta */
    bool by_line;                  /* inverse and offset are prepared */
    float delta_max;               /* spread: of lines that take part */
    float away;                    /* no less than |delta.x| + |delta.y| of any line */
    float width[2][2];             /* boxes that are narrower: along x, y, by depth and besides */
    float box_error;               /* of boxes relative to c */
    float error_max;               /* and what it may be */
    uint32_t near_side[3]; /* offset of the near side in a node, in bytes, by axis of space */
    uint32_t shift;        /* in the words of a node's order, in bits */
    uint64_t taken;        /* rays of the frustum, the others are answered elsewhere */
    double dir_size;       /* no less than |x| + |y| + |z| of any direction */
    double origin_size;    /* no less than that of any origin relative to c */
    bool narrows;          /* no cull, mask or skip: a sure hit narrows the search */
    uint64_t spent, saved; /* so far, in the units of packet/budget.inl */
    /* These differ for rays that went to local of an instance (instance/packet.inl). */
    float moved;       /* each may be off by so much along any axis; else 0 */
    float t_slack;     /* t that are not so far apart may round to one; else RAY_T_SLACK */
    uint32_t rays_min; /* else PACKET_RAYS_MIN */
    bool any;          /* any hit is looked for, not the closest */
    uint32_t top, listed;
    float most_bound[FRUSTUM_GROUPS + 1]; /* largest bound of each group, and of all */
    uint32_t stale;                       /* groups whose most_bound has to be updated */
    uint32_t ref[SLI_STACK];
    float near[SLI_STACK];
    uint64_t lines[SLI_STACK];
} frustum;

/* Without the detour that fmaxf takes for a NaN. */
static inline float float_max(float a, float b)
{
    return a > b ? a : b;
}

/* The groups of some lines. */
static inline uint32_t frustum_groups_with(uint64_t lines)
{
    return ((lines & 0xFFFF) != 0 ? 1u : 0u) | ((lines >> 16 & 0xFFFF) != 0 ? 2u : 0u) |
           ((lines >> 32 & 0xFFFF) != 0 ? 4u : 0u) | ((lines >> 48) != 0 ? 8u : 0u);
}

/* Updates the largest bounds of the groups that have changed, and of all. */
static void frustum_update_bounds(frustum *p)
{
    for (uint32_t left = p->stale; left != 0; left &= left - 1) {
        const uint32_t group = (uint32_t)__builtin_ctz(left);
        p->most_bound[group] = f16_most(f16_load(p->bound + group * PACKET_LANES));
    }
    float most = p->most_bound[0];
    for (uint32_t group = 1; group < FRUSTUM_GROUPS; group++) {
        most = p->most_bound[group] > most ? p->most_bound[group] : most;
    }
    p->most_bound[FRUSTUM_GROUPS] = most;
    p->stale = 0;
}
