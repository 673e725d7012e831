/* cpu.c: asks the processor which instruction sets it has; for the choice of a kernel
 * (bvh/kernel/dispatch.c). */
#include "lib/base/cpu.h"

#if defined(__x86_64__) || defined(__i386__)

/* The builtins ask the system too (XGETBV): an instruction set counts only where the wide
 * registers are saved when threads are switched. */
uint32_t sli_cpu_features(void)
{
    uint32_t features = 0;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("sse4.2")) {
        features |= SLI_CPU_SSE42;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt")) {
        features |= SLI_CPU_AVX2_FMA;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
        features |= SLI_CPU_AVX512;
    }
    return features;
}

#elif defined(__aarch64__)

uint32_t sli_cpu_features(void)
{
    return SLI_CPU_NEON; /* part of the base instruction set */
}

#else

uint32_t sli_cpu_features(void)
{
    return 0;
}

#endif
