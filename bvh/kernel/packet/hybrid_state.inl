/* What sixty-four rays of an any-hit query keep while they go down the tree together. */
#ifndef SLI_KERNEL_PACKET_HYBRID_STATE_INL
#define SLI_KERNEL_PACKET_HYBRID_STATE_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/tree/tree.h"

enum {
    HYBRID_RAYS = 64,
    HYBRID_LANES = 16,           /* of one register */
    HYBRID_RAYS_MIN = 32,        /* rays without an answer that make it worth while */
    HYBRID_PER_REGISTER_MIN = 4, /* rays for each register that do */
    HYBRID_ENTRIES_MAX = 12,     /* noted for a ray; with more of them it begins at the root */
    /* Packets that go without, when one did not pay: of rays from near one point, and others, of
     * which so many must be left for a trial. */
    HYBRID_PAUSE_NEAR = 15,
    HYBRID_PAUSE_FAR = 63,
    HYBRID_FAR_MIN = 2048
};

/* Origins are near that differ by less than this share of the tree. */
#define HYBRID_NEAR_MAX 0.125f

/* What things cost, a step of the ring being 8; measured, and of no weight for the answers. */
enum {
    HYBRID_COST_STEP = 8,
    HYBRID_COST_START = 10,     /* of each ray */
    HYBRID_COST_LEAF_STEP = 12, /* with its share of the doubles */
    HYBRID_COST_CHILD = 4,      /* of a register of rays */
    HYBRID_COST_TRIANGLE = 12,
    HYBRID_COST_NOTE = 3,
    HYBRID_GAIN_ENDED = 8 /* saved by every ray that the ring never sees */
};

typedef struct hybrid {
    float row[RAY_ROWS][HYBRID_RAYS];                     /* as in ray8_rows */
    float origin[3][HYBRID_RAYS], offset[3][HYBRID_RAYS]; /* offset: of slabs, without the error */
    float from[HYBRID_RAYS], to[HYBRID_RAYS]; /* limits in t', outward, of rays with tmin >= 0 */
    uint64_t asked;                           /* rays without an answer from before */
    uint64_t walking;                         /* rays that take part */
    uint64_t hit, forward;                    /* forward: tmin >= 0 */
    uint64_t waiting;                         /* for the ring, when the walk is over */
    size_t first;                             /* ray */
    float box[3][2]; /* around the rays, between their limits and as far as the tree reaches */
    float reach;     /* the largest of all */
    bool narrows;    /* a sure hit counts: no option says otherwise */
    /* Notes, from the end on, so that the first is taken first; a row more to read over. */
    uint32_t entry[HYBRID_RAYS + 1][HYBRID_ENTRIES_MAX];
    uint8_t entries[HYBRID_RAYS];
    uint32_t spent, saved; /* of the present hybrid, by the costs above */
    uint32_t pause;        /* packets that are still to go without */
    bool near;             /* they begin close to one another */
    uint32_t top;
    uint32_t ref[SLI_STACK];
    uint64_t rays[SLI_STACK];
} hybrid;

#endif
