/* fuzz_rays.c: any bytes as a file of rays, segments or points for the command: numbers that are
 * sound, or an error. */
#include "test/fuzz/fuzz.h"
#include "tools/command.h"
#include "tools/input/rays.h"

#include <math.h>
#include <unistd.h>

enum { BLOCK = 64 };

static void read_file(const char *path, rays_in_kind kind)
{
    UNDONE(rays_in_close) rays_in in = { 0 };
    sl_ray elements[BLOCK]; /* the largest of the three */
    size_t count = 1;
    int status = rays_in_open(&in, path, kind, 0);
    in.tmax = INFINITY;
    while (status == EXIT_DONE && count > 0) {
        status = rays_in_fill(&in, elements, BLOCK, &count);
    }
    if (status != EXIT_DONE && status != EXIT_BAD_INPUT) {
        fuzz_fail("neither read nor refused");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/sightline-fuzz-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0 || write(file, data, size) != (ssize_t)size || close(file) != 0) {
        fuzz_fail("no temporary file");
    }
    for (int kind = RAYS_IN_RAYS; kind <= RAYS_IN_POINTS; kind++) {
        read_file(path, (rays_in_kind)kind);
    }
    return unlink(path);
}
