/* simd_neon.h: the operations of simd.h for 64-bit ARM, all of which has NEON.
 *
 * vminq and vmaxq give NaN for a NaN in either operand, and -0 < +0: not what simd.h says.  So min
 * and max compare and select. */
#pragma once

#define SLI_SIMD_ISA "neon"

#include "bvh/kernel/simd/compress_table.h"
#include "bvh/kernel/simd/ops.h"

#include <arm_neon.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SIMD_FUSED = 1 };

typedef float32x4_t f4;

SIMD_FROM(f4_load, f4, const float *, vld1q_f32)

static inline f4 f4_bytes(const uint8_t *p)
{
    uint64_t four = 0;
    memcpy(&four, p, 4);
    return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(four)))));
}

static inline f4 f4_column(const float *p, uint32_t lane)
{
    f4 column = vdupq_n_f32(0);
    column = vld1q_lane_f32(p + lane, column, 0);
    column = vld1q_lane_f32(p + lane + 4, column, 1);
    return vld1q_lane_f32(p + lane + 8, column, 2);
}

static inline f4 f4_from(float a, float b, float c, float d)
{
    return (f4){ a, b, c, d };
}

SIMD_STORE(f4_store, float, f4, vst1q_f32)
SIMD_FROM(f4_splat, f4, float, vdupq_n_f32)
SIMD_BINARY(f4_add, f4, vaddq_f32)
SIMD_BINARY(f4_sub, f4, vsubq_f32)
SIMD_BINARY(f4_mul, f4, vmulq_f32)
SIMD_BINARY(f4_div, f4, vdivq_f32)
SIMD_UNARY(f4_sqrt, f4, vsqrtq_f32)

static inline f4 f4_muladd(f4 a, f4 b, f4 c)
{
    return vfmaq_f32(c, a, b);
}

static inline f4 f4_nmuladd(f4 a, f4 b, f4 c)
{
    return vfmsq_f32(c, a, b);
}

static inline f4 f4_less(f4 a, f4 b, f4 x, f4 y)
{
    return vbslq_f32(vcltq_f32(a, b), x, y);
}

static inline f4 f4_sharing(f4 a, const uint32_t *p, uint32_t mask)
{
    return vbslq_f32(vtstq_u32(vld1q_u32(p), vdupq_n_u32(mask)), a, vdupq_n_f32(-INFINITY));
}

static inline f4 f4_min(f4 a, f4 b)
{
    return f4_less(a, b, a, b);
}

static inline f4 f4_max(f4 a, f4 b)
{
    return f4_less(b, a, a, b);
}

SIMD_UNARY(f4_abs, f4, vabsq_f32)

static inline f4 f4_flip(f4 a, f4 s)
{
    const uint32x4_t sign = vandq_u32(vreinterpretq_u32_f32(s), vdupq_n_u32(0x80000000));
    return vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(a), sign));
}

static inline f4 f4_axes(f4 a)
{
    return vsetq_lane_f32(vgetq_lane_f32(a, 0), a, 3);
}

static inline f4 f4_last(f4 a)
{
    return f4_axes(vextq_f32(a, a, 1));
}

static inline f4 f4_most(f4 a)
{
    return vdupq_n_f32(vmaxvq_f32(a));
}

static inline f4 f4_exponent(f4 a)
{
    const uint32x4_t exponent = vdupq_n_u32(0x7F800000);
    return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a), exponent));
}

/* The bit of each lane. */
static inline uint32x4_t simd_lane_bits(void)
{
    static const uint32_t bits[4] = { 1, 2, 4, 8 };
    return vld1q_u32(bits);
}

/* From all ones or zeros in each lane.  NEON has no such instruction: the lanes' bits are summed.
 */
static inline uint32_t simd_bits(uint32x4_t mask)
{
    return vaddvq_u32(vandq_u32(mask, simd_lane_bits()));
}

static inline uint32_t simd_bits8(uint32x4_t low, uint32x4_t high)
{
    const uint32x4_t bits = simd_lane_bits();
    return vaddvq_u32(vorrq_u32(vandq_u32(low, bits), vandq_u32(high, vshlq_n_u32(bits, 4))));
}

