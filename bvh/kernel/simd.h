/* simd.h: the operations that kernels are written in, and exactly what each means.
 *
 * A kernel_<isa>.c includes one simd_<isa>.h, which provides these, and then kernel.inl, which uses
 * nothing else.  f4 holds the four triangles of a leaf, f8 the eight children of a node.
 *
 *     f8_load(p)  f4_load(p)          eight, four floats from p; no alignment is asked for
 *     f8_store(p, a)  f4_store(p, a)
 *     f8_splat(x)  f4_splat(x)        x in every lane
 *     f8_add  f8_sub  f8_mul          a + b, a - b, a * b, rounded once
 *     f4_add  f4_sub  f4_mul  f4_div
 *     f8_muladd(a, b, c)              a * b + c, rounded once or twice: for conservative bounds only
 *     f8_min(a, b)  f4_min(a, b)      a < b ? a : b     so a NaN in a gives b
 *     f8_max(a, b)  f4_max(a, b)      a > b ? a : b
 *     f4_abs(a)                       without its sign
 *     f4_less(a, b, x, y)             a < b ? x : y
 *     f8_bits_le(a, b)  f4_bits_le     bit i: a <= b in lane i
 *     f4_bits_gt(a, b)                bit i: a > b in lane i
 *     f4_bits_ne(p, x)                bit i: p[i] != x, for four uint32_t
 *
 * All of them are what the scalar form says, so every kernel returns the scalar kernel's bits. */
#ifndef SLI_KERNEL_SIMD_H
#define SLI_KERNEL_SIMD_H

#include <stdint.h>

#endif
