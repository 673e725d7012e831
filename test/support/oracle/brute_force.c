#include "test/support/oracle/brute_force.h"

#include "test/support/oracle/rational.h"

#include <math.h>
#include <stdlib.h>

/* All integers that are used, made once and never freed. */
static struct {
    big_vec origin, end, dir, corner[3], edge1, edge2, from_corner, normal, product;
    mpz_t det, t, weight[3], term, sum;
    bool made;
} z;

static void vec_init(big_vec *v)
{
    for (int i = 0; i < 3; i++) {
        mpz_init(v->at[i]);
    }
}

static void make_integers(void)
{
    if (z.made) {
        return;
    }
    big_vec *const vectors[] = { &z.origin,      &z.end,       &z.dir,    &z.corner[0],
                                 &z.corner[1],   &z.corner[2], &z.edge1,  &z.edge2,
                                 &z.from_corner, &z.normal,    &z.product };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        vec_init(vectors[i]);
    }
    mpz_inits(z.det, z.t, z.weight[0], z.weight[1], z.weight[2], z.term, z.sum, NULL);
    z.made = true;
}

static void vec_set(big_vec *out, const double x[3], int scale)
{
    for (int i = 0; i < 3; i++) {
        rational_scaled(out->at[i], x[i], scale);
    }
}

static bool all_finite(const float *x, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

oracle_line oracle_ray(const sl_ray *ray)
{
    oracle_line line = { .tmin = (double)ray->tmin, .tmax = (double)ray->tmax };
    line.valid = all_finite(ray->origin, 3) && all_finite(ray->dir, 3) && ray->tmin <= ray->tmax &&
                 (ray->dir[0] != 0 || ray->dir[1] != 0 || ray->dir[2] != 0);
    for (int i = 0; i < 3; i++) {
        line.origin[i] = (double)ray->origin[i];
        line.dir[i] = (double)ray->dir[i];
    }
    return line;
}

oracle_line oracle_segment(const sl_segment *segment, uint32_t query_flags)
{
    oracle_line line = { .segment = true, .tmin = 0, .tmax = 1 };
    line.valid = all_finite(segment->p, 3) && all_finite(segment->q, 3);
    line.open_start = (query_flags & SL_OPEN_START) != 0;
    line.open_end = (query_flags & SL_OPEN_END) != 0;
    for (int i = 0; i < 3; i++) {
        line.origin[i] = (double)segment->p[i];
        line.end[i] = (double)segment->q[i];
    }
    return line;
}

/* e = 2^-MOVED: products with e are less than the least N - limit D that is not 0, and with e^2
 * and e^3, for multiples of 2^-149 below 2^128. */
enum { MOVED = 2000 };

/* Coordinates become integers times 2^-scale, directions integers times 2^-(the result). */
static int read_line(const oracle_line *line, const double corners[3][3], bool moved, int *scale)
{
    *scale = rational_scale(3, line->origin, moved ? 3 * MOVED : -10000);
    *scale = rational_scale(9, corners[0], *scale);
    int dir_scale;
    if (line->segment) {
        *scale = rational_scale(3, line->end, *scale);
        vec_set(&z.end, line->end, *scale);
        dir_scale = *scale;
    } else {
        dir_scale = rational_scale(3, line->dir, -10000);
        vec_set(&z.dir, line->dir, dir_scale);
    }
    vec_set(&z.origin, line->origin, *scale);
    for (int i = 0; i < 3; i++) {
        vec_set(&z.corner[i], corners[i], *scale);
    }
    if (line->segment) {
        big_vec_sub(&z.dir, &z.end, &z.origin);
    }
    if (moved) {
        for (int i = 0; i < 3; i++) {
            mpz_set_ui(z.term, 1);
            mpz_mul_2exp(z.term, z.term, (mp_bitcnt_t)(*scale - (i + 1) * MOVED));
            mpz_add(z.origin.at[i], z.origin.at[i], z.term);
        }
    }
    return dir_scale;
}

/* Cramer's rule for u e1 + v e2 - t d = s, where s = o - v0:
 *     D = det(e1, e2, -d) = -d . n   with n = e1 x e2
 *     t = det(e1, e2, s) / D = s . n / D
 *     u = det(s, e2, -d) / D = -d . (s x e2) / D
 *     v = det(e1, s, -d) / D = -d . (e1 x s) / D
 * Afterwards D is not negative; its sign before, which tells front from back, is the result. */
static int solve(void)
{
    big_vec_sub(&z.edge1, &z.corner[1], &z.corner[0]);
    big_vec_sub(&z.edge2, &z.corner[2], &z.corner[0]);
    big_vec_sub(&z.from_corner, &z.origin, &z.corner[0]);
    big_vec_cross(&z.normal, &z.edge1, &z.edge2);
    big_vec_dot(z.det, &z.dir, &z.normal);
    big_vec_dot(z.t, &z.from_corner, &z.normal);
    big_vec_cross(&z.product, &z.from_corner, &z.edge2);
    big_vec_dot(z.weight[1], &z.dir, &z.product);
    big_vec_cross(&z.product, &z.edge1, &z.from_corner);
    big_vec_dot(z.weight[2], &z.dir, &z.product);
    mpz_neg(z.det, z.det);
    mpz_neg(z.weight[1], z.weight[1]);
    mpz_neg(z.weight[2], z.weight[2]);
    const int sign = mpz_sgn(z.det);
    if (sign < 0) {
        mpz_neg(z.det, z.det);
        mpz_neg(z.t, z.t);
        mpz_neg(z.weight[1], z.weight[1]);
        mpz_neg(z.weight[2], z.weight[2]);
    }
    mpz_sub(z.weight[0], z.det, z.weight[1]);
    mpz_sub(z.weight[0], z.weight[0], z.weight[2]);
    return sign;
}

/* The sign of t - limit, where t = 2^shift * z.t / z.det. */
static int compare_t(double limit, int shift)
{
    if (isinf(limit)) {
        return limit > 0 ? -1 : 1;
    }
    const int scale = rational_scale(1, &limit, -10000);
    rational_scaled(z.term, limit, scale); /* limit = term * 2^-scale */
    mpz_mul(z.term, z.term, z.det);
    mpz_set(z.sum, z.t);
    const int up = shift + scale;
    mpz_mul_2exp(up > 0 ? z.sum : z.term, up > 0 ? z.sum : z.term, (mp_bitcnt_t)abs(up));
    return mpz_cmp(z.sum, z.term) < 0 ? -1 : mpz_cmp(z.sum, z.term) > 0;
}

/* Of the line as it is, or moved. */
static oracle_answer answer_for(const oracle_line *line, const double corners[3][3], sl_cull cull,
                                bool moved)
{
    oracle_answer answer = { .hit = false };
    int scale;
    const int shift = read_line(line, corners, moved, &scale) - scale;
    answer.determinant = solve();
    int zeros = 0;
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        answer.weights[i] = mpz_sgn(z.weight[i]);
        zeros += answer.weights[i] == 0;
        inside = inside && answer.weights[i] >= 0;
    }
    if (answer.determinant == 0) {
        return answer;
    }
    answer.from_min = compare_t(line->tmin, shift);
    answer.to_max = -compare_t(line->tmax, shift);
    const bool begun = answer.from_min > 0 || (answer.from_min == 0 && !line->open_start);
    const bool ended = answer.to_max < 0 || (answer.to_max == 0 && line->open_end);
    const bool culled = cull == (answer.determinant > 0 ? SL_CULL_FRONT : SL_CULL_BACK);
    answer.hit = inside && begun && !ended && !culled;
    if (inside && !moved) {
        answer.t = rational_round(z.t, z.det, shift);
        answer.wide_t = rational_round_double(z.t, z.det, shift);
        answer.u = rational_round(z.weight[1], z.det, 0);
        answer.v = rational_round(z.weight[2], z.det, 0);
        answer.flags = (answer.determinant < 0 ? SL_HIT_BACK : 0u) |
                       (zeros >= 1 ? SL_HIT_EDGE : 0u) | (zeros >= 2 ? SL_HIT_VERTEX : 0u);
    }
    return answer;
}

