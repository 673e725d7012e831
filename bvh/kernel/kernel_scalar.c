/* kernel_scalar.c: the kernels for any machine; dispatch.c chooses among them.
 * All code is in kernel.inl, in the operations that simd/simd_scalar.h provides. */
#include "bvh/kernel/simd/simd_scalar.h"

#include "bvh/kernel/kernel.inl"

const sli_kernels sli_kernels_scalar = SLI_KERNELS(SLI_SIMD_ISA);
