/* cpu.h: what this processor can do. */
#pragma once

#include <stdint.h>

/* Bits: instruction sets that both the processor and the system support. */
enum {
    SLI_CPU_SSE42 = 1,
    SLI_CPU_AVX2_FMA = 2, /* with BMI1, BMI2, POPCNT */
    SLI_CPU_AVX512 = 4,   /* F, VL, BW, DQ */
    SLI_CPU_NEON = 8
};

/* By any thread; the processor is asked once. */
uint32_t sli_cpu_features(void);
