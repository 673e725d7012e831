#include "bvh/kernel/kernel.h"
#include "lib/base/cpu.h"

#include <stdlib.h>
#include <string.h>

/* Best first.  An instruction set is one row. */
static const struct {
    const sli_kernels *kernels;
    uint32_t needs; /* SLI_CPU_... */
} tables[] = {
#if defined(__x86_64__)
    { &sli_kernels_avx2, SLI_CPU_AVX2_FMA },
    { &sli_kernels_sse42, SLI_CPU_SSE42 },
#endif
    { &sli_kernels_scalar, 0 },
};

enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

const sli_kernels *sli_kernels_select(void)
{
    const uint32_t features = sli_cpu_features();
    const char *forced = getenv("SIGHTLINE_ISA");
    const sli_kernels *best = NULL;
    for (int i = 0; i < TABLE_COUNT; i++) {
        if ((tables[i].needs & ~features) != 0) {
            continue;
        }
        if (forced != NULL && strcmp(forced, tables[i].kernels->name) == 0) {
            return tables[i].kernels;
        }
        best = best == NULL ? tables[i].kernels : best;
    }
    return best;
}

const char *sli_kernels_name(const sli_kernels *kernels)
{
    return kernels->name;
}
