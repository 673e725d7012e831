/* snap/work.h: a query of sightline/snap.h under way: what was found so far, and how what
 * may be snapped to is judged.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/pick/query.h"
#include "bvh/pick/snap/points.h"

enum {
    SLI_SNAP_SIDES = 32, /* that may cross */
    SLI_SNAP_POOL = 8,
    SLI_SNAP_KNOWN = 32 /* a power of two */
};

/* What is wanted of corners and sides, and of the face under the mouse. */
enum {
    SLI_SNAP_OF_EDGES = SL_SNAP_EDGE | SL_SNAP_MIDPOINT | SL_SNAP_CROSSING | SL_SNAP_EDGE_FOOT,
    SLI_SNAP_OF_FACES = SL_SNAP_CENTRE | SL_SNAP_FACE_FOOT | SL_SNAP_FACE,
    SLI_SNAP_OF_TREES = SL_SNAP_VERTEX | SLI_SNAP_OF_EDGES | SLI_SNAP_OF_FACES
};

/* What waits to be judged: a corner, or a point of an edge. */
typedef struct sli_snap_waiting {
    sl_snap snap;
    sli_candidate at; /* its kind, ends, point, and where that appears and is seen from */
} sli_snap_waiting;

/* What is wanted at a corner or an edge, by the bits of kinds. */
typedef struct sli_snap_known {
    double end[2][3];
    uint32_t seen, hidden; /* neither: not in use */
} sli_snap_known;

typedef struct sli_snap_work {
    sl_snap_def def; /* of its kinds, those that there can be */
    sl_pick_def pick;
    const sl_view *view;
    const sl_bvh *bvh;
    sli_pick_query query; /* screen and position are set in any case */
    sl_ray_d ray;         /* through the position */
    bool has_ray, has_face;
    sli_candidate face; /* under the mouse */
    double limit;       /* what is farther does not count, in pixels */
    bool found;
    sl_snap best;
    int best_rank;
    sli_snap_side side[SLI_SNAP_SIDES]; /* the nearest edges that are seen, nearest first */
    int side_count;
    /* Better than the best so far, the best one first. */
    sli_snap_waiting pool[SLI_SNAP_POOL];
    int pool_count;
    uint32_t pool_instance; /* whose corners and edges came last */
    sli_snap_known known[SLI_SNAP_KNOWN];
    sli_pick_search search;
    sl_stats unread;
} sli_snap_work;

/* ---- The best one (best.c) ---- */

bool sli_snap_is_better(const sl_snap_def *def, const sl_snap *a, const sl_snap *b);
int sli_snap_rank(const sl_snap_def *def, uint32_t kind);

/* This is the best one. */
void sli_snap_take(sli_snap_work *work, const sl_snap *snap);

/* ---- What waits (pool.c) ---- */

void sli_snap_pool_clear(sli_snap_work *work);

/* A corner or a point of an edge, complete, that is better than the best so far: it is judged
 * when it is its turn.  Where what is hidden counts, that is at once. */
void sli_snap_pool_take(sli_snap_work *work, const sli_snap_waiting *waiting);

/* Judges what waits and has a higher rank, the best first, until one is seen; that is the best
 * so far. */
void sli_snap_pool_settle(sli_snap_work *work, int rank);

/* Whether it is seen; each is judged once, as far as the table has room. */
bool sli_snap_pool_sees(sli_snap_work *work, const sli_snap_waiting *waiting);

/* ---- Everything that may be snapped to (offers.c) ---- */

/* What hides it: nothing; or all triangles, but those of an edge or face. */
typedef struct sli_snap_seen {
    bool always;
    const sli_candidate *edge; /* that the point is of; NULL: a corner's */
    const sli_snap_face *face;
    const sli_candidate *at; /* that has this very point; NULL: none */
} sli_snap_seen;

/* A snap whose kind, names and point are set: if it appears within the limit, is better than the
 * best so far, and counts as seen, it is the best one; corners and edges once what waits is
 * settled. */
void sli_snap_offer(sli_snap_work *work, sl_snap *snap, const sli_snap_seen *seen);

void sli_snap_offer_vertex(sli_snap_work *work, const sli_candidate *vertex);

/* kinds: of those of edges, but for crossings. */
void sli_snap_offer_edge(sli_snap_work *work, const sli_candidate *edge, uint32_t kinds);
void sli_snap_offer_crossing(sli_snap_work *work, const sli_snap_side *a, const sli_snap_side *b);

/* kinds: centre and foot. */
void sli_snap_offer_face(sli_snap_work *work, const sli_snap_face *face, uint32_t kinds);
void sli_snap_offer_under(sli_snap_work *work, const sli_snap_face *face);

/* The point of the grid, or the line, that a kind and a cell name; of a line the other number is
 * INT32_MIN. */
void sli_snap_offer_grid(sli_snap_work *work, uint32_t kind, const int32_t cell[2],
                         const double steps[2]);

/* The mark of an index, or with SL_NONE the best one. */
void sli_snap_offer_mark(sli_snap_work *work, uint32_t index);

/* A side, from its edge; false: no part of it appears. */
bool sli_snap_side_of(const sli_snap_work *work, const sli_candidate *edge, sli_snap_side *out);

/* ---- What was snapped to, looked at again (previous.c) ---- */

void sli_snap_offer_previous(sli_snap_work *work, const sl_snap *previous);
