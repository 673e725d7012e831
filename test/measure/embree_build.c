/* embree_build: triangles per second that a tree is built from, ours next to Embree's.
 *
 *     embree_build [-2] [MESH | COUNT] ...
 *
 * A COUNT stands for generated meshes of about so many triangles: sphere, terrain and soup.  Rounds
 * are interleaved in this one process, and the fastest counts: what disturbs only adds.  One
 * thread, in processor time of this thread; with -2 two, in wall time.  Embree: rtcCommitScene of a
 * new scene over one committed geometry, MEDIUM, and HIGH in one round.  Memory: the most that was
 * allocated at once during the build beyond what the mesh takes, and what is left of it afterwards.
 */
#include "test/measure/generated.h"
#include "test/measure/peer.h"
#include "test/support/failing_allocator.h"

#include <sightline/bvh.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Small meshes are built more often: a round takes some milliseconds at least. */
enum { ROUNDS = 5, ROUND_TRIANGLES = 100000 };

typedef struct bench {
    RTCDevice device;
    const sl_tasks *tasks; /* NULL: one thread */
    ptrdiff_t bytes, peak; /* of the device */
} bench;

static double now(const bench *with)
{
    struct timespec at;
    if (with->tasks == NULL) {
        return peer_seconds();
    }
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* Called by one thread at a time often enough: a peak seen by two at once is off by a block. */
static bool watch(void *user, ssize_t bytes, bool post)
{
    (void)post;
    bench *with = user;
    const ptrdiff_t live = __atomic_add_fetch(&with->bytes, bytes, __ATOMIC_RELAXED);
    if (live > with->peak) {
        with->peak = live;
    }
    return true;
}

static double ours(const bench *with, const sl_mesh *mesh, int times, double *sah)
{
    sl_build_def def = sl_default_build_def();
    def.tasks = with->tasks;
    double spent = 0;
    for (int i = 0; i < times; i++) {
        sl_bvh *bvh = NULL;
        const double start = now(with);
        if (sl_bvh_build(mesh, &def, &bvh, NULL) != SL_OK) {
            exit(1);
        }
        spent += now(with) - start;
        *sah = sl_bvh_get_info(bvh).sah_cost;
        sl_bvh_destroy(bvh);
    }
    return spent / times;
}

static double theirs(const bench *with, RTCGeometry geometry, enum RTCBuildQuality quality,
                     int times)
{
    double spent = 0;
    for (int i = 0; i < times; i++) {
        RTCScene scene = rtcNewScene(with->device);
        rtcSetSceneBuildQuality(scene, quality);
        rtcAttachGeometry(scene, geometry);
        const double start = now(with);
        rtcCommitScene(scene);
        spent += now(with) - start;
        rtcReleaseScene(scene);
    }
    return spent / times;
}

static void print_memory(bench *with, const sl_mesh *mesh, RTCGeometry geometry)
{
    const double n = (double)sl_mesh_triangle_count(mesh);
    sli_failing_allocator memory;
    sl_build_def def = sl_default_build_def();
    def.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    sl_bvh *bvh = NULL;
    if (sl_bvh_build(mesh, &def, &bvh, NULL) != SL_OK) {
        exit(1);
    }
    const ptrdiff_t before = with->peak = with->bytes;
    RTCScene scene = rtcNewScene(with->device);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_MEDIUM);
    rtcAttachGeometry(scene, geometry);
    rtcCommitScene(scene);
    printf("  memory B: ours %.0f peak %.0f left, MEDIUM %.0f peak %.0f left\n",
           (double)memory.peak_bytes / n, (double)memory.live_bytes / n,
           (double)(with->peak - before) / n, (double)(with->bytes - before) / n);
    rtcReleaseScene(scene);
    sl_bvh_destroy(bvh);
}

static double least(double *times)
{
    qsort(times, ROUNDS, sizeof *times, peer_by_value);
    return times[0];
}

static void compare(bench *with, const char *name, const sl_mesh *mesh)
{
    const size_t count = sl_mesh_triangle_count(mesh);
    const int times = count < ROUND_TRIANGLES ? (int)(ROUND_TRIANGLES / count) + 1 : 1;
    RTCGeometry geometry = peer_geometry(with->device, mesh);
    double mine[ROUNDS], medium[ROUNDS], sah = 0;
    for (int round = 0; round < ROUNDS; round++) {
        mine[round] = ours(with, mesh, times, &sah);
        medium[round] = theirs(with, geometry, RTC_BUILD_QUALITY_MEDIUM, times);
    }
    const double high = theirs(with, geometry, RTC_BUILD_QUALITY_HIGH, times);
    const double n = 1e-6 * (double)count;
    const double a = n / least(mine), b = n / least(medium), c = n / high;
    printf(
        "%-24s %8zu  ours %6.2f  Embree MEDIUM %6.2f HIGH %6.2f M/s  ours/MEDIUM %5.2f  sah %.4f",
        name, count, a, b, c, a / b, sah);
    print_memory(with, mesh, geometry);
    fflush(stdout);
    rtcReleaseGeometry(geometry);
}

static int measure(bench *with, const char *what)
{
    const size_t count = (size_t)strtoull(what, NULL, 10);
    for (int kind = 0; kind < GENERATED_KINDS && count > 0; kind++) {
        sl_mesh *mesh = generated_mesh(kind, count);
        if (mesh == NULL) {
            return 1;
        }
        compare(with, generated_names[kind], mesh);
        sl_mesh_destroy(mesh);
    }
    sl_mesh *mesh = NULL;
    sl_error error;
    if (count == 0 && sl_mesh_load(what, NULL, &mesh, &error) != SL_OK) {
        fprintf(stderr, "%s: %s\n", what, error.message);
        return 1;
    }
    if (count == 0) {
        compare(with, strrchr(what, '/') != NULL ? strrchr(what, '/') + 1 : what, mesh);
    }
    sl_mesh_destroy(mesh);
    return 0;
}

int main(int argc, char **argv)
{
    const int workers = argc > 1 && strcmp(argv[1], "-2") == 0 ? 2 : 1;
    sl_pool *pool = NULL;
    if (workers > 1 && sl_pool_create(workers, NULL, &pool, NULL) != SL_OK) {
        return 1;
    }
    bench with = { .device = rtcNewDevice(workers > 1 ? "threads=2" : "threads=1"),
                   .tasks = pool != NULL ? sl_pool_tasks(pool) : NULL };
    rtcSetDeviceMemoryMonitorFunction(with.device, watch, &with);
    int failed = 0;
    for (int i = workers; i < argc; i++) {
        failed |= measure(&with, argv[i]);
    }
    rtcReleaseDevice(with.device);
    sl_pool_destroy(pool);
    return failed;
}
