/* exact/predicates.h: the exact decisions that lib/geom, the kernels and the queries all call.
 *
 * Each predicate first tries doubles, and some double-doubles, with a proven error bound (the
 * double stage) and only then expansion arithmetic (the exact stage).  Rays are given in doubles;
 * vertices are floats, or doubles where a name ends in _d: the corners of instances.
 * Range    every finite float; doubles that are multiples of 2^-149 and no larger than FLT_MAX,
 *          which exact_ray.c makes of doubles; limits may be any doubles.  Nothing over- or
 *          underflows.
 * Callers  hold the floating-point environment (lib/base/fpenv.h) and pass finite numbers.
 * Source   Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 *          Predicates (1997). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A ray or a segment.  The exact direction of a segment is end - origin; its dir is that rounded,
 * for filters only. */
typedef struct sli_exact_ray {
    double origin[3];
    double dir[3];
    double end[3];     /* segments: q */
    double tmin, tmax; /* may be infinite; 0 and 1 for segments */
    bool segment;
    bool open_start, open_end; /* a hit exactly at that limit does not count */
    bool crossings; /* SL_CROSSINGS: moved by (e, e^2, e^3) with an infinitesimal e > 0 */
} sli_exact_ray;

struct sl_ray;
struct sl_segment;
struct sl_ray_d;
struct sl_segment_d;
struct sl_triangle_d;

/* False for an invalid ray or segment and for one of zero length, which hit nothing.  query_flags
 * are those of sl_options. */
bool sli_exact_ray_from_ray(const struct sl_ray *ray, uint32_t query_flags, sli_exact_ray *out);
bool sli_exact_ray_from_segment(const struct sl_segment *segment, uint32_t query_flags,
                                sli_exact_ray *out);

/* The same in doubles, each of which is first rounded to the nearest multiple of 2^-149, ties to
 * even; beyond FLT_MAX they are invalid, as corners are. */
bool sli_exact_ray_from_ray_d(const struct sl_ray_d *ray, uint32_t query_flags, sli_exact_ray *out);
bool sli_exact_ray_from_segment_d(const struct sl_segment_d *segment, uint32_t query_flags,
                                  sli_exact_ray *out);
bool sli_exact_corners(const struct sl_triangle_d *triangle, double corners[3][3]);

/* The stage that decided, for statistics. */
typedef enum sli_decision_stage { SLI_STAGE_DOUBLE = 0, SLI_STAGE_EXACT = 1 } sli_decision_stage;

typedef struct sli_exact_hit {
    float t, u, v;  /* the exact values rounded to nearest, ties to even, zeros +0 */
    uint32_t flags; /* SL_HIT_... */
    sli_decision_stage stage;
} sli_exact_hit;

/* Whether the line of the ray meets the triangle within the limits; signs only.
 * cull: 0 none, 1 back, 2 front (sl_cull). */
bool sli_exact_ray_hits(const sli_exact_ray *ray, const float v0[3], const float v1[3],
                        const float v2[3], int cull, sli_decision_stage *stage);

/* The same, with the side that is met: 0 for a miss, -1 the front, 1 the back. */
int sli_exact_ray_side(const sli_exact_ray *ray, const float v0[3], const float v1[3],
                       const float v2[3], int cull, sli_decision_stage *stage);

/* The same with t, u, v.  A hit whose t rounds to more than t_bound may be reported as a miss; pass
 * +inf to get every hit. */
bool sli_exact_ray_hit(const sli_exact_ray *ray, const float v0[3], const float v1[3],
                       const float v2[3], int cull, float t_bound, sli_exact_hit *hit);

/* The same for corners that are doubles.  The double stage works from the triangle's sides, so that
 * small triangles far away are mostly decided there.  t is rounded to a double, or by _float to a
 * float. */
typedef struct sli_exact_hit_d {
    double t;
    float u, v;
    uint32_t flags;
    sli_decision_stage stage;
} sli_exact_hit_d;

bool sli_exact_ray_hits_d(const sli_exact_ray *ray, const double v0[3], const double v1[3],
                          const double v2[3], int cull, sli_decision_stage *stage);
int sli_exact_ray_side_d(const sli_exact_ray *ray, const double v0[3], const double v1[3],
                         const double v2[3], int cull, sli_decision_stage *stage);
bool sli_exact_ray_hit_d(const sli_exact_ray *ray, const double v0[3], const double v1[3],
                         const double v2[3], int cull, double t_bound, sli_exact_hit_d *hit);
bool sli_exact_ray_hit_d_float(const sli_exact_ray *ray, const double v0[3], const double v1[3],
                               const double v2[3], int cull, float t_bound, sli_exact_hit *hit);

/* The single decisions behind a hit, for tests, made by the same steps.  The sign of the weight of
 * vertex i at the crossing, times that of dir . normal; and the sign of t - limit for a finite
 * limit (false if the line misses the triangle). */
int sli_exact_weight_sign(const sli_exact_ray *ray, const float v0[3], const float v1[3],
                          const float v2[3], int i, sli_decision_stage *stage);
bool sli_exact_compare_t(const sli_exact_ray *ray, const float v0[3], const float v1[3],
                         const float v2[3], double limit, int *sign, sli_decision_stage *stage);

int sli_exact_weight_sign_d(const sli_exact_ray *ray, const double v0[3], const double v1[3],
                            const double v2[3], int i, sli_decision_stage *stage);
bool sli_exact_compare_t_d(const sli_exact_ray *ray, const double v0[3], const double v1[3],
                           const double v2[3], double limit, int *sign, sli_decision_stage *stage);

/* The sign (-1, 0, 1) of the area of a, b, c: positive for counter-clockwise. */
int sli_orient2d(const double a[2], const double b[2], const double c[2]);

/* The sign of det(b - a, c - a, d - a): positive if d is in front of the triangle a, b, c, that is,
 * on the side from which its vertices run counter-clockwise. */
int sli_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

/* The sign of the 2D cross product (b - a) x (d - c): positive if d - c points to the left of b -
 * a.  Here and below *stage is set to SLI_STAGE_EXACT if doubles do not decide, and left alone if
 * they do. */
int sli_cross2d(const double a[2], const double b[2], const double c[2], const double d[2],
                sli_decision_stage *stage);

/* The sign of det(a1 - a0, b1 - b0, c1 - c0). */
int sli_triple3d(const double a0[3], const double a1[3], const double b0[3], const double b1[3],
                 const double c0[3], const double c1[3], sli_decision_stage *stage);

/* The sign of (a - b) * c - (d - e) * f: compares two ratios without dividing. */
int sli_compare_products(double a, double b, double c, double d, double e, double f);

/* (v1 - v0) x (v2 - v0): towards the front, with the length of twice the area; each component has a
 * relative error of at most 2^-51. */
void sli_triangle_normal(const double v0[3], const double v1[3], const double v2[3],
                         double normal[3]);

/* True where the triangle's area is exactly zero. */
bool sli_zero_area(const float v0[3], const float v1[3], const float v2[3]);
