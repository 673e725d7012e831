/* kernel_avx2.c: the kernels for processors with AVX2, FMA, BMI and BMI2; dispatch.c chooses among
 * them. All code is in kernel.inl, in the operations that simd/simd_avx2.h provides. */
#include "bvh/kernel/simd/simd_avx2.h"

#include "bvh/kernel/kernel.inl"

const sli_kernels sli_kernels_avx2 = SLI_KERNELS(SLI_SIMD_ISA);
