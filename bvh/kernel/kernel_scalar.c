#include "bvh/kernel/simd/simd_scalar.h"

#include "bvh/kernel/kernel.inl"

const sli_kernels sli_kernels_scalar = SLI_KERNELS(SLI_SIMD_ISA);
