/* simd_simd128.h: the operations of simd.h for WebAssembly with SIMD128, without its relaxed
 * instructions, whose bits differ from engine to engine.
 *
 * pmin and pmax give their first operand unless the second one is smaller, larger: min and max of
 * simd.h with operands exchanged. */
#pragma once

#define SLI_SIMD_ISA "simd128"

#include "bvh/kernel/simd/compress_table.h"
#include "bvh/kernel/simd/ops.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wasm_simd128.h>

typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));

static inline f4 f4_load(const float *p)
{
    return (f4)wasm_v128_load(p);
}

static inline f4 f4_bytes(const uint8_t *p)
{
    const v128_t four = wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p));
    return (f4)wasm_f32x4_convert_u32x4(wasm_u32x4_extend_low_u16x8(four));
}

static inline f4 f4_column(const float *p, uint32_t lane)
{
    return (f4){ p[lane], p[lane + 4], p[lane + 8], 0 };
}

static inline f4 f4_from(float a, float b, float c, float d)
{
    return (f4){ a, b, c, d };
}

static inline void f4_store(float *p, f4 a)
{
    wasm_v128_store(p, (v128_t)a);
}

static inline f4 f4_splat(float x)
{
    return (f4){ x, x, x, x };
}

SIMD_OPERATOR(f4_add, f4, +)
SIMD_OPERATOR(f4_sub, f4, -)
SIMD_OPERATOR(f4_mul, f4, *)
SIMD_OPERATOR(f4_div, f4, /)

static inline f4 f4_sqrt(f4 a)
{
    return (f4)wasm_f32x4_sqrt((v128_t)a);
}

static inline f4 f4_min(f4 a, f4 b)
{
    return (f4)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
}

static inline f4 f4_max(f4 a, f4 b)
{
    return (f4)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
}

static inline f4 f4_abs(f4 a)
{
    return (f4)wasm_f32x4_abs((v128_t)a);
}

static inline f4 f4_less(f4 a, f4 b, f4 x, f4 y)
{
    return (f4)wasm_v128_bitselect((v128_t)x, (v128_t)y, (v128_t)(a < b));
}

static inline f4 f4_sharing(f4 a, const uint32_t *p, uint32_t mask)
{
    const v128_t shared = wasm_v128_and(wasm_v128_load(p), wasm_u32x4_splat(mask));
    const v128_t none = wasm_i32x4_eq(shared, wasm_u32x4_splat(0));
    return (f4)wasm_v128_bitselect(wasm_f32x4_splat(-INFINITY), (v128_t)a, none);
}

static inline f4 f4_flip(f4 a, f4 s)
{
    const v128_t sign = wasm_v128_and((v128_t)s, wasm_f32x4_splat(-0.0f));
    return (f4)wasm_v128_xor((v128_t)a, sign);
}

static inline f4 f4_axes(f4 a)
{
    return __builtin_shufflevector(a, a, 0, 1, 2, 0);
}

static inline f4 f4_last(f4 a)
{
    return __builtin_shufflevector(a, a, 1, 2, 3, 1);
}

