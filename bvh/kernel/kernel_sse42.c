/* kernel_sse42.c: the kernels for processors with SSE4.2; dispatch.c chooses among them.
 * All code is in kernel.inl, in the operations that simd/simd_sse42.h provides. */
#include "bvh/kernel/simd/simd_sse42.h"

#include "bvh/kernel/kernel.inl"

const sli_kernels sli_kernels_sse42 = SLI_KERNELS(SLI_SIMD_ISA);
