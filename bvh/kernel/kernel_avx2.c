#include "bvh/kernel/simd/simd_avx2.h"

#include "bvh/kernel/kernel.inl"

const sli_kernels sli_kernels_avx2 = SLI_KERNELS(SLI_SIMD_ISA);