static inline f4 f4_most(f4 a)
{
    a = f4_max(a, __builtin_shufflevector(a, a, 1, 0, 3, 2));
    return f4_max(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
}

static inline f4 simd_least(f4 a)
{
    a = f4_min(a, __builtin_shufflevector(a, a, 1, 0, 3, 2));
    return f4_min(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
}

static inline f4 f4_exponent(f4 a)
{
    return (f4)wasm_v128_and((v128_t)a, wasm_u32x4_splat(0x7F800000));
}

static inline uint32_t f4_bits_le(f4 a, f4 b)
{
    return wasm_i32x4_bitmask((v128_t)(a <= b));
}

static inline uint32_t f4_bits_gt(f4 a, f4 b)
{
    return wasm_i32x4_bitmask((v128_t)(a > b));
}

static inline uint32_t f4_astride(const f4 a[3], const f4 b[3])
{
    v128_t above = wasm_u32x4_splat(0), below = above;
    for (int i = 0; i < 3; i++) {
        above = wasm_v128_or(above, (v128_t)(a[i] > b[i]));
        below = wasm_v128_or(below, (v128_t)(-a[i] > b[i]));
    }
    return wasm_i32x4_bitmask(wasm_v128_and(above, below));
}

static inline uint32_t f4_bits_ne(const uint32_t *p, uint32_t x)
{
    return wasm_i32x4_bitmask(wasm_i32x4_ne(wasm_v128_load(p), wasm_u32x4_splat(x)));
}

static inline uint32_t f4_bits_below(const uint32_t *p, uint32_t x)
{
    return wasm_i32x4_bitmask(wasm_u32x4_lt(wasm_v128_load(p), wasm_u32x4_splat(x)));
}

static inline void f4_transpose(f4 row[4])
{
    f4 low[2], high[2];
    for (int i = 0; i < 2; i++) {
        low[i] = __builtin_shufflevector(row[i], row[i + 2], 0, 4, 1, 5);
        high[i] = __builtin_shufflevector(row[i], row[i + 2], 2, 6, 3, 7);
    }
    row[0] = __builtin_shufflevector(low[0], low[1], 0, 4, 1, 5);
    row[1] = __builtin_shufflevector(low[0], low[1], 2, 6, 3, 7);
    row[2] = __builtin_shufflevector(high[0], high[1], 0, 4, 1, 5);
    row[3] = __builtin_shufflevector(high[0], high[1], 2, 6, 3, 7);
}

static inline d2 d2_load(const float *p)
{
    return (d2)wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(p));
}

static inline void d2_store(double *p, d2 a)
{
    wasm_v128_store(p, (v128_t)a);
}

static inline d2 d2_splat(double x)
{
    return (d2){ x, x };
}

SIMD_OPERATOR(d2_add, d2, +)
SIMD_OPERATOR(d2_sub, d2, -)
SIMD_OPERATOR(d2_mul, d2, *)
SIMD_OPERATOR(d2_div, d2, /)

static inline d2 d2_sqrt(d2 a)
{
    return (d2)wasm_f64x2_sqrt((v128_t)a);
}

static inline d2 d2_min(d2 a, d2 b)
{
    return (d2)wasm_f64x2_pmin((v128_t)b, (v128_t)a);
}

static inline d2 d2_max(d2 a, d2 b)
{
    return (d2)wasm_f64x2_pmax((v128_t)b, (v128_t)a);
}

static inline d2 d2_abs(d2 a)
{
    return (d2)wasm_f64x2_abs((v128_t)a);
}

static inline d2 d2_less(d2 a, d2 b, d2 x, d2 y)
{
    return (d2)wasm_v128_bitselect((v128_t)x, (v128_t)y, (v128_t)(a < b));
}

static inline uint32_t d2_bits_gt(d2 a, d2 b)
{
    return wasm_i64x2_bitmask((v128_t)(a > b));
}

#include "bvh/kernel/simd/muladd_unfused.h"

#include "bvh/kernel/simd/f8_from_f4.h"

static inline uint32_t f8_bits_le(f8 a, f8 b)
{
    return f4_bits_le(a.low, b.low) | f4_bits_le(a.high, b.high) << 4;
}

#include "bvh/kernel/simd/nonneg_compare.h"

static inline uint32_t f8_least(f8 a)
{
    const v128_t cut = wasm_u32x4_splat(~7u);
    const v128_t low = wasm_v128_and((v128_t)a.low, cut);
    const v128_t high = wasm_v128_and((v128_t)a.high, cut);
    v128_t least = wasm_u32x4_min(wasm_v128_or(low, wasm_u32x4_const(0, 1, 2, 3)),
                                  wasm_v128_or(high, wasm_u32x4_const(4, 5, 6, 7)));
    least = wasm_u32x4_min(least, wasm_i32x4_shuffle(least, least, 2, 3, 0, 1));
    least = wasm_u32x4_min(least, wasm_i32x4_shuffle(least, least, 1, 0, 3, 2));
    return wasm_u32x4_extract_lane(least, 0) & 7;
}

SIMD_UNARY_HALVES(f8_least_halves, f8, simd_least)

/* Lanes of x where their bits are set, of y elsewhere. */
static inline f4 simd_where(v128_t bits, v128_t bit, f4 x, f4 y)
{
    const v128_t set = wasm_i32x4_eq(wasm_v128_and(bits, bit), bit);
    return (f4)wasm_v128_bitselect((v128_t)x, (v128_t)y, set);
}

static inline f8 f8_where(uint32_t bits, f8 x, f8 y)
{
    const v128_t all = wasm_u32x4_splat(bits);
    return (f8){ simd_where(all, wasm_u32x4_const(1, 2, 4, 8), x.low, y.low),
                 simd_where(all, wasm_u32x4_const(16, 32, 64, 128), x.high, y.high) };
}

static inline f8 f8_only(f8 a, uint32_t bits)
{
    return f8_where(bits, a, f8_splat(INFINITY));
}

static inline d4 d4_from_f4(f4 a)
{
    const v128_t high = (v128_t)__builtin_shufflevector(a, a, 2, 3, 0, 1);
    return (d4){ (d2)wasm_f64x2_promote_low_f32x4((v128_t)a),
                 (d2)wasm_f64x2_promote_low_f32x4(high) };
}

static inline f4 d4_to_f4(d4 a)
{
    const f4 low = (f4)wasm_f32x4_demote_f64x2_zero((v128_t)a.low);
    const f4 high = (f4)wasm_f32x4_demote_f64x2_zero((v128_t)a.high);
    return __builtin_shufflevector(low, high, 0, 1, 4, 5);
}

/* Eight words, or indices of their bytes among those of another eight. */
typedef struct simd_words {
    v128_t low, high;
} simd_words;

static inline simd_words simd_words_load(const uint32_t *p)
{
    return (simd_words){ wasm_v128_load(p), wasm_v128_load(p + 4) };
}

static inline void simd_words_store(uint32_t *p, simd_words a)
{
    wasm_v128_store(p, a.low);
    wasm_v128_store(p + 4, a.high);
}

static inline simd_words simd_words_of(f8 a)
{
    return (simd_words){ (v128_t)a.low, (v128_t)a.high };
}

static inline f8 simd_floats_of(simd_words a)
{
    return (f8){ (f4)a.low, (f4)a.high };
}

/* Each number in 0 .. 7, four times in a row, to indices of the bytes of that word. */
static inline v128_t simd_indices(v128_t fours)
{
    const v128_t first = wasm_u32x4_splat(0x03020100);
    return wasm_i8x16_add(wasm_i32x4_shl(fours, 2), first);
}

static inline simd_words simd_indices_set(uint32_t bits)
{
    const v128_t lanes = wasm_v128_load64_zero(compress_table[bits]);
    return (simd_words){
        simd_indices(
            wasm_i8x16_shuffle(lanes, lanes, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3)),
        simd_indices(
            wasm_i8x16_shuffle(lanes, lanes, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7))
    };
}

static inline v128_t simd_four_ranks(const uint32_t *order, uint32_t shift)
{
    const v128_t shifted = wasm_u32x4_shr(wasm_v128_load(order), shift);
    const v128_t lanes = wasm_v128_and(shifted, wasm_u32x4_splat(7));
    return simd_indices(
        wasm_i8x16_shuffle(lanes, lanes, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
}

static inline simd_words simd_ranks(const uint32_t *order, uint32_t shift)
{
    return (simd_words){ simd_four_ranks(order, shift), simd_four_ranks(order + 4, shift) };
}

/* An index beyond the sixteen bytes of a register gives 0. */
static inline v128_t simd_pick_four(simd_words a, v128_t indices)
{
    const v128_t beyond = wasm_i8x16_sub(indices, wasm_i8x16_splat(16));
    return wasm_v128_or(wasm_i8x16_swizzle(a.low, indices), wasm_i8x16_swizzle(a.high, beyond));
}

static inline simd_words simd_pick(simd_words a, simd_words indices)
{
    return (simd_words){ simd_pick_four(a, indices.low), simd_pick_four(a, indices.high) };
}

#include "bvh/kernel/simd/words_by_tables.h"

static inline void simd_triangle(const float *x, const float *y, const float *z, uint32_t lane,
                                 f8 *xy, f8 *zz)
{
    *xy = f8_pair(f4_column(x, lane), f4_column(y, lane));
    *zz = f8_pair(f4_column(z, lane), f4_splat(0));
}

#include "bvh/kernel/simd/d8_from_d4.h"
#include "bvh/kernel/simd/f12_from_f4.h"

/* after f12 */
#include "bvh/kernel/simd/d12_from_d4.h"

#include "bvh/kernel/simd/f16_from_f8.h"
#include "bvh/kernel/simd/fl_from_f4.h"
#include "bvh/kernel/simd/push4_by_ranks.h"
#include "bvh/kernel/simd/sixes_from_f8.h"

/* after f16 */
#include "bvh/kernel/simd/at4_from_f4.h"
