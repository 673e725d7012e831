/* snap.h: what the mouse snaps to: the best of the vertices, edges, their midpoints and crossings,
 * centres of faces, feet of perpendiculars, grids and marks within a radius in pixels; and the same
 * one as long as the mouse stays near it.
 *
 *     const sl_snap_def def = { 0 };
 *     sl_snap snap = { .kind = SL_SNAP_NONE };
 *     ... for each move of the mouse:
 *     const bool same = sl_snap_at(scene, &view, mouse, &def, &snap, &snap) && snap.kept;
 *
 * Points   each kind has one point of the world, found by a fixed sequence of operations in double
 *          (docs/notes/snapping.md); where it appears is sl_view_project of it, and pixels its
 *          distance from the mouse there, which must not exceed the radius.
 * Seen     what is not seen does not count: vertices, and each point of an edge, as pick.h says;
 *          centres and feet on faces are hidden only by triangles of other faces; a crossing counts
 *          where its point on the nearer edge is seen.  Points of a grid, and the point of the face
 *          under the mouse, always count; marks as marks.h says.
 * Best     the highest rank, then the fewest pixels, then the smallest distance from the near
 *          plane, then the kind of the lowest number, then (instance, prim, corner), then those of
 *          the other edge.
 * Kept     the previous snap, looked at again where it is now, stays as long as it is within
 *          radius + hold pixels, unless the best one has a higher rank, or the same rank and more
 *          than margin fewer pixels.  Nothing else is remembered: what a call answers depends on
 *          its arguments alone.
 * Target   names what is snapped to: equal from call to call as long as that is the same.
 * Exact    answers are those of looking at every corner and side of every triangle.
 * Fails    never: false, and kind SL_SNAP_NONE, for nothing, for a position that is not finite, and
 *          for a view or a def that is not usable.
 * Threads  as queries of rays.h; nothing is allocated; a call takes at most 48 KiB of stack.
 * Cost     some ten to some hundred microseconds; milliseconds where much that is hidden lies
 *          within the radius, most of all where nothing but crossings is wanted
 *          (docs/notes/performance.md). */
#ifndef SIGHTLINE_SNAP_H
#define SIGHTLINE_SNAP_H

#include <sightline/marks.h>

/* Bits of sl_snap_def.kinds.  Midpoints, crossings and feet are those of edges whose nearest point
 * (pick.h) is within the radius, too. */
typedef enum sl_snap_kind {
    SL_SNAP_NONE = 0,
    SL_SNAP_VERTEX = 1,
    SL_SNAP_EDGE = 2,       /* the point nearest to the mouse, as pick.h finds it */
    SL_SNAP_MIDPOINT = 4,   /* 0.5 a + 0.5 b */
    SL_SNAP_CROSSING = 8,   /* where two edges without a common end cross in the picture: the point
                             * on the nearer one.  Of the 32 nearest edges that are seen */
    SL_SNAP_EDGE_FOOT = 16, /* of the perpendicular from `from`, within the edge */
    SL_SNAP_CENTRE = 32,    /* of the area of the face under the mouse; without a topology, of the
                             * triangle */
    SL_SNAP_FACE_FOOT = 64, /* on the plane of the triangle under the mouse, within its face */
    SL_SNAP_FACE = 128,     /* the point under the mouse */
    SL_SNAP_GRID = 256,     /* the nearest point of the grid */
    SL_SNAP_GRID_LINE = 512,
    SL_SNAP_MARK = 1024,
} sl_snap_kind;

enum {
    SL_SNAP_KINDS = 11,
    SL_SNAP_DEFAULT =
        SL_SNAP_VERTEX | SL_SNAP_EDGE | SL_SNAP_MIDPOINT | SL_SNAP_CENTRE | SL_SNAP_FACE
};

/* A plane with a grid: its points are origin + i x + j y.  x and y need be neither of unit length
 * nor at right angles.  docs/picking.md makes that of a face from a pick. */
typedef struct sl_snap_grid {
    double origin[3], x[3], y[3];
} sl_snap_grid;

/* Where locked points lie. */
typedef enum sl_snap_lock {
    SL_SNAP_FREE = 0,
    SL_SNAP_LINE = 1, /* through lock_at, along lock_dir */
    SL_SNAP_PLANE = 2 /* through lock_at, at right angles to lock_dir */
} sl_snap_lock;

typedef struct sl_snap_def {
    uint32_t kinds;              /* 0 means SL_SNAP_DEFAULT */
    float radius, hold, margin;  /* pixels; 0: 10, 4 and 2.  A negative hold or margin: none */
    uint8_t rank[SL_SNAP_KINDS]; /* by the number of a kind's bit.  Zeros: vertices and marks 7,
                                  * crossings 6, midpoints and feet on edges 5, centres and feet on
                                  * faces 4, edges 3, the grid's points 2, its lines 1, faces 0 */
    bool hidden;                 /* what is not seen counts */
    bool all_vertices;           /* as sl_pick_def */
    bool has_from;               /* from is set: there are feet */
    const sl_topology *const *topologies; /* as sl_pick_def */
    const sl_options *options;            /* as sl_pick_def: ignore what is being dragged */
    const sl_marks *marks;                /* NULL: none */
    const sl_snap_grid *grid;             /* NULL: none */
    double from[3];
    sl_snap_lock lock;
    double lock_at[3], lock_dir[3];
} sl_snap_def;

typedef struct sl_snap {
    double point[3];  /* in the world */
    double locked[3]; /* its nearest point on the line or plane of the lock; without one, point */
    double normal[3]; /* of kinds of faces: across the triangle, of unit length, towards the eye;
                       * else zeros */
    double xy[2];     /* where point appears */
    double pixels;    /* from the mouse to there */
    double distance;  /* length of the line of sight */
    double along;     /* of edges, from corner on; of marks from p on; else 0 */
    uint64_t target;
    uint32_t kind;                   /* sl_snap_kind */
    uint32_t instance, prim, corner; /* as sl_pick; SL_NONE and 0 where there is none; of marks prim
                                      * is the index */
    uint32_t other_instance, other_prim, other_corner; /* of the farther edge of a crossing */
    uint32_t flags;                                    /* SL_PICK_HIDDEN */
    int32_t cell[2];                                   /* i and j of the grid */
    bool kept;                                         /* it is the target that previous was */
} sl_snap;

/* What the mouse snaps to.  bvh is a tree of either kind; NULL: nothing but marks and the grid.
 * def may be NULL: defaults.  previous: the last call's answer, or NULL; it may be out.  *out is
 * always written. */
SL_API bool sl_snap_at(const sl_bvh *bvh, const sl_view *view, const double xy[2],
                       const sl_snap_def *def, const sl_snap *previous, sl_snap *out);

#endif
