/* rational.h: floating-point numbers as integers and back, for oracles: from bits, through GMP.
 * Threads  one at a time. */
#pragma once

#include <gmp.h>
#include <stddef.h>

/* The least scale, but no less than lowest, with which x * 2^scale is an integer for each of count
 * finite numbers. */
int rational_scale(size_t count, const double *x, int lowest);

/* out = x * 2^scale, which is an integer. */
void rational_scaled(mpz_t out, double x, int scale);

/* 2^shift * num / den rounded to the nearest float, ties to even; den != 0; a zero is +0. */
float rational_round(const mpz_t num, const mpz_t den, int shift);

/* The same, to the nearest double. */
double rational_round_double(const mpz_t num, const mpz_t den, int shift);

/* out = x as a fraction. */
void rational_set(mpq_t out, double x);

/* Vectors of integers; out is none of the others. */
typedef struct big_vec {
    mpz_t at[3];
} big_vec;

void big_vec_sub(big_vec *out, const big_vec *a, const big_vec *b);
void big_vec_cross(big_vec *out, const big_vec *a, const big_vec *b);
void big_vec_dot(mpz_t out, const big_vec *a, const big_vec *b);
