#include "test/support/oracle/distance_oracle.h"

#include "test/support/oracle/rational.h"

#include <math.h>

/* All integers that are used, made once and never freed.  Coordinates are times 2^scale. */
static struct {
    big_vec point, corner[3], to[3], side, other, normal, cross;
    mpz_t num, den;         /* the least squared distance so far, times 4^scale */
    mpz_t new_num, new_den; /* a candidate */
    mpz_t left, right, along, length, sum;
    bool made;
} z;

static void make_integers(void)
{
    big_vec *const vectors[] = { &z.point, &z.corner[0], &z.corner[1], &z.corner[2],
                                 &z.to[0], &z.to[1],     &z.to[2],     &z.side,
                                 &z.other, &z.normal,    &z.cross };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors && !z.made; i++) {
        mpz_inits(vectors[i]->at[0], vectors[i]->at[1], vectors[i]->at[2], NULL);
    }
    if (!z.made) {
        mpz_inits(z.num, z.den, z.new_num, z.new_den, z.left, z.right, z.along, z.length, z.sum,
                  NULL);
        z.made = true;
    }
}

/* Keeps the candidate if it is less. */
static void offer(bool first)
{
    mpz_mul(z.left, z.new_num, z.den);
    mpz_mul(z.right, z.num, z.new_den);
    if (first || mpz_cmp(z.left, z.right) < 0) {
        mpz_set(z.num, z.new_num);
        mpz_set(z.den, z.new_den);
    }
}

static void offer_corners(void)
{
    for (int i = 0; i < 3; i++) {
        big_vec_dot(z.new_num, &z.to[i], &z.to[i]);
        mpz_set_ui(z.new_den, 1);
        offer(i == 0);
    }
}

/* |to x side|^2 / |side|^2 where the foot is between the ends. */
static void offer_sides(void)
{
    for (int i = 0; i < 3; i++) {
        big_vec_sub(&z.side, &z.corner[(i + 1) % 3], &z.corner[i]);
        big_vec_dot(z.along, &z.to[i], &z.side);
        big_vec_dot(z.length, &z.side, &z.side);
        if (mpz_sgn(z.along) <= 0 || mpz_cmp(z.along, z.length) >= 0) {
            continue;
        }
        big_vec_cross(&z.cross, &z.to[i], &z.side);
        big_vec_dot(z.new_num, &z.cross, &z.cross);
        mpz_set(z.new_den, z.length);
        offer(false);
    }
}

/* (to . normal)^2 / |normal|^2 where the foot is on the inner side of all sides. */
static void offer_plane(void)
{
    big_vec_sub(&z.side, &z.corner[1], &z.corner[0]);
    big_vec_sub(&z.other, &z.corner[2], &z.corner[0]);
    big_vec_cross(&z.normal, &z.side, &z.other);
    big_vec_dot(z.new_den, &z.normal, &z.normal);
    if (mpz_sgn(z.new_den) == 0) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        big_vec_sub(&z.side, &z.corner[(i + 1) % 3], &z.corner[i]);
        big_vec_cross(&z.cross, &z.side, &z.to[i]);
        big_vec_dot(z.along, &z.cross, &z.normal);
        if (mpz_sgn(z.along) < 0) {
            return;
        }
    }
    big_vec_dot(z.along, &z.to[0], &z.normal);
    mpz_mul(z.new_num, z.along, z.along);
    offer(false);
}

/* The root of num / den 2^(-2 scale): 200 digits of it, and whether there are more. */
static float root(int scale)
{
    if (mpz_sgn(z.num) == 0) {
        return 0;
    }
    const long size = (long)mpz_sizeinbase(z.num, 2) - (long)mpz_sizeinbase(z.den, 2);
    const long shift = size < 400 ? (400 - size + 1) / 2 : 0;
    mpz_mul_2exp(z.left, z.num, (mp_bitcnt_t)(2 * shift));
    mpz_fdiv_qr(z.left, z.right, z.left, z.den);
    const bool more = mpz_sgn(z.right) != 0;
    mpz_sqrtrem(z.sum, z.right, z.left);
    mpz_mul_2exp(z.sum, z.sum, 1);
    if (more || mpz_sgn(z.right) != 0) {
        mpz_add_ui(z.sum, z.sum, 1);
    }
    mpz_set_ui(z.right, 1);
    return rational_round(z.sum, z.right, (int)(-shift - 1 - scale));
}

/* num / den <= (limit 2^scale)^2. */
static bool is_within(double limit, int scale)
{
    if (isinf(limit)) {
        return true;
    }
    const int own = rational_scale(1, &limit, scale);
    rational_scaled(z.left, limit, own);
    mpz_mul(z.left, z.left, z.left);
    mpz_mul(z.left, z.left, z.den);
    mpz_mul_2exp(z.right, z.num, (mp_bitcnt_t)(2 * (own - scale)));
    return mpz_cmp(z.right, z.left) <= 0;
}

distance_answer oracle_distance(const double point[3], const double corners[3][3], double limit)
{
    make_integers();
    const int scale = rational_scale(9, corners[0], rational_scale(3, point, -10000));
    for (int axis = 0; axis < 3; axis++) {
        rational_scaled(z.point.at[axis], point[axis], scale);
        for (int i = 0; i < 3; i++) {
            rational_scaled(z.corner[i].at[axis], corners[i][axis], scale);
        }
    }
    for (int i = 0; i < 3; i++) {
        big_vec_sub(&z.to[i], &z.point, &z.corner[i]);
    }
    offer_corners();
    offer_sides();
    offer_plane();
    return (distance_answer){ .rounded = root(scale), .within = is_within(limit, scale) };
}
