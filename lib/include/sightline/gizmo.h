/* gizmo.h: what a drag with the mouse does to an object: along an axis, in a plane, around a ring,
 * in the plane of the picture, scaled, rolled; what handle is under the mouse; transforms moved,
 * turned and scaled.
 *
 *     sl_drag drag = { .kind = SL_DRAG_AXIS, .point = { x, y, z }, .axis = { 1 } };
 *     sl_drag_begin(&drag, &view, mouse);                  the button goes down
 *     if (sl_drag_to(&drag, &view, mouse, NULL, &move) == SL_DRAG_MOVED)   the mouse has moved
 *         sl_drag_transform(&drag, &move, &at_start, &transform);
 *
 * Pure     a drag is a value, which holds all of the start; the answer is a function of that value,
 *          of the view and of where the mouse is, not of how the mouse came there.  (Around a ring
 *          the last answer says how many whole turns there were, and nothing else.)
 * Target   the grabbed point is to appear at the position that it had in the picture at the start,
 *          moved as the mouse has moved: what the mouse missed it by stays as it is.  If the
 *          camera moves during the drag, the point follows the mouse in the new view.
 * Back     the mouse where it began, in the view where it began, gives exactly no translation, the
 *          angle 0 (but for whole turns), the factor 1, whatever the way; on a grid, too.
 * Clamp    of two positions of the mouse, d pixels apart, the answers are no farther apart than
 *          limit times d pixels, as large as they are at the grabbed point, whatever the view: so
 *          objects do not fly away at vanishing points, horizons and edges, but move on beyond the
 *          limits as they did at the start, and the answer has SL_DRAG_CLAMPED.  Elsewhere the new
 *          point appears within 1e-6 pixels of its target (docs/notes/gizmos.md: what holds, and
 *          why).
 * Fails    an sl_drag_answer says why; outputs are left alone then.
 * Threads  values and pure functions, in any floating-point environment: the same bits everywhere.
 * Cost     0.4 to 1.5 microseconds a call; 20 to pick among rings.  Allocates nothing. */
#ifndef SIGHTLINE_GIZMO_H
#define SIGHTLINE_GIZMO_H

#include <sightline/camera.h>
#include <sightline/transform.h>

struct sl_bvh;

typedef enum sl_drag_kind {
    SL_DRAG_AXIS = 0,    /* along the line through point, in the direction of axis */
    SL_DRAG_PLANE = 1,   /* in the plane through point, whose normal is axis */
    SL_DRAG_SCREEN = 2,  /* in the plane through point that is parallel to the picture */
    SL_DRAG_RING = 3,    /* turned about the axis through centre: by the right-hand rule */
    SL_DRAG_ROLL = 4,    /* turned about centre as a ball that rolls under the mouse: its front, a
                          * radius from the centre, moves with the mouse */
    SL_DRAG_SCALE = 5,   /* scaled about centre: by the distance from it in the picture */
    SL_DRAG_STRETCH = 6, /* scaled about centre along axis alone */
    SL_DRAG_SURFACE = 7  /* on the triangles of a tree: sl_drag_on_surface */
} sl_drag_kind;

/* How a ring follows the mouse.  Around: the grabbed point is under the mouse, or between it and
 * the centre, near which there is no answer.  Pulled: the mouse moves along the ring's tangent as
 * along a wheel's rim: there is an answer everywhere, for any number of turns. */
typedef enum sl_ring_rule {
    SL_RING_AUTO = 0, /* pulled, if at the start the ring is seen so nearly edge-on that around
                         * would have to be clamped; for a limit of 32 at some 17 degrees */
    SL_RING_AROUND = 1,
    SL_RING_PULLED = 2
} sl_ring_rule;

