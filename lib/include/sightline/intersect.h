/* intersect.h: rays, segments and lines against single shapes: where (t, u, v).
 *
 * These are the scalar truth: the tree's kernels are tested against them.
 * Exact    hit or miss is what exact arithmetic on the given floats says; t, u and v are each the
 *          exact value rounded to the nearest float (ties to even, a zero is +0).
 * Fails    never; an invalid ray (shapes.h) is a miss.
 * Threads  pure functions; any floating-point environment of the caller's is fine.
 * Source   Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 *          Predicates (1997); Barnes, Ray/Bounding Box Intersections (2022); see docs/notes. */
#ifndef SIGHTLINE_INTERSECT_H
#define SIGHTLINE_INTERSECT_H

#include <sightline/proxy.h>
#include <sightline/shapes.h>

/* Which triangles a ray does not see.  A triangle's front is the side from which its vertices run
 * counter-clockwise; a ray with dir . normal < 0 meets the front, > 0 the back, = 0 nothing. */
typedef enum sl_cull {
    SL_CULL_NONE = 0,
    SL_CULL_BACK = 1, /* only fronts are hit */
    SL_CULL_FRONT = 2 /* only backs are hit */
} sl_cull;

/* Bits of sl_hit.flags; all exact. */
enum {
    SL_HIT_BACK = 1,   /* the back was hit; clear: the front */
    SL_HIT_EDGE = 2,   /* on an edge of the triangle, vertices included */
    SL_HIT_VERTEX = 4, /* on a vertex */
};

/* u, v are the weights of vertices 1 and 2 (vertex 0 weighs 1 - u - v).  A miss is
 * prim == SL_NONE: t = +inf may be a hit whose t is beyond the float range.  24 bytes. */
typedef struct sl_hit {
    float t, u, v;
    uint32_t prim;     /* index of the triangle in its mesh; 0 from the single-triangle tests */
    uint32_t instance; /* 0 where there are no instances */
    uint32_t flags;    /* SL_HIT_... */
} sl_hit;

/* Bits of sl_query.flags: each switches on what the field of its name says. */
enum {
    SL_USE_MASK = 1,   /* only triangles whose mask shares a bit with .mask are there */
    SL_USE_SKIP = 2,   /* triangles .skip[0] and .skip[1] are not there */
    SL_OPEN_START = 4, /* segments: a hit at t = 0 does not count */
    SL_OPEN_END = 8,   /* segments: a hit at t = 1 does not count */
    SL_USE_CROSSINGS =
        16, /* surfaces crossed, not triangles touched: the ray counts as moved by (e, e^2,
                        * e^3) with an infinitely small e, so a shared edge or vertex is one crossing, or none
                        * where it is only grazed; a closed mesh is crossed an even number of times from outside.
                        * t, u and v stay those of the ray as it is.  Edelsbrunner and Mucke, Simulation
                        * of Simplicity (1990) */
};

/* The same for one ray of an array; read where sl_query.per_ray is set. */
typedef struct sl_ray_opt {
    uint32_t mask;
    uint32_t skip[2];
} sl_ray_opt;

/* Work done by queries.  Only ever added to; set it to zero yourself.  Batches add from several
 * threads safely.  What is counted depends on the tree and may change between versions. */
typedef struct sl_stats {
    uint64_t rays;             /* asked, the invalid included */
    uint64_t nodes;            /* inner nodes entered */
    uint64_t boxes;            /* boxes tested */
    uint64_t triangles;        /* triangles looked at */
    uint64_t float_stage;      /* of those: decided by the float filter */
    uint64_t double_stage;     /* decided by the double filter */
    uint64_t exact_stage;      /* that needed exact arithmetic */
    uint64_t hits;             /* exact hits seen on the way, before limits on how many are kept */
    uint64_t proxies_rejected; /* rays, points, volumes that ended at the proxy, before the tree */
} sl_stats;

