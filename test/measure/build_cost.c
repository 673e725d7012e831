/* build_cost: what building costs: time and peak memory for 10 k to 10 M generated triangles.
 *
 *     build_cost [LARGEST]      default 10000000
 *
 * One thread.  The last column divides the time by n log2 n: it should stay about the same. */
#include "test/measure/generated.h"
#include "test/support/environment/failing_allocator.h"
#include "test/support/input/info_of.h"

#include <sightline/bvh.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int measure(int kind, size_t triangles)
{
    sl_mesh *mesh = generated_mesh(kind, triangles);
    if (mesh == NULL) {
        return 1;
    }
    sli_failing_allocator memory;
    sl_build_def def = sl_default_build_def();
    def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    sl_bvh *bvh = NULL;
    const double start = seconds();
    const sl_result result = sl_bvh_build(mesh, &def, &bvh, NULL);
    const double time = seconds() - start;
    if (result != SL_OK) {
        sl_mesh_destroy(mesh);
        return 1;
    }
    const sl_bvh_info info = bvh_info_of(bvh);
    const double n = (double)info.triangle_count;
    printf("%-8s %10zu %9.3f s %8.2f M/s %7.1f B peak %7.1f B tree %5u deep %8.2f ns/(n log2 n)\n",
           generated_names[kind], info.triangle_count, time, 1e-6 * n / time,
           (double)memory.peak_bytes / n, info.bytes_per_triangle, info.depth,
           1e9 * time / (n * log2(n)));
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    return 0;
}

int main(int argc, char **argv)
{
    const size_t largest = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 10000000;
    int failed = 0;
    for (int kind = 0; kind < GENERATED_KINDS; kind++) {
        for (size_t triangles = 10000; triangles <= largest; triangles *= 10) {
            failed |= measure(kind, triangles);
        }
    }
    return failed;
}
