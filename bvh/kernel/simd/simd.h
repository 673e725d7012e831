/* simd.h: the operations that kernels are written in, and exactly what each means.
 *
 * A kernel_<isa>.c includes one simd_<isa>.h, which provides these, and then kernel.inl, which uses
 * nothing else.  f4 holds the four triangles of a leaf, f8 the eight children of a node.
 *
 *     f8_load(p)  f4_load(p)          eight, four floats from p; no alignment is asked for
 *     f8_bytes(p)  f4_bytes(p)        the same of bytes, as floats
 *     f8_store(p, a)  f4_store(p, a)
 *     f4_column(p, lane)              lane i: p[4 * i + lane], for the first three; 0 in the last
 *     f8_splat(x)  f4_splat(x)        x in every lane
 *     f8_pair(a, b)                   lanes 0 .. 3 from the f4 a, lanes 4 .. 7 from the f4 b
 *     f8_add  f8_sub  f8_mul  f8_div  a + b, a - b, a * b, a / b, rounded once; f4_ likewise
 *     f8_muladd(a, b, c)              a * b + c, rounded once or twice: for conservative bounds only
 *     f8_nmuladd(a, b, c)             c - a * b, likewise
 *     f8_min(a, b)  f4_min(a, b)      a < b ? a : b     so a NaN in a gives b
 *     f8_max(a, b)  f4_max(a, b)      a > b ? a : b
 *     f8_max_plus(a, b)               f8_max where one of the two is >= +0; else any number < 0
 *     f8_min_plus(a, b)               f8_min where both are >= +0; else any number < 0, or -0
 *     f8_bits_le_plus(a, b)           f8_bits_le where a >= +0; -0 in b may count as less.  No NaN is
 *                                     given to the three
 *     f8_abs(a)  f4_abs(a)            without its sign
 *     f4_axes(a)                      lanes 0 .. 2, and lane 0 once more in lane 3
 *     f4_last(a)                      lanes 1 .. 3 in lanes 0 .. 2, and lane 1 in lane 3
 *     f4_most(a)                      in every lane the largest of the four, none of them a NaN
 *     f8_less(a, b, x, y)             a < b ? x : y; f4_ likewise
 *     f8_bits_le(a, b)  f4_bits_le    bit i: a <= b in lane i
 *     f4_bits_gt(a, b)                bit i: a > b in lane i
 *     f4_bits_ne(p, x)                bit i: p[i] != x, for four uint32_t
 *     f4_bits_below(p, x)             bit i: p[i] < x, likewise
 *     f8_store_some(p, a, bits)       the lanes whose bits are set, one after the other from p on;
 *                                     may write anything to the rest of p[0 .. 7]
 *     u8_store_some(p, from, bits)    the same of eight uint32_t at from
 *     u64_store_lanes(p, x, bits)     x + i for each of lanes 0 .. 3 whose bit is set, one after the
 *                                     other from p on; may write anything to the rest of p[0 .. 3]
 *     f8_least(a)                     of the eight lanes, all >= +0, one of the smallest, but for the 3
 *                                     lowest bits of the floats; of equal ones the lowest
 *     f8_least_halves(a)              in every lane the smallest of its half
 *     f8_only(a, bits)                a where the bit of the lane is set, else infinity
 *     f8_columns(p, column)           lane i of column[k] is p[8 * i + k]
 *     f8_astride(a, b)                bit i: in lane i one of the three a is above its b, and another one
 *                                     below -b
 *     f8_where(bits, x, y)            x where the bit of the lane is set, else y
 *
 * SIMD_TWO_LEAVES                 1: two leaves at once take fewer instructions than one after the other
 * SIMD_FUSED                      1: d4_muladd, d8_muladd and their negatives round once
 *
 * d4 holds four doubles, one for each triangle of a leaf.  Nothing is fused: results are kept.
 *
 *     d4_load(p)                      four floats from p, which doubles hold exactly
 *     d4_from_f4(a)                   the same from a
 *     d4_store(p, a)                  to four doubles
 *     d4_splat(x)
 *     d4_add  d4_sub  d4_mul  d4_div  d4_sqrt    rounded once
 *     d4_min(a, b)  d4_max(a, b)  d4_abs(a)  d4_less(a, b, x, y)    as for floats
 *
 * All of them are what the scalar form says, so every kernel returns the scalar kernel's bits. */
#ifndef SLI_KERNEL_SIMD_H
#define SLI_KERNEL_SIMD_H

/* A kernel_<isa>.c has included its simd_<isa>.h, which defines SLI_SIMD_ISA.  A file that is compiled
 * on its own, by a test or an editor, gets the operations for any machine. */
#ifndef SLI_SIMD_ISA
#include "bvh/kernel/simd/simd_scalar.h"
#endif

#endif
