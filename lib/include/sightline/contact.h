/* contact.h: how two triangles lie, how far they are apart, and when a shape that moves comes to
 * another one.
 *
 * Meshes   as wholes are asked about in clash.h, clashes.h and sweep.h.
 * Space    one world, in the units of your scene.  A distance is in these units; t is in units of
 *          dir.
 * Exact    relations and decisions are those of exact arithmetic on the numbers as given; points of
 *          triangles, distances and times are each the exact value, rounded once.
 * Numbers  are doubles that are first taken to the nearest multiple of 2^-149, ties to even, and no
 *          larger than FLT_MAX (shapes.h): so floats are taken as they are.
 * Fails    never; an invalid shape (shapes.h) is apart from everything, and nothing meets it.
 * Threads  pure functions: safe to call from several threads at once, and in any floating-point
 *          environment.
 * Cost     constant time for triangles, boxes, spheres and capsules; for a hull the product of its
 *          edges and those of the other shape.  In doubles unless they cannot decide; allocates
 *          nothing, and takes less than 48 KiB of stack. */
#ifndef SIGHTLINE_CONTACT_H
#define SIGHTLINE_CONTACT_H

#include <sightline/overlap.h>

/* ---- Two triangles ---- */

/* How two triangles lie.  One without area is the segment or point that it is, and never crosses
 * nor shares area. */
typedef enum sl_relation {
    SL_APART = 0,             /* no point in common */
    SL_TOUCHING = 1,          /* a point or a segment in common, but nothing that follows */
    SL_COPLANAR_SAME = 2,     /* in one plane, sharing area; their fronts are on the same side */
    SL_COPLANAR_OPPOSITE = 3, /* likewise, on opposite sides */
    SL_CROSSING = 4           /* in two planes; their relative interiors share a segment */
} sl_relation;

/* What two triangles have in common: a point, a segment, or a convex polygon. */
typedef struct sl_triangle_contact {
    sl_relation relation;
    uint32_t count;     /* of points: 0 where they are apart, at most 6 */
    double point[6][3]; /* corners of what they share, each coordinate rounded once, a zero +0; of a
                         * polygon in the order in which they run around the front of a.  The list
                         * begins where its numbers come first in order, so it does not depend on
                         * which corner of a triangle is named first; that of a segment or point
                         * does not depend on which triangle is a, either. */
} sl_triangle_contact;

/* The relation of two triangles, and what they share; out may be NULL.  It is the same for b and a,
 * and for corners named in any order of the same winding; a reversed winding exchanges coplanar
 * same and opposite, and changes nothing else.  Invalid triangles are apart.
 * Cost     some 20 to 60 ns, with points 0.3 us, where doubles decide; else microseconds.
 * Source   Guigue and Devillers, Fast and Robust Triangle-Triangle Overlap Test Using Orientation
 *          Predicates (2003). */
SL_API sl_relation sl_triangle_triangle(const sl_triangle_d *a, const sl_triangle_d *b,
                                        sl_triangle_contact *out);

/* The nearest points of two triangles.  Where several pairs of points are equally near (parallel
 * edges or faces, points that are shared), it is the pair whose point on a is the lowest: in x,
 * then in y, then in z.  Then the point on b is the lowest, too, so neither the order of triangles
 * nor that of corners matters. */
typedef struct sl_closest_points {
    float distance;    /* the exact one, rounded to nearest: 0 where they meet, or where it is below
                       * half the least float; INFINITY if it is beyond floats */
    double a[3], b[3]; /* each coordinate rounded once */
} sl_closest_points;

/* How far two triangles are apart, and where; false for an invalid one.  out may be NULL.
 * Cost     some 10 us.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.5, 5.1.9; Boyd and Vandenberghe,
 *          Convex Optimization (2004), 4.2.3. */
SL_API bool sl_triangle_distance(const sl_triangle_d *a, const sl_triangle_d *b,
                                 sl_closest_points *out);

