/* dispatch.c: which kernels this machine runs, chosen when a tree is made (bvh/tree/tree.c): the
 * best table whose instruction set the processor has, unless SIGHTLINE_ISA names another one. */
#include "bvh/kernel/kernel.h"
#include "lib/base/cpu.h"

#include <stdlib.h>
#include <string.h>

/* Best first.  A new instruction set is one row.  A program that compiles the files of
 * tools/amalgamate.py may leave out AVX-512 (SL_NO_AVX512), or all but one (SL_BASE_KERNEL). */
static const struct {
    const sli_kernels *kernels;
    uint32_t needs; /* SLI_CPU_... */
} tables[] = {
#if defined(__x86_64__) && !defined(SL_BASE_KERNEL) && !defined(SL_NO_AVX512)
    { &sli_kernels_avx512, SLI_CPU_AVX512 | SLI_CPU_AVX2_FMA },
#endif
#if (defined(__x86_64__) || defined(__i386__)) && !defined(SL_BASE_KERNEL)
    { &sli_kernels_avx2, SLI_CPU_AVX2_FMA },
    { &sli_kernels_sse42, SLI_CPU_SSE42 },
#elif defined(__aarch64__) && !defined(SL_BASE_KERNEL)
    { &sli_kernels_neon, SLI_CPU_NEON },
#elif defined(__wasm_simd128__) && !defined(SL_BASE_KERNEL)
    { &sli_kernels_simd128, 0 }, /* no asking: a module runs or does not */
#endif
#if !defined(SL_SMALL) || !defined(__wasm_simd128__) || defined(SL_BASE_KERNEL)
    { &sli_kernels_scalar, 0 },
#endif
};

enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

const sli_kernels *sli_kernels_at(int i)
{
    const uint32_t features = sli_cpu_features();
    for (int at = 0; at < TABLE_COUNT; at++) {
        if ((tables[at].needs & ~features) == 0 && i-- == 0) {
            return tables[at].kernels;
        }
    }
    return NULL;
}

const sli_kernels *sli_kernels_select(void)
{
    const char *forced = getenv("SIGHTLINE_ISA");
    for (int i = 0; forced != NULL && sli_kernels_at(i) != NULL; i++) {
        if (strcmp(forced, sli_kernels_at(i)->name) == 0) {
            return sli_kernels_at(i);
        }
    }
    return sli_kernels_at(0);
}

const char *sli_kernels_name(const sli_kernels *kernels)
{
    return kernels->name;
}
