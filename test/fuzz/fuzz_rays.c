/* fuzz_rays.c: any bytes as a file of rays, segments or points for the command: numbers that are
 * sound, or an error. */
#include "test/fuzz/fuzz.h"
#include "tools/command.h"
#include "tools/input/rays.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 64 };

static int read_block(rays_in *in, size_t *count)
{
    sl_ray rays[BLOCK];
    sl_segment segments[BLOCK];
    float points[3 * BLOCK];
    switch (in->kind) {
    case RAYS_IN_RAYS:
        return rays_in_rays(in, rays, BLOCK, count);
    case RAYS_IN_SEGMENTS:
        return rays_in_segments(in, segments, BLOCK, count);
    case RAYS_IN_POINTS:
        return rays_in_points(in, points, BLOCK, count);
    }
    return EXIT_FAILED;
}

static void read_file(const char *path, rays_in_kind kind)
{
    rays_in in = { 0 };
    size_t count = 1;
    int status = rays_in_open(&in, path, kind, 0, INFINITY);
    while (status == EXIT_DONE && count > 0) {
        status = read_block(&in, &count);
    }
    if (status != EXIT_DONE && status != EXIT_BAD_INPUT) {
        fuzz_fail("neither read nor refused");
    }
    rays_in_close(&in);
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
