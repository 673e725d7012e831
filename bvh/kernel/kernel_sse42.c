#include "bvh/kernel/simd/simd_sse42.h"

#include "bvh/kernel/kernel.inl"

const sli_kernels sli_kernels_sse42 = SLI_KERNELS(SLI_SIMD_ISA);
