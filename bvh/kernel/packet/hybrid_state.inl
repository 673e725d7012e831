/* What sixty-four rays of an any-hit query keep while they go down the tree together. */
#ifndef SLI_KERNEL_PACKET_HYBRID_STATE_INL
#define SLI_KERNEL_PACKET_HYBRID_STATE_INL

#include "bvh/tree/tree.h"

enum {
    CROWD = 64,
    CROWD_LANES = 16,   /* of one register */
    CROWD_FEWEST = 32,  /* rays without an answer that make it worth while */
    CROWD_WORTH = 4,    /* rays for each register that do */
    CROWD_ENTRIES = 12, /* noted for a ray; with more of them it begins at the root */
    /* Packets that go without, when one did not pay: of rays from near one point, and others, of
     * which so many must be left for a trial. */
    CROWD_PAUSE_NEAR = 15,
    CROWD_PAUSE_FAR = 63,
    CROWD_FAR = 2048
};

/* Origins are near that differ by less than this share of the tree. */
#define CROWD_NEAR 0.125f

/* What things cost, a step of the ring being 8; measured, and of no weight for the answers. */
enum {
    CROWD_STEP = 8,
    CROWD_START = 10,     /* of each ray */
    CROWD_LEAF_STEP = 12, /* with its share of the doubles */
    CROWD_CHILD = 4,      /* of a register of rays */
    CROWD_TRIANGLE = 12,
    CROWD_NOTE = 3,
    CROWD_ENDED = 8 /* saved by every ray that the ring never sees */
};

typedef struct crowd {
    float row[24][CROWD];                     /* as in ring_rows */
    float origin[3][CROWD], offset[3][CROWD]; /* offset: of slabs, without the error */
    float from[CROWD], to[CROWD];             /* limits in t', outward, of rays with tmin >= 0 */
    uint64_t asked;                           /* rays without an answer from before */
    uint64_t walking;                         /* rays that take part */
    uint64_t hit, forward;                    /* forward: tmin >= 0 */
    uint64_t waiting;                         /* for the ring, when the walk is over */
    size_t first;                             /* ray */
    float box[3][2]; /* around the rays, between their limits and as far as the tree reaches */
    float reach;     /* the largest of all */
    bool narrows;    /* a sure hit counts: no option says otherwise */
    /* Notes, from the end on, so that the first is taken first; a row more to read over. */
    uint32_t entry[CROWD + 1][CROWD_ENTRIES];
    uint8_t entries[CROWD];
    uint32_t spent, saved; /* of the present crowd, by the costs above */
    uint32_t pause;        /* packets that are still to go without */
    bool near;             /* they begin close to one another */
    uint32_t top;
    uint32_t ref[SLI_STACK];
    uint64_t rays[SLI_STACK];
} crowd;

#endif