/* Options of a query, as data.  A zeroed sl_query, or NULL, is the default and means everything. */
typedef struct sl_query {
    uint32_t flags; /* SL_USE_..., SL_OPEN_... */
    uint32_t mask;
    uint32_t skip[2];
    sl_cull cull;
    const sl_ray_opt *per_ray; /* one for each ray of an array (single calls read the first);
                                * replaces .mask and .skip; the flags still say what is in use */
    size_t per_ray_stride;     /* in bytes; 0: sizeof(sl_ray_opt) */
    sl_stats *stats;           /* NULL: nothing is counted */
    const sl_proxy *proxy;     /* trees: asked first, or instead; NULL: none.  Soups and single
                                * shapes do not ask it */
} sl_query;

/* One ray, or one segment, against one triangle.  Of the query, flags SL_OPEN_... , cull and stats
 * are used.  hit may be NULL; on a miss it is left with prim == SL_NONE. */
SL_API bool sl_ray_triangle(const sl_ray *ray, const sl_triangle *triangle, const sl_query *query,
                            sl_hit *hit);
SL_API bool sl_segment_triangle(const sl_segment *segment, const sl_triangle *triangle,
                                const sl_query *query, sl_hit *hit);

/* Which side of the triangle a direction meets: -1 the front, 1 the back, 0 neither: the direction
 * lies in the plane, the triangle has no area, or something is not finite.  The exact sign of
 * dir . normal; what sl_cull goes by. */
SL_API int sl_triangle_facing(const sl_triangle *triangle, const float dir[3]);

/* Rays, segments and lines against the plane across one axis where that coordinate is k. */
typedef enum sl_plane_meet {
    SL_PLANE_MISS = 0,  /* not within the limits, or parallel and beside it; or not valid */
    SL_PLANE_POINT = 1, /* met in one point */
    SL_PLANE_WITHIN = 2 /* parallel (or of no length) and in the plane with every point */
} sl_plane_meet;

typedef struct sl_plane_hit {
    float t;        /* within: of the t allowed, the one nearest to 0 */
    float point[3]; /* each coordinate rounded to nearest by itself; the plane's own is exactly k */
} sl_plane_hit;

/* axis is 0, 1 or 2; k finite.  On a miss *hit is left alone; it may be NULL. */
SL_API sl_plane_meet sl_ray_axis_plane(const sl_ray *ray, int axis, float k, sl_plane_hit *hit);
SL_API sl_plane_meet sl_segment_axis_plane(const sl_segment *segment, int axis, float k,
                                           sl_plane_hit *hit);
SL_API sl_plane_meet sl_line_axis_plane(const sl_line *line, int axis, float k, sl_plane_hit *hit);

/* Rays, segments and lines against a box, solid or not, by slabs: t0 .. t1 is the span of t in the
 * box, clipped to the limits, each end rounded.  Touching a face, an edge or a corner counts; a
 * component of dir that is 0 asks only whether the origin lies between the two faces.  Without
 * length they are points, and every t within the limits is in the span.  An empty box is missed. */
SL_API bool sl_ray_aabb_span(const sl_ray *ray, const sl_aabb *box, float *t0, float *t1);
SL_API bool sl_segment_aabb_span(const sl_segment *segment, const sl_aabb *box, float *t0,
                                 float *t1);
SL_API bool sl_line_aabb_span(const sl_line *line, const sl_aabb *box, float *t0, float *t1);

/* What starting inside means.  Inside is the interior: who starts on the surface hits at once. */
typedef enum sl_start_inside {
    SL_INSIDE_SOLID = 0,         /* a hit where it starts */
    SL_INSIDE_HOLLOW = 1,        /* a hit where it leaves; none if it ends before */
    SL_INSIDE_IGNORE = 2,        /* no hit */
    SL_INSIDE_IGNORE_LEAVING = 3 /* nor for who starts on a round surface and leaves it at once;
                                  * boxes: as IGNORE */
} sl_start_inside;

/* 2 * axis, plus 1 for the face at max. */
typedef enum sl_box_face {
    SL_BOX_FACE_NONE = -1,
    SL_BOX_FACE_MIN_X = 0,
    SL_BOX_FACE_MAX_X = 1,
    SL_BOX_FACE_MIN_Y = 2,
    SL_BOX_FACE_MAX_Y = 3,
    SL_BOX_FACE_MIN_Z = 4,
    SL_BOX_FACE_MAX_Z = 5
} sl_box_face;