/* A drag: what the caller sets, and what sl_drag_begin adds, the defaults of what is 0 among it. */
typedef struct sl_drag {
    sl_drag_kind kind;
    sl_ring_rule ring;
    double point[3];  /* the point that was grabbed, at the start */
    double axis[3];   /* a direction of any length; zeros: (0, 0, 1) */
    double centre[3]; /* of rings, rolls and scales: the point that they leave where it is */
    double radius;    /* rolls: of the ball; scales: the least distance that point counts as being
                       * from the centre.  0: the distance of point from centre */
    double limit;     /* of the clamp, in pixels' worth for a pixel; 4 at least; 0: 32 */

    /* The answer is taken to multiples of step: lengths along axis, along both directions of the
     * plane (u, v: tangent made perpendicular to the normal, and normal x u) or along the axes of
     * the world (picture); angles of rings; factors less 1.  0: none.  Not on surfaces, and not for
     * rolls. */
    double step;
    bool absolute;     /* lengths: the new point's coordinates, counted from grid, are multiples,
                        * rather than the translation's */
    double grid[3];    /* zeros: the origin of the world */
    double tangent[3]; /* planes; zeros, or parallel to the normal: a direction that lies in a
                        * plane of two of the world's axes */
    double factor_min; /* factors are no smaller, > 0; 0: 1/1024 */

    /* What sl_drag_begin sets; sl_drag_pace changes the first three.  The grabbed point is to
     * appear at at + pace * (xy - from). */
    double from[2], at[2], pace;
    double pull[3]; /* rings: the direction of the tangent that is pulled; zeros: around */
} sl_drag;

typedef enum sl_drag_answer {
    SL_DRAG_MOVED = 0,       /* there is an answer */
    SL_DRAG_BAD_DRAG = 1,    /* a number is not finite or not allowed, a ring's point on its axis, a
                             * scale's or roll's at its centre (with radius 0) */
    SL_DRAG_BAD_VIEW = 2,    /* the view is not usable */
    SL_DRAG_BAD_MOUSE = 3,   /* not finite */
    SL_DRAG_BEHIND = 4,      /* the grabbed point, or the centre, is not in front of the eye */
    SL_DRAG_AT_CENTRE = 5,   /* around a ring: too near to its centre */
    SL_DRAG_NOTHING = 6,     /* on surfaces: there is none under the mouse */
    SL_DRAG_OUT_OF_RANGE = 7 /* a result is not finite, or an angle is beyond a million */
} sl_drag_answer;

/* Bits of sl_drag_move.flags. */
enum {
    SL_DRAG_CLAMPED = 1,     /* the clamp, or factor_min, has changed the answer */
    SL_DRAG_OFF_SURFACE = 2, /* nothing is under the mouse: at the depth of the last point */
};

/* What a drag has become.  What its kind does not change is as at the start: no translation, the
 * rotation 0 0 0 1, angle 0, factor 1. */
typedef struct sl_drag_move {
    double translation[3];
    double point[3];    /* where the grabbed point is now, rounded */
    double rotation[4]; /* unit quaternion x y z w; quarter turns about axes of the world exact */
    double angle;       /* of rings, whole turns included; of rolls, in [0, ...) */
    double free_angle;  /* of rings: before it was taken to a step */
    double factor;      /* scales: in all directions; stretches: along the axis */
    double normal[3];   /* surfaces: of the front there; zeros elsewhere */
    double pixel;       /* the size of a pixel at the grabbed point, of which the clamp speaks */
    uint32_t instance, prim; /* surfaces: the triangle; elsewhere SL_NONE */
    uint32_t flags;          /* SL_DRAG_CLAMPED, ... */
} sl_drag_move;

/* The mouse takes hold of drag->point, at a position of the picture that need not be its own.  What
 * sl_drag_to would refuse there is refused now. */
SL_API sl_drag_answer sl_drag_begin(sl_drag *drag, const sl_view *view, const double xy[2]);

/* What the drag has become with the mouse at a position.  last: the answer before this one, or
 * NULL.  The angle of a ring that is followed around is within half a turn of last->free_angle, or
 * without last within half a turn of 0.  out may be last. */
SL_API sl_drag_answer sl_drag_to(const sl_drag *drag, const sl_view *view, const double xy[2],
                                 const sl_drag_move *last, sl_drag_move *out);

/* From the position on, the point follows the mouse at another pace: 1 as at the start; say 0.1,
 * while a key for slow drags is held.  Nothing jumps.  False, and no change, for what is not
 * finite. */
SL_API bool sl_drag_pace(sl_drag *drag, const double xy[2], double pace);