static inline uint32_t f4_bits_le(f4 a, f4 b)
{
    return simd_bits(vcleq_f32(a, b));
}

static inline uint32_t f4_bits_gt(f4 a, f4 b)
{
    return simd_bits(vcgtq_f32(a, b));
}

static inline uint32_t f4_astride(const f4 a[3], const f4 b[3])
{
    uint32x4_t above = vdupq_n_u32(0), below = above;
    for (int i = 0; i < 3; i++) {
        above = vorrq_u32(above, vcgtq_f32(a[i], b[i]));
        below = vorrq_u32(below, vcgtq_f32(vnegq_f32(a[i]), b[i]));
    }
    return simd_bits(vandq_u32(above, below));
}

static inline uint32_t f4_bits_ne(const uint32_t *p, uint32_t x)
{
    return simd_bits(vmvnq_u32(vceqq_u32(vld1q_u32(p), vdupq_n_u32(x))));
}

static inline uint32_t f4_bits_below(const uint32_t *p, uint32_t x)
{
    return simd_bits(vcltq_u32(vld1q_u32(p), vdupq_n_u32(x)));
}

static inline f4 simd_pairs(f4 a, f4 b, int second)
{
    const float64x2_t x = vreinterpretq_f64_f32(a), y = vreinterpretq_f64_f32(b);
    return vreinterpretq_f32_f64(second ? vtrn2q_f64(x, y) : vtrn1q_f64(x, y));
}

static inline void f4_transpose(f4 row[4])
{
    const f4 even[2] = { vtrn1q_f32(row[0], row[1]), vtrn1q_f32(row[2], row[3]) };
    const f4 odd[2] = { vtrn2q_f32(row[0], row[1]), vtrn2q_f32(row[2], row[3]) };
    for (int i = 0; i < 2; i++) {
        row[2 * i] = simd_pairs(even[0], even[1], i);
        row[2 * i + 1] = simd_pairs(odd[0], odd[1], i);
    }
}

typedef float64x2_t d2;

static inline d2 d2_load(const float *p)
{
    return vcvt_f64_f32(vld1_f32(p));
}

SIMD_STORE(d2_store, double, d2, vst1q_f64)
SIMD_FROM(d2_splat, d2, double, vdupq_n_f64)
SIMD_BINARY(d2_add, d2, vaddq_f64)
SIMD_BINARY(d2_sub, d2, vsubq_f64)
SIMD_BINARY(d2_mul, d2, vmulq_f64)
SIMD_BINARY(d2_div, d2, vdivq_f64)

static inline d2 d2_muladd(d2 a, d2 b, d2 c)
{
    return vfmaq_f64(c, a, b);
}

static inline d2 d2_nmuladd(d2 a, d2 b, d2 c)
{
    return vfmsq_f64(c, a, b);
}

SIMD_UNARY(d2_sqrt, d2, vsqrtq_f64)

static inline d2 d2_less(d2 a, d2 b, d2 x, d2 y)
{
    return vbslq_f64(vcltq_f64(a, b), x, y);
}

static inline d2 d2_min(d2 a, d2 b)
{
    return d2_less(a, b, a, b);
}

static inline d2 d2_max(d2 a, d2 b)
{
    return d2_less(b, a, a, b);
}

SIMD_UNARY(d2_abs, d2, vabsq_f64)

static inline uint32_t d2_bits_gt(d2 a, d2 b)
{
    const uint64x2_t above = vcgtq_f64(a, b);
    return (uint32_t)(vgetq_lane_u64(above, 0) & 1) | (uint32_t)(vgetq_lane_u64(above, 1) & 2);
}

#include "bvh/kernel/simd/f8_from_f4.h"

static inline uint32_t f8_bits_le(f8 a, f8 b)
{
    return simd_bits8(vcleq_f32(a.low, b.low), vcleq_f32(a.high, b.high));
}

#include "bvh/kernel/simd/nonneg_compare.h"