oracle_answer oracle_corners(const oracle_line *line, const double corners[3][3], sl_cull cull)
{
    if (!line->valid) {
        return (oracle_answer){ .hit = false };
    }
    make_integers();
    oracle_answer answer = answer_for(line, corners, cull, false);
    if (line->crossings) {
        answer.hit = answer_for(line, corners, cull, true).hit;
    }
    return answer;
}

oracle_answer oracle_triangle(const oracle_line *line, const sl_triangle *triangle, sl_cull cull)
{
    double corners[3][3];
    for (int i = 0; i < 9; i++) {
        corners[i / 3][i % 3] = (double)triangle->v[i / 3][i % 3];
    }
    return all_finite(&triangle->v[0][0], 9)
               ? oracle_corners(line, (const double(*)[3])corners, cull)
               : (oracle_answer){ .hit = false };
}

int oracle_orient2d(const double a[2], const double b[2], const double c[2])
{
    make_integers();
    const int scale = rational_scale(2, a, rational_scale(2, b, rational_scale(2, c, -10000)));
    const double *const points[3] = { a, b, c };
    for (int i = 0; i < 3; i++) {
        const double flat[3] = { points[i][0], points[i][1], 0 };
        vec_set(&z.corner[i], flat, scale);
    }
    big_vec_sub(&z.edge1, &z.corner[1], &z.corner[0]);
    big_vec_sub(&z.edge2, &z.corner[2], &z.corner[0]);
    big_vec_cross(&z.normal, &z.edge1, &z.edge2);
    return mpz_sgn(z.normal.at[2]);
}

int oracle_orient3d(const double a[3], const double b[3], const double c[3], const double d[3])
{
    make_integers();
    int scale = rational_scale(3, a, rational_scale(3, b, -10000));
    scale = rational_scale(3, c, rational_scale(3, d, scale));
    vec_set(&z.corner[0], a, scale);
    vec_set(&z.corner[1], b, scale);
    vec_set(&z.corner[2], c, scale);
    vec_set(&z.end, d, scale);
    big_vec_sub(&z.edge1, &z.corner[1], &z.corner[0]);
    big_vec_sub(&z.edge2, &z.corner[2], &z.corner[0]);
    big_vec_sub(&z.dir, &z.end, &z.corner[0]);
    big_vec_cross(&z.normal, &z.edge1, &z.edge2);
    big_vec_dot(z.det, &z.dir, &z.normal);
    return mpz_sgn(z.det);
}

bool oracle_zero_area(const sl_triangle *triangle)
{
    make_integers();
    double corners[3][3];
    for (int i = 0; i < 9; i++) {
        corners[i / 3][i % 3] = (double)triangle->v[i / 3][i % 3];
    }
    const int scale = rational_scale(9, corners[0], -10000);
    for (int i = 0; i < 3; i++) {
        vec_set(&z.corner[i], corners[i], scale);
    }
    big_vec_sub(&z.edge1, &z.corner[1], &z.corner[0]);
    big_vec_sub(&z.edge2, &z.corner[2], &z.corner[0]);
    big_vec_cross(&z.normal, &z.edge1, &z.edge2);
    return mpz_sgn(z.normal.at[0]) == 0 && mpz_sgn(z.normal.at[1]) == 0 &&
           mpz_sgn(z.normal.at[2]) == 0;
}