typedef struct sl_aabb_hit {
    float t;           /* t0, or t1 for who leaves a hollow box; where t0 is -inf, nearest to 0 */
    float point[3];    /* there; each coordinate rounded by itself, on a face exactly the face's */
    sl_box_face face;  /* entry or exit; none where it starts in the box without entering there */
    float normal[3];   /* of face, outwards; zero for none */
    float t0, t1;      /* the span, whatever the policy */
    sl_box_face entry; /* crossed inwards at t0; at edges and corners the lowest axis */
    sl_box_face exit;  /* crossed outwards at t1; none where a limit ends the span before that */
    bool inside;       /* starts in the interior */
} sl_aabb_hit;

/* *hit is left alone on a miss, and may be NULL. */
SL_API bool sl_ray_aabb(const sl_ray *ray, const sl_aabb *box, sl_start_inside inside,
                        sl_aabb_hit *hit);
SL_API bool sl_segment_aabb(const sl_segment *segment, const sl_aabb *box, sl_start_inside inside,
                            sl_aabb_hit *hit);
SL_API bool sl_line_aabb(const sl_line *line, const sl_aabb *box, sl_start_inside inside,
                         sl_aabb_hit *hit);

/* Rays, segments and lines against any plane.  point is rounded coordinate by coordinate, and so
 * need not satisfy the plane's equation; WITHIN as above.  A plane that is not valid is missed. */
SL_API sl_plane_meet sl_ray_plane(const sl_ray *ray, const sl_plane *plane, sl_plane_hit *hit);
SL_API sl_plane_meet sl_segment_plane(const sl_segment *segment, const sl_plane *plane,
                                      sl_plane_hit *hit);
SL_API sl_plane_meet sl_line_plane(const sl_line *line, const sl_plane *plane, sl_plane_hit *hit);

/* Where a sphere or a capsule, solid or not, is met.  All but the normal exact values, rounded. */
typedef struct sl_round_hit {
    float t;         /* t0, or t1 for who leaves a hollow shape; where t0 is -inf, nearest to 0 */
    float point[3];  /* there; each coordinate rounded by itself */
    float normal[3]; /* there, outwards, of length 1: each component within 2^-24; zero where no
                      * surface is crossed, and for a radius of 0 */
    float t0, t1;    /* the span in the shape, clipped to the limits, whatever the policy */
    bool entry;      /* at t0 the surface is crossed inwards, or touched; else it is the limit */
    bool exit;       /* at t1 crossed outwards, or touched; else it is the limit */
    bool inside;     /* starts in the interior */
} sl_round_hit;

/* Rays, segments and lines against a sphere.  A tangent touches once: t0 is t1.  Without length
 * they are points, and every t within the limits is in the span.  In the plane z = 0 of everything
 * this is the test against a circle.  *hit is left alone on a miss, and may be NULL.
 * Policy   SL_INSIDE_IGNORE_LEAVING is the test of the source document: starting inside is no hit;
 *          starting on the surface is one for who goes in or along it, none for who goes out. */
SL_API bool sl_ray_sphere(const sl_ray *ray, const sl_sphere *sphere, sl_start_inside inside,
                          sl_round_hit *hit);
SL_API bool sl_segment_sphere(const sl_segment *segment, const sl_sphere *sphere,
                              sl_start_inside inside, sl_round_hit *hit);
SL_API bool sl_line_sphere(const sl_line *line, const sl_sphere *sphere, sl_start_inside inside,
                           sl_round_hit *hit);

/* The same against a capsule; where p is q it is a sphere, and of radius 0 it is a segment. */
SL_API bool sl_ray_capsule(const sl_ray *ray, const sl_capsule *capsule, sl_start_inside inside,
                           sl_round_hit *hit);
SL_API bool sl_segment_capsule(const sl_segment *segment, const sl_capsule *capsule,
                               sl_start_inside inside, sl_round_hit *hit);
