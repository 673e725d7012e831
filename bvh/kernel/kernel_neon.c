/* kernel_neon.c: the kernels for 64-bit ARM, all of which has NEON; dispatch.c chooses among them.
 * All code is in kernel.inl, in the operations that simd/simd_neon.h provides. */
#include "bvh/kernel/simd/simd_neon.h"

#include "bvh/kernel/kernel.inl"

const sli_kernels sli_kernels_neon = SLI_KERNELS(SLI_SIMD_ISA);
