/* simd.h: the operations that kernels are written in, and exactly what each means.
 *
 * For      every .inl of bvh/kernel.  A kernel_<isa>.c includes one simd_<isa>.h, which provides
 *          the operations below, and then kernel.inl, which uses no others.
 * Promise  each instruction set returns the same bits, except where a row says "may".  Kernels call
 *          an operation outside of what its row promises only where no answer can depend on it.
 * Test     test/simd_table.cmake compares this table with the files, both ways: an operation that a
 *          .inl uses is listed here, and what is listed here is used, and is there for every
 *          instruction set.
 *
 * f4   four floats: a row of the triangles of a leaf, or the axes of one ray
 * f8   eight floats: the children of a node, or eight rays
 * f12  three rows of four floats: the vertices of a leaf's four triangles, along one axis
 * f16  sixteen floats: rays of a packet, or two nodes' children
 * d4, d8, d12  as many doubles
 * fl   SIMD_LEAVES times four floats: a row of the triangles of that many leaves, four lanes for
 *      each leaf, one leaf after the other
 *
 * Lanes are counted from 0; lane i of a mask ("bits") is bit i, and the bits above the lanes are 0.
 * Memory needs no alignment beyond that of its elements.  -0 equals +0.  Denormals are kept.
 *
 * Reading and writing memory
 *     f4_load(p)  f8_load(p)  f12_load(p)  f16_load(p)        lane i: p[i]
 *     f4_store(p, a)  f8_store(p, a)  f12_store(p, a)  f16_store(p, a)    p[i]: lane i, no more
 *     f4_splat(x)  f8_splat(x)  f12_splat(x)  f16_splat(x)    x in every lane
 *     d4_splat(x)  d8_splat(x)  d12_splat(x)
 *     f8_splats(p, out)           p[k] in every lane of out[k], of f8 out[4]
 *     f4_from(a, b, c, d)         lane 0: a, ... lane 3: d
 *     d4_doubles(p)  d8_doubles(p)    lane i: p[i], of four, eight doubles
 *     d8_fours(p, out)            lane k of out[i]: p[k][i], of eight pointers to four doubles
 *     d8_store_fours(a, p)        p[k][i]: lane k of a[i], of d8 a[4]
 *     d4_load(p)                  four floats from p, which doubles hold exactly
 *     d4_store(p, a)  d8_store(p, a)      to four, eight doubles
 *     f8_bytes(p)                 lane i: p[i], of eight uint8_t, as a float
 *     f4_column(p, lane)          p[lane], p[4 + lane], p[8 + lane], 0: one triangle's coordinates
 *                                 along an axis of its block
 *     f8_columns(p, column)       lane i of column[k]: p[8 * i + k]; reads 64 floats
 *     f8_store_sixes(p, row)      word 6 * i + k from p on: lane i of row[k], of f8 row[6]
 *     f16_fours(p)                p[0 .. 3], four times
 *     f16_at(p, at)               lane i: p[at[i]], of sixteen uint32_t below 64
 *     f16_at16(p, at)             lane i: p[at[i] % 16], likewise
 *     f16_at4(p, at)              lane i: p[at[i] / 16], likewise
 *
 * Arithmetic, each lane for itself, rounded to nearest even
 *     f4_add  f8_add  f12_add  f16_add  d4_add  d8_add                a + b
 *     f4_sub  f8_sub  f12_sub  f16_sub  d4_sub  d8_sub  d12_sub       a - b
 *     f4_mul  f8_mul  f12_mul  f16_mul  d4_mul  d8_mul  d12_mul       a * b
 *     f4_div  f8_div  f16_div  d4_div  d8_div                         a / b
 *     f8_sqrt(a)  d4_sqrt(a)
 *     f4_muladd  f8_muladd  f12_muladd  f16_muladd  d4_muladd  d8_muladd
 *                                 (a, b, c): a * b + c.  May round once or twice, so results
 *                                 differ: for conservative bounds only
 *     f4_nmuladd  f8_nmuladd  f12_nmuladd  f16_nmuladd  d4_nmuladd  d8_nmuladd  d12_nmuladd
 *                                 (a, b, c): c - a * b, likewise
 *     f4_abs  f8_abs  f12_abs  f16_abs  d4_abs  d8_abs    a without its sign, NaN and -0 included
 *     f4_flip  f16_flip (a, s)    -a where s < 0, else a.  Where s is -0 or NaN, may be either;
 *                                 the sign of a zero may be either
 *     f4_exponent(a)  f8_exponent(a)    the exponent bits of a alone: the greatest power of two
 *                                 that is not above |a|; +0 for zeros and denormals, infinity
 *                                 for infinities and NaN
 *     f4_min  f8_min  f16_min  d4_min    a < b ? a : b   so b for a NaN in either, and of two zeros
 *     f4_max  f8_max  f16_max  d4_max  d8_max    a > b ? a : b   likewise
 *     f8_max_plus(a, b)           f8_max where a >= +0 or b >= +0; else any number < 0.  No NaN
 *                                 is given to this and the next two
 *     f8_min_plus(a, b)           f8_min where a >= +0 and b >= +0; else any number < 0, or -0
 *     f8_bits_le_plus(a, b)       f8_bits_le where a >= +0; -0 in b may count as less than +0
 *
 * Comparing: bit i of the result is about lane i; false for a NaN on either side
 *     f4_bits_le  f8_bits_le  f16_bits_le    a <= b
 *     f4_bits_gt  d4_bits_gt  d8_bits_gt     a > b
 *     d8_bits_eq(a, b)            a == b; no NaN is given
 *     f4_bits_ne(p, x)            p[i] != x, for four uint32_t
 *     f4_bits_below(p, x)         p[i] < x, for four uint32_t
 *     f4_astride(a, b)            of f4 a[3], b[3]: in lane i some a[k] > b[k], some a[k] < -b[k]
 *     f12_astride(a, b)           the same of the three rows, for lanes 0 .. 3
 *     f12_any_gt  d12_any_gt      a > b in lane i of any of the three rows
 *     f12_all_gt(a, b)            a > b in lane i of all three rows
 *     f12_all_eq(a, b)            a bool: a == b in all twelve lanes; no NaN is given
 *
 * Choosing
 *     f4_less  f8_less  d4_less   (a, b, x, y): a < b ? x : y in each lane
 *     f8_where  f16_where  d8_where    (bits, x, y): x where the lane's bit is set, else y
 *     f8_only(a, bits)            a where the lane's bit is set, else infinity
 *     f8_sharing(a, p, mask)      a where p[i] & mask is not 0, of eight uint32_t, else -infinity
 *
 * Across lanes
 *     f4_axes(a)                  lanes 0, 1, 2, 0
 *     f4_last(a)                  lanes 1, 2, 3, 1
 *     d4_first(a)                 lane 0 in every lane
 *     d4_low_turned(a)            lanes 1, 0, 1, 0
 *     d4_high_turned(a)           lanes 3, 2, 3, 2
 *     f4_most(a)                  the largest of the four, in every lane; no NaN is given
 *     f16_least(a)  f16_most(a)   a float: the smallest, largest of the sixteen; no NaN is given,
 *                                 and the sign of a zero may be either
 *     f8_least(a)                 the number of a lane, all >= +0, that is smallest but for the
 *                                 three lowest bits of the floats; the lowest such lane
 *     f8_least_halves(a)          the smallest of lanes 0 .. 3 in these, of 4 .. 7 in those; no NaN
 *                                 is given, and the sign of a zero may be either
 *     f4_transpose(row)  f8_transpose(row)    of f4 row[4], f8 row[8], in place: lane i of row[k]
 *                                 becomes lane k of row[i]
 *     f12_turn(a)  d12_turn(a)    rows 1, 2, 0: the next vertex of each triangle
 *     f8_pair(a, b)               lanes 0 .. 3 from the f4 a, lanes 4 .. 7 from the f4 b
 *     f16_pair(a, b)              lanes 0 .. 7 from the f8 a, lanes 8 .. 15 from the f8 b
 *     f16_low(a)  f16_high(a)     lanes 0 .. 7, lanes 8 .. 15
 *
 * Floats and doubles
 *     d4_from_f4(a)  d8_from_f8(a)  d12_from_f12(a)    the same numbers
 *     d4_to_f4(a)  d8_to_f8(a)    rounded to the nearest float, ties to even
 *
 * Keeping some lanes.  What is kept is written without gaps from p on, lowest lane first; the rest
 * of as many elements as there are lanes may be overwritten with anything
 *     f8_store_some(p, a, bits)   lanes of a whose bit is set; writes within p[0 .. 7]
 *     u8_store_some(p, from, bits)    the same of eight uint32_t at from
 *     simd_positions(p, bits)     the numbers of the bits of a uint64_t that are set, at most
 *                                 sixteen of them, the lowest first; numbers below 64 fill
 *                                 p[0 .. 15]
 *
 * The triangles of several leaves
 *     fl_rows(p)                  p[k][0 .. 3] in the lanes of leaf k
 *     fl_spread(p, out)           p[k][i] in all four lanes of leaf k of out[i], of fl out[4]
 *     fl_bits_ne(p, x)            p[k][i] != x, for four uint32_t of each leaf
 *     fl_least(a, bits)           in all four lanes of a leaf: the smallest of its lanes of a whose
 *                                 bit is set, infinity if none is; no NaN is given, and the sign of
 *                                 a zero may be either
 *     fl_splat  fl_add  fl_sub  fl_mul  fl_div  fl_muladd  fl_nmuladd  fl_min  fl_max  fl_abs
 *     fl_flip
 *     fl_bits_le                  as those of f16 above
 *
 * Steps of a traversal
 *     simd_push(refs, nears, child, order, shift, from, to)
 *                                 a node's children where from <= to, in the order of their
 *                                 ranks: rank r is child c = order[r] >> shift & 7.  Writes
 *                                 child[c] to refs and, unless nears is NULL, from[c] to nears,
 *                                 as those above within refs[0 .. 7] and nears[0 .. 7]; returns
 *                                 how many.  A NaN is left out
 *     simd_by_rank(child, order, shift, from, to, ref, near)
 *                                 a node's children by those ranks: ref[r] is child[c], lane r of
 *                                 *near is from[c], bit r of what is returned tells whether from
 *                                 <= to, by their bits as integers, from being >= +0
 *     simd_push4(refs, nears, number, kind, met, by, rising)
 *                                 those of four whose bit of met is set, the one with the largest
 *                                 f4 by first, or the smallest where rising: kind | number[i] to
 *                                 refs and, unless nears is NULL, by[i] to nears, within refs[0 ..
 *                                 3] and nears[0 .. 3].  by is ordered by its bits without the
 *                                 sign and the last two, then by lanes.  Returns how many
 *     simd_keep(refs, nears, count, bound)
 *                                 keeps those of count entries whose nears are <= bound, in order,
 *                                 at the front; returns how many.  May read and overwrite both
 *                                 arrays up to the next multiple of 8 entries
 *     simd_triangle(x, y, z, lane, &xy, &zz)
 *                                 one triangle of a block, x, y and z pointing at the block's
 *                                 three axes: coordinate x of its vertices in lanes 0 .. 2 of
 *                                 the f8 xy, y in lanes 4 .. 6, z in lanes 0 .. 2 of zz, anything
 *                                 in the others.  May read all 16 words of an axis
 *
 * Constants of the instruction set
 *     SIMD_LEAVES                 how many leaves an fl is for: 1, 2 or 4
 *     SIMD_SIXTEEN                1: an f16 is one register
 *     SIMD_FUSED                  1: the muladd and nmuladd of doubles round once, everywhere */
#pragma once

/* A kernel_<isa>.c has included its simd_<isa>.h, which defines SLI_SIMD_ISA.  A file that is
 * compiled on its own, by a test or an editor, gets the operations for any machine. */
#ifndef SLI_SIMD_ISA
#include "bvh/kernel/simd/simd_scalar.h"
#endif
