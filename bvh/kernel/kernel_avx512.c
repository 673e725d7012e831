#include "bvh/kernel/simd/simd_avx512.h"

#include "bvh/kernel/kernel.inl"

const sli_kernels sli_kernels_avx512 = SLI_KERNELS(SLI_SIMD_ISA);
