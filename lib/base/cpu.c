/* cpu.c: asks the processor which instruction sets it has; for the choice of a kernel
 * (bvh/kernel/dispatch.c).
 *
 * CPUID is asked, not __builtin_cpu_supports: that reads what a compiler's run time has stored, and
 * in some (Zig's) it is always 0, which changes no answer and so goes unnoticed. */
#include "lib/base/cpu.h"

#if defined(__x86_64__) || defined(__i386__)

#include "lib/base/atomic.h"

#include <cpuid.h>
#include <stdbool.h>

/* Bits of XCR0, which says what the system saves when threads are switched (Intel, "Software
 * Developer's Manual", volume 1, chapter 13): what is not saved must not be used.  macOS sets those
 * of ZMM when a thread first uses it, and so has AVX2 here. */
enum {
    SAVES_YMM = 1 << 1 | 1 << 2,                     /* XMM, YMM */
    SAVES_ZMM = SAVES_YMM | 1 << 5 | 1 << 6 | 1 << 7 /* masks, ZMM */
};

/* Only where bit_OSXSAVE is set. */
static uint32_t saved_by_system(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool has_all(uint32_t word, uint32_t bits)
{
    return (word & bits) == bits;
}

static uint32_t read_processor(void)
{
    uint32_t a, b, c, d, features = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d)) {
        return 0;
    }
    if (has_all(c, bit_SSE4_2)) {
        features |= SLI_CPU_SSE42;
    }
    const uint32_t saved = has_all(c, bit_OSXSAVE) ? saved_by_system() : 0;
    const bool fused = has_all(c, bit_AVX | bit_FMA | bit_POPCNT);
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        return features;
    }
    if (fused && has_all(saved, SAVES_YMM) && has_all(b, bit_AVX2 | bit_BMI | bit_BMI2)) {
        features |= SLI_CPU_AVX2_FMA;
    }
    if (has_all(saved, SAVES_ZMM) &&
        has_all(b, bit_AVX512F | bit_AVX512VL | bit_AVX512BW | bit_AVX512DQ)) {
        features |= SLI_CPU_AVX512;
    }
    return features;
}

/* The answer is kept, as each tree and each commit of a scene wants it, and CPUID takes a
 * microsecond and more in a virtual machine. */
uint32_t sli_cpu_features(void)
{
    enum { KNOWN = 1 << 30 };
    static uint32_t kept;
    uint32_t features = sli_atomic_load_u32(&kept);
    if (features == 0) {
        features = read_processor() | KNOWN;
        sli_atomic_store_u32(&kept, features);
    }
    return features & ~(uint32_t)KNOWN;
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
