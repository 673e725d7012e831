/* brute_force.h: rays and segments against triangles in big integers (GMP): the oracle for the
 * library's answers.
 *
 * Shares no code and no method with the library: coordinates are read from their bits and scaled to
 * integers, o + t d = v0 + u (v1 - v0) + v (v2 - v0) is solved by Cramer's rule, and quotients are
 * rounded by long division.  The definitions are those of docs/conventions.md.
 * Threads  one at a time. */
#pragma once

#include <sightline/intersect.h>

/* A ray, or a segment from origin to end, whose direction is the exact difference. */
typedef struct oracle_line {
    bool valid; /* if not, it hits nothing */
    bool segment, open_start, open_end;
    double origin[3], dir[3], end[3];
    double tmin, tmax;
    bool crossings; /* SL_CROSSINGS: moved by (e, e^2, e^3), with e = 2^-2000 */
} oracle_line;

typedef struct oracle_answer {
    bool hit;
    float t, u, v;        /* of a hit */
    double wide_t;        /* of a hit: t rounded to a double */
    uint32_t flags;       /* of a hit: SL_HIT_... */
    int determinant;      /* sign: 1 where the front is met, -1 the back, 0 neither */
    int weights[3];       /* signs of the crossing point's weights; where there is none, of what
                           * would be divided by 0 to get them */
    int from_min, to_max; /* signs of t - tmin and tmax - t; where determinant != 0 */
} oracle_answer;

oracle_line oracle_ray(const sl_ray *ray);
oracle_line oracle_segment(const sl_segment *segment, uint32_t query_flags);

oracle_answer oracle_triangle(const oracle_line *line, const sl_triangle *triangle, sl_cull cull);

/* The same for corners that are doubles. */
oracle_answer oracle_corners(const oracle_line *line, const double corners[3][3], sl_cull cull);

/* Signs of the determinants that the names say; zero area. */
int oracle_orient2d(const double a[2], const double b[2], const double c[2]);
int oracle_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);
bool oracle_zero_area(const sl_triangle *triangle);
