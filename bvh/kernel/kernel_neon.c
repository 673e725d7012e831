#include "bvh/kernel/simd/simd_neon.h"

#include "bvh/kernel/kernel.inl"

const sli_kernels sli_kernels_neon = SLI_KERNELS(SLI_SIMD_ISA);
