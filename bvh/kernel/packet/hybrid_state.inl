/* The state of a hybrid packet: sixty-four rays of an any-hit query on their way down the tree
 * together (packet/hybrid.inl). */
#pragma once

#include "bvh/kernel/filter/ray8.inl"

enum {
    HYBRID_RAYS = 64,
    HYBRID_LANES = 16,    /* of one register */
    HYBRID_RAYS_MIN = 32, /* unanswered rays; with fewer the packet is skipped */
    /* Rays per register at a node, at a leaf; with fewer they go on alone. */
    HYBRID_PER_REGISTER_MIN = 6,
    HYBRID_PER_LEAF_REGISTER_MIN = 3,
    HYBRID_ENTRIES_MAX = 12, /* resume points of a ray; with more of them it starts at the root */
    /* Packets to skip after one that did not pay, by whether origins are near one another; and how
     * many rays have to be left for a packet with origins that are not. */
    HYBRID_PAUSE_NEAR = 15,
    HYBRID_PAUSE_FAR = 63,
    HYBRID_FAR_MIN = 2048
};

/* Origins that differ by less than this share of the tree's size are near one another. */
#define HYBRID_NEAR_MAX 0.125f

/* What a slab is off by, at most, as a share of the numbers that it is computed from: their
 * distances from the middle (docs/notes/filters.md). */
#define HYBRID_SLAB_SHARE (8 * WALK_U)

/* Costs in units in which a node step of the stream traversal is 8.  Measured once; they
 * decide when a packet is worth while, and no answer depends on them. */
enum {
    HYBRID_COST_STEP = 8,
    HYBRID_COST_START = 10,     /* per ray */
    HYBRID_COST_LEAF_STEP = 12, /* per ray, its share of the double test included */
    HYBRID_COST_NODE = 16,      /* of a packet, besides its children */
    HYBRID_COST_CHILD = 4,      /* per child and register of rays */
    HYBRID_COST_TRIANGLE = 12,
    HYBRID_COST_DOUBLES = 12, /* of eight rays */
    HYBRID_COST_NOTE = 3,
    HYBRID_LOSS_MAX = 2048, /* of a packet, which then gives up */
    HYBRID_GAIN_ENDED = 8   /* saved per ray that the stream traversal never gets */
};

typedef struct hybrid {
    const sli_kernel_batch *batch;
    uint8_t *any;          /* where the answers of the batch go */
    sl_triangle_ref *refs; /* a triangle that is hit; or NULL */
    sl_stats *stats;
    size_t first; /* index of ray 0 in the batch */
    size_t left;  /* rays of the batch from there on */
    /* Directions are scaled as in filter/ray8.inl; dir_error is TRI_FLOAT_DET_ERROR times their
     * |x| + |y| + |z|. */
    float origin[3][HYBRID_RAYS], dir[3][HYBRID_RAYS], dir_error[HYBRID_RAYS];
    float inverse[3][HYBRID_RAYS], offset[3][HYBRID_RAYS]; /* offset: (middle - origin) * inverse */
    float from[HYBRID_RAYS], to[HYBRID_RAYS];              /* limits in t', outward; from >= 0 */
    float middle[3];     /* the origin of one ray; boxes are taken relative to it */
    float error[3];      /* of a slab, in units of |inverse|, besides that of its box */
    uint64_t unanswered; /* rays that no hint has answered */
    uint64_t active;     /* rays still in the packet */
    uint32_t shift;      /* of the order of children: their own, or an octant's */
    bool fan;            /* from one point, sorted: sixteen have similar directions */
    uint64_t hit;
    uint64_t waiting; /* for the stream traversal to finish */
    float box[3][2];  /* [axis][min, max] around all rays, as far as the tree extends */
    float extent;     /* no less than the tree and the origins extend from the middle, together */
    bool narrows;     /* no cull, mask or skip: a sure hit is an answer */
    /* Where the stream traversal resumes each ray: references, stored from the end of a row to
     * its front, so that the first one stored is visited first.  A row more, since whole rows are
     * copied. */
    uint32_t entry[HYBRID_RAYS + 1][HYBRID_ENTRIES_MAX];
    uint8_t entries[HYBRID_RAYS];
    uint8_t group[8];      /* the rays that were handed over last */
    uint32_t spent, saved; /* in this packet, in the units above */
    uint32_t pause;        /* packets still to skip */
    bool near;             /* origins are near one another */
    uint32_t top;          /* of the stack: references, and the rays that are there */
    uint32_t ref[SLI_STACK];
    uint64_t rays[SLI_STACK];
} hybrid;
