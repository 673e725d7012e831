/* The smallest sphere around points.
 *
 * The smallest ball around up to four support points is known.  The point farthest from its centre
 * is added, and the ball is made again from that point and the old support.  It only grows, and the
 * loop ends when no point is outside.  There is no recursion, and no order of the points is bad.
 * At the end the centre is rounded to floats, and the radius is the smallest float that reaches
 * every point exactly, whatever the balls were like.
 * Source   Welzl, Smallest Enclosing Disks (Balls and Ellipsoids) (1991): the new point is on the
 *          new ball; Gartner, Fast and Robust Smallest Enclosing Balls (1999): the farthest point
 *          first. */
#include "lib/base/fpenv.h"
#include "lib/geom/bounds/point_set.h"
#include "lib/geom/exact/arithmetic/round_root.h"
#include "lib/geom/exact/arithmetic/vector.h"

#include <sightline/closest.h>

#include <string.h>

enum { SUPPORT_MAX = 4, ROUNDS_MAX = 200 };

/* support: the points on its surface that determine it. */
typedef struct ball {
    double centre[3], square; /* squared radius */
    int count;
    double support[SUPPORT_MAX][3];
} ball;

static double square_distance(const double a[3], const double b[3])
{
    double d[3];
    sli_subtract(a, b, d);
    return sli_dot(d, d);
}

/* Solves m x = y for a symmetric positive definite m of n <= 3 rows; false if m is nearly singular.
 */
static bool bounding_sphere_solve(int n, double m[3][3], double y[3], double x[3])
{
    for (int i = 0; i < n; i++) {
        const double pivot = m[i][i];
        if (!(pivot > 0x1p-80)) {
            return false;
        }
        for (int row = i + 1; row < n; row++) {
            const double times = m[row][i] / pivot;
            for (int column = i; column < n; column++) {
                m[row][column] -= times * m[i][column];
            }
            y[row] -= times * y[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = y[i];
        for (int column = i + 1; column < n; column++) {
            x[i] -= m[i][column] * x[column];
        }
        x[i] /= m[i][i];
    }
    return true;
}

/* The point of the affine subspace through count points that is equally far from all of them: with
 * q_i = p_i - p_0 and the centre at p_0 + sum x_j q_j, sum x_j (q_i . q_j) = q_i . q_i / 2. */
static bool find_centre(int count, const double (*p)[3], double centre[3])
{
    double q[3][3], m[3][3], y[3], x[3];
    for (int i = 0; i < count - 1; i++) {
        sli_subtract(p[i + 1], p[0], q[i]);
    }
    for (int i = 0; i < count - 1; i++) {
        for (int j = 0; j < count - 1; j++) {
            m[i][j] = sli_dot(q[i], q[j]);
        }
        y[i] = m[i][i] / 2;
    }
    memcpy(centre, p[0], 3 * sizeof *centre);
    if (!bounding_sphere_solve(count - 1, m, y, x)) {
        return false;
    }
    for (int i = 0; i < count - 1; i++) {
        for (int axis = 0; axis < 3; axis++) {
            centre[axis] += x[i] * q[i][axis];
        }
    }
    return true;
}

/* The smallest ball around the support of the old one and a point outside it: of the balls
 * determined by the point and a subset of the support, the one that is smallest after it is
 * enlarged to contain all of them. */
static ball hold_one_more(const ball *old, const double point[3])
{
    ball best = { .square = INFINITY };
    for (int mask = 0; mask < 1 << old->count; mask++) {
        ball next = { .count = 1 };
        memcpy(next.support[0], point, sizeof next.support[0]);
        for (int i = 0; i < old->count && next.count < SUPPORT_MAX; i++) {
            if ((mask >> i & 1) != 0) {
                memcpy(next.support[next.count++], old->support[i], sizeof next.support[0]);
            }
        }
        if (!find_centre(next.count, (const double(*)[3])next.support, next.centre)) {
            continue;
        }
        next.square = square_distance(next.centre, point);
        for (int i = 0; i < old->count; i++) {
            next.square = fmax(next.square, square_distance(next.centre, old->support[i]));
        }
        if (next.square < best.square) {
            best = next;
        }
    }
    return best;
}

/* The squared distance of the farthest point from a centre; *out is that point, of equally far ones
 * the first. */
static double find_farthest(const sli_point_set *points, const double centre[3], double out[3])
{
    double farthest = -1;
    for (size_t i = 0; i < points->count; i++) {
        double point[3];
        if (!sli_point_set_framed(points, i, point)) {
            continue;
        }
        const double square = square_distance(point, centre);
        if (square > farthest) {
            farthest = square;
            memcpy(out, point, sizeof point);
        }
    }
    return farthest;
}

static ball bounding_sphere_enclose(const sli_point_set *points)
{
    ball b = { .count = 0 };
    for (int i = 0; i < ROUNDS_MAX; i++) {
        double point[3];
        const double square = find_farthest(points, b.centre, point);
        if (i > 0 && square <= b.square * (1 + 0x1p-40)) {
            break;
        }
        const ball next = hold_one_more(&b, point);
        if (i > 0 && !(next.square > b.square)) {
            break; /* only rounding errors are left */
        }
        b = next;
    }
    return b;
}

/* |point - centre| rounded up to a float. */
static float bounding_sphere_reach(const float centre[3], const float point[3])
{
    sli_number d[3], square, one, r;
    bool unsure = false;
    sli_number_diff3(point, centre, true, d);
    sli_number_dot(d, d, &square);
    sli_number_set(1, true, &one);
    const float nearest = sli_round_root(&square, &one, &unsure);
    if (isinf(nearest)) {
        return nearest;
    }
    sli_number_set(nearest, true, &r);
    sli_number_mul(&r, &r, &r);
    sli_number_sub(&square, &r, &r);
    return sli_number_sign(&r, &unsure) > 0 ? nextafterf(nearest, INFINITY) : nearest;
}

/* The smallest float that reaches every point.  Squares in doubles have a relative error of at most
 * 2^-50. */
static float find_radius(const sli_point_set *points, const float centre[3])
{
    double farthest = 0;
    float radius = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < points->count; i++) {
            const float *point = sli_point_set_at(points, i);
            if (point == NULL) {
                continue;
            }
            double d[3];
            for (int axis = 0; axis < 3; axis++) {
                d[axis] = (double)point[axis] - (double)centre[axis];
            }
            const double square = sli_dot(d, d);
            if (pass == 0) {
                farthest = fmax(farthest, square);
            } else if (square * (1 + 0x1p-48) > (double)radius * (double)radius) {
                radius = fmaxf(radius, bounding_sphere_reach(centre, point));
            }
        }
        /* Certainly not more than the answer, so that few points need exact arithmetic. */
        radius = pass == 0 ? (float)(sqrt(farthest) * (1 - 0x1p-48)) : radius;
    }
    return radius;
}

static SLI_NOINLINE bool make_sphere(const float *xyz, const uint32_t *indices, size_t count,
                                     sl_sphere *out)
{
    sli_point_set points;
    if (!sli_point_set_make(xyz, indices, count, &points)) {
        return false;
    }
    const ball b = bounding_sphere_enclose(&points);
    sl_sphere sphere;
    sli_point_set_unframe(&points, b.centre, sphere.centre);
    sphere.radius = find_radius(&points, sphere.centre);
    if (isinf(sphere.radius)) {
        return false;
    }
    *out = sphere;
    return true;
}

bool sl_sphere_of_points(const float *xyz, const uint32_t *indices, size_t count, sl_sphere *out)
{
    return SLI_IN_FPENV(make_sphere(xyz, indices, count, out));
}
