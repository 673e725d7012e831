/* simd_sse42.h: the operations of simd.h for processors with SSE4.2. */
#ifndef SLI_KERNEL_SIMD_SSE42_H
#define SLI_KERNEL_SIMD_SSE42_H

#include "bvh/kernel/simd_x86.h"

#include "bvh/kernel/simd_halves.h"
#include "bvh/kernel/simd_lanes.h"

#endif
