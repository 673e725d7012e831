/* kernel_avx512.c: the kernels for processors with AVX-512 F, VL, DQ and BW; dispatch.c chooses
 * among them. All code is in kernel.inl, in the operations that simd/simd_avx512.h provides. */
#include "bvh/kernel/simd/simd_avx512.h"

#include "bvh/kernel/kernel.inl"

const sli_kernels sli_kernels_avx512 = SLI_KERNELS(SLI_SIMD_ISA);