static inline uint32_t f8_least(f8 a)
{
    const uint32x4_t cut = vdupq_n_u32(~7u);
    static const uint32_t lanes[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    const uint32x4_t low = vandq_u32(vreinterpretq_u32_f32(a.low), cut);
    const uint32x4_t high = vandq_u32(vreinterpretq_u32_f32(a.high), cut);
    return vminvq_u32(
               vminq_u32(vorrq_u32(low, vld1q_u32(lanes)), vorrq_u32(high, vld1q_u32(lanes + 4)))) &
           7;
}

static inline f8 f8_least_halves(f8 a)
{
    return (f8){ vdupq_n_f32(vminvq_f32(a.low)), vdupq_n_f32(vminvq_f32(a.high)) };
}

static inline f8 f8_where(uint32_t bits, f8 x, f8 y)
{
    const uint32x4_t all = vdupq_n_u32(bits), bit = simd_lane_bits();
    return (f8){ vbslq_f32(vtstq_u32(all, bit), x.low, y.low),
                 vbslq_f32(vtstq_u32(all, vshlq_n_u32(bit, 4)), x.high, y.high) };
}

static inline f8 f8_only(f8 a, uint32_t bits)
{
    return f8_where(bits, a, f8_splat(INFINITY));
}

static inline d4 d4_from_f4(f4 a)
{
    return (d4){ vcvt_f64_f32(vget_low_f32(a)), vcvt_high_f64_f32(a) };
}

static inline f4 d4_to_f4(d4 a)
{
    return vcvt_high_f32_f64(vcvt_f32_f64(a.low), a.high);
}

/* Eight words, and where their bytes come from in another eight: what vqtbl2q wants. */
typedef struct simd_words {
    uint8x16x2_t v;
} simd_words;

static inline simd_words simd_words_load(const uint32_t *p)
{
    return (simd_words){ { { vreinterpretq_u8_u32(vld1q_u32(p)),
                             vreinterpretq_u8_u32(vld1q_u32(p + 4)) } } };
}

static inline void simd_words_store(uint32_t *p, simd_words a)
{
    vst1q_u32(p, vreinterpretq_u32_u8(a.v.val[0]));
    vst1q_u32(p + 4, vreinterpretq_u32_u8(a.v.val[1]));
}

static inline simd_words simd_words_of(f8 a)
{
    return (simd_words){ { { vreinterpretq_u8_f32(a.low), vreinterpretq_u8_f32(a.high) } } };
}

static inline f8 simd_floats_of(simd_words a)
{
    return (f8){ vreinterpretq_f32_u8(a.v.val[0]), vreinterpretq_f32_u8(a.v.val[1]) };
}

/* Lanes in 0 .. 7 to indices of their bytes. */
static inline simd_words simd_indices(uint32x4_t low, uint32x4_t high)
{
    const uint32x4_t first = vdupq_n_u32(0x03020100);
    return (simd_words){ { { vreinterpretq_u8_u32(vmlaq_n_u32(first, low, 0x04040404)),
                             vreinterpretq_u8_u32(vmlaq_n_u32(first, high, 0x04040404)) } } };
}

/* The indices of the lanes whose bits are set, one after the other. */
static inline simd_words simd_indices_set(uint32_t bits)
{
    const uint16x8_t lanes = vmovl_u8(vld1_u8(compress_table[bits]));
    return simd_indices(vmovl_u16(vget_low_u16(lanes)), vmovl_high_u16(lanes));
}

/* The indices of a node's children, by rank. */
static inline simd_words simd_ranks(const uint32_t *order, uint32_t shift)
{
    const int32x4_t right = vdupq_n_s32(-(int)shift);
    const uint32x4_t seven = vdupq_n_u32(7);
    return simd_indices(vandq_u32(vshlq_u32(vld1q_u32(order), right), seven),
                        vandq_u32(vshlq_u32(vld1q_u32(order + 4), right), seven));
}

static inline simd_words simd_pick(simd_words a, simd_words indices)
{
    return (
        simd_words){ { { vqtbl2q_u8(a.v, indices.v.val[0]), vqtbl2q_u8(a.v, indices.v.val[1]) } } };
}

#include "bvh/kernel/simd/words_by_tables.h"

static inline void simd_triangle(const float *x, const float *y, const float *z, uint32_t lane,
                                 f8 *xy, f8 *zz)
{
    *xy = f8_pair(f4_column(x, lane), f4_column(y, lane));
    *zz = f8_pair(f4_column(z, lane), vdupq_n_f32(0));
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
