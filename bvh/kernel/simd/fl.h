/* simd/fl.h: the operations of fl that are those of the register that it is; SIMD_FL(add), say, is
 * the name of one there.  Included by the files that define fl. */
#pragma once

#include "bvh/kernel/simd/ops.h"

SIMD_FROM(fl_splat, fl, float, SIMD_FL(splat))
SIMD_BINARY(fl_add, fl, SIMD_FL(add))
SIMD_BINARY(fl_sub, fl, SIMD_FL(sub))
SIMD_BINARY(fl_mul, fl, SIMD_FL(mul))
SIMD_BINARY(fl_div, fl, SIMD_FL(div))
SIMD_TERNARY(fl_muladd, fl, SIMD_FL(muladd))
SIMD_TERNARY(fl_nmuladd, fl, SIMD_FL(nmuladd))
SIMD_BINARY(fl_min, fl, SIMD_FL(min))
SIMD_BINARY(fl_max, fl, SIMD_FL(max))
SIMD_UNARY(fl_abs, fl, SIMD_FL(abs))
SIMD_BITS(fl_bits_le, fl, SIMD_FL(bits_le))