SL_API bool sl_line_capsule(const sl_line *line, const sl_capsule *capsule, sl_start_inside inside,
                            sl_round_hit *hit);

/* As sl_aabb_hit, by the box's own axes: they number the faces.  Normals have length 1, each
 * component within 2^-24; each coordinate of point is rounded by itself.  Where faces meet, the
 * lowest axis. */
typedef sl_aabb_hit sl_obb_hit;

/* Rays, segments and lines against a box of any orientation, sheared and mirrored ones too: against
 * exactly the points that sl_obb says.  Without length they are points.  *hit is left alone on a
 * miss, and may be NULL.
 * Flat     a half of 0 is like any other.  Axes in one plane, usually because one is zero, make a
 *          polygon.  Its two faces are those of the zero axis (or of the last one that the two
 *          others make superfluous), the max side being that of cross(axis + 1, axis + 2); its rim
 *          has the faces of the other two.  Axes on one line make a segment or a point, which has
 *          no faces. */
SL_API bool sl_ray_obb(const sl_ray *ray, const sl_obb *box, sl_start_inside inside,
                       sl_obb_hit *hit);
SL_API bool sl_segment_obb(const sl_segment *segment, const sl_obb *box, sl_start_inside inside,
                           sl_obb_hit *hit);
SL_API bool sl_line_obb(const sl_line *line, const sl_obb *box, sl_start_inside inside,
                        sl_obb_hit *hit);

/* The other form of such a box: the cube -1/2 .. 1/2 carried by an affine matrix (last row exactly
 * 0 0 0 1, all finite; others are not usable).  The box of a matrix, without any rounding; scales
 * of 0 make it flat, as above.  False, and *out left alone, for a matrix that is not usable. */
SL_API bool sl_obb_from_matrix(const float matrix[16], sl_obb *out);

/* The inverse, every element the exact one rounded to nearest.  False, and inverse left alone, for
 * a matrix that is not usable or that is singular (its determinant is exactly 0): use the sl_obb
 * then; and where an element would be beyond the float range.  May be in place. */
SL_API bool sl_matrix_inverse(const float matrix[16], float inverse[16]);

/* Rays, segments and lines against the points that the inverse matrix carries into the cube,
 * exactly: the line is carried there without rounding, t stays the same, and a normal comes back by
 * the transpose of the inverse.  Because an inverse is rounded, this box and that of the matrix may
 * differ in the last bits.  A singular inverse means a box without end in some direction; an
 * unusable one is missed. */
SL_API bool sl_ray_unit_cube(const sl_ray *ray, const float inverse[16], sl_start_inside inside,
                             sl_obb_hit *hit);
SL_API bool sl_segment_unit_cube(const sl_segment *segment, const float inverse[16],
                                 sl_start_inside inside, sl_obb_hit *hit);
SL_API bool sl_line_unit_cube(const sl_line *line, const float inverse[16], sl_start_inside inside,
                              sl_obb_hit *hit);

/* Triangles in plain arrays: what a mesh is when nobody has built a tree over it.  Indices are in
 * range; a triangle with a coordinate that is not finite is never hit. */
typedef struct sl_soup {
    const float *xyz;        /* three for each vertex */
    const uint32_t *indices; /* three for each triangle; three times SL_NONE: left out */
    const uint32_t *masks;   /* one for each triangle, or NULL: all bits set */
    size_t triangle_count;
} sl_soup;

/* One ray against every triangle in turn, without a tree: the oracle that trees are held against.
 * Keeps the capacity nearest hits, sorted by (t, prim), and returns how many there are in all.
 * closest is capacity 1, count capacity 0, any is > 0.  Cost: every triangle, every time. */
SL_API size_t sl_soup_all(const sl_soup *soup, const sl_ray *ray, const sl_query *query,
                          sl_hit *hits, size_t capacity);
SL_API size_t sl_soup_all_segment(const sl_soup *soup, const sl_segment *segment,
                                  const sl_query *query, sl_hit *hits, size_t capacity);

#endif
