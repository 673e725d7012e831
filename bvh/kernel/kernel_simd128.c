/* kernel_simd128.c: the kernels for WebAssembly with SIMD128; dispatch.c chooses among them.
 * All code is in kernel.inl, in the operations that simd/simd_simd128.h provides. */
#include "bvh/kernel/simd/simd_simd128.h"

#include "bvh/kernel/kernel.inl"

const sli_kernels sli_kernels_simd128 = SLI_KERNELS(SLI_SIMD_ISA);