/* ---- Shapes that move ----
 *
 * For boxes, hulls and triangles t is the largest entry time over all separating axes, a ratio; for
 * spheres and capsules the first time at which their axis (of a sphere its centre) is within the
 * radius of the obstacle.
 * Recede   an overlapping box, hull or triangle recedes where it is nearer to leaving ahead than
 *          behind: where, of the times at which it touches the obstacle (also before the start and
 *          beyond the end), the last is no larger than minus the first.  Without motion it rests.
 *          A sphere or capsule recedes where its axis does not meet the obstacle and comes no
 *          nearer to it at once.  Of a shape and a sphere that stands the sphere is taken to move,
 *          the other way; it recedes from a hull where its centre is in front of some of the faces
 *          and comes nearer to none of these.
 * Flat     a shape without volume overlaps nothing.  It closes where the motion carries it through
 *          the obstacle: just after the start they touch, and still do if the shape is shifted a
 *          little, in whichever direction.
 * Graze    a shape that is apart from the obstacle at the start grazes it where it comes to touch
 *          it, but would not overlap it however far it moved on: so what slides flush over a floor
 *          grazes the floor's next triangle.  A shape without volume grazes nothing.
 * Source   Gottschalk, Lin and Manocha, OBBTree (1996); Ericson, Real-Time Collision Detection
 *          (2005), 5.5. */

/* What happens with what the shape meets where it starts. */
typedef enum sl_start_contact {
    SL_START_REPORT = 0,          /* contact at t = 0 */
    SL_START_IGNORE_RECEDING = 1, /* none where the shape rests or moves away; else at t = 0 */
    SL_START_IGNORE = 2           /* none: the pair does not count */
} sl_start_contact;

/* How shape and obstacle lie where the motion starts.  They overlap where the shape's interior
 * meets the obstacle; a shape without volume has none. */
typedef enum sl_start {
    SL_START_APART = 0,
    SL_START_TOUCHING_CLOSING = 1,  /* touching, and overlapping at once as it moves */
    SL_START_TOUCHING_RECEDING = 2, /* touching, and resting, sliding along or moving away */
    SL_START_OVERLAPPING = 3
} sl_start;

/* A shape moved by t * dir, t in [0, 1]: a sphere, a capsule, a box of either kind, a hull or a
 * triangle; a frustum meets nothing.  Where dir is zero the question is what it meets where it is.
 * Invalid: an invalid or empty shape, a dir that is not finite or larger than FLT_MAX. */
typedef struct sl_sweep_d {
    sl_volume_d volume;
    double dir[3];
    sl_start_contact touching;    /* what the shape touches where it starts */
    sl_start_contact overlapping; /* and what it overlaps */
    bool ignore_grazing;          /* what it only grazes later does not count */
} sl_sweep_d;

/* The same in floats. */
typedef struct sl_sweep {
    sl_volume volume;
    float dir[3];
    sl_start_contact touching, overlapping;
    bool ignore_grazing;
} sl_sweep;

/* The first contact of a sweep. */
typedef struct sl_contact {
    double t;          /* rounded to nearest */
    double t_safe;     /* rounded down: at that t the shape does not overlap the obstacle yet; its
                        * coordinates there, once they are rounded, may */
    uint32_t prim;     /* SL_NONE where there is no contact */
    uint32_t instance; /* 0 against one shape, and for a tree over triangles */
    sl_start start;
    uint32_t flags;   /* SL_HIT_BACK: the motion meets the triangle's back; SL_HIT_EDGE,
                       * SL_HIT_VERTEX: it is an edge or a vertex that is met (both bits) */
    double point[3];  /* on the obstacle, at the exact t; within a few roundings */
    double normal[3]; /* of the obstacle there, towards the shape; of unit length */
} sl_contact;

/* Normal and point of boxes, hulls and triangles.  The normal is the axis with the largest entry
 * time or, for what only touches at the start, the first axis along which they touch.  Of several
 * the order is: the obstacle's face normals, the shape's, cross products of their edges.  The point
 * is the obstacle's corner where that alone is foremost along the normal, else the shape's, else
 * the mean of the corners of what the foremost edges or faces of both share.  For what overlaps at
 * the start it is the obstacle's point nearest to the middle of the shape's bounds, of a box its
 * middle; where there is no entry time (no motion) the normal is that of the front, or 0 where
 * there is none. */

/* The same sweep in doubles; nothing is rounded.  xyz: room for three doubles for each point of a
 * hull, which the result refers to; may be NULL for other shapes. */
SL_API sl_sweep_d sl_sweep_d_from_sweep(const sl_sweep *sweep, double *xyz);

/* Whether a sweep meets one shape that stands: a triangle, a box of either kind or a sphere; other
 * shapes are not met.  out may be NULL.  Where there is a contact, out->prim is 0; where there is
 * none it is SL_NONE, t and t_safe are 1 and all else is 0. */
SL_API bool sl_sweep_volume(const sl_sweep_d *sweep, const sl_volume_d *obstacle, sl_contact *out);

#endif