/* The transform of an object, from that at the start.  False if an element is not finite. */
SL_API bool sl_drag_transform(const sl_drag *drag, const sl_drag_move *move,
                              const sl_transform *start, sl_transform *out);

/* Handles, which the mouse may take hold of, as bits; squares are named for their normal. */
/* clang-format off */
enum {
    SL_HANDLE_ARROW_X = 1, SL_HANDLE_ARROW_Y = 2, SL_HANDLE_ARROW_Z = 4,
    SL_HANDLE_SQUARE_X = 8, SL_HANDLE_SQUARE_Y = 16, SL_HANDLE_SQUARE_Z = 32,
    SL_HANDLE_RING_X = 64, SL_HANDLE_RING_Y = 128, SL_HANDLE_RING_Z = 256,
    /* scales along one axis; the middle one in all directions */
    SL_HANDLE_BOX_X = 512, SL_HANDLE_BOX_Y = 1024, SL_HANDLE_BOX_Z = 2048,
    SL_HANDLE_MIDDLE = 4096, /* the picture's plane, or the scale if boxes are there */
    SL_HANDLE_ALL_MOVE = 63 + 4096,
    SL_HANDLE_ALL_TURN = 64 + 128 + 256,
    SL_HANDLE_ALL_SCALE = 512 + 1024 + 2048 + 4096
};
/* clang-format on */

/* What a gizmo is drawn as, in units of sl_gizmo_size: arrows reach to 1 along each axis, squares
 * lie along two, rings have the radius 1, boxes are points on each axis. */
#define SL_GIZMO_ARROW_START  0.2
#define SL_GIZMO_SQUARE_START 0.3
#define SL_GIZMO_SQUARE_END   0.5
#define SL_GIZMO_BOX_AT       1.15

typedef struct sl_gizmo {
    double centre[3];
    double axes[3][3]; /* unit vectors at right angles; zeros: those of the world */
    double pixels;     /* length of an arrow in the picture, if it lies in its plane; 0: 90 */
    uint32_t handles;  /* SL_HANDLE_... that are there; 0: SL_HANDLE_ALL_MOVE */
} sl_gizmo;

/* The length in the world of `pixels` at the centre.  False as sl_view_pixel_size. */
SL_API bool sl_gizmo_size(const sl_gizmo *gizmo, const sl_view *view, double *out);

typedef struct sl_handle {
    uint32_t handle; /* one bit, SL_HANDLE_... */
    double pixels;   /* from the mouse to where it appears; 0 within a square */
    double point[3]; /* of the handle: what was grabbed */
    double size;     /* of the gizmo, in the world (sl_gizmo_size) */
} sl_handle;

/* The handle under the mouse: of those within radius pixels the nearest, of equally near ones the
 * middle, then boxes, arrows, rings, squares, each in the order of x, y, z.  Squares count only
 * where nothing else does.  Arrows are measured as their segments, and the middle and boxes as
 * points; rings as polygons of 64 sides, of which those behind the centre's plane do not count
 * unless the ring is seen within some 6 degrees of face-on.  What is not all in front of the eye is
 * not there.  False for none, and for what is not usable. */
SL_API bool sl_gizmo_pick(const sl_gizmo *gizmo, const sl_view *view, const double xy[2],
                          double radius, sl_handle *out);

/* The drag of a handle: sets kind, point, axis and centre; and radius, tangent, for those that have
 * one.  The rest stays.  False for what is no handle of the gizmo. */
SL_API bool sl_gizmo_drag(const sl_gizmo *gizmo, const sl_handle *handle, sl_drag *drag);

/* For a drag whose kind is SL_DRAG_SURFACE, begun by sl_drag_begin: what is dragged stands where
 * the mouse points.  The new point is that of the closest hit of sl_view_ray there, on a tree of
 * either kind; options, which may be NULL, ignore what is dragged itself.  Where there is no
 * surface, the point stays at the depth that it had last, exactly under the position; or, if last
 * (as in sl_drag_to) is NULL, the answer is SL_DRAG_NOTHING. */
SL_API sl_drag_answer sl_drag_on_surface(const struct sl_bvh *bvh, const sl_drag *drag,
                                         const sl_view *view, const double xy[2],
                                         const sl_options *options, const sl_drag_move *last,
                                         sl_drag_move *out);

#endif
